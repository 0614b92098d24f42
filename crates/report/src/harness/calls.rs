//! What the calls of functions without a body gave in a run: results, and what they wrote where their arguments lead.

use cfa::{Access, BinOp, Edge, ExprId, ExprKind, Op, Program};
use outcome::{Counterexample, Input, InputSource, StepKind};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Functions of C's library that return the pointer that is their first argument, or null.
const GIVE_DESTINATION: [&str; 4] = ["fgets", "getcwd", "gets", "strptime"];

/// Arguments that a function of the harness has: more than it is called with are never read.
const ARGUMENTS: usize = 12;

/// A call.
#[derive(Default, Debug)]
pub(super) struct Call<'a> {
    /// What it returned, if the program used that.
    pub result: Option<&'a Input>,
    /// The number of the argument, how far behind what it points to, and what was written.
    writes: Vec<(usize, u64, &'a [u8])>,
}

/// The calls of each function, in order.
pub(super) fn calls(cex: &Counterexample) -> BTreeMap<&str, Vec<Call<'_>>> {
    let mut calls: BTreeMap<&str, Vec<Call<'_>>> = BTreeMap::new();
    for step in &cex.steps {
        match &step.kind {
            StepKind::External { function, .. } => calls.entry(function).or_default().push(Call::default()),
            StepKind::Input(index) => {
                let input = &cex.inputs[*index];
                match &input.source {
                    InputSource::Call(function) => {
                        calls.entry(function).or_default().push(Call { result: Some(input), ..Call::default() });
                    }
                    InputSource::Written { by: Some(by), bytes, .. } => {
                        if let Some(call) = calls.get_mut(&*by.function).and_then(|calls| calls.last_mut()) {
                            call.writes.push((by.argument, by.offset, bytes));
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    // Calls that are left out of the list of steps can't be counted.
    let is_whole = !cex.steps.iter().any(|step| matches!(step.kind, StepKind::Omitted(_)));
    calls.retain(|_, calls| is_whole && calls.iter().any(|call| !call.writes.is_empty()));
    calls
}

/// A call that would write more than there is room for, where the run ends.
#[derive(Debug)]
pub(super) struct Overlong<'a> {
    pub function: &'a str,
    /// The argument that leads to the room, and how many bytes are written there, by the arguments.
    argument: usize,
    length: String,
}

/// The call of a function without a body that the violated check is about.
pub(super) fn overlong<'a>(program: &'a Program, cex: &Counterexample) -> Option<Overlong<'a>> {
    let last = &program.edges[cex.steps.last()?.edge];
    let is_write = |(edge, access, ..): &(&Edge, Access, _, _)| edge.span == last.span && *access == Access::Write;
    let (_, _, to, length) = questions(program, cex).into_iter().rev().find(is_write)?;
    let call = program.edges.iter().filter(|edge| edge.span == last.span).find_map(|edge| match &edge.op {
        Op::CallExtern { func, args, .. } => Some((&*program.functions[*func].name, args)),
        _ => None,
    });
    let (function, args) = call?;
    let argument = args.iter().position(|arg| bare(program, *arg) == bare(program, to))?;
    Some(Overlong { function, argument, length: of_arguments(program, args, length)? })
}

/// What the violated check asks about validity: an edge with its access, address and length.
pub(super) fn questions<'a>(program: &'a Program, cex: &Counterexample) -> Vec<(&'a Edge, Access, ExprId, ExprId)> {
    let Some(last) = cex.steps.last() else { return Vec::new() };
    let before = &program.locs[program.edges[last.edge].src].inc;
    let mut found = Vec::new();
    for edge in before.iter().chain([&last.edge]).map(|edge| &program.edges[*edge]) {
        edge.op.for_each_expr(|root| {
            program.exprs.walk(root, |_, e| {
                if let ExprKind::Valid(access, address, length) = e.kind {
                    found.push((edge, access, address, length));
                }
            });
        });
    }
    found
}

fn bare(program: &Program, mut expr: ExprId) -> ExprId {
    while let ExprKind::Cast(inner) = program.exprs.kind(expr) {
        expr = inner;
    }
    expr
}

/// A number by the arguments of a call.
fn of_arguments(program: &Program, args: &[ExprId], expr: ExprId) -> Option<String> {
    let expr = bare(program, expr);
    if let Some(value) = program.exprs.as_const(expr) {
        return Some(value.0.to_string());
    }
    if let Some(argument) = args.iter().position(|arg| bare(program, *arg) == expr) {
        return Some(format!("a{argument}"));
    }
    match program.exprs.kind(expr) {
        ExprKind::Binary(BinOp::Mul, a, b) => {
            Some(format!("{} * {}", of_arguments(program, args, a)?, of_arguments(program, args, b)?))
        }
        _ => None,
    }
}

/// Fills memory.
pub(super) const FILL: &str = "\n/* Writes as much as a function of the library may. */\n\
    static void hone_fill(unsigned long to, unsigned long length) {\n    \
    for (unsigned long i = 0; i < length; i++) {\n        ((volatile char *)to)[i] = 'x';\n    }\n}\n";

/// Copies bytes, also where the program has a `memcpy` of its own.
pub(super) const COPY: &str = "\n/* Writes what functions of the library wrote. */\n\
    static void hone_copy(unsigned long to, const char *from, unsigned long length) {\n    \
    for (unsigned long i = 0; i < length; i++) {\n        ((char *)to)[i] = from[i];\n    }\n}\n";

/// A function that writes what its calls wrote, and behind these what the one does that ends the run. `results` are expressions for what they
/// returned.
pub(super) fn define(
    out: &mut String,
    (ty, name): (&str, &str),
    calls: &[Call<'_>],
    results: &[Option<String>],
    overlong: Option<&Overlong<'_>>,
) {
    let last = calls.iter().flat_map(|call| &call.writes).map(|(argument, ..)| *argument).max().unwrap_or(0);
    let last = if overlong.is_some() { ARGUMENTS - 1 } else { last };
    let parameters: Vec<String> = (0..=last.min(ARGUMENTS)).map(|i| format!("unsigned long a{i}")).collect();
    let gives_destination = GIVE_DESTINATION.contains(&name);
    let _ = write!(
        out,
        "\n{ty} {name}({}) {{\n    static unsigned calls;\n    switch (calls++) {{\n",
        parameters.join(", ")
    );
    for (i, (call, result)) in calls.iter().zip(results).enumerate() {
        let _ = writeln!(out, "    case {i}:");
        for (argument, offset, bytes) in &call.writes {
            let plus = if *offset == 0 { String::new() } else { format!(" + {offset}") };
            let _ = writeln!(out, "        hone_copy(a{argument}{plus}, \"{}\", {});", escaped(bytes), bytes.len());
        }
        match result {
            Some(result) if gives_destination && result != "0" => out.push_str("        return (void *)a0;\n"),
            Some(result) => drop(writeln!(out, "        return {result};")),
            None => out.push_str("        break;\n"),
        }
    }
    if let Some(Overlong { argument, length, .. }) = overlong {
        let _ = writeln!(out, "    default:\n        hone_fill(a{argument}, {length});");
    }
    out.push_str("    }\n");
    if ty != "void" {
        out.push_str("    return 0;\n");
    }
    out.push_str("}\n");
    // Headers of glibc give programs these names for it.
    if name.ends_with("scanf") {
        for standard in ["isoc99", "isoc23"] {
            let _ = writeln!(out, "{ty} __{standard}_{name}() __attribute__((alias(\"{name}\")));");
        }
    }
}

/// Bytes as they stand in a string of C.
pub(super) fn escaped(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "\\x{byte:02x}");
        text
    })
}

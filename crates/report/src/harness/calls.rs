//! What the calls of functions without a body gave in a run: results, and what they wrote where their arguments lead.

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

/// Copies bytes, also where the program has a `memcpy` of its own.
pub(super) const COPY: &str = "\n/* Writes what functions of the library wrote. */\n\
    static void hone_copy(unsigned long to, const char *from, unsigned long length) {\n    \
    for (unsigned long i = 0; i < length; i++) {\n        ((char *)to)[i] = from[i];\n    }\n}\n";

/// A function that writes what its calls wrote. `results` are expressions for what they returned.
pub(super) fn define(out: &mut String, ty: &str, name: &str, calls: &[Call<'_>], results: &[Option<String>]) {
    let last = calls.iter().flat_map(|call| &call.writes).map(|(argument, ..)| *argument).max().unwrap_or(0);
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

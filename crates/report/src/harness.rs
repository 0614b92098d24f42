//! A C file that drives the program to the error for real: compiled beside the program, it returns the recorded inputs.
//!
//! It defines, weakly, every function and variable that the program uses and does not define itself, so that the program's own
//! definitions win and those of the C library lose only where a value was recorded. Errors that are no call of an undefined
//! function (labels, error functions with a body) can't be caught from another file; for these a copy of the program is
//! made with a call at the place.

mod allocations;
mod arguments;
mod calls;
mod copies;
mod entry;
mod flags;
mod machine;
mod names;
mod streams;

use base::Name;
use cfa::{
    CType, Check, ExprKind, FloatFormat, FuncId, HavocSource, Observer, Op, Pattern, Program, Scalar, Storage, Value,
};
use entry::Entry;
use names::{HARNESS_OWN, LIBRARY, LIBRARY_VARIABLES, REACHED};
use outcome::{Counterexample, Input, InputSource, Property};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Files that reproduce an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Harness {
    /// `harness.c`.
    pub harness: String,
    /// Files that must be changed to see the error, by their numbers.
    pub copies: Vec<(usize, String)>,
}

/// Where the files are, as seen from the folder where Hone was run: for the instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paths<'a> {
    /// The files of the program.
    pub program: &'a [String],
    /// The harness.
    pub harness: &'a str,
    /// The changed copies of files, each of the number of its file.
    pub copies: &'a [String],
}

/// How the program is compiled and begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Build<'a> {
    /// Name of the entry function.
    pub entry: &'a str,
    /// What the preprocessor was told.
    pub flags: &'a [String],
}

/// Makes the files for a violation.
pub fn render(
    program: &Program,
    observer: &Observer,
    cex: &Counterexample,
    (paths, build): (&Paths<'_>, &Build<'_>),
) -> Harness {
    let mut labels = BTreeSet::new();
    let mut errors: BTreeSet<&str> = BTreeSet::new();
    for transition in &observer.transitions {
        match &transition.on {
            Pattern::Call(name) => drop(errors.insert(name)),
            Pattern::Label(name) => drop(labels.insert(&**name)),
        }
    }
    let copies = copies::instrumented(program, &labels, &errors);
    let mut recorded: BTreeMap<&Name, Vec<&Input>> = BTreeMap::new();
    let mut variables: BTreeMap<&Name, &Input> = BTreeMap::new();
    let writers = calls::calls(cex);
    let entry = entry::of(program, build.entry, &cex.inputs);
    let arguments = match entry {
        Entry::Main => arguments::given(program, &cex.inputs),
        Entry::Other(_) | Entry::Unknown => None,
    };
    let mut others = 0;
    for input in &cex.inputs {
        match &input.source {
            InputSource::Call(function) => recorded.entry(function).or_default().push(input),
            InputSource::Variable(name) if input.scalar != Scalar::Ptr || input.value.0 == 0 => {
                variables.insert(name, input);
            }
            InputSource::Allocation(_) => {}
            InputSource::Written { by: Some(by), .. } if writers.contains_key(&*by.function) => {}
            // The first argument, which the start function writes.
            InputSource::Environment(what) if arguments.is_some() && what.ends_with("[0]") => {}
            InputSource::Argument(..) | InputSource::Object { .. } | InputSource::Outside { .. }
                if arguments.is_some() => {}
            _ if matches!(&entry, Entry::Other(call) if call.gives(input)) => {}
            _ => others += 1,
        }
    }
    let is_unknown = matches!(entry, Entry::Unknown);
    let mut out = head(program, cex, (paths, build), &copies, (others, is_unknown, arguments.is_some()));
    // One that the program only declares is defined below.
    let has_abort = errors.contains("abort") || without_body(program).contains_key("abort");
    if !flags::leak_check(cex.violated).0.is_empty() && !has_abort {
        let _ = writeln!(out, "HONE_WEAK void abort(void) {{ {REACHED}(); }}");
    }
    let lowest = cex.inputs.iter().filter(|i| i.scalar == Scalar::Ptr && i.value.0 != 0).map(|i| i.value.0).min();
    if let Some(lowest) = lowest {
        let _ = write!(
            out,
            "\n/* Memory outside of the program, for the pointers that functions return. */\n\
             static unsigned char hone_memory[1 << 20];\n\
             static void *hone_pointer(unsigned long long address) {{\n    \
             return address == 0 ? (void *)0 : (void *)(hone_memory + (address - {lowest}ULL) % sizeof hone_memory);\n}}\n"
        );
    }
    define_variables(&mut out, program, &variables);
    allocations::define(&mut out, &allocations::failing(&cex.inputs), &cex.inputs);
    streams::define(&mut out, &streams::opened(&cex.steps));
    if let Some(arguments) = &arguments {
        arguments::define(&mut out, arguments);
    }
    define_functions(&mut out, program, cex, &errors, &recorded, &writers);
    if let Entry::Other(call) = &entry {
        call.define(&mut out);
    }
    Harness { harness: out, copies }
}

/// The functions that the program only declares.
fn define_functions(
    out: &mut String,
    program: &Program,
    cex: &Counterexample,
    errors: &BTreeSet<&str>,
    recorded: &BTreeMap<&Name, Vec<&Input>>,
    writers: &BTreeMap<&str, Vec<calls::Call<'_>>>,
) {
    if !writers.is_empty() {
        out.push_str(calls::COPY);
    }
    let overlong = calls::overlong(program, cex);
    if overlong.is_some() {
        out.push_str(calls::FILL);
    }
    for (name, id) in without_body(program) {
        let values = recorded.get(&program.functions[id].name).map_or(&[][..], Vec::as_slice);
        let known = LIBRARY.binary_search(&name).is_ok() || HARNESS_OWN.contains(&name);
        if errors.contains(name) && !HARNESS_OWN.contains(&name) {
            let _ = write!(out, "\nvoid {name}() {{ {REACHED}(); }}\n");
        } else if let Some(calls) = writers.get(name) {
            writer(out, program, id, calls, overlong.as_ref().filter(|call| call.function == name));
        } else if values.is_empty()
            && let Some(overlong) = overlong.as_ref().filter(|call| call.function == name)
        {
            writer(out, program, id, &[], Some(overlong));
        } else if !known || !values.is_empty() {
            // Nobody says that there is memory where these lead.
            let is_wild = name.starts_with("__VERIFIER_nondet_") && matches!(cex.violated, Property::Check(_));
            function(out, program, id, values, if is_wild { "(void *)" } else { "hone_pointer" });
        }
    }
}

/// Functions without a body that the program calls, or has the address of.
fn without_body(program: &Program) -> BTreeMap<&str, FuncId> {
    let mut functions: BTreeMap<&str, FuncId> = BTreeMap::new();
    for edge in &program.edges {
        // The start function's calls stand for the arguments of `main`.
        if let Op::CallExtern { func, .. } = edge.op
            && program.locs[edge.src].func != program.start
        {
            functions.insert(&program.functions[func].name, func);
        }
    }
    for (id, function) in program.functions.iter_enumerated() {
        if function.body.is_none() && function.address_taken {
            functions.insert(&function.name, id);
        }
    }
    functions
}

fn head(
    program: &Program,
    cex: &Counterexample,
    (paths, build): (&Paths<'_>, &Build<'_>),
    copied: &[(usize, String)],
    (others, is_unknown, has_arguments): (usize, bool, bool),
) -> String {
    // The property is the user's text; it must not end the comment.
    let safe = |text: &str| text.replace("*/", "* /");
    let model = machine::flag(program);
    let sources = paths.program.iter().zip(paths.copies).enumerate();
    let sources: Vec<String> = sources
        .map(|(i, (own, copy))| safe(&shell(if copied.iter().any(|(of, _)| *of == i) { copy } else { own })))
        .collect();
    // Old programs mean by `inline` what C99 calls `extern inline`; with both words there is no telling.
    let text = program.source.user_text();
    let is_old = ["inline", "__inline"].iter().any(|word| text.contains(word))
        && !["extern inline", "extern __inline"].iter().any(|words| text.contains(words));
    let inline = if is_old { "-fgnu89-inline " } else { "" };
    let flags::Tools { flags, runner, promise } = flags::tools(program, cex);
    let wraps = allocations::flags(&allocations::failing(&cex.inputs))
        + &streams::flags(&streams::opened(&cex.steps))
        + if has_arguments { arguments::FLAG } else { "" };
    let given: String = build.flags.iter().map(|flag| format!(" {}", safe(&shell(flag)))).collect();
    let mut out = String::new();
    let (property, file) = (safe(&cex.property), safe(&paths.program.join(", ")));
    let _ = write!(
        out,
        "/* Reaches the error that Hone found in {file}\n   against: {property}\n\n   \
         cc {model}{inline}{flags}{given} -no-pie -Wl,--unresolved-symbols=ignore-all{wraps} {} {} -lm -o repro && {runner}./repro\n\n   \
         {promise}, where the paths are those of the folder that Hone was run in.",
        safe(&shell(paths.harness)),
        sources.join(" "),
    );
    if let Property::Check(Check::Memory | Check::Free | Check::Leak) = cex.violated {
        out.push_str("\n   Sanitizers do not know all functions and lost blocks; valgrind, run on a build without -fsanitize, knows others.");
    }
    notes(&mut out, (paths, build), copied, (others, is_unknown));
    machine::note(&mut out, program);
    out.push_str(" */\n\n");
    out.push_str(flags::sanitizer_options(cex.violated));
    let (leaks, end) = flags::leak_check(cex.violated);
    let _ = write!(
        out,
        "/* Programs may have functions exit and puts of their own. */\n\
         extern long write(int, const void *, unsigned long);\n\
         extern void _exit(int);\n\n\
         {leaks}void {REACHED}(void) {{\n    {end}write(1, \"error reached\\n\", 14);\n    _exit(1);\n}}\n\n\
         #define HONE_WEAK __attribute__((weak))\n\
         HONE_WEAK void reach_error() {{ {REACHED}(); }}\n\
         HONE_WEAK void __VERIFIER_error() {{ {REACHED}(); }}\n\
         HONE_WEAK void __assert_fail() {{ {REACHED}(); }}\n\
         HONE_WEAK void __assert_rtn() {{ {REACHED}(); }}\n\
         HONE_WEAK void __VERIFIER_assume(int holds) {{\n    if (!holds) {{\n        \
         write(1, \"an assumption does not hold\\n\", 28);\n        _exit(0);\n    }}\n}}\n\
         HONE_WEAK void __VERIFIER_atomic_begin() {{}}\n\
         HONE_WEAK void __VERIFIER_atomic_end() {{}}\n"
    );
    if text.contains("__CPROVER_") {
        dialect(&mut out);
    }
    out
}

/// What else is to be known of the files.
fn notes(
    out: &mut String,
    (paths, build): (&Paths<'_>, &Build<'_>),
    copied: &[(usize, String)],
    (others, is_unknown): (usize, bool),
) {
    if !copied.is_empty() {
        let names: Vec<&str> = copied.iter().map(|(i, _)| base_name(&paths.copies[*i])).collect();
        let what = match names.len() {
            1 if paths.program.len() == 1 => "is the program",
            1 => "is the file",
            _ => "are the files",
        };
        let _ = write!(
            out,
            "\n   {} {what} with a call at the place of the error, which can't be seen from outside.",
            names.join(", ")
        );
    }
    if is_unknown {
        let _ = write!(
            out,
            "\n   Nothing here calls the entry function `{}`: what it is given in the run can't be set from here.",
            build.entry
        );
    }
    if others > 0 {
        let _ = write!(
            out,
            "\n   The run also depends on {others} values that no function gives (uninitialised variables, memory from outside):\n   \
             these can't be set from here, so the error may not show."
        );
    }
}

/// What programs in CBMC's dialect call.
fn dialect(out: &mut String) {
    out.push_str("HONE_WEAK void __CPROVER_assume(int holds) { __VERIFIER_assume(holds); }\n");
    for name in ["assert", "precondition", "postcondition"] {
        let _ = writeln!(
            out,
            "HONE_WEAK void __CPROVER_{name}(int holds) {{\n    if (!holds) {{\n        {REACHED}();\n    }}\n}}"
        );
    }
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A path as a word for the shell.
fn shell(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._/+,@%".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

/// The variables that the program only declares, with the recorded values where there are any.
fn define_variables(out: &mut String, program: &Program, recorded: &BTreeMap<&Name, &Input>) {
    let mut defined = BTreeSet::new();
    for edge in program.edges.iter().filter(|edge| program.locs[edge.src].func == program.start) {
        let (var, source) = match edge.op {
            Op::Havoc { dst, source } => (dst, source),
            Op::MemHavoc { dst, source, .. } => match program.exprs.kind(dst) {
                ExprKind::AddrOf(var) => (var, source),
                _ => continue,
            },
            _ => continue,
        };
        let var = &program.vars[var];
        if source != HavocSource::Environment || !var.is_global() || !defined.insert(&var.name) {
            continue;
        }
        let name = &var.name;
        if LIBRARY_VARIABLES.contains(&&**name) {
            continue;
        }
        let _ = match (var.storage, recorded.get(name)) {
            (Storage::Register(scalar), Some(input)) if scalar != Scalar::Ptr => {
                let ty = match scalar {
                    Scalar::Float(_) => bits_type(scalar),
                    _ => cfa::display::scalar(scalar, program.machine),
                };
                writeln!(out, "\nHONE_WEAK {ty} {name} = {};", literal(input.value, scalar))
            }
            _ => {
                let size = program.ctypes.size(var.ctype).max(1);
                writeln!(out, "\nHONE_WEAK unsigned char {name}[{size}] __attribute__((aligned(16)));")
            }
        };
    }
}

/// A function that writes what its calls wrote, and returns what they returned.
fn writer(
    out: &mut String,
    program: &Program,
    id: FuncId,
    calls: &[calls::Call<'_>],
    overlong: Option<&calls::Overlong<'_>>,
) {
    let function = &program.functions[id];
    let (ty, scalar) = match program.ctypes.get(function.ret_ctype) {
        CType::Scalar { scalar, .. } if !scalar.is_float() => {
            (cfa::display::scalar(*scalar, program.machine), Some(*scalar))
        }
        CType::Pointer(_) => ("void *", Some(Scalar::Ptr)),
        _ => ("void", None),
    };
    let result = |call: &calls::Call<'_>| {
        let value = call.result?.value;
        Some(match scalar? {
            Scalar::Ptr if value.0 == 0 => "0".to_owned(),
            Scalar::Ptr => format!("hone_pointer({:#x}ULL)", value.0),
            scalar => literal(value, scalar),
        })
    };
    let results: Vec<Option<String>> = calls.iter().map(result).collect();
    calls::define(out, (ty, &function.name), calls, &results, overlong);
}

/// A function that returns the recorded values in order, then zero.
///
/// `pointer` makes a pointer of a number.
fn function(out: &mut String, program: &Program, id: FuncId, values: &[&Input], pointer: &str) {
    let function = &program.functions[id];
    let name = &function.name;
    let (ty, scalar) = match program.ctypes.get(function.ret_ctype) {
        CType::Void | CType::Function(_) | CType::Array(..) => ("void".to_owned(), None),
        CType::Scalar { name, scalar } if &**name == "_Bool" => ("_Bool".to_owned(), Some(*scalar)),
        CType::Scalar { scalar, .. } => (cfa::display::scalar(*scalar, program.machine).to_owned(), Some(*scalar)),
        CType::Pointer(_) => ("void *".to_owned(), Some(Scalar::Ptr)),
        CType::Record { .. } => {
            let size = program.ctypes.size(function.ret_ctype);
            let _ = write!(
                out,
                "\nstruct hone_{name} {{ unsigned char bytes[{size}]; }};\n\
                 HONE_WEAK struct hone_{name} {name}() {{\n    struct hone_{name} result = {{{{0}}}};\n    return result;\n}}\n"
            );
            return;
        }
    };
    let Some(scalar) = scalar else {
        let _ = write!(out, "\nHONE_WEAK void {name}() {{}}\n");
        return;
    };
    if values.is_empty() {
        let _ = write!(out, "\nHONE_WEAK {ty} {name}() {{ return 0; }}\n");
        return;
    }
    let list = values.iter().map(|input| literal(input.value, scalar)).collect::<Vec<_>>();
    let mut lines = String::new();
    for chunk in list.chunks(8) {
        let _ = write!(lines, "\n        {},", chunk.join(", "));
    }
    let (element, result) = match scalar {
        Scalar::Float(_) => (
            bits_type(scalar),
            format!(
                "union {{ {} bits; {ty} value; }} u;\n    u.bits = next < sizeof values / sizeof *values ? values[next++] : 0;\n    return u.value;",
                bits_type(scalar)
            ),
        ),
        Scalar::Ptr => (
            "unsigned long long",
            format!("return next < sizeof values / sizeof *values ? {pointer}(values[next++]) : 0;"),
        ),
        _ => (ty.as_str(), "return next < sizeof values / sizeof *values ? values[next++] : 0;".to_owned()),
    };
    // Pointers that are all null need no memory to point to.
    let result = if values.iter().all(|input| input.value.0 == 0) { "return 0;".to_owned() } else { result };
    let _ = write!(
        out,
        "\nHONE_WEAK {ty} {name}() {{\n    static const {element} values[] = {{{lines}\n    }};\n    \
         static unsigned next;\n    {result}\n}}\n"
    );
}

/// An unsigned type that holds the bits of a float.
fn bits_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Float(FloatFormat::F16) => "unsigned short",
        Scalar::Float(FloatFormat::F32) => "unsigned int",
        Scalar::Float(FloatFormat::F64) => "unsigned long long",
        _ => "unsigned __int128",
    }
}

/// A constant of this value, also where C has no literal of that size.
fn literal(value: Value, scalar: Scalar) -> String {
    match scalar {
        Scalar::Int { bits, signed: true } if bits <= 32 => value.signed(u32::from(bits)).to_string(),
        Scalar::Int { bits, .. } if bits <= 32 => format!("{}U", value.0),
        _ if value.0 >> 64 == 0 => format!("{:#x}ULL", value.0),
        _ => format!("((unsigned __int128){:#x}ULL << 64 | {:#x}ULL)", value.0 >> 64, value.0 as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        assert_eq!(literal(Value(0xffff_ffff), Scalar::INT), "-1");
        assert_eq!(literal(Value(0x8000_0000), Scalar::INT), "-2147483648");
        assert_eq!(literal(Value(255), Scalar::Int { bits: 8, signed: false }), "255U");
        assert_eq!(
            literal(Value(u128::from(u64::MAX)), Scalar::Int { bits: 64, signed: true }),
            "0xffffffffffffffffULL"
        );
    }
}

//! Allocations that fail in a run: the linker gives the program's calls to functions that return null where they did so.

use outcome::{Input, InputSource};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The functions that allocate in a run, if one of them fails.
pub(super) fn failing(inputs: &[Input]) -> BTreeSet<&str> {
    let of = |input| match input {
        &Input { source: InputSource::Allocation(ref function), value, .. } => Some((&**function, value.0 != 0)),
        _ => None,
    };
    let fails = inputs.iter().filter_map(of).any(|(_, fails)| fails);
    inputs.iter().filter_map(of).filter(|_| fails).map(|(function, _)| function).collect()
}

/// Flags for the linker.
pub(super) fn flags(functions: &BTreeSet<&str>) -> String {
    functions.iter().fold(String::new(), |mut flags, function| {
        let _ = write!(flags, " -Wl,--wrap={function}");
        flags
    })
}

/// The functions that the linker puts in their place.
pub(super) fn define(out: &mut String, functions: &BTreeSet<&str>, inputs: &[Input]) {
    if functions.is_empty() {
        return;
    }
    let is_allocation = |input: &&Input| matches!(input.source, InputSource::Allocation(_));
    let fails: Vec<&str> =
        inputs.iter().filter(is_allocation).map(|input| if input.value.0 == 0 { "0" } else { "1" }).collect();
    let _ = write!(
        out,
        "\n/* Which allocations fail, in their order. */\n\
         static const char hone_fails[] = {{{}}};\n\
         static unsigned hone_allocations;\n\
         static int hone_fails_now(void) {{\n    \
         return hone_allocations < sizeof hone_fails && hone_fails[hone_allocations++];\n}}\n",
        fails.join(", ")
    );
    for function in functions {
        // Where these free a block, nothing is allocated.
        let frees = match *function {
            "realloc" => "    if (a && !b) {\n        return __real_realloc(a, b, c);\n    }\n",
            "reallocarray" => "    if (a && (!b || !c)) {\n        return __real_reallocarray(a, b, c);\n    }\n",
            _ => "",
        };
        // More arguments than the function takes are ignored.
        let _ = write!(
            out,
            "extern void *__real_{function}(unsigned long, unsigned long, unsigned long);\n\
             void *__wrap_{function}(unsigned long a, unsigned long b, unsigned long c) {{\n{frees}    \
             return hone_fails_now() ? (void *)0 : __real_{function}(a, b, c);\n}}\n"
        );
    }
}

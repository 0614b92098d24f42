//! What `main` is given in a run: the linker puts a function before it that makes its arguments.

use cfa::{MachineModel, Program};
use outcome::{Input, InputSource};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Arguments whose text is told at most; the others are empty.
const TOLD: usize = 512;

/// What the linker is told.
pub(super) const FLAG: &str = " -Wl,--wrap=main";

/// Number and texts of the arguments, the program's name among them; `None` if the run does not ask for them.
pub(super) struct Arguments {
    count: u128,
    texts: Vec<Vec<u8>>,
}

/// What `main` was given.
pub(super) fn given(program: &Program, inputs: &[Input]) -> Option<Arguments> {
    let count = inputs.iter().find_map(|input| match input.source {
        InputSource::Argument(0, _) if !input.scalar.is_float() => Some(input.value.0),
        _ => None,
    })?;
    let is_main =
        |name: &str| program.functions.iter().any(|function| function.body.is_some() && &*function.name == name);
    if !is_main("main") || !(1..1 << 24).contains(&count) {
        return None;
    }
    let vector = inputs.iter().find_map(|input| match &input.source {
        InputSource::Object { bytes, .. } => Some(&**bytes),
        _ => None,
    });
    let mut memory: BTreeMap<u64, u8> = BTreeMap::new();
    for input in inputs {
        if let InputSource::Outside { address, bytes } = &input.source {
            memory.extend((*address..).zip(bytes.iter().copied()));
        }
    }
    let word = match program.machine {
        MachineModel::Ilp32 | MachineModel::Lp32 => 4,
        MachineModel::Lp64 | MachineModel::Llp64 => 8,
    };
    let text = |pointer: &[u8]| {
        let start = program.byte_order.number(pointer) as u64;
        let byte = |k: u64| memory.get(&start.wrapping_add(k)).copied().unwrap_or(0);
        (0..).map(byte).take_while(|byte| *byte != 0).collect()
    };
    let told = TOLD.min(count as usize);
    Some(Arguments { count, texts: vector.unwrap_or_default().chunks_exact(word).take(told).map(text).collect() })
}

/// The function that the linker puts in the place of `main`.
pub(super) fn define(out: &mut String, Arguments { count, texts }: &Arguments) {
    let _ = write!(
        out,
        "\n/* What the program is given. */\n\
         extern char **environ;\n\
         extern int __real_main(int, char **, char **);\n\
         static char *hone_arguments[{count} + 1];\n\
         int __wrap_main(void) {{\n    \
         for (int i = 0; i < {count}; i++) {{\n        hone_arguments[i] = \"\";\n    }}\n"
    );
    for (i, text) in texts.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
        let _ = writeln!(out, "    static char argument_{i}[] = \"{}\";", super::calls::escaped(text));
        let _ = writeln!(out, "    hone_arguments[{i}] = argument_{i};");
    }
    let _ = write!(out, "    return __real_main({count}, hone_arguments, environ);\n}}\n");
}

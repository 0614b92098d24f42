//! C text, from bytes to automata that are ready for analysis.

use super::check_diagnostics;
use base::Name;
use cfa::MachineModel;
use cfront::machine_model::Machine;
use cfront::preprocess::{self, Encoding, Source};
use cfront::{parse, sema};
use outcome::Statistics;

/// Takes bytes for a C file. The C preprocessor is left out: it is another program, and could read any file.
pub fn run(bytes: &[u8]) {
    if bytes.contains(&0) {
        return;
    }
    let mut source = match std::str::from_utf8(bytes) {
        Ok(text) => preprocess::source_from_text("fuzz.c", text),
        Err(_) => {
            let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            Source { encoding: Encoding::Latin1, ..preprocess::source_from_text("fuzz.c", &text) }
        }
    };
    c2cfa::libc::append_to(&mut source);
    // Any fixed choice would do that shows both.
    let (machine, model) = match bytes.len() % 2 {
        0 => (Machine::Lp64, MachineModel::Lp64),
        _ => (Machine::Ilp32, MachineModel::Ilp32),
    };
    let unit = match parse::parse(&source) {
        Ok(unit) => unit,
        Err(errors) => return check_diagnostics(&errors, &source.map),
    };
    let (unit, notes) = match sema::check(unit, source.map.clone(), machine) {
        Ok(checked) => checked,
        Err(errors) => return check_diagnostics(&errors, &source.map),
    };
    check_diagnostics(&notes, &source.map);
    let options = c2cfa::LowerOptions { machine: model, entry: Name::from("main") };
    match c2cfa::lower(unit, &options) {
        Ok(lowered) => {
            check_diagnostics(&lowered.notes, &source.map);
            driver::prepare::prepare(lowered.program, &mut Statistics::default());
        }
        Err(errors) => check_diagnostics(&errors, &source.map),
    }
}

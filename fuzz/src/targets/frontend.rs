//! C text, from bytes to automata that are ready for analysis, and a short run of these.

use super::check_diagnostics;
use base::{Budget, Name};
use cfa::{MachineModel, Program, Undefined};
use cfront::sema;
use driver::property::default_property;
use interp::{Config, Env, Library, Outcome, RandomInputs};
use outcome::Statistics;
use std::io;
use std::mem::discriminant;
use syntax::machine_model::Machine;
use syntax::parse;
use syntax::preprocess::{self, Encoding};

/// Takes bytes for a C file. The C preprocessor is left out: it is another program, and could read any file.
pub fn run(bytes: &[u8]) {
    if bytes.contains(&0) {
        return;
    }
    let mut source = match std::str::from_utf8(bytes) {
        Ok(text) => preprocess::source_from_text("fuzz.c", text),
        Err(_) => {
            let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            let mut source = preprocess::source_from_text("fuzz.c", &text);
            source.units.iter_mut().for_each(|unit| unit.encoding = Encoding::Latin1);
            source
        }
    };
    clib::libc::append_to(&mut source);
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
    let options = c2cfa::LowerOptions {
        machine: model,
        byte_order: base::ByteOrder::Little,
        entry: Name::from("main"),
        checks: cfa::Check::ALL.to_vec(),
        error_functions: Vec::new(),
        allocation_may_fail: true,
        environment: c2cfa::Environment::default(),
    };
    match c2cfa::lower(unit, &options) {
        Ok(lowered) => {
            check_diagnostics(&lowered.notes, &source.map);
            let (before, has_threads) = (outcome(&lowered.program), lowered.program.threads.is_some());
            let prepared = driver::prepare::prepare(lowered.program, &mut Statistics::default());
            // Counterexamples are replayed on this one: values that depend on the machine are computed as in the model.
            let after = outcome(prepared.written());
            // Which threads run beside others, and who waits for them, is known of the prepared one only.
            assert!(has_threads || agree(&before, &after), "{before:?}, but prepared for analysis {after:?}");
        }
        Err(errors) => check_diagnostics(&errors, &source.map),
    }
}

/// How a run with some inputs ends.
fn outcome(program: &Program) -> Outcome {
    let config =
        Config { library: Library::Execute, step_limit: Some(2_000), memory_limit: 16 << 20, ..Config::default() };
    let mut env = Env {
        inputs: &mut RandomInputs::new(1),
        output: &mut io::sink(),
        errors: &mut io::sink(),
        budget: &Budget::unlimited(),
        observe: &mut (),
    };
    interp::run(program, Some(&default_property("main").observer), &config, &mut env).outcome
}

/// Whether a run of a program and one of the prepared program, with the same inputs, may both be right.
fn agree(before: &Outcome, after: &Outcome) -> bool {
    let is_limit = |outcome: &Outcome| matches!(outcome, Outcome::Stopped(_) | Outcome::StepLimit);
    // Calls with too many arguments are resolved, as machines ignore them.
    let is_resolved = matches!(before, Outcome::Undefined { what: Undefined::InvalidCall, .. });
    // Where the model says less than a machine does, runs end.
    let is_guarded = matches!(after, Outcome::Unsupported { .. });
    is_limit(before) || is_limit(after) || is_resolved || is_guarded || discriminant(before) == discriminant(after)
}

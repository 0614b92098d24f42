//! Replays a run with the concrete interpreter: only a run that reaches the error is a counterexample.
//!
//! [`record`] listens to the run and keeps compact records of a bounded number of steps; [`tell`] turns them into the
//! user's words afterwards, so that a replay of millions of steps stays cheap.

mod bytes;
mod fault;
pub mod lives;
pub mod operands;
pub mod path;
pub mod record;
pub mod tape;
mod raw;
mod tell;
pub mod testing;
mod violated;

pub use tell::instead;
pub use violated::violation;

use base::Budget;
use cfa::{Observer, Program};
use interp::{Config, Env, OutsideRead, Scripted};
use outcome::{Counterexample, StopReason};
use record::{Inputs, Recorded, Recorder};
use std::cell::RefCell;
use std::rc::Rc;
use tape::{Recording, Tape};

/// Most edges of a run: a script for a slice of the program may leave it in an endless loop that the slice does not have.
const MAX_STEPS: u64 = 20_000_000;

/// Runs the script on the program; `Err` says in a sentence what happened instead of the error.
///
/// # Errors
/// If the run does not violate the observer.
pub fn replay(
    program: &Program,
    observer: &Observer,
    script: Scripted,
    budget: &Budget,
) -> Result<Counterexample, StopReason> {
    run(program, observer, Box::new(script), budget)
}

/// As [`replay`], of a run that was recorded with another program.
///
/// # Errors
/// If the run does not violate the observer.
pub fn replay_tape(
    program: &Program,
    observer: &Observer,
    tape: Tape,
    budget: &Budget,
) -> Result<Counterexample, StopReason> {
    run(program, observer, Box::new(tape), budget)
}

/// As [`replay`]; also tells what the run was given.
///
/// # Errors
/// If the run does not violate the observer.
pub fn record_tape(
    program: &Program,
    observer: &Observer,
    script: Scripted,
    budget: &Budget,
) -> Result<(Counterexample, Tape), StopReason> {
    let tape = Rc::new(RefCell::new(Tape::default()));
    let counterexample = run(program, observer, Box::new(Recording::new(script, tape.clone())), budget)?;
    let recorded = tape.take();
    Ok((counterexample, recorded))
}

/// Runs the script on the program, to undefined behaviour; `None` if the run meets none.
pub fn to_undefined(
    program: &Program,
    observer: &Observer,
    script: Scripted,
    budget: &Budget,
) -> Option<Counterexample> {
    let log = record::Log::default();
    let (outcome, recorded) = listen(program, observer, Box::new(script), &log, budget);
    tell::undefined(program, observer, &outcome, recorded, &log.take())
}

/// Runs a program, and what was heard.
fn listen(
    program: &Program,
    observer: &Observer,
    inputs: Box<dyn interp::Inputs>,
    log: &record::Log,
    budget: &Budget,
) -> (interp::Outcome, Recorded) {
    let mut inputs = Inputs::new(inputs, log.clone());
    let mut recorder = Recorder::new(program, log.clone());
    let (mut output, mut errors) = (std::io::sink(), std::io::sink());
    let mut env = Env { inputs: &mut inputs, output: &mut output, errors: &mut errors, budget, observe: &mut recorder };
    let config = Config { outside: OutsideRead::GoesOn, step_limit: Some(MAX_STEPS), ..Config::default() };
    let run = interp::run(program, Some(observer), &config, &mut env);
    (run.outcome, recorder.finish())
}

fn run(
    program: &Program,
    observer: &Observer,
    inputs: Box<dyn interp::Inputs>,
    budget: &Budget,
) -> Result<Counterexample, StopReason> {
    let log = record::Log::default();
    match listen(program, observer, inputs, &log, budget) {
        (interp::Outcome::Violation { edge }, recorded) => {
            Ok(tell::counterexample(program, observer, edge, &recorded, &log.take()))
        }
        (other, _) => Err(tell::reason(program, &other, budget)),
    }
}

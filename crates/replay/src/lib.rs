//! Replays a run with the concrete interpreter: only a run that reaches the error is a counterexample.
//!
//! [`record`] listens to the run and keeps compact records of a bounded number of steps; [`tell`] turns them into the
//! user's words afterwards, so that a replay of millions of steps stays cheap.

pub mod path;
pub mod record;
mod tell;

pub use tell::instead;

use base::Budget;
use cfa::{Observer, Program};
use interp::{Config, Env, OutsideRead, Scripted};
use outcome::Counterexample;
use record::{Inputs, Recorder};

/// Most edges of a run: a script for a slice of the program may leave it in an endless loop that the slice does not have.
const MAX_STEPS: u64 = 100_000_000;

/// Runs the script on the program; `Err` says in a sentence what happened instead of the error.
///
/// # Errors
/// If the run does not violate the observer.
pub fn replay(
    program: &Program,
    observer: &Observer,
    script: Scripted,
    budget: &Budget,
) -> Result<Counterexample, String> {
    let log = record::Log::default();
    let mut inputs = Inputs::new(script, log.clone());
    let mut recorder = Recorder::new(program, log.clone());
    let (mut output, mut errors) = (std::io::sink(), std::io::sink());
    let mut env = Env { inputs: &mut inputs, output: &mut output, errors: &mut errors, budget, observe: &mut recorder };
    let config = Config { outside: OutsideRead::GoesOn, step_limit: Some(MAX_STEPS), ..Config::default() };
    let run = interp::run(program, Some(observer), &config, &mut env);
    match run.outcome {
        interp::Outcome::Violation { edge } => {
            let recorded = recorder.finish();
            Ok(tell::counterexample(program, observer, edge, &recorded, &log.take()))
        }
        other => Err(tell::instead(program, &other)),
    }
}

//! Random testing: runs with random inputs, one of which may violate the property.
//!
//! Most of what makes a bug hard for an analysis (long runs, floats, many objects) does not matter here. What is found is replayed like
//! any other counterexample; that nothing is found says nothing.

use crate::run;
use base::{Budget, Effort};
use cfa::{ExprKind, HavocSource, Observer, Program, Scalar, Value};
use interp::{Config, Env, Failures, Habits, Inputs, OutsideRead, RandomInputs, Request, Source};
use outcome::{Evidence, Outcome, Statistics, StopReason, Verdict};
use std::rc::Rc;

/// Longest of the first runs, in edges; every so many runs, it is four times as long.
const FIRST_STEPS: u64 = 4_000;
const RUNS_OF_A_LENGTH: u64 = 64;
/// Longest run at all.
const MOST_STEPS: u64 = 4_000_000;
/// What a run takes besides its steps; edges that are translated for it, and steps, that take a unit of effort.
const RUN: Effort = Effort::units(50);
const EDGES_OF_A_UNIT: u64 = 8;
const STEPS_OF_A_UNIT: u64 = 40;
/// Most memory of a run, in bytes.
const MEMORY: u64 = 256 << 20;
/// Most numbers of the program that inputs are made from.
const MOST_CONSTANTS: usize = 256;

/// Runs the program again and again, until a run violates the property or the effort is spent.
pub fn search(program: &Program, observer: &Observer, budget: &Budget) -> Outcome {
    let constants: Rc<[u128]> = constants(program).into();
    let mut steps = FIRST_STEPS;
    let mut runs = 0_u64;
    let outcome = loop {
        if let Err(stop) = budget.check() {
            break Outcome::unknown(StopReason::from_stop(stop, budget));
        }
        runs += 1;
        if runs.is_multiple_of(RUNS_OF_A_LENGTH) {
            steps = (steps * 4).min(MOST_STEPS);
        }
        let inputs = || RandomInputs::with(runs, habits(runs, &constants));
        let mut counted = Counted { inputs: inputs(), asked: false };
        let config =
            Config { step_limit: Some(steps), memory_limit: MEMORY, outside: OutsideRead::GoesOn, ..Config::default() };
        let (mut output, mut errors, mut nobody) = (std::io::sink(), std::io::sink(), ());
        let mut env =
            Env { inputs: &mut counted, output: &mut output, errors: &mut errors, budget, observe: &mut nobody };
        let tried = interp::run(program, Some(observer), &config, &mut env);
        let translated = Effort::units(program.edges.len() as u64 / EDGES_OF_A_UNIT);
        budget.spend(RUN.plus(translated).plus(Effort::units(tried.steps / STEPS_OF_A_UNIT)));
        match tried.outcome {
            interp::Outcome::Violation { .. } => match run(program, observer, Box::new(inputs()), budget) {
                Ok(found) => {
                    let verdict = Verdict::False(found.violated);
                    break Outcome::new(verdict, Evidence::Counterexample(Box::new(found)));
                }
                Err(reason) => break Outcome::unknown(reason),
            },
            // All runs are this one.
            interp::Outcome::StepLimit | interp::Outcome::Stopped(_) => {}
            _ if !counted.asked => break Outcome::unknown(StopReason::NoProgress),
            _ => {}
        }
    };
    let mut stats = Statistics::default();
    stats.count("testing.runs", runs as usize);
    Outcome { stats, ..outcome }
}

/// What the inputs of a run are like: all that there is, in turn.
fn habits(run: u64, constants: &Rc<[u128]>) -> Habits {
    Habits {
        constants: if run.is_multiple_of(2) { constants.clone() } else { Rc::default() },
        choices: run.is_multiple_of(3),
        failures: match run % 8 {
            3 => Failures::Some,
            7 => Failures::One(run / 8),
            _ => Failures::None,
        },
        texts: run % 16 / 4 == 1,
    }
}

/// Numbers with which the program compares others, by size.
fn constants(program: &Program) -> Vec<u128> {
    let exprs = &program.exprs;
    let mut found: Vec<u128> = Vec::new();
    for id in exprs.ids() {
        let ExprKind::Binary(op, a, b) = exprs.kind(id) else { continue };
        if op.is_comparison() && matches!(exprs.ty(a), Scalar::Int { .. }) {
            found.extend([a, b].into_iter().filter_map(|side| exprs.as_const(side)).map(|value| value.0));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST_CONSTANTS);
    found
}

/// Inputs, and whether anything was asked for that is not always the same.
struct Counted {
    inputs: RandomInputs,
    asked: bool,
}

impl Inputs for Counted {
    fn value(&mut self, request: &Request<'_>, ty: Scalar) -> Option<Value> {
        self.asked |= !matches!(request.source, Source::Havoc(_, HavocSource::Uninitialised));
        self.inputs.value(request, ty)
    }

    fn bytes(&mut self, request: &Request<'_>, bytes: &mut [u8]) {
        self.asked = true;
        self.inputs.bytes(request, bytes);
    }
}

//! Runs that are tried when a proof takes for granted what they may break, or may say nothing.
//!
//! That memory is not written to after it was freed is assumed and not proved: most programs keep to it, and analyses need not follow
//! every `free`. A program that breaks it on some run that is easily found is no program for which the proof says anything.

use base::Budget;
use cfa::{AllocKind, LocId, Observer, Op, Program, Undefined};
use interp::{Config, Env, Inputs, Interpreter, Library, Observe, OutsideRead, RandomInputs, Scripted, Step};
use outcome::StopReason;
use std::collections::BTreeSet;

/// Number of runs with random inputs, besides the one in which all of them are zero.
const RANDOM_RUNS: u64 = 3;
/// Longest run, in edges.
const STEPS: u64 = 50_000;
/// Most memory of a run, in bytes.
const MEMORY: u64 = 256 << 20;

/// Why a proof says nothing about the program, if a run shows that. The budget of the proof is not asked: it may have been stopped because
/// there is an answer.
pub fn refuting(program: &Program, observer: &Observer) -> Option<StopReason> {
    let is_free = |op: &Op| matches!(op, Op::Free { kind: AllocKind::Heap, .. } | Op::Realloc { .. });
    if !program.locs.iter().flat_map(|loc| &loc.out).any(|edge| is_free(&program.edges[*edge].op)) {
        return None;
    }
    runs(program, observer).find_map(|outcome| match outcome {
        interp::Outcome::Undefined { what: Undefined::FreedAccess, edge, .. } => Some(StopReason::Undefined {
            what: "write to freed memory".into(),
            place: program.source.place(program.edges[edge].span.lo),
        }),
        // The proof is wrong, which must not be told as one.
        interp::Outcome::Violation { .. } => {
            Some(StopReason::ProofRejected { why: "a run with random inputs reaches the error".into() })
        }
        _ => None,
    })
}

/// Whether one of a few runs gets to what the observer looks for.
pub fn reaches(program: &Program, observer: &Observer) -> bool {
    runs(program, observer).any(|outcome| matches!(outcome, interp::Outcome::Violation { .. }))
}

/// The locations that a few runs pass before they break the property, if they do.
pub fn passed(program: &Program, observer: &Observer) -> BTreeSet<LocId> {
    let mut passed = Passed { program, locs: BTreeSet::new() };
    for mut inputs in inputs() {
        run(program, observer, &mut *inputs, &mut passed);
    }
    passed.locs
}

/// Notes where runs pass.
struct Passed<'p> {
    program: &'p Program,
    locs: BTreeSet<LocId>,
}

impl Observe for Passed<'_> {
    fn step(&mut self, step: &Step<'_>, _: &Interpreter<'_>) {
        self.locs.insert(self.program.edges[step.edge].src);
    }
}

/// How a few runs end.
fn runs<'a>(program: &'a Program, observer: &'a Observer) -> impl Iterator<Item = interp::Outcome> + 'a {
    inputs().map(move |mut inputs| run(program, observer, &mut *inputs, &mut ()))
}

/// The inputs of a few runs: all of them zero, and random ones.
fn inputs() -> impl Iterator<Item = Box<dyn Inputs>> {
    let random = (1..=RANDOM_RUNS).map(|seed| Box::new(RandomInputs::new(seed)) as Box<dyn Inputs>);
    std::iter::once(Box::new(Scripted::default()) as Box<dyn Inputs>).chain(random)
}

fn run<O: Observe>(
    program: &Program,
    observer: &Observer,
    inputs: &mut dyn Inputs,
    observe: &mut O,
) -> interp::Outcome {
    let config = Config {
        library: Library::InputsOnly,
        step_limit: Some(STEPS),
        memory_limit: MEMORY,
        outside: OutsideRead::GoesOn,
    };
    let budget = Budget::unlimited();
    let (mut output, mut errors) = (std::io::sink(), std::io::sink());
    let mut env = Env { inputs, output: &mut output, errors: &mut errors, budget: &budget, observe };
    interp::run(program, Some(observer), &config, &mut env).outcome
}

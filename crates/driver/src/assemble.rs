//! From a configuration to the algorithm with its concrete types: one exhaustive `match`.

use crate::config::{Algorithm, Bmc, Config, Unwind};
use crate::prepare::Prepared;
use algorithms::bmc;
use base::Budget;
use cfa::loops::Wto;
use cfa::pass::slice::slice;
use cfa::{Observer, Program};
use outcome::{Event, Outcome, Progress, Statistics, StopReason, Verdict};
use smt::Solver;
use smt_z3::{Mode, Z3Solver};
use std::time::Instant;

/// Runs what `config` says.
pub fn run(
    prepared: &Prepared,
    observer: &Observer,
    config: &Config,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let mut outcome = match &config.algorithm {
        Algorithm::Bmc(settings) => run_bmc(prepared, observer, settings, budget, progress),
    };
    outcome.assumptions.extend(prepared.assumptions.iter().cloned());
    outcome
}

fn run_bmc(
    prepared: &Prepared,
    observer: &Observer,
    settings: &Bmc,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let mut stats = Statistics::default();
    let began = Instant::now();
    let sliced = slice(&prepared.program, &prepared.points_to, &prepared.regions, observer);
    stats.count("slice.removed", sliced.removed);
    stats.time("slice.time", began.elapsed());
    let mut outcome = unroll(prepared, &sliced.program, observer, settings, budget, progress);
    if let Verdict::Unknown(StopReason::ReplayFailed { .. }) = outcome.verdict {
        // The slice has runs that the program has not, where it left out what ends them.
        progress.event(Event::Info("replay failed on the slice: trying the whole program".into()));
        outcome = unroll(prepared, &prepared.program, observer, settings, budget, progress);
    }
    stats.append(std::mem::take(&mut outcome.stats));
    outcome.stats = stats;
    outcome
}

/// Bounded model checking of the program or of a slice of it.
fn unroll(
    prepared: &Prepared,
    program: &Program,
    observer: &Observer,
    settings: &Bmc,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let wto = Wto::new(program);
    let config = bmc::BmcConfig {
        unwind: match settings.unwind {
            Unwind::Doubling => bmc::Unwind::Doubling,
            Unwind::UpTo(bound) => bmc::Unwind::Fixed(bound),
        },
    };
    let task = bmc::Task {
        program,
        wto: &wto,
        observer,
        solver: &|| Box::new(Z3Solver::new(Mode::OneShot)) as Box<dyn Solver>,
        may_point_to: &|expr, kind| prepared.may_point_to(expr, kind),
        replay: &|script| replay::replay(&prepared.program, observer, script, budget),
    };
    bmc::run(&task, &config, budget, progress)
}

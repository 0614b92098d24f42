//! From a configuration to the algorithm with its concrete types: one exhaustive `match`.

use crate::config::{self, Algorithm, Bmc, Config, Unwind};
use crate::prepare::Prepared;
use algorithms::cegar::CegarConfig;
use algorithms::{bmc, value};
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
        Algorithm::Value(settings) => run_value(prepared, observer, (config, *settings), budget, progress),
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
    with_task(prepared, observer, budget, progress, |task| {
        let config = bmc::BmcConfig {
            unwind: match settings.unwind {
                Unwind::Doubling => bmc::Unwind::Doubling,
                Unwind::UpTo(bound) => bmc::Unwind::Fixed(bound),
            },
        };
        bmc::run(task, &config, budget, progress)
    })
}

fn run_value(
    prepared: &Prepared,
    observer: &Observer,
    (config, settings): (&Config, config::Value),
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let config = value::ValueConfig {
        graph: match config.graph {
            config::Graph::Omit => value::Graph::Omit,
            config::Graph::Keep => value::Graph::Keep,
        },
        proof: match config.check_proof {
            config::ProofCheck::Skip => value::ProofCheck::Skip,
            config::ProofCheck::Demand => value::ProofCheck::Demand,
        },
        tracking: match settings.tracking {
            config::Tracking::Refined => value::Tracking::Refined,
            config::Tracking::Everything => value::Tracking::Everything,
        },
        scope: match settings.scope {
            config::Scope::Variable => value::Scope::Variable,
            config::Scope::Location => value::Scope::Location,
        },
        cegar: CegarConfig {
            order: match settings.order {
                config::Order::Bfs => value::Order::Bfs,
                config::Order::Dfs => value::Order::Dfs,
                config::Order::Rpo => value::Order::ReversePostorder,
                config::Order::Calls => value::Order::CallDepth,
            },
            prune: match settings.prune {
                config::Prune::Lazy => value::PruneStrategy::Lazy,
                config::Prune::Restart => value::PruneStrategy::Restart,
            },
        },
        ..value::ValueConfig::default()
    };
    with_task(prepared, observer, budget, progress, |task| {
        value::run(task, &prepared.points_to, &config, budget, progress)
    })
}

/// Runs an algorithm on the slice of the program for the property.
fn with_task(
    prepared: &Prepared,
    observer: &Observer,
    budget: &Budget,
    progress: &dyn Progress,
    run: impl Fn(&bmc::Task<'_, '_>) -> Outcome,
) -> Outcome {
    let mut stats = Statistics::default();
    let began = Instant::now();
    let sliced = slice(&prepared.program, &prepared.points_to, &prepared.regions, observer);
    stats.count("slice.removed", sliced.removed);
    stats.time("slice.time", began.elapsed());
    let run_on = |program: &Program| {
        let wto = Wto::new(program);
        run(&bmc::Task {
            program,
            wto: &wto,
            observer,
            solver: &|| Box::new(Z3Solver::new(Mode::OneShot)) as Box<dyn Solver>,
            incremental: &|| Box::new(Z3Solver::new(Mode::Incremental)) as Box<dyn Solver>,
            may_point_to: &|expr, kind| prepared.may_point_to(expr, kind),
            replay: &|script| replay::replay(&prepared.program, observer, script, budget),
        })
    };
    let mut outcome = run_on(&sliced.program);
    if let Verdict::Unknown(StopReason::ReplayFailed { .. }) = outcome.verdict {
        // The slice has runs that the program has not, where it left out what ends them.
        progress.event(Event::Info("replay failed on the slice: trying the whole program".into()));
        outcome = run_on(&prepared.program);
    }
    stats.append(std::mem::take(&mut outcome.stats));
    outcome.stats = stats;
    outcome
}

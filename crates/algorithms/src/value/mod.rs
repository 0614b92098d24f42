//! Explicit-value analysis refined by interpolation [loewe13].
//!
//! [`run`] assembles the product of domains, the refiner and the refinement loop. Error paths that are feasible for values are
//! checked bit by bit and replayed ([`crate::path_check`]).

pub mod export;
pub mod hunt;
pub mod interpolants;
pub mod refinement;
pub mod refiner;
pub mod view;

pub use analysis::Order;
pub use domains::value::precision::Scope;
pub use refine::prune::PruneStrategy;

use crate::bmc::Task;
use crate::cegar::{self, Answer, CegarConfig};
use crate::proof::{self, Checked};
use analysis::Arg;
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::points_to::PointsTo;
use domains::composite::{Composite, CompositeCpa};
use domains::location::{Blocks, Locations};
use domains::value::ValueDomain;
use domains::value::precision::ValuePrecision;
use outcome::{Event, Evidence, Outcome, Progress, Statistics, StopReason, Verdict};
use refiner::ValueRefiner;
use std::time::Instant;

/// What is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tracking {
    /// What refinement finds necessary.
    #[default]
    Refined,
    /// Everything.
    Everything,
}

/// Whether the graph is part of the outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Graph {
    /// It is not.
    #[default]
    Omit,
    /// It is part of a proof.
    Keep,
}

/// Whether a proof is checked again, without the transfer relation that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProofCheck {
    /// It is not.
    #[default]
    Skip,
    /// It is; a graph that is not confirmed is no proof.
    Demand,
}

/// Configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ValueConfig {
    /// What is tracked.
    pub tracking: Tracking,
    /// Where a discovered variable is tracked.
    pub scope: Scope,
    /// Where the graph has nodes.
    pub blocks: Blocks,
    /// Order of exploration, and what a refinement cuts.
    pub cegar: CegarConfig,
    /// Whether the graph is part of the outcome.
    pub graph: Graph,
    /// Whether a proof is checked again.
    pub proof: ProofCheck,
}

/// Runs the analysis; `points_to` is of the task's program.
pub fn run(
    task: &Task<'_, '_>,
    points_to: &PointsTo,
    config: &ValueConfig,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let program = task.program;
    let calls = CallGraph::new(program, Some(points_to));
    let locations = Locations::new(program, task.wto, &calls, config.blocks);
    let domain = ValueDomain::new(program, points_to);
    let mut cpa = CompositeCpa::new(domain, locations, task.observer, budget);
    let precision = match config.tracking {
        Tracking::Refined => ValuePrecision::empty(config.scope),
        Tracking::Everything => ValuePrecision::full(),
    };
    let mut refiner = ValueRefiner::new(task, budget);
    let mut explored = cegar::run(&mut cpa, &mut refiner, precision, config.cegar, budget, progress);
    let iterations = std::mem::take(&mut explored.stats.iterations);
    explored.stats.count("value.steps", cpa.steps);
    explored.stats.count("value.assignments", cpa.store.len());
    explored.stats.count("value.tracked", explored.precision.len());
    explored.stats.bytes("value.memory", (explored.exploration.bytes() + cpa.store.bytes()) as u64);
    refiner.add_statistics(&mut explored.stats);
    explored.stats.iterations = iterations;
    let graph = match config.graph {
        Graph::Omit => None,
        Graph::Keep => Some(Box::new(view::view(&mut cpa, &explored.exploration.arg, &explored.precision))),
    };
    let nodes = explored.exploration.arg.len() as u64;
    if let (ProofCheck::Demand, Answer::Proved) = (config.proof, &explored.answer) {
        progress.event(Event::Phase("check proof"));
        let began = Instant::now();
        if let Some(reason) = refute(task, &mut cpa, &explored.exploration.arg, budget, &mut explored.stats) {
            explored.answer = Answer::Unknown(reason);
        }
        explored.stats.time("proof.time", began.elapsed());
    }
    let mut outcome = explored.answer.outcome(Evidence::Abstraction { nodes, graph }, explored.stats);
    if outcome.verdict == Verdict::True {
        outcome.assumptions.extend(cegar::undefined_behaviour(program, &cpa.value.undefined));
    }
    outcome
}

/// Checks the proof; a reason if it is not confirmed.
fn refute(
    task: &Task<'_, '_>,
    cpa: &mut CompositeCpa<'_>,
    arg: &Arg<Composite>,
    budget: &Budget,
    stats: &mut Statistics,
) -> Option<StopReason> {
    let checked = export::export(cpa, arg).and_then(|graph| proof::check(task, &graph, budget));
    match checked {
        Ok(Checked::Proof { queries }) => {
            stats.count("proof.queries", queries);
            None
        }
        Ok(Checked::Rejected { node, why }) => {
            Some(StopReason::ProofRejected { why: format!("{why}, node {node} of {}", arg.len()) })
        }
        Err(error) => Some(error.reason(budget)),
    }
}

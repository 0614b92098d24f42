//! Explicit-value analysis refined by interpolation [loewe13].
//!
//! [`run`] assembles the product of domains, the refiner and the refinement loop. Error paths that are feasible for values are
//! checked bit by bit and replayed ([`task::path_check`]).

pub mod export;
pub mod hunt;
pub mod interpolants;
pub mod refinement;
pub mod refiner;
pub mod view;

pub use analysis::Order;
pub use domains::value::precision::Scope;
pub use refine::prune::PruneStrategy;
pub use task::evidence::{Graph, ProofCheck};

use crate::bam;
use crate::refinement_loop::{self, Answer, CegarConfig, Explored};
use crate::reselect;
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::points_to::PointsTo;
use domains::composite::CompositeCpa;
use domains::strategy::Strategies;
use domains::value::ValueDomain;
use domains::value::precision::ValuePrecision;
use outcome::{Event, Evidence, Outcome, Progress, StopReason, Verdict};
use proof::evidence::{MAX_FOR_INVARIANTS, confirm};
use proof::explain;
use refiner::ValueRefiner;
use step::{Blocks, Locations};
use task::evidence::Invariants;
use task::{Task, excluded};

/// What is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tracking {
    /// What refinement finds necessary.
    #[default]
    Refined,
    /// Everything.
    Everything,
}

/// Which contradiction of an error path is interpolated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Prefixes {
    /// The best one [beyer15], and others while exploration is expensive.
    #[default]
    Best,
    /// The first one, as sequence interpolation of the whole path would have it.
    First,
}

/// Whether the stacks of recursive calls are abstracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StackAbstraction {
    /// Calls are followed as they are.
    #[default]
    Off,
    /// Instances of recursive functions are explored once for all calls that they cover ([`crate::bam::stacks`]).
    On,
}

/// Whether violations are sought near paths that only the solver refutes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Search {
    /// With bounded model checking of the edges near them ([`hunt`]).
    #[default]
    Bounded,
    /// They are not.
    None,
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
    /// Which contradiction of an error path is interpolated.
    pub prefixes: Prefixes,
    /// Whether violations are sought near paths that only the solver refutes.
    pub search: Search,
    /// Whether the stacks of recursive calls are abstracted.
    pub stacks: StackAbstraction,
    /// Whether the graph is part of the outcome.
    pub graph: Graph,
    /// Whether a proof is checked again.
    pub proof: ProofCheck,
    /// Whether loop invariants are part of the outcome.
    pub invariants: Invariants,
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
    // Blocks have no strategies for loops.
    let abstracts_stacks = config.stacks == StackAbstraction::On && task.strategies.choices.is_empty();
    if abstracts_stacks && calls.reaches_recursion(program.start) {
        // Following calls, which sees each way through a procedure on its own, may know more, and gets half of the time.
        let own = budget.remaining().map_or_else(|| budget.clone(), |left| budget.within(left / 2));
        let outcome = bam::value::run(task, points_to, config, bam::value::STACKS, None, &own, progress);
        let is_final = match &outcome.verdict {
            Verdict::True | Verdict::False(_) => true,
            Verdict::Unknown(StopReason::ProofRejected { .. } | StopReason::Internal { .. }) => true,
            Verdict::Unknown(_) => budget.check().is_err(),
        };
        if is_final {
            return outcome;
        }
        progress.event(Event::Info("abstract call stacks do not help: following calls".into()));
    }
    let locations = Locations::new(program, task.wto, &calls, config.blocks);
    let domain = ValueDomain::new(program, points_to);
    let mut cpa = CompositeCpa::new(domain, locations, task.observer, Strategies::new(task.strategies.clone()), budget);
    let precision = match config.tracking {
        Tracking::Refined => ValuePrecision::empty(config.scope),
        Tracking::Everything => ValuePrecision::full(),
    };
    let mut refiner = ValueRefiner::new(task, budget).with(config.prefixes, config.search);
    let mut explored = refinement_loop::run(&mut cpa, &mut refiner, precision, config.cegar, budget, progress);
    let iterations = std::mem::take(&mut explored.stats.iterations);
    explored.stats.count("value.steps", cpa.steps);
    cpa.strategies.add_statistics(&mut explored.stats);
    explored.stats.count("value.assignments", cpa.store.len());
    explored.stats.count("value.tracked", explored.precision.len());
    explored.stats.bytes("value.memory", (explored.exploration.bytes() + cpa.store.bytes()) as u64);
    refiner.add_statistics(&mut explored.stats);
    explored.stats.iterations = iterations;
    let graph = match config.graph {
        Graph::Omit => None,
        Graph::Keep => {
            let Explored { answer, error_path, exploration, precision, .. } = &explored;
            Some(Box::new(view::view(&mut cpa, &exploration.arg, precision, error_path, answer)))
        }
    };
    let nodes = explored.exploration.arg.len() as u64;
    let arg = &explored.exploration.arg;
    if config.proof == ProofCheck::Demand {
        let export = || export::export(&mut cpa, arg);
        explored.answer = explored.answer.unless(|| confirm(task, export, budget, progress, &mut explored.stats));
    }
    let mut invariants = Vec::new();
    if let (Invariants::List, Answer::Proved) = (config.invariants, &explored.answer)
        && arg.len() <= MAX_FOR_INVARIANTS
    {
        let graph = export::at_locations(&cpa, arg, |state| *state, |loc| task.wto.is_head(loc));
        invariants = explain::invariants::invariants(program, task.wto, &graph);
    }
    let mut outcome = explored.answer.outcome(Evidence::Abstraction { nodes }, explored.stats);
    outcome.graph = graph;
    if outcome.verdict == Verdict::True && config.graph == Graph::Keep {
        match reselect::used(&mut cpa, &explored.exploration.arg, task.strategies) {
            Ok(loops) => outcome.loops = loops,
            Err(error) => return Outcome { stats: outcome.stats, ..Outcome::unknown(error.reason(budget)) },
        }
    }
    outcome.invariants = invariants;
    if outcome.verdict == Verdict::True {
        outcome.assumptions.extend(excluded::assumption(program, cpa.value.undefined.iter().copied()));
        outcome.assumptions.extend(refiner.assumptions().iter().cloned());
    }
    outcome
}

//! Explicit-value analysis refined by interpolation [loewe13].
//!
//! [`run`] assembles the product of domains, the refiner and the refinement loop. Error paths that are feasible for values are
//! checked bit by bit and replayed ([`task::path_check`]).

mod explored;
pub mod export;
pub mod path_program;
pub mod interpolants;
pub mod refinement;
pub mod refiner;
pub mod view;

pub use analysis::Order;
pub use domains::value::precision::Scope;
pub use refine::prune::PruneStrategy;
pub use task::evidence::{Graph, ProofCheck, Wanted};

use crate::bam;
use crate::conclusion::conclude;
use crate::refinement_loop::{self, CegarConfig};
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::points_to::PointsTo;
use domains::composite::CompositeCpa;
use domains::strategy::Strategies;
use domains::value::ValueDomain;
use domains::value::precision::ValuePrecision;
use explored::ExploredValues;
use outcome::{Event, Outcome, Progress, StopReason, Verdict};
use refiner::ValueRefiner;
use step::{Blocks, Locations};
use task::Task;

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
    /// With bounded model checking of the edges near them ([`path_program`]).
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
    /// What is wanted beside the verdict.
    pub wanted: Wanted,
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
    let explored = refinement_loop::run(&mut cpa, &mut refiner, precision, config.cegar, budget, progress);
    let refinement_loop::Explored { answer, error_path, exploration, precision, stats } = explored;
    let (cpa, refiner) = (&mut cpa, &refiner);
    let mut explored = ExploredValues {
        task,
        cpa,
        exploration: &exploration,
        precision: &precision,
        error_path: &error_path,
        refiner,
    };
    conclude(task, &mut explored, (answer, stats), config.wanted, (budget, progress))
}

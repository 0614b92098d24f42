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

use crate::conclusion::conclude;
use crate::refinement_loop::{self, CegarConfig};
use base::Budget;
use bmc::residual::Search;
use cfa::callgraph::CallGraph;
use cfa::points_to::PointsTo;
use domains::composite::CompositeCpa;
use domains::strategy::Strategies;
use domains::value::ValueDomain;
use domains::value::precision::ValuePrecision;
use explored::ExploredValues;
use outcome::{Outcome, Progress};
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
    /// Instances of recursive functions are explored once for all calls that they cover ([`crate::stack_abstraction`]).
    On,
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

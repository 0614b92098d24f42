//! Predicate analysis with adjustable blocks, refined by interpolation [beyer10; mcmillan06].
//!
//! [`run`] assembles the domain, the refiner and the refinement loop.

pub mod congruences;
pub mod explored;
pub mod export;
pub mod inline;
mod nested;
pub mod path;
pub mod refiner;
mod seed;
mod summary;
pub(crate) mod variables;

pub use domains::predicate::abstraction::Abstraction;
pub use domains::predicate::points::BlockEnds;
pub use domains::predicate::predicates::PredicateScope;

use crate::conclusion::conclude;
use crate::refinement_loop::{self, Answer, CegarConfig};
use base::{Budget, Effort};
use cfa::callgraph::CallGraph;
use cfa::points_to::PointsTo;
use cfa::procedures::Procedures;
use domains::predicate::points::Points;
use domains::predicate::predicates::PredicatePrecision;
use domains::predicate::{PredicateCpa, PredicateState};
use domains::strategy::Strategies;
use explored::{ExploredBlocks, OneGraph};
use outcome::{Outcome, Progress, Statistics, StopReason};
use refine::formula::SequenceEngine;
use refine::formula::chain::Chain;
use refiner::PredicateRefiner;
use smt::Backend;
use task::Task;
use task::evidence::Wanted;

/// Whether the stack below recursive calls is abstracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StackAbstraction {
    /// Every call has the stack below it.
    #[default]
    Off,
    /// Calls of procedures on which their callers' frames have no influence don't.
    On,
}

/// Configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PredicateConfig {
    /// Where blocks end.
    pub blocks: BlockEnds,
    /// How predicates are combined.
    pub abstraction: Abstraction,
    /// Whether the stack below recursive calls is abstracted.
    pub stacks: StackAbstraction,
    /// Where a discovered predicate is used.
    pub scope: PredicateScope,
    /// Order of exploration, and what a refinement cuts.
    pub cegar: CegarConfig,
    /// How far the analysis goes before it abstracts loops, if it does.
    pub prepass: Option<Prepass>,
    /// What is wanted beside the verdict.
    pub wanted: Wanted,
}

/// A search without strategies for loops; predicates that it finds are known to the search with strategies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prepass {
    /// What it may take.
    pub effort: Effort,
    /// It ends at an error path that visits a place more often.
    pub unwind: u32,
}

/// What the analysis works with beside the task.
pub struct Parts<'a> {
    /// Makes solvers.
    pub backend: &'a dyn Backend,
    /// What pointers of the task's program may point to.
    pub points_to: &'a PointsTo,
    /// Engines that refute error paths, in the order in which they are asked.
    pub engines: Vec<Box<dyn SequenceEngine>>,
}

/// The domain for a task whose call graph this is.
///
/// # Errors
/// If the program is too large.
pub(crate) fn domain<'p, 'b>(
    task: &Task<'_, 'p>,
    parts: &Parts<'b>,
    calls: &CallGraph,
    (blocks, abstraction): (BlockEnds, Abstraction),
    (strategies, procedures): (Strategies, Procedures),
    budget: &Budget,
) -> Result<PredicateCpa<'p, 'b>, StopReason> {
    let enc = task.encoder()?;
    let points = Points::new(task.program, task.wto, calls, &procedures, blocks);
    let property = (task.observer, strategies);
    Ok(PredicateCpa::new(enc, parts.points_to, (points, procedures), property, parts.backend, abstraction, budget))
}

/// Runs the analysis.
pub fn run(
    task: &Task<'_, '_>,
    parts: Parts<'_>,
    config: &PredicateConfig,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let calls = CallGraph::new(task.program, Some(parts.points_to));
    let prepass = config.prepass.filter(|_| !task.strategies.choices.is_empty());
    let strategies = match prepass {
        Some(_) => Strategies::base(task.strategies.clone()),
        None => Strategies::new(task.strategies.clone()),
    };
    let procedures = match config.stacks {
        StackAbstraction::On => Procedures::new(task.program, &calls, parts.points_to),
        StackAbstraction::Off => Procedures::none(),
    };
    let (settings, strategies) = ((config.blocks, config.abstraction), (strategies, procedures));
    let mut cpa = match domain(task, &parts, &calls, settings, strategies, budget) {
        Ok(cpa) => cpa,
        Err(reason) => return Outcome::unknown(reason),
    };
    let unwind = prepass.map(|prepass| prepass.unwind);
    let first = prepass.map_or_else(|| budget.clone(), |prepass| budget.within(prepass.effort));
    let mut refiner = PredicateRefiner::new(task, parts.backend, Chain::new(parts.engines), budget).up_to(unwind);
    let precision = PredicatePrecision::empty(config.scope);
    let mut explored = refinement_loop::run(&mut cpa, &mut refiner, precision, config.cegar, &first, progress);
    if prepass.is_some() && matches!(explored.answer, Answer::Unknown(_)) && budget.check().is_ok() {
        refiner = refiner.up_to(None);
        cpa.strategies.offer_all();
        explored = refinement_loop::run(&mut cpa, &mut refiner, explored.precision, config.cegar, budget, progress);
    }
    let refinement_loop::Explored { answer, error_path, exploration, stats, .. } = explored;
    let describe = |cpa: &mut PredicateCpa<'_, '_>, state: &PredicateState| export::describe(cpa, state);
    let graph = OneGraph::new(&exploration.arg, &describe, &error_path);
    let mut explored = ExploredBlocks { task, cpa: &mut cpa, graph: &graph, refiner: &refiner, budget };
    conclude(task, &mut explored, (answer, stats), config.wanted, (budget, progress))
}

/// Appends what blocks and abstractions cost.
pub(crate) fn add_statistics(cpa: &PredicateCpa<'_, '_>, stats: &mut Statistics) {
    stats.count("predicate.predicates", cpa.predicates.len() as u64);
    stats.count("predicate.blocks", cpa.encoded);
    stats.count("predicate.block_steps", cpa.steps);
    cpa.strategies.add_statistics(stats);
    stats.count("predicate.shapes", cpa.generics.shapes.len() as u64);
    stats.count("predicate.abstractions", cpa.counts.abstractions);
    stats.count("predicate.cache_hits", cpa.cache_hits);
    stats.count("predicate.parts", cpa.counts.parts);
    stats.count("predicate.queries", cpa.counts.queries);
    stats.count("predicate.models", cpa.counts.models);
    stats.count("predicate.given_up", cpa.counts.given_up);
    stats.count("predicate.diagrams", cpa.bdds.len() as u64);
    stats.count("predicate.terms", cpa.enc.terms.len() as u64);
}

//! Lazy abstraction with interpolants, "Impact" [mcmillan06], over large blocks [beyer09].
//!
//! No abstract successors are computed: labels begin with nothing and are strengthened by the interpolants of refuted error paths only.
//! Blocks, path formulas and engines are those of the predicate analysis ([`crate::predicate`]), and so is the form of its proofs.

pub mod search;
pub mod unwinding;

use crate::conclusion::conclude;
use crate::predicate::explored::{ExploredBlocks, OneGraph};
use crate::predicate::refiner::PredicateRefiner;
use crate::predicate::{self, Abstraction, BlockEnds, Parts};
use analysis::Order;
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::procedures::Procedures;
use domains::predicate::PredicateCpa;
use domains::strategy::Strategies;
use outcome::{Outcome, Progress};
use refine::formula::chain::Chain;
use search::Search;
use task::Task;
use task::evidence::Wanted;
use unwinding::Vertex;

/// Configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImpactConfig {
    /// Where blocks end.
    pub blocks: BlockEnds,
    /// Order of exploration.
    pub order: Order,
    /// How many older vertices are tried to cover a vertex by force.
    pub forced_attempts: usize,
    /// What is wanted beside the verdict.
    pub wanted: Wanted,
}

impl Default for ImpactConfig {
    fn default() -> Self {
        Self { blocks: BlockEnds::default(), order: Order::Dfs, forced_attempts: 2, wanted: Wanted::default() }
    }
}

/// Runs the algorithm.
pub fn run(
    task: &Task<'_, '_>,
    parts: Parts<'_>,
    config: &ImpactConfig,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let calls = CallGraph::new(task.program, Some(parts.points_to));
    let settings = (config.blocks, Abstraction::default());
    let strategies = Strategies::new(task.strategies.clone());
    let mut cpa = match predicate::domain(task, &parts, &calls, settings, (strategies, Procedures::none()), budget) {
        Ok(cpa) => cpa,
        Err(reason) => return Outcome::unknown(reason),
    };
    let mut refiner = PredicateRefiner::new(task, parts.backend, Chain::new(parts.engines), budget);
    let mut search = Search::new(&mut cpa, &mut refiner, config.order, config.forced_attempts, budget, progress);
    let answer = search.run();
    let (stats, tree) = (std::mem::take(&mut search.stats), std::mem::take(&mut search.tree));
    let strategy = cpa.strategies.current();
    let describe = |_: &mut PredicateCpa<'_, '_>, vertex: &Vertex| (vertex.start, strategy, vertex.facts.clone());
    let graph = OneGraph::new(&tree.arg, &describe, &[]);
    let mut explored = ExploredBlocks { task, cpa: &mut cpa, graph: &graph, refiner: &refiner, budget };
    conclude(task, &mut explored, (answer, stats), config.wanted, (budget, progress))
}

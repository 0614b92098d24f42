//! Predicate analysis with block abstractions: configuration `bam-predicate`.
//!
//! Procedures are blocks ([`domains::predicate::blocks`]). Error paths are nested, and refined as those with calls whose stack is
//! abstracted ([`crate::predicate`]): summaries of the blocks that a path passes, and interpolants within each. Where that finds nothing new, a
//! call is followed and no block any more.

use super::abstraction::AbstractionId;
use super::abstractions::Abstractions;
use super::{BamConfig, BamRefinement, Holes};
use crate::conclusion::{conclude, incomplete};
use crate::predicate::explored::{BlockGraph, ExploredBlocks};
use crate::predicate::export::{Writer, describe, order};
use crate::predicate::refiner::PredicateRefiner;
use crate::predicate::{Parts, PredicateConfig, domain};
use analysis::{AnalysisError, NodeId, Reducer, Status};
use base::Budget;
use cfa::EdgeId;
use cfa::blocks::BlockKind;
use cfa::callgraph::CallGraph;
use cfa::procedures::Procedures;
use domains::predicate::PredicateCpa;
use domains::predicate::blocks::procedure_of;
use domains::predicate::predicates::PredicatePrecision;
use domains::strategy::Strategies;
use outcome::{Outcome, Progress};
use proof::graph::{Next, ProofBlock, ProofGraph};
use refine::formula::chain::Chain;
use rustc_hash::FxHashMap;
use task::Task;

/// Runs the analysis.
pub fn run(
    task: &Task<'_, '_>,
    parts: Parts<'_>,
    config: &PredicateConfig,
    refinement: BamRefinement,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let calls = CallGraph::new(task.program, Some(parts.points_to));
    let strategies = Strategies::new(task.strategies.clone());
    let procedures = Procedures::blocks(task.program, task.wto, &calls, parts.points_to);
    let blocks = procedures.len();
    let (settings, others) = ((config.blocks, config.abstraction), (strategies, procedures));
    let mut cpa = match domain(task, &parts, &calls, settings, others, budget) {
        Ok(cpa) => cpa.with_blocks(),
        Err(reason) => return Outcome::unknown(reason),
    };
    let mut refiner = PredicateRefiner::new(task, parts.backend, Chain::new(parts.engines), budget);
    let precision = PredicatePrecision::empty(config.scope);
    let holes = Holes::of_what_is(config.wanted);
    let bam = BamConfig { cegar: config.cegar, refinement, holes, ..BamConfig::default() };
    let mut explored = super::run(&mut cpa, &mut refiner, precision, bam, budget, progress);
    explored.stats.count("bam.blocks", blocks);
    let graph = Graphs::new(&explored.abstractions, budget);
    let mut seen = ExploredBlocks { task, cpa: &mut cpa, graph: &graph, refiner: &refiner, budget };
    conclude(task, &mut seen, (explored.answer, explored.stats), config.wanted, (budget, progress))
}

/// All nodes, the root of the whole program first, as a proof checker reads them.
///
/// # Errors
/// When the budget ends, or there is a hole.
pub fn export<'p, 'b>(
    cpa: &mut PredicateCpa<'p, 'b>,
    abstractions: &Abstractions<PredicateCpa<'p, 'b>>,
    budget: &Budget,
) -> Result<ProofGraph, AnalysisError> {
    Graphs::new(abstractions, budget).export(cpa)
}

/// The graphs that the whole program's refers to, each once, as one proof.
struct Graphs<'a, 'p, 'b> {
    abstractions: &'a Abstractions<PredicateCpa<'p, 'b>>,
    budget: &'a Budget,
    /// All nodes, those of the whole program first, and each graph's root first.
    places: Vec<(AbstractionId, NodeId)>,
    numbers: FxHashMap<(AbstractionId, NodeId), usize>,
}

impl<'a, 'p, 'b> Graphs<'a, 'p, 'b> {
    fn new(abstractions: &'a Abstractions<PredicateCpa<'p, 'b>>, budget: &'a Budget) -> Self {
        let mut places = Vec::new();
        for id in abstractions.reachable() {
            let nodes = abstractions.arg(id).map(order).unwrap_or_default();
            places.extend(nodes.into_iter().map(|node| (id, node)));
        }
        let numbers = places.iter().enumerate().map(|(i, place)| (*place, i)).collect();
        Self { abstractions, budget, places, numbers }
    }

    fn root(&self, id: AbstractionId) -> Option<usize> {
        let root = self.abstractions.arg(id)?.root()?;
        self.numbers.get(&(id, root)).copied()
    }

    /// Where runs go on from a node.
    fn next(&self, cpa: &PredicateCpa<'p, 'b>, (id, node): (AbstractionId, NodeId)) -> Result<Next, AnalysisError> {
        let Some(abstraction) = self.abstractions.get(id) else { return Err(incomplete("the graph has a hole")) };
        let arg = &abstraction.graph.arg;
        let number = |node: NodeId| self.numbers[&(id, node)];
        let mut children: Vec<NodeId> = arg.children(node).collect();
        children.sort_by_key(|child| arg.node(*child).choice);
        let numbers = || children.iter().map(|child| number(*child)).collect::<Vec<usize>>();
        Ok(match (arg.status(node), arg.covered_by(node)) {
            (Status::Covered, Some(upper)) => Next::Covered(number(upper)),
            (Status::Expanded, _) if cpa.block_at(arg.state(node)).is_some() => {
                let inner = abstraction.entered.get(&node).copied();
                // A successor by another abstraction is no part of a proof.
                let fits = |child: &NodeId| {
                    let link = self.abstractions.link(arg.node(*child).choice);
                    link.is_some_and(|link| Some(link.abstraction) == inner)
                };
                let entered = inner.and_then(|inner| self.root(inner));
                if entered.is_none() && inner.is_some() || !children.iter().all(fits) {
                    return Err(incomplete("the graph has a hole"));
                }
                Next::Call { entered, returned: numbers() }
            }
            (Status::Expanded, _) => Next::Reach(numbers()),
            _ => Next::Open,
        })
    }
}

impl<'p, 'b> BlockGraph<'p, 'b> for Graphs<'_, 'p, 'b> {
    fn nodes(&self) -> usize {
        self.places.len()
    }

    fn export(&self, cpa: &mut PredicateCpa<'p, 'b>) -> Result<ProofGraph, AnalysisError> {
        let mut writer = Writer::new(cpa);
        let mut last = self.abstractions.whole();
        for (i, (id, node)) in self.places.iter().enumerate() {
            self.budget.check()?;
            let Some(abstraction) = self.abstractions.get(*id) else { return Err(incomplete("the graph has a hole")) };
            if *id != last {
                last = *id;
                let Some(block) = abstraction.block else { return Err(incomplete("a graph is of no block")) };
                let kind = BlockKind::Function(procedure_of(block));
                writer.graph.blocks.push(ProofBlock { kind, root: i, nodes: i..i });
            }
            if let Some(block) = writer.graph.blocks.last_mut() {
                block.nodes.end = i + 1;
            }
            let described = describe(cpa, abstraction.graph.arg.state(*node));
            let next = self.next(cpa, (*id, *node))?;
            writer.push(cpa, described, next);
        }
        Ok(writer.graph)
    }

    fn path(&self, cpa: &mut PredicateCpa<'p, 'b>, from: usize, to: usize) -> Vec<EdgeId> {
        let (from, to) = (self.places[from], self.places[to]);
        let Some(arg) = self.abstractions.arg(from.0).filter(|_| from.0 == to.0) else { return Vec::new() };
        let (state, choice) = (*arg.state(from.1), arg.node(to.1).choice);
        let choice = self.abstractions.link(choice).map_or(choice, |link| link.way);
        let Ok(block) = cpa.block(state.start(), state.strategy) else { return Vec::new() };
        cpa.end_of(&block, choice).map_or(Vec::new(), |end| block.any_path(end as u32))
    }
}

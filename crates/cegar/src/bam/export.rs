//! The graphs of block abstractions as a proof checker reads them: each once, linked by reference.

use super::abstraction::AbstractionId;
use super::abstractions::Abstractions;
use crate::conclusion::incomplete;
use analysis::{AnalysisError, NodeId, Reducer, Status};
use base::Budget;
use cfa::LocId;
use cfa::blocks::{BlockId, BlockKind};
use proof::graph::{Entering, Next, ObjectRef, ProofBlock, ProofGraph, ProofNode};
use rustc_hash::FxHashMap;

/// What the export asks of the wrapped analysis.
pub trait Describe: Reducer {
    /// The node of a state, without edges.
    fn describe(&self, state: &Self::State) -> ProofNode;
    /// What a block is.
    fn kind_of(&self, block: BlockId) -> BlockKind;
    /// What a block's names mean where it is entered.
    fn names(&mut self, before: &Self::State) -> Vec<(ObjectRef, ObjectRef)>;
}

/// All nodes, the root of the whole program first.
///
/// # Errors
/// When the budget ends, or there is a hole.
pub fn export<C: Describe>(
    cpa: &mut C,
    abstractions: &Abstractions<C>,
    budget: &Budget,
) -> Result<ProofGraph, AnalysisError> {
    let mut graph = ProofGraph::default();
    let mut numbers: FxHashMap<(AbstractionId, NodeId), usize> = FxHashMap::default();
    let mut orders: Vec<(AbstractionId, Vec<NodeId>)> = Vec::new();
    for id in abstractions.reachable() {
        let Some(arg) = abstractions.arg(id) else { return Err(incomplete("the graph has a hole")) };
        let root = arg.root();
        let order: Vec<NodeId> = root.into_iter().chain(arg.ids().filter(|node| Some(*node) != root)).collect();
        for node in &order {
            numbers.insert((id, *node), numbers.len());
        }
        orders.push((id, order));
    }
    // The first graph is that of the whole program.
    let block_of: FxHashMap<AbstractionId, usize> =
        orders.iter().enumerate().skip(1).map(|(i, (id, _))| (*id, i - 1)).collect();
    for (id, order) in &orders {
        let Some(abstraction) = abstractions.get(*id) else { continue };
        let arg = &abstraction.graph.arg;
        let begin = graph.nodes.len();
        for node in order {
            budget.check()?;
            let state = arg.state(*node).clone();
            let number = |node: NodeId| numbers[&(*id, node)];
            let next = match (arg.status(*node), arg.covered_by(*node)) {
                (Status::Covered, Some(upper)) => Next::Covered(number(upper)),
                (Status::Expanded, _) if abstraction.block.is_some_and(|block| cpa.is_exit(block, &state)) => {
                    Next::Leave
                }
                (Status::Expanded, _) => {
                    let mut children: Vec<NodeId> = arg.children(*node).collect();
                    children.sort_by_key(|child| arg.node(*child).choice);
                    match abstraction.entered.get(node).and_then(|inner| block_of.get(inner)) {
                        Some(block) => {
                            let mut after = Vec::new();
                            for child in children {
                                // A successor by another abstraction is no part of a proof.
                                let link = abstractions.link(arg.node(child).choice);
                                let link = link.filter(|link| block_of.get(&link.abstraction) == Some(block));
                                let Some(link) = link else { return Err(incomplete("the graph has a hole")) };
                                let Some(exit) = numbers.get(&(link.abstraction, link.node)) else {
                                    return Err(incomplete("a block has another exit"));
                                };
                                after.push((*exit, number(child)));
                            }
                            let names = cpa.names(&state);
                            Next::Enter(Box::new(Entering { block: *block, names, after }))
                        }
                        None => {
                            let mut lists = Vec::new();
                            for child in children {
                                lists.push((cpa.path(&state, arg.node(child).choice)?, number(child)));
                            }
                            Next::Along(lists)
                        }
                    }
                }
                _ => Next::Open,
            };
            graph.nodes.push(ProofNode { next, ..cpa.describe(&state) });
        }
        if let Some(block) = abstraction.block {
            let kind = cpa.kind_of(block);
            graph.blocks.push(ProofBlock { kind, root: begin, nodes: begin..graph.nodes.len() });
        }
    }
    Ok(graph)
}

/// The states at which blocks were entered, the outermost one first.
type Context<S> = Vec<(S, BlockId)>;

/// The nodes at some locations that no other node covers, without edges, as they are outside of all blocks.
///
/// # Errors
/// When the budget ends, or there are too many.
pub fn at_locations<C: Describe>(
    cpa: &mut C,
    abstractions: &Abstractions<C>,
    wanted: impl Fn(LocId) -> bool,
    most: usize,
    budget: &Budget,
) -> Result<ProofGraph, AnalysisError> {
    let mut graph = ProofGraph::default();
    let mut places: Vec<(AbstractionId, Context<C::State>)> = vec![(abstractions.whole(), Vec::new())];
    let mut visited = 0;
    while let Some((id, context)) = places.pop() {
        budget.check()?;
        let Some(abstraction) = abstractions.get(id) else { return Err(incomplete("the graph has a hole")) };
        let arg = &abstraction.graph.arg;
        visited += arg.len();
        if visited > most {
            return Err(incomplete("there are too many nodes"));
        }
        for node in arg.ids().filter(|node| arg.status(*node) != Status::Covered) {
            let state = arg.state(node).clone();
            if wanted(cpa.loc(&state)) {
                let mut outside = state.clone();
                for (before, block) in context.iter().rev() {
                    outside = cpa.expand(before, *block, &outside)?;
                }
                graph.nodes.push(cpa.describe(&outside));
            }
            if let (Some(inner), Some(block)) = (abstraction.entered.get(&node), cpa.block_at(&state)) {
                let mut context = context.clone();
                context.push((state, block));
                places.push((*inner, context));
            }
        }
    }
    Ok(graph)
}

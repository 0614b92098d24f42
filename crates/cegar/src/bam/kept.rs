//! Keeps block abstractions for later runs.
//!
//! A complete graph without targets is kept as the successors of its states, without those by other blocks: a later run that comes
//! to the same entry state builds the graph again from them, and looks for the blocks in it on its own. So nothing that is
//! kept refers to anything else that is kept, and an abstraction that is missing or was refined since costs only itself.

use super::abstraction::AbstractionId;
use super::abstraction::BlockAbstraction;
use super::abstractions::Abstractions;
use analysis::{NodeId, Reducer, Status, Store, Successors};
use base::bytes::Digest;
use base::{Budget, Effort};
use std::sync::Arc;

/// Most nodes of a graph that is kept.
const MAX_NODES: usize = 200_000;
/// So much a run whose effort is spent may still do to write.
const GRACE: Effort = Effort::thousands(100);

/// What a run knows of others.
pub struct Kept {
    /// Where things are kept.
    pub store: Arc<dyn Store>,
    /// Stands for Hone's version, the settings and the property.
    pub settings: Digest,
    /// Stands for these and the text of the program.
    pub run: Digest,
}

/// Keeps the abstractions that the graph of the whole program refers to; how many.
pub fn keep<C: Reducer>(
    cpa: &mut C,
    abstractions: &Abstractions<C>,
    precision: &C::Precision,
    budget: &Budget,
) -> usize {
    let mut count = 0;
    let began = budget.spent();
    for id in abstractions.reachable() {
        if budget.check().is_err() && budget.spent().without(began) > GRACE {
            break;
        }
        let Some(abstraction) = abstractions.get(id) else { continue };
        let Some(entry) = abstraction.entry().cloned() else { continue };
        let Some(graph) = successors(cpa, abstractions, id, abstraction) else { continue };
        let context = abstraction.block.map(|block| cpa.context(block, precision));
        cpa.keep(abstraction.block, &entry, context.as_ref(), &graph);
        count += 1;
    }
    count
}

/// The successors of the states in a graph that is complete and has no targets.
fn successors<C: Reducer>(
    cpa: &C,
    abstractions: &Abstractions<C>,
    id: AbstractionId,
    abstraction: &BlockAbstraction<C>,
) -> Option<Vec<Successors<C::State>>> {
    let BlockAbstraction { block, graph, complete, entered, .. } = abstraction;
    let arg = &graph.arg;
    if !complete || arg.len() > MAX_NODES || (id == abstractions.whole()) != block.is_none() {
        return None;
    }
    let mut list = Vec::new();
    for node in arg.ids() {
        match arg.status(node) {
            Status::Expanded => {}
            Status::Covered => continue,
            Status::Waiting | Status::Target | Status::Removed => return None,
        }
        let is_exit = block.is_some_and(|block| cpa.is_exit(block, arg.state(node)));
        if is_exit || entered.contains_key(&node) {
            continue;
        }
        let children: Vec<NodeId> = arg.children(node).collect();
        if children.iter().any(|child| arg.rests_on(*child).is_some()) {
            return None;
        }
        let mut next: Vec<_> =
            children.into_iter().map(|child| (arg.node(child).choice, arg.state(child).clone())).collect();
        next.sort_unstable_by_key(|(choice, _)| *choice);
        list.push((arg.state(node).clone(), next));
    }
    Some(list)
}

//! A block abstraction: the reachability graph of a block for one entry state.

use super::stacks::LocationStack;
use analysis::{NodeId, Order, Reachability, Reducer, Status};
use base::new_id;
use cfa::blocks::BlockId;
use rustc_hash::{FxHashMap, FxHashSet};

new_id! {
    /// A block abstraction.
    pub struct AbstractionId;
}

/// A node in the graph of a block abstraction: an exit or a target, as others refer to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Link {
    /// The block abstraction.
    pub abstraction: AbstractionId,
    /// Its node.
    pub node: NodeId,
    /// The number of the successor, if the node is an exit and has several.
    pub way: u32,
}

/// What is known of a block entered in one state.
pub struct BlockAbstraction<C: Reducer> {
    /// The block; none for the whole program.
    pub block: Option<BlockId>,
    /// Its graph; the root has the entry state.
    pub graph: Reachability<C>,
    /// Whether nothing is left to explore.
    pub complete: bool,
    /// The abstractions of the blocks that are entered at its nodes. They are taken again when a node is expanded again, and not those in
    /// the cache, where their entry states cover.
    pub entered: FxHashMap<NodeId, AbstractionId>,
    /// The location stack on which it is explored, which is that of the call that needed it first; see [`super::stacks`].
    pub stack: LocationStack,
    /// Those of `entered` whose abstraction begins with less than what is known at the node.
    pub popped: FxHashSet<NodeId>,
}

impl<C: Reducer> BlockAbstraction<C> {
    /// An abstraction that nothing is known of but its entry state.
    pub(super) fn new(block: Option<BlockId>, stack: LocationStack, order: Order) -> Self {
        let (entered, popped) = (FxHashMap::default(), FxHashSet::default());
        Self { block, graph: Reachability::new(order), complete: false, entered, stack, popped }
    }

    /// A flat copy: states are small and share their components.
    pub fn copy(&self) -> Self {
        let Self { block, graph, complete, entered, stack, popped } = self;
        Self {
            block: *block,
            graph: graph.clone(),
            complete: *complete,
            entered: entered.clone(),
            stack: stack.clone(),
            popped: popped.clone(),
        }
    }

    /// The entry state.
    pub fn entry(&self) -> Option<&C::State> {
        self.graph.arg.root().map(|root| self.graph.arg.state(root))
    }

    /// Removes a subtree, and forgets what was entered there.
    pub fn remove_subtree(&mut self, cpa: &mut C, node: NodeId) {
        self.graph.remove_subtree(cpa, node);
        let arg = &self.graph.arg;
        self.entered.retain(|node, _| arg.status(*node) != Status::Removed);
        self.popped.retain(|node| arg.status(*node) != Status::Removed);
    }

    /// Removes everything below a node at which a block is entered, which is to be entered again.
    pub fn clear_below(&mut self, cpa: &mut C, node: NodeId) {
        let children: Vec<NodeId> = self.graph.arg.children(node).collect();
        children.into_iter().for_each(|child| self.remove_subtree(cpa, child));
        self.entered.remove(&node);
        self.popped.remove(&node);
        self.graph.requeue(cpa, node);
    }
}

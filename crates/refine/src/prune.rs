//! Prunes the graph after a refinement.

use analysis::{Cpa, NodeId, Reachability};

/// What is explored again after a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PruneStrategy {
    /// The subtree of the pivot, from its parent on (lazy abstraction).
    #[default]
    Lazy,
    /// Everything.
    Restart,
}

/// Removes what the refinement has made obsolete; `pivot` is not the root.
pub fn prune<C: Cpa>(exploration: &mut Reachability<C>, cpa: &mut C, strategy: PruneStrategy, pivot: NodeId) {
    match (strategy, exploration.arg.parent(pivot)) {
        (PruneStrategy::Lazy, Some(parent)) => {
            exploration.remove_subtree(cpa, pivot);
            exploration.requeue(cpa, parent);
        }
        _ => exploration.restart(),
    }
}

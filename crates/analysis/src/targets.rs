//! What a graph leaves open: the edges on its ways to targets.

use crate::arg::{Arg, NodeId, Status};
use crate::cpa::{AnalysisError, Cpa};
use cfa::EdgeId;
use rustc_hash::FxHashSet;

/// The edges of all paths of the graph to targets and to nodes that were not expanded.
///
/// # Errors
/// When the budget ends.
pub fn edges_to_targets<C: Cpa>(cpa: &mut C, arg: &Arg<C::State>) -> Result<FxHashSet<EdgeId>, AnalysisError> {
    let mut work: Vec<NodeId> =
        arg.ids().filter(|id| matches!(arg.status(*id), Status::Target | Status::Waiting)).collect();
    let mut seen: FxHashSet<NodeId> = work.iter().copied().collect();
    let mut edges = FxHashSet::default();
    while let Some(id) = work.pop() {
        if let Some(parent) = arg.parent(id) {
            let state = arg.state(parent).clone();
            edges.extend(cpa.path(&state, arg.node(id).choice)?);
            if seen.insert(parent) {
                work.push(parent);
            }
        }
        work.extend(arg.covers(id).filter(|lower| seen.insert(*lower)));
    }
    Ok(edges)
}

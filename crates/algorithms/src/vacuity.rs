//! Proofs that rest on undefined behaviour alone.
//!
//! Where every run that gets to an operation meets undefined behaviour there, such as a dereference of a pointer that is
//! always null, nothing is known of what follows, and a proof says nothing about it. If all errors lie behind such
//! operations, the answer is not `true`: most likely the program is not what its author means.

use analysis::{AnalysisError, Arg, Cpa};
use base::Budget;
use cfa::behind::violation_without;
use cfa::{EdgeId, Observer, Program};
use outcome::StopReason;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The reason why a complete graph proves nothing: edges at which some runs met undefined behaviour, that no run of the graph
/// takes, and that have all violations behind them; or the reason why that can't be found out.
pub fn vacuous<C: Cpa>(
    cpa: &mut C,
    arg: &Arg<C::State>,
    (program, observer): (&Program, &Observer),
    undefined: &BTreeSet<EdgeId>,
    budget: &Budget,
) -> Option<StopReason> {
    match untaken(cpa, arg, program, undefined) {
        Ok(untaken) => blocked(program, observer, untaken, &FxHashSet::default()),
        Err(error) => Some(error.reason(budget)),
    }
}

/// Those of the edges that no path of a graph takes, and no other branch at their places.
fn untaken<C: Cpa>(
    cpa: &mut C,
    arg: &Arg<C::State>,
    program: &Program,
    edges: &BTreeSet<EdgeId>,
) -> Result<BTreeSet<EdgeId>, AnalysisError> {
    let mut open: BTreeSet<EdgeId> = edges.clone();
    let mut seen: FxHashSet<(C::State, u32)> = FxHashSet::default();
    for id in arg.ids() {
        if open.is_empty() {
            break;
        }
        let Some(parent) = arg.parent(id) else { continue };
        let (state, choice) = (arg.state(parent).clone(), arg.node(id).choice);
        if !seen.insert((state.clone(), choice)) {
            continue;
        }
        for edge in cpa.path(&state, choice)? {
            // Another branch of the same place evaluates the same expression.
            for branch in &program.locs[program.edges[edge].src].out {
                open.remove(branch);
            }
        }
    }
    Ok(open)
}

/// The same for the edges at which runs met undefined behaviour, and those that some runs took to their end.
pub fn blocked(
    program: &Program,
    observer: &Observer,
    undefined: impl IntoIterator<Item = EdgeId>,
    passed: &FxHashSet<EdgeId>,
) -> Option<StopReason> {
    let has_passed = |edge: &EdgeId| program.locs[program.edges[*edge].src].out.iter().any(|e| passed.contains(e));
    let edges: BTreeSet<EdgeId> = undefined.into_iter().filter(|edge| !has_passed(edge)).collect();
    let edge = *edges.first()?;
    if violation_without(program, observer, &edges) || !violation_without(program, observer, &BTreeSet::new()) {
        return None;
    }
    let place = program.source.place(program.edges[edge].span.lo);
    Some(StopReason::Undefined { what: "no run gets past it".into(), place })
}

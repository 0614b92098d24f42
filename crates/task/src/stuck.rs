//! Accesses of memory that no run gets past.

use cfa::behind::{GoingOn, before_violations};
use cfa::{EdgeId, Observer, Program};
use encode::Encoder;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// The accesses of memory that runs do not get past, by what an encoder met; `undefined` are the edges at which runs may meet undefined behaviour.
pub fn stuck_in_formulas(
    enc: &Encoder<'_>,
    observer: &Observer,
    undefined: &BTreeSet<EdgeId>,
) -> BTreeMap<EdgeId, GoingOn> {
    let edges = before_errors(enc.program, observer, undefined);
    classify(enc.program, edges, &enc.passed, |edge| enc.dead.contains(&edge))
}

/// Those of the edges that access memory and have violations behind them.
pub fn before_errors(program: &Program, observer: &Observer, undefined: &BTreeSet<EdgeId>) -> BTreeSet<EdgeId> {
    let mut edges = undefined.clone();
    edges.retain(|edge| !program.edges[*edge].op.ends_path());
    if !edges.is_empty() {
        let before = before_violations(program, observer);
        edges.retain(|edge| before[program.edges[*edge].src]);
    }
    edges
}

/// All runs go on behind accesses that nobody gets past, and those close to null behind accesses that all runs of some state do not get
/// past.
pub fn classify(
    program: &Program,
    edges: BTreeSet<EdgeId>,
    taken: &FxHashSet<EdgeId>,
    always: impl Fn(EdgeId) -> bool,
) -> BTreeMap<EdgeId, GoingOn> {
    let runs = |edge: EdgeId| {
        // Another branch of the same place evaluates the same expression.
        let is_taken = program.locs[program.edges[edge].src].out.iter().any(|branch| taken.contains(branch));
        match is_taken {
            false => Some(GoingOn::All),
            true => always(edge).then_some(GoingOn::AtNull),
        }
    };
    edges.into_iter().filter_map(|edge| Some((edge, runs(edge)?))).collect()
}

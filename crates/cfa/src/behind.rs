//! Whether violations of the property lie behind certain edges, by the shape of the automata alone.

use crate::observer::Observer;
use crate::op::Op;
use crate::program::Program;
use crate::{EdgeId, FuncId, LocId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Whether some path of the automata leads from the start of the program to an edge that moves the observer without getting past
/// one of the `blocked` edges. Functions return to the callers that were met, so no run is missed.
pub fn violation_without(program: &Program, observer: &Observer, blocked: &BTreeSet<EdgeId>) -> bool {
    let mut returns: FxHashMap<FuncId, Vec<LocId>> = FxHashMap::default();
    let mut seen: FxHashSet<LocId> = FxHashSet::default();
    let mut work: Vec<LocId> = program.functions[program.start].body.iter().map(|body| body.entry).collect();
    while let Some(loc) = work.pop() {
        if !seen.insert(loc) {
            continue;
        }
        for id in &program.locs[loc].out {
            if observer.step(program, Observer::INITIAL, *id) != Observer::INITIAL {
                return true;
            }
            let edge = &program.edges[*id];
            if blocked.contains(id) || edge.op.ends_path() {
                continue;
            }
            match &edge.op {
                Op::Call { func, .. } => {
                    returns.entry(*func).or_default().push(edge.dst);
                    if let Some(body) = program.functions[*func].body {
                        work.push(body.entry);
                        work.extend(seen.contains(&body.exit).then_some(edge.dst));
                    }
                }
                _ => work.push(edge.dst),
            }
        }
        let func = program.locs[loc].func;
        if program.functions[func].body.is_some_and(|body| body.exit == loc) {
            work.extend(returns.get(&func).into_iter().flatten());
        }
    }
    false
}

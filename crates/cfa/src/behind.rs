//! Whether a violation of the property lies behind an edge, by the shape of the automata alone.

use crate::observer::Observer;
use crate::op::Op;
use crate::program::Program;
use crate::{EdgeId, FuncId, LocId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether some path of the automata leads from behind `edge` to an edge that moves the observer. Calls are entered and passed, and
/// functions return to all their callers, so no run is missed.
pub fn violation_behind(program: &Program, observer: &Observer, edge: EdgeId) -> bool {
    let mut returns: FxHashMap<FuncId, Vec<LocId>> = FxHashMap::default();
    for loc in &program.locs {
        for edge in &loc.out {
            if let Op::Call { func, .. } = &program.edges[*edge].op {
                returns.entry(*func).or_default().push(program.edges[*edge].dst);
            }
        }
    }
    let mut work = vec![program.edges[edge].dst];
    let mut seen: FxHashSet<LocId> = work.iter().copied().collect();
    while let Some(loc) = work.pop() {
        let mut next = Vec::new();
        for edge in &program.locs[loc].out {
            if observer.step(program, Observer::INITIAL, *edge) != Observer::INITIAL {
                return true;
            }
            let edge = &program.edges[*edge];
            if let Op::Call { func, .. } = &edge.op
                && let Some(body) = program.functions[*func].body
            {
                next.push(body.entry);
            }
            if !edge.op.ends_path() {
                next.push(edge.dst);
            }
        }
        let func = program.locs[loc].func;
        if program.functions[func].body.is_some_and(|body| body.exit == loc) {
            next.extend(returns.get(&func).into_iter().flatten());
        }
        work.extend(next.into_iter().filter(|loc| seen.insert(*loc)));
    }
    false
}

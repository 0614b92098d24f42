//! Whether violations of the property lie behind locations, by the shape of the automata alone.

use crate::observer::Observer;
use crate::op::Op;
use crate::program::Program;
use crate::{FuncId, LocId};
use base::IdVec;
use rustc_hash::FxHashMap;

/// For each location, whether some path of the automata leads from there to an edge that moves the observer. Functions return to all
/// of their callers, so no run is missed.
pub fn before_violations(program: &Program, observer: &Observer) -> IdVec<LocId, bool> {
    let mut calls: FxHashMap<FuncId, Vec<(LocId, LocId)>> = FxHashMap::default();
    let mut work: Vec<LocId> = Vec::new();
    for id in program.locs.iter().flat_map(|loc| &loc.out) {
        let edge = &program.edges[*id];
        if let Op::Call { func, .. } = edge.op {
            calls.entry(func).or_default().push((edge.src, edge.dst));
        }
        if observer.step(program, Observer::INITIAL, *id) != Observer::INITIAL {
            work.push(edge.src);
        }
    }
    let mut before: IdVec<LocId, bool> = IdVec::from_elem(false, program.locs.len());
    while let Some(loc) = work.pop() {
        if std::mem::replace(&mut before[loc], true) {
            continue;
        }
        for id in &program.locs[loc].inc {
            let edge = &program.edges[*id];
            work.extend((!edge.op.ends_path()).then_some(edge.src));
            // What calls return to lies behind the exits of their functions.
            if let Op::Call { func, .. } = edge.op {
                work.extend(program.functions[func].body.map(|body| body.exit));
            }
        }
        let func = program.locs[loc].func;
        if program.functions[func].body.is_some_and(|body| body.entry == loc) {
            work.extend(calls.get(&func).into_iter().flatten().map(|(src, _)| *src));
        }
    }
    before
}

//! Backward reachability by the shape of the automata alone.

use crate::op::Op;
use crate::program::Program;
use crate::{EdgeId, FuncId, LocId};
use base::IdVec;
use rustc_hash::FxHashMap;

/// For each location, whether some path of the automata leads from there to an edge that is wanted. Functions return to all of their callers, so no
/// run is missed.
pub fn can_reach(program: &Program, is_wanted: impl Fn(EdgeId) -> bool) -> IdVec<LocId, bool> {
    let mut calls: FxHashMap<FuncId, Vec<(LocId, LocId)>> = FxHashMap::default();
    let mut work: Vec<LocId> = Vec::new();
    for id in program.locs.iter().flat_map(|loc| &loc.out) {
        let edge = &program.edges[*id];
        if let Op::Call { func, .. } = edge.op {
            calls.entry(func).or_default().push((edge.src, edge.dst));
        }
        if is_wanted(*id) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Builder;

    #[test]
    fn returns_lead_to_all_callers() {
        let mut b = Builder::new();
        let start = b.program.start;
        let (f, error) = (b.func("f", &[]), b.func("reach_error", &[]));
        let (entry, exit) = (b.entry(start), b.exit(start));
        let (within, left) = (b.entry(f), b.exit(f));
        let call = |func| Op::Call { func, args: [].into(), dst: None };
        let mid = b.program.add_loc(start);
        let last = b.program.add_loc(start);
        b.edge(entry, mid, call(f));
        b.edge(mid, last, call(error));
        b.edge(last, exit, Op::Skip);
        b.edge(within, left, Op::Skip);
        let before = can_reach(&b.program, |edge| {
            b.program.edges[edge].op == Op::Call { func: error, args: [].into(), dst: None }
        });
        let at = [entry, mid, within, left, last, exit].map(|loc| before[loc]);
        assert_eq!(at, [true, true, true, true, false, false]);
    }

    #[test]
    fn nothing_follows_the_end_of_a_run() {
        let mut b = Builder::new();
        let start = b.program.start;
        let error = b.func("reach_error", &[]);
        let (entry, exit) = (b.entry(start), b.exit(start));
        let mid = b.program.add_loc(start);
        b.edge(entry, mid, Op::Halt);
        b.edge(mid, exit, Op::Call { func: error, args: [].into(), dst: None });
        let before = can_reach(&b.program, |edge| {
            b.program.edges[edge].op == Op::Call { func: error, args: [].into(), dst: None }
        });
        assert_eq!([entry, mid].map(|loc| before[loc]), [false, true]);
    }
}

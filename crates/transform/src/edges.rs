//! Changes of single edges that several transformations make.

use base::Span;
use cfa::program::{EdgeId, LocId, Program};
use cfa::{ExprId, Op};

/// Takes an edge out of the automaton; its id stays valid.
pub(crate) fn detach(program: &mut Program, edge: EdgeId) {
    let (src, dst) = (program.edges[edge].src, program.edges[edge].dst);
    program.locs[src].out.retain(|e| *e != edge);
    program.locs[dst].inc.retain(|e| *e != edge);
}

/// Lets an edge begin at another location.
pub(crate) fn move_source(program: &mut Program, edge: EdgeId, src: LocId) {
    let old = std::mem::replace(&mut program.edges[edge].src, src);
    if old != src {
        program.locs[old].out.retain(|e| *e != edge);
        program.locs[src].out.push(edge);
    }
}

/// Lets an edge lead to another location.
pub(crate) fn redirect(program: &mut Program, edge: EdgeId, dst: LocId) {
    let old = std::mem::replace(&mut program.edges[edge].dst, dst);
    if old != dst {
        program.locs[old].inc.retain(|e| *e != edge);
        program.locs[dst].inc.push(edge);
    }
}

/// Where a condition holds, control goes on at `then`, otherwise at the location that is returned.
pub(crate) fn branch(program: &mut Program, from: LocId, cond: ExprId, then: LocId, span: Span) -> LocId {
    let other = program.add_loc(program.locs[from].func);
    program.add_edge(from, then, Op::Assume { cond, truth: true }, span);
    program.add_edge(from, other, Op::Assume { cond, truth: false }, span);
    other
}

/// Where an operation at a location leads.
pub(crate) fn step(program: &mut Program, at: LocId, op: Op, span: Span) -> LocId {
    let next = program.add_loc(program.locs[at].func);
    program.add_edge(at, next, op, span);
    next
}

//! Changes of single edges that several transformations make.

use cfa::program::{EdgeId, LocId, Program};

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

//! What the tests of several modules share: graphs.

use crate::build::Builder;
use crate::op::Op;
use crate::program::{Body, LocId, Program};

/// A program whose start function has `n` locations and these edges; location 0 is the entry and the last one the exit.
pub fn graph(n: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Program {
    let mut b = Builder::new();
    let func = b.program.start;
    b.program.locs = base::IdVec::new();
    let locs: Vec<LocId> = (0..n).map(|_| b.loc(func)).collect();
    b.program.functions[func].body = Some(Body { entry: locs[0], exit: locs[n - 1] });
    for (src, dst) in edges {
        b.edge(locs[src], locs[dst], Op::Skip);
    }
    b.program
}

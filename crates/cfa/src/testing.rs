//! What the tests of several modules share: random numbers and graphs.

use crate::build::Builder;
use crate::op::Op;
use crate::program::{Body, LocId, Program};

/// A small generator of pseudo-random numbers (SplitMix64).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

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

//! Maps the edges of a transformed program to those of the original, so that a run of it can be replayed on the program as it was.

use base::Span;
use cfa::{EdgeId, LocId, Op, Program, VarId};
use rustc_hash::FxHashMap;

/// Where an edge comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A copy of an edge.
    Copy(EdgeId),
    /// Made by the transformation; has no counterpart.
    Made,
    /// Chooses the number of iterations of an accelerated path.
    Count,
    /// Chooses what the edge reads in all iterations but the last.
    Early(EdgeId),
    /// Chooses what the edge reads in the last iteration.
    Last(EdgeId),
}

/// Origins of the edges that are new; all other edges are their own.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    of: FxHashMap<EdgeId, Origin>,
    /// Registers that count iterations.
    pub counters: Vec<VarId>,
    /// Accelerators whose iterations pass inner loops: what these compute is a product of numbers of iterations.
    pub nests: usize,
}

impl Origins {
    /// Remembers the origin of a new edge.
    pub fn set(&mut self, edge: EdgeId, origin: Origin) {
        self.of.insert(edge, origin);
    }

    /// Adds an edge that has no counterpart.
    pub fn add_edge(&mut self, program: &mut Program, src: LocId, dst: LocId, op: Op, span: Span) -> EdgeId {
        let edge = program.add_edge(src, dst, op, span);
        self.set(edge, Origin::Made);
        edge
    }

    /// Remembers that an edge is a copy of one that may be new itself.
    pub fn copied(&mut self, edge: EdgeId, from: EdgeId) {
        let origin = self.of(from);
        self.of.insert(edge, origin);
    }

    /// The edge of the program as it was that an edge is a copy of; itself if it is none.
    pub fn original(&self, edge: EdgeId) -> EdgeId {
        match self.of(edge) {
            Origin::Copy(original) => original,
            _ => edge,
        }
    }

    /// Where an edge comes from.
    pub fn of(&self, edge: EdgeId) -> Origin {
        self.of.get(&edge).copied().unwrap_or(Origin::Copy(edge))
    }
}

//! An abstract reachability graph as a proof checker reads it: locations, call stacks, facts, and edges of the program.

use cfa::observer::ObserverState;
use cfa::{EdgeId, LocId, VarId};

/// A graph. The first node is the root.
#[derive(Clone, Debug, Default)]
pub struct ProofGraph {
    /// Its nodes.
    pub nodes: Vec<ProofNode>,
}

/// A node.
#[derive(Clone, Debug)]
pub struct ProofNode {
    /// Location.
    pub loc: LocId,
    /// Calls that have not returned, the first one first.
    pub calls: Vec<EdgeId>,
    /// State of the observer.
    pub observer: ObserverState,
    /// What holds here.
    pub facts: Vec<Fact>,
    /// Where runs go on from here.
    pub next: Next,
}

/// Where runs go on from a node.
#[derive(Clone, Debug)]
pub enum Next {
    /// Along these edges of the program, each list to one node. Returns are not listed.
    Along(Vec<(Vec<EdgeId>, usize)>),
    /// As from this node, whose facts are implied.
    Covered(usize),
    /// Unknown: no proof.
    Open,
}

/// A place has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Which place.
    pub place: FactPlace,
    /// Its value.
    pub value: FactValue,
}

/// A register or bytes of memory. Frames are numbered from that of the start function, which is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FactPlace {
    /// A global register.
    Global(VarId),
    /// A register of a frame.
    Local {
        /// The frame.
        frame: u32,
        /// The register.
        var: VarId,
    },
    /// Bytes of an object.
    Memory {
        /// The object.
        object: ObjectRef,
        /// First byte.
        offset: i64,
        /// How many.
        bytes: u32,
    },
}

/// A memory object; those of `Made` stand for some object that the edge made, the same one within a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectRef {
    /// A global memory variable.
    Global(VarId),
    /// The current instance of a local memory variable of a frame.
    Local {
        /// The frame.
        frame: u32,
        /// The variable.
        var: VarId,
    },
    /// Made by an allocation.
    Made(EdgeId, u32),
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FactValue {
    /// The bits of a number.
    Bits(u128),
    /// An address relative to an object.
    Address(ObjectRef, i64),
}

//! An abstract reachability graph as plain data, for reports and checkers: labelled nodes and edges.

use base::{Name, Place};
use cfa::{EdgeId, LocId};

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// Its successors are in the graph.
    Expanded,
    /// Another node covers it.
    Covered,
    /// It was not expanded.
    Open,
    /// It violates the property, or can't be followed.
    Target,
}

impl NodeKind {
    /// In one word, as all machine-readable forms write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Expanded => "expanded",
            Self::Covered => "covered",
            Self::Open => "open",
            Self::Target => "target",
        }
    }
}

/// A node. Nodes are numbered by their position in [`ArgView::nodes`]; the root is the first.
#[derive(Clone, PartialEq, Debug)]
pub struct ArgNode {
    /// Location.
    pub loc: LocId,
    /// Where that is in the source, as far as an edge there knows it.
    pub place: Option<Place>,
    /// Function.
    pub function: Name,
    /// Number of frames below.
    pub depth: u32,
    /// What the state says: names with values, in a fixed order.
    pub state: Vec<(String, String)>,
    /// What else holds: C expressions over the function's variables, and `...` for what can't be written in C.
    pub holds: Vec<String>,
    /// What is tracked at the location.
    pub precision: Vec<String>,
    /// What it is.
    pub kind: NodeKind,
    /// For a covered node, the one that covers it.
    pub covered_by: Option<u32>,
    /// If a block is entered here, the root of its graph, which other nodes may enter as well.
    pub enters: Option<u32>,
}

/// From a node to a successor.
#[derive(Clone, PartialEq, Debug)]
pub struct ArgEdge {
    /// Source.
    pub from: u32,
    /// Target.
    pub to: u32,
    /// The edges of the program between the two; returns follow from the calls.
    pub edges: Vec<EdgeId>,
    /// The operations, in words.
    pub text: Vec<String>,
    /// If a block lies between the two, where in its graph it is left.
    pub through: Option<u32>,
}

/// A graph.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArgView {
    /// Nodes.
    pub nodes: Vec<ArgNode>,
    /// Edges of the tree, by source and then in the order of successors.
    pub edges: Vec<ArgEdge>,
    /// The nodes on the error path that ended the run, the root first; empty if there is none.
    pub error_path: Vec<u32>,
    /// Whether nodes were left out, because the graph is very large.
    pub truncated: bool,
}

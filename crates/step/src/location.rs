//! Locations as a component of abstract states: where the graph has nodes, and in which order locations are explored.
//!
//! Nodes are needed where runs can meet again: at loop heads (otherwise an exploration would not end), at entries of recursive
//! functions, and at joins — but at a join only when the runs that can meet there have parted since the last node. A straight
//! line, conditions that the state decides, and calls of functions that are straight lines cost no node.

use base::IdVec;
use cfa::callgraph::CallGraph;
use cfa::loops::Wto;
use cfa::{EdgeId, LocId, Program};

/// What arriving at a location means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    /// Nothing.
    Through,
    /// Runs can meet here: a node is needed if they have parted.
    Join,
    /// A node is always needed.
    Head,
}

/// Where the graph may have nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Blocks {
    /// Loop heads, entries of recursive functions, and joins of runs that have parted.
    #[default]
    Joins,
    /// Every location, as in the papers' presentation.
    Locations,
}

/// The abstraction points of a program.
#[derive(Clone, Debug)]
pub struct Locations {
    points: IdVec<LocId, Point>,
    positions: IdVec<LocId, u32>,
}

impl Locations {
    /// Classifies all locations.
    pub fn new(program: &Program, wto: &Wto, calls: &CallGraph, blocks: Blocks) -> Self {
        let mut points = IdVec::from_elem(Point::Through, program.locs.len());
        let mut positions = IdVec::from_elem(u32::MAX, program.locs.len());
        for (id, loc) in program.locs.iter_enumerated() {
            let enters = |e: &&EdgeId| !program.edges[**e].op.ends_path();
            positions[id] = wto.pos(id);
            points[id] = match blocks {
                Blocks::Locations => Point::Head,
                Blocks::Joins if wto.is_head(id) => Point::Head,
                Blocks::Joins if loc.inc.iter().filter(enters).count() > 1 => Point::Join,
                Blocks::Joins => Point::Through,
            };
        }
        for (id, function) in program.functions.iter_enumerated() {
            if let (Some(body), true) = (function.body, calls.is_recursive(id)) {
                points[body.entry] = Point::Head;
            }
        }
        Self { points, positions }
    }

    /// Makes nodes necessary at these locations as well.
    pub fn add_heads(&mut self, locs: &[LocId]) {
        locs.iter().for_each(|loc| self.points[*loc] = Point::Head);
    }

    /// What arriving at the location means.
    #[inline]
    pub fn point(&self, loc: LocId) -> Point {
        self.points[loc]
    }

    /// Position of the location in the weak topological order of its function.
    #[inline]
    pub fn position(&self, loc: LocId) -> u32 {
        self.positions[loc]
    }
}

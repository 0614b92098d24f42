//! Where blocks end: the abstraction points of adjustable-block encoding [beyer10].

use base::IdVec;
use cfa::callgraph::CallGraph;
use cfa::loops::Wto;
use cfa::procedures::Procedures;
use cfa::{EdgeId, LocId, Program};

/// What ends a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BlockEnds {
    /// Every edge: single-block encoding.
    Edges,
    /// Loop heads.
    #[default]
    Loops,
    /// Loop heads and locations where branches meet.
    LoopsAndJoins,
    /// Loop heads, entries and exits of functions.
    LoopsAndFunctions,
}

/// The abstraction points of a program. Loop heads and entries of recursive functions always are, so that blocks are finite.
/// So are entries and exits of procedures whose stacks are abstracted.
pub struct Points {
    points: IdVec<LocId, bool>,
    positions: IdVec<LocId, u32>,
}

impl Points {
    /// Finds the abstraction points.
    pub fn new(program: &Program, wto: &Wto, calls: &CallGraph, procedures: &Procedures, ends: BlockEnds) -> Self {
        let mut points = IdVec::from_elem(false, program.locs.len());
        let mut positions = IdVec::from_elem(u32::MAX, program.locs.len());
        for (id, loc) in program.locs.iter_enumerated() {
            let enters = |e: &&EdgeId| !program.edges[**e].op.ends_path();
            positions[id] = wto.pos(id);
            points[id] = match ends {
                _ if wto.is_head(id) => true,
                BlockEnds::Edges => true,
                BlockEnds::LoopsAndJoins => loc.inc.iter().filter(enters).count() > 1,
                BlockEnds::Loops | BlockEnds::LoopsAndFunctions => false,
            };
        }
        for (id, function) in program.functions.iter_enumerated() {
            let Some(body) = function.body else { continue };
            let at_functions = ends == BlockEnds::LoopsAndFunctions && id != program.start;
            if calls.is_recursive(id) || at_functions || procedures.get(id).is_some() {
                points[body.entry] = true;
            }
            if at_functions || procedures.get(id).is_some() {
                points[body.exit] = true;
            }
        }
        Self { points, positions }
    }

    /// Whether blocks end at the location.
    #[inline]
    pub fn is_point(&self, loc: LocId) -> bool {
        self.points[loc]
    }

    /// Position of the location in the weak topological order of its function.
    #[inline]
    pub fn position(&self, loc: LocId) -> u32 {
        self.positions[loc]
    }
}

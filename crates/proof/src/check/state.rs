//! Symbolic runs of the checker: what registers and objects hold.

use super::counts::Counts;
use cfa::observer::ObserverState;
use cfa::{EdgeId, FuncId, LocId, VarId};
use encode::guard::GuardId;
use rustc_hash::FxHashMap;
use smt::TermId;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use step::At;

/// Location and observer of runs; they have their stack themselves.
pub type Here = At<()>;

/// A point of a run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// Location.
    pub loc: LocId,
    /// The procedure at the bottom of the stack, if its callers are not known.
    pub bottom: Option<FuncId>,
    /// Calls that have not returned.
    pub calls: Vec<EdgeId>,
    /// State of the observer.
    pub observer: ObserverState,
}

/// Number of an object of a machine.
pub type Obj = u32;

/// A call that has not returned.
#[derive(Clone)]
pub struct Frame {
    /// Its function.
    pub func: FuncId,
    /// The edge that called; none for the start function.
    pub call: Option<EdgeId>,
    /// Whether it existed where the runs begin.
    pub old: bool,
    /// Where the checker unwinds loops: what it counts.
    pub counts: Counts,
    /// What registers hold.
    pub registers: FxHashMap<VarId, TermId>,
    /// In open graphs, current instances of memory variables that were declared since the runs began, and how many there were.
    pub instances: FxHashMap<VarId, (Obj, u32)>,
}

/// What an object holds.
#[derive(Clone, Debug)]
pub struct Content {
    /// Bits by offset, without overlap.
    pub cells: BTreeMap<u64, (u64, TermId)>,
    /// What is below the cells: an array of elements.
    pub base: TermId,
    /// Whether the object was freed.
    pub dead: TermId,
    /// Its size, of pointer width.
    pub size: TermId,
}

/// Runs that are at one place.
#[derive(Clone)]
pub struct Runs {
    /// Condition under which runs get here.
    pub guard: GuardId,
    /// What global registers hold.
    pub globals: FxHashMap<VarId, TermId>,
    /// The call stack.
    pub frames: Vec<Frame>,
    /// Objects that exist, and global ones that have changed.
    pub memory: BTreeMap<Obj, Rc<Content>>,
    /// Memory that is not the program's.
    pub external: TermId,
    /// In open graphs, objects whose life has ended since the runs began.
    pub ended: BTreeSet<Obj>,
    /// Whether they began at the start of the program.
    pub initial: bool,
    /// The procedure at the bottom of the stack, if its callers are not known.
    pub bottom: Option<FuncId>,
    /// What variables held when that was entered, as far as somebody knows. This never changes.
    pub entry: FxHashMap<VarId, TermId>,
}

impl Point {
    /// The place, without the stack.
    pub fn here(&self) -> Here {
        At { loc: self.loc, stack: (), observer: self.observer }
    }
}

impl Runs {
    /// Calls that have not returned.
    pub fn calls(&self) -> Vec<EdgeId> {
        self.frames.iter().filter_map(|frame| frame.call).collect()
    }

    /// The point of runs that are there.
    pub fn point(&self, at: Here) -> Point {
        Point { loc: at.loc, bottom: self.bottom, calls: self.calls(), observer: at.observer }
    }
}

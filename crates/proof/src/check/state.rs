//! Symbolic runs of the checker: what registers and objects hold, and how runs are joined where their paths meet.

use super::machine::Machine;
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

impl Machine<'_, '_> {
    /// All runs that meet at a point; those that parted last are joined first, so that conditions of branches cancel.
    pub fn join_all(&mut self, mut runs: Vec<Runs>) -> Option<Runs> {
        while runs.len() > 1 {
            let guards = &self.enc.guards;
            let near = |i: &usize| (guards.depth(guards.ancestor(runs[*i].guard, runs[i + 1].guard)), *i);
            let i = (0..runs.len() - 1).max_by_key(near)?;
            let second = runs.remove(i + 1);
            let first = runs.remove(i);
            let joined = self.join(first, second);
            runs.insert(i, joined);
        }
        runs.pop()
    }

    fn join(&mut self, mut a: Runs, mut b: Runs) -> Runs {
        let join = self.enc.guards.join(&mut self.enc.terms, a.guard, b.guard);
        let first = join.first;
        let changed: BTreeSet<VarId> = a.globals.keys().chain(b.globals.keys()).copied().collect();
        for var in changed {
            let (x, y) = (self.register(&mut a, 0, var), self.register(&mut b, 0, var));
            let value = self.enc.terms.ite(first, x, y);
            a.globals.insert(var, value);
        }
        for frame in 0..a.frames.len() {
            let both = a.frames[frame].registers.keys().chain(b.frames[frame].registers.keys());
            let changed: BTreeSet<VarId> = both.copied().collect();
            for var in changed {
                let known = |runs: &Runs| runs.frames[frame].registers.get(&var).copied();
                let (x, y) = match (known(&a), known(&b)) {
                    (Some(x), Some(y)) => (x, y),
                    _ => (self.register(&mut a, frame, var), self.register(&mut b, frame, var)),
                };
                let value = self.enc.terms.ite(first, x, y);
                a.frames[frame].registers.insert(var, value);
            }
        }
        let objects: BTreeSet<Obj> = a.memory.keys().chain(b.memory.keys()).copied().collect();
        for object in objects {
            let (x, y) = match (a.memory.get(&object).cloned(), b.memory.get(&object).cloned()) {
                (Some(x), Some(y)) if Rc::ptr_eq(&x, &y) => continue,
                (Some(x), Some(y)) => (x, y),
                (Some(x), None) if self.is_global(object) => (x, self.global_content(&b, object)),
                (None, Some(y)) if self.is_global(object) => (self.global_content(&a, object), y),
                // It was made on one side; no pointer of the other one leads to it.
                (Some(only), None) | (None, Some(only)) => {
                    a.memory.insert(object, only);
                    continue;
                }
                (None, None) => continue,
            };
            let joined = self.join_content(first, object, &x, &y);
            a.memory.insert(object, Rc::new(joined));
        }
        a.external = self.enc.terms.ite(first, a.external, b.external);
        a.guard = join.guard;
        a
    }

    fn join_content(&mut self, first: TermId, object: Obj, x: &Content, y: &Content) -> Content {
        let mut cells = BTreeMap::new();
        let mut ranges: BTreeSet<(u64, u64)> = BTreeSet::new();
        for content in [x, y] {
            ranges.extend(content.cells.iter().map(|(at, (bytes, _))| (*at, at + bytes)));
        }
        let ranges: Vec<(u64, u64)> = ranges.into_iter().collect();
        let mut i = 0;
        while i < ranges.len() {
            // Cells that overlap are cut at each end of one of them.
            let (lo, mut hi) = ranges[i];
            let mut cuts = BTreeSet::from([lo, hi]);
            i += 1;
            while i < ranges.len() && ranges[i].0 < hi {
                cuts.extend([ranges[i].0, ranges[i].1]);
                hi = hi.max(ranges[i].1);
                i += 1;
            }
            let cuts: Vec<u64> = cuts.into_iter().collect();
            for pair in cuts.windows(2) {
                let bytes = pair[1] - pair[0];
                let p = self.read_at(object, x, pair[0], bytes);
                let q = self.read_at(object, y, pair[0], bytes);
                cells.insert(pair[0], (bytes, self.enc.terms.ite(first, p, q)));
            }
        }
        let terms = &mut self.enc.terms;
        Content {
            cells,
            base: terms.ite(first, x.base, y.base),
            dead: terms.ite(first, x.dead, y.dead),
            size: terms.ite(first, x.size, y.size),
        }
    }
}

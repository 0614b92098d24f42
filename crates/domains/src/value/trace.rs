//! One path, followed with everything tracked: is it feasible for values, and what do its contradictions rest on?
//!
//! The strongest postcondition of each step is recorded as its *effects*: which cell got which value, and from which cells.
//! A contradictory assumption is recorded, left out, and the path goes on: each one ends an infeasible sliced prefix
//! [beyer15]. Going backwards from a contradiction, the cells that it rests on at each position follow from the effects in
//! one pass; their values are an inductive sequence of interpolants.

use super::ValueDomain;
use super::assignment::Assignment;
use super::cells::CellId;
use super::number::Val;
use base::Id;
use cfa::{EdgeId, ExprId, LocId, Op};
use rustc_hash::FxHashSet;
use std::ops::Range;
use step::End;
use step::StackId;
use step::{Locations, Point};

/// A cell that a step changes.
#[derive(Clone, Debug)]
struct Effect {
    cell: CellId,
    /// Its value before.
    old: Val,
    /// What the value rests on, in `Trace::uses`.
    uses: Range<u32>,
}

/// A write to a known place; it might go anywhere `addr` can point to if `uses` were unknown.
#[derive(Clone, Debug)]
struct KnownAddress {
    step: u32,
    addr: ExprId,
    /// Bytes that are written; none where a life ends.
    len: Option<u64>,
    uses: Range<u32>,
}

/// A map from cells to values that records why.
#[derive(Debug, Default)]
pub struct Trace {
    /// By cell.
    vals: Vec<Val>,
    /// Cells with values, and where each is in the list.
    present: Vec<CellId>,
    place: Vec<u32>,
    effects: Vec<Effect>,
    /// End of each step's effects.
    ends: Vec<u32>,
    /// Steps that read everything before they set anything.
    at_once: FxHashSet<u32>,
    addresses: Vec<KnownAddress>,
    uses: Vec<CellId>,
    /// What the current result rests on.
    current: Vec<CellId>,
}

impl Trace {
    fn slot(&mut self, cell: CellId) -> &mut Val {
        let i = cell.index();
        if self.vals.len() <= i {
            self.vals.resize(i + 1, Val::NONE);
            self.place.resize(i + 1, 0);
        }
        &mut self.vals[i]
    }

    fn keep_uses(&mut self) -> Range<u32> {
        let begin = self.uses.len() as u32;
        self.uses.extend_from_slice(&self.current);
        begin..self.uses.len() as u32
    }

    /// Removes a cell's value; whether it had one.
    fn remove(&mut self, cell: CellId) -> bool {
        let Some(val) = self.vals.get_mut(cell.index()) else { return false };
        if *val == Val::NONE {
            return false;
        }
        let old = std::mem::replace(val, Val::NONE);
        let at = self.place[cell.index()] as usize;
        self.present.swap_remove(at);
        if let Some(moved) = self.present.get(at) {
            self.place[moved.index()] = at as u32;
        }
        self.effects.push(Effect { cell, old, uses: 0..0 });
        true
    }

    /// Takes back what the current step has changed so far.
    fn undo_step(&mut self) {
        let begin = self.ends.last().map_or(0, |end| *end as usize);
        for effect in self.effects.split_off(begin).into_iter().rev() {
            if effect.old == Val::NONE {
                self.remove(effect.cell);
            } else {
                self.set(effect.cell, effect.old);
            }
        }
        self.effects.truncate(begin);
    }

    fn end_step(&mut self) {
        self.ends.push(self.effects.len() as u32);
    }

    fn steps(&self) -> u32 {
        self.ends.len() as u32
    }

    fn effects_of(&self, step: u32) -> &[Effect] {
        let begin = match step {
            0 => 0,
            _ => self.ends[step as usize - 1],
        };
        &self.effects[begin as usize..self.ends[step as usize] as usize]
    }

    fn uses_of(&self, range: &Range<u32>) -> &[CellId] {
        &self.uses[range.start as usize..range.end as usize]
    }
}

impl Assignment for Trace {
    fn get(&mut self, cell: CellId) -> Option<Val> {
        let val = *self.vals.get(cell.index())?;
        if val == Val::NONE {
            return None;
        }
        self.current.push(cell);
        Some(val)
    }

    fn set(&mut self, cell: CellId, val: Val) {
        let uses = self.keep_uses();
        let slot = self.slot(cell);
        let was = std::mem::replace(slot, val);
        if was == Val::NONE {
            self.place[cell.index()] = self.present.len() as u32;
            self.present.push(cell);
        }
        self.effects.push(Effect { cell, old: was, uses });
    }

    fn forget(&mut self, cell: CellId) {
        self.remove(cell);
    }

    fn forget_range(&mut self, cells: Range<CellId>) {
        for i in cells.start.index()..cells.end.index() {
            self.remove(CellId::from_index(i));
        }
    }

    fn retain_range(&mut self, cells: Range<CellId>, keep: impl Fn(CellId) -> bool) {
        for cell in (cells.start.index()..cells.end.index()).map(CellId::from_index) {
            if self.vals.get(cell.index()).is_some_and(|val| *val != Val::NONE) && !keep(cell) {
                self.remove(cell);
            }
        }
    }

    fn entries(&self, out: &mut Vec<(CellId, Val)>) {
        out.extend(self.present.iter().map(|cell| (*cell, self.vals[cell.index()])));
    }

    fn begin(&mut self) {
        self.current.clear();
    }

    fn mark(&self) -> usize {
        self.current.len()
    }

    fn cut(&mut self, range: Range<usize>) {
        self.current.drain(range);
    }

    fn address_is_known(&mut self, addr: ExprId, len: u64) {
        let (uses, step) = (self.keep_uses(), self.steps());
        if !uses.is_empty() {
            self.addresses.push(KnownAddress { step, addr, len: Some(len), uses });
        }
    }

    fn end_is_known(&mut self, ptr: ExprId) {
        let (uses, step) = (self.keep_uses(), self.steps());
        if !uses.is_empty() {
            self.addresses.push(KnownAddress { step, addr: ptr, len: None, uses });
        }
    }

    fn all_at_once(&mut self) {
        self.at_once.insert(self.steps());
    }
}

/// A position of a path at which the graph may have a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Boundary {
    /// Edges of the path before it.
    pub edges: u32,
    /// Location.
    pub loc: LocId,
    /// Call stack.
    pub stack: StackId,
    /// Steps before it: the initial values are one, and each edge and each return.
    pub step: u32,
}

/// The end of an infeasible sliced prefix.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// Index of the edge in the path.
    pub edge: u32,
    /// Steps before it.
    pub step: u32,
    uses: Vec<CellId>,
}

/// A path followed to its end, or to where nothing goes on.
#[derive(Debug, Default)]
pub struct PathTrace {
    trace: Trace,
    /// Where the graph may have nodes, in order; the first is the beginning.
    pub boundaries: Vec<Boundary>,
    /// Contradictions in order; none if the path is feasible for values.
    pub contradictions: Vec<Contradiction>,
}

/// Most contradictions that are told apart.
const MAX_PREFIXES: usize = 40;

impl PathTrace {
    /// Follows a path from the start of the program.
    pub fn follow(domain: &mut ValueDomain<'_>, locations: &Locations, path: &[EdgeId]) -> Self {
        let mut this = Self::default();
        domain.initialise(&mut this.trace);
        this.trace.end_step();
        let mut stack = domain.stacks.root();
        let program = domain.program;
        let Some(body) = program.functions[program.start].body else { return this };
        this.boundary(0, body.entry, stack);
        for (i, edge) in path.iter().enumerate() {
            let op = &program.edges[*edge].op;
            let mut dst = program.edges[*edge].dst;
            match domain.take(&mut this.trace, stack, *edge) {
                Ok(next) => {
                    dst = called(domain, *edge).unwrap_or(dst);
                    stack = next;
                }
                Err(end @ (End::Blocked | End::Undefined(_))) if end.is_excluded() => {
                    let uses = this.trace.current.clone();
                    this.contradictions.push(Contradiction { edge: i as u32, step: this.trace.steps(), uses });
                    this.trace.undo_step();
                    if !matches!(op, Op::Assume { .. }) || this.contradictions.len() >= MAX_PREFIXES {
                        return this;
                    }
                }
                Err(_) => return this,
            }
            this.trace.end_step();
            this.arrive(domain, locations, i as u32 + 1, &mut stack, dst);
        }
        this
    }

    /// Passes a location, and returns as long as it is the end of a function.
    fn arrive(
        &mut self,
        domain: &mut ValueDomain<'_>,
        locations: &Locations,
        edges: u32,
        stack: &mut StackId,
        mut loc: LocId,
    ) {
        loop {
            if locations.point(loc) != Point::Through {
                self.boundary(edges, loc, *stack);
            }
            let func = domain.program.locs[loc].func;
            let at_exit = domain.program.functions[func].body.is_some_and(|body| body.exit == loc);
            if !at_exit {
                return;
            }
            let Some((below, next)) = domain.leave(&mut self.trace, *stack) else { return };
            self.trace.end_step();
            (*stack, loc) = (below, domain.program.edges[next].dst);
        }
    }

    fn boundary(&mut self, edges: u32, loc: LocId, stack: StackId) {
        self.boundaries.push(Boundary { edges, loc, stack, step: self.trace.steps() });
    }

    /// The cells that a contradiction rests on at each boundary before it.
    pub fn needs(&self, domain: &ValueDomain<'_>, contradiction: &Contradiction) -> Vec<Vec<CellId>> {
        let mut need: FxHashSet<CellId> = contradiction.uses.iter().copied().collect();
        let count = self.boundaries.partition_point(|b| b.step <= contradiction.step);
        let mut needs = vec![Vec::new(); count];
        let mut next = count;
        let mut address = self.trace.addresses.partition_point(|a| a.step < contradiction.step);
        let mut added = Vec::new();
        for step in (0..=contradiction.step).rev() {
            while next > 0 && self.boundaries[next - 1].step >= step {
                next -= 1;
                let mut cells: Vec<CellId> = need.iter().copied().collect();
                cells.sort_unstable();
                needs[next] = cells;
            }
            if step == 0 {
                break;
            }
            // Undo step - 1.
            let step = step - 1;
            let effects = self.trace.effects_of(step);
            let at_once = self.trace.at_once.contains(&step);
            for effect in effects.iter().rev() {
                if need.remove(&effect.cell) {
                    if at_once {
                        added.extend_from_slice(self.trace.uses_of(&effect.uses));
                    } else {
                        need.extend(self.trace.uses_of(&effect.uses));
                    }
                }
            }
            need.extend(added.drain(..));
            while address > 0 && self.trace.addresses[address - 1].step >= step {
                address -= 1;
                let known = &self.trace.addresses[address];
                let is_needed = match known.len {
                    Some(len) => {
                        let classes = domain.classes_at(known.addr, len);
                        need.iter().any(|cell| domain.may_be_of(*cell, &classes))
                    }
                    None => need.iter().any(|cell| domain.may_hold_pointer(*cell)),
                };
                if is_needed {
                    need.extend(self.trace.uses_of(&known.uses));
                }
            }
        }
        needs
    }

    /// Values at the end, or at the first contradiction that could not be left out.
    pub fn last_values(&self) -> Vec<(CellId, Val)> {
        let mut entries = Vec::new();
        self.trace.entries(&mut entries);
        entries.sort_unstable();
        entries
    }
}

/// The entry of the function that a call enters.
fn called(domain: &ValueDomain<'_>, edge: EdgeId) -> Option<LocId> {
    match &domain.program.edges[edge].op {
        Op::Call { func, .. } => domain.program.functions[*func].body.map(|body| body.entry),
        _ => None,
    }
}

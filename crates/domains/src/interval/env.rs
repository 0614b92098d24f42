//! Abstract states: numbers of cells, and differences between them (zones).
//!
//! A difference `x - y <= c` is about the numbers that the cells hold, not about their bits: where a cell's new value may have
//! wrapped around, its differences are dropped. Only differences that say more than the intervals are kept, and few of them: those between cells that
//! changed together, or that a condition compares. They are closed under transitivity when one is added, as far as the limit allows.

use crate::numerical::number::is_tracked;
use crate::numerical::{Bottom, Cell, Num};
use std::collections::BTreeMap;

/// An abstract state. A cell that is not mentioned may have any value of its type.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Env {
    cells: BTreeMap<Cell, Num>,
    /// `x - y <= bound`.
    zones: BTreeMap<(Cell, Cell), i128>,
}

/// Most differences of a state.
const MAX_ZONES: usize = 240;
/// Most cells that are related when states are joined.
const MAX_CHANGED: usize = 12;

/// Differences beyond this say hardly anything when states are joined.
const FAR: u128 = 1 << 24;

impl Env {
    /// The numbers that a cell may hold.
    pub fn get(&self, cell: Cell) -> Num {
        self.cells.get(&cell).copied().unwrap_or(Num::top(cell.ty))
    }

    /// All cells of which something is known.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Num)> + '_ {
        self.cells.iter().map(|(cell, num)| (*cell, *num))
    }

    /// All differences that say more than the intervals.
    pub fn differences(&self) -> impl Iterator<Item = ((Cell, Cell), i128)> + '_ {
        self.zones.iter().map(|(pair, bound)| (*pair, *bound))
    }

    /// Sets a cell to any of these numbers, without a relation to others.
    pub fn set(&mut self, cell: Cell, num: Num) {
        self.forget(cell);
        self.put(cell, num);
    }

    fn put(&mut self, cell: Cell, num: Num) {
        if !is_tracked(cell.ty) || Num::top(cell.ty).leq(num) {
            self.cells.remove(&cell);
        } else {
            self.cells.insert(cell, num);
        }
    }

    /// Forgets a cell.
    pub fn forget(&mut self, cell: Cell) {
        self.cells.remove(&cell);
        self.zones.retain(|(x, y), _| *x != cell && *y != cell);
    }

    /// Forgets all cells that are not to be kept.
    pub fn retain(&mut self, keep: impl Fn(&Cell) -> bool) {
        self.cells.retain(|cell, _| keep(cell));
        self.zones.retain(|(x, y), _| keep(x) && keep(y));
    }

    /// Restricts a cell to these numbers.
    ///
    /// # Errors
    /// If none is left.
    pub fn meet(&mut self, cell: Cell, num: Num) -> Result<(), Bottom> {
        let old = self.get(cell);
        let new = old.meet(num).ok_or(Bottom)?;
        if new == old {
            return Ok(());
        }
        self.put(cell, new);
        // One round over the differences is enough for what programs do.
        let related: Vec<((Cell, Cell), i128)> =
            self.zones.iter().filter(|((x, y), _)| *x == cell || *y == cell).map(|(p, b)| (*p, *b)).collect();
        for ((x, y), bound) in related {
            self.tighten(x, y, bound)?;
        }
        Ok(())
    }

    /// Uses `x - y <= bound` for the intervals of both.
    fn tighten(&mut self, x: Cell, y: Cell, bound: i128) -> Result<(), Bottom> {
        let (a, b) = (self.get(x), self.get(y));
        let upper = b.hi.saturating_add(bound);
        if upper < a.hi {
            let below = Num::interval(a.lo, upper).ok_or(Bottom)?;
            self.put(x, a.meet(below).ok_or(Bottom)?);
        }
        let lower = a.lo.saturating_sub(bound);
        if lower > b.lo {
            let above = Num::interval(lower, b.hi).ok_or(Bottom)?;
            self.put(y, b.meet(above).ok_or(Bottom)?);
        }
        Ok(())
    }

    /// The least known bound of `x - y`.
    pub fn difference(&self, x: Cell, y: Cell) -> i128 {
        if x == y {
            return 0;
        }
        let by_intervals = self.get(x).hi.saturating_sub(self.get(y).lo);
        self.zones.get(&(x, y)).map_or(by_intervals, |bound| by_intervals.min(*bound))
    }

    /// Adds `x - y <= bound`.
    ///
    /// # Errors
    /// If that excludes all runs.
    pub fn relate(&mut self, x: Cell, y: Cell, bound: i128) -> Result<(), Bottom> {
        if x == y {
            return if bound < 0 { Err(Bottom) } else { Ok(()) };
        }
        if self.difference(y, x).saturating_add(bound) < 0 {
            return Err(Bottom);
        }
        if bound >= self.difference(x, y) {
            return Ok(());
        }
        self.keep(x, y, bound);
        let before: Vec<(Cell, i128)> =
            self.zones.iter().filter(|((_, b), _)| *b == x).map(|((a, _), c)| (*a, *c)).collect();
        let after: Vec<(Cell, i128)> =
            self.zones.iter().filter(|((a, _), _)| *a == y).map(|((_, b), c)| (*b, *c)).collect();
        for (a, c) in std::iter::once((x, 0)).chain(before) {
            for (b, d) in std::iter::once((y, 0)).chain(after.iter().copied()) {
                let sum = bound.saturating_add(c).saturating_add(d);
                if a != b && sum < self.difference(a, b) {
                    self.keep(a, b, sum);
                }
            }
        }
        self.tighten(x, y, bound)
    }

    fn keep(&mut self, x: Cell, y: Cell, bound: i128) {
        if self.zones.len() < MAX_ZONES || self.zones.contains_key(&(x, y)) {
            self.zones.insert((x, y), bound);
        }
    }

    /// `cell := other + by`, which does not wrap around; the numbers are given.
    pub fn assign_sum(&mut self, cell: Cell, other: Cell, by: i128, num: Num) {
        if cell == other {
            let moved = |x: Cell, y: Cell, bound: i128| {
                let add = i128::from(x == cell) - i128::from(y == cell);
                ((x, y), bound.saturating_add(add.saturating_mul(by)))
            };
            self.zones = self.zones.iter().map(|((x, y), bound)| moved(*x, *y, *bound)).collect();
            self.put(cell, num);
            return;
        }
        self.set(cell, num);
        // Neither can fail: the cell has no other relation.
        let _ = self.relate(cell, other, by);
        let _ = self.relate(other, cell, by.saturating_neg());
    }

    /// Whether each run that satisfies this state satisfies the other.
    pub fn leq(&self, other: &Env) -> bool {
        other.cells.iter().all(|(cell, num)| self.get(*cell).leq(*num))
            && other.zones.iter().all(|((x, y), bound)| self.difference(*x, *y) <= *bound)
    }

    /// A state that the runs of both satisfy.
    pub fn join(&self, other: &Env) -> Env {
        let mut joined = Env::default();
        let mut changed = Vec::new();
        for (cell, num) in &self.cells {
            let theirs = other.get(*cell);
            joined.put(*cell, num.join(theirs));
            if *num != theirs && changed.len() < MAX_CHANGED {
                changed.push(*cell);
            }
        }
        for x in &changed {
            for y in &changed {
                self.join_difference(other, (*x, *y), &mut joined);
            }
        }
        for pair in self.zones.keys().chain(other.zones.keys()) {
            self.join_difference(other, *pair, &mut joined);
        }
        joined
    }

    fn join_difference(&self, other: &Env, (x, y): (Cell, Cell), joined: &mut Env) {
        let bound = self.difference(x, y).max(other.difference(x, y));
        if x != y && bound < joined.difference(x, y) && bound.unsigned_abs() <= FAR {
            joined.keep(x, y, bound);
        }
    }

    /// A state that the runs of both satisfy, the same for all but a bounded number of ever larger states. `self` is the old one.
    pub fn widen(&self, other: &Env, thresholds: &[i128]) -> Env {
        let mut widened = Env::default();
        for (cell, num) in &self.cells {
            widened.put(*cell, num.widen(other.get(*cell), thresholds, cell.ty));
        }
        for ((x, y), bound) in &self.zones {
            if other.difference(*x, *y) <= *bound {
                widened.keep(*x, *y, *bound);
            }
        }
        widened
    }
}

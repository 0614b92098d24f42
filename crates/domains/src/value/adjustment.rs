//! Dynamic precision adjustment [beyer08; loewe13, Sect. III-F]: cells that take too many values are not worth following one by one.
//!
//! A cell with more values than the limit at the head of one loop leaves the precision, in all of its frames and whatever else
//! tracks it. What was explored with it remains valid; states that come later do not mention it, and cover the rest.

use super::cells::{CellId, Cells, KeyId};
use super::number::Val;
use super::precision::KeySet;
use cfa::LocId;
use rustc_hash::FxHashMap;

/// Which keys have left the precision, and the counts that decide it.
#[derive(Clone, Debug, Default)]
pub struct Adjustment {
    /// Most values of a cell at one location; without it, nothing is counted.
    limit: Option<usize>,
    seen: FxHashMap<(LocId, CellId), Vec<Val>>,
    dropped: KeySet,
}

impl Adjustment {
    /// Drops cells with more values than `limit` at one location.
    pub fn new(limit: Option<u32>) -> Self {
        Self { limit: limit.map(|limit| limit as usize), ..Self::default() }
    }

    /// Whether anything is counted.
    pub fn is_on(&self) -> bool {
        self.limit.is_some()
    }

    /// Whether a key has left the precision.
    #[inline]
    pub fn is_dropped(&self, key: KeyId) -> bool {
        self.dropped.contains(key)
    }

    /// Number of keys that have left.
    pub fn dropped(&self) -> usize {
        self.dropped.len()
    }

    /// Counts the value of a cell in a state at a location; whether the cell leaves the precision now.
    pub fn observe(&mut self, cells: &Cells, loc: LocId, cell: CellId, val: Val) -> bool {
        let Some(limit) = self.limit else { return false };
        let seen = self.seen.entry((loc, cell)).or_default();
        if seen.len() > limit || seen.contains(&val) {
            return false;
        }
        seen.push(val);
        seen.len() > limit && self.dropped.insert(cells.cells[cell].key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use cfa::VarId;

    #[track_caller]
    fn check(limit: Option<u32>, values: &[(usize, u32)], left: bool) {
        let mut cells = Cells::default();
        let cell = cells.add_register(None, VarId::from_index(0));
        let mut adjustment = Adjustment::new(limit);
        for (loc, val) in values {
            adjustment.observe(&cells, LocId::from_index(*loc), cell, Val(*val));
        }
        assert_eq!(adjustment.is_dropped(cells.cells[cell].key), left);
        assert_eq!(adjustment.dropped(), usize::from(left));
    }

    #[test]
    fn different_values_at_one_location_count() {
        check(Some(2), &[(0, 1), (0, 2), (0, 3)], true);
        check(Some(2), &[(0, 1), (0, 2), (0, 1), (0, 2)], false);
        check(Some(2), &[(0, 1), (0, 2), (1, 3), (1, 4)], false);
        check(None, &[(0, 1), (0, 2), (0, 3)], false);
    }
}

//! Dynamic precision adjustment [beyer08; loewe13, Sect. III-F]: cells that take too many values on a path are not worth following
//! one by one.
//!
//! Each value of a cell has a rank: one more than that of the value that it replaced when it was met for the first time. So ranks
//! count the different values on the paths of an exploration, without a count in each state. A cell of which a value has too
//! high a rank leaves the precision, in all of its frames and whatever else tracks it. What was explored with it remains valid;
//! states that come later do not mention it, and cover the rest.

use super::cells::{CellId, Cells, KeyId};
use super::number::Val;
use super::precision::KeySet;
use rustc_hash::FxHashMap;

/// Which keys have left the precision, and the counts that decide it.
#[derive(Clone, Debug, Default)]
pub struct Adjustment {
    /// Most values of a cell on a path; without it, nothing is counted.
    limit: Option<u32>,
    ranks: FxHashMap<(CellId, Val), u32>,
    dropped: KeySet,
}

impl Adjustment {
    /// Drops cells with more values than `limit` on a path.
    pub fn new(limit: Option<u32>) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Whether anything is counted.
    #[inline]
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

    /// Makes a key leave the precision; whether it had not yet.
    pub fn leave(&mut self, key: KeyId) -> bool {
        self.limit.is_some() && self.dropped.insert(key)
    }

    /// Counts the value of a cell in a state, whose predecessor had the value `before`.
    pub fn observe(&mut self, cells: &Cells, cell: CellId, before: Option<Val>, val: Val) {
        let Some(limit) = self.limit else { return };
        if before == Some(val) || self.ranks.contains_key(&(cell, val)) {
            return;
        }
        let rank = 1 + before.and_then(|before| self.ranks.get(&(cell, before))).copied().unwrap_or(0);
        self.ranks.insert((cell, val), rank);
        if rank > limit {
            self.dropped.insert(cells.cells[cell].key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use cfa::VarId;

    /// Each pair is a value and what it replaces.
    #[track_caller]
    fn check(limit: Option<u32>, values: &[(Option<u32>, u32)], left: bool) {
        let mut cells = Cells::default();
        let cell = cells.add_register(None, VarId::from_index(0));
        let mut adjustment = Adjustment::new(limit);
        for (before, val) in values {
            adjustment.observe(&cells, cell, before.map(Val), Val(*val));
        }
        assert_eq!(adjustment.is_dropped(cells.cells[cell].key), left);
        assert_eq!(adjustment.dropped(), usize::from(left));
    }

    #[test]
    fn different_values_on_a_path_count() {
        check(Some(2), &[(None, 1), (Some(1), 2), (Some(2), 3)], true);
        check(Some(2), &[(None, 1), (Some(1), 2), (Some(2), 1), (Some(1), 2)], false);
        check(None, &[(None, 1), (Some(1), 2), (Some(2), 3)], false);
    }

    #[test]
    fn values_on_different_paths_do_not() {
        check(Some(2), &[(None, 1), (None, 2), (None, 3), (None, 4)], false);
        check(Some(2), &[(None, 1), (Some(1), 2), (Some(1), 3), (Some(1), 4)], false);
    }
}

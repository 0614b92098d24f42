//! Values that march: a register that counts in a loop takes another value in each round. If values end the loop, that is how it is
//! followed. If not, each round is another path that only predicates refute, and with the register's value they refute that round only.

use domains::composite::{Composite, CompositeCpa};
use domains::value::cells::{CellId, Key, KeyId};
use domains::value::number::Val;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// So many values on a path that values do not refute may be chance.
const ROUNDS: usize = 4;

/// Leaves registers to predicates that march along a path, which predicates have refuted; `points` are its states where blocks
/// begin. Returns how many.
pub fn leave_to_predicates(cpa: &mut CompositeCpa<'_>, points: impl Iterator<Item = Composite>) -> u64 {
    let mut taken: BTreeMap<CellId, FxHashSet<Val>> = BTreeMap::new();
    for state in points {
        for (cell, val) in cpa.store.entries(state.value) {
            taken.entry(cell).or_default().insert(val);
        }
    }
    let march = |(cell, vals): (CellId, FxHashSet<Val>)| {
        let key: KeyId = cpa.value.cells.cells[cell].key;
        let Key::Register(var) = cpa.value.cells.key_of(key) else { return None };
        (vals.len() > ROUNDS && cpa.value.is_accumulator(var)).then_some(key)
    };
    let marching: Vec<KeyId> = taken.into_iter().filter_map(march).collect();
    marching.into_iter().filter(|key| cpa.adjustment.leave(*key)).count() as u64
}

//! Registers that may not have been written since they were declared.

use crate::op::{HavocSource, Op};
use crate::program::{Body, EdgeId, LocId, Program, VarId};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Whether an edge makes a truth value of the arbitrary byte that a `_Bool` was declared with.
pub fn is_normalisation(p: &Program, edge: EdgeId) -> bool {
    let (Op::Assign { dst, .. }, [before]) = (&p.edges[edge].op, p.locs[p.edges[edge].src].inc.as_slice()) else {
        return false;
    };
    p.edges[*before].op == Op::Havoc { dst: *dst, source: HavocSource::Uninitialised }
        && p.edges[*before].span == p.edges[edge].span
}

/// Variables that may be unwritten, by location: the least fixed point of a forward analysis.
pub struct Unwritten {
    numbers: FxHashMap<VarId, usize>,
    at: FxHashMap<LocId, Vec<u64>>,
}

impl Unwritten {
    /// Analyses one function.
    pub fn new(p: &Program, body: Body, locals: &[VarId]) -> Self {
        let numbers: FxHashMap<VarId, usize> = locals.iter().enumerate().map(|(i, var)| (*var, i)).collect();
        let mut at: FxHashMap<LocId, Vec<u64>> = FxHashMap::default();
        at.insert(body.entry, vec![u64::MAX; locals.len().div_ceil(64)]);
        let mut waiting = vec![body.entry];
        while let Some(loc) = waiting.pop() {
            for edge in &p.locs[loc].out {
                let mut after = at.get(&loc).cloned().unwrap_or_default();
                let op = &p.edges[*edge].op;
                if let Some(number) = op.assigned().and_then(|var| numbers.get(&var))
                    && !is_normalisation(p, *edge)
                {
                    match op {
                        Op::Havoc { source: HavocSource::Uninitialised, .. } => {
                            after[number / 64] |= 1 << (number % 64)
                        }
                        _ => after[number / 64] &= !(1 << (number % 64)),
                    }
                }
                match at.entry(p.edges[*edge].dst) {
                    Entry::Vacant(entry) => drop(entry.insert(after)),
                    Entry::Occupied(mut entry) => {
                        let old = entry.get_mut();
                        if old.iter().zip(&after).all(|(old, new)| old | new == *old) {
                            continue;
                        }
                        old.iter_mut().zip(after).for_each(|(old, new)| *old |= new);
                    }
                }
                waiting.push(p.edges[*edge].dst);
            }
        }
        Self { numbers, at }
    }

    /// Whether the variable may be unwritten at a location.
    pub fn at(&self, loc: LocId, var: VarId) -> bool {
        let (Some(number), Some(at)) = (self.numbers.get(&var), self.at.get(&loc)) else { return false };
        at[number / 64] & (1 << (number % 64)) != 0
    }
}

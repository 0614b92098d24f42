//! What the product tracks where.

use crate::predicate::predicates::{PredicatePrecision, PredicateScope};
use crate::value::precision::ValuePrecision;
use cfa::LocId;
use rustc_hash::FxHashSet;

/// A precision of both domains.
#[derive(Clone, Debug, Default)]
pub struct ValuePredicatePrecision {
    /// Of the value domain.
    pub values: ValuePrecision,
    /// Of the predicate domain.
    pub predicates: PredicatePrecision,
    /// Locations whose blocks are asked with what holds at their start.
    asked: FxHashSet<LocId>,
}

impl ValuePredicatePrecision {
    /// Tracks values only.
    pub fn new(values: ValuePrecision, scope: PredicateScope) -> Self {
        Self { values, predicates: PredicatePrecision::empty(scope), asked: FxHashSet::default() }
    }

    /// Makes the blocks of a location be asked; whether they were not before.
    pub fn ask(&mut self, loc: LocId) -> bool {
        self.asked.insert(loc)
    }

    /// Whether the blocks of a location are asked.
    #[inline]
    pub fn is_asked(&self, loc: LocId) -> bool {
        self.asked.contains(&loc)
    }

    /// Whether any block is asked.
    #[inline]
    pub fn uses_predicates(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Number of locations whose blocks are asked.
    pub fn asked(&self) -> usize {
        self.asked.len()
    }
}

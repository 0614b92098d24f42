//! Limits of engines that are asked one question at a time.

use base::{Budget, Effort};
use smt::UnknownReason;
use std::time::Duration;

/// Z3's units of resources (`rlimit`) that make a unit of effort: about what it takes in a microsecond. Measured on loops, bit-vectors, ssh and
/// locks of SV-COMP 2014: predicates, induction and path checks take between 2 and 7 in a microsecond, most of them 4 or 5.
const RESOURCES: u64 = 4;
/// Microseconds in which a query that is counted rightly has spent a unit.
const SLOWEST: u64 = 2;
/// What a query takes besides, whatever it is: to translate it, and to begin.
const QUERY: Effort = Effort::units(100);

/// What a query may take.
pub(crate) struct Limits {
    pub(crate) budget: Budget,
    pub(crate) query_limit: Option<Effort>,
    /// Whether what reaches the limit is asked again in another way.
    pub(crate) is_tentative: bool,
}

/// What one query may take; `None` for no limit.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    /// By itself.
    query: Option<Effort>,
    /// What is left of the part of the run.
    left: Option<Effort>,
}

impl Limit {
    /// In Z3's units, 0 for no limit. What is left becomes less and less, so it is rounded up: a new limit for each query would take Z3 longer
    /// than most queries.
    pub(crate) fn resources(self) -> u32 {
        let left = self.left.map(|left| left.count().checked_next_power_of_two().unwrap_or(u64::MAX));
        let units = left.into_iter().chain(self.query.map(Effort::count)).min();
        units.and_then(|units| u32::try_from(units.saturating_mul(RESOURCES)).ok()).unwrap_or(0)
    }

    fn whole(self) -> Option<Effort> {
        self.left.into_iter().chain(self.query).min()
    }

    /// How long it may compute at most, whatever Z3 counts.
    pub(crate) fn computing(self) -> Option<Duration> {
        self.whole().map(|limit| Duration::from_micros(limit.count().saturating_mul(SLOWEST)))
    }

    /// What a query has taken that was ended for computing that long, in Z3's units.
    pub(crate) fn computed(self) -> u64 {
        self.whole().map_or(0, |limit| limit.count().saturating_mul(SLOWEST * RESOURCES))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { budget: Budget::unlimited(), query_limit: None, is_tentative: false }
    }
}

impl Limits {
    /// What the next query may take; the reason if it may take nothing.
    pub(crate) fn next(&self) -> Result<Limit, UnknownReason> {
        self.budget.check().map_err(UnknownReason::Stopped)?;
        Ok(Limit { query: self.query_limit, left: self.budget.left() })
    }

    /// Counts what Z3 took.
    pub(crate) fn spend(&self, resources: u64) {
        self.budget.spend(Effort::units(resources.div_ceil(RESOURCES)).plus(QUERY));
    }

    /// Why a query that ended without an answer did so, by Z3's words.
    pub(crate) fn reason(&self, words: String) -> UnknownReason {
        if let Err(stop) = self.budget.check() {
            return UnknownReason::Stopped(stop);
        }
        if words.contains("memory") || words.contains("memout") {
            return UnknownReason::Memory;
        }
        if self.query_limit.is_some() && is_exhaustion(&words) {
            if !self.is_tentative {
                self.budget.give_up("given_up.queries");
            }
            return UnknownReason::QueryLimit;
        }
        UnknownReason::Incomplete(words)
    }
}

/// Whether Z3's words mean that memory or resources ran out, so that an error is only an unanswered query.
pub(crate) fn is_exhaustion(words: &str) -> bool {
    ["memory", "memout", "canceled", "cancelled", "interrupted", "resource limit"].iter().any(|w| words.contains(w))
}

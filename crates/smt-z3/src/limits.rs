//! Limits of engines that are asked one question at a time.

use crate::ffi::alarm::End;
use base::{Budget, CpuInstant, Stop};
use smt::UnknownReason;
use std::time::Duration;

/// What a query may take.
pub(crate) struct Limits {
    pub(crate) budget: Budget,
    pub(crate) query_limit: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { budget: Budget::unlimited(), query_limit: None }
    }
}

impl Limits {
    /// When the next query has to end; the reason if it may take no time.
    pub(crate) fn end(&self) -> Result<End, UnknownReason> {
        self.budget.check().map_err(UnknownReason::Stopped)?;
        let cpu = match self.query_limit {
            Some(limit) => Some(self.budget.end_within(limit)),
            None => self.budget.end(),
        };
        let end = End { cpu, wall: self.budget.deadline() };
        if end.is_over(CpuInstant::now) { Err(UnknownReason::Stopped(Stop::Timeout)) } else { Ok(end) }
    }

    /// The same in milliseconds, `u32::MAX` for no limit.
    pub(crate) fn timeout(&self) -> Result<u32, UnknownReason> {
        self.budget.check().map_err(UnknownReason::Stopped)?;
        let remaining = self.budget.remaining();
        if remaining == Some(Duration::ZERO) {
            return Err(UnknownReason::Stopped(Stop::Timeout));
        }
        let limit = remaining.into_iter().chain(self.query_limit).min();
        Ok(limit.map_or(u32::MAX, |limit| u32::try_from(limit.as_millis().max(1)).unwrap_or(u32::MAX)))
    }

    /// Why a query that ended without an answer did so, by Z3's words.
    pub(crate) fn reason(&self, words: String) -> UnknownReason {
        if let Err(stop) = self.budget.check() {
            return UnknownReason::Stopped(stop);
        }
        if self.budget.remaining() == Some(Duration::ZERO) {
            return UnknownReason::Stopped(Stop::Timeout);
        }
        if words.contains("memory") || words.contains("memout") {
            return UnknownReason::Memory;
        }
        if self.query_limit.is_some() && is_exhaustion(&words) {
            return UnknownReason::QueryLimit;
        }
        UnknownReason::Incomplete(words)
    }
}

/// Whether Z3's words mean that memory or time ran out, so that an error is only an unanswered query.
pub(crate) fn is_exhaustion(words: &str) -> bool {
    ["memory", "memout", "canceled", "cancelled", "timeout", "interrupted", "resource limits"]
        .iter()
        .any(|w| words.contains(w))
}

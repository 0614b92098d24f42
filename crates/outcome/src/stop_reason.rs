//! Why a run ended without an answer, with the number that was hit.

use base::{Budget, Name, Place, Stop};
use std::fmt;
use std::time::Duration;

/// Why there is no answer; `Display` is the REASON of `verdict: unknown (REASON)`: one line, without parentheses at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The time limit was reached.
    Timeout {
        /// The limit, if the budget knows it.
        limit: Option<Duration>,
    },
    /// The memory limit was reached.
    Memory {
        /// The limit in bytes, if the budget knows it.
        limit: Option<u64>,
    },
    /// The user asked to stop.
    Interrupted,
    /// A construct that is not modelled can be reached (or it could not be excluded).
    Unsupported {
        /// Kind of construct.
        construct: Name,
        /// What exactly; may be empty.
        detail: String,
        /// Where.
        place: Option<Place>,
    },
    /// No run reaches the error, but one meets undefined behaviour after which a machine goes on in a way that is not followed.
    Undefined {
        /// What, such as `write out of bounds`.
        what: String,
        /// Where.
        place: Option<Place>,
    },
    /// The configured unwinding bound was searched without an error, but runs go on beyond it.
    BoundReached {
        /// The bound.
        unwind: u32,
    },
    /// A counterexample was found, but the interpreter does not reach the error on it.
    ReplayFailed {
        /// What the interpreter did instead.
        why: String,
    },
    /// The solver gave up on a query that matters.
    SolverUnknown {
        /// The solver's words.
        why: String,
    },
    /// Calls are nested more deeply than this.
    StackDepth {
        /// Number of frames.
        limit: u32,
    },
    /// The program is larger than what this configuration handles.
    TooLarge {
        /// What is too large, such as `formula of 10000000 nodes`.
        what: String,
    },
    /// A proof was found, but checking it again did not confirm it.
    ProofRejected {
        /// What failed.
        why: String,
    },
    /// An error path came back although it was refuted.
    NoProgress,
    /// A path is feasible in the abstract domain, but not in the program.
    TooCoarse {
        /// The domain, such as `value`.
        domain: &'static str,
        /// The branch that no run of the path takes.
        place: Option<Place>,
    },
    /// The configuration can't answer for this program.
    NotApplicable {
        /// Why not.
        why: String,
    },
    /// A defect of Hone.
    Internal {
        /// What failed, for a report of the defect; shown in the notes only.
        detail: String,
    },
}

impl StopReason {
    /// Where in the program the reason lies, if it does.
    pub fn place(&self) -> Option<&Place> {
        match self {
            StopReason::Unsupported { place, .. }
            | StopReason::Undefined { place, .. }
            | StopReason::TooCoarse { place, .. } => place.as_ref(),
            _ => None,
        }
    }

    /// Whether a run that an analysis has found is none of the program: the error is not reached, or not in a way that counts.
    pub fn is_of_replay(&self) -> bool {
        matches!(self, StopReason::ReplayFailed { .. } | StopReason::Undefined { .. })
    }

    /// The reason for a stop by `budget`.
    pub fn from_stop(stop: Stop, budget: &Budget) -> Self {
        match stop {
            Stop::Timeout => StopReason::Timeout { limit: budget.time_limit() },
            Stop::Memory => StopReason::Memory { limit: budget.memory_limit() },
            Stop::Interrupted => StopReason::Interrupted,
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::Timeout { .. } => f.write_str("timeout"),
            StopReason::Memory { .. } => f.write_str("memory"),
            StopReason::Interrupted => f.write_str("interrupted"),
            StopReason::Unsupported { construct, place, .. } => {
                write!(f, "unsupported: {construct}")?;
                place.as_ref().map_or(Ok(()), |place| write!(f, ", {place}"))
            }
            StopReason::Undefined { what, place } => {
                write!(f, "undefined behaviour: {what}")?;
                place.as_ref().map_or(Ok(()), |place| write!(f, ", {place}"))
            }
            StopReason::BoundReached { unwind } => write!(f, "unwinding bound {unwind} reached"),
            StopReason::ReplayFailed { .. } => f.write_str("counterexample not confirmed by replay"),
            StopReason::SolverUnknown { .. } => f.write_str("solver gave up"),
            StopReason::StackDepth { limit } => write!(f, "calls nested deeper than {limit}"),
            StopReason::TooLarge { what } => write!(f, "too large: {what}"),
            StopReason::ProofRejected { .. } => f.write_str("proof not confirmed"),
            StopReason::NoProgress => f.write_str("no progress"),
            StopReason::TooCoarse { domain, .. } => write!(f, "{domain} domain too coarse"),
            StopReason::NotApplicable { why } => write!(f, "not applicable: {why}"),
            StopReason::Internal { .. } => f.write_str("internal error"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_of_a_budget_is_kept() {
        let budget = Budget::new(Some(Duration::from_secs(5)), Some(7));
        let limit = Some(Duration::from_secs(5));
        assert_eq!(StopReason::from_stop(Stop::Timeout, &budget), StopReason::Timeout { limit });
        assert_eq!(StopReason::from_stop(Stop::Memory, &budget), StopReason::Memory { limit: Some(7) });
    }
}

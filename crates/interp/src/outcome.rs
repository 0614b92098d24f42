//! The outcomes of runs.

use base::Stop;
use cfa::{EdgeId, Undefined, UnsupportedId};

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The observer's error state was reached.
    Violation {
        /// The edge that reached it.
        edge: EdgeId,
    },
    /// The program ended.
    Exited {
        /// What `main` returned; `None` after `exit`, `abort` and the like.
        status: Option<i32>,
    },
    /// Undefined behaviour.
    Undefined {
        /// Its kind.
        what: Undefined,
        /// Where.
        edge: EdgeId,
        /// What exactly, for the user; may be empty.
        detail: String,
    },
    /// No edge can be taken: an assumption failed.
    Blocked,
    /// A construct that is not modelled was reached.
    Unsupported {
        /// Which.
        what: UnsupportedId,
        /// Where.
        edge: EdgeId,
    },
    /// An input is not what C's library gives for these arguments.
    Contradicted {
        /// The call.
        edge: EdgeId,
    },
    /// A limit of the budget, of memory or of the address space was reached.
    Stopped(Stop),
    /// The limit of steps was reached.
    StepLimit,
}

/// Outcome and extent of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// Number of edges taken.
    pub steps: u64,
}

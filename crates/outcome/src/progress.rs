//! Messages of an algorithm about its progress while it runs.

use crate::{Outcome, PartialProof};

/// An event of a run; the receiver adds time and memory.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A phase began (`parse`, `unwind`, `solve`, `replay`).
    Phase(&'static str),
    /// The algorithm works on this bound.
    Bound(u32),
    /// A sub-result worth a line of a log, such as `unwind 4: no error`.
    Info(String),
    /// This is proved, whatever the answer will be.
    Proved(Box<PartialProof>),
    /// The run has its answer, and only waits for analyses that run at the same time to stop.
    Answered(Box<Outcome>),
}

/// Receives events, from any thread; must return at once.
pub trait Progress: Send + Sync {
    /// Takes an event.
    fn event(&self, event: Event);
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn event(&self, _: Event) {}
}

//! Asks engines one after the other until one gives a checked sequence that makes progress.

use super::check::check_sequence;
use super::{EngineContext, EngineError, SequenceEngine, Trace};
use smt::{TermId, Terms};

/// What became of one engine's attempt.
#[derive(Debug)]
pub enum Attempt {
    /// Its sequence is one, but the caller knew all of it.
    NoProgress,
    /// It gave no sequence, or one that is not correct.
    Failed(String),
}

/// A sequence of interpolants that was checked.
#[derive(Debug)]
pub struct Refutation {
    /// One formula for each cut.
    pub itps: Vec<TermId>,
    /// Name of the engine that found it.
    pub engine: &'static str,
}

/// Engines in the order in which they are asked.
#[derive(Default)]
pub struct Chain {
    engines: Vec<Box<dyn SequenceEngine>>,
    /// For each engine: asked, accepted, without progress, rejected by the check.
    counts: Vec<Counts>,
}

/// How often an engine was asked, and how it went.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Traces that it was asked about.
    pub asked: u64,
    /// Sequences that were accepted.
    pub accepted: u64,
    /// Correct sequences without progress.
    pub no_progress: u64,
    /// Sequences that the check rejected.
    pub rejected: u64,
}

impl Chain {
    /// A chain of these engines.
    pub fn new(engines: Vec<Box<dyn SequenceEngine>>) -> Self {
        let counts = vec![Counts::default(); engines.len()];
        Self { engines, counts }
    }

    /// Names and counts of the engines, in their order.
    pub fn statistics(&self) -> impl Iterator<Item = (&'static str, Counts)> + '_ {
        self.engines.iter().map(|engine| engine.name()).zip(self.counts.iter().copied())
    }

    /// The first correct sequence for which `is_progress` holds.
    ///
    /// When there is none, but a correct one without progress, that is not returned: the caller would do the same again. The
    /// error is that of the last engine then. [`EngineError::Feasible`] of any engine ends the search.
    pub fn refute(
        &mut self,
        terms: &mut Terms,
        trace: &Trace,
        ctx: &EngineContext<'_>,
        mut is_progress: impl FnMut(&mut Terms, &[TermId]) -> bool,
    ) -> Result<Refutation, ChainError> {
        let mut attempts = Vec::new();
        for (engine, counts) in self.engines.iter_mut().zip(&mut self.counts) {
            counts.asked += 1;
            let attempt = match engine.interpolate(terms, trace, ctx) {
                Ok(itps) => match check_sequence(terms, trace, &itps, ctx) {
                    Ok(()) if is_progress(terms, &itps) => {
                        counts.accepted += 1;
                        return Ok(Refutation { itps, engine: engine.name() });
                    }
                    Ok(()) => {
                        counts.no_progress += 1;
                        Attempt::NoProgress
                    }
                    Err(error) => {
                        counts.rejected += 1;
                        Attempt::Failed(error.to_string())
                    }
                },
                Err(EngineError::Feasible) => return Err(ChainError::Feasible),
                Err(error) if error.ends_run() => return Err(ChainError::Stopped(error)),
                Err(error) => Attempt::Failed(error.to_string()),
            };
            attempts.push((engine.name(), attempt));
        }
        Err(ChainError::Exhausted(attempts))
    }
}

/// Why there is no refutation.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// The formulas hold together.
    #[error("the sequence is feasible")]
    Feasible,
    /// The run has to end.
    #[error(transparent)]
    Stopped(EngineError),
    /// No engine has found anything new; what became of each.
    #[error("no engine has refuted the sequence: {0:?}")]
    Exhausted(Vec<(&'static str, Attempt)>),
}

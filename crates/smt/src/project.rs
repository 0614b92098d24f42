//! The trait of engines that eliminate quantifiers.

use crate::solver::{SmtError, UnknownReason};
use crate::term::{TermId, Terms};
use base::Budget;
use std::time::Duration;

/// How much work an elimination may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Equalities are solved; nothing else.
    Light,
    /// Whatever the engine can do within its limits.
    Full,
}

/// Result of an elimination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Projected {
    /// Equivalent to the quantified formula, and without the variables.
    Exact(TermId),
    /// Not found.
    Unknown(UnknownReason),
}

/// Eliminates existential quantifiers.
pub trait Projector {
    /// The formula `exists eliminate. formula` without its quantifier.
    fn project(
        &mut self,
        terms: &mut Terms,
        formula: TermId,
        eliminate: &[TermId],
        effort: Effort,
    ) -> Result<Projected, SmtError>;

    /// Sets the limits of the run.
    fn set_budget(&mut self, budget: &Budget);

    /// Sets the limit of each query, beside the budget.
    fn set_query_limit(&mut self, limit: Option<Duration>);
}

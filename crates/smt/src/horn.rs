//! Constrained Horn clauses over terms, and the trait of engines that solve them.
//!
//! A clause says `body and constraint imply head`; all its variables are universally quantified. A solution gives each
//! predicate a formula over its parameters such that every clause holds. Interpolants of sequences and trees are solutions of
//! systems without recursion; invariants of those with it.

use crate::solver::{SmtError, UnknownReason};
use crate::term::{TermId, Terms};
use base::{Budget, Effort};

/// A predicate to be found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HornPredicate {
    /// Variables that stand for the arguments in a solution; all different.
    pub params: Vec<TermId>,
}

/// A predicate of a system, by its position, applied to terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HornApp {
    /// Index into [`HornSystem::predicates`].
    pub predicate: usize,
    /// One term for each parameter, of its sort.
    pub args: Vec<TermId>,
}

/// `body and constraint imply head`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HornClause {
    /// Predicates that are assumed.
    pub body: Vec<HornApp>,
    /// Formula that is assumed, without predicates.
    pub constraint: TermId,
    /// What follows; `None` for `false`.
    pub head: Option<HornApp>,
}

/// A system of clauses.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HornSystem {
    /// The unknowns.
    pub predicates: Vec<HornPredicate>,
    /// What they must satisfy.
    pub clauses: Vec<HornClause>,
}

/// Answer of a Horn engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HornResult {
    /// A formula for each predicate, over its parameters.
    Solved(Vec<TermId>),
    /// The system has no solution.
    Unsolvable,
    /// Not decided.
    Unknown(UnknownReason),
}

/// Solves systems of Horn clauses.
///
/// Callers check a solution before they use it: engines are complicated.
pub trait HornSolver {
    /// Looks for a solution. The formulas of a solution are built in `terms`.
    fn solve(&mut self, terms: &mut Terms, system: &HornSystem) -> Result<HornResult, SmtError>;

    /// Sets the limits of the run.
    fn set_budget(&mut self, budget: &Budget);

    /// Sets the limit of each query, beside the budget.
    fn set_query_limit(&mut self, limit: Option<Effort>);
}

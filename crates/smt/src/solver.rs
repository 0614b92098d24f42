//! The traits of solvers.
//!
//! A backend implements [`Solver`]; [`crate::contract`] tests it. A query that isn't decided is [`SatResult::Unknown`] with
//! its reason, never sat or unsat.

use crate::eval::{Assignment, Evaluator};
use crate::term::{TermId, Terms};
use crate::value::Value;
use base::{Budget, Effort, Stop};

/// Answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SatResult {
    /// Satisfiable; [`Solver::model`] has a model.
    Sat,
    /// Unsatisfiable; [`Solver::unsat_core`] has the assumptions that were used.
    Unsat,
    /// Not decided.
    Unknown(UnknownReason),
}

/// Why a query was not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// The run has to end.
    Stopped(Stop),
    /// The limit of the query was reached.
    QueryLimit,
    /// The solver's memory ran out.
    Memory,
    /// The solver gave up; its own words.
    Incomplete(String),
}

/// What goes wrong in a solver apart from not knowing.
#[derive(Debug, thiserror::Error)]
pub enum SmtError {
    /// The solver reported an error.
    #[error("solver error: {0}")]
    Backend(String),
    /// The backend cannot express a term.
    #[error("the solver does not support {0}")]
    Unsupported(String),
    /// A model or core was asked for without an answer that has one.
    #[error("the last query has no {0}")]
    NotAvailable(&'static str),
}

/// An incremental solver with assumptions.
///
/// All terms of one solver come from one arena.
pub trait Solver {
    /// Adds a formula until the matching [`Solver::pop`].
    fn assert(&mut self, terms: &Terms, formula: TermId) -> Result<(), SmtError>;

    /// Whether the assertions and the assumptions hold together.
    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<SatResult, SmtError>;

    /// Opens a scope of assertions.
    fn push(&mut self) -> Result<(), SmtError>;

    /// Closes the last scope.
    fn pop(&mut self) -> Result<(), SmtError>;

    /// A model of the last query, which was satisfiable.
    fn model(&mut self, terms: &Terms) -> Result<Model, SmtError>;

    /// A subset of the last query's assumptions that is unsatisfiable with the assertions, in the order of the assumptions.
    ///
    /// This may ask the solver again; it is the whole of the assumptions when a limit is reached meanwhile.
    fn unsat_core(&mut self, terms: &Terms) -> Result<Vec<TermId>, SmtError>;

    /// Sets the limits of the run: a running query ends when the budget is stopped or its effort is spent.
    fn set_budget(&mut self, budget: &Budget);

    /// Sets the limit of each query, beside the budget.
    fn set_query_limit(&mut self, limit: Option<Effort>);
}

/// Values of the variables; those that it does not list have the default of their sort (zero, false).
#[derive(Clone, Default, Debug)]
pub struct Model {
    values: Assignment,
}

impl Model {
    /// A model from the values of some variables.
    pub fn new(values: Assignment) -> Self {
        Self { values }
    }

    /// Gives the values of many terms.
    pub fn evaluator<'a>(&'a self, terms: &'a Terms) -> Evaluator<'a> {
        Evaluator::new(terms, &self.values)
    }

    /// Value of any term; use [`Model::evaluator`] for many.
    pub fn value(&self, terms: &Terms, t: TermId) -> Value {
        match self.values.get(&t) {
            Some(value) => value.clone(),
            None => self.evaluator(terms).eval(t),
        }
    }

    /// Whether a formula is true.
    pub fn satisfies(&self, terms: &Terms, formula: TermId) -> bool {
        self.value(terms, formula) == Value::Bool(true)
    }

    /// The variables with a listed value.
    pub fn assignment(&self) -> &Assignment {
        &self.values
    }
}

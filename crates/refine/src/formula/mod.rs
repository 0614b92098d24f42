//! Refutes infeasible sequences of formulas: from a sequence to the predicates that contradict it.
//!
//! A [`Trace`] is a sequence of step formulas `A_1 .. A_n` whose conjunction is unsatisfiable. A *sequence of interpolants*
//! `I_1 .. I_{n-1}` has, with `I_0 = true` and `I_n = false`,
//!
//! * `I_{i-1} and A_i` imply `I_i`, and
//! * only variables in `I_i` that the trace's interface allows between step i and step i + 1.
//!
//! Each engine is one file and implements [`SequenceEngine`]; [`check`] checks every sequence before somebody uses it, and
//! [`chain`] asks one engine after the other until there is a checked sequence that makes progress.

pub mod arithmetic;
pub mod atoms;
pub mod binary;
pub mod chain;
pub mod check;
pub mod divergence;
pub mod guess;
pub mod horn;
pub mod linear;
pub mod newton;

pub mod project;
pub mod samples;
pub mod templates;

mod implicant;
mod solve;
mod weaken;
mod witness;

#[cfg(test)]
mod tests;

use base::{Budget, Effort};
use rustc_hash::FxHashSet;
use smt::{Backend, BinOp, Node, SatResult, SmtError, Solver, Sort, TermId, Terms, UnknownReason, subst, vars_of};

/// What one statement does, over the variables (SSA) of its trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Statement {
    /// `var = term`, where `var` is a new variable that no earlier statement mentions.
    Assign {
        /// The variable that is defined.
        var: TermId,
        /// Its value.
        term: TermId,
    },
    /// The formula holds.
    Assume(TermId),
    /// The variable is new and has any value.
    Havoc(TermId),
}

/// One step of a trace.
#[derive(Clone, Default, Debug)]
pub struct Step {
    /// The formula of the step, as a conjunction.
    pub conjuncts: Vec<TermId>,
    /// The same, statement by statement, if that is known; their conjunction is equivalent to that of `conjuncts`.
    pub statements: Vec<Statement>,
}

/// From which end an engine works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the first step.
    Forward,
    /// From the last step.
    Backward,
}

/// An infeasible sequence of formulas.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    /// The steps.
    pub steps: Vec<Step>,
    /// The variables that the interpolant between step i and step i + 1 may mention; one fewer than steps.
    pub interface: Vec<Vec<TermId>>,
}

impl Step {
    /// A step of which only the conjuncts are known.
    pub fn of(conjuncts: impl Into<Vec<TermId>>) -> Self {
        Self { conjuncts: conjuncts.into(), statements: Vec::new() }
    }

    /// The step's formula.
    pub fn formula(&self, terms: &mut Terms) -> TermId {
        terms.and_all(&self.conjuncts)
    }
}

impl Trace {
    /// Number of interpolants of a sequence.
    pub fn cuts(&self) -> usize {
        self.interface.len()
    }

    /// The same from the end; the negations of its interpolants are interpolants of this one, in reverse order.
    pub fn reversed(&self) -> Self {
        Self {
            steps: self.steps.iter().rev().cloned().collect(),
            interface: self.interface.iter().rev().cloned().collect(),
        }
    }

    /// Whether steps and interfaces fit together.
    pub fn is_well_formed(&self) -> bool {
        self.steps.len() == self.interface.len() + 1
    }
}

/// Why an engine has no sequence.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The formulas hold together: there is nothing to refute.
    #[error("the sequence is feasible")]
    Feasible,
    /// The engine does not know a theory, or misses a part of the input.
    #[error("not supported: {0}")]
    Unsupported(&'static str),
    /// What was found is too weak to contradict the rest.
    #[error("the predicate at cut {0} is too weak")]
    TooWeak(usize),
    /// A limit of the engine was reached.
    #[error("limit reached: {0}")]
    Limit(&'static str),
    /// A query was not decided.
    #[error("a query was not decided: {0:?}")]
    Unknown(UnknownReason),
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SmtError),
}

impl EngineError {
    /// Whether the whole run has to end, so that no other engine should be tried.
    pub fn ends_run(&self) -> bool {
        matches!(self, EngineError::Unknown(UnknownReason::Stopped(_)))
    }
}

/// What engines may use.
pub struct EngineContext<'a> {
    /// Makes solvers.
    pub backend: &'a dyn Backend,
    /// Limits of the run.
    pub budget: &'a Budget,
    /// Limit of each query.
    pub query_limit: Effort,
    /// Limit of each engine's work on one trace.
    pub engine_limit: Effort,
}

/// How much will be spent when an engine must give up.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Effort);

impl EngineContext<'_> {
    /// A solver for many related queries, with the limits.
    pub fn solver(&self) -> Box<dyn Solver> {
        let mut solver = self.backend.incremental();
        solver.set_budget(self.budget);
        solver.set_query_limit(Some(self.query_limit));
        solver
    }

    /// The same for queries about a trace: without floats, products and quotients they are easy, and very many.
    pub(crate) fn solver_for(&self, terms: &Terms, trace: &Trace) -> Box<dyn Solver> {
        let roots: Vec<TermId> = trace.steps.iter().flat_map(|step| step.conjuncts.iter().copied()).collect();
        let hard = |t: &TermId| match terms.node(*t) {
            Node::Bin(BinOp::BvMul | BinOp::BvUdiv | BinOp::BvSdiv | BinOp::BvUrem | BinOp::BvSrem, a, b) => {
                !terms.is_const(a) && !terms.is_const(b)
            }
            _ => matches!(terms.sort(*t), Sort::Float(_)),
        };
        if subst::subterms(terms, &roots).iter().any(hard) {
            return self.solver();
        }
        let mut solver = self.backend.quick();
        solver.set_budget(self.budget);
        solver.set_query_limit(Some(self.query_limit));
        solver
    }

    /// When an engine that starts now must give up.
    pub fn deadline(&self) -> Deadline {
        Deadline(self.budget.end_within(self.engine_limit))
    }

    /// An error when the run or the engine has to end.
    pub fn check(&self, deadline: Deadline) -> Result<(), EngineError> {
        self.budget.check().map_err(|stop| EngineError::Unknown(UnknownReason::Stopped(stop)))?;
        if self.budget.spent() < deadline.0 {
            return Ok(());
        }
        self.budget.give_up("given_up.engines");
        Err(EngineError::Limit("effort of the engine"))
    }
}

/// Whether a query is unsatisfiable; an error if it was not decided.
pub(crate) fn is_unsat(solver: &mut dyn Solver, terms: &Terms, assumptions: &[TermId]) -> Result<bool, EngineError> {
    match solver.check(terms, assumptions)? {
        SatResult::Unsat => Ok(true),
        SatResult::Sat => Ok(false),
        SatResult::Unknown(reason) => Err(EngineError::Unknown(reason)),
    }
}

/// For each cut, the variables of the interface that occur on both sides.
pub(crate) fn shared(terms: &Terms, trace: &Trace) -> Vec<FxHashSet<TermId>> {
    let vars: Vec<Vec<TermId>> = trace.steps.iter().map(|step| vars_of(terms, &step.conjuncts)).collect();
    let mut later: Vec<FxHashSet<TermId>> = vec![FxHashSet::default(); vars.len()];
    for i in (1..vars.len()).rev() {
        let mut set = later[i].clone();
        set.extend(vars[i].iter().copied());
        later[i - 1] = set;
    }
    let mut earlier: FxHashSet<TermId> = FxHashSet::default();
    let mut result = Vec::with_capacity(trace.cuts());
    for (i, interface) in trace.interface.iter().enumerate() {
        earlier.extend(vars[i].iter().copied());
        result.push(interface.iter().copied().filter(|v| earlier.contains(v) && later[i].contains(v)).collect());
    }
    result
}

/// Finds interpolants of a sequence.
pub trait SequenceEngine {
    /// The engine's name in statistics.
    fn name(&self) -> &'static str;

    /// A candidate for a sequence of interpolants: one formula for each cut of the trace. It is not to be trusted before
    /// [`check::check_sequence`] has agreed.
    fn interpolate(
        &mut self,
        terms: &mut Terms,
        trace: &Trace,
        ctx: &EngineContext<'_>,
    ) -> Result<Vec<TermId>, EngineError> {
        if trace.is_well_formed() {
            self.solve(terms, trace, ctx)
        } else {
            Err(EngineError::Unsupported("a trace without interfaces"))
        }
    }

    /// [`SequenceEngine::interpolate`] for a well-formed trace.
    fn solve(&mut self, terms: &mut Terms, trace: &Trace, ctx: &EngineContext<'_>) -> Result<Vec<TermId>, EngineError>;
}

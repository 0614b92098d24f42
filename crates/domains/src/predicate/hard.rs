//! Questions about products, quotients and shifts, which a solver should simplify before it looks at bits.
//!
//! The solvers that enumerate rows of truth values are made for very many easy queries. Where formulas multiply, another one first
//! finds out which of them follow from what is known.

use super::abstraction::failed;
use super::solvers::Solvers;
use analysis::AnalysisError;
use base::{Budget, Effort};
use smt::subst::subterms;
use smt::{BinOp, Model, Node, SatResult, TermId, Terms, UnknownReason};

/// Most effort for one query.
const QUERY_LIMIT: Effort = Effort::thousands(800);
/// Attempts that take more, and find nothing, are a waste of effort.
const SHORT: Effort = Effort::thousands(50);
/// So many of those are made before one has been of use, and for each that was.
const PATIENCE: u32 = 6;

/// What came of attempts so far.
#[derive(Clone, Copy, Default)]
pub struct Attempts {
    useful: u32,
    wasted: u32,
}

/// See the module.
pub struct Hard<'a, 'b> {
    terms: &'a mut Terms,
    solvers: &'a Solvers<'b>,
    budget: &'a Budget,
    attempts: &'a mut Attempts,
}

enum Answer {
    Never,
    Model(Model),
    Unknown,
}

impl<'a, 'b> Hard<'a, 'b> {
    /// Asks solvers of their own.
    pub fn new(terms: &'a mut Terms, solvers: &'a Solvers<'b>, budget: &'a Budget, attempts: &'a mut Attempts) -> Self {
        Self { terms, solvers, budget, attempts }
    }

    /// Whether the facts are hard, and certainly contradict each other.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn never(&mut self, facts: &[TermId]) -> Result<bool, AnalysisError> {
        if !self.is_worth_it(&[facts]) {
            return Ok(false);
        }
        let began = self.budget.spent();
        let never = matches!(self.ask(facts)?, Answer::Never);
        self.note(never, began);
        Ok(never)
    }

    /// Whether something is hard, and attempts have been of use.
    fn is_worth_it(&self, formulas: &[&[TermId]]) -> bool {
        self.attempts.wasted < PATIENCE * (1 + self.attempts.useful)
            && formulas.iter().any(|formulas| is_hard(self.terms, formulas))
    }

    fn note(&mut self, useful: bool, began: Effort) {
        if useful {
            self.attempts.useful += 1;
        } else if self.budget.spent().without(began) > SHORT {
            self.attempts.wasted += 1;
            self.budget.give_up("given_up.hard_questions");
        }
    }

    /// Those of the formulas that follow from the facts; none if nothing is hard.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn implied(&mut self, facts: &[TermId], formulas: &[TermId]) -> Result<Vec<TermId>, AnalysisError> {
        if !self.is_worth_it(&[facts, formulas]) {
            return Ok(Vec::new());
        }
        let began = self.budget.spent();
        let implied = self.search(facts, formulas)?;
        self.note(!implied.is_empty(), began);
        Ok(implied)
    }

    fn search(&mut self, facts: &[TermId], formulas: &[TermId]) -> Result<Vec<TermId>, AnalysisError> {
        let mut candidates = formulas.to_vec();
        while !candidates.is_empty() {
            let all = self.terms.and_all(&candidates);
            match self.violated(facts, all)? {
                Answer::Never => break,
                Answer::Model(model) => {
                    let before = candidates.len();
                    candidates.retain(|formula| model.value(self.terms, *formula).as_bool() == Some(true));
                    if candidates.len() == before {
                        candidates.clear();
                    }
                }
                Answer::Unknown => {
                    let mut certain = Vec::new();
                    for formula in candidates {
                        if matches!(self.violated(facts, formula)?, Answer::Never) {
                            certain.push(formula);
                        }
                    }
                    return Ok(certain);
                }
            }
        }
        Ok(candidates)
    }

    fn violated(&mut self, facts: &[TermId], formula: TermId) -> Result<Answer, AnalysisError> {
        let mut query = facts.to_vec();
        query.push(self.terms.not(formula));
        self.ask(&query)
    }

    fn ask(&mut self, formulas: &[TermId]) -> Result<Answer, AnalysisError> {
        self.budget.check()?;
        let mut solver = self.solvers.one_shot();
        solver.set_query_limit(Some(QUERY_LIMIT));
        for formula in formulas {
            solver.assert(self.terms, *formula).map_err(failed)?;
        }
        Ok(match solver.check(self.terms, &[]) {
            Ok(SatResult::Unsat) => Answer::Never,
            Ok(SatResult::Sat) => solver.model(self.terms).map_or(Answer::Unknown, Answer::Model),
            Ok(SatResult::Unknown(UnknownReason::Stopped(stop))) => return Err(stop.into()),
            Ok(SatResult::Unknown(_)) | Err(_) => Answer::Unknown,
        })
    }
}

/// Whether formulas have products or quotients of variables, or shifts by them.
fn is_hard(terms: &Terms, formulas: &[TermId]) -> bool {
    subterms(terms, formulas).into_iter().any(|term| match terms.node(term) {
        Node::Bin(BinOp::BvMul | BinOp::BvUdiv | BinOp::BvSdiv | BinOp::BvUrem | BinOp::BvSrem, a, b) => {
            !terms.is_const(a) && !terms.is_const(b)
        }
        Node::Bin(BinOp::BvShl | BinOp::BvLshr | BinOp::BvAshr, _, b) => !terms.is_const(b),
        _ => false,
    })
}

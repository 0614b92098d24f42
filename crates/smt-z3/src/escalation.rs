//! A solver for many queries of which most are easy: what is hard after all is asked again, simplified as a whole.
//!
//! Z3's plain search answers an easy query in a tenth of the time, and may take a hundred times as long for a sum of words of 64 bits.

use crate::{Mode, Z3Solver};
use base::{Budget, Effort};
use smt::{Model, SatResult, SmtError, Solver, TermId, Terms, UnknownReason};

/// What an easy query takes at most.
const EASY: Effort = Effort::thousands(60);

/// See the module.
pub struct EscalatingSolver {
    plain: Z3Solver,
    /// The solver that has answered the last query, if the plain one had to give up.
    thorough: Option<Z3Solver>,
    assertions: Vec<TermId>,
    /// For each open scope, the number of assertions before it.
    scopes: Vec<usize>,
    budget: Budget,
    query_limit: Option<Effort>,
}

impl Default for EscalatingSolver {
    fn default() -> Self {
        Self {
            plain: Z3Solver::new(Mode::Quick),
            thorough: None,
            assertions: Vec::new(),
            scopes: Vec::new(),
            budget: Budget::unlimited(),
            query_limit: None,
        }
    }
}

impl EscalatingSolver {
    fn last(&mut self) -> &mut Z3Solver {
        self.thorough.as_mut().unwrap_or(&mut self.plain)
    }
}

impl Solver for EscalatingSolver {
    fn assert(&mut self, terms: &Terms, formula: TermId) -> Result<(), SmtError> {
        self.thorough = None;
        self.assertions.push(formula);
        self.plain.assert(terms, formula)
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<SatResult, SmtError> {
        self.thorough = None;
        if self.query_limit.is_some_and(|limit| limit <= EASY) {
            self.plain.set_query_limit(self.query_limit);
            return self.plain.check(terms, assumptions);
        }
        self.plain.set_tentative_limit(EASY);
        match self.plain.check(terms, assumptions)? {
            SatResult::Unknown(UnknownReason::QueryLimit) => {}
            answer => return Ok(answer),
        }
        let mut thorough = Z3Solver::new(Mode::OneShot);
        thorough.set_budget(&self.budget);
        thorough.set_query_limit(self.query_limit);
        for assertion in &self.assertions {
            thorough.assert(terms, *assertion)?;
        }
        self.thorough.insert(thorough).check(terms, assumptions)
    }

    fn push(&mut self) -> Result<(), SmtError> {
        self.thorough = None;
        self.scopes.push(self.assertions.len());
        self.plain.push()
    }

    fn pop(&mut self) -> Result<(), SmtError> {
        self.thorough = None;
        let start = self.scopes.pop().ok_or(SmtError::NotAvailable("open scope"))?;
        self.assertions.truncate(start);
        self.plain.pop()
    }

    fn model(&mut self, terms: &Terms) -> Result<Model, SmtError> {
        self.last().model(terms)
    }

    fn unsat_core(&mut self, terms: &Terms) -> Result<Vec<TermId>, SmtError> {
        self.last().unsat_core(terms)
    }

    fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.plain.set_budget(budget);
    }

    fn set_query_limit(&mut self, limit: Option<Effort>) {
        self.query_limit = limit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Sort;

    #[test]
    fn escalation_keeps_the_contract() {
        smt::contract::run(&|| Box::new(EscalatingSolver::default()));
    }

    /// `(x + y) * (x - y)` and `x * x - y * y` differ for no numbers; the plain search takes minutes to see it.
    #[test]
    fn hard_queries_have_answers_cores_and_models() {
        let mut terms = Terms::new();
        let sort = Sort::BitVec(16);
        let (x, y) = (terms.var("x", sort), terms.var("y", sort));
        let mut solver = EscalatingSolver::default();
        let (product, n) = (terms.bv_mul(x, y), terms.bv(16, 251 * 241));
        let (one, top) = (terms.bv(16, 1), terms.bv(16, 256));
        for bound in [terms.ult(one, x), terms.ult(one, y), terms.ult(x, top), terms.ult(y, top)] {
            assert!(solver.assert(&terms, bound).is_ok());
        }
        let equal = terms.eq(product, n);
        assert!(matches!(solver.check(&terms, &[equal]), Ok(SatResult::Sat)));
        assert!(solver.model(&terms).is_ok_and(|model| model.satisfies(&terms, equal)));
        let small = terms.bv(16, 241);
        let (x_is_small, y_is_small) = (terms.ult(x, small), terms.ult(y, small));
        assert!(matches!(solver.check(&terms, &[equal, x_is_small, y_is_small]), Ok(SatResult::Unsat)));
        assert!(solver.unsat_core(&terms).is_ok_and(|core| core.contains(&equal) && core.len() > 1));
    }
}

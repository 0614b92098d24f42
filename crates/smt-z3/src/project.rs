//! Quantifier elimination by Z3's tactics.

use crate::ffi::engine::Quantifier;
use crate::ffi::{self, Ast, Context, pool};
use crate::limits::Limits;
use crate::read::Reader;
use crate::translate::{Arrays, Failure, Translation};
use base::Budget;
use smt::project::{Effort, Projected, Projector};
use smt::{SmtError, TermId, Terms, UnknownReason, vars_of};
use std::sync::Arc;
use std::time::Duration;

/// Z3's tactics `qe-light` and `qe2`; one formula after the other.
#[derive(Default)]
pub struct Z3Projector {
    limits: Limits,
}

impl Projector for Z3Projector {
    fn project(
        &mut self,
        terms: &mut Terms,
        formula: TermId,
        eliminate: &[TermId],
        effort: Effort,
    ) -> Result<Projected, SmtError> {
        let timeout = match self.limits.timeout() {
            Ok(timeout) => timeout,
            Err(reason) => return Ok(Projected::Unknown(reason)),
        };
        let context = pool::take()?;
        if let Some(bytes) = self.limits.budget.memory_limit() {
            ffi::limit_memory(bytes);
        }
        let hooked = context.clone();
        let hook = self.limits.budget.on_stop(Box::new(move || hooked.interrupt()));
        let result = self.run(&context, terms, formula, eliminate, effort, timeout);
        drop(hook);
        match result {
            Ok(result) => {
                pool::give_back(context);
                let left = vars_of(terms, &[result]);
                if left.iter().any(|var| eliminate.contains(var)) {
                    return Ok(Projected::Unknown(UnknownReason::Incomplete("variables are left".into())));
                }
                Ok(Projected::Exact(result))
            }
            Err(SmtError::Backend(words)) if crate::limits::is_exhaustion(&words) => {
                Ok(Projected::Unknown(self.limits.reason(words)))
            }
            // The result has quantifiers, or operators that terms don't have.
            Err(SmtError::Unsupported(what)) => Ok(Projected::Unknown(UnknownReason::Incomplete(what))),
            Err(error) => Err(error),
        }
    }

    fn set_budget(&mut self, budget: &Budget) {
        self.limits.budget = budget.clone();
    }

    fn set_query_limit(&mut self, limit: Option<Duration>) {
        self.limits.query_limit = limit;
    }
}

impl Z3Projector {
    fn run(
        &self,
        context: &Arc<Context>,
        terms: &mut Terms,
        formula: TermId,
        eliminate: &[TermId],
        effort: Effort,
        timeout: u32,
    ) -> Result<TermId, SmtError> {
        let mut translation = Translation::default();
        translation.restart(Arrays::Native);
        translation.budget = Some(self.limits.budget.clone());
        let mut translate = |t| {
            translation.translate(context, terms, t).map_err(|failure| match failure {
                Failure::Error(error) => error,
                Failure::NeedsArrays => SmtError::Unsupported("arrays".into()),
            })
        };
        let body = translate(formula)?;
        let bound = eliminate.iter().map(|&t| translate(t)).collect::<Result<Vec<Ast>, _>>()?;
        if translation.theories.floats {
            return Err(SmtError::Unsupported("floats below quantifiers".into()));
        }
        let quantified = context.quantified(Quantifier::Exists, &bound, body)?;
        let tactics: &[&str] = match effort {
            Effort::Light => &["simplify", "qe-light", "simplify"],
            Effort::Full => &["simplify", "qe2", "simplify"],
        };
        let goals = {
            let _running = context.begin_query();
            if self.limits.budget.check().is_err() {
                return Err(SmtError::Backend("canceled".into()));
            }
            context.apply_tactics(tactics, quantified, timeout)?
        };
        let mut reader = Reader::new(context, &[]);
        let mut result = terms.fals();
        for goal in goals {
            let mut all = terms.tru();
            for formula in goal {
                let formula = reader.read(terms, formula)?;
                all = terms.and(all, formula);
            }
            result = terms.or(result, all);
        }
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Sort;

    #[test]
    fn equalities_are_solved_and_bounds_combined() {
        let mut terms = Terms::new();
        let sort = Sort::BitVec(8);
        let (x, y, z) = (terms.var("x", sort), terms.var("y", sort), terms.var("z", sort));
        let one = terms.bv(8, 1);
        let next = terms.bv_add(y, one);
        let (solved, below) = (terms.eq(x, next), terms.ult(x, z));
        let formula = terms.and(solved, below);
        let expected = terms.ult(next, z);
        for effort in [Effort::Light, Effort::Full] {
            let mut projector = Z3Projector::default();
            projector.set_query_limit(Some(Duration::from_secs(5)));
            match projector.project(&mut terms, formula, &[x], effort) {
                Ok(Projected::Exact(found)) => {
                    let differs = terms.xor(found, expected);
                    let mut solver = crate::Z3Solver::new(crate::Mode::OneShot);
                    use smt::Solver;
                    assert!(matches!(solver.check(&terms, &[differs]), Ok(smt::SatResult::Unsat)));
                }
                other => panic!("{other:?}"),
            }
        }
        let (i, j, k) = (terms.var("i", Sort::Int), terms.var("j", Sort::Int), terms.var("k", Sort::Int));
        let (low, high) = (terms.int_lt(i, j), terms.int_lt(j, k));
        let between = terms.and(low, high);
        let found = Z3Projector::default().project(&mut terms, between, &[j], Effort::Full);
        assert!(matches!(found, Ok(Projected::Exact(_))), "{found:?}");
    }
}

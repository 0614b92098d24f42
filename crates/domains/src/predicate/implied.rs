//! Which given facts hold where a block ends, whatever else does: what lazy abstraction with interpolants [mcmillan06] asks.
//!
//! One query asks about all facts that are left; its model refutes at least one of them, mostly many. A fact that the solver does not
//! decide does not hold.

use super::PredicateCpa;
use super::abstraction::{Answer, Query, failed};
use super::block::Block;
use analysis::AnalysisError;
use smt::{Model, TermId};

impl Query<'_> {
    /// For each fact whether it follows from `before` and the solver's assertions; none if these contradict each other.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn implied(&mut self, before: &[TermId], facts: &[TermId]) -> Result<Option<Vec<bool>>, AnalysisError> {
        self.solver.push().map_err(failed)?;
        let mut asserted = Ok(());
        for formula in before {
            asserted = asserted.and_then(|()| self.solver.assert(self.terms, *formula));
        }
        let result = asserted.map_err(failed).and_then(|()| self.filter(facts));
        self.solver.pop().map_err(failed)?;
        result
    }

    fn filter(&mut self, facts: &[TermId]) -> Result<Option<Vec<bool>>, AnalysisError> {
        let mut holds: Vec<bool> = facts.iter().map(|fact| self.terms.is_true(*fact)).collect();
        let undecided = |terms: &smt::Terms, fact: &TermId| !terms.is_true(*fact) && !terms.is_false(*fact);
        let mut open: Vec<usize> = (0..facts.len()).filter(|i| undecided(self.terms, &facts[*i])).collect();
        match self.ask(&[])? {
            Answer::Never => return Ok(None),
            Answer::Unknown => {}
            Answer::Model(model) => open = self.true_in(&model, facts, &open),
        }
        while !open.is_empty() {
            let negated: Vec<TermId> = open.iter().map(|i| self.terms.not(facts[*i])).collect();
            let violated = self.terms.or_all(&negated);
            match self.ask(&[violated])? {
                Answer::Never => {
                    open.iter().for_each(|i| holds[*i] = true);
                    break;
                }
                Answer::Model(model) => {
                    let left = self.true_in(&model, facts, &open);
                    if left.len() < open.len() {
                        open = left;
                        continue;
                    }
                }
                Answer::Unknown => {}
            }
            // Together they are too hard.
            for (i, negated) in open.iter().zip(negated) {
                holds[*i] = matches!(self.ask(&[negated])?, Answer::Never);
            }
            break;
        }
        Ok(Some(holds))
    }

    fn true_in(&self, model: &Model, facts: &[TermId], open: &[usize]) -> Vec<usize> {
        let mut eval = model.evaluator(self.terms);
        open.iter().copied().filter(|i| eval.satisfies(facts[*i])).collect()
    }
}

impl PredicateCpa<'_, '_> {
    /// For each fact whether it holds at an end of a block, for all runs from states that satisfy `before` to states that satisfy
    /// `known`; none if there is no such run. All formulas are over canonical variables.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn implied(
        &mut self,
        block: &Block,
        end: usize,
        before: TermId,
        known: &[TermId],
        facts: &[TermId],
    ) -> Result<Option<Vec<bool>>, AnalysisError> {
        if self.enc.terms.is_false(block.ends[end].guard) {
            return Ok(None);
        }
        let mut assumed = vec![before];
        for fact in known {
            assumed.push(self.fact_at(block, end, *fact));
        }
        let facts: Vec<TermId> = facts.iter().map(|fact| self.fact_at(block, end, *fact)).collect();
        let solver = self.solvers.with_guard(&self.enc.terms, block.ends[end].guard)?;
        let mut query = Query { terms: &mut self.enc.terms, solver, budget: &self.budget, counts: &mut self.counts };
        query.implied(&assumed, &facts)
    }

    /// A fact at an end of a block, as a formula over the start.
    fn fact_at(&mut self, block: &Block, end: usize, fact: TermId) -> TermId {
        let Some(pred) = self.predicates.intern(&mut self.enc.terms, fact) else { return fact };
        let formula = self.post(block, end, pred);
        if self.predicates.formula(pred) == fact { formula } else { self.enc.terms.not(formula) }
    }
}

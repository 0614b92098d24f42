//! From guessed predicates to a sequence: at each cut the conjunction of the candidates that follow.
//!
//! Candidates may come from anywhere (another theory, templates, another trace); what is returned is inductive by construction.

use super::{Deadline, EngineContext, EngineError, Trace};
use smt::{SatResult, TermId, Terms};

/// At each cut, all candidates that the conjunction before and the step imply. An error if that is not a refutation.
pub fn strongest(
    terms: &mut Terms,
    trace: &Trace,
    candidates: &[Vec<TermId>],
    ctx: &EngineContext<'_>,
    deadline: Deadline,
) -> Result<Vec<TermId>, EngineError> {
    let mut itp = terms.tru();
    let mut itps = Vec::with_capacity(trace.cuts());
    for (i, step) in trace.steps.iter().enumerate() {
        let mut solver = ctx.solver();
        solver.assert(terms, itp)?;
        for &t in &step.conjuncts {
            solver.assert(terms, t)?;
        }
        let Some(mut open) = candidates.get(i).cloned() else {
            return match solver.check(terms, &[])? {
                SatResult::Unsat => Ok(itps),
                SatResult::Sat => Err(EngineError::TooWeak(trace.cuts())),
                SatResult::Unknown(reason) => Err(EngineError::Unknown(reason)),
            };
        };
        let mut kept = Vec::new();
        while !open.is_empty() {
            ctx.check(deadline)?;
            let candidate = open.remove(0);
            let violated = terms.not(candidate);
            match solver.check(terms, &[violated])? {
                SatResult::Unsat => kept.push(candidate),
                SatResult::Unknown(reason) => {
                    let error = EngineError::Unknown(reason);
                    if error.ends_run() {
                        return Err(error);
                    }
                }
                SatResult::Sat => {
                    let model = solver.model(terms)?;
                    let mut eval = model.evaluator(terms);
                    open.retain(|&other| eval.satisfies(other));
                }
            }
        }
        itp = terms.and_all(&kept);
        itps.push(itp);
    }
    Err(EngineError::Unsupported("a trace without interfaces"))
}

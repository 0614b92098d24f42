//! Checks sequences of interpolants with fresh queries: engines and solvers are sometimes wrong, a proof never may be.

use super::{EngineContext, EngineError, Trace, is_unsat};
use rustc_hash::FxHashSet;
use smt::{Solver, Sort, TermId, Terms, UnknownReason, vars_of};

/// What is wrong with a sequence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SequenceError {
    /// The trace has not one interface fewer than steps, or the sequence another length than the interfaces.
    #[error("the sequence has a wrong length")]
    Length,
    /// An interpolant is no formula.
    #[error("the interpolant at cut {0} is no formula")]
    NoFormula(usize),
    /// An interpolant mentions a variable that is not in the interface.
    #[error("the interpolant at cut {0} mentions a variable that it must not")]
    Vocabulary(usize),
    /// `I_{i-1} and A_i` do not imply `I_i`; the number is that of the step, from 0. For the last step, `I_i` is `false`.
    #[error("step {0} does not lead from its interpolant to the next")]
    NotInductive(usize),
    /// A query was not decided.
    #[error("step {0} was not decided: {1:?}")]
    Undecided(usize, UnknownReason),
    /// The solver failed.
    #[error("solver: {0}")]
    Solver(String),
}

/// Checks that `itps` is a sequence of interpolants of the trace: length, vocabulary, and one implication for each step.
pub fn check_sequence(
    terms: &mut Terms,
    trace: &Trace,
    itps: &[TermId],
    ctx: &EngineContext<'_>,
) -> Result<(), SequenceError> {
    if !trace.is_well_formed() || itps.len() != trace.cuts() {
        return Err(SequenceError::Length);
    }
    for (cut, (&itp, interface)) in itps.iter().zip(&trace.interface).enumerate() {
        if terms.sort(itp) != Sort::Bool {
            return Err(SequenceError::NoFormula(cut));
        }
        let allowed: FxHashSet<TermId> = interface.iter().copied().collect();
        if vars_of(terms, &[itp]).iter().any(|var| !allowed.contains(var)) {
            return Err(SequenceError::Vocabulary(cut));
        }
    }
    let mut quick = ctx.solver_for(terms, trace);
    for (i, step) in trace.steps.iter().enumerate() {
        let before = if i == 0 { terms.tru() } else { itps[i - 1] };
        let after = itps.get(i).copied().unwrap_or(terms.fals());
        if before == after && i > 0 || terms.is_true(after) || terms.is_false(before) {
            continue;
        }
        let violated = terms.not(after);
        let mut query = vec![before, violated];
        query.extend_from_slice(&step.conjuncts);
        let answer = match ask(&mut *quick, terms, &query) {
            // The other way of solving takes longer to begin, and gets further.
            Err(EngineError::Unknown(reason)) if !matches!(reason, UnknownReason::Stopped(_)) => {
                let mut solver = ctx.backend.one_shot();
                solver.set_budget(ctx.budget);
                solver.set_query_limit(Some(ctx.query_limit));
                ask(&mut *solver, terms, &query)
            }
            answer => answer,
        };
        match answer {
            Ok(true) => {}
            Ok(false) => return Err(SequenceError::NotInductive(i)),
            Err(EngineError::Unknown(reason)) => return Err(SequenceError::Undecided(i, reason)),
            Err(error) => return Err(SequenceError::Solver(error.to_string())),
        }
    }
    Ok(())
}
/// Whether formulas contradict each other.
fn ask(solver: &mut dyn Solver, terms: &Terms, query: &[TermId]) -> Result<bool, EngineError> {
    solver.push()?;
    let asserted = query.iter().try_for_each(|formula| solver.assert(terms, *formula));
    let answer = asserted.map_err(EngineError::from).and_then(|()| is_unsat(solver, terms, &[]));
    solver.pop()?;
    answer
}

//! Interpolants of a sequence as the solution of one system of Horn clauses.

use refine::formula::{EngineContext, EngineError, SequenceEngine, Trace};
use smt::{SmtError, TermId, Terms};
use smt::horn::{HornApp, HornClause, HornPredicate, HornResult, HornSystem};

/// See the module.
pub struct Spacer;

impl SequenceEngine for Spacer {
    fn name(&self) -> &'static str {
        "horn"
    }

    fn interpolate(
        &mut self,
        terms: &mut Terms,
        trace: &Trace,
        ctx: &EngineContext<'_>,
    ) -> Result<Vec<TermId>, EngineError> {
        let mut solver =
            ctx.backend.horn().ok_or(EngineError::Solver(SmtError::NotAvailable("engine for Horn clauses")))?;
        solver.set_budget(ctx.budget);
        solver.set_query_limit(Some(ctx.engine_limit));
        let predicates = trace.interface.iter().map(|vars| HornPredicate { params: vars.clone() }).collect();
        let app = |i: usize| HornApp { predicate: i, args: trace.interface[i].clone() };
        let n = trace.steps.len();
        let mut clauses = Vec::new();
        for (i, step) in trace.steps.iter().enumerate() {
            let constraint = step.formula(terms);
            let body = if i == 0 { Vec::new() } else { vec![app(i - 1)] };
            let head = (i + 1 < n).then(|| app(i));
            clauses.push(HornClause { body, constraint, head });
        }
        match solver.solve(terms, &HornSystem { predicates, clauses })? {
            HornResult::Solved(formulas) => Ok(formulas),
            HornResult::Unsolvable => Err(EngineError::Feasible),
            HornResult::Unknown(reason) => Err(EngineError::Unknown(reason)),
        }
    }
}

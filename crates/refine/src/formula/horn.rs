//! Horn clauses: one system for a whole sequence, and checked solutions of general systems.
//!
//! The unknown of a cut is a predicate over the variables that occur on both sides. One system for the whole sequence, instead
//! of one for each cut, makes the solution inductive.

use super::project::small_core;
use super::solve::split_conjuncts;
use super::{EngineContext, EngineError, SequenceEngine, Step, Trace, is_unsat, shared};
use rustc_hash::FxHashSet;
use smt::horn::{HornApp, HornClause, HornPredicate, HornResult, HornSystem};
use smt::{Sort, Substitution, TermId, Terms, subst::subterms};

/// Sequence interpolation by one Horn system.
#[derive(Clone, Copy, Default, Debug)]
pub struct SequenceHorn;

/// Most different subterms of a system.
const MAX_SIZE: usize = 20_000;

impl SequenceEngine for SequenceHorn {
    fn name(&self) -> &'static str {
        "horn"
    }

    fn solve(&mut self, terms: &mut Terms, trace: &Trace, ctx: &EngineContext<'_>) -> Result<Vec<TermId>, EngineError> {
        let reduced = reduce(terms, trace, ctx)?;
        solve_sequence(terms, &reduced, ctx)
    }
}

/// The trace with the conjuncts of an unsatisfiable core only.
pub(crate) fn reduce(terms: &Terms, trace: &Trace, ctx: &EngineContext<'_>) -> Result<Trace, EngineError> {
    let mut steps: Vec<Vec<TermId>> = trace.steps.iter().map(|s| split_conjuncts(terms, &s.conjuncts)).collect();
    let all: Vec<TermId> = steps.iter().flatten().copied().collect();
    let mut solver = ctx.solver_for(terms, trace);
    let core = small_core(&mut *solver, terms, &all, 0)?.ok_or(EngineError::Feasible)?;
    let core: FxHashSet<TermId> = core.into_iter().collect();
    for step in &mut steps {
        step.retain(|t| core.contains(t));
    }
    Ok(Trace { steps: steps.into_iter().map(Step::of).collect(), interface: trace.interface.clone() })
}

/// Solves the system of a trace.
///
/// Steps without conjuncts at both ends are left out, and false ones are not asked about: the engine's preprocessing removes
/// predicates that are trivial, and then has nothing to say about them.
pub(crate) fn solve_sequence(
    terms: &mut Terms,
    trace: &Trace,
    ctx: &EngineContext<'_>,
) -> Result<Vec<TermId>, EngineError> {
    let formulas: Vec<TermId> = trace.steps.iter().map(|step| step.formula(terms)).collect();
    let first = formulas.iter().position(|&t| !terms.is_true(t)).ok_or(EngineError::Feasible)?;
    let last = formulas.iter().rposition(|&t| !terms.is_true(t)).unwrap_or(first);
    let mut itps = vec![terms.tru(); trace.cuts()];
    if let Some(step) = formulas.iter().position(|&t| terms.is_false(t)) {
        itps[step..].fill(terms.fals());
        return Ok(itps);
    }
    if last < itps.len() {
        itps[last..].fill(terms.fals());
    }
    if first == last {
        return Ok(itps);
    }
    let mut system = HornSystem::default();
    let shared = shared(terms, trace);
    for set in &shared[first..last] {
        let mut params: Vec<TermId> = set.iter().copied().collect();
        params.sort_unstable();
        system.predicates.push(HornPredicate { params });
    }
    let app =
        |i: usize| system.predicates.get(i).map(|p: &HornPredicate| HornApp { predicate: i, args: p.params.clone() });
    let mut clauses = Vec::with_capacity(last - first + 1);
    for (i, &constraint) in formulas[first..=last].iter().enumerate() {
        let body = i.checked_sub(1).and_then(app).into_iter().collect();
        clauses.push(HornClause { body, constraint, head: app(i) });
    }
    system.clauses = clauses;
    match solve(terms, &system, ctx)? {
        Some(solution) => {
            itps[first..last].copy_from_slice(solution.get(..last - first).ok_or(EngineError::TooWeak(first))?)
        }
        None => return Err(EngineError::Feasible),
    }
    Ok(itps)
}

/// A solution of a system, not yet checked; `None` if it has none.
pub(crate) fn solve(
    terms: &mut Terms,
    system: &HornSystem,
    ctx: &EngineContext<'_>,
) -> Result<Option<Vec<TermId>>, EngineError> {
    let Some(mut horn) = ctx.backend.horn() else {
        return Err(EngineError::Unsupported("the backend has no Horn engine"));
    };
    let roots: Vec<TermId> = system.clauses.iter().map(|clause| clause.constraint).collect();
    let parts = subterms(terms, &roots);
    if parts.len() > MAX_SIZE {
        return Err(EngineError::Limit("size of a Horn system"));
    }
    if parts.iter().any(|&t| matches!(terms.sort(t), Sort::Float(_))) {
        return Err(EngineError::Unsupported("floats in Horn clauses"));
    }
    horn.set_budget(ctx.budget);
    horn.set_query_limit(Some(ctx.engine_limit));
    match horn.solve(terms, system)? {
        HornResult::Solved(solution) => Ok(Some(solution)),
        HornResult::Unsolvable => Ok(None),
        HornResult::Unknown(reason) => Err(EngineError::Unknown(reason)),
    }
}

/// A solution of a system of any shape, trees and recursion included, each clause of which was checked. `None` if the engine
/// says that there is no solution.
pub fn solve_checked(
    terms: &mut Terms,
    system: &HornSystem,
    ctx: &EngineContext<'_>,
) -> Result<Option<Vec<TermId>>, EngineError> {
    let Some(solution) = solve(terms, system, ctx)? else { return Ok(None) };
    if solution.len() != system.predicates.len() {
        return Err(EngineError::TooWeak(0));
    }
    for (i, clause) in system.clauses.iter().enumerate() {
        let instance = |terms: &mut Terms, app: &HornApp| {
            let params = system.predicates[app.predicate].params.iter().copied();
            Substitution::new(params.zip(app.args.iter().copied())).apply(terms, solution[app.predicate])
        };
        let mut query = vec![clause.constraint];
        for app in &clause.body {
            query.push(instance(terms, app));
        }
        if let Some(head) = &clause.head {
            let head = instance(terms, head);
            query.push(terms.not(head));
        }
        let mut solver = ctx.solver();
        for &t in &query {
            solver.assert(terms, t)?;
        }
        if !is_unsat(&mut *solver, terms, &[])? {
            return Err(EngineError::TooWeak(i));
        }
    }
    Ok(Some(solution))
}

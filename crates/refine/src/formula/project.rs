//! Projects the conjunction on one side of a cut to the variables of the interface.

use super::{Deadline, EngineContext, EngineError, implicant, is_unsat, solve, witness};
use rustc_hash::FxHashSet;
use smt::project::{Effort, Projected};
use smt::{SatResult, Solver, TermId, Terms, vars_of};

/// What projections may take.
#[derive(Clone, Copy, Debug)]
pub struct ProjectionLimits {
    /// Most conjunctions of a result.
    pub cubes: usize,
    /// Whether the backend's quantifier elimination is asked when equalities are not enough.
    pub elimination: Elimination,
}

/// Use of the backend's quantifier elimination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elimination {
    /// Only models are used.
    Off,
    /// It is asked first.
    First,
}

impl Default for ProjectionLimits {
    fn default() -> Self {
        Self { cubes: 24, elimination: Elimination::Off }
    }
}

/// The conjuncts after elimination by equalities, and whether only variables of `keep` are left.
pub fn by_equalities(terms: &mut Terms, conjuncts: &[TermId], keep: &FxHashSet<TermId>) -> (Vec<TermId>, bool) {
    let eliminate = |var: TermId| !keep.contains(&var);
    let solved = solve::Solver::new(&eliminate).solve(terms, conjuncts);
    let done = vars_of(terms, &solved).iter().all(|var| keep.contains(var));
    (solved, done)
}

/// Projects to `keep`: conjuncts that are implied by the given ones and have no other variables.
///
/// `generalise` may weaken each conjunction of the result; it gets literals over `keep` that imply the exact projection, and
/// returns some of them.
pub fn project(
    terms: &mut Terms,
    conjuncts: &[TermId],
    keep: &FxHashSet<TermId>,
    limits: ProjectionLimits,
    ctx: &EngineContext<'_>,
    deadline: Deadline,
    generalise: &mut dyn FnMut(&mut Terms, Vec<TermId>) -> Result<Vec<TermId>, EngineError>,
) -> Result<Vec<TermId>, EngineError> {
    let (solved, done) = by_equalities(terms, conjuncts, keep);
    if done {
        return generalise(terms, solved);
    }
    if limits.elimination == Elimination::First
        && let Some(exact) = by_backend(terms, &solved, keep, ctx)?
    {
        let list = solve::split_conjuncts(terms, &[exact]);
        return generalise(terms, list);
    }
    let eliminate = |var: TermId| !keep.contains(&var);
    let mut solver = ctx.solver();
    for &t in &solved {
        solver.assert(terms, t)?;
    }
    let mut cubes = Vec::new();
    loop {
        ctx.check(deadline)?;
        match solver.check(terms, &[])? {
            SatResult::Unsat => break,
            SatResult::Unknown(reason) => return Err(EngineError::Unknown(reason)),
            SatResult::Sat => {}
        }
        if cubes.len() >= limits.cubes {
            return Err(EngineError::Limit("conjunctions of a projection"));
        }
        let model = solver.model(terms)?;
        let literals = implicant::implicant(terms, model.assignment(), &solved)
            .and_then(|literals| witness::project(terms, model.assignment(), &literals, &eliminate))
            .ok_or(EngineError::Limit("size of a projection"))?;
        let cube = generalise(terms, literals)?;
        let cube = terms.and_all(&cube);
        if terms.is_true(cube) {
            return Ok(Vec::new());
        }
        let other = terms.not(cube);
        solver.assert(terms, other)?;
        cubes.push(cube);
    }
    let all = terms.or_all(&cubes);
    Ok(solve::split_conjuncts(terms, &[all]))
}

/// Exact elimination by the backend; `None` if it gives up.
fn by_backend(
    terms: &mut Terms,
    conjuncts: &[TermId],
    keep: &FxHashSet<TermId>,
    ctx: &EngineContext<'_>,
) -> Result<Option<TermId>, EngineError> {
    let Some(mut projector) = ctx.backend.projector() else { return Ok(None) };
    projector.set_budget(ctx.budget);
    projector.set_query_limit(Some(ctx.query_limit));
    let eliminate: Vec<TermId> = vars_of(terms, conjuncts).into_iter().filter(|var| !keep.contains(var)).collect();
    let formula = terms.and_all(conjuncts);
    for effort in [Effort::Light, Effort::Full] {
        match projector.project(terms, formula, &eliminate, effort) {
            Ok(Projected::Exact(exact)) => return Ok(Some(exact)),
            Ok(Projected::Unknown(_)) => {}
            Err(smt::SmtError::Unsupported(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

/// An unsatisfiable part of the assumptions, with the solver's assertions; `None` if all together are satisfiable. At most
/// `attempts` members are tried to be left out one by one.
pub fn small_core(
    solver: &mut dyn Solver,
    terms: &Terms,
    assumptions: &[TermId],
    attempts: usize,
) -> Result<Option<Vec<TermId>>, EngineError> {
    if !is_unsat(solver, terms, assumptions)? {
        return Ok(None);
    }
    let mut core = solver.unsat_core(terms)?;
    let mut i = 0;
    for _ in 0..attempts {
        if i >= core.len() {
            break;
        }
        let mut without = core.clone();
        without.remove(i);
        match solver.check(terms, &without)? {
            SatResult::Unsat => {
                let smaller = solver.unsat_core(terms)?;
                // What was needed before is needed still, and stays in front.
                core = without.into_iter().filter(|t| smaller.contains(t)).collect();
            }
            SatResult::Sat => i += 1,
            SatResult::Unknown(reason) => {
                let error = EngineError::Unknown(reason);
                if error.ends_run() {
                    return Err(error);
                }
                i += 1;
            }
        }
    }
    Ok(Some(core))
}

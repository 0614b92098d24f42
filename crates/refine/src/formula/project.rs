//! Projects the conjunction on one side of a cut to the variables of the interface.

use super::{Deadline, EngineContext, EngineError, implicant, is_unsat, solve, weaken, witness};
use rustc_hash::FxHashSet;
use smt::{SatResult, Solver, TermId, Terms, vars_of};

/// Weakens a conjunction of literals over the variables that stay, as long as it serves its purpose.
pub trait Generalise {
    /// Some of the literals, or consequences of them; `None` if they are too weak already.
    fn generalise(&mut self, terms: &mut Terms, literals: &[TermId]) -> Result<Option<Vec<TermId>>, EngineError>;

    /// Whether anything that the literals imply may be offered, or only what implies the projection.
    fn accepts_consequences(&self) -> bool;
}

/// Keeps all literals: the projection is exact.
pub struct Exact;

impl Generalise for Exact {
    fn generalise(&mut self, _: &mut Terms, literals: &[TermId]) -> Result<Option<Vec<TermId>>, EngineError> {
        Ok(Some(literals.to_vec()))
    }

    fn accepts_consequences(&self) -> bool {
        false
    }
}

/// Keeps what contradicts the assertions of a solver.
pub struct Contradicting<'a> {
    /// The solver.
    pub solver: &'a mut dyn Solver,
    /// Members of a core that are tried to be left out one by one.
    pub attempts: usize,
    /// Variables between which relations may tell more than values.
    pub related: &'a FxHashSet<TermId>,
}

impl Generalise for Contradicting<'_> {
    fn generalise(&mut self, terms: &mut Terms, literals: &[TermId]) -> Result<Option<Vec<TermId>>, EngineError> {
        let Some(core) = small_core(self.solver, terms, literals, self.attempts)? else { return Ok(None) };
        // Relations between variables stay true in loops for longer than values.
        if let Some(weaker) = weaken::relations(terms, &core, self.related)
            && let Some(core) = small_core(self.solver, terms, &weaker, self.attempts)?
        {
            return Ok(Some(core));
        }
        Ok(Some(core))
    }

    fn accepts_consequences(&self) -> bool {
        true
    }
}

/// The conjuncts after elimination by equalities, and whether only variables of `keep` are left.
pub fn by_equalities(terms: &mut Terms, conjuncts: &[TermId], keep: &FxHashSet<TermId>) -> (Vec<TermId>, bool) {
    let eliminate = |var: TermId| !keep.contains(&var);
    let solved = solve::Solver::new(&eliminate).solve(terms, conjuncts);
    let done = vars_of(terms, &solved).iter().all(|var| keep.contains(var));
    (solved, done)
}

/// What a projection may use.
pub struct Tools<'a, 'c> {
    /// Solvers and limits.
    pub ctx: &'a EngineContext<'c>,
    /// What the engine may take.
    pub deadline: Deadline,
    /// A solver without assertions; it is left so.
    pub scratch: &'a mut dyn Solver,
}

/// Projects to `keep`: conjuncts that are implied by the given ones and have no other variables.
///
/// `by` may weaken the conjunctions whose disjunction is the result; there are at most `most`.
pub fn project(
    terms: &mut Terms,
    conjuncts: &[TermId],
    keep: &FxHashSet<TermId>,
    most: usize,
    tools: &mut Tools<'_, '_>,
    by: &mut dyn Generalise,
) -> Result<Vec<TermId>, EngineError> {
    let (solved, done) = by_equalities(terms, conjuncts, keep);
    if done {
        return by.generalise(terms, &solved)?.ok_or(EngineError::TooWeak(0));
    }
    tools.scratch.push()?;
    let cubes = enumerate(terms, &solved, keep, most, tools, by);
    tools.scratch.pop()?;
    let all = terms.or_all(&cubes?);
    Ok(solve::split_conjuncts(terms, &[all]))
}

/// Conjunctions over `keep` whose disjunction the conjuncts imply.
fn enumerate(
    terms: &mut Terms,
    solved: &[TermId],
    keep: &FxHashSet<TermId>,
    most: usize,
    tools: &mut Tools<'_, '_>,
    by: &mut dyn Generalise,
) -> Result<Vec<TermId>, EngineError> {
    let eliminate = |var: TermId| !keep.contains(&var);
    let solver = &mut *tools.scratch;
    for &t in solved {
        solver.assert(terms, t)?;
    }
    let mut cubes = Vec::new();
    loop {
        tools.ctx.check(tools.deadline)?;
        match solver.check(terms, &[])? {
            SatResult::Unsat => return Ok(cubes),
            SatResult::Unknown(reason) => return Err(EngineError::Unknown(reason)),
            SatResult::Sat => {}
        }
        if cubes.len() >= most {
            return Err(EngineError::Limit("conjunctions of a projection"));
        }
        let model = solver.model(terms)?;
        let small = EngineError::Limit("size of a projection");
        let Some(literals) = implicant::implicant(terms, model.assignment(), solved) else { return Err(small) };
        let cube = match weaker(terms, &literals, keep, by)? {
            Some(cube) => cube,
            None => {
                let Some(exact) = witness::project(terms, model.assignment(), &literals, &eliminate) else {
                    return Err(small);
                };
                by.generalise(terms, &exact)?.ok_or(EngineError::TooWeak(0))?
            }
        };
        let cube = terms.and_all(&cube);
        if terms.is_true(cube) {
            return Ok(vec![cube]);
        }
        let other = terms.not(cube);
        solver.assert(terms, other)?;
        cubes.push(cube);
    }
}

/// A conjunction that the literals imply and that serves the purpose, without looking for witnesses.
fn weaker(
    terms: &mut Terms,
    literals: &[TermId],
    keep: &FxHashSet<TermId>,
    by: &mut dyn Generalise,
) -> Result<Option<Vec<TermId>>, EngineError> {
    if !by.accepts_consequences() {
        return Ok(None);
    }
    let (solved, _) = by_equalities(terms, literals, keep);
    let consequences = weaken::resolvents(terms, &solved, keep);
    by.generalise(terms, &consequences)
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
                // The core is one all the same; more such questions would take the time of other things.
                return if error.ends_run() { Err(error) } else { Ok(Some(core)) };
            }
        }
    }
    Ok(Some(core))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Budget, Effort};
    use smt::random::{Choices, RandomTerms, Theory};
    use smt::{Sort, Substitution};
    use smt_z3::Z3Backend;

    /// Some random formulas and the variables that stay.
    fn random(seed: u64, theory: Theory) -> (RandomTerms, Vec<TermId>, FxHashSet<TermId>) {
        let mut choices = Choices::from_seed(seed);
        let mut random = RandomTerms::new(theory, &mut choices);
        for _ in 0..30 {
            random.grow(&mut choices);
        }
        let mut formulas: Vec<TermId> = (0..3).map(|_| random.pick(Sort::Bool, &mut choices).simple).collect();
        // Equalities, which are what there is to solve.
        for _ in 0..2 {
            let var = random.vars[choices.below(random.vars.len())];
            let other = random.pick(random.terms.sort(var), &mut choices).simple;
            formulas.push(random.terms.eq(var, other));
        }
        let keep = random.vars.iter().copied().filter(|_| choices.below(2) == 0).collect();
        (random, formulas, keep)
    }

    /// Whether the formulas are satisfiable together, and values of all variables if so. Undecided as well when the model is
    /// wrong: equalities between constant arrays are more than the solver can do.
    fn model(terms: &Terms, formulas: &[TermId], ctx: &EngineContext<'_>) -> Option<Option<smt::Model>> {
        let mut solver = ctx.solver();
        for &t in formulas {
            solver.assert(terms, t).ok()?;
        }
        match solver.check(terms, &[]).ok()? {
            SatResult::Unsat => Some(None),
            SatResult::Sat => {
                let model = solver.model(terms).ok()?;
                let mut eval = model.evaluator(terms);
                let all = formulas.iter().all(|&t| eval.satisfies(t));
                all.then_some(Some(model))
            }
            SatResult::Unknown(_) => None,
        }
    }

    /// The formulas imply `result`, and each model of `result` can be extended to one of the formulas.
    fn check(terms: &mut Terms, formulas: &[TermId], result: &[TermId], keep: &FxHashSet<TermId>, seed: u64) {
        let budget = Budget::unlimited();
        let ctx = context(&budget);
        assert!(vars_of(terms, result).iter().all(|var| keep.contains(var)), "seed {seed}");
        let all = terms.and_all(result);
        let violated = terms.not(all);
        let mut query = formulas.to_vec();
        query.push(violated);
        assert!(!matches!(model(terms, &query, &ctx), Some(Some(_))), "not implied, seed {seed}");
        if let Some(Some(found)) = model(terms, result, &ctx) {
            let values: Vec<(TermId, TermId)> = keep
                .iter()
                .map(|&var| {
                    let value = found.value(terms, var);
                    (var, terms.value_term(&value))
                })
                .collect();
            let mut substitution = Substitution::new(values);
            let extended: Vec<TermId> = formulas.iter().map(|&t| substitution.apply(terms, t)).collect();
            assert!(!matches!(model(terms, &extended, &ctx), Some(None)), "not exact, seed {seed}");
        }
    }

    fn context(budget: &Budget) -> EngineContext<'_> {
        EngineContext {
            backend: &Z3Backend,
            budget,
            query_limit: Effort::thousands(1_000),
            engine_limit: Effort::thousands(2_000),
        }
    }

    #[test]
    fn projections_are_exact() {
        let budget = Budget::unlimited();
        let ctx = context(&budget);
        let (mut by_solving, mut by_models) = (0, 0);
        for seed in 0..240 {
            let theory = [Theory::Narrow, Theory::Arrays, Theory::BitVectors][seed as usize % 3];
            let (mut random, formulas, keep) = random(seed, theory);
            let terms = &mut random.terms;
            let (solved, done) = by_equalities(terms, &formulas, &keep);
            if done {
                by_solving += 1;
                check(terms, &formulas, &solved, &keep, seed);
                continue;
            }
            let mut scratch = ctx.solver();
            let mut tools = Tools { ctx: &ctx, deadline: ctx.deadline(), scratch: &mut *scratch };
            if let Ok(result) = project(terms, &formulas, &keep, 24, &mut tools, &mut Exact) {
                by_models += 1;
                check(terms, &formulas, &result, &keep, seed);
            }
        }
        assert!(by_solving > 40 && by_models > 40, "{by_solving} and {by_models}");
    }

    /// Implicants are true in their model and imply the formulas; so do their projections.
    #[test]
    fn implicants_imply() {
        let budget = Budget::unlimited();
        let ctx = context(&budget);
        let mut projected = 0;
        for seed in 1000..1240 {
            let theory = [Theory::Narrow, Theory::Arrays, Theory::CheapFloats][seed as usize % 3];
            let (mut random, formulas, keep) = random(seed, theory);
            let terms = &mut random.terms;
            let Some(Some(found)) = model(terms, &formulas, &ctx) else { continue };
            let Some(literals) = implicant::implicant(terms, found.assignment(), &formulas) else {
                panic!("seed {seed}: no implicant");
            };
            assert!(literals.iter().all(|&t| found.satisfies(terms, t)), "seed {seed}");
            let all = terms.and_all(&formulas);
            let mut query = literals.clone();
            query.push(terms.not(all));
            assert!(!matches!(model(terms, &query, &ctx), Some(Some(_))), "seed {seed}");
            let eliminate = |var: TermId| !keep.contains(&var);
            if let Some(result) = witness::project(terms, found.assignment(), &literals, &eliminate) {
                projected += 1;
                assert!(vars_of(terms, &result).iter().all(|var| keep.contains(var)), "seed {seed}");
                assert!(result.iter().all(|&t| found.satisfies(terms, t)), "seed {seed}");
            }
        }
        assert!(projected > 60, "{projected}");
    }
}

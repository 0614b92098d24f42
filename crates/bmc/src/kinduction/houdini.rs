//! Houdini over candidate invariants, to the bit: those that fail are dropped until the rest is inductive [flanagan01].
//!
//! Candidates belong to cut points. They have to hold when the program first arrives at a cut point, and after each step that begins in
//! a state with all of the candidates that are left. What a solver does not decide together is asked one by one, and dropped where it is
//! not decided either.

use crate::kinduction::explore::{AtCut, Cut};
use crate::kinduction::facts::{Fact, Invariants};
use crate::kinduction::proof::{Prover, Unproved};
use base::Effort;
use smt::results::AnyResults;
use smt::{Model, SatResult, Solver, TermId};
use std::collections::BTreeMap;

/// Arrivals at cut points, by the cut point where the step began; `None` is the start of the program.
pub type Steps = Vec<(Option<Cut>, Vec<AtCut>)>;

/// Most effort for one question.
const QUERY_LIMIT: Effort = Effort::thousands(1_500);
/// Most effort for one about a single candidate, where the one about all was not decided.
const SINGLE_LIMIT: Effort = Effort::thousands(300);
/// Most candidates that are asked for on their own; the others go.
const MAX_SINGLE: usize = 40;

/// A step between cut points.
struct Transition {
    /// None at the start of the program.
    from: Option<Cut>,
    to: Cut,
    guard: TermId,
    /// The facts of `to` behind the step.
    after: Vec<TermId>,
    /// Guard and facts with any results of hard arithmetic, where there is some.
    weaker: Option<AnyResults>,
}

/// The candidates of one cut point.
struct Candidates {
    /// Facts in the arbitrary state there that need not be shown.
    known: Vec<TermId>,
    facts: Vec<Fact>,
    /// The facts in the arbitrary state there.
    before: Vec<TermId>,
    alive: Vec<bool>,
}

/// A search for the largest set of candidates that is inductive relative to `known` facts, which are inductive themselves.
pub struct Search {
    all: BTreeMap<Cut, Candidates>,
    transitions: Vec<Transition>,
    /// Transitions that have to be looked at again, because the candidates before them changed.
    stale: Vec<bool>,
    solver: Box<dyn Solver>,
}

impl Search {
    /// A search that has not begun.
    pub fn new(prover: &mut Prover<'_, '_>, candidates: &Invariants, known: &Invariants, steps: &Steps) -> Self {
        let (all, transitions) = prepare(prover, candidates, known, steps);
        let mut solver = prover.incremental();
        solver.set_query_limit(Some(QUERY_LIMIT));
        Self { all, stale: vec![true; transitions.len()], transitions, solver }
    }

    /// Goes on with about so much effort; the candidates that are left, or none where the search has to go on.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn go_on(&mut self, prover: &mut Prover<'_, '_>, effort: Effort) -> Result<Option<Invariants>, Unproved> {
        let end = prover.budget.spent().plus(effort);
        while let Some(i) = self.stale.iter().position(|s| *s) {
            if prover.budget.spent() > end {
                return Ok(None);
            }
            self.stale[i] = false;
            if drop_violated(prover, self.solver.as_mut(), &mut self.all, &self.transitions[i])? {
                let changed = self.transitions[i].to;
                for (stale, transition) in self.stale.iter_mut().zip(&self.transitions) {
                    *stale |= transition.from == Some(changed);
                }
            }
        }
        let alive = |c: &Candidates| {
            c.facts.iter().zip(&c.alive).filter(|(_, alive)| **alive).map(|(fact, _)| fact.clone()).collect()
        };
        Ok(Some(
            self.all
                .iter()
                .map(|(cut, c)| (*cut, alive(c)))
                .filter(|(_, facts): &(Cut, Vec<Fact>)| !facts.is_empty())
                .collect(),
        ))
    }
}

/// The whole of a [`Search`]; nothing where the effort does not suffice.
///
/// # Errors
/// When the budget ends.
pub fn inductive(
    prover: &mut Prover<'_, '_>,
    candidates: &Invariants,
    known: &Invariants,
    steps: &Steps,
    effort: Effort,
) -> Result<Invariants, Unproved> {
    let found = Search::new(prover, candidates, known, steps).go_on(prover, effort)?;
    Ok(found.unwrap_or_else(|| {
        prover.budget.give_up("given_up.invariants");
        Invariants::new()
    }))
}

/// Whether all of these facts hold when the program arrives and after each step.
///
/// # Errors
/// When the budget ends.
pub fn is_inductive(prover: &mut Prover<'_, '_>, invariants: &Invariants) -> Result<bool, Unproved> {
    // What cells of memory hold in an arbitrary state gets its name when it is first read: by the facts, not by steps from a copy of the state.
    for number in 0..prover.starts.len() {
        for fact in invariants.get(&prover.starts[number].cut).into_iter().flatten() {
            prover.before(number, fact);
        }
    }
    let steps = steps(prover)?;
    let (mut all, transitions) = prepare(prover, invariants, &Invariants::new(), &steps);
    let mut solver = prover.incremental();
    for transition in &transitions {
        if drop_violated(prover, solver.as_mut(), &mut all, transition)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// All steps between cut points.
///
/// # Errors
/// When the budget ends.
pub fn steps(prover: &mut Prover<'_, '_>) -> Result<Steps, Unproved> {
    let first = prover.explorer.first_step()?;
    let mut steps: Steps = vec![(None, first.arrivals)];
    for i in 0..prover.starts.len() {
        let start = prover.starts[i].clone();
        let found = prover.explorer.steps(&start, 1, &Default::default())?;
        steps.push((Some(start.cut), found.arrivals));
    }
    prover.follows_all()?;
    Ok(steps)
}

fn prepare(
    prover: &mut Prover<'_, '_>,
    candidates: &Invariants,
    known: &Invariants,
    steps: &Steps,
) -> (BTreeMap<Cut, Candidates>, Vec<Transition>) {
    let mut all = BTreeMap::new();
    for number in 0..prover.starts.len() {
        let cut = prover.starts[number].cut;
        let of = |all: &Invariants| all.get(&cut).cloned().unwrap_or_default();
        let (facts, known) = (of(candidates), of(known));
        let mut before = |facts: &[Fact]| -> Vec<TermId> { facts.iter().map(|f| prover.before(number, f)).collect() };
        let (known, before) = (before(&known), before(&facts));
        let alive = vec![true; facts.len()];
        all.insert(cut, Candidates { known, facts, before, alive });
    }
    let mut transitions = Vec::new();
    for (from, arrivals) in steps {
        for AtCut { cut, state, .. } in arrivals {
            let Some(target) = all.get(cut).filter(|target| !target.facts.is_empty()) else { continue };
            let mut state = state.clone();
            let explorer = &mut prover.explorer;
            let after: Vec<TermId> = target.facts.iter().map(|fact| fact.term(explorer, &mut state)).collect();
            let guard = explorer.enc.guards.formula(state.guard);
            let weaker = AnyResults::new(&mut explorer.enc.terms, &[&[guard], &after[..]].concat());
            transitions.push(Transition { from: *from, to: *cut, guard, after, weaker });
        }
    }
    (all, transitions)
}

/// Drops the candidates that a step violates; whether there are any.
///
/// Candidates that go meanwhile still count before the step: then the caller asks again.
fn drop_violated(
    prover: &mut Prover<'_, '_>,
    solver: &mut dyn Solver,
    all: &mut BTreeMap<Cut, Candidates>,
    transition: &Transition,
) -> Result<bool, Unproved> {
    let mut before = Vec::new();
    if let Some(from) = transition.from.and_then(|cut| all.get(&cut)) {
        before.extend(&from.known);
        before.extend(from.before.iter().zip(&from.alive).filter(|(_, alive)| **alive).map(|(term, _)| *term));
    }
    let Some(target) = all.get_mut(&transition.to) else { return Ok(false) };
    // Sums of counters are often the same term before and after a step: what was assumed needs no solver.
    let mut open: Vec<usize> =
        (0..target.facts.len()).filter(|i| target.alive[*i] && !before.contains(&transition.after[*i])).collect();
    let mut changed = false;
    if let Some(weaker) = transition.weaker.as_ref().filter(|_| !open.is_empty()) {
        let step = (transition, weaker, &before[..]);
        let assumed = before.iter().copied().chain([weaker.terms[0]]);
        (open, changed) = assuming(prover, solver, assumed, |prover, solver| {
            drop_with_any_results(prover, solver, target, step, open)
        })?;
    }
    if open.is_empty() {
        return Ok(changed);
    }
    let assumed = before.iter().copied().chain([transition.guard]);
    let dropped = assuming(prover, solver, assumed, |prover, solver| {
        drop_one_by_one(prover, solver, target, &transition.after, &open)
    })?;
    Ok(dropped || changed)
}

/// Asks while terms are assumed.
fn assuming<T>(
    prover: &mut Prover<'_, '_>,
    solver: &mut dyn Solver,
    terms: impl Iterator<Item = TermId>,
    ask: impl FnOnce(&mut Prover<'_, '_>, &mut dyn Solver) -> Result<T, Unproved>,
) -> Result<T, Unproved> {
    solver.push()?;
    for term in terms {
        solver.assert(&prover.explorer.enc.terms, term)?;
    }
    let result = ask(prover, solver);
    solver.pop()?;
    result
}

/// Drops candidates that a step violates with the results of hard arithmetic for the inputs that a model has. The candidates that
/// do not hold whatever the results are, and whether any is dropped.
fn drop_with_any_results(
    prover: &mut Prover<'_, '_>,
    solver: &mut dyn Solver,
    target: &mut Candidates,
    (step, weaker, before): (&Transition, &AnyResults, &[TermId]),
    mut left: Vec<usize>,
) -> Result<(Vec<usize>, bool), Unproved> {
    let after = &weaker.terms[1..];
    let (mut open, mut changed) = (Vec::new(), false);
    loop {
        prover.budget.check()?;
        let terms = &mut prover.explorer.enc.terms;
        let violated: Vec<TermId> = left.iter().map(|i| terms.not(after[*i])).collect();
        let violated = terms.or_all(&violated);
        if terms.is_false(violated) {
            return Ok((open, changed));
        }
        let models = assuming(prover, solver, [violated].into_iter(), |prover, solver| {
            prover.queries += 1;
            let Some(mut models) = models(prover, solver)? else { return Ok(None) };
            if let Some(model) = models.first() {
                let inputs = weaker.with_inputs_of(&mut prover.explorer.enc.terms, model);
                let more =
                    assuming(prover, solver, [inputs].into_iter(), |prover, solver| self::models(prover, solver));
                models.extend(more?.into_iter().flatten());
            }
            Ok(Some(models))
        })?;
        let Some(models) = models else { return Ok((open, changed)) };
        let terms = &prover.explorer.enc.terms;
        for model in &models {
            let mut eval = model.evaluator(terms);
            if eval.satisfies(step.guard) && before.iter().all(|term| eval.satisfies(*term)) {
                for i in left.iter().filter(|i| !eval.satisfies(step.after[**i])) {
                    target.alive[*i] = false;
                    changed = true;
                }
            }
        }
        let mut eval = models.first().map(|model| model.evaluator(terms));
        left.retain(|i| target.alive[*i]);
        let holds = |i: &usize| eval.as_mut().is_some_and(|eval| eval.satisfies(after[*i]));
        let (rest, doubtful) = left.into_iter().partition(holds);
        left = rest;
        open.extend::<Vec<usize>>(doubtful);
    }
}

/// The model that the solver finds, if it finds one; `None` where there is none.
fn models(prover: &Prover<'_, '_>, solver: &mut dyn Solver) -> Result<Option<Vec<Model>>, Unproved> {
    let terms = &prover.explorer.enc.terms;
    Ok(match solver.check(terms, &[])? {
        SatResult::Unsat => None,
        SatResult::Sat => Some(solver.model(terms).into_iter().collect()),
        SatResult::Unknown(_) => Some(Vec::new()),
    })
}

fn drop_one_by_one(
    prover: &mut Prover<'_, '_>,
    solver: &mut dyn Solver,
    target: &mut Candidates,
    after: &[TermId],
    open: &[usize],
) -> Result<bool, Unproved> {
    let mut changed = false;
    loop {
        prover.budget.check()?;
        let terms = &mut prover.explorer.enc.terms;
        let left: Vec<usize> = open.iter().copied().filter(|i| target.alive[*i]).collect();
        let violated: Vec<TermId> = left.iter().map(|i| terms.not(after[*i])).collect();
        let violated = terms.or_all(&violated);
        if terms.is_false(violated) {
            return Ok(changed);
        }
        prover.queries += 1;
        let terms = &prover.explorer.enc.terms;
        solver.push()?;
        solver.assert(terms, violated)?;
        let result = solver.check(terms, &[]);
        let model = match &result {
            Ok(SatResult::Sat) => solver.model(terms).ok(),
            _ => None,
        };
        solver.pop()?;
        if matches!(result, Ok(SatResult::Unsat)) {
            return Ok(changed);
        }
        let refuted: Vec<usize> = match &model {
            Some(model) => {
                let mut eval = model.evaluator(terms);
                left.iter().copied().filter(|i| !eval.satisfies(after[*i])).collect()
            }
            None => Vec::new(),
        };
        if refuted.is_empty() {
            return Ok(drop_undecided(prover, solver, target, after, &left)? || changed);
        }
        changed = true;
        for i in refuted {
            target.alive[i] = false;
        }
    }
}

/// Keeps the candidates that are shown to hold on their own; whether any is dropped.
fn drop_undecided(
    prover: &mut Prover<'_, '_>,
    solver: &mut dyn Solver,
    target: &mut Candidates,
    after: &[TermId],
    left: &[usize],
) -> Result<bool, Unproved> {
    solver.set_query_limit(Some(SINGLE_LIMIT));
    let mut changed = false;
    for (count, i) in left.iter().enumerate() {
        prover.budget.check()?;
        let holds = count < MAX_SINGLE && {
            prover.queries += 1;
            let violated = prover.explorer.enc.terms.not(after[*i]);
            let terms = &prover.explorer.enc.terms;
            solver.push()?;
            solver.assert(terms, violated)?;
            let result = solver.check(terms, &[]);
            solver.pop()?;
            matches!(result, Ok(SatResult::Unsat))
        };
        target.alive[*i] = holds;
        if !holds {
            prover.budget.give_up("given_up.candidates");
            changed = true;
        }
    }
    solver.set_query_limit(Some(QUERY_LIMIT));
    Ok(changed)
}

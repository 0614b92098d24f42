//! The runs of procedures, from the entry to the exit, with the calls in between left open.
//!
//! Blocks that follow one another are composed: what registers hold is told in terms of what they held at the entry, and of
//! variables for inputs and for what calls return. Procedures with loops, or with very many runs, are left out.

use super::super::variables::{copy, is_canonical};
use analysis::AnalysisError;
use domains::predicate::PredicateCpa;
use domains::predicate::block::{Block, ENTERED, Start};
use refine::formula::{Deadline, EngineContext};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Substitution, TermId, vars_of};
use std::rc::Rc;

/// Most runs of one procedure, and most blocks of one run.
const MAX_RUNS: usize = 100;
const MAX_LENGTH: usize = 24;

/// A block in a run: what its variables are, in terms of the run's.
pub struct Visit {
    number: usize,
    block: Rc<Block>,
    values: FxHashMap<TermId, TermId>,
}

/// A call in a run.
pub struct Called {
    /// Where the procedure begins.
    pub callee: Start,
    /// For each register at the entry of the procedure, what it holds.
    pub args: Vec<(TermId, TermId)>,
    /// How many facts of the run are known before the call.
    pub known: usize,
    visit: Rc<Visit>,
}

/// A run, up to some place.
#[derive(Clone, Default)]
pub struct Run {
    /// What holds, in the order of the run.
    pub facts: Vec<TermId>,
    /// Its calls.
    pub calls: Vec<Rc<Called>>,
    /// What registers hold at its end.
    pub values: Vec<(TermId, TermId)>,
}

/// The runs from one place.
#[derive(Default)]
pub struct Runs {
    /// Up to the exit of the procedure, which is the same place for all.
    pub complete: Vec<Run>,
    /// Up to targets.
    pub bad: Vec<Run>,
    /// Up to places in between.
    pub partial: Vec<(Start, Run)>,
    /// The exit.
    pub exit: Option<Start>,
}

impl Called {
    /// A formula over the registers at the procedure's exit, in terms of the run's variables.
    pub fn at_exit(&self, cpa: &mut PredicateCpa<'_, '_>, formula: TermId) -> TermId {
        let formula = cpa.at_call(&self.visit.block, formula);
        self.visit.term(cpa, formula)
    }
}

impl Visit {
    fn term(&self, cpa: &mut PredicateCpa<'_, '_>, term: TermId) -> TermId {
        let vars = vars_of(&cpa.enc.terms, &[term]);
        let mut map = Vec::with_capacity(vars.len());
        for var in vars {
            let value = match self.values.get(&var) {
                Some(value) => *value,
                None if is_canonical(cpa, var) => var,
                None => copy(&mut cpa.enc.terms, var, self.number),
            };
            map.push((var, value));
        }
        Substitution::new(map).apply(&mut cpa.enc.terms, term)
    }
}

/// The registers at a place that are numbers.
pub fn numbers_at(cpa: &mut PredicateCpa<'_, '_>, start: Start) -> Vec<TermId> {
    let mut registers = cpa.registers_at(start);
    registers.retain(|var| matches!(cpa.enc.terms.sort(*var), Sort::BitVec(_)));
    registers
}

/// The runs from a place; none if there are too many, or if they come back to a place.
///
/// # Errors
/// When the run has to end.
pub fn runs(
    cpa: &mut PredicateCpa<'_, '_>,
    start: Start,
    visits: &mut usize,
    (ctx, deadline): (&EngineContext<'_>, Deadline),
) -> Result<Option<Runs>, AnalysisError> {
    let mut found = Runs::default();
    let identity: Vec<(TermId, TermId)> = cpa.registers_at(start).into_iter().map(|var| (var, var)).collect();
    let mut open = vec![(vec![start], Run { values: identity, ..Run::default() })];
    while let Some((places, run)) = open.pop() {
        let here = places[places.len() - 1];
        if ctx.check(deadline).is_err() {
            ctx.budget.check()?;
            return Ok(None);
        }
        if places.len() > MAX_LENGTH || found.complete.len() + found.bad.len() + open.len() > MAX_RUNS {
            return Ok(None);
        }
        let block = cpa.block(here, cpa.strategies.current())?;
        *visits += 1;
        let values = run.values.iter().copied().collect();
        let visit = Rc::new(Visit { number: *visits, block: block.clone(), values });
        let mut calls = run.calls.clone();
        if block.call.is_some() {
            let entry = &block.ends[ENTERED];
            let callee = Start { at: entry.at, shape: Some(entry.shape) };
            let mut args = Vec::new();
            for var in cpa.registers_at(callee) {
                let arg = cpa.output(&block, ENTERED, var);
                args.push((var, visit.term(cpa, arg)));
            }
            let known = run.facts.len();
            calls.push(Rc::new(Called { callee, args, known, visit: visit.clone() }));
        }
        let first = usize::from(block.call.is_some());
        for (i, end) in block.ends.iter().enumerate().skip(first) {
            let guard = visit.term(cpa, end.guard);
            if cpa.enc.terms.is_false(guard) {
                continue;
            }
            let mut facts = run.facts.clone();
            if !cpa.enc.terms.is_true(guard) {
                facts.push(guard);
            }
            let mut next = Run { facts, calls: calls.clone(), values: Vec::new() };
            if end.target.is_some() {
                found.bad.push(next);
                continue;
            }
            let place = Start { at: end.at, shape: Some(end.shape) };
            for var in cpa.registers_at(place) {
                let value = cpa.output(&block, i, var);
                next.values.push((var, visit.term(cpa, value)));
            }
            if cpa.is_exit(place.at) && place.at.stack == start.at.stack {
                if found.exit.is_some_and(|exit| exit != place) {
                    return Ok(None);
                }
                found.exit = Some(place);
                found.complete.push(next);
                continue;
            }
            if places.contains(&place) {
                return Ok(None);
            }
            found.partial.push((place, next.clone()));
            let mut longer = places.clone();
            longer.push(place);
            open.push((longer, next));
        }
    }
    Ok(Some(found))
}

/// What a procedure's exit calls the values at the entry: for each variable there, one at the exit that always holds its value.
pub fn names_at_exit(runs: &Runs) -> FxHashMap<TermId, TermId> {
    let mut names = FxHashMap::default();
    let Some(first) = runs.complete.first() else { return names };
    let mut all: FxHashSet<(TermId, TermId)> = first.values.iter().copied().collect();
    for run in &runs.complete {
        let values: FxHashSet<(TermId, TermId)> = run.values.iter().copied().collect();
        all.retain(|pair| values.contains(pair));
    }
    // The order of the first run, so that nothing depends on hashes.
    for (at_exit, value) in first.values.iter().filter(|pair| all.contains(pair)) {
        names.entry(*value).or_insert(*at_exit);
    }
    names
}

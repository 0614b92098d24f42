//! Operations that no run gets past.
//!
//! Where every run that gets to an access of memory meets undefined behaviour there, such as a dereference of a pointer that is
//! always null, a proof says nothing about what follows. Most likely the program is not what its author means, and a machine may go on.
//! So a proof that has such accesses, with violations behind them, is repeated on a program in which runs go on ([`confirm`]).

use analysis::{AnalysisError, Arg, Cpa};
use base::Budget;
use cfa::behind::before_violations;
use cfa::pass::go_on::{GoingOn, go_on};
use cfa::{EdgeId, Observer, Program};
use outcome::{Outcome, StopReason, Verdict};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Most programs in which runs go on, each behind more accesses than the one before.
const MAX_ROUNDS: usize = 8;

/// Repeats a proof as long as it has accesses that runs don't get past: the first outcome, unless one of the others is no proof. `again`
/// is given programs in which runs go on there; their expressions are new.
pub fn confirm(
    program: &Program,
    mut first: Outcome,
    budget: &Budget,
    mut again: impl FnMut(&Program) -> Outcome,
) -> Outcome {
    let mut stuck = std::mem::take(&mut first.stuck);
    if stuck.is_empty() {
        return first;
    }
    let mut program = program.clone();
    let mut known: BTreeMap<EdgeId, GoingOn> = BTreeMap::new();
    for _ in 0..MAX_ROUNDS {
        stuck.retain(|edge, runs| known.get(edge) != Some(runs));
        let Some(edge) = stuck.keys().next() else { return first };
        let place = program.source.place(program.edges[*edge].span.lo);
        go_on(&mut program, &stuck);
        known.extend(stuck);
        let outcome = again(&program);
        if outcome.verdict != Verdict::True {
            let reason = match budget.check() {
                Ok(()) => StopReason::Undefined { what: "no run gets past it".into(), place },
                Err(stop) => StopReason::from_stop(stop, budget),
            };
            return Outcome { stats: first.stats, ..Outcome::unknown(reason) };
        }
        stuck = outcome.stuck;
    }
    Outcome { stats: first.stats, ..Outcome::unknown(StopReason::NoProgress) }
}

/// The edges that paths of a graph take.
///
/// # Errors
/// When the domain can't tell a path.
pub fn taken<C: Cpa>(cpa: &mut C, arg: &Arg<C::State>) -> Result<FxHashSet<EdgeId>, AnalysisError> {
    let mut taken = FxHashSet::default();
    let mut seen: FxHashSet<(C::State, u32)> = FxHashSet::default();
    for id in arg.ids() {
        let Some(parent) = arg.parent(id) else { continue };
        let (state, choice) = (arg.state(parent).clone(), arg.node(id).choice);
        if seen.insert((state.clone(), choice)) {
            taken.extend(cpa.path(&state, choice)?);
        }
    }
    Ok(taken)
}

/// The accesses of memory that runs do not get past, with violations behind them: those that nobody gets past, and those that runs
/// in some state don't get past. `undefined` are the edges at which runs may meet undefined behaviour, `always` those at which all runs of
/// some state do, and `taken` tells which edges runs took.
///
/// # Errors
/// Those of `taken`.
pub fn stuck<E>(
    program: &Program,
    observer: &Observer,
    undefined: &BTreeSet<EdgeId>,
    always: impl Fn(EdgeId) -> bool,
    taken: impl FnOnce() -> Result<FxHashSet<EdgeId>, E>,
) -> Result<BTreeMap<EdgeId, GoingOn>, E> {
    let mut edges = undefined.clone();
    edges.retain(|edge| !program.edges[*edge].op.ends_path());
    if edges.is_empty() {
        return Ok(BTreeMap::new());
    }
    let before = before_violations(program, observer);
    edges.retain(|edge| before[program.edges[*edge].src]);
    if edges.is_empty() {
        return Ok(BTreeMap::new());
    }
    let taken = taken()?;
    let runs = |edge: EdgeId| {
        // Another branch of the same place evaluates the same expression.
        let is_taken = program.locs[program.edges[edge].src].out.iter().any(|branch| taken.contains(branch));
        match is_taken {
            false => Some(GoingOn::All),
            true => always(edge).then_some(GoingOn::AtNull),
        }
    };
    Ok(edges.into_iter().filter_map(|edge| Some((edge, runs(edge)?))).collect())
}

//! Operations that no run gets past.
//!
//! Where every run that gets to an access of memory meets undefined behaviour there, such as a dereference of a pointer that is
//! always null, a proof says nothing about what follows. Most likely the program is not what its author means, and a machine may go on.
//! So a proof that has such accesses, with violations behind them, is repeated on a program in which runs go on ([`confirm`]).

use crate::refinement_loop::Answer;
use analysis::{AnalysisError, Arg, Cpa};
use base::Budget;
use cfa::behind::GoingOn;
use cfa::{EdgeId, Observer, Program};
use outcome::{Outcome, StopReason, Verdict};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use task::stuck::{before_errors, classify};
use transform::go_on::go_on;

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

/// The accesses of memory that runs of a proof by a graph do not get past. `undefined` are the edges at which all runs of some state
/// meet undefined behaviour, and `taken` tells which edges runs took; where it can't, the answer is no proof.
pub fn stuck_in_graph(
    answer: &mut Answer,
    (program, observer): (&Program, &Observer),
    undefined: &BTreeSet<EdgeId>,
    budget: &Budget,
    taken: impl FnOnce() -> Result<FxHashSet<EdgeId>, AnalysisError>,
) -> BTreeMap<EdgeId, GoingOn> {
    if !matches!(answer, Answer::Proved) {
        return BTreeMap::new();
    }
    let edges = before_errors(program, observer, undefined);
    if edges.is_empty() {
        return BTreeMap::new();
    }
    match taken() {
        Ok(taken) => classify(program, edges, &taken, |_| true),
        Err(error) => {
            *answer = Answer::Unknown(error.reason(budget));
            BTreeMap::new()
        }
    }
}

//! Checks a proof by k-induction from scratch: with terms, states and solvers of its own, and without what the search learnt on its way.
//!
//! The facts must hold on arrival and be preserved by each step; from no cut point may a run go bad in exactly the step that the proof
//! names, where no run is left out; and within that many steps from the start none may go bad.

use crate::kinduction::explore::Safe;
use crate::kinduction::proof::{Depth, Prover, Unproved};
use crate::kinduction::{Proof, SETTINGS};
use crate::kinduction::{houdini, known};
use crate::narrowing::States;
use crate::unrolling::{BaseCase, BaseSettings, Round};
use base::{Budget, Effort, Stop};
use cfa::points_to::PointsTo;
use domains::numerical::Numerical;
use outcome::{Silent, Verdict};
use task::Task;

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// The proof is one.
    Proof,
    /// It is not, or that could not be shown; why.
    Rejected(String),
}

/// Time of a query if there is no limit.
const LIMIT: Effort = Effort::thousands(60_000);

/// Checks a proof.
///
/// # Errors
/// When the budget ends.
pub fn check(task: &Task<'_, '_>, points_to: &PointsTo, proof: &Proof, budget: &Budget) -> Result<Checked, Stop> {
    match try_check(task, points_to, proof, budget) {
        Ok(None) => Ok(Checked::Proof),
        Ok(Some(why)) => Ok(Checked::Rejected(why.to_owned())),
        Err(Unproved::Stopped(stop)) => Err(stop),
        Err(Unproved::Unbounded(unbounded)) => Ok(Checked::Rejected(unbounded.why.to_owned())),
        Err(Unproved::Failed(why)) => Ok(Checked::Rejected(why)),
    }
}

/// Checks that no run violates the property within a bound that covers all runs.
///
/// # Errors
/// When the budget ends.
pub fn check_unwinding(task: &Task<'_, '_>, unwind: u32, budget: &Budget) -> Result<Checked, Stop> {
    let mut base = BaseCase::new(task, budget, &Silent, SETTINGS);
    Ok(match base.round(unwind)? {
        Round::Done(outcome) if outcome.verdict == Verdict::True => Checked::Proof,
        Round::Done(_) | Round::Incomplete(_) | Round::Refuse(_) => {
            Checked::Rejected("the bound does not cover all runs".to_owned())
        }
    })
}

/// Checks what a numerical domain found: its facts at cut points, as far as they are about registers, prove the property in one step.
///
/// # Errors
/// When the budget ends.
pub fn check_states<S: Numerical>(
    task: &Task<'_, '_>,
    points_to: &PointsTo,
    found: &States<S>,
    budget: &Budget,
) -> Result<Checked, Stop> {
    let proof = || -> Result<Proof, Unproved> {
        let prover = Prover::new(task, points_to, budget)?;
        let invariants = known::at_cuts(found, &prover.explorer, &prover.starts);
        Ok(Proof { depth: 1, invariants, report: Default::default() })
    };
    match proof() {
        Ok(proof) => check(task, points_to, &proof, budget),
        Err(Unproved::Stopped(stop)) => Err(stop),
        Err(Unproved::Unbounded(unbounded)) => Ok(Checked::Rejected(unbounded.why.to_owned())),
        Err(Unproved::Failed(why)) => Ok(Checked::Rejected(why)),
    }
}

/// What is wrong with the proof.
fn try_check(
    task: &Task<'_, '_>,
    points_to: &PointsTo,
    proof: &Proof,
    budget: &Budget,
) -> Result<Option<&'static str>, Unproved> {
    let mut prover = Prover::new(task, points_to, budget)?;
    if !houdini::is_inductive(&mut prover, &proof.invariants)? {
        return Ok(Some("an invariant is not inductive"));
    }
    let limit = budget.remaining().unwrap_or(LIMIT);
    if prover.step(&proof.invariants, proof.depth, &mut Safe::new(), limit)? != Depth::Inductive {
        return Ok(Some("the inductive step does not hold"));
    }
    let mut base = BaseCase::new(task, budget, &Silent, BaseSettings { effort_share: u32::MAX, ..SETTINGS });
    match base.round(proof.depth)? {
        Round::Incomplete(_) if base.modelled => Ok(None),
        Round::Done(outcome) if outcome.verdict == Verdict::True => Ok(None),
        Round::Incomplete(_) | Round::Done(_) | Round::Refuse(_) => Ok(Some("the base case does not hold")),
    }
}

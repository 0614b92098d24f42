//! Havoc abstraction: `if (C) { havoc(mod(B)); assume(!C); }` [beyer22, Sect. 3.1].
//!
//! In general: a run that does more than test the loop's condition goes on from a havocked head state; from there it takes the last round.
//! Where a round can only end at the condition, and can't violate the property, nothing is left of the round but the exit.

use super::body::{Body, Route, Violations};
use super::facts::LoopFacts;
use super::{LoopStrategy, Refusal, Strategy};
use cfa::program::LocId;

/// See the module.
pub struct Havoc;

impl LoopStrategy for Havoc {
    fn strategy(&self) -> Strategy {
        Strategy::Havoc
    }

    fn applies(&self, _: &LoopFacts<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn copies(&self) -> usize {
        1
    }

    fn build(&self, loop_: &LoopFacts<'_>, body: &mut Body<'_>) -> Option<LocId> {
        let head = loop_.l.head;
        let last = last_round(body, head)?;
        let havoc = body.havoc(last);
        first_tests(body, head, havoc)
    }
}

/// A copy of a round that does not come back to the head.
fn last_round(body: &mut Body<'_>, head: LocId) -> Option<LocId> {
    let members = body.members;
    let inside: rustc_hash::FxHashSet<LocId> = members.iter().copied().collect();
    let copies = body.copy(members, Violations::Keep, |_, edge| match edge.dst {
        dst if dst == head => Route::Cut,
        dst if inside.contains(&dst) => Route::Inside,
        dst => Route::To(dst),
    })?;
    copies.get(&head).copied()
}

/// The tests with which the first round begins, exactly: exits are exits, the rest goes on at `next`.
pub(super) fn first_tests(body: &mut Body<'_>, head: LocId, next: LocId) -> Option<LocId> {
    let tests = body.tests();
    if tests.is_empty() {
        return Some(next);
    }
    let inside: rustc_hash::FxHashSet<LocId> = body.members.iter().copied().collect();
    let copies = body.copy(&tests, Violations::Keep, |_, edge| match edge.dst {
        dst if dst != head && tests.contains(&dst) => Route::Inside,
        dst if inside.contains(&dst) => Route::To(next),
        dst => Route::To(dst),
    })?;
    copies.get(&head).copied()
}

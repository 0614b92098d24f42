//! Naive abstraction: `if (C) { havoc(mod(B)); assume(C); B; assume(!C); }` [beyer22, Sect. 3.1; darke15].
//!
//! A run that leaves the loop at its condition, but not at once, has done a round before, which began in some havocked state. Runs that
//! leave it, violate the property or end elsewhere in a round do so in a round that began in a havocked state.

use super::body::{Body, Route, Violations};
use super::facts::LoopFacts;
use super::havoc::first_tests;
use super::{LoopStrategy, Refusal, Strategy};
use cfa::program::LocId;
use rustc_hash::FxHashSet;

/// See the module.
pub struct Naive;

impl LoopStrategy for Naive {
    fn strategy(&self) -> Strategy {
        Strategy::Naive
    }

    fn applies(&self, _: &LoopFacts<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn copies(&self) -> usize {
        1
    }

    fn build(&self, loop_: &LoopFacts<'_>, body: &mut Body<'_>) -> Option<LocId> {
        let head = loop_.l.head;
        let tests: FxHashSet<LocId> = body.tests().into_iter().collect();
        if tests.is_empty() {
            // The condition is at the end of a round: this is the havoc abstraction.
            return None;
        }
        let members = body.members;
        let inside: FxHashSet<LocId> = members.iter().copied().collect();
        let list: Vec<LocId> = members.iter().copied().filter(|loc| tests.contains(loc)).collect();
        let exits = body.copy(&list, Violations::Keep, |_, edge| match edge.dst {
            dst if dst != head && tests.contains(&dst) => Route::Inside,
            dst if inside.contains(&dst) => Route::Cut,
            dst => Route::To(dst),
        })?;
        let last = *exits.get(&head)?;
        let round = body.copy(members, Violations::Keep, |_, edge| match edge.dst {
            dst if dst == head => Route::To(last),
            dst if inside.contains(&dst) => Route::Inside,
            _ if tests.contains(&edge.src) => Route::Cut,
            dst => Route::To(dst),
        })?;
        let havoc = body.havoc(*round.get(&head)?);
        first_tests(body, head, havoc)
    }
}

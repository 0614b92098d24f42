//! Output abstraction with the checks of an inductive proof [beyer22, Sect. 4; darke15; donaldson11].
//!
//! The first round is executed as it is: the base case. For later rounds, what the loop modifies and what is read again afterwards, the
//! *outputs*, gets arbitrary values; then follows a round that neither leaves the loop nor violates the property (if it did, an earlier round
//! would have been the last one), and then the last round, with its checks: the inductive case.

use super::body::{Body, Route, Violations};
use super::facts::LoopFacts;
use super::{LoopStrategy, Refusal, Strategy};
use cfa::program::LocId;
use rustc_hash::FxHashSet;

/// See the module.
pub struct Output;

impl LoopStrategy for Output {
    fn strategy(&self) -> Strategy {
        Strategy::Output
    }

    fn applies(&self, _: &LoopFacts<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn copies(&self) -> usize {
        3
    }

    fn build(&self, loop_: &LoopFacts<'_>, body: &mut Body<'_>) -> Option<LocId> {
        let head = loop_.l.head;
        let members = body.members;
        let inside: FxHashSet<LocId> = members.iter().copied().collect();
        let last = body.copy(members, Violations::Keep, |_, edge| match edge.dst {
            dst if dst == head => Route::Cut,
            dst if inside.contains(&dst) => Route::Inside,
            dst => Route::To(dst),
        })?;
        let last = *last.get(&head)?;
        let before = body.copy(members, Violations::Exclude, |_, edge| match edge.dst {
            dst if dst == head => Route::To(last),
            dst if inside.contains(&dst) => Route::Inside,
            _ => Route::Cut,
        })?;
        let havoc = body.havoc(*before.get(&head)?);
        let first = body.copy(members, Violations::Keep, |_, edge| match edge.dst {
            dst if dst == head => Route::To(havoc),
            dst if inside.contains(&dst) => Route::Inside,
            dst => Route::To(dst),
        })?;
        first.get(&head).copied()
    }
}

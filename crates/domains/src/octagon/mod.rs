//! Octagons: bounds of sums and differences of two registers, `±x ±y <= c` [mine06].
//!
//! * [`dbm`]: bounds of sums of two literals, and their closure;
//! * [`packs`]: which registers are related;
//! * [`state`]: abstract states, octagons over packs beside the numbers of [`crate::interval`], which also know memory and congruences;
//! * [`sum`]: expressions as sums; [`assume`]: conditions; [`post`]: operations, calls and returns;
//! * [`facts`]: what a state says, as relations.
//!
//! As for intervals, constraints are about the numbers that bits mean in the type of a register: a sum counts as one only where bounds, or
//! octagons themselves, show that it does not wrap around, and otherwise as the numbers that the type allows. *Narrowing* needs no operator
//! of its own: a bounded number of rounds computes states anew.

pub mod assume;
pub mod dbm;
pub mod facts;
mod linear;
pub mod packs;
pub mod post;
pub mod state;
pub mod sum;

use crate::numerical::{Bottom, Call, Cell, Num, Numerical, Relation, Scope};
use base::Effort;
use cfa::loops::Wto;
use cfa::points_to::PointsTo;
use cfa::{ExprId, Op, Program};
use packs::Packs;
use step::End;

pub use state::Octagons;

impl Numerical for Octagons {
    const NAME: &'static str = "octagon";
    const STEP: Effort = Effort::units(10);
    type Plan = Packs;

    fn plan(program: &Program, wto: &Wto) -> Packs {
        Packs::new(program, wto)
    }

    fn initial(packs: &Packs, scope: Scope<'_>) -> Self {
        post::initial(packs, scope)
    }

    fn close(&mut self) -> Result<(), Bottom> {
        Octagons::close(self)
    }

    fn assume(&mut self, scope: Scope<'_>, cond: ExprId, truth: bool) -> Result<(), Bottom> {
        Octagons::assume(self, scope, cond, truth)
    }

    fn post(&mut self, scope: Scope<'_>, points_to: &PointsTo, op: &Op) -> Result<(), End> {
        post::post(scope, points_to, self, op)
    }

    fn enter(&mut self, packs: &Packs, call: Call<'_>) -> Result<(), Bottom> {
        post::enter(packs, self, call)
    }

    fn leave(&mut self, call: Call<'_>) -> Result<(), Bottom> {
        post::leave(self, call)
    }

    fn retain(&mut self, keep: impl Fn(&Cell) -> bool) {
        Octagons::retain(self, keep);
    }

    fn leq(&self, other: &Self) -> bool {
        Octagons::leq(self, other)
    }

    fn join(&self, other: &Self) -> Self {
        Octagons::join(self, other)
    }

    fn widen(&self, newer: &Self, thresholds: &[i128]) -> Self {
        Octagons::widen(self, newer, thresholds)
    }

    fn numbers(&self) -> impl Iterator<Item = (Cell, Num)> {
        self.env().cells()
    }

    fn relations(&self) -> Vec<Relation<Cell>> {
        Octagons::relations(self)
    }
}

#[cfg(test)]
mod tests;

//! Intervals, congruences and zones over registers and memory cells at fixed places [mine01, granger89].
//!
//! * [`env`]: abstract states, numbers of cells and bounds of differences;
//! * [`eval`]: expressions and conditions; [`post`]: operations;
//! * [`local`]: registers of one function, whoever calls it.
//!
//! The domain is about the numbers that bits mean in the type of a cell. A result that may wrap around keeps what holds for wrapped
//! numbers, mostly nothing but a congruence; a difference is kept only where no wrap is possible. A call has cells of its own for each
//! call stack. Writes through pointers forget the variables that points-to analysis says.

pub mod env;
pub mod eval;
pub mod local;
pub mod post;

use crate::numerical::{Bottom, Call, Cell, Num, Numerical, Relation, Scope};
use base::Effort;
use cfa::loops::Wto;
use cfa::points_to::PointsTo;
use cfa::{ExprId, Op, Program};
use step::End;

pub use env::Env;

impl Numerical for Env {
    const NAME: &'static str = "interval";
    const STEP: Effort = Effort::units(4);
    type Plan = ();

    fn plan(_: &Program, _: &Wto) {}

    fn initial((): &(), scope: Scope<'_>) -> Self {
        let mut env = Env::default();
        post::initialise(scope, &mut env);
        env
    }

    fn assume(&mut self, scope: Scope<'_>, cond: ExprId, truth: bool) -> Result<(), Bottom> {
        scope.assume(self, cond, truth)
    }

    fn post(&mut self, scope: Scope<'_>, points_to: &PointsTo, op: &Op) -> Result<(), End> {
        post::post(scope, points_to, self, op)
    }

    fn enter(&mut self, (): &(), call: Call<'_>) -> Result<(), Bottom> {
        post::enter(self, call);
        Ok(())
    }

    fn leave(&mut self, call: Call<'_>) -> Result<(), Bottom> {
        post::leave(self, call);
        Ok(())
    }

    fn retain(&mut self, keep: impl Fn(&Cell) -> bool) {
        Env::retain(self, keep);
    }

    fn leq(&self, other: &Self) -> bool {
        Env::leq(self, other)
    }

    fn join(&self, other: &Self) -> Self {
        Env::join(self, other)
    }

    fn widen(&self, newer: &Self, thresholds: &[i128]) -> Self {
        Env::widen(self, newer, thresholds)
    }

    fn numbers(&self) -> impl Iterator<Item = (Cell, Num)> {
        self.cells()
    }

    fn relations(&self) -> Vec<Relation<Cell>> {
        self.differences().map(|((x, y), bound)| Relation::difference(x, y, bound)).collect()
    }
}

#[cfg(test)]
mod tests;

//! Abstract states of numerical domains: what the analysis, narrowing and proofs ask of them.

use super::cell::{Call, Cell, Scope};
use super::number::Num;
use super::relation::Relation;
use base::Effort;
use cfa::loops::Wto;
use cfa::points_to::PointsTo;
use cfa::{ExprId, Op, Program};
use std::fmt::Debug;
use std::hash::Hash;
use step::End;

/// No run satisfies the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bottom;

impl From<Bottom> for End {
    fn from(Bottom: Bottom) -> Self {
        End::Blocked
    }
}

/// An abstract state of a numerical domain.
pub trait Numerical: Clone + Eq + Hash + Debug {
    /// Name of the domain.
    const NAME: &'static str;
    /// What a step takes on average.
    const STEP: Effort;
    /// What the domain reads off the text of a program.
    type Plan;

    /// Reads it.
    fn plan(program: &Program, wto: &Wto) -> Self::Plan;

    /// The state at the entry of the start function.
    fn initial(plan: &Self::Plan, scope: Scope<'_>) -> Self;

    /// Prepares a state for operations after a join or widening.
    ///
    /// # Errors
    /// If no run satisfies it.
    fn close(&mut self) -> Result<(), Bottom> {
        Ok(())
    }

    /// Restricts the state to runs on which a condition has this truth value.
    ///
    /// # Errors
    /// If there are none.
    fn assume(&mut self, scope: Scope<'_>, cond: ExprId, truth: bool) -> Result<(), Bottom>;

    /// Carries out an operation that stays in its frame.
    ///
    /// # Errors
    /// If no run goes on.
    fn post(&mut self, scope: Scope<'_>, points_to: &PointsTo, op: &Op) -> Result<(), End>;

    /// Enters a function: its parameters are assigned.
    ///
    /// # Errors
    /// If no run goes on.
    fn enter(&mut self, plan: &Self::Plan, call: Call<'_>) -> Result<(), Bottom>;

    /// Leaves a function: its result is assigned, and what its frame has ends.
    ///
    /// # Errors
    /// If no run goes on.
    fn leave(&mut self, call: Call<'_>) -> Result<(), Bottom>;

    /// Forgets all cells that are not to be kept.
    fn retain(&mut self, keep: impl Fn(&Cell) -> bool);

    /// Whether each run that satisfies this state satisfies the other.
    fn leq(&self, other: &Self) -> bool;

    /// A state that the runs of both satisfy.
    fn join(&self, other: &Self) -> Self;

    /// A state that the runs of both satisfy, the same for all but a bounded number of ever larger states. `self` is the old one.
    /// Bounds that grow stop at thresholds, which are ascending.
    fn widen(&self, newer: &Self, thresholds: &[i128]) -> Self;

    /// The cells of which something is known, with their numbers.
    fn numbers(&self) -> impl Iterator<Item = (Cell, Num)>;

    /// What is known of two cells besides.
    fn relations(&self) -> Vec<Relation<Cell>>;
}

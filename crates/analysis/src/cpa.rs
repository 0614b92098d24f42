//! The operators of a configurable program analysis with precisions [beyer08].
//!
//! One abstract transfer runs from one *abstraction point* to the next: the domain decides at which locations (loop heads,
//! joins, …) the graph has nodes, and follows straight lines between them without making reached states. Which edges lie
//! between a node and its successor is not stored but computed again when somebody asks ([`Cpa::path`]).

use base::Stop;
use cfa::{EdgeId, FuncId, LocId};
use outcome::StopReason;
use std::fmt::Debug;
use std::hash::Hash;

/// Why an exploration ends without a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnalysisError {
    /// The budget ended the run.
    Stopped(Stop),
    /// Anything else.
    Failed(StopReason),
}

impl From<Stop> for AnalysisError {
    fn from(stop: Stop) -> Self {
        AnalysisError::Stopped(stop)
    }
}

impl AnalysisError {
    /// The reason that a user reads.
    pub fn reason(self, budget: &base::Budget) -> StopReason {
        match self {
            AnalysisError::Stopped(stop) => StopReason::from_stop(stop, budget),
            AnalysisError::Failed(reason) => reason,
        }
    }
}

/// Why an abstract state ends the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The property is violated.
    Violation,
    /// The edge is not modelled: what happens after it is unknown.
    Unmodelled(EdgeId),
}

impl Target {
    /// The target that the end of a walk is, if it is one.
    pub fn of(outcome: step::Outcome) -> Option<Self> {
        match outcome {
            step::Outcome::Arrived => None,
            step::Outcome::Violated => Some(Target::Violation),
            step::Outcome::Unmodelled(edge) => Some(Target::Unmodelled(edge)),
        }
    }
}

/// An abstract successor.
#[derive(Clone, Debug)]
pub struct Successor<S> {
    /// The state.
    pub state: S,
    /// Number of the successor among those of its predecessor; the same each time that the predecessor is expanded.
    pub choice: u32,
    /// Set if the state ends the search.
    pub target: Option<Target>,
}

/// What orders the waitlist, smallest first within one call depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rank {
    /// Number of frames on the call stack.
    pub depth: u32,
    /// Position in the weak topological order of the function.
    pub position: u32,
}

/// Result of the merge operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Merged<S> {
    /// The states stay apart.
    Sep,
    /// The old state is replaced by this one, which is at least as abstract.
    Into(S),
}

/// A configurable program analysis.
///
/// The domain itself (what it interns, caches and counts) is the implementing type; states are small handles.
pub trait Cpa {
    /// Abstract states.
    type State: Clone + Eq + Hash + Debug;
    /// What is tracked where.
    type Precision;
    /// Where a state is filed in the reached set: only states that a state's covering keys name can cover it.
    type Key: Clone + Eq + Hash;

    /// Whether the merge operator ever joins; without it, [`Cpa::merge`] is never asked.
    const MERGES: bool = false;

    /// The abstraction of the initial states.
    fn initial(&mut self, precision: &Self::Precision) -> Self::State;

    /// The location of a state.
    fn loc(&self, state: &Self::State) -> LocId;

    /// Appends every abstract successor of `from` at the next abstraction points, adjusted to the precision there; appending none
    /// means bottom.
    ///
    /// # Errors
    /// When the run has to end, or the domain can't go on.
    fn transfer(
        &mut self,
        from: &Self::State,
        precision: &Self::Precision,
        out: &mut Vec<Successor<Self::State>>,
    ) -> Result<(), AnalysisError>;

    /// The procedure that is called in a state of which the stack is abstracted. Its successors by [`Cpa::transfer`] are states in
    /// the procedure, with a stack of its own; those behind the call depend on the exits that are reached there.
    fn calls(&self, state: &Self::State) -> Option<FuncId> {
        let _ = state;
        None
    }

    /// The procedure that ends in a state with a stack of its own.
    fn returns(&self, state: &Self::State) -> Option<FuncId> {
        let _ = state;
        None
    }

    /// Appends the successors of a call behind it, of runs that leave the procedure at `exit`.
    ///
    /// # Errors
    /// As for [`Cpa::transfer`].
    fn transfer_over(
        &mut self,
        from: &Self::State,
        exit: &Self::State,
        precision: &Self::Precision,
        out: &mut Vec<Successor<Self::State>>,
    ) -> Result<(), AnalysisError> {
        let _ = (from, exit, precision, out);
        Ok(())
    }

    /// The edges from `from` to its successor `choice`. Calls are edges; returns are not, they follow from the path.
    ///
    /// # Errors
    /// As for [`Cpa::transfer`].
    fn path(&mut self, from: &Self::State, choice: u32) -> Result<Vec<EdgeId>, AnalysisError>;

    /// Joins a new state with an old one that has the same key.
    fn merge(&mut self, new: &Self::State, old: &Self::State) -> Merged<Self::State> {
        let _ = (new, old);
        Merged::Sep
    }

    /// Whether every concrete state of `lower` is one of `upper`.
    ///
    /// # Errors
    /// As for [`Cpa::transfer`].
    fn leq(&mut self, lower: &Self::State, upper: &Self::State) -> Result<bool, AnalysisError>;

    /// The key of a state.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// The same state with the strategies for loops that may be taken now; its successors have to be computed again.
    fn reselected(&self, state: &Self::State) -> Self::State {
        state.clone()
    }

    /// Called when a state becomes part of the reached set, so that [`Cpa::covering_keys`] can find its key.
    fn file(&mut self, state: &Self::State) {
        let _ = state;
    }

    /// Appends the keys of all reached states that may cover `state`, the most promising one first.
    fn covering_keys(&mut self, state: &Self::State, out: &mut Vec<Self::Key>);

    /// What orders the waitlist.
    fn rank(&self, state: &Self::State) -> Rank;
}

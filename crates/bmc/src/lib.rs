//! Bounded model checking, k-induction, and the invariants that they use.
//!
//! Invariant: no algorithm knows a solver backend (it gets a constructor), and none prints.

pub mod coarse;
pub mod kinduction;
pub mod narrowing;
pub mod numerical;
pub mod partial;
pub mod residual;
pub mod unrolling;

//! Bounded model checking, k-induction, and the invariants that they use.
//!
//! Invariant: no algorithm knows a solver backend (it gets a constructor), and none prints.

pub mod interval;
pub mod kinduction;
pub mod remainder;
pub mod unrolling;

//! The abstract domains, one folder or file each, and [`composite`]: the product that the analyses use.
//!
//! Invariant: domains know operations and the operators of `analysis`, but no algorithm and no solver.

pub mod automaton;
pub mod callstack;
pub mod composite;
pub mod location;
pub mod value;

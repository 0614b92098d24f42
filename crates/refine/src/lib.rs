//! Abstraction refinement that is the same for all domains.
//!
//! [`formula`] refutes sequences of formulas; the other modules work on assignments and graphs.
//!
//! Invariant: nothing here knows a domain; what is specific to one sits with it and comes in through traits and closures.

pub mod formula;
pub mod interpolation;
pub mod pivot;
pub mod prefix;
pub mod prune;

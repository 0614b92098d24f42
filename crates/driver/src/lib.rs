//! From files and options to an outcome: reads inputs, builds the automata, keeps the limits, chooses the algorithm.
//!
//! Invariant: the only crate that names concrete algorithms and solvers; nothing here prints.

pub mod config;
pub mod failure;
pub mod input;
pub mod limits;
pub mod property;
pub mod task;

pub use config::Config;
pub use failure::Failure;
pub use limits::{Interrupts, Limits};
pub use property::Property;

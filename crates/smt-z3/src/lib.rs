//! Z3 as a solver of Hone.
//!
//! [`Z3Solver`] implements [`smt::Solver`]. Terms are translated when a query needs them ([`translate`]); the calls of the C
//! interface are in [`ffi`], the only module with unsafe code.

mod ffi;
mod model;
mod solver;
mod translate;

// Links the library.
use z3_static as _;

pub use solver::{Mode, Z3Solver};

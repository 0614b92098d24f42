//! Z3 as a solver of Hone.
//!
//! [`Z3Solver`] implements [`smt::Solver`], [`Z3Horn`] solves Horn clauses, and [`Z3Backend`] makes both. Terms are translated when a query needs them ([`translate`]); the calls of the C
//! interface are in [`ffi`], the only module with unsafe code.

mod backend;
mod escalation;
mod ffi;
mod horn;
mod limits;
mod model;
mod read;
mod solver;
mod translate;

// Links the library.
use z3_link as _;

pub use backend::Z3Backend;
pub use escalation::EscalatingSolver;
pub use horn::Z3Horn;
pub use solver::{Mode, Z3Solver};

//! Intervals, congruences and zones over registers and memory cells at fixed places [mine01, granger89].
//!
//! * [`number`]: sets of integers, an interval with a congruence;
//! * [`env`]: abstract states, numbers of cells and bounds of differences;
//! * [`eval`]: expressions and conditions; [`post`]: operations;
//! * [`local`]: registers of one function, whoever calls it;
//! * [`IntervalCpa`]: the analysis, which joins what meets and widens at heads of loops.
//!
//! The domain is about the numbers that bits mean in the type of a cell. A result that may wrap around keeps what holds for wrapped
//! numbers, mostly nothing but a congruence; a difference is kept only where no wrap is possible. A call has cells of its own for each
//! call stack. Writes through pointers forget the variables that points-to analysis says.

mod cpa;
pub mod env;
pub mod eval;
pub mod local;
pub mod number;
pub mod post;

pub use cpa::{IntervalCpa, IntervalState};
pub use env::{Cell, Env, Place};
pub use number::Num;

#[cfg(test)]
mod tests;

//! What numerical domains have in common: their analysis joins what meets, and widens at heads of loops [cousot77].
//!
//! * [`number`]: sets of integers, an interval with a congruence;
//! * [`cell`]: what has a number, in which frame, and calls, which lead from one frame to another;
//! * [`relation`]: bounds of sums and differences of two cells;
//! * [`state`]: the trait of a domain's abstract states; [`cpa`]: the analysis with such states.
//!
//! A third domain is a type that implements [`Numerical`].

pub mod cell;
pub mod cpa;
pub mod number;
pub mod relation;
pub mod state;

pub use cell::{Call, Cell, Place, Scope};
pub use cpa::{NumericalCpa, Reached};
pub use number::Num;
pub use relation::{Relation, Signs};
pub use state::{Bottom, Numerical};

//! Octagons: bounds of sums and differences of two registers, `±x ±y <= c` [mine06].
//!
//! * [`dbm`]: bounds of sums of two literals, and their closure;
//! * [`packs`]: which registers are related;
//! * [`state`]: abstract states, octagons over packs beside the numbers of [`crate::interval`], which also know memory and congruences;
//! * [`sum`]: expressions as sums; [`assume`]: conditions; [`post`]: operations, calls and returns;
//! * [`facts`]: what a state says, as relations.
//!
//! As for intervals, constraints are about the numbers that bits mean in the type of a register: a sum counts as one only where bounds, or
//! octagons themselves, show that it does not wrap around, and otherwise as the numbers that the type allows. *Narrowing* needs no operator
//! of its own: a bounded number of rounds computes states anew.

pub mod assume;
pub mod dbm;
pub mod facts;
pub mod packs;
pub mod post;
pub mod state;
pub mod sum;

pub use facts::{Relation, Signs};
pub use packs::Packs;
pub use post::Call;
pub use state::Octagons;

#[cfg(test)]
mod tests;

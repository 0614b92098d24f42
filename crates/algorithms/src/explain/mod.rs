//! Proofs in the user's words: what nodes of a proof graph claim, as C over the program's variables, and loop invariants.

pub mod boolean;
mod compare;
pub mod invariants;
pub mod names;
pub mod view;

//! Proofs in the user's words: what nodes of a proof graph claim, as C over the program's variables, loop invariants, and contracts.

pub mod boolean;
mod compare;
pub mod contracts;
pub mod invariants;
pub mod names;
pub mod view;

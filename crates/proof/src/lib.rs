//! Proofs as graphs: what an analysis claims, its check, and what it says in the words of the program.

pub mod check;
pub mod evidence;
pub mod explain;
pub mod graph;

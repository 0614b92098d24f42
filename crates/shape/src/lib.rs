//! Shapes of linked structures on the heap: symbolic memory graphs [dudka13].
//!
//! A graph has objects with fields, and segments, each of which stands for all lists of alike nodes; what each node has for itself belongs to it.

pub mod alike;
pub mod assume;
pub mod branch;
pub mod check;
pub mod compare;
pub mod cpa;
pub mod eval;
pub mod fold;
pub mod graph;
pub mod guard;
pub mod object;
pub mod post;
pub mod run;
pub mod tree;
pub mod unfold;
pub mod value;

//! Shapes of linked structures on the heap: symbolic memory graphs [dudka13].
//!
//! A graph has objects with fields, and segments, each of which stands for all lists of at least two nodes that look alike.

pub mod assume;
pub mod compare;
pub mod cpa;
pub mod eval;
pub mod fold;
pub mod graph;
pub mod object;
pub mod post;
pub mod run;
pub mod unfold;
pub mod value;

//! The C front end: from syntax trees to a typed tree with every conversion explicit.
//!
//! Invariant: nothing here knows control-flow automata or solvers; errors are [`base::Diagnostic`]s, never panics.

pub mod types;
pub mod typed;
pub mod layout;
pub mod sema;

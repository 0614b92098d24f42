//! The C front end: from bytes to a syntax tree and from there to a typed tree with every conversion explicit.
//!
//! Invariant: nothing here knows control-flow automata or solvers; errors are [`base::Diagnostic`]s, never panics.

pub mod ast;
pub mod intern;
pub mod parse;

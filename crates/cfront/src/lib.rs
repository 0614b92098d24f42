//! The C front end: from bytes to a syntax tree and from there to a typed tree with every conversion explicit.
//!
//! Invariant: nothing here knows control-flow automata or solvers; errors are [`base::Diagnostic`]s, never panics.

pub mod format;
pub mod machine_model;
pub mod preprocess;
pub mod lex;
pub mod intern;
pub mod ast;
pub mod parse;
pub mod removal;
pub mod types;
pub mod typed;
pub mod unchecked;
pub mod layout;
pub mod sema;
pub mod stubs;

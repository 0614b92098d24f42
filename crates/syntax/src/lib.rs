//! The syntax of C: from bytes to a syntax tree.
//!
//! Invariant: nothing here knows types; errors are [`base::Diagnostic`]s, never panics.

pub mod format;
pub mod machine_model;
pub mod preprocess;
pub mod lex;
pub mod intern;
pub mod ast;
pub mod parse;
pub mod removal;
pub mod stubs;
pub mod unchecked;

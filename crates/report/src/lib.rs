//! Renders what Hone knows: outcomes for people and programs, harnesses that reproduce errors.
//!
//! Invariant: pure functions from data to text; nothing here decides, measures or does I/O.

pub mod cfa;
mod checks;
pub mod arg;
pub mod harness;
pub mod harnesses;
pub mod html;
pub mod json;
pub mod sarif;
mod elision;
pub mod subject;
pub mod text;
pub mod trace;
pub mod validation;

#[cfg(test)]
mod specimen;

pub use subject::Subject;

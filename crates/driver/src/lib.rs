//! From files and options to an outcome: reads inputs, builds the automata, keeps the limits, chooses the algorithm.
//!
//! Invariant: the only crate that names concrete algorithms and solvers; nothing here prints.

pub mod assemble;
mod assumed;
mod cache;
mod checks;
pub mod compile_commands;
pub mod config;
pub mod contracts;
pub mod environment;
mod every_check;
pub mod execute;
pub mod failure;
pub mod flags;
pub mod frontend;
pub mod input;
mod headers;
mod invariants;
pub mod instrument;
pub mod job;
mod kept;
pub mod limits;
pub mod loops;
mod narrowed;
pub mod options;
pub mod prepare;
pub mod project;
pub mod property;
mod reached;
pub mod run;
mod sequence;
mod settings;
mod sources;
pub mod stack;
mod subject;
pub mod suggest;
mod symbols;
pub mod task;
pub mod text_form;
mod trial;
pub mod validate;
mod weaving;
pub mod witness;

pub use c2cfa::{Arguments, Environment};
pub use config::Config;
pub use failure::Failure;
pub use job::{Job, SourceOptions};
pub use limits::{Interrupts, Limits};
pub use property::Property;
pub use stack::is_caught;

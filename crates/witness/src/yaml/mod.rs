//! The format 2.x: a YAML list of entries.

mod read;
mod write;

pub use read::{Read, read};
pub use write::{Version, render};

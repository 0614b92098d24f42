//! What the tests of all domains share.

pub mod laws;
pub mod programs;

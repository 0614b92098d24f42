//! Checks of the workspace that the compiler doesn't make.

pub mod tidy;

//! Checks that the compiler doesn't make: of the workspace, and of the binary against gcc and against broken inputs.

pub mod csmith;
pub mod mutate;
pub mod options;
pub mod process;
pub mod tidy;

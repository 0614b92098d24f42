//! Checks that the compiler doesn't make: of the workspace, and of the binary against gcc and against broken inputs.

pub mod bench;
pub mod csmith;
pub mod mutate;
pub mod options;
pub mod plot;
pub mod process;
pub mod scaling;
pub mod tidy;

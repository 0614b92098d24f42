//! Checks that the compiler doesn't make: of the workspace, and of the binary against gcc and against broken inputs.

pub mod bench;
pub mod csmith;
pub mod fuzz;
pub mod header;
pub mod mutate;
pub mod options;
pub mod plot;
pub mod process;
pub mod random;
pub mod scaling;
pub mod tidy;
pub mod verdicts;

use std::path::{Path, PathBuf};

/// The root of this workspace.
pub fn workspace_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_owned()
}

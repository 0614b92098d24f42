//! Inputs that fuzzing found, and a few of each kind: `fuzz/regressions/TARGET`. What was repaired stays so.

#![allow(clippy::disallowed_methods)] // The test reads files of its own.

#[path = "../../../fuzz/src/targets/mod.rs"]
mod targets;

use std::fs;
use std::path::Path;

/// Runs a target on all files of a folder; their number.
fn run_all(target: &str, folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<_> = entries.collect();
    paths.sort();
    let run = |path: &Path| {
        if path.is_dir() {
            return run_all(target, path);
        }
        let bytes = fs::read(path).expect("a file");
        let ended = std::panic::catch_unwind(|| targets::run(target, &bytes));
        assert!(ended.is_ok(), "{}", path.display());
        1
    };
    paths.iter().map(|path| run(path)).sum()
}

#[test]
fn inputs_of_fuzzing_are_no_problem() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions");
    for target in targets::NAMES {
        assert_ne!(run_all(target, &folder.join(target)), 0, "no inputs for {target}");
    }
}

/// Fuzzing begins with these: their runs end as they do when they are prepared for analysis.
#[test]
fn programs_of_the_repository_are_no_problem() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["tests/data", "examples"] {
        assert_ne!(run_all("frontend", &root.join(folder)), 0, "no programs in {folder}");
    }
}

//! Inputs that fuzzing found, and a few of each kind: `fuzz/regressions/TARGET`. What was repaired stays so.

#![allow(clippy::disallowed_methods)] // The test reads files of its own.

#[path = "../../../fuzz/src/targets/mod.rs"]
mod targets;

use std::fs;
use std::path::Path;

#[test]
fn inputs_of_fuzzing_are_no_problem() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions");
    for target in targets::NAMES {
        let mut files: Vec<_> = fs::read_dir(folder.join(target))
            .expect("a folder for each target")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        files.sort();
        assert!(!files.is_empty(), "no inputs for {target}");
        for file in files {
            let bytes = fs::read(&file).expect("a file");
            let ended = std::panic::catch_unwind(|| targets::run(target, &bytes));
            assert!(ended.is_ok(), "{}", file.display());
        }
    }
}

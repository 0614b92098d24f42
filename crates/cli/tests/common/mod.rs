//! Files of tests.

use std::path::Path;

#[allow(clippy::disallowed_methods)] // Tests read and write files of their own.
pub fn write(path: &Path, content: &str) {
    std::fs::write(path, content).expect("a file");
}

#[allow(clippy::disallowed_methods)]
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file")
}

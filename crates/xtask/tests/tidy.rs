//! The workspace is tidy.

use xtask::tidy;

#[test]
fn workspace_is_tidy() {
    let report = tidy::check(&xtask::workspace_root());
    assert!(report.errors.is_empty(), "\n{}\n", report.errors.join("\n"));
}

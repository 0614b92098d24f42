//! The workspace is tidy.

use xtask::tidy;

#[test]
fn workspace_is_tidy() {
    let findings: Vec<String> = tidy::check(&xtask::workspace_root()).iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
}

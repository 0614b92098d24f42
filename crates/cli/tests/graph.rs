//! The abstract reachability graph that a proof leaves in the output folder.
#![allow(clippy::disallowed_methods)] // Tests read and write files of their own.

use assert_cmd::Command;
use std::path::Path;

const PROGRAM: &str = "\
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
    int state = 0, unrelated = 7;
    while (__VERIFIER_nondet_int() != unrelated) {
        if (state > 1)
            reach_error();
        state = 1 - state;
    }
    return 0;
}
";

fn check(folder: &Path) {
    let file = folder.join("program.c");
    std::fs::write(&file, PROGRAM).expect("the folder is writable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hone"));
    command
        .args([
            "check",
            "--checks",
            "assertions",
            "--malloc",
            "never-fails",
            "--config",
            "value",
            "--check-proof",
            "--output",
        ])
        .arg(folder)
        .arg(&file)
        .assert()
        .code(0);
}

#[test]
fn dot() {
    let folder = tempfile::tempdir().expect("a folder");
    check(folder.path());
    let text = std::fs::read_to_string(folder.path().join("arg.dot")).expect("a graph");
    insta::assert_snapshot!(text);
}

#[test]
fn json() {
    let folder = tempfile::tempdir().expect("a folder");
    check(folder.path());
    let text = std::fs::read_to_string(folder.path().join("arg.json")).expect("a graph");
    let graph: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let nodes = graph["nodes"].as_array().expect("nodes");
    assert_eq!(graph["truncated"], false);
    // Only what refinement found necessary is tracked, and every covered node names the node that covers it.
    for (i, node) in nodes.iter().enumerate() {
        assert_eq!(node["id"], i);
        assert_eq!(node["precision"], serde_json::json!(["state"]));
        assert!(node["state"].as_array().is_some_and(|state| state.iter().all(|cell| cell["name"] == "state")));
        let covering = node["covered_by"].as_u64();
        assert_eq!(node["kind"] == "covered", covering.is_some(), "{node}");
        if let Some(covering) = covering {
            assert_eq!(nodes[covering as usize]["state"], node["state"]);
        }
    }
    assert!(nodes.iter().any(|node| node["kind"] == "covered"));
    let edges = graph["edges"].as_array().expect("edges");
    assert_eq!(edges.len() + 1, nodes.len());
}

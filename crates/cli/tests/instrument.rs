//! `hone loops FILE --instrument …` prints C that compiles, and that bounded model checking decides as the original.

use assert_cmd::Command;
use std::path::Path;

const PROGRAMS: [(&str, &str); 8] = [
    ("crafted/two_phases_true.c", "true"),
    ("crafted/inputs_in_loop_true.c", "true"),
    ("acceleration/array_selected_true.c", "true"),
    ("acceleration/call_in_loop_true.c", "true"),
    ("acceleration/nest_triangle_true.c", "true"),
    ("acceleration/nest_deep_false.c", "false(unreach-call)"),
    ("crafted/deep_in_the_loop_false.c", "false(unreach-call)"),
    ("acceleration/fig_3_deep.c", "false(unreach-call)"),
];

fn hone(args: &[&str]) -> std::process::Output {
    Command::cargo_bin("hone").expect("the binary").args(args).output().expect("it runs")
}

#[track_caller]
#[allow(clippy::disallowed_methods)] // Tests write files of their own.
fn check(program: &str, how: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(program);
    let printed = hone(&["loops", &path.to_string_lossy(), "--instrument", how]);
    assert!(printed.status.success(), "{program}: {}", String::from_utf8_lossy(&printed.stderr));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("instrumented.c");
    std::fs::write(&file, &printed.stdout).expect("a file");
    let cc = ["-w", "-fwrapv", "-fno-strict-aliasing", "-c", "-o"];
    let compiled = std::process::Command::new("cc").args(cc).arg(folder.path().join("o.o")).arg(&file).output();
    let compiled = compiled.expect("cc runs");
    assert!(compiled.status.success(), "{program}: {}", String::from_utf8_lossy(&compiled.stderr));
    let args = [
        "check",
        "--checks",
        "assertions",
        "--malloc",
        "never-fails",
        "--config",
        "bmc",
        "--unwind",
        "4",
        "--timeout",
        "30s",
        &file.to_string_lossy(),
    ];
    let text = String::from_utf8_lossy(&hone(&args).stdout).into_owned();
    text.lines().last().and_then(|line| line.strip_prefix("verdict: ")).unwrap_or_default().to_owned()
}

#[test]
fn trace_automata_make_bounded_model_checking_complete() {
    for (program, expected) in PROGRAMS {
        assert_eq!(check(program, "trace-automata"), expected, "{program}");
    }
}

#[test]
fn acceleration_alone_finds_deep_bugs() {
    for (program, expected) in PROGRAMS.iter().filter(|(_, expected)| expected.starts_with("false")) {
        assert_eq!(check(program, "acceleration"), *expected, "{program}");
    }
}

//! Proofs that say nothing, and proofs that don't.

use std::process::Command;

/// The first line of the report on a program.
#[allow(clippy::disallowed_methods)] // Tests write files of their own.
fn first_line(program: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("prog.c"), program).expect("a file");
    let mut hone = Command::new(env!("CARGO_BIN_EXE_hone"));
    hone.current_dir(folder.path()).args(["check", "--timeout", "60s"]).args(options).arg("prog.c");
    let output = hone.output().expect("hone runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned()
}

#[track_caller]
fn check(program: &str, options: &[&str], begins: &str) {
    let line = first_line(program, options);
    assert!(line.starts_with(begins), "{line}");
}

const UNREACHED: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
    int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5) { if (x < 3) assert(x != 4); } return 0; }\n";

#[test]
fn no_run_gets_to_the_assertion() {
    check(UNREACHED, &[], "prog.c: proved, but no run gets to an assertion");
}

#[test]
fn nothing_is_checked() {
    check("int main(void) { int a[2]; a[1] = 3; return a[1]; }\n", &[], "prog.c: proved, but nothing was checked");
    check("int main(void) { return 0; }\n", &["--checks", "overflow"], "prog.c: proved, but nothing was checked");
}

#[test]
fn what_is_left_is_looked_for_where_something_is_allocated() {
    let program = "#include <stdlib.h>\nint main(void) { free(malloc(3)); return 0; }\n";
    check(program, &["--checks", "leak"], "prog.c: proved: ");
}

#[test]
fn an_assertion_that_is_reached() {
    check(&UNREACHED.replace("x < 3", "x < 9").replace("x != 4", "x < 9"), &[], "prog.c: proved: ");
}

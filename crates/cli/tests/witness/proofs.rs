//! Witnesses of Hone's own proofs.

use super::{confirmed, hone, read, write};
use std::path::Path;

/// Of the proofs of the gate, at least 95 % come with invariants or contracts that suffice alone: `data.rs` validates all without such a line.
#[test]
#[allow(clippy::disallowed_methods)]
fn few_proofs_have_no_invariants_that_suffice() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let (mut proofs, mut unconfirmed) = (0, Vec::new());
    for folder in std::fs::read_dir(root).expect("the programs").map(|entry| entry.expect("an entry").path()) {
        for file in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let text = String::from_utf8_lossy(&std::fs::read(&file).expect("a program")).into_owned();
            let header = || text.lines().take_while(|line| line.starts_with("// "));
            if header().any(|line| line == "// expect: true") {
                proofs += 1;
                unconfirmed.extend(header().any(|line| line.starts_with("// witness: ")).then_some(file));
            }
        }
    }
    assert!(
        proofs >= 200 && unconfirmed.len() * 100 <= proofs * 5,
        "{} of {proofs}: {unconfirmed:?}",
        unconfirmed.len()
    );
}

#[test]
fn proofs_without_invariants_get_those_of_others() {
    let program = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0;
    while (x > 0) {
        x = x - 1;
        y = y + 1;
    }
    if (y != n)
        reach_error();
    return 0;
}
";
    let witness = confirmed(program, "bmc-trace-automata");
    assert!(witness.contains("n == x + y") && witness.contains("line: 5\n          column: 5"), "{witness}");
}

/// The bound of a counter holds because of the equation, and the equation tells the other one only because of the bound.
#[test]
fn equations_of_counters_come_with_bounds() {
    let program = "\
extern void reach_error(void);
int main(void) {
    int i = 1, rounds = 0;
    while (i <= 2000000000) {
        i += 1000;
        rounds++;
    }
    if (i != 2000000001 || rounds != 2000000)
        reach_error();
    return 0;
}
";
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), program);
    let output = hone(
        folder.path(),
        &[
            "check",
            "--checks",
            "assertions",
            "--config",
            "bmc",
            "--loop-abstraction",
            "on",
            "--witness",
            "w.yml",
            "--timeout",
            "60s",
            "prog.c",
        ],
    );
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("equations of counters"), "{stdout}");
    assert!(read(&folder.path().join("w.yml")).contains("rounds <= 2000000"));
}

#[test]
fn invariants_of_endless_loops_stand_at_the_loop() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = 1, y = 1;
    while (1) {
        x = x + 2 * __VERIFIER_nondet_int();
        y = y + 2 * __VERIFIER_nondet_int();
        if (x + y == 1)
            reach_error();
    }
}
";
    let witness = confirmed(program, "predicate");
    assert!(witness.contains("type: loop_invariant") && witness.contains("line: 5\n"), "{witness}");
}

/// That is told before anything is analysed.
#[test]
fn files_that_can_not_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), "int main(void) { return 0; }\n");
    for option in ["--output", "--witness"] {
        let output = hone(folder.path(), &["check", "--checks", "assertions", option, "prog.c/below", "prog.c"]);
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(stdout, "");
        assert!(stderr.contains("E0041") && stderr.contains("that can be written"), "{stderr}");
        assert_eq!(output.status.code(), Some(2), "{option}");
    }
}

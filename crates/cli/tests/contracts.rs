//! Contracts: annotations that can't be read, and those that Hone writes, which are checked again.

mod common;

use common::{read, write};
use std::path::Path;
use std::process::{Command, Output};

const LOOPS: &str = "\
#include <assert.h>
#include \"inputs.h\"
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    int i = 0;
    while (i < n) {
        i++;
    }
    assert(i == n);
    return 0;
}
";

fn hone(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hone")).current_dir(folder).args(args).output().expect("hone runs")
}

/// What is said of an annotated program, which is not read.
#[track_caller]
fn refused(program: &str, args: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("a.c"), program);
    let output = hone(folder.path(), &[&["check", "--acsl", "a.c"], args].concat());
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    stderr
}

#[test]
fn annotations_that_are_not_read_are_told_with_their_places() {
    let main = |body: &str| format!("int main(void) {{\n    int x = 1;\n    {body}\n    return 0;\n}}\n");
    let f = |contract: &str| {
        format!("{contract}\nint f(int *p) {{ return *p; }}\nint main(void) {{ int x = 1; return f(&x); }}\n")
    };
    let checked: &[&str] = &["--check-contract", "f"];
    let cases: &[(String, &[&str], &str, &str)] = &[
        (main("//@ assert x ==;"), &[], "expected a term or predicate, found `;`", "a.c:3:20"),
        (main("/*@ assert x == 1 */"), &[], "expected `;`, but the annotation ends", "a.c:3:21"),
        (main("//@ assert y == 1;"), &[], "`y` is not declared", "a.c:3:16"),
        (main("//@ assert \\old(x) == 1;"), &[], "a value of the state `Old` is not read", "a.c:3:16"),
        (main("//@ assert g(x) == 1;"), &[], "a call is not read", "a.c:3:16"),
        (
            main("//@ assert \\forall integer i; i > x;"),
            &[],
            "the range of a quantifier over integers is not known",
            "a.c:3:16",
        ),
        (main("//@ assert 1 < x > 0;"), &[], "such a chain of comparisons is not read", "a.c:3:22"),
        (main("//@ assert x << x == 2;"), &[], "this can't be computed in mathematical integers", "a.c:3:21"),
        (main("//@ assert 0.1 < x;"), &[], "a number that `double` only comes near to", "a.c:3:16"),
        (main("//@ ensures x == 1;"), &[], "no annotation is read at this place", "a.c:3:5"),
        (main("x = /*@ here */ 2;"), &[], "no annotation is read at this place", "a.c:3:9"),
        (f("//@ requires \\initialized(p);"), checked, "`\\initialized` is not read", "a.c:1:14"),
        (f("//@ assigns *p \\from x;"), checked, "`\\from` is not read", "a.c:1:16"),
        (f("//@ ensures \\result > 0;"), &["--use-contract", "f"], "does not say what the function writes", "a.c:2:5"),
        (f("//@ terminates \\true;"), checked, "`terminates` is not read", "a.c:1:5"),
        (f("//@ requires a[0 .. 1] > 0;"), checked, "a range of values is not read", "a.c:1:16"),
    ];
    for (program, args, message, place) in cases {
        let said = refused(program, args);
        assert!(said.contains(message) && said.contains(place), "{message} at {place}:\n{said}");
    }
}

#[test]
fn checks_of_contracts_say_what_they_cover() {
    let check = |call: &str, args: &[&str]| {
        let folder = tempfile::tempdir().expect("a folder");
        let function =
            "int f(int a) __CPROVER_requires(a > 0) __CPROVER_ensures(__CPROVER_return_value == a)\n{ return a; }";
        write(&folder.path().join("a.c"), &format!("{function}\nint main(void) {{ return {call}; }}\n"));
        let output = hone(folder.path(), &[&["check", "--check-contract", "f", "a.c"], args].concat());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(check("f(3)", &[]).contains("the contract of `f` is checked for the calls that the program makes"));
    assert!(check("0", &[]).contains("the contract of `f` is not checked: nothing calls it (`--entry f` does)"));
    assert!(!check("0", &["--entry", "f"]).contains("the contract of `f` is"));
}

#[test]
fn annotations_that_do_not_matter_are_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "/*@{*/\n/*@ predicate p(int x) = x > 0; */\n/*@ requires \\initialized(p); */\nint f(int *p) { return *p; }\n/*@}*/\n\
                   int main(void) {\n    int x = 1;\n    /*@ loop nonsense; */\n    while (x < 5) x++;\n    return f(&x);\n}\n";
    write(&folder.path().join("a.c"), program);
    for args in [&["check", "a.c"][..], &["check", "--acsl", "a.c"]] {
        let output = hone(folder.path(), args);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let output = hone(folder.path(), &["check", "--acsl", "--loop-contracts", "a.c"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("`loop nonsense` is not read"), "{said}");
}

#[test]
fn contracts_that_are_written_are_proved_again() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("a.c"), LOOPS);
    write(&folder.path().join("inputs.h"), "extern int __VERIFIER_nondet_int(void);\n");
    for (style, clause, options) in [
        ("cbmc", "__CPROVER_loop_invariant(i <= n)", &["--loop-contracts"][..]),
        ("acsl", "loop invariant i <= n;", &["--acsl", "--loop-contracts"]),
    ] {
        let written = folder.path().join(style);
        let name = written.display().to_string();
        let output = hone(folder.path(), &["contracts", "--style", style, "--output", &name, "a.c"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains(&options.join(" ")) && said.contains(" 0 left out"), "{said}");
        let text = read(&written.join("a.c"));
        assert!(text.contains(clause), "{text}");
        let check = |text: &str| {
            write(&folder.path().join("b.c"), text);
            let output = hone(folder.path(), &[&["check", "b.c"], options].concat());
            (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let (code, report) = check(&text);
        assert_eq!(code, Some(0), "{report}");
        let (code, report) = check(&text.replace(clause, &clause.replace("<=", "<")));
        let line = text.lines().position(|line| line.contains(clause)).expect("the clause") + 1;
        assert!(code == Some(1) && report.contains(&format!("an assertion fails: i < n at b.c:{line}")), "{report}");
    }
    let patch = hone(folder.path(), &["contracts", "a.c"]);
    let patch = String::from_utf8_lossy(&patch.stdout).into_owned();
    assert!(
        patch.starts_with("--- a/a.c\n+++ b/a.c\n@@ ") && patch.contains("\n+    __CPROVER_loop_invariant("),
        "{patch}"
    );
}

#[test]
fn without_a_proof_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("a.c"), &LOOPS.replace("i == n", "i != n"));
    write(&folder.path().join("inputs.h"), "extern int __VERIFIER_nondet_int(void);\n");
    let output = hone(folder.path(), &["contracts", "--output", "out", "a.c"]);
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(1) && report.contains("verdict: false"), "{report}");
    assert!(!folder.path().join("out/a.c").exists());
}

//! What reports say that an answer rests on.

use std::process::Command;

/// The report of a program.
#[allow(clippy::disallowed_methods)] // Tests write files of their own.
fn report(program: &str, config: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("prog.c"), program).expect("a file");
    let mut hone = Command::new(env!("CARGO_BIN_EXE_hone"));
    hone.current_dir(folder.path()).args([
        "check",
        "--checks",
        "assertions",
        "--malloc",
        "never-fails",
        "--config",
        config,
        "prog.c",
    ]);
    String::from_utf8_lossy(&hone.output().expect("hone runs").stdout).into_owned()
}

/// The lines of a report's assumptions, and its last one.
#[track_caller]
fn check(program: &str, verdict: &str, assumptions: &[&str]) {
    let report = report(program, "portfolio");
    let lines: Vec<&str> = report.lines().filter_map(|line| line.strip_prefix("  - ")).collect();
    assert_eq!(lines, assumptions, "{report}");
    assert_eq!(report.lines().last(), Some(verdict), "{report}");
}

#[test]
fn functions_without_a_body() {
    let program = "extern void assert(int);\nextern int fill(int *p, int n);\nextern int printf(const char *, ...);\nextern int __VERIFIER_nondet_int(void);\n\
                   extern double sin(double);\nint main(void) {\n  int a[2] = {1, 2};\n  fill(a, 2);\n  fill(a, __VERIFIER_nondet_int());\n\
                   printf(\"%f\", sin(0.5));\n  assert(a[0] == 1);\n}\n";
    let assumed =
        "`fill` has no body (add its file?): it returns any value and changes nothing else (prog.c:8 and 1 more)";
    check(program, "verdict: true", &[assumed]);
}

#[test]
fn assembler_and_locales() {
    let program = "#include <assert.h>\n#include <locale.h>\nint main(void) {\n  setlocale(LC_ALL, \"\");\n  int x = 1, y;\n\
                   __asm__(\"bsf %1, %0\" : \"=r\"(y) : \"r\"(x));\n  assert(y == y);\n}\n";
    let assembler = "inline assembler gives any value, also one that no machine computes (prog.c:6)";
    let locale = "functions that look at bytes, or at numbers in texts, do it as in the C locale, whatever is chosen here (prog.c:4)";
    check(program, "verdict: true", &[assembler, locale]);
}

/// A program that frees memory, with what comes then.
fn freeing(then: &str) -> String {
    format!(
        "#include <stdlib.h>\n#include <assert.h>\nint main(void) {{\n  int *p = malloc(sizeof *p);\n  *p = 1;\n  free(p);\n  {then}\n  return 0;\n}}\n"
    )
}

#[test]
fn memory_that_is_freed_in_the_end() {
    check(&freeing(""), "verdict: true", &["memory allocation never fails (prog.c:4)"]);
}

#[test]
fn memory_that_is_freed_before_a_write() {
    let never_fails = "memory allocation never fails (prog.c:4 and 1 more)";
    let not_written = "memory is not written to after it was freed here (prog.c:6)";
    check(&freeing("p = malloc(4); *p = 2; assert(*p == 2);"), "verdict: true", &[never_fails, not_written]);
    // Where the second object takes the place of the first one, the assertion fails.
    let written = "int *q = malloc(4); *q = 5; *p = 7; assert(*q == 5);";
    let verdict = "verdict: unknown (undefined behaviour: write to freed memory, prog.c:7:31)";
    check(&freeing(written), verdict, &[never_fails, not_written]);
    // The loop makes an analysis answer that runs beside others, which are stopped then.
    let with_loop = format!(
        "extern unsigned __VERIFIER_nondet_uint(void); unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < n) i++; {written} assert(i == n);"
    );
    let program = freeing(&with_loop);
    let verdict = "verdict: unknown (undefined behaviour: write to freed memory, prog.c:7:142)";
    check(&program, verdict, &[never_fails, not_written]);
}

/// What a proof leaves out is listed, whichever analysis proves it.
#[test]
fn runs_that_meet_undefined_behaviour() {
    let program = "extern void reach_error(void);\nvoid (*callback)(void);\nint main(void) {\n  int failed = 0;\n  callback();\n\
                   if (failed) reach_error();\n}\n";
    let excluded =
        "  - runs that meet undefined behaviour end there; what a machine does afterwards is not covered (prog.c:5)\n";
    let configurations = [
        "interval",
        "octagon",
        "shape",
        "k-induction",
        "bmc",
        "value",
        "predicate",
        "value-predicate",
        "impact",
        "bam-value",
        "bam-predicate",
    ];
    for config in configurations {
        let report = report(program, config);
        assert!(report.contains(excluded) && report.ends_with("verdict: true\n"), "{config}: {report}");
    }
}

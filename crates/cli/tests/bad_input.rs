//! Every kind of unusable input: a diagnostic with place and hint, and exit code 2.

use assert_cmd::Command;
use std::path::Path;

/// Runs `hone` in a folder with these files; returns stderr. Stdout must be empty and the exit code 2.
#[track_caller]
fn check(files: &[(&str, &[u8])], args: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        write(&folder.path().join(name), content);
    }
    let output = Command::cargo_bin("hone")
        .expect("the binary")
        .current_dir(folder.path())
        .args(args)
        .output()
        .expect("hone runs");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(output.stdout.is_empty());
    assert!(!stderr.contains("panicked") && !stderr.contains("internal error"), "{stderr}");
    stderr
}

#[allow(clippy::disallowed_methods)] // Tests write files of their own.
fn write(path: &Path, content: &[u8]) {
    std::fs::write(path, content).expect("a file");
}

macro_rules! snapshot {
    ($name:ident, $files:expr, $args:expr) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(check($files, $args));
        }
    };
}

const MAIN: &[u8] = b"int main(void) { return 0; }\n";

snapshot!(missing_file, &[], &["check", "no.c"]);
snapshot!(directory, &[], &["check", "."]);
snapshot!(empty_file, &[("e.c", b" \n")], &["check", "e.c"]);
snapshot!(binary_file, &[("b.c", b"\x7fELF\x02\x01\x00\x00")], &["check", "b.c"]);
snapshot!(syntax_error, &[("s.c", b"int main(void) {\n    int x = ;\n    return x;\n}\n")], &["check", "s.c"]);
snapshot!(unclosed_brace, &[("s.c", b"int main(void) {\n    return 0;\n")], &["check", "s.c"]);
snapshot!(
    type_error,
    &[("t.c", b"struct s { int a; };\nint main(void) {\n    struct s x;\n    return x.b;\n}\n")],
    &["check", "t.c"]
);
snapshot!(undeclared, &[("t.c", b"int main(void) {\n    return count;\n}\n")], &["check", "t.c"]);
snapshot!(
    error_in_included_line,
    &[("t.i", b"# 1 \"orig.c\"\nint x;\n# 70 \"orig.c\"\nint main(void) { return y; }\n")],
    &["check", "t.i"]
);
snapshot!(unknown_entry, &[("m.c", MAIN)], &["check", "--entry", "start", "m.c"]);
snapshot!(
    no_clause_of_functions,
    &[("c.c", b"int f(int n)\n__CPROVER_loop_invariant(n > 0);\nint main(void) { return f(1); }\n")],
    &["check", "c.c"]
);
snapshot!(
    no_clause_of_loops,
    &[("c.c", b"int main(void) {\n    for (;;)\n    __CPROVER_ensures(1)\n        ;\n}\n")],
    &["check", "c.c"]
);
snapshot!(
    two_conditions_in_a_clause,
    &[("c.c", b"int f(int n)\n__CPROVER_requires(n > 0, n < 9);\nint main(void) { return f(1); }\n")],
    &["check", "c.c"]
);
snapshot!(
    target_that_is_no_lvalue,
    &[("c.c", b"int f(int *p)\n__CPROVER_assigns(*p + 1)\n{ return *p; }\n")],
    &["check", "--entry", "f", "--check-contract", "f", "c.c"]
);
snapshot!(
    old_value_before_the_call,
    &[("c.c", b"int f(int n)\n__CPROVER_requires(n == __CPROVER_old(n))\n{ return n; }\n")],
    &["check", "--entry", "f", "--check-contract", "f", "c.c"]
);
snapshot!(
    function_without_contract,
    &[("c.c", b"int f(int n) { return n; }\nint main(void) { return f(1); }\n")],
    &["check", "--check-contract", "f", "--use-contract", "g", "c.c"]
);
snapshot!(
    contract_without_body,
    &[("c.c", b"int f(int n)\n__CPROVER_requires(n > 0);\nint main(void) { return f(1); }\n")],
    &["check", "--check-contract", "f", "c.c"]
);
snapshot!(no_main, &[("m.c", b"int f(void) { return 0; }\n")], &["check", "m.c"]);
snapshot!(task_without_files, &[("t.yml", b"format_version: '2.0'\nproperties: []\n")], &["check", "t.yml"]);
snapshot!(task_with_missing_file, &[("t.yml", b"format_version: '2.0'\ninput_files: 'gone.i'\n")], &["check", "t.yml"]);
snapshot!(task_that_is_no_yaml, &[("t.yml", b"format_version: [\n")], &["check", "t.yml"]);
snapshot!(
    unknown_property,
    &[("m.c", MAIN), ("p.prp", b"CHECK( init(main()), LTL(G maybe) )\n")],
    &["check", "--property", "p.prp", "m.c"]
);
snapshot!(
    unsupported_property,
    &[("m.c", MAIN), ("p.prp", b"CHECK( init(main()), LTL(F end) )\n")],
    &["check", "--property", "p.prp", "m.c"]
);
snapshot!(unknown_config, &[("m.c", MAIN)], &["check", "--config", "magic", "m.c"]);
snapshot!(misspelt_config, &[("m.c", MAIN)], &["check", "--config", "Valeu", "m.c"]);
snapshot!(no_threads, &[("m.c", MAIN)], &["check", "--threads", "0", "m.c"]);
snapshot!(too_little_memory, &[("m.c", MAIN)], &["check", "--memory", "4", "m.c"]);
snapshot!(bad_timeout, &[("m.c", MAIN)], &["check", "--timeout", "soon", "m.c"]);
snapshot!(no_such_function, &[("m.c", MAIN)], &["cfa", "--function", "f", "m.c"]);
snapshot!(
    defined_in_two_files,
    &[
        ("a.c", b"int f(void) { return 1; }\nint main(void) { return f(); }\n"),
        ("b.c", b"\nint f(void) { return 2; }\n")
    ],
    &["check", "a.c", "b.c"]
);
snapshot!(
    other_type_in_other_file,
    &[("a.c", b"extern long limit;\nint main(void) { return limit > 0; }\n"), ("b.c", b"int limit = 5;\n")],
    &["check", "a.c", "b.c"]
);
snapshot!(
    other_member_in_other_file,
    &[
        ("a.c", b"struct s { int a; };\nextern struct s *p;\nint main(void) { return p->a; }\n"),
        ("b.c", b"struct s { int b; } o, *p = &o;\n")
    ],
    &["check", "a.c", "b.c"]
);
snapshot!(
    function_and_variable,
    &[("a.c", b"extern int f;\nint main(void) { return f; }\n"), ("b.c", b"int f(void) { return 5; }\n")],
    &["check", "a.c", "b.c"]
);
snapshot!(brace_of_first_file, &[("a.c", b"int main(void) {\n"), ("b.c", b"int x;\n")], &["check", "a.c", "b.c"]);
snapshot!(program_and_task, &[("m.c", MAIN), ("t.yml", b"format_version: '2.0'\n")], &["check", "m.c", "t.yml"]);
snapshot!(missing_header, &[("h.c", b"#include \"gone.h\"\nint main(void) { return 0; }\n")], &["check", "h.c"]);

#[test]
fn missing_preprocessor() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("p.c"), b"#define X 1\nint main(void) { return X; }\n");
    let output = Command::cargo_bin("hone")
        .expect("the binary")
        .current_dir(folder.path())
        .env("PATH", folder.path())
        .args(["check", "p.c"])
        .output()
        .expect("hone runs");
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr));
}

#[test]
fn one_bad_task_does_not_stop_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("m.c"), MAIN);
    write(&folder.path().join("m.yml"), b"format_version: '2.0'\ninput_files: m.c\n");
    let output = Command::cargo_bin("hone")
        .expect("the binary")
        .current_dir(folder.path())
        .args(["check", "no.yml", "m.yml"])
        .output()
        .expect("hone runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("verdict: true\n"));
}

/// Inputs that overflow stacks of careless parsers: any clean end will do.
#[track_caller]
fn check_clean_end(name: &str, text: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("d.c"), text.as_bytes());
    let output = Command::cargo_bin("hone")
        .expect("the binary")
        .current_dir(folder.path())
        .args(["check", "--timeout", "20s", "d.c"])
        .output()
        .expect("hone runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 2 | 3)), "{name}: {}\n{stderr}", output.status);
    assert!(!stderr.contains("internal error"), "{name}: {stderr}");
}

#[test]
fn deep_nesting() {
    let main = |body: &str| format!("int x;\nint main(void) {{ {body} return 0; }}\n");
    let nested = |open: &str, inner: &str, close: &str, n: usize| [&open.repeat(n), inner, &close.repeat(n)].concat();
    check_clean_end("parentheses", &main(&format!("x = {};", nested("(", "1", ")", 100_000))));
    check_clean_end("blocks", &main(&nested("{", "x = 1;", "}", 100_000)));
    check_clean_end("unary", &main(&format!("x = {}1;", "- ".repeat(200_000))));
    check_clean_end("else if", &main(&format!("{} x = 2;", "if (x == 3) x = 1; else ".repeat(20_000))));
    check_clean_end("sum", &main(&format!("x = 0{};", " + x".repeat(50_000))));
    check_clean_end("pointers", &format!("int {} p;\nint main(void) {{ return 0; }}\n", "*".repeat(50_000)));
    check_clean_end("brackets only", &"[".repeat(300_000));
    check_clean_end("commas", &main(&format!("x = (0{});", ", 1".repeat(50_000))));
    check_clean_end("ternaries", &main(&format!("x = {}5;", "x ? 1 : ".repeat(50_000))));
}

#[test]
fn large_initialisers() {
    let list = (0..10_000).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
    check_clean_end("global", &format!("int a[] = {{{list}}};\nint main(void) {{ return a[9999]; }}\n"));
    check_clean_end("local", &format!("int main(void) {{ int a[] = {{{list}}}; return a[9999]; }}\n"));
}

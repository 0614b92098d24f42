//! The commands as users and scripts meet them: reports, files, limits, signals.

mod common;

use assert_cmd::Command;
use common::{read, write};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

const HONE: &str = env!("CARGO_BIN_EXE_hone");

/// A program whose loop has no bound that could be reached.
const ENDLESS: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned x = 1, n = 0;
    while (__VERIFIER_nondet_uint()) { x = x * 5 + __VERIFIER_nondet_uint() % 2; n++; if (x == 0) reach_error(); x |= 1; }
    return 0;
}
";

const BUG: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct point { int x, y; };
int total;
static int add(struct point *p, int by) {
    p->x += by;
    return p->x;
}
int main(void) {
    struct point p = {1, 2};
    int n = __VERIFIER_nondet_int();
    if (n > 2 && n < 4)
        total = add(&p, n);
    if (total == 4)
        reach_error();
    return 0;
}
";

/// Runs `hone` in a folder with `prog.c`.
fn run(program: &str, args: &[&str]) -> (Output, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), program);
    let output = Command::new(HONE).current_dir(folder.path()).args(args).output().expect("hone runs");
    (output, folder)
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn help_lists_the_configurations() {
    let (output, _) = run(BUG, &["check", "--help"]);
    let text = stdout(&output);
    let listed = |name: &str| text.lines().any(|line| line.split_whitespace().next() == Some(name));
    for name in ["portfolio", "bmc", "value", "predicate", "impact", "explicit-bfs", "explicit-dfs"] {
        assert!(listed(name), "{name}\n{text}");
    }
    let default = text.lines().find(|line| line.ends_with("[default]")).unwrap_or_default();
    assert!(default.trim_start().starts_with("portfolio "), "{text}");
}

#[test]
fn report_of_a_violation() {
    let (output, _) = run(BUG, &["check", "prog.c"]);
    assert_eq!(output.status.code(), Some(1));
    // Which analysis is the first to answer is a matter of time.
    let answered = |line: &str| line.split(", answered by ").next().unwrap_or_default().to_owned() + "\n";
    insta::assert_snapshot!(stdout(&output).lines().map(answered).collect::<String>());
}

const LOOP: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[4];
struct pair { int x, y; } pair;
static void put(int *where, int what) { *where = what; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    int sum = 0;
    int *q = &pair.y;
    if (n != 1000)
        return 0;
    for (int i = 0; i < n; i++) {
        sum += 2;
        for (int k = 0; k < 20; k++)
            put(&a[2], i);
    }
    *q = sum;
    if (pair.y == 2000)
        reach_error();
    return 0;
}
";

#[test]
fn loops_of_an_error_path_are_folded() {
    let (output, _) = run(LOOP, &["check", "--config", "value", "prog.c"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.lines().count() <= 40, "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn files_of_a_violation() {
    let (output, folder) = run(BUG, &["check", "--output", "out/deep", "prog.c"]);
    assert_eq!(output.status.code(), Some(1));
    let out = folder.path().join("out/deep");
    let json: serde_json::Value = serde_json::from_str(&read(&out.join("result.json"))).expect("JSON");
    assert_eq!(json["schema"], "hone-result/1");
    assert_eq!(json["verdict"], "false");
    assert_eq!(json["counterexample"]["inputs"][0]["value"], "3");
    assert!(read(&out.join("report.txt")).ends_with("verdict: false(unreach-call)\n"));
    let page = read(&out.join("report.html"));
    for part in ["<h1>Violated</h1>", "total = 4 (result of add)", "add(&amp;p, n);", "\"name\":\"main\""] {
        assert!(page.contains(part), "{part}");
    }
    insta::assert_snapshot!(read(&out.join("harness.c")));
}

#[track_caller]
fn check_told(program: &str, args: &[&str], expected: &[&str]) {
    let (output, _) = run(program, &[&["check"], args, &["prog.c"]].concat());
    let text = stdout(&output);
    for part in expected {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
}

#[test]
fn inputs_are_told_by_their_names() {
    let program = "\
extern int scanf(const char *, ...);
extern int twice(int);
extern void reach_error(void);
int main(int argc, char **argv) {
    int n;
    if (scanf(\"%d\", &n) != 1) return 0;
    int m = twice(2);
    if (n == 42 && m == 0 && argc == 3) reach_error();
    return 0;
}
";
    let told = [
        "argc = 3 (input 1)",
        "scanf(\"%d\", &n) = 1 (input 2)",
        "n = 42 (input 3)",
        "m = 0 (input 4)",
        "4. twice(2) = 0",
    ];
    check_told(program, &["-v"], &told);
    let (output, _) = run(program, &["check", "-v", "prog.c"]);
    let text = stdout(&output);
    // Assumptions speak of what is outside.
    let text = text.split("assumptions:").next().unwrap_or_default();
    assert!(!["__start", "tmp$", "<builtin>", "argv"].iter().any(|internal| text.contains(internal)), "{text}");
}

#[test]
fn conditions_are_told_with_what_decides_them() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a[2] = {3, 5}, i = __VERIFIER_nondet_int(), state;
    if (i < 0 || i > 1) return 0;
    state = i > 0 ? 7 : 2;
    if (a[i] > state) reach_error();
    return 0;
}
";
    check_told(
        program,
        &[],
        &[
            "prog.c:7",
            "violated: reach_error() is called at prog.c:7",
            "[!(i > 0)]",
            "[a[i] > state] (a[i] = 3, state = 2)",
        ],
    );
}

#[test]
fn accesses_are_told_by_what_is_accessed() {
    let program = "\
int main(void) {
    int n = 3;
    int a[n];
    for (int i = 2; i <= n; i++) a[i] = i;
    return 0;
}
";
    check_told(program, &["-v"], &["[!(!writable(&a[i], 4))]", "[!writable(&a[i], 4)]"]);
    let program = "\
extern long read(int, void *, unsigned long);
int main(void) {
    char b[8];
    return read(0, b, 9) < 0;
}
";
    check_told(program, &[], &["write of 9 bytes at offset 0 of `b` (8 bytes", "inputs: none"]);
}

#[test]
fn runs_to_undefined_behaviour_are_told() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a[4] = {0}, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 4) return 0;
    a[n] = 1;
    if (a[0] > 1) reach_error();
    return 0;
}
";
    let told = [
        "path to the undefined behaviour:",
        "n = 4 (input 1)",
        "prog.c:6  main  undefined behaviour: ",
        "verdict: unknown (undefined behaviour: access out of bounds, prog.c:6",
    ];
    check_told(program, &["--checks", "assertions", "--config", "bmc"], &told);
}

#[test]
fn the_folder_for_files_is_tried_first() {
    let (output, _) = run(BUG, &["check", "--output", "prog.c/out", "prog.c"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("E0041"));
    let (output, folder) = run(BUG, &["check", "--witness", "none/w.yml", "prog.c"]);
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true));
    assert!(!folder.path().join("none").exists());
}

#[test]
fn several_tasks_are_json_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), BUG);
    write(&folder.path().join("task.yml"), "format_version: '2.0'\ninput_files: prog.c\n");
    let args = ["check", "--format", "json", "task.yml", "task.yml"];
    let output = Command::new(HONE).current_dir(folder.path()).args(args).output().expect("hone runs");
    let text = stdout(&output);
    let verdicts: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["verdict"].to_string())
        .collect();
    assert_eq!(verdicts, ["\"false\"", "\"false\""]);
}

#[test]
fn time_limit() {
    let begin = Instant::now();
    let (output, folder) = run(ENDLESS, &["check", "--timeout", "1s", "--output", "out", "prog.c"]);
    assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).ends_with("verdict: unknown (timeout)\n"), "{}", stdout(&output));
    assert!(read(&folder.path().join("out/result.json")).contains("\"timeout\""));
    // However the run ended, the page shows the program.
    let page = read(&folder.path().join("out/report.html"));
    assert!(page.contains("<h1>Not decided</h1>") && page.contains("\"name\":\"main\""));
    // Nothing but diagnostics goes to stderr where that is no terminal.
    assert!(output.stderr.is_empty());
}

/// What no values of variables decide: the first stage of the default configuration gives up, and lanes begin.
const LANES: [(&str, &str); 2] = [
    (
        "extern unsigned __VERIFIER_nondet_uint(void);
         extern void reach_error(void);
         int main(void) {
             unsigned n = __VERIFIER_nondet_uint(), i = 0;
             while (i < n) i++;
             if (i != n) reach_error();
             return 0;
         }",
        "verdict: true",
    ),
    (
        "extern unsigned __VERIFIER_nondet_uint(void);
         extern void reach_error(void);
         int main(void) {
             unsigned n = __VERIFIER_nondet_uint(), i = 0;
             while (i < n) i++;
             if (i == 77) reach_error();
             return 0;
         }",
        "verdict: false(unreach-call)",
    ),
];

#[test]
fn lanes_answer_as_one_thread_does() {
    for (program, verdict) in LANES {
        for threads in ["1", "2"] {
            let args = ["check", "--timeout", "60s", "--stats", "--threads", threads, "--output", "out", "prog.c"];
            let (output, folder) = run(program, &args);
            let text = stdout(&output);
            assert_eq!(text.lines().last(), Some(verdict), "{threads} threads: {text}");
            // The second lane begins with a moment of `value`.
            if text.contains("\n  k-induction ") {
                let begun = 1 + text.matches("\n  value  ").count();
                assert_eq!(begun.to_string(), threads, "{text}");
            }
            assert!(folder.path().join("out/witness.yml").exists(), "{text}");
        }
    }
}

#[test]
fn a_run_has_a_name_and_no_arguments() {
    let program = "int main(int argc, char **argv) { return argc == 1 && argv[0] && !argv[1] ? 7 : 8; }";
    for options in [&[][..], &["--seed", "3"]] {
        let (output, _) = run(program, &[&["run", "prog.c"], options].concat());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains("main returned 7"), "{told}");
    }
}

#[test]
fn memory_limit() {
    let (output, _) = run(ENDLESS, &["check", "--memory", "20MiB", "--timeout", "60s", "prog.c"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).ends_with("verdict: unknown (memory)\n"), "{}", stdout(&output));
}

#[test]
fn interrupt_shows_what_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), ENDLESS);
    let mut command = std::process::Command::new(HONE);
    command.current_dir(folder.path()).args(["check", "prog.c"]).stdout(Stdio::piped());
    let child = command.spawn().expect("hone runs");
    std::thread::sleep(Duration::from_millis(700));
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("hone ends");
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).ends_with("verdict: unknown (interrupted)\n"), "{}", stdout(&output));
}

#[test]
fn bounded_search_is_no_proof() {
    let (output, _) = run(ENDLESS, &["check", "--unwind", "2", "prog.c"]);
    assert_eq!(output.status.code(), Some(3));
    insta::assert_snapshot!(stdout(&output));
}

#[test]
fn run_prints_what_the_program_prints() {
    let program = "#include <stdio.h>\nextern int __VERIFIER_nondet_int(void);\n\
                   int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); \
                   printf(\"%d %5.2f %s\\n\", a - b, a / 4.0, \"end\"); return 3; }\n";
    let (output, _) = run(program, &["run", "prog.c", "--inputs", "-7,0x10"]);
    assert_eq!(stdout(&output), "-23 -1.75 end\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("main returned 3"));
    let (first, _) = run(program, &["run", "prog.c", "--seed", "5"]);
    let (second, _) = run(program, &["run", "prog.c", "--seed", "5"]);
    assert_eq!(stdout(&first), stdout(&second));
}

#[test]
fn run_says_when_an_error_is_reached() {
    let (output, _) = run(BUG, &["run", "prog.c", "--inputs", "3"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("prog.c:15"));
    let (output, _) = run(BUG, &["run", "prog.c", "--inputs", "5"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn automata_in_every_form() {
    for (format, sign) in [("dot", "digraph"), ("json", "{"), ("text", "main(")] {
        let (output, _) = run(BUG, &["cfa", "prog.c", "--format", format]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains(sign) && stdout(&output).contains("add"), "{format}");
        let (output, _) = run(BUG, &["cfa", "prog.c", "--function", "add", "--format", format]);
        assert!(!stdout(&output).contains("reach_error"), "{format}");
    }
}

#[test]
fn help() {
    let (output, _) = run("", &["--help"]);
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!(stdout(&output));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), BUG);
    let mut command = std::process::Command::new(HONE);
    command.current_dir(folder.path()).args(["cfa", "prog.c"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("hone runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("hone ends");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

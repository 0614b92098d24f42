//! `--every-check`: what becomes of each check, in which order, with which verdict; and what reports say of accesses.

use assert_cmd::Command;
use serde_json::Value;

#[allow(clippy::disallowed_methods)] // Tests write files of their own.
fn write(path: &std::path::Path, text: &str) {
    std::fs::write(path, text).expect("a file");
}

/// Runs Hone on a program; the report and the exit code.
fn run(text: &str, args: &[&str]) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("p.c"), text);
    let mut hone = Command::new(env!("CARGO_BIN_EXE_hone"));
    let limit = if args.contains(&"--timeout") { &[][..] } else { &["--timeout", "30s"] };
    hone.arg("check").args(limit).args(args).arg("p.c").current_dir(folder.path());
    let output = hone.output().expect("hone runs");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

fn json(text: &str, args: &[&str]) -> (Value, Option<i32>) {
    let (report, code) = run(text, &[&["--format", "json"], args].concat());
    (serde_json::from_str(&report).expect("JSON"), code)
}

/// The checks as `result kind:line`.
fn checks(report: &Value) -> Vec<String> {
    let checks = report["checks"].as_array().expect("checks");
    let line = |check: &Value| {
        let word = |name: &str| check[name].as_str().unwrap_or_default().to_owned();
        format!("{} {}:{}", word("result"), word("kind"), check["place"]["line"])
    };
    checks.iter().map(line).collect()
}

#[track_caller]
fn check(text: &str, args: &[&str], code: i32, expected: &[&str]) {
    let (report, status) = json(text, &[&["--every-check"], args].concat());
    assert_eq!(
        (checks(&report), status),
        (expected.iter().map(|one| (*one).to_owned()).collect(), Some(code)),
        "{report:#}"
    );
    for check in report["checks"].as_array().expect("checks").iter().filter(|check| check["result"] == "violated") {
        let is_told = check["counterexample"].is_object() || report["counterexample"].is_object();
        assert!(is_told && check["what"].is_string(), "{check:#}");
    }
}

const TWO: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  assert(x != 7);
  assert(y != 9);
  assert(x != 7);
  return 0;
}
";

/// Octagons bound `a`, and know nothing of `mode`.
const BOUND_AND_MODE: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = 23, mode = 1;
  while (__VERIFIER_nondet_int()) {
    a = a / 2 + __VERIFIER_nondet_int() % 1000;
    mode = mode == 1 ? 2 : mode == 2 ? 5 : 1;
    assert(mode != 3);
    assert(a <= 1000000000);
  }
  return 0;
}
";

#[test]
fn what_octagons_prove_is_left_out_of_what_follows() {
    let options = ["--checks", "assertions,overflow"];
    let (report, code) = run(BOUND_AND_MODE, &[&["--stats"], &options[..]].concat());
    assert_eq!(code, Some(0), "{report}");
    assert!(report.lines().any(|line| line.split_whitespace().eq(["proved.edges", "3"])), "{report}");
    let expected = ["proved overflow:6", "proved assertions:8", "proved assertions:9"];
    check(BOUND_AND_MODE, &options, 0, &expected);
    let (report, _) = run(BOUND_AND_MODE, &[&["--every-check", "--stats"], &options[..]].concat());
    assert!(report.lines().any(|line| line.split_whitespace().eq(["checks.rounds", "1"])), "{report}");
    let (report, code) = run(BOUND_AND_MODE, &[&["--check-proof"], &options[..]].concat());
    assert_eq!(code, Some(0), "{report}");
}

#[test]
fn an_analysis_without_an_answer_tells_what_it_proves() {
    let options = ["--checks", "assertions,overflow", "--config", "octagon"];
    let (report, code) = json(BOUND_AND_MODE, &options);
    let expected = ["proved overflow:6", "unknown assertions:8", "proved assertions:9"];
    assert_eq!((checks(&report), code), (expected.map(str::to_owned).to_vec(), Some(3)), "{report:#}");
    check(BOUND_AND_MODE, &options, 3, &expected);
    let (report, _) = run(BOUND_AND_MODE, &options);
    assert!(report.contains("not decided:\n  unknown  p.c:8  assertions  mode != 3\n"), "{report}");
    let violated = BOUND_AND_MODE.replace("mode != 3", "mode != 5");
    let (report, code) = json(&violated, &options);
    let expected = ["proved overflow:6", "violated assertions:8", "proved assertions:9"];
    assert_eq!((checks(&report), code), (expected.map(str::to_owned).to_vec(), Some(1)), "{report:#}");
}

#[test]
fn a_limit_of_time_leaves_what_is_proved() {
    let text = "#include <assert.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long x = __VERIFIER_nondet_ulong(), y = __VERIFIER_nondet_ulong();
  for (int i = 0; i < 1000000000; i++) {
    x = x * x + y;
    y = y * x + 3;
    assert(x * x * x != y * y + 77777777);
  }
  return 0;
}
";
    for each in ["off", "on"] {
        let each = format!("--every-check={each}");
        let (report, code) = json(text, &["--timeout", "4s", "--checks", "assertions,overflow", &each]);
        assert_eq!((report["reason"]["kind"].as_str(), code), (Some("timeout"), Some(3)), "{report:#}");
        assert_eq!(checks(&report), ["proved overflow:5", "unknown assertions:8"], "{each}");
    }
}

#[test]
fn each_assertion_has_a_verdict() {
    let assertions = ["--checks", "assertions"];
    check(TWO, &assertions, 1, &["violated assertions:5", "violated assertions:6", "proved assertions:7"]);
    let (report, _) = json(TWO, &assertions);
    assert_eq!(checks(&report).iter().filter(|check| check.starts_with("open")).count(), 2, "{report:#}");
    assert_eq!(report["every_check"], false);
}

#[test]
fn the_first_violation_in_the_source_is_the_verdict() {
    let text = "extern int __VERIFIER_nondet_int(void);
int a[3];
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i == 20)
    return a[i];
  return 100 / i;
}
";
    let (report, code) = json(text, &["--every-check", "--checks", "division,memory"]);
    assert_eq!((report["violated"].as_str(), code), (Some("valid-deref"), Some(1)));
    assert_eq!(checks(&report), ["violated memory:6", "violated division:7"]);
    assert_eq!(report["checked"].as_array().map(Vec::len), Some(2));
}

#[test]
fn dead_code_is_unreachable_and_the_rest_is_proved() {
    let text = "#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 10, sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum++;
  assert(sum == n);
  if (n > 10)
    assert(sum == 3);
  return 0;
}
";
    check(text, &["--checks", "assertions"], 0, &["proved assertions:7", "unreachable assertions:9"]);
}

/// Several branches lead to where such an assertion fails, which no run gets to; the assertion is reached.
#[test]
fn an_assertion_of_two_conditions_is_reached() {
    let text = "#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 10;
  assert(n < 10 && n != 11);
  return 0;
}
";
    check(text, &["--checks", "assertions"], 0, &["proved assertions:5"]);
    let (report, code) = json(text, &["--checks", "assertions"]);
    assert_eq!((report["vacuity"].as_str(), code), (None, Some(0)));
}

/// No run gets to its second condition.
#[test]
fn an_assertion_of_two_conditions_is_reached_at_the_first() {
    let text = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int() ? 9 : 10;
  assert(x < 11 || (x > 20 && x < 30));
  if (x == 12)
    assert(x == 12 || x == 13);
  return 0;
}
";
    check(text, &["--checks", "assertions"], 0, &["proved assertions:5", "unreachable assertions:7"]);
    let (report, code) = json(text, &["--checks", "assertions"]);
    assert_eq!((report["vacuity"].as_str(), code), (None, Some(0)));
}

#[test]
fn what_is_not_modelled_hides_no_violation() {
    let text = "#include <assert.h>
extern int __VERIFIER_nondet_int(void), fork(void);


int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 3) {
    assert(x > 2);
    assert(x != 8);
  } else {
    if (fork())
      x = 1;
  }
  return 0;
}
";
    let (report, code) = json(text, &["--every-check", "--checks", "assertions"]);
    assert_eq!(code, Some(1));
    assert_eq!(checks(&report), ["unknown assertions:8", "violated assertions:9"]);
    assert_eq!(report["checks"][0]["reason"]["kind"], "unsupported", "{report:#}");
}

#[test]
fn sarif_lists_all_and_names_weaknesses() {
    let (report, _) = run(TWO, &["--format", "sarif", "--checks", "assertions"]);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let run = &report["runs"][0];
    let kinds: Vec<&str> =
        run["results"].as_array().expect("results").iter().filter_map(|result| result["kind"].as_str()).collect();
    assert_eq!(kinds, ["fail", "fail", "pass"]);
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(rules.iter().all(|rule| rule["help"]["text"].is_string()
        && rule["shortDescription"]["text"].as_str().is_some_and(|text| text.contains("CWE-"))));
}

#[test]
fn a_proof_of_nothing_is_told() {
    let (report, code) = json("int main(void) { return 0; }\n", &["--every-check", "--checks", "overflow"]);
    assert_eq!((report["vacuity"].as_str(), code), (Some("nothing-checked"), Some(0)));
}

#[test]
fn a_cache_decides_all_checks_at_once() {
    let (report, code) = run(TWO, &["--config", "bam-value", "--cache", "kept", "--every-check"]);
    assert_eq!((report.as_str(), code), ("", Some(2)));
    let (_, code) = run(TWO, &["--config", "bam-value", "--cache", "kept", "--every-check=off"]);
    assert_eq!(code, Some(1));
}

/// What the report says of the violation.
#[track_caller]
fn check_words(text: &str, expected: &str) {
    let (report, _) = run(text, &[]);
    assert!(report.contains(expected), "{expected} is not in {report}");
}

#[test]
fn accesses_are_told_with_their_objects() {
    let text = "#include <stdlib.h>
int main(void) {
  int *buf = malloc(16);
  if (!buf)
    return 1;
  int *last = buf + 4;
  *last = 1;
  free(buf);
  return 0;
}
";
    check_words(text, "write of 4 bytes at offset 16 of `heap#1` (16 bytes, allocated at line 3)");
    let freed = text.replace("  *last = 1;\n  free(buf);\n", "  free(buf);\n  *buf = 1;\n");
    check_words(&freed, "write of 4 bytes at offset 0 of `heap#1`, which was freed at line 7 (allocated at line 3)");
    let grown = "  int *more = realloc(buf, 32);\n  if (more)\n    *buf = 1;\n  free(more ? more : buf);\n";
    let moved = text.replace("  *last = 1;\n  free(buf);\n", grown);
    check_words(&moved, "write of 4 bytes at offset 0 of `heap#1`, which was freed at line 7 (allocated at line 3)");
    let twice = text.replace("  *last = 1;\n", "  free(buf);\n");
    check_words(&twice, "`heap#1`, which was freed at line 7 (allocated at line 3), is freed");
    let sized = "int main(void) {\n  int n = 5;\n  int table[n];\n  table[n] = 1;\n  return table[0];\n}\n";
    check_words(sized, "write of 4 bytes at offset 20 of `table` (20 bytes, allocated at line 3)");
    check_words(&sized.replace("n = 5", "n = -2"), "array size is -2, less than 0");
    let constant =
        "const int table[2];\nint main(int n, char **all) { int *t = (int *)table; t[n & 1] = 1; return 0; }\n";
    check_words(constant, "of `table`, which is constant (8 bytes)");
}

#[test]
fn indices_are_told_with_their_bounds() {
    let text = "int a[4];
int main(void) {
  int i = 0;
  while (i < 5) {
    a[i] = 1;
    i++;
  }
  return a[0];
}
";
    check_words(text, "i is 4, more than 3");
    check_words(
        "#include <assert.h>\nint main(void) { int x = 2; assert(x * x == 5); return 0; }\n",
        "an assertion fails: x * x == 5",
    );
}

#[test]
fn ways_to_one_label_are_told_apart() {
    let text = "extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 3)
    goto ERROR;
  if (x > 5 && x < 5)
    goto ERROR;
  return 0;
ERROR:
  return 1;
}
";
    let expected = ["proved leak:2", "violated assertions:4", "proved assertions:6"];
    check(text, &[], 1, &expected);
}

/// Calls through pointers are checks that are known once pointers are.
#[test]
fn calls_through_pointers_are_checks() {
    let text = "extern int __VERIFIER_nondet_int(void);
static int f(int x) { return x & 1; }
int main(void) {
  int (*some)(int) = __VERIFIER_nondet_int() ? f : 0;
  int (*always)(int) = f;
  return always(1) | some(3);
}
";
    check(text, &["--checks", "call"], 1, &["proved call:6", "violated call:6"]);
    check_words(text, "a pointer to no function of a fitting type is called: some is NULL at p.c:6");
}

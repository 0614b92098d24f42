//! Witnesses as users and other tools meet them: what is written, what is confirmed, what is refused or refuted.

use assert_cmd::Command;
use std::path::Path;
use std::process::Output;

const HONE: &str = env!("CARGO_BIN_EXE_hone");

/// A violation behind an input, a loop and a call.
const BUG: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int total;
static int add(int *p, int by) {
    *p += by;
    return *p;
}
int main(void) {
    int p = 1;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (i == 1 && n > 1)
            total = add(&p, n);
    }
    switch (total) {
    case 3:
        reach_error();
    default:
        return 0;
    }
}
";

/// Safe by an invariant that relates two variables.
const SAFE: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned x = 0;
    unsigned a[4] = {0};
    while (x < n) {
        x++;
        a[x % 4] = 1;
    }
    if (x != n)
        reach_error();
    return 0;
}
";

#[allow(clippy::disallowed_methods)] // Tests read and write files of their own.
fn write(path: &Path, content: &str) {
    std::fs::write(path, content).expect("a file");
}

#[allow(clippy::disallowed_methods)]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file")
}

fn hone(folder: &Path, args: &[&str]) -> Output {
    Command::new(HONE).current_dir(folder).args(args).output().expect("hone runs")
}

/// Validates `witness` for `program`: exit code, last line and errors.
fn validate(program: &str, witness: &str, options: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), program);
    write(&folder.path().join("w.yml"), witness);
    let args = ["validate", "--witness", "w.yml", "--timeout", "20s", "prog.c"];
    let output = hone(folder.path(), &[&args[..], options].concat());
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = stdout.lines().last().unwrap_or_default().to_owned();
    (output.status.code().unwrap_or(-1), last, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The witness that Hone writes for [`BUG`], in both forms.
fn written() -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), BUG);
    let output = hone(folder.path(), &["check", "--config", "bmc", "--output", "out", "--witness", "w.yml", "prog.c"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
    let yaml = read(&folder.path().join("w.yml"));
    (yaml, read(&folder.path().join("out/witness.graphml")))
}

/// Without what differs from run to run.
fn steady(text: &str) -> String {
    let keep =
        |line: &&str| !line.contains("uuid:") && !line.contains("creation_time") && !line.contains("creationtime");
    text.lines().filter(keep).collect::<Vec<_>>().join("\n")
}

#[test]
fn violation_in_yaml_and_graphml() {
    let (yaml, graphml) = written();
    insta::assert_snapshot!("violation_yaml", steady(&yaml));
    insta::assert_snapshot!("violation_graphml", steady(&graphml));
    assert_eq!(validate(BUG, &yaml, &[]), (0, "verdict: false(unreach-call)".to_owned(), String::new()));
}

#[test]
fn mutated_violations_are_refused_or_refuted() {
    let (yaml, _) = written();
    let at = |line: u32, column: u32| format!("line: {line}\n            column: {column}");
    let mutations: [(&str, String, String, i32); 15] = [
        ("other value", "n == 2".into(), "n == 5".into(), 1),
        ("value that has no run", "n == 2".into(), "n == -3".into(), 1),
        ("other result", "\\\\result == 3".into(), "\\\\result == 4".into(), 1),
        ("comparison with a wrong sign", "n == 2".into(), "n < 0".into(), 1),
        ("unknown variable", "n == 2".into(), "m == 2".into(), 2),
        ("assignment", "n == 2".into(), "n = 2".into(), 2),
        ("not an expression", "n == 2".into(), "n == ".into(), 2),
        ("position without a statement", at(11, 5), at(11, 6), 2),
        ("line without a statement", at(11, 5), at(14, 5), 2),
        ("line outside of the file", at(17, 9), at(1700, 9), 2),
        ("wrong target", at(17, 9), at(9, 5), 1),
        ("wrong case", "value: \"3\"".into(), "value: \"default\"".into(), 1),
        ("unknown field", "entry_type:".into(), "entry_kind:".into(), 2),
        ("unknown type", "type: function_enter".into(), "type: function_exit".into(), 2),
        ("other data model", "data_model: LP64".into(), "data_model: LP65".into(), 2),
    ];
    for (what, from, to, expected) in &mutations {
        let mutated = yaml.replacen(from.as_str(), to, 1);
        assert_ne!(&mutated, &yaml, "{what} changes nothing");
        let (code, last, errors) = validate(BUG, &mutated, &[]);
        assert_eq!(code, *expected, "{what}: {last}\n{errors}");
        assert_eq!(code == 2, errors.contains("w.yml:"), "{what}: {errors}");
    }
    // Each branch the other way round.
    let branches: Vec<usize> = yaml.match_indices("value: \"true\"").map(|(at, _)| at).collect();
    assert!(branches.len() >= 3);
    for at in branches {
        let mutated = format!("{}value: \"false\"{}", &yaml[..at], &yaml[at + "value: \"true\"".len()..]);
        let (code, last, errors) = validate(BUG, &mutated, &[]);
        assert_eq!(code, 1, "branch at {at}: {last}\n{errors}");
    }
    // Another program.
    let (code, _, errors) = validate(&BUG.replace("by;", "by ;"), &yaml, &[]);
    assert_eq!(code, 2);
    assert!(errors.contains("another program") && errors.contains("w.yml:"), "{errors}");
}

/// A correctness witness for a program, as another tool writes it.
fn invariants(program: &str, list: &[(&str, u32, u32, &str)]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), program);
    let program_hash = hash_of(folder.path());
    let mut text = format!(
        "- entry_type: \"invariant_set\"
  metadata:
    format_version: \"2.0\"
    uuid: \"c66c3ee7-e0de-4bae-87f0-fd48fc7b961e\"
    creation_time: \"2023-11-21T10:29:38+01:00\"
    producer: {{name: \"Tool\", version: \"0.1\"}}
    task:
      input_files: [\"./prog.c\"]
      input_file_hashes: {{\"./prog.c\": \"{program_hash}\"}}
      specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"
      data_model: \"ILP32\"
      language: \"C\"
  content:
"
    );
    for (kind, line, column, value) in list {
        text += &format!(
            "    - invariant:
        type: {kind}
        location: {{file_name: \"./prog.c\", line: {line}, column: {column}, function: main}}
        value: \"{value}\"
        format: c_expression
"
        );
    }
    text
}

/// What Hone says is the hash of `prog.c`.
fn hash_of(folder: &Path) -> String {
    let empty = "- entry_type: invariant_set
  metadata:
    format_version: \"2.0\"
    task:
      input_files: [prog.c]
      input_file_hashes: {prog.c: \"0\"}
      specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"
      data_model: LP64
  content: []
";
    write(&folder.join("w.yml"), empty);
    let output = hone(folder, &["validate", "--witness", "w.yml", "prog.c"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    errors.split_whitespace().find(|word| word.len() == 64).unwrap_or_default().to_owned()
}

#[test]
fn invariants_are_confirmed_refused_or_refuted() {
    const LOOP: &str = "loop_invariant";
    const PLACE: &str = "location_invariant";
    let check = |list: &[(&str, u32, u32, &str)], expected: i32, words: &str| {
        let (code, last, errors) = validate(SAFE, &invariants(SAFE, list), &[]);
        assert_eq!(code, expected, "{list:?}: {last}\n{errors}");
        assert!(last.contains(words) || errors.contains(words), "{list:?}: {last}\n{errors}");
    };
    check(&[(LOOP, 7, 5, "x <= n")], 0, "verdict: true");
    check(&[(LOOP, 7, 5, "x <= n && a[0] <= 1U")], 0, "verdict: true");
    check(&[(LOOP, 7, 5, "x <= n"), (PLACE, 11, 5, "x == n")], 0, "verdict: true");
    check(&[(LOOP, 7, 5, "x <= n"), (PLACE, 8, 9, "x < n")], 0, "verdict: true");
    // Strengthened: they do not hold.
    check(&[(LOOP, 7, 5, "x < n")], 1, "does not hold in a run");
    check(&[(LOOP, 7, 5, "x == 0")], 1, "does not hold in a run");
    check(&[(LOOP, 7, 5, "x <= n && a[1] == 0")], 1, "does not hold in a run");
    check(&[(LOOP, 7, 5, "x <= n"), (PLACE, 8, 9, "x < n - 1")], 1, "does not hold in a run");
    check(&[(LOOP, 7, 5, "x <= n"), (PLACE, 11, 5, "x != n")], 1, "does not hold in a run");
    check(&[(LOOP, 7, 5, "0")], 1, "does not hold");
    // Shifted.
    check(&[(LOOP, 8, 5, "x <= n")], 2, "no loop begins at line 8, column 5");
    check(&[(LOOP, 7, 6, "x <= n")], 2, "one is at column 5");
    check(&[(PLACE, 700, 1, "x <= n")], 2, "no statement begins");
    check(&[(PLACE, 5, 5, "x <= n")], 2, "`x` is not declared");
    // Expressions that are none, have effects, or may be undefined.
    check(&[(LOOP, 7, 5, "x <= m")], 2, "`m` is not declared");
    check(&[(LOOP, 7, 5, "x <= ")], 2, "expected an expression");
    check(&[(LOOP, 7, 5, "x++ <= n")], 2, "side effects");
    check(&[(LOOP, 7, 5, "main() <= n")], 2, "side effects");
    check(&[(LOOP, 7, 5, "x <= n && n / x == 0")], 3, "may be undefined");
    check(&[(LOOP, 7, 5, "x <= n && *(unsigned *)0 == 0")], 3, "may be undefined");
}

/// Safe by what a loop keeps of an object on the heap.
const HEAP: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
int main(void) {
    int a[3] = {0}, *p = malloc(sizeof(int)), *q = 0, *r = a;
    *p = 1;
    while (__VERIFIER_nondet_int()) {
        *p = *p == 1 ? 2 : 1;
        if (__VERIFIER_nondet_int())
            q = p;
        if (r < a + 2)
            r++;
    }
    if (*p < 1 || *p > 2)
        reach_error();
    return 0;
}
";

#[test]
fn invariants_may_read_through_pointers_where_that_is_defined() {
    let check = |text: &str, expected: i32, words: &str| {
        let (code, last, errors) = validate(HEAP, &invariants(HEAP, &[("loop_invariant", 7, 5, text)]), &[]);
        assert_eq!(code, expected, "{text}: {last}\n{errors}");
        assert!(last.contains(words), "{text}: {last}\n{errors}");
    };
    check("*p >= 1 && *p <= 2", 0, "verdict: true");
    check("*p == 1", 1, "refuted");
    // Null at first.
    check("*p >= 1 && *p <= 2 && *q <= 2", 3, "may be undefined");
    check("*p >= 1 && *p <= 2 && (*q <= 2 || 1)", 3, "may be undefined");
    // Neither defined nor preserved in all states that the invariant allows; which one of these is met is open.
    let loose = "*p >= 1 && *p <= 2 && (q == 0 || *q == *p)";
    let (code, last, errors) = validate(HEAP, &invariants(HEAP, &[("loop_invariant", 7, 5, loose)]), &[]);
    let is_unknown = code == 3 && last.starts_with("verdict: unknown");
    assert!(is_unknown || (code == 1 && last.contains("not preserved")), "{last}\n{errors}");
    check("*p >= 1 && *p <= 2 && (q == 0 || (q == p && *q == *p))", 0, "verdict: true");
    // Outside of the object there may be any value.
    check("*p >= 1 && *p <= 2 && p[1] == 0", 1, "refuted");
    check("*p >= 1 && *p <= 2 && r[3] == 0", 1, "refuted");
    // Hone tells such an invariant where it is known to be defined.
    assert!(confirmed(HEAP, "predicate").contains("*p"));
}

/// More than one object is made at a place: what the loop writes can't be told apart, and it is followed round by round.
#[test]
fn objects_that_are_made_more_than_once_are_not_forgotten() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
static int *make(void) { return malloc(sizeof(int)); }
int main(void) {
    int *p = make(), *q = make();
    *p = 1;
    *q = 1;
    while (__VERIFIER_nondet_int()) {
        *p = 2;
        *q = 3;
    }
    if (*p > 2)
        reach_error();
    return 0;
}
";
    let witness = invariants(program, &[("loop_invariant", 9, 5, "*p <= 2")]);
    let (code, last, errors) = validate(program, &witness, &[]);
    assert_eq!(code, 3, "{last}\n{errors}");
}

/// Safe by an invariant of which each iteration keeps the opposite as well.
const STUBBORN: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned x = 0;
    while (__VERIFIER_nondet_uint()) {
        if (x < n)
            x++;
    }
    if (x > n)
        reach_error();
    return 0;
}
";

#[test]
fn weakened_invariants_do_not_suffice() {
    let check = |list: &[&str], expected: (i32, &str)| {
        let list: Vec<_> = list.iter().map(|text| ("loop_invariant", 6, 5, *text)).collect();
        let (code, last, errors) = validate(STUBBORN, &invariants(STUBBORN, &list), &[]);
        assert_eq!(code, expected.0, "{list:?}: {last}\n{errors}");
        assert!(last.contains(expected.1), "{list:?}: {last}\n{errors}");
    };
    check(&["x <= n"], (0, "verdict: true"));
    check(&["x <= n", "x >= 0"], (0, "verdict: true"));
    for weak in ["1", "x <= n || x > n", "n >= 0", "x <= n + 1", "x <= n || x == 5"] {
        check(&[weak], (1, "refuted"));
    }
    check(&["x <= n || x > n"], (1, "do not suffice"));
    check(&[], (1, "do not suffice"));
    // It holds, but no number of rounds shows that.
    check(&["x <= n || n == 7U"], (1, "refuted"));
}

/// The head of the loop has no condition: the invariant stands at a statement.
#[test]
fn a_loop_is_cut_at_a_place_with_an_invariant() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int lock;
int main(void) {
    int old, new = __VERIFIER_nondet_int();
    do {
        if (lock != 0)
            reach_error();
        lock = 1;
        old = new;
        if (__VERIFIER_nondet_int()) {
            lock = 0;
            new++;
        }
    } while (new != old);
    return 0;
}
";
    let check = |list: &[(&str, u32, u32, &str)], expected: i32| {
        let (code, last, errors) = validate(program, &invariants(program, list), &[]);
        assert_eq!(code, expected, "{list:?}: {last}\n{errors}");
    };
    check(&[("location_invariant", 7, 9, "lock == 0")], 0);
    check(&[("location_invariant", 10, 9, "lock == 1"), ("location_invariant", 7, 9, "lock == 0")], 0);
    check(&[("location_invariant", 7, 9, "new == old")], 1);
    check(&[("location_invariant", 12, 13, "lock == 0")], 1);
    // Hone puts its own there.
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), program);
    hone(folder.path(), &["check", "--config", "predicate", "--witness", "w.yml", "prog.c"]);
    let witness = read(&folder.path().join("w.yml"));
    assert!(witness.contains("line: 7\n          column: 9"), "{witness}");
    assert_eq!(validate(program, &witness, &[]).1, "verdict: true");
}

/// What a slice leaves out keeps its first value there, and must not be claimed.
#[test]
fn invariants_do_not_tell_of_what_was_left_out() {
    let program = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static unsigned steps, limit;
static int log[2];
static void step(void) { steps += 2; limit ^= steps; log[steps % 2]++; }
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    int mode = 0, last = 0;
    while (n - 1 < 1000000000) {
        step();
        last = mode;
        mode = mode == 2 ? 0 : mode + 1;
        n = __VERIFIER_nondet_uint();
    }
    if (mode > 2 || (n != 0 && n <= 1000000000))
        reach_error();
    return 0;
}
";
    for config in ["value-plain", "value", "predicate", "value-predicate", "impact", "k-induction", "interval"] {
        let folder = tempfile::tempdir().expect("a folder");
        write(&folder.path().join("prog.c"), program);
        hone(folder.path(), &["check", "--config", config, "--timeout", "10s", "--witness", "w.yml", "prog.c"]);
        let path = folder.path().join("w.yml");
        if !path.exists() {
            continue;
        }
        let witness = read(&path);
        for name in ["steps", "limit", "log", "last"] {
            assert!(!witness.contains(name), "{config}\n{witness}");
        }
        assert!(validate(program, &witness, &[]).0 != 2, "{config}\n{witness}");
    }
}

/// Values move from one variable to the next: what is known of the last is known two rounds later of all.
const DELAYED: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }
int main(void) {
    int a = 1, b = 1, c = 1;
    unsigned n = 0;
    while (__VERIFIER_nondet_int()) {
        check(c == 1 || n == 4000000000U);
        n++;
        c = b;
        b = a;
        for (int i = 0; i < __VERIFIER_nondet_int(); i++)
            __VERIFIER_nondet_int();
    }
    check(a == 1);
    return 0;
}
";

#[test]
fn invariants_are_inductive_together_over_some_rounds() {
    let at = |text| ("loop_invariant", 7, 5, text);
    let check = |program: &str, list: &[(&str, u32, u32, &str)], options: &[&str], expected: i32| {
        let (code, last, errors) = validate(program, &invariants(program, list), options);
        assert_eq!(code, expected, "{list:?}: {last}\n{errors}");
    };
    check(DELAYED, &[at("a == 1 && b == 1 && c == 1")], &[], 0);
    // `c` is what `a` was two rounds before.
    check(DELAYED, &[at("a == 1"), at("c == 1")], &[], 0);
    check(DELAYED, &[at("a == 1")], &[], 0);
    // A run violates it, however many rounds come before.
    let wrong = DELAYED.replace("b = a;", "b = a + (a == c);");
    check(&wrong, &[at("c == 1")], &[], 1);
    check(&wrong, &[at("a == 1")], &[], 1);
    assert!(validate(SAFE, &invariants(SAFE, &[("loop_invariant", 7, 5, "x <= n || n == 7U")]), &[]).0 == 0);
}

/// Errors that lie deeper than any search gets, so that only the induction can refuse the invariant.
#[test]
fn rounds_leave_no_error_out() {
    let program = |body: &str, end: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nunsigned x;\n\
             static void check(int ok) {{ if (!ok) reach_error(); }}\nint main(void) {{\n    unsigned y = 0;\n    \
             while (__VERIFIER_nondet_int()) {{ {body} }}\n    {end}\n    return 0;\n}}\n"
        )
    };
    for (body, end) in [
        ("x++;", "check(x != 900000);"),
        ("x++; check(x != 900000);", ""),
        ("check(x != 900000); x++;", ""),
        ("x++; if (x == 900000) break;", "check(x != 900000);"),
        ("x++; if (x == 900000) { check(0); return 1; }", ""),
        ("while (__VERIFIER_nondet_int()) { x++; check(x != 900000); }", ""),
        ("while (__VERIFIER_nondet_int()) { x++; if (x == 900000) goto out; }", "out: check(x < 900000);"),
        ("y = x; while (__VERIFIER_nondet_int()) y++; check(y != 900000); x += 3;", ""),
        ("x++;", "while (x) { x--; y++; } check(y != 900000);"),
    ] {
        let program = program(body, end);
        let (code, last, errors) =
            validate(&program, &invariants(&program, &[("loop_invariant", 7, 5, "x >= 0")]), &[]);
        assert_ne!(code, 0, "{program}{last}\n{errors}");
        assert_ne!(code, 2, "{program}{last}\n{errors}");
    }
}

#[test]
fn loops_that_can_not_be_cut_are_unwound() {
    let program = "\
extern void reach_error(void);
extern void *malloc(unsigned long);
int main(void) {
    int *p = malloc(4);
    *p = 0;
    for (int i = 0; i < 3; i++) {
        *p += 1;
    }
    if (*p != 3)
        reach_error();
    return 0;
}
";
    let witness = |value| invariants(program, &[("loop_invariant", 6, 5, value)]);
    assert_eq!(validate(program, &witness("i >= 0"), &[]).1, "verdict: true");
    assert_eq!(validate(program, &witness("i < 3"), &[]).0, 1);
}

#[test]
fn invariants_of_do_loops_goto_loops_and_nested_loops() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int g;
static void step(void) { g++; }
int main(void) {
    int i = 0;
    do {
        int j = 0;
        while (__VERIFIER_nondet_int()) {
            if (j == 5) goto out;
            j++;
            step();
        }
        i++;
        out:
        if (g > 1000) { g = 0; i = 0; }
    } while (i < 10 || __VERIFIER_nondet_int() == 3);
    if (i < 10)
        reach_error();
    return 0;
}
";
    let inner = ("loop_invariant", 9, 9, "j >= 0 && j <= 5");
    let check = |list: &[(&str, u32, u32, &str)], expected: i32| {
        let (code, last, errors) = validate(program, &invariants(program, list), &[]);
        assert_eq!(code, expected, "{list:?}: {last}\n{errors}");
    };
    check(&[inner], 0);
    check(&[inner, ("loop_invariant", 7, 5, "g <= 1000")], 0);
    check(&[inner, ("loop_invariant", 7, 5, "g <= 999")], 1);
    check(&[("loop_invariant", 9, 9, "j >= 0 && j < 5")], 1);
    check(&[("loop_invariant", 7, 5, "j == 0")], 2);
}

#[test]
fn diagnostics_in_the_witness() {
    let (_, _, errors) = validate(SAFE, &invariants(SAFE, &[("loop_invariant", 7, 5, "x <= n && y")]), &[]);
    insta::assert_snapshot!("bad_expression", errors);
    let (_, _, errors) = validate(SAFE, &invariants(SAFE, &[("loop_invariant", 8, 9, "x <= n")]), &[]);
    insta::assert_snapshot!("bad_position", errors);
    let (code, _, errors) = validate(SAFE, "<graphml/>", &[]);
    assert_eq!(code, 2);
    assert!(errors.contains("GraphML"));
    assert_eq!(validate(SAFE, "[]", &[]).0, 2);
    assert_eq!(validate(SAFE, "- entry_type: [", &[]).0, 2);
    assert_eq!(validate(SAFE, "\u{0}", &[]).0, 2);
}

/// A hand-made witness with `avoid`, positions without columns, and conditions instead of values.
#[test]
fn witnesses_of_other_tools() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x > 10 ? 1 : 2;
    while (x > 0) {
        if (x == 7) y = 3;
        x--;
    }
    if (y == 3) reach_error();
    return 0;
}
";
    let head = invariants(program, &[]).replace("invariant_set", "violation_sequence");
    let waypoint = |kind: &str, action: &str, line: u32, constraint: &str| {
        let constraint =
            if constraint.is_empty() { String::new() } else { format!(", constraint: {{value: \"{constraint}\"}}") };
        format!(
            "        - waypoint: {{type: {kind}, action: {action}, location: {{file_name: prog.c, line: {line}}}{constraint}}}\n"
        )
    };
    let segment = |waypoints: &[String]| format!("    - segment:\n{}", waypoints.concat());
    let target = segment(&[waypoint("target", "follow", 10, "")]);
    let check = |segments: &[String], expected: i32| {
        let (code, last, errors) = validate(program, &format!("{head}{}{target}", segments.concat()), &[]);
        assert_eq!(code, expected, "{last}\n{errors}");
    };
    check(&[], 0);
    check(&[segment(&[waypoint("assumption", "follow", 6, "x > 6 && x < 9")])], 0);
    check(&[segment(&[waypoint("assumption", "follow", 6, "x < 7")])], 1);
    check(&[segment(&[waypoint("branching", "avoid", 6, "false"), waypoint("branching", "follow", 7, "true")])], 0);
    check(&[segment(&[waypoint("assumption", "avoid", 6, "x <= 9"), waypoint("branching", "follow", 7, "true")])], 0);
    check(&[segment(&[waypoint("branching", "avoid", 6, "true"), waypoint("branching", "follow", 7, "true")])], 1);
    check(&[segment(&[waypoint("branching", "follow", 5, "true")])], 0);
    // No run passes one behind the other, but the loop has too many iterations for a search through all of them.
    check(
        &[
            segment(&[waypoint("branching", "follow", 6, "false")]),
            segment(&[waypoint("branching", "follow", 7, "true")]),
        ],
        3,
    );
    check(&[segment(&[waypoint("function_return", "follow", 4, "\\\\result >= 7")])], 0);
    check(&[segment(&[waypoint("function_return", "follow", 4, "\\\\result <= 6")])], 1);
    check(&[segment(&[waypoint("function_enter", "follow", 4, "")])], 0);
    check(&[segment(&[waypoint("function_enter", "follow", 4, "1")])], 2);
    check(&[segment(&[waypoint("assumption", "follow", 6, "")])], 2);
    check(&[segment(&[waypoint("cycle", "follow", 6, "1")])], 2);
}

#[test]
fn json_of_a_validation() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), BUG);
    write(&folder.path().join("w.yml"), &written().0.replace("n == 2", "n == 3"));
    let output = hone(folder.path(), &["validate", "--format", "json", "--witness", "w.yml", "prog.c"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["schema"], "hone-validation/1");
    assert_eq!(json["answer"], "refuted");
    assert!(json["refutation"].as_str().is_some_and(|why| why.contains("waypoint")), "{json}");
}

/// A function whose result only its contract tells.
const RECURSIVE: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
unsigned depth, deepest = 9;
static unsigned count(unsigned n) {
    unsigned result = n;
    depth++;
    if (n > 0)
        result = count(n - 1) + 1;
    n = 7;
    depth--;
    return result;
}
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    depth = n / 2;
    if (n < 100000 && count(n) != n)
        reach_error();
    if (depth != n / 2 || deepest != 9)
        reach_error();
    return 0;
}
";

/// A witness with one contract of `count`, which is defined at that line.
fn contract(line: u32, requires: &str, ensures: &str, format: &str) -> String {
    let head = invariants(RECURSIVE, &[]).replace("\"2.0\"", "\"2.1\"");
    format!(
        "{head}    - contract:
        type: function_contract
        location: {{file_name: \"./prog.c\", line: {line}, function: count}}
        requires: \"{requires}\"
        ensures: \"{ensures}\"
        format: {format}
"
    )
}

#[test]
fn contracts_are_confirmed_or_refuted() {
    let ensures = "\\\\result == \\\\at(n, Pre) && depth == \\\\at(depth, Pre)";
    let cases: [(&str, String, i32, &str); 12] = [
        ("as it is", contract(4, "n < 100000", ensures, "ext_c_expression"), 0, ""),
        ("ACSL", contract(4, "n < 100000", "\\\\result == n && depth == \\\\old(depth)", "acsl_expression"), 0, ""),
        ("nothing required", contract(4, "1", ensures, "ext_c_expression"), 0, ""),
        (
            "too much required",
            contract(4, "n < 50", ensures, "ext_c_expression"),
            1,
            "requires, `n < 50`, does not hold",
        ),
        (
            "not kept by calls",
            contract(4, "depth < 60000", ensures, "ext_c_expression"),
            1,
            "does not hold when the function is entered",
        ),
        (
            "wrong result",
            contract(4, "1", "\\\\result == \\\\at(n, Pre) + 1", "ext_c_expression"),
            1,
            "does not hold when the function is left",
        ),
        ("true, and too weak", contract(4, "1", "\\\\result <= 200000", "ext_c_expression"), 1, ""),
        (
            "nothing of the counter",
            contract(4, "1", "\\\\result == \\\\at(n, Pre)", "ext_c_expression"),
            1,
            "do not suffice",
        ),
        ("the parameter as it is left", contract(4, "1", "\\\\result == n", "ext_c_expression"), 1, ""),
        ("another line", contract(5, "1", ensures, "ext_c_expression"), 2, "no function is defined"),
        ("unknown variable", contract(4, "m > 1", ensures, "ext_c_expression"), 2, "m"),
        ("unknown format", contract(4, "1", ensures, "prose"), 2, "unknown format"),
    ];
    for (what, witness, expected, text) in cases {
        let (code, last, errors) = validate(RECURSIVE, &witness, &[]);
        assert_eq!(code, expected, "{what}: {last}\n{errors}");
        assert!(last.contains(text) || errors.contains(text), "{what}: {last}\n{errors}");
    }
}

#[test]
fn proofs_of_recursive_functions_come_with_contracts() {
    let witness = confirmed(RECURSIVE, "predicate");
    assert!(witness.contains("type: function_contract") && witness.contains("format_version: \"2.1\""), "{witness}");
}

/// The second waypoint lies ahead in each iteration: no run is known to pass it, and none is known not to.
#[test]
fn what_was_searched_to_a_bound_is_not_refuted() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    unsigned x = 0, y = 1;
    while (__VERIFIER_nondet_int()) {
        x = x * 1103515245u + y;
        y = y * 69069u + x;
    }
    if (x == 77777777u && y == 12345678u)
        reach_error();
    return 0;
}
";
    let head = invariants(program, &[]).replace("invariant_set", "violation_sequence");
    let waypoint = |rest: &str| format!("    - segment:\n      - waypoint: {{action: follow, {rest}}}\n");
    let at = |line, column| format!("location: {{file_name: \"./prog.c\", line: {line}, column: {column}}}");
    let assumed = "constraint: {value: \"x == 5 && y == 3\", format: c_expression}";
    let witness = [
        head,
        waypoint(&format!("type: assumption, {}, {assumed}", at(6, 9))),
        waypoint(&format!("type: target, {}", at(10, 9))),
    ]
    .concat();
    let (code, last, _) = validate(program, &witness, &[]);
    assert_eq!(code, 3, "{last}");
}

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

/// What the witness says that a configuration writes for a program, after it was confirmed.
fn confirmed(program: &str, config: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), program);
    let args = ["check", "--config", config, "--timeout", "30s", "--witness", "w.yml", "prog.c"];
    let output = hone(folder.path(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let witness = read(&folder.path().join("w.yml"));
    assert_eq!(validate(program, &witness, &[]).1, "verdict: true", "{witness}");
    witness
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
        &["check", "--config", "bmc", "--loop-abstraction", "on", "--witness", "w.yml", "--timeout", "60s", "prog.c"],
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
        let output = hone(folder.path(), &["check", option, "prog.c/below", "prog.c"]);
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(stdout, "");
        assert!(stderr.contains("E0041") && stderr.contains("that can be written"), "{stderr}");
        assert_eq!(output.status.code(), Some(2), "{option}");
    }
}

//! Loop and location invariants are confirmed, refused or refuted.

use super::{SAFE, confirmed, hone, invariants, read, validate, write};

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
    check(&[(LOOP, 7, 5, "x <= n && n / x == 0")], 1, "undefined in a run");
    check(&[(LOOP, 7, 5, "x <= n && *(unsigned *)0 == 0")], 3, "undefined behaviour");
}

/// What is undefined in every run leaves no assertion in the program; neither does what is true wherever it is defined.
#[test]
fn invariants_that_are_never_violated_must_be_defined() {
    let program = "\
extern void reach_error(void);
int main(void) {
    int i = 0;
    while (i < 3)
        i++;
    reach_error();
    return 0;
}
";
    for invariant in ["1 / 0 == 0", "1 / i || 1", "1 << 40 || 1"] {
        let witness = invariants(program, &[("loop_invariant", 4, 5, invariant)]);
        let (code, last, errors) = validate(program, &witness, &[]);
        assert_eq!(code, 1, "{invariant}: {last}\n{errors}");
        assert!(last.contains("undefined in a run"), "{invariant}: {last}\n{errors}");
    }
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
    hone(folder.path(), &["check", "--checks", "assertions", "--config", "predicate", "--witness", "w.yml", "prog.c"]);
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
    for config in
        ["value-plain", "value", "predicate", "value-predicate", "impact", "k-induction", "interval", "octagon"]
    {
        let folder = tempfile::tempdir().expect("a folder");
        write(&folder.path().join("prog.c"), program);
        hone(
            folder.path(),
            &[
                "check",
                "--checks",
                "assertions",
                "--config",
                config,
                "--timeout",
                "10s",
                "--witness",
                "w.yml",
                "prog.c",
            ],
        );
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

#[test]
fn rounds_leave_no_error_out() {
    refused(&[
        ("x++;", "check(x != 900000);"),
        ("x++; check(x != 900000);", ""),
        ("check(x != 900000); x++;", ""),
        ("x++; if (x == 900000) break;", "check(x != 900000);"),
        ("x++; if (x == 900000) { check(0); return 1; }", ""),
    ]);
}

#[test]
fn rounds_of_nested_loops_leave_no_error_out() {
    refused(&[
        ("while (__VERIFIER_nondet_int()) { x++; check(x != 900000); }", ""),
        ("while (__VERIFIER_nondet_int()) { x++; if (x == 900000) goto out; }", "out: check(x < 900000);"),
        ("y = x; while (__VERIFIER_nondet_int()) y++; check(y != 900000); x += 3;", ""),
        ("x++;", "while (x) { x--; y++; } check(y != 900000);"),
    ]);
}

/// Refuses an invariant of loops with these bodies, before these ends: errors lie deeper than any search gets, so that only the induction can.
fn refused(loops: &[(&str, &str)]) {
    let program = |body: &str, end: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nunsigned x;\n\
             static void check(int ok) {{ if (!ok) reach_error(); }}\nint main(void) {{\n    unsigned y = 0;\n    \
             while (__VERIFIER_nondet_int()) {{ {body} }}\n    {end}\n    return 0;\n}}\n"
        )
    };
    for (body, end) in loops {
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

//! Contracts of recursive functions.

use super::{confirmed, invariants, validate};

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
    let cases: [(&str, String, i32, &str); 11] = [
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
            contract(4, "depth < 50100", ensures, "ext_c_expression"),
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

//! Witnesses of other tools, errors in witnesses, and what `hone validate` prints.

use super::{BUG, SAFE, hone, invariants, validate, write, written};

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

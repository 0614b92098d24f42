//! Violations: what is written, and what becomes of mutated ones.

use super::{BUG, steady, validate, written};

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

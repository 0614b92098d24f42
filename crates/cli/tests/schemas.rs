//! What Hone writes for programs fits the documented schemas.
//!
//! The checker knows the keywords that these schemas use, and fails on any other, so that nothing is taken for checked that is not.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

const PROGRAMS: [&str; 5] = [
    "int main(void) { return 0; }\n",
    "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nstruct s { int a; } g;\nint f(int x) { g.a = x; return x + 1; }\nint main(void) { int n = __VERIFIER_nondet_int(); if (f(n) == 4) reach_error(); return 0; }\n",
    "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);\nint main(void) { unsigned x = 1; while (__VERIFIER_nondet_uint()) { x = x * 5 + __VERIFIER_nondet_uint() % 2; if (x == 0) reach_error(); x |= 1; } }\n",
    "extern int setjmp(void *); extern void reach_error(void);\nint main(void) { static int b[99]; if (setjmp(b)) reach_error(); return 0; }\n",
    "extern void reach_error(void); extern void log_it(const char *); int f(void);\nint main(void) { log_it(\"x\"); int a; if (f() / a == 3) reach_error(); return 0; }\n",
];

#[allow(clippy::disallowed_methods)] // Tests read and write files of their own.
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file")
}

fn schema(path: &str) -> Value {
    serde_json::from_str(&read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(path))).expect("a schema is JSON")
}

/// What is wrong with `value`, with the path to it.
fn violations(schema: &Value, root: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else { return };
    for (keyword, demand) in keywords {
        match keyword.as_str() {
            "$schema" | "$id" | "title" | "description" | "$defs" | "then" => {}
            "$ref" => {
                let pointer = demand.as_str().and_then(|r| r.strip_prefix('#')).expect("a local reference");
                violations(root.pointer(pointer).expect("a definition"), root, value, path, found);
            }
            "properties" => {
                for (name, part) in value.as_object().into_iter().flatten() {
                    if let Some(schema) = demand.get(name) {
                        violations(schema, root, part, &format!("{path}/{name}"), found);
                    }
                }
            }
            "additionalProperties" => {
                let known = schema.get("properties");
                for (name, part) in value.as_object().into_iter().flatten() {
                    if known.is_some_and(|known| known.get(name).is_some()) {
                        continue;
                    }
                    if demand == &Value::Bool(false) {
                        found.push(format!("{path}: unknown member {name}"));
                    } else {
                        violations(demand, root, part, &format!("{path}/{name}"), found);
                    }
                }
            }
            "items" => {
                for (i, part) in value.as_array().into_iter().flatten().enumerate() {
                    violations(demand, root, part, &format!("{path}/{i}"), found);
                }
            }
            "anyOf" | "allOf" => {
                let results = demand.as_array().expect("a list").iter().map(|schema| {
                    let mut inner = Vec::new();
                    violations(schema, root, value, path, &mut inner);
                    inner
                });
                let results: Vec<Vec<String>> = results.collect();
                if keyword == "allOf" || results.iter().all(|r| !r.is_empty()) {
                    found.extend(results.into_iter().flatten());
                }
            }
            "if" => {
                let mut inner = Vec::new();
                violations(demand, root, value, path, &mut inner);
                if inner.is_empty() {
                    violations(&schema["then"], root, value, path, found);
                }
            }
            _ if is_met(keyword, demand, value) => {}
            _ => found.push(format!("{path}: {value} violates {keyword}: {demand}")),
        }
    }
}

/// Whether a value meets what a keyword demands of it alone.
fn is_met(keyword: &str, demand: &Value, value: &Value) -> bool {
    match keyword {
        "type" => {
            let is = |ty: &Value| match ty.as_str().expect("a type") {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "number" => value.is_number(),
                "integer" => value.is_i64() || value.is_u64(),
                "boolean" => value.is_boolean(),
                "null" => value.is_null(),
                other => panic!("unknown type {other}"),
            };
            demand.as_array().map_or_else(|| is(demand), |types| types.iter().any(is))
        }
        "const" => value == demand,
        "enum" => demand.as_array().expect("a list").contains(value),
        "required" => {
            let mut names = demand.as_array().expect("a list").iter().filter_map(Value::as_str);
            value.as_object().is_none_or(|members| names.all(|name| members.contains_key(name)))
        }
        "minimum" => value.as_f64().is_none_or(|n| n >= demand.as_f64().expect("a number")),
        "minLength" => value.as_str().is_none_or(|s| s.len() as u64 >= demand.as_u64().expect("a number")),
        // Two patterns occur: words with hyphens, and hexadecimal numbers.
        "pattern" => {
            let hexadecimal = demand.as_str().is_some_and(|p| p.contains("0x"));
            let fits = |s: &str| match s.strip_prefix("0x") {
                Some(digits) if hexadecimal => digits.chars().all(|c| c.is_ascii_hexdigit()),
                _ => !hexadecimal && s.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
            };
            value.as_str().is_none_or(fits)
        }
        other => panic!("the schema has a keyword that is not checked: {other}"),
    }
}

#[track_caller]
fn check(schema: &Value, text: &str) {
    let value: Value = serde_json::from_str(text).expect("JSON");
    let mut found = Vec::new();
    violations(schema, schema, &value, "", &mut found);
    assert!(found.is_empty(), "{}\n{text}", found.join("\n"));
}

#[allow(clippy::disallowed_methods)]
fn for_each_program(mut f: impl FnMut(&Path, &dyn Fn(&[&str]) -> String)) {
    for program in PROGRAMS {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("prog.c"), program).expect("a file");
        let run = |args: &[&str]| {
            let output = Command::new(env!("CARGO_BIN_EXE_hone")).current_dir(folder.path()).args(args).output();
            String::from_utf8(output.expect("hone runs").stdout).expect("UTF-8")
        };
        f(folder.path(), &run);
    }
}

#[test]
fn results_fit_their_schema() {
    let result = schema("../../docs/schemas/hone-result-1.schema.json");
    let mut kinds = std::collections::BTreeSet::new();
    for_each_program(|folder, run| {
        let text = run(&["check", "--timeout", "2s", "--format", "json", "--output", "out", "prog.c"]);
        check(&result, &text);
        check(&result, &read(&folder.join("out/result.json")));
        let value: Value = serde_json::from_str(&text).expect("JSON");
        kinds.insert(value["verdict"].as_str().map(str::to_owned));
    });
    assert_eq!(kinds.len(), 3, "{kinds:?}");
}

#[test]
fn sarif_fits_the_format() {
    let sarif = schema("tests/sarif-subset.schema.json");
    for_each_program(|folder, run| {
        check(&sarif, &run(&["check", "--timeout", "2s", "--format", "sarif", "--output", "out", "prog.c"]));
        check(&sarif, &read(&folder.join("out/result.sarif")));
    });
}

/// A proof, a violation that is expected, and what can't be read.
#[allow(clippy::disallowed_methods)]
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("good.c"), PROGRAMS[0]).expect("a file");
    std::fs::write(folder.path().join("bad.c"), PROGRAMS[1]).expect("a file");
    std::fs::write(folder.path().join("broken.c"), "int main(void) { return }\n").expect("a file");
    let harness = |name: &str| format!("[[harness]]\nname = \"{name}\"\nfiles = [\"{name}.c\"]\n");
    let text = ["good", "bad", "broken"].map(harness).join("");
    let text = text.replace("files = [\"bad.c\"]\n", "files = [\"bad.c\"]\nexpect = \"false\"\n");
    std::fs::write(folder.path().join("hone.toml"), text).expect("a file");
    folder
}

fn check_project(folder: &Path, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hone")).current_dir(folder).arg("check").args(args).output();
    String::from_utf8(output.expect("hone runs").stdout).expect("UTF-8")
}

#[test]
fn results_of_projects_fit_their_schema() {
    let folder = project();
    let text = check_project(folder.path(), &["--format", "json"]);
    check(&schema("../../docs/schemas/hone-project-1.schema.json"), &text);
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let result = schema("../../docs/schemas/hone-result-1.schema.json");
    let outcomes = value["harnesses"].as_array().expect("harnesses").iter().map(|harness| {
        if harness["result"].is_object() {
            check(&result, &harness["result"].to_string());
        }
        harness["outcome"].as_str().expect("an outcome")
    });
    assert_eq!(outcomes.collect::<Vec<_>>(), ["as-expected", "as-expected", "error"], "{text}");
    // One that is named has its own document.
    check(&result, &check_project(folder.path(), &["--format", "json", "good"]));
}

#[test]
fn sarif_of_projects_fits_the_format() {
    let folder = project();
    let sarif = schema("tests/sarif-subset.schema.json");
    let text = check_project(folder.path(), &["--format", "sarif"]);
    check(&sarif, &text);
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let runs = value["runs"].as_array().expect("runs").iter().map(|run| {
        let invocation = &run["invocations"][0];
        (run["automationDetails"]["id"].as_str().expect("a name"), invocation["executionSuccessful"] == true)
    });
    assert_eq!(runs.collect::<Vec<_>>(), [("hone/good", true), ("hone/bad", true), ("hone/broken", false)], "{text}");
    check(&sarif, &check_project(folder.path(), &["--format", "sarif", "bad"]));
}

#[test]
fn validations_fit_their_schema() {
    let validation = schema("../../docs/schemas/hone-validation-1.schema.json");
    for_each_program(|_, run| {
        if run(&["check", "--timeout", "2s", "--witness", "w.yml", "prog.c"]).contains("verdict: unknown") {
            return;
        }
        check(&validation, &run(&["validate", "--timeout", "5s", "--format", "json", "--witness", "w.yml", "prog.c"]));
    });
}

/// A loop with an invariant, and a violation behind calls, branches and inputs.
const WITNESSED: [&str; 2] = [
    "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);\nint main(void) { unsigned n = __VERIFIER_nondet_uint(), x = 0;\nwhile (x < n)\nx++;\nif (x != n) reach_error(); }\n",
    "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nint f(int a) { return a + 1; }\nint main(void) { int n = __VERIFIER_nondet_int();\nif (f(n) + __VERIFIER_nondet_int() == 7)\nreach_error(); }\n",
];

#[allow(clippy::disallowed_methods)]
fn witnesses(mut f: impl FnMut(&str, &str)) {
    for program in PROGRAMS.iter().chain(&WITNESSED) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("prog.c"), program).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_hone"));
        command.current_dir(folder.path()).args(["check", "--timeout", "5s", "--output", "out", "prog.c"]);
        command.output().expect("hone runs");
        let yaml = folder.path().join("out/witness.yml");
        if yaml.exists() {
            f(&read(&yaml), &read(&folder.path().join("out/witness.graphml")));
        }
    }
}

#[test]
fn witnesses_fit_their_schema() {
    let witness = schema("tests/witness-2.schema.json");
    let mut kinds = std::collections::BTreeSet::new();
    witnesses(|yaml, _| {
        let value: Value = serde_saphyr::from_str(yaml).expect("YAML");
        check(&witness, &value.to_string());
        let entry = &value[0];
        kinds.insert(entry["entry_type"].to_string());
        let metadata = &entry["metadata"];
        let uuid = metadata["uuid"].as_str().expect("a string");
        let dashes: Vec<usize> = uuid.match_indices('-').map(|(at, _)| at).collect();
        assert_eq!((uuid.len(), dashes), (36, vec![8, 13, 18, 23]), "{uuid}");
        let time = metadata["creation_time"].as_str().expect("a string");
        let zone = time.get(19..).unwrap_or_default();
        assert!(time.get(10..11) == Some("T") && (zone == "Z" || zone.len() == 6), "{time}");
        let task = &metadata["task"];
        for file in task["input_files"].as_array().expect("files") {
            let hash = task["input_file_hashes"][file.as_str().expect("a name")].as_str().expect("a hash");
            assert!(hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{hash}");
        }
        if entry["entry_type"] == "violation_sequence" {
            let segments = entry["content"].as_array().expect("segments");
            for (i, segment) in segments.iter().enumerate() {
                let waypoints = segment["segment"].as_array().expect("waypoints");
                let follow = |w: &Value| w["waypoint"]["action"] == "follow";
                assert!(waypoints.iter().filter(|w| follow(w)).count() == 1 && follow(&waypoints[waypoints.len() - 1]));
                let is_target = waypoints[waypoints.len() - 1]["waypoint"]["type"] == "target";
                assert_eq!(is_target, i + 1 == segments.len());
            }
        }
    });
    assert_eq!(kinds.len(), 2, "{kinds:?}");
}

/// The values of `name="…"` in tags that begin with `<tag `.
fn attributes<'a>(text: &'a str, tag: &str, name: &str) -> Vec<&'a str> {
    let begin = format!("<{tag} ");
    let tags = text.split(&begin).skip(1).filter_map(|rest| rest.split('>').next());
    let named = format!("{name}=\"");
    tags.filter_map(|tag| Some(tag.split_once(&named)?.1.split_once('"')?.0)).collect()
}

/// What the public linter of the format demands.
#[test]
fn graphml_fits_the_format() {
    let mut kinds = std::collections::BTreeSet::new();
    witnesses(|_, text| {
        let keys = attributes(text, "key", "id");
        let nodes = attributes(text, "node", "id");
        assert!(nodes.iter().collect::<std::collections::BTreeSet<_>>().len() == nodes.len(), "{text}");
        attributes(text, "data", "key").iter().for_each(|key| assert!(keys.contains(key), "{key}\n{text}"));
        let ends = ["source", "target"].map(|end| attributes(text, "edge", end));
        ends.iter().flatten().for_each(|node| assert!(nodes.contains(node), "{node}\n{text}"));
        assert!(ends[0].iter().zip(&ends[1]).all(|(source, target)| source != target), "{text}");
        let data = |key: &str| text.matches(&format!("<data key=\"{key}\">")).count();
        for key in [
            "witness-type",
            "sourcecodelang",
            "producer",
            "programfile",
            "programhash",
            "architecture",
            "creationtime",
            "entry",
        ] {
            assert_eq!(data(key), 1, "{key}\n{text}");
        }
        assert!(data("specification") >= 1 && text.contains("edgedefault=\"directed\""), "{text}");
        assert_eq!(text.matches("\\result").count(), data("assumption.resultfunction"), "{text}");
        let violation = text.contains(">violation_witness<");
        assert_eq!(data("violation"), usize::from(violation), "{text}");
        let foreign: &[&str] =
            if violation { &["invariant", "invariant.scope"] } else { &["violation", "sink", "assumption"] };
        assert!(foreign.iter().all(|key| data(key) == 0), "{text}");
        kinds.insert(violation);
    });
    assert_eq!(kinds.len(), 2);
}

#[test]
fn the_checker_notices() {
    let result = schema("../../docs/schemas/hone-result-1.schema.json");
    let mut found = Vec::new();
    let value = serde_json::json!({"schema": "hone-result/2", "verdict": "false", "violated": null, "notes": [1]});
    violations(&result, &result, &value, "", &mut found);
    for part in ["/schema", "required", "/violated", "/notes/0"] {
        assert!(found.iter().any(|f| f.contains(part)), "{part}: {found:?}");
    }
}

//! Witnesses as users and other tools meet them: what is written, what is confirmed, what is refused or refuted.

#[path = "../common/mod.rs"]
mod common;
mod contracts;
mod invariants;
mod proofs;
mod syntax;
mod violations;

use assert_cmd::Command;
use common::{read, write};
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

fn hone(folder: &Path, args: &[&str]) -> Output {
    Command::new(HONE).current_dir(folder).args(args).output().expect("hone runs")
}

/// Validates `witness` for `program`: exit code, last line and errors.
fn validate(program: &str, witness: &str, options: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), program);
    write(&folder.path().join("w.yml"), witness);
    let args = ["validate", "--witness", "w.yml", "--timeout", "60s", "prog.c"];
    let output = hone(folder.path(), &[&args[..], options].concat());
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = stdout.lines().last().unwrap_or_default().to_owned();
    (output.status.code().unwrap_or(-1), last, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The witness that Hone writes for [`BUG`], in both forms.
fn written() -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), BUG);
    let output = hone(
        folder.path(),
        &["check", "--checks", "assertions", "--config", "bmc", "--output", "out", "--witness", "w.yml", "prog.c"],
    );
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

/// What the witness says that a configuration writes for a program, after it was confirmed.
fn confirmed(program: &str, config: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("prog.c"), program);
    let args = [
        "check",
        "--checks",
        "assertions",
        "--malloc",
        "never-fails",
        "--config",
        config,
        "--timeout",
        "30s",
        "--witness",
        "w.yml",
        "prog.c",
    ];
    let output = hone(folder.path(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let witness = read(&folder.path().join("w.yml"));
    assert_eq!(validate(program, &witness, &[]).1, "verdict: true", "{witness}");
    witness
}

//! Loop abstraction on `tests/data/loops-abstraction`: what a proof exports compiles and is proved without strategies, and every patch
//! applies and compiles.

#![allow(clippy::disallowed_methods)] // Tests read and write files of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/loops-abstraction");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder is there").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "c"));
    files.sort();
    files
}

fn hone(args: &[&str], file: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hone")).args(args).arg(file).output().expect("hone runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn verdict(args: &[&str], file: &Path) -> String {
    hone(args, file).lines().last().unwrap_or_default().to_owned()
}

#[track_caller]
fn assert_compiles(file: &Path) {
    let output = Command::new("cc").args(["-std=gnu11", "-w", "-fsyntax-only"]).arg(file).output().expect("cc runs");
    let text = std::fs::read_to_string(file).unwrap_or_default();
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn abstracted_programs_are_proved_without_strategies() {
    let mut exported = 0;
    for file in programs() {
        let text = std::fs::read_to_string(&file).expect("a program");
        let args = if text.contains("data-model: ILP32") { "ILP32" } else { "LP64" };
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().to_string_lossy().into_owned();
        let on = [
            "check",
            "--checks",
            "assertions",
            "--malloc",
            "never-fails",
            "--config",
            "bmc",
            "--loop-abstraction",
            "on",
            "--timeout",
            "30s",
            "--data-model",
            args,
        ];
        if verdict(&[&on[..], &["--output", &out]].concat(), &file) != "verdict: true" {
            continue;
        }
        let abstracted = folder.path().join("abstracted.c");
        if !abstracted.exists() {
            continue;
        }
        exported += 1;
        assert_compiles(&abstracted);
        let off = [
            "check",
            "--checks",
            "assertions",
            "--malloc",
            "never-fails",
            "--config",
            "bmc",
            "--loop-abstraction",
            "off",
            "--timeout",
            "30s",
            "--data-model",
            args,
        ];
        let text = std::fs::read_to_string(&abstracted).expect("it was written");
        let proved = verdict(&off, &abstracted);
        // What a strategy makes arbitrary may be an index, and nothing else in C tells that its write stays inside.
        if !proved.contains("access out of bounds") {
            assert_eq!(proved, "verdict: true", "{}\n{text}", file.display());
        }
    }
    assert!(exported >= 4, "{exported}");
}

/// Whether the first lines of a program expect this verdict.
fn expects(text: &str, verdict: &str) -> bool {
    text.lines().next().is_some_and(|line| line == format!("// expect: {verdict}"))
}

#[test]
fn refinement_takes_strategies_back() {
    prove_some(&["value", "value-predicate"]);
}

#[test]
fn refinement_of_predicates_takes_strategies_back() {
    prove_some(&["predicate", "impact"]);
}

fn prove_some(configs: &[&str]) {
    for config in configs {
        let mut proofs = 0;
        for file in programs() {
            let text = std::fs::read_to_string(&file).expect("a program");
            let model = if text.contains("data-model: ILP32") { "ILP32" } else { "LP64" };
            let limits = ["--loop-abstraction", "on", "--check-proof", "--timeout", "5s", "--data-model", model];
            let verdict = verdict(
                &[&["check", "--checks", "assertions", "--malloc", "never-fails", "--config", config][..], &limits]
                    .concat(),
                &file,
            );
            let program = file.display();
            assert!(!verdict.contains("proof not confirmed") && !verdict.contains("internal"), "{program}: {verdict}");
            assert!(!expects(&text, "true") || !verdict.starts_with("verdict: false"), "{program}: {verdict}");
            assert!(!expects(&text, "false") || verdict != "verdict: true", "{program}: {verdict}");
            proofs += u32::from(verdict == "verdict: true");
        }
        assert!(proofs >= 14, "{config}: {proofs}");
    }
}

#[test]
fn values_leave_open_what_unwinding_refutes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/crafted");
    let args = [
        "check",
        "--checks",
        "assertions",
        "--malloc",
        "never-fails",
        "--config",
        "value",
        "--check-proof",
        "--timeout",
        "20s",
        "--loop-abstraction",
    ];
    // Relations between variables, with closed forms of loops and with arbitrary last rounds.
    for program in ["count_up_down_true", "endless_invariant_true", "three_counters_true"] {
        let file = folder.join(program).with_extension("c");
        assert_eq!(verdict(&[&args[..], &["on"]].concat(), &file), "verdict: true", "{program}");
    }
    // The closed form of its loop is exact, so its violation is one of the program.
    let file = folder.join("lock_step_false.c");
    assert_eq!(verdict(&[&args[..], &["on"]].concat(), &file), "verdict: false(unreach-call)");
}

/// Loops that end soon need no strategies, and who wants the proof gets those that it could take.
#[test]
fn short_loops_are_followed_before_they_are_abstracted() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = |bound: u32| {
        let file = folder.path().join(format!("count_to_{bound}.c"));
        let text = format!(
            "extern void reach_error(void);\nint main(void) {{\n    int i = 0;\n    while (i < {bound})\n        i++;\n    \
             if (i != {bound})\n        reach_error();\n}}\n"
        );
        std::fs::write(&file, text).expect("a program");
        file
    };
    let (short, long) = (program(3), program(1_000_000));
    let files = folder.path().join("files").to_string_lossy().into_owned();
    let on = [
        "check",
        "--checks",
        "assertions",
        "--malloc",
        "never-fails",
        "--config",
        "value",
        "--stats",
        "--timeout",
        "20s",
        "--loop-abstraction",
        "on",
    ];
    let choices = |options: &[&str], file: &Path| {
        let text = hone(&[&on[..], options].concat(), file);
        assert_eq!(text.lines().last(), Some("verdict: true"), "{text}");
        text.contains("loops.choices")
    };
    assert!(!choices(&[], &short));
    assert!(choices(&["--output", &files], &short));
    assert!(choices(&[], &long));
    // Predicates find an invariant of the long loop in their pre-pass, and then no strategy has to be refused.
    let predicate = [
        "check",
        "--checks",
        "assertions",
        "--malloc",
        "never-fails",
        "--config",
        "predicate",
        "--stats",
        "--timeout",
        "20s",
        "--loop-abstraction",
        "on",
    ];
    let text = hone(&predicate, &long);
    assert!(text.ends_with("verdict: true\n") && !text.contains("cegar.strategies_refused"), "{text}");
}

#[test]
fn patches_apply() {
    let mut applied = 0;
    for file in programs() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = file.file_name().expect("a file").to_string_lossy().into_owned();
        let patches = folder.path().join("patches");
        hone(&["loops", "--patches", &patches.to_string_lossy()], &file);
        let Ok(list) = std::fs::read_dir(&patches) else { continue };
        for patch in list.flatten() {
            let copy = folder.path().join(&name);
            std::fs::copy(&file, &copy).expect("a copy");
            let run = Command::new("patch").args(["-p1", "-s", "-i"]).arg(patch.path()).current_dir(&folder).output();
            let run = run.expect("patch runs");
            assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
            assert_compiles(&copy);
            applied += 1;
        }
    }
    assert!(applied >= 8, "{applied}");
}

//! The library in C against the system's: programs that print the results of many calls have the same output when the machine runs them
//! and when `hone run` does.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Functions that no table covers, and why.
const NOT_IN_TABLES: [(&str, &[&str]); 5] = [
    ("they open and close files and folders", &clib::libc::STREAMS),
    ("their result is not determined", &["get_current_dir_name", "getdelim", "getline", "strerror", "tempnam"]),
    ("not in every C library", &["__errno", "__error", "strlcat", "strlcpy"]),
    ("memory that they make has any address", &["__asprintf_chk", "__vasprintf_chk", "asprintf", "vasprintf"]),
    (
        "other names of those that are covered",
        &[
            "__isoc99_sscanf",
            "__isoc99_vsscanf",
            "__snprintf_chk",
            "__sprintf_chk",
            "__vsnprintf_chk",
            "__vsprintf_chk",
            "vsscanf",
        ],
    ),
];

#[allow(clippy::disallowed_methods)] // Tests read files of their own.
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file")
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library");
    let mut files: Vec<PathBuf> =
        folder.read_dir().expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

/// The first lines that differ.
fn differences(native: &str, own: &str) -> Vec<String> {
    let pairs = native.lines().zip(own.lines()).filter(|(a, b)| a != b);
    pairs.take(5).map(|(a, b)| format!("machine: {a}\nhone:    {b}")).collect()
}

#[test]
fn results_are_those_of_the_system() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    for program in programs() {
        let binary = folder.path().join("native");
        let compiled = Command::new("cc")
            .args(["-w", "-O0", "-fno-builtin", "-D_GNU_SOURCE", "-o"])
            .args([&binary, &program])
            .arg("-lm")
            .status()
            .expect("a compiler");
        assert!(compiled.success(), "{}", program.display());
        let native = Command::new(&binary).output().expect("a run");
        let own = Command::new(env!("CARGO_BIN_EXE_hone"))
            .args(["run", "--timeout", "60s", "--checks", "assertions", "--malloc", "never-fails", "-D", "_GNU_SOURCE"])
            .arg(&program)
            .output()
            .expect("a run");
        let (native, own_text) = (String::from_utf8_lossy(&native.stdout), String::from_utf8_lossy(&own.stdout));
        if native != own_text {
            let errors = String::from_utf8_lossy(&own.stderr);
            let lines = differences(&native, &own_text).join("\n");
            wrong.push(format!(
                "{}: {} lines, {} of the machine's\n{lines}\n{errors}",
                program.display(),
                own_text.lines().count(),
                native.lines().count()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_function_is_covered_and_listed() {
    let mut covered = BTreeSet::new();
    for program in programs() {
        let text = read(&program);
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        covered.extend(words.map(str::to_owned));
    }
    covered.extend(NOT_IN_TABLES.iter().flat_map(|(_, names)| names.iter()).map(|name| (*name).to_owned()));
    let guide = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/src/modelled.md"));
    let listed = listed_in(&guide);
    let functions = clib::libc::functions();
    let missing: Vec<_> = functions.iter().filter(|name| !covered.contains(**name)).collect();
    assert!(missing.is_empty(), "no table calls {missing:?}");
    let functions: BTreeSet<&str> = functions.into_iter().collect();
    let missing: Vec<_> = functions.difference(&listed).collect();
    assert!(missing.is_empty(), "the guide does not list {missing:?}");
    let unknown: Vec<_> = listed.difference(&functions).collect();
    assert!(unknown.is_empty(), "the guide lists {unknown:?}, which have no body");
}

/// The functions in the guide's table: what the second column of its rows puts in backticks.
fn listed_in(guide: &str) -> BTreeSet<&str> {
    let (_, section) = guide.split_once("## Functions of the C library").expect("the section");
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    let cells = rows.filter_map(|row| row.trim_matches(['|', ' ']).split_once(" | "));
    cells.flat_map(|(_, names)| names.split('`').skip(1).step_by(2)).collect()
}

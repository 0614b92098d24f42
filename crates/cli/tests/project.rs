//! Projects: `hone.toml`, compilation databases, folders of sources, flags as for a C compiler.

mod common;

use assert_cmd::Command;
use common::{read, write};
use std::path::Path;
use std::process::Output;

const HONE: &str = env!("CARGO_BIN_EXE_hone");

const GOOD: &str = "void __assert_fail(const char *, const char *, unsigned, const char *);
int twice(int);
int main(void) { if (twice(2) != N) __assert_fail(\"\", \"\", 1, \"\"); return 0; }
int other(void) { return 0; }
";

/// A folder with files, whose names may have folders.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        write(&path, text);
    }
    folder
}

fn hone(folder: &tempfile::TempDir, args: &[&str]) -> Output {
    hone_in(folder.path(), args)
}

fn hone_in(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(HONE);
    if args[0] == "check" {
        command.args(["check", "--timeout", "20s"]).args(&args[1..]);
    } else {
        command.args(args);
    }
    command.current_dir(folder).env("XDG_CACHE_HOME", folder).output().expect("hone runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs `hone` in a folder with files; the exit code, and what it prints has to contain.
#[track_caller]
fn check(files: &[(&str, &str)], args: &[&str], code: i32, expected: &[&str]) {
    let output = hone(&folder(files), args);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(code), "{text}");
    for expected in expected {
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
}

#[test]
fn flags_are_those_of_a_compiler() {
    let files = [("p.c", GOOD), ("inc/t.h", "#define FOUR 4\n"), ("q.c", "int twice(int a) { return 2 * a; }")];
    check(&files, &["check", "p.c", "q.c", "-D", "N=4"], 0, &["verdict: true"]);
    check(
        &files,
        &["check", "-I", "inc", "-include", "t.h", "-DN=FOUR", "-std=gnu99", "p.c", "q.c"],
        0,
        &["verdict: true"],
    );
    check(&files, &["check", "p.c", "q.c", "-DN=4", "-UN", "-DN=5"], 1, &["verdict: false(unreach-call)"]);
    check(&files, &["check", "-O2", "-Wall", "-g", "-fPIC", "-DN=4", "p.c", "q.c"], 0, &["verdict: true"]);
    check(&files, &["check", "-c", "p.c"], 2, &["`-c` says what a compiler has to do"]);
    check(&files, &["check", "-fpack-struct", "p.c"], 2, &["not modelled", "#pragma pack"]);
    check(&files, &["check", "-std=c98", "p.c"], 2, &["did you mean -std=c9"]);
    check(&files, &["check", "-m32", "--data-model", "LP64", "-DN=4", "p.c"], 2, &["LP64, but flags say ILP32"]);
}

#[test]
fn flags_change_types() {
    let program = "extern void reach_error(void);
enum e { A, B };
int main(void) { char c = (char)200; if (sizeof(enum e) != SIZE || (c > 0) != POSITIVE || ('\\xff' > 0) != POSITIVE) reach_error();
if (sizeof(long) != LONG) reach_error(); return 0; }";
    let files = [("p.c", program)];
    check(&files, &["check", "p.c", "-DSIZE=4", "-DPOSITIVE=0", "-DLONG=8"], 0, &["verdict: true"]);
    let other = ["check", "p.c", "-DSIZE=1", "-DPOSITIVE=1", "-DLONG=4", "-funsigned-char", "-fshort-enums", "-m32"];
    check(&files, &other, 0, &["verdict: true", "ILP32"]);
    check(&files, &["check", "p.c", "-DSIZE=4", "-DPOSITIVE=1", "-DLONG=8"], 1, &["verdict: false"]);
}

#[test]
fn headers_of_our_own() {
    let program = "#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int main(void) { assert(sizeof(long) == 4 && sizeof(size_t) == 4 && sizeof(uint64_t) == 8 && UINT32_MAX == ~(uint32_t)0); return 0; }";
    check(&[("p.c", program)], &["check", "-nostdinc", "-m32", "p.c"], 0, &["verdict: true"]);
    check(
        &[("p.c", "#include <gone.h>\nint main(void) { return 0; }")],
        &["check", "-nostdinc", "p.c"],
        2,
        &["gone.h"],
    );
}

#[test]
fn what_is_called_is_taken_from_folders() {
    let own = ("p.c", GOOD);
    let defined = ("src/a.c", "int half(int); int twice(int a) { return half(4 * a); }");
    let needed = ("src/deep/b.c", "int half(int a) { return a / 2; }");
    let broken = ("src/broken.c", "#include \"gone.h\"\nint unused(void) { return 1; }");
    let args = ["check", "-DN=4", "--sources", "src", "p.c"];
    check(&[own, defined, needed, broken], &args, 0, &["p.c, src/a.c, src/deep/b.c", "verdict: true"]);
    // Another definition is no error where it is not needed.
    let other = ("src/c.c", "int half(int a) { return a; }");
    check(
        &[own, defined, needed, other],
        &["check", "-v", "-DN=4", "--sources", "src", "p.c"],
        1,
        &["`half` is taken from src/c.c"],
    );
    // Where both files are needed, it is.
    let first = ("src/a.c", "int half(int); int third(int); int twice(int a) { return third(0) + half(4 * a); }");
    let both = ("src/c.c", "int half(int a) { return a / 2; } int third(int a) { return a / 3; }");
    let twice = ("src/b.c", "int half(int a) { return a / 2; }");
    check(&[own, first, both, twice], &args, 2, &["`half` is defined in two files", "src/b.c", "src/c.c"]);
    check(&[own], &["check", "--sources", "src", "p.c"], 2, &["src", "No such file"]);
}

#[test]
fn compilation_databases() {
    let database = r#"[
{"directory": "build", "file": "../p.c", "command": "cc -O2 -Wall -DN=4 -c ../p.c -o CMakeFiles/p.dir/p.c.o"},
{"directory": "build", "file": "../q.c", "arguments": ["cc", "-DTWO=2", "-c", "../q.c", "-o", "CMakeFiles/p.dir/q.c.o"]},
{"directory": "build", "file": "../r.c", "command": "cc -c ../r.c -o CMakeFiles/r.dir/r.c.o"}
]"#;
    let files = [
        ("p.c", GOOD),
        ("q.c", "int twice(int a) { return TWO * a; }"),
        ("r.c", "int main(void) { return 0; }"),
        ("db.json", database),
        ("build/x", ""),
    ];
    check(&files, &["check", "--compile-commands", "db.json", "--target", r"p\.dir"], 0, &["p.c, q.c: proved"]);
    check(&files, &["check", "--compile-commands", "db.json"], 2, &["`main` is defined in two files"]);
    check(&files, &["check", "--compile-commands", "db.json", "p.c", "q.c"], 0, &["p.c, q.c: proved"]);
    check(&files, &["check", "--compile-commands", "db.json", "--target", "none"], 2, &["matches --target none"]);
    check(&files, &["check", "--compile-commands", "p.c"], 2, &["no compilation database"]);
    check(&files, &["check", "--sources", "db.json", "p.c", "-DN=4"], 0, &["p.c, q.c: proved"]);
    let folder = folder(&files);
    assert_eq!(hone(&folder, &["init", "db.json"]).status.code(), Some(0));
    let output = hone(&folder, &["check"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("2 as expected"));
    assert_eq!(hone(&folder, &["init", "db.json"]).status.code(), Some(2));
}

/// Checks what is said of a program of `main.c`, `good.c` and another file: by its files, by a database, and by the project made of that.
#[track_caller]
fn check_link(other: (&str, &str), expected: &[&str]) {
    let entry =
        |file: &str| format!("{{\"directory\": \"obj\", \"file\": \"../{file}\", \"command\": \"cc -c ../{file}\"}}");
    let database = format!("[\n{},\n{},\n{}\n]\n", entry("main.c"), entry("good.c"), entry(other.0));
    let mut files = vec![
        ("main.c", "int twice(int);\nextern int limit;\nint main(void) { return twice(limit); }\n"),
        ("good.c", "int twice(int a) { return 2 * a; }\n"),
        ("obj/x", ""),
        ("db.json", &database),
    ];
    files.extend(Some(other).filter(|(_, text)| !text.is_empty()));
    check(
        &files,
        &["check", "main.c", "good.c", other.0],
        2,
        if other.1.is_empty() { &expected[..1] } else { expected },
    );
    check(&files, &["check", "--compile-commands", "db.json"], 2, expected);
    let folder = folder(&files);
    assert_eq!(hone(&folder, &["init", "db.json"]).status.code(), Some(0));
    let output = hone(&folder, &["check"]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    expected.iter().for_each(|expected| assert!(text.contains(expected), "{expected} is not in {text}"));
}

#[test]
fn what_does_not_link_has_both_places() {
    let twice = ("more.c", "int limit;\nint twice(int a) { return a + a; }\n");
    check_link(twice, &["`twice` is defined in two files", "more.c:2:5", "good.c:1:5"]);
    let variable = ("more.c", "unsigned limit = 2;\n");
    check_link(variable, &["conflicting types for `limit` in two files", "main.c:2:12", "more.c:1:10"]);
    let function = ("more.c", "int limit;\nlong twice(int);\nlong f(void) { return twice(1); }\n");
    check_link(function, &["conflicting types for `twice` in two files", "more.c:2:6", "good.c:1:5"]);
    check_link(("gone.c", ""), &["gone.c: no such file", "db.json:4:31"]);
}

const PROJECT: &str = "[defaults]\nsources = [\"src\"]\n
[[harness]]\nname = \"good\"\nfiles = [\"p.c\"]\nflags = [\"-DN=4\"]\n
[[harness]]\nname = \"bad\"\nfiles = [\"p.c\"]\nflags = [\"-DN=5\"]\nexpect = \"false(unreach-call)\"\n
[[harness]]\nname = \"stubbed\"\nfiles = [\"p.c\"]\nflags = [\"-DN=5\"]\nstubs = [\"stub.c\"]\n
[[harness]]\nname = \"entry\"\nentry = \"other\"\nfiles = [\"p.c\"]\nflags = [\"-DN=5\"]\n";

const FILES: [(&str, &str); 4] = [
    ("p.c", GOOD),
    ("src/a.c", "int twice(int a) { return 2 * a; }"),
    ("stub.c", "int twice(int a) { return 5; }"),
    ("hone.toml", PROJECT),
];

#[test]
fn projects() {
    check(&FILES, &["check"], 0, &["4 as expected", "ok       bad", "false(unreach-call)"]);
    check(&FILES, &["check", "bad"], 0, &["verdict: false(unreach-call)"]);
    check(&FILES, &["check", "god"], 2, &["did you mean `good`?"]);
    check(&FILES, &["check", "--shard", "2/2"], 0, &["bad", "entry", "2 harnesses"]);
    check(&FILES, &["check", "--shard", "3/2"], 2, &["expected I/N"]);
    check(&FILES, &["check", "-DN=6", "good", "bad"], 1, &["FAILED   good", "ok       bad", "1 failed: good"]);
    check(&FILES, &["list"], 0, &["good     main in p.c", "expected false(unreach-call)"]);
    check(&FILES, &["list", "--format", "json"], 0, &["\"name\": \"good\"", "\"--cflag=-DN=4\""]);
    check(&FILES[..3], &["check"], 2, &["there is no hone.toml"]);
}

#[test]
fn junit() {
    let folder = folder(&FILES);
    let output = hone(&folder, &["check", "-DN=6", "good", "bad", "--junit", "r.xml", "--output", "out"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let report = read(&folder.path().join("r.xml"));
    assert!(report.contains("<failure") && report.contains("name=\"bad\""), "{report}");
    assert!(folder.path().join("out/good/result.json").is_file());
}

#[test]
fn mistakes_in_projects_have_places() {
    let at = |text: &str, expected: &[&str]| check(&[("p.c", GOOD), ("hone.toml", text)], &["check"], 2, expected);
    at(
        "[[harness]]\nname = \"a\"\nfile = [\"p.c\"]\n",
        &["unknown field `file`", "hone.toml:3:1", "did you mean `files`?"],
    );
    at("[[harness]]\nname = \"a\"\nfiles = [\"q.c\"]\n", &["no such file", "hone.toml:3:10"]);
    at("[[harness]\n", &["hone.toml:1:"]);
    at(
        "[[harness]]\nname = \"a\"\nfiles = [\"p.c\"]\nchecks = [\"memroy\"]\n",
        &["hone.toml:4:11", "did you mean \"memory\"?"],
    );
    at("", &["empty"]);
    // What only the check itself can find is told with the harness.
    at(
        "[[harness]]\nname = \"a\"\nentry = \"gone\"\nfiles = [\"p.c\"]\nflags = [\"-DN=4\"]\n",
        &[
            "`gone`",
            "note: harness `a` is at hone.toml:2",
            "1 error: a",
            "ERROR    a  error: the program has no definition",
        ],
    );
}

#[test]
fn messages_name_the_file_of_the_project() {
    let text = "[[harness]]\nname = \"a\"\nentry = \"gone\"\nfiles = [\"p.c\"]\n";
    let args = ["check", "--project", "other.toml"];
    check(
        &[("p.c", "int main(void) { return 0; }"), ("other.toml", text)],
        &args,
        2,
        &["note: harness `a` is at other.toml:2"],
    );
    check(&[("other.toml", "\n")], &args, 2, &["other.toml is empty", "is it the right file"]);
    check(&[("task.yml", "\n")], &["check", "task.yml"], 2, &["task.yml is empty", "is it the right file"]);
}

#[test]
fn options_without_an_effect_are_told() {
    let files = [("p.c", "int main(void) { return 0; }")];
    check(&files, &["check", "p.c", "--junit", "r.xml"], 2, &["--junit is about the harnesses of a project"]);
    check(&files, &["check", "p.c", "--remove-body", "gone"], 0, &["--remove-body gone", "verdict: true"]);
    check(&files, &["check", "p.c", "--replace", "f=f"], 2, &["`f` can't stand for itself"]);
}

#[test]
fn proofs_with_makefiles() {
    let common = "PROOF_ROOT = $(dir $(filter %/Makefile.common,$(foreach m,$(MAKEFILE_LIST),$(abspath $(m)))))
SRCDIR ?= $(abspath $(PROOF_ROOT)/../..)\nPROOFDIR ?= $(abspath .)\nINCLUDES += -I$(SRCDIR)/include\nDEFINES += -DCBMC=1\n";
    let makefile =
        "HARNESS_ENTRY = harness\nDEFINES += -DN=4\nUNWINDSET += f.0:3\nPROOF_SOURCES += $(PROOFDIR)/one_harness.c
PROJECT_SOURCES += $(SRCDIR)/src/a.c\ninclude ../Makefile.common\n";
    let harness = "#include \"a.h\"\nextern void reach_error(void);\nvoid harness(void) { if (twice(2) != N || CBMC != 1) reach_error(); }";
    let stale = makefile.replace("one_", "moved_");
    let files = [
        ("src/a.c", "int twice(int a) { return 2 * a; }"),
        ("include/a.h", "int twice(int a);"),
        ("test/proofs/Makefile.common", common),
        ("test/proofs/one/Makefile", makefile),
        ("test/proofs/one/one_harness.c", harness),
        ("test/proofs/stale/Makefile", &stale),
    ];
    let folder = folder(&files);
    let output = hone(&folder, &["init", "test/proofs"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let written = read(&folder.path().join("hone.toml"));
    assert!(written.contains("# Unwinding limits") && written.contains("test/proofs/one/one_harness.c"), "{written}");
    assert!(written.contains("moved_harness.c is not there: stale"), "{written}");
    let output = hone(&folder, &["check"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));

    // From the folder of the proofs, where each harness has the name of its own folder.
    let proofs = folder.path().join("test/proofs");
    let hone_there = |args: &[&str]| hone_in(&proofs, args);
    assert_eq!(hone_there(&["init"]).status.code(), Some(0));
    let written = read(&proofs.join("hone.toml"));
    assert!(written.contains("\"../../src/a.c\"") && written.contains("-I../../include"), "{written}");
    let output = hone_there(&["check", "one"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let output = hone_there(&["check", "stale"]);
    assert!(text(&output).contains("stale is a folder, and no harness of"), "{}", text(&output));
}

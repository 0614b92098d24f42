//! `hone check --cache`: the second run uses what the first has found, edits of one function keep the rest, and whatever happens to the folder,
//! verdicts are those of runs without it.

#![allow(clippy::disallowed_methods)] // Tests read and write files of their own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const HONE: &str = env!("CARGO_BIN_EXE_hone");

/// A verdict with the statistics.
struct Run {
    verdict: String,
    stats: BTreeMap<String, u64>,
    text: String,
}

impl Run {
    fn stat(&self, name: &str) -> u64 {
        *self.stats.get(name).unwrap_or_else(|| panic!("no {name} in\n{}", self.text))
    }

    /// Used, written, rejected.
    fn counts(&self) -> [u64; 3] {
        ["cache.used", "cache.written", "cache.rejected"].map(|name| self.stat(name))
    }
}

fn command(hone: &Path, args: &[&str], cache: Option<&Path>, file: &Path) -> Command {
    let mut command = Command::new(hone);
    command.args([
        "check",
        "--checks",
        "assertions",
        "--malloc",
        "never-fails",
        "--config",
        "bam-value",
        "--timeout",
        "60s",
        "--stats",
    ]);
    command.args(args).arg(file);
    if let Some(cache) = cache {
        command.arg("--cache").arg(cache);
    }
    command
}

fn check_with(hone: &Path, args: &[&str], cache: Option<&Path>, file: &Path) -> Run {
    let output = command(hone, args, cache, file).output().expect("hone runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!text.contains("internal"), "{}: {text}", file.display());
    let number = |line: &str| {
        let (name, number) = line.strip_prefix("  ")?.split_once("  ")?;
        Some((name.to_owned(), number.trim().parse().ok()?))
    };
    let verdict = text.lines().last().unwrap_or_default().to_owned();
    Run { verdict, stats: text.lines().filter_map(number).collect(), text }
}

fn check(args: &[&str], cache: Option<&Path>, file: &Path) -> Run {
    check_with(Path::new(HONE), args, cache, file)
}

/// Programs that block abstractions decide quickly.
fn programs() -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let mut all = Vec::new();
    for folder in ["bam", "memory"] {
        let entries = std::fs::read_dir(data.join(folder)).expect("the folder is there");
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|e| e == "c"));
        files.sort();
        files.truncate(12);
        all.extend(files);
    }
    all
}

/// All values in a cache.
fn values(cache: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in std::fs::read_dir(cache).expect("the cache").flatten().filter(|entry| entry.path().is_dir()) {
        files.extend(std::fs::read_dir(folder.path()).expect("a folder").flatten().map(|entry| entry.path()));
    }
    files.sort();
    files
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

const PROGRAM: &str = "\
#include <assert.h>
int __VERIFIER_nondet_int(void);
static const int limits[3] = {4, 5, 6};
int mode = 3, level, other;
int *where = &other;
static void up(int n) {
    int i;
    for (i = 0; i < n; i++)
        if (mode && level < limits[2])
            level++;
}
static void down(void) {
    while (level > 0)
        level = level - 1;
    *where = 7;
}
static void edited(int x) {
    if (x > 3)
        other = 1;
    else
        other = 2;
}
int main(void) {
    up(3);
    assert(level == 3);
    edited(__VERIFIER_nondet_int());
    up(9);
    assert(level == 6);
    down();
    assert(level == 0);
    assert(mode == 3);
    return 0;
}
";

/// A folder with a cache, and a program that can be edited.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn write(&self, text: &str) -> PathBuf {
        let file = self.folder.path().join("program.c");
        std::fs::write(&file, text).expect("written");
        file
    }

    fn check(&self, text: &str) -> Run {
        check(&[], Some(&self.cache()), &self.write(text))
    }
}

#[test]
fn the_second_run_uses_the_first() {
    let place = Place::new();
    let first = place.check(PROGRAM);
    assert_eq!(first.verdict, "verdict: true", "{}", first.text);
    assert!(first.stat("cegar.refinements") > 0 && first.stat("cache.written") > 5, "{}", first.text);
    assert_eq!(first.counts()[0], 0);
    let second = place.check(PROGRAM);
    assert_eq!(second.verdict, "verdict: true");
    // Nothing is refined, and no step is taken but for samples.
    assert_eq!(second.stat("cegar.refinements"), 0, "{}", second.text);
    assert!(second.stat("value.steps") < first.stat("value.steps"), "{}{}", first.text, second.text);
    assert!(second.counts()[0] > 3, "{}", second.text);
    assert_eq!(second.counts()[1..], [0, 0], "{}", second.text);
}

#[test]
fn the_second_run_knows_which_blocks_are_of_no_use() {
    let cache = tempfile::tempdir().expect("a folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/bam/blocks_of_no_use.c");
    let run = || check(&["--check-proof"], Some(cache.path()), &file);
    let (first, second) = (run(), run());
    assert_eq!([&first.verdict[..], &second.verdict[..]], ["verdict: true"; 2], "{}{}", first.text, second.text);
    assert!(first.stat("bam.dissolved") > 0, "{}", first.text);
    assert_eq!((second.stat("bam.dissolved"), second.stat("cegar.refinements")), (0, 0), "{}", second.text);
    assert_eq!(second.counts()[1..], [0, 0], "{}", second.text);
    // The graphs fit, because nodes are where they were.
    assert!(second.stat("value.steps") < first.stat("value.steps"), "{}{}", first.text, second.text);
    assert_eq!(second.stat("arg.nodes"), first.stat("arg.nodes"));
}

#[test]
fn edits_keep_the_rest() {
    let place = Place::new();
    place.check(PROGRAM);
    for (old, new) in [
        ("x > 3", "x > 4"),
        ("int mode = 3", "\n\nint mode = 3"),
        ("static void edited", "static int added(int y) { return y + 1; }\nstatic void edited"),
    ] {
        let run = place.check(&PROGRAM.replace(old, new));
        assert_eq!(run.verdict, "verdict: true", "{new}");
        assert_eq!(run.stat("cegar.refinements"), 0, "{new}: {}", run.text);
        assert!(run.stat("cache.used") > 2, "{new}: {}", run.text);
        assert_eq!(run.stat("cache.rejected"), 0, "{new}: {}", run.text);
    }
}

/// Many functions, each of which counts in a loop of its own and is called twice.
fn counters(count: usize) -> String {
    let mut text = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n".to_owned();
    let mut calls = String::new();
    for i in 0..count {
        let last = 40 + i % 7;
        text += &format!(
            "static int seen{i};\nstatic void count{i}(int n) {{\n    int k = 0;\n    \
             while (k < {last}) {{ k++; if (n > k) seen{i}++; }}\n    assert(k == {last});\n}}\n"
        );
        calls += &format!("    count{i}(__VERIFIER_nondet_int());\n").repeat(2);
    }
    text + &format!("int main(void) {{\n{calls}    return 0;\n}}\n")
}

/// After the edit of one function, only its own blocks are explored.
#[test]
fn an_edit_costs_what_its_blocks_cost() {
    const COUNT: usize = 20;
    let place = Place::new();
    let text = counters(COUNT);
    let first = place.check(&text);
    assert_eq!((first.verdict.as_str(), first.stat("cegar.refinements")), ("verdict: true", COUNT as u64));
    let again = place.check(&text);
    let alone = Place::new().check(&counters(1)).stat("value.steps");
    for i in [0, COUNT / 2, COUNT - 1] {
        let head = format!("static void count{i}(int n) {{");
        let edited = place.check(&text.replace(&head, &format!("{head} n ^= {i} + 1;")));
        assert_eq!(
            (edited.verdict.as_str(), edited.stat("cegar.refinements")),
            ("verdict: true", 0),
            "{}",
            edited.text
        );
        // The block of each of its calls, at most.
        assert!(edited.stat("cache.used") + 2 >= again.stat("cache.used"), "{i}: {}", edited.text);
        let more = edited.stat("value.steps") - again.stat("value.steps");
        assert!(more > 0 && 10 * more <= 12 * alone, "{i}: {more} steps, {alone} alone: {}", edited.text);
    }
}

#[test]
fn edits_that_break_the_program_are_seen() {
    for (old, new) in [
        // In a block, and in the block that calls it.
        ("level = level - 1", "level = level - 4"),
        ("up(9)", "up(2)"),
        // What a block relies on is changed from outside of it.
        ("int mode = 3", "int mode = 0"),
        ("{4, 5, 6}", "{4, 5, 7}"),
        ("static const int limits[3]", "static int limits[3]"),
        ("int *where = &other", "int *where = &mode"),
        ("other = 1;", "mode = 0;"),
        ("other = 2;", "where = &mode;"),
    ] {
        let place = Place::new();
        place.check(PROGRAM);
        let mut text = PROGRAM.replace(old, new);
        if new.starts_with("static int limits") {
            text = text.replace("other = 1;", "((int *)limits)[2] = 5;");
        }
        let without = check(&[], None, &place.write(&text));
        assert_eq!(without.verdict, "verdict: false(unreach-call)", "{new}: {}", without.text);
        let with = place.check(&text);
        assert_eq!(with.verdict, without.verdict, "{new}: {}", with.text);
        // The next run replays the inputs.
        let again = place.check(&text);
        assert_eq!(again.verdict, without.verdict, "{new}: {}", again.text);
        assert!(again.text.contains("cache.replay"), "{new}: {}", again.text);
        // And back: the proof is still there.
        let back = place.check(PROGRAM);
        assert_eq!((back.verdict.as_str(), back.stat("cegar.refinements")), ("verdict: true", 0), "{new}");
    }
}

#[test]
fn proofs_with_cached_abstractions_pass_the_check() {
    let cache = tempfile::tempdir().expect("a folder");
    let (mut proofs, mut used) = (0, 0);
    for file in programs() {
        let first = check(&["--check-proof"], Some(cache.path()), &file);
        let second = check(&["--check-proof"], Some(cache.path()), &file);
        assert_eq!(first.verdict, second.verdict, "{}: {}", file.display(), second.text);
        proofs += u32::from(second.verdict == "verdict: true");
        used += second.stat("cache.used");
    }
    assert!(proofs >= 8 && used >= 20, "{proofs} {used}");
}

#[test]
fn verdicts_survive_a_thousand_flipped_bytes() {
    let cache = tempfile::tempdir().expect("a folder");
    let files = programs();
    let verdicts: Vec<String> = files.iter().map(|file| check(&[], Some(cache.path()), file).verdict).collect();
    assert!(verdicts.iter().any(|v| v == "verdict: true") && verdicts.iter().any(|v| v.contains("false")));
    let mut random = Random(14);
    let stored = values(cache.path());
    assert!(stored.len() > 30, "{}", stored.len());
    for _ in 0..1000 {
        let file = &stored[random.below(stored.len())];
        let mut bytes = std::fs::read(file).expect("a value");
        let at = random.below(bytes.len());
        bytes[at] ^= 1 + random.below(255) as u8;
        std::fs::write(file, bytes).expect("written");
    }
    let mut rejected = 0;
    for (file, verdict) in files.iter().zip(&verdicts) {
        let run = check(&[], Some(cache.path()), file);
        assert_eq!(run.verdict, *verdict, "{}: {}", file.display(), run.text);
        rejected += run.stat("cache.rejected");
    }
    assert!(rejected > 20, "{rejected}");
    // What was damaged has been replaced.
    let repaired: u64 = files.iter().map(|file| check(&[], Some(cache.path()), file).stat("cache.rejected")).sum();
    assert_eq!(repaired, 0);
}

/// Some values that are left of a cache may lead an analysis elsewhere than all of them would.
#[test]
fn one_value_that_is_left_costs_no_verdict() {
    let mut used = 0;
    for file in programs() {
        let cache = tempfile::tempdir().expect("a folder");
        let whole = check(&[], Some(cache.path()), &file);
        let all: Vec<(PathBuf, Vec<u8>)> = values(cache.path())
            .into_iter()
            .map(|path| (path.clone(), std::fs::read(path).expect("a value")))
            .collect();
        for (path, value) in &all {
            values(cache.path()).iter().for_each(|path| std::fs::remove_file(path).expect("removed"));
            std::fs::write(path, value).expect("written");
            let run = check(&[], Some(cache.path()), &file);
            assert_eq!(run.verdict, whole.verdict, "{}: {}", file.display(), run.text);
            used += run.stat("cache.used");
        }
    }
    assert!(used > 20, "{used}");
}

#[test]
fn each_damaged_value_is_replaced() {
    let mut rejected = 0;
    for file in programs().into_iter().step_by(3) {
        let cache = tempfile::tempdir().expect("a folder");
        check(&[], Some(cache.path()), &file);
        for damaged in values(cache.path()) {
            let whole = std::fs::read(&damaged).expect("a value");
            std::fs::write(&damaged, &whole[1..]).expect("written");
            let seen = check(&[], Some(cache.path()), &file).stat("cache.rejected");
            let again = check(&[], Some(cache.path()), &file);
            assert_eq!(again.stat("cache.rejected"), 0, "{}: {}", file.display(), again.text);
            rejected += seen;
            std::fs::write(&damaged, &whole).expect("written");
        }
    }
    assert!(rejected >= 8, "{rejected}");
}

#[test]
fn files_that_a_writer_left_cut_are_ignored() {
    let place = Place::new();
    place.check(PROGRAM);
    let mut random = Random(3);
    for file in values(&place.cache()) {
        let bytes = std::fs::read(&file).expect("a value");
        std::fs::write(&file, &bytes[..random.below(bytes.len())]).expect("written");
    }
    let run = place.check(PROGRAM);
    assert_eq!((run.verdict.as_str(), run.stat("cache.used")), ("verdict: true", 0), "{}", run.text);
    assert!(run.stat("cache.rejected") > 0 && run.stat("cache.written") > 0, "{}", run.text);
    assert_eq!(place.check(PROGRAM).counts()[1..], [0, 0]);
}

#[test]
fn killed_writers_do_no_harm() {
    let place = Place::new();
    let file = place.write(PROGRAM);
    for milliseconds in 0..20 {
        let mut hone = command(Path::new(HONE), &[], Some(&place.cache()), &file);
        let mut hone = hone.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("hone runs");
        std::thread::sleep(Duration::from_millis(2 * milliseconds));
        hone.kill().expect("it is ours");
        hone.wait().expect("it ended");
    }
    let run = place.check(PROGRAM);
    assert_eq!((run.verdict.as_str(), run.stat("cache.rejected")), ("verdict: true", 0), "{}", run.text);
}

#[test]
fn processes_share_a_cache() {
    let cache = tempfile::tempdir().expect("a folder");
    let place = Place::new();
    let mut files: Vec<PathBuf> = programs().into_iter().take(6).collect();
    files.push(place.write(PROGRAM));
    let spawn = |file: &PathBuf| {
        let mut hone = command(Path::new(HONE), &[], Some(cache.path()), file);
        hone.stdout(Stdio::piped()).spawn().expect("hone runs")
    };
    for file in &files {
        let both = [spawn(file), spawn(file)];
        let texts =
            both.map(|hone| String::from_utf8(hone.wait_with_output().expect("it ended").stdout).expect("text"));
        let expected = check(&[], None, file).verdict;
        for text in texts {
            assert_eq!(text.lines().last(), Some(&expected[..]), "{}: {text}", file.display());
        }
        let after = check(&[], Some(cache.path()), file);
        assert_eq!((after.verdict, after.stats["cache.rejected"]), (expected, 0), "{}", file.display());
    }
}

#[test]
fn other_versions_do_not_meet() {
    let place = Place::new();
    place.check(PROGRAM);
    let other = place.folder.path().join("hone");
    std::fs::copy(HONE, &other).expect("copied");
    let file = place.write(PROGRAM);
    let run = check_with(&other, &[], Some(&place.cache()), &file);
    assert_eq!(run.verdict, "verdict: true");
    assert_eq!((run.stat("cache.read"), run.stat("cache.rejected")), (0, 0), "{}", run.text);
}

#[track_caller]
fn check_refused(config: &str, cache: &Path, expected: &[&str]) {
    let place = Place::new();
    let file = place.write(PROGRAM);
    let output = Command::new(HONE).args(["check", "--config", config, "--cache"]).arg(cache).arg(file).output();
    let output = output.expect("hone runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    for part in expected {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn caches_that_can_not_be_used() {
    let place = Place::new();
    let file = place.write(PROGRAM);
    check_refused("bam-value", &file, &["error[E0034]", "the cache is no folder", "help: give `--cache` a folder"]);
    let help = "help: choose a folder that you may write to, or leave out `--cache`";
    check_refused("bam-value", &file.join("below"), &["error[E0034]", "a part of the path is no folder", help]);
    let help = "help: use `--config bam-value";
    check_refused("value", &place.cache(), &["error[E0033]", "configuration `value` has no option `--cache`", help]);
    check_refused("portfolio", &place.cache(), &["error[E0033]", help]);
    assert!(!place.cache().exists());
}

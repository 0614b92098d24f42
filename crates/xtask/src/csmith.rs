//! Differential test of the semantics: random programs of Csmith print the same under `hone run` and compiled by gcc.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use crate::options::Options;
use crate::process::{self, Ended};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Programs that run longer than this natively are left out.
const NATIVE_LIMIT: Duration = Duration::from_secs(2);
/// Time that `hone run` gets.
const HONE_LIMIT: Duration = Duration::from_secs(60);

/// What came out of one program.
enum Verdict {
    Same,
    /// Neither side says anything: the program does not end in time.
    LeftOut,
    /// `hone run` needs too long.
    Slow(String),
    Problem(String),
}

/// Runs the test; returns what is wrong.
pub fn run(options: &Options) -> Vec<String> {
    let folder = std::env::temp_dir().join(format!("hone-csmith-{}", std::process::id()));
    if let Err(error) = fs::create_dir_all(&folder).and_then(|()| fs::create_dir_all(&options.keep)) {
        return vec![format!("{}: {error}", folder.display())];
    }
    let verdicts = process::in_parallel(options.count, |index| one(options, &folder, options.seed + index));
    let _ = fs::remove_dir_all(&folder);
    let count = |fits: fn(&Verdict) -> bool| verdicts.iter().filter(|v| fits(v)).count();
    let same = count(|v| matches!(v, Verdict::Same));
    println!(
        "csmith: {same} programs with the same output, {} left out, {} slow",
        count(|v| matches!(v, Verdict::LeftOut)),
        count(|v| matches!(v, Verdict::Slow(_)))
    );
    let mut problems = Vec::new();
    for verdict in verdicts {
        match verdict {
            Verdict::Problem(problem) => problems.push(problem),
            Verdict::Slow(program) => println!("slow: {program}"),
            Verdict::Same | Verdict::LeftOut => {}
        }
    }
    if same == 0 && problems.is_empty() {
        problems.push("no program could be compared".to_owned());
    }
    problems
}

/// Whether the data model of a program is that of 32 bits.
fn is_32_bit(seed: u64) -> bool {
    seed % 2 == 1
}

fn one(options: &Options, folder: &Path, seed: u64) -> Verdict {
    try_one(options, folder, seed).unwrap_or_else(Verdict::Problem)
}

fn try_one(options: &Options, folder: &Path, seed: u64) -> Result<Verdict, String> {
    let source = folder.join(format!("{seed}.c"));
    let binary = folder.join(format!("{seed}.bin"));
    let seed_text = seed.to_string();
    let mut csmith = Command::new("csmith");
    csmith
        .args(["--seed", &seed_text, "--concise", "--max-funcs", "6", "--max-block-depth", "4", "--output"])
        .arg(&source);
    // It writes a file `platform.info` where it runs.
    let made = process::run(csmith.current_dir(folder), Duration::from_secs(60))?;
    if made.code != Some(0) {
        return Ok(Verdict::LeftOut);
    }
    let (flag, model) = if is_32_bit(seed) { ("-m32", "ILP32") } else { ("-m64", "LP64") };
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-O0", "-fwrapv", flag, "-I/usr/include/csmith", "-o"]).arg(&binary).arg(&source);
    let compiled = process::run(&mut gcc, Duration::from_secs(60))?;
    if compiled.code != Some(0) {
        return Err(format!("gcc rejects {}: {}", source.display(), compiled.stderr));
    }
    let native = process::run(&mut Command::new(&binary), NATIVE_LIMIT)?;
    let _ = fs::remove_file(&binary);
    if native.timed_out || native.code != Some(0) {
        return Ok(Verdict::LeftOut);
    }
    let mut hone = Command::new(&options.hone);
    hone.args(["run", "--data-model", model, "-I/usr/include/csmith", "--timeout"]);
    hone.arg(format!("{}s", HONE_LIMIT.as_secs())).arg(&source);
    let ours = process::run(&mut hone, HONE_LIMIT + Duration::from_secs(5))?;
    if ours.stdout == native.stdout && ours.code == Some(0) {
        let _ = fs::remove_file(&source);
        return Ok(Verdict::Same);
    }
    let kept = keep(options, &source);
    if ours.timed_out || ours.stderr.contains("was stopped") {
        return Ok(Verdict::Slow(kept.display().to_string()));
    }
    Ok(Verdict::Problem(difference(&kept, model, &native, &ours)))
}

fn keep(options: &Options, source: &Path) -> PathBuf {
    let target = options.keep.join(format!("csmith-{}", source.file_name().unwrap_or_default().to_string_lossy()));
    let _ = fs::copy(source, &target);
    target
}

fn difference(source: &Path, model: &str, native: &Ended, ours: &Ended) -> String {
    format!(
        "{} ({model}): gcc printed {:?}, hone {:?} (exit {:?}): {}",
        source.display(),
        native.stdout.trim(),
        ours.stdout.trim(),
        ours.code,
        ours.stderr.trim()
    )
}

//! Differential test of the semantics against gcc, with random programs of Csmith [yang11].
//!
//! Each program runs under `hone run` and compiled by gcc, and must print the same ([`native`]). Then `hone check` has to prove
//! that its variables have the values that gcc computes, for each of a few inputs, and to find the difference when one of
//! these values is changed ([`symbolic`]): the same programs test the symbolic engine. With `--files N`, each program is split into files that
//! are linked ([`files`]).
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

pub mod files;

pub mod native;

pub mod program;

pub mod symbolic;

use crate::options::{DataModel, DataModels, Parts, Random};
use crate::process;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Time for a compiler or generator.
const TOOL_LIMIT: Duration = Duration::from_secs(120);

/// Options of the task.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Programs, binary, and how.
    #[command(flatten)]
    pub random: Random,
    /// Sizes of `long` and pointers
    #[arg(long, value_enum, default_value_t = DataModels::Both)]
    pub data_model: DataModels,
    /// What is compared
    #[arg(long, value_enum, default_value_t = Parts::All)]
    pub parts: Parts,
    /// Files that each program is split into
    #[arg(long, default_value_t = 1)]
    pub files: usize,
}

/// What came out of one comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Both sides agree.
    Same,
    /// The program is not fit: it does not end in time, or behaves in an undefined way.
    LeftOut,
    /// Hone needs too long; which program.
    Slow(String),
    /// They disagree; how.
    Problem(String),
}

/// Where the test works, and what on.
pub struct Bench<'a> {
    /// The options.
    pub options: &'a Options,
    /// For files that are not kept.
    pub folder: &'a Path,
}

impl Bench<'_> {
    /// Copies a file to where it is kept.
    pub fn keep(&self, file: &Path) -> PathBuf {
        let target =
            self.options.random.keep.join(format!("csmith-{}", file.file_name().unwrap_or_default().to_string_lossy()));
        let _ = fs::copy(file, &target);
        target
    }
}

/// Runs the test; returns what is wrong.
pub fn run(options: &Options) -> Vec<String> {
    let folder = std::env::temp_dir().join(format!("hone-csmith-{}", std::process::id()));
    if let Err(error) = fs::create_dir_all(&folder).and_then(|()| fs::create_dir_all(&options.random.keep)) {
        return vec![format!("{}: {error}", folder.display())];
    }
    let bench = Bench { options, folder: &folder };
    let mut problems = missing(&bench);
    if problems.is_empty() {
        problems = report(&process::in_parallel(options.random.count, options.random.jobs, |index| {
            one(&bench, options.random.seed + index)
        }));
    }
    let _ = fs::remove_dir_all(&folder);
    problems
}

/// Prints what came out, by kind of comparison, data model and options of Csmith; returns the problems.
fn report(programs: &[Outcome]) -> Vec<String> {
    let mut table: BTreeMap<String, Vec<&Verdict>> = BTreeMap::new();
    let all = || programs.iter().flat_map(|p| p.verdicts.iter().map(|(label, verdict)| (p.seed, label, verdict)));
    for (seed, label, verdict) in all() {
        for group in [format!("{label}: all"), format!("{label}: csmith {}", program::options(seed))] {
            table.entry(group).or_default().push(verdict);
        }
    }
    for (group, verdicts) in table {
        let count = |fits: fn(&Verdict) -> bool| verdicts.iter().filter(|v| fits(v)).count();
        println!(
            "{group}: {} agree, {} left out, {} slow, {} differ",
            count(|v| matches!(v, Verdict::Same)),
            count(|v| matches!(v, Verdict::LeftOut)),
            count(|v| matches!(v, Verdict::Slow(_))),
            count(|v| matches!(v, Verdict::Problem(_)))
        );
    }
    let (mut passed, mut problems) = (0, Vec::new());
    for (_, _, verdict) in all() {
        match verdict {
            Verdict::Same => passed += 1,
            Verdict::Problem(problem) => problems.push(problem.clone()),
            Verdict::Slow(program) => println!("slow: {program}"),
            Verdict::LeftOut => {}
        }
    }
    println!("{passed} passed, {} failed", problems.len());
    if passed == 0 && problems.is_empty() {
        problems.push("no program could be compared".to_owned());
    }
    problems
}

/// Which tools are missing.
fn missing(bench: &Bench<'_>) -> Vec<String> {
    let works = |command: &mut Command| process::run(command, TOOL_LIMIT).is_ok_and(|ended| ended.code == Some(0));
    let mut problems = Vec::new();
    if !works(Command::new("csmith").arg("--version").current_dir(bench.folder)) {
        problems.push("csmith is missing; Debian has it in the package `csmith`".to_owned());
    }
    if !Path::new(program::HEADERS).join("csmith.h").exists() {
        problems.push(format!("{}/csmith.h is missing; Debian has it in `libcsmith-dev`", program::HEADERS));
    }
    let trivial = bench.folder.join("trivial.c");
    let _ = fs::write(&trivial, "int main(void) { return 0; }\n");
    for &model in bench.options.data_model.each() {
        let mut gcc = Command::new("gcc");
        if !works(gcc.arg(program::gcc_flag(model)).arg("-o").arg(bench.folder.join("trivial")).arg(&trivial)) {
            let package = if model == DataModel::Ilp32 { "gcc-multilib" } else { "gcc" };
            problems.push(format!("gcc {} doesn't work; Debian has it in `{package}`", program::gcc_flag(model)));
        }
    }
    if !works(Command::new(&bench.options.random.hone).arg("--version")) {
        problems.push(format!("{} is no working hone; build it, or use --hone", bench.options.random.hone.display()));
    }
    problems
}

/// What came out for one program.
struct Outcome {
    seed: u64,
    /// Labelled by what was compared.
    verdicts: Vec<(String, Verdict)>,
}

/// Tests one program: its runs and its checks.
fn one(bench: &Bench<'_>, seed: u64) -> Outcome {
    let mut outcome = Outcome { seed, verdicts: Vec::new() };
    let program = match program::generate(bench.folder, seed) {
        Ok(Some(program)) => program,
        Ok(None) => {
            outcome.verdicts.push(("generated".to_owned(), Verdict::LeftOut));
            return outcome;
        }
        Err(problem) => {
            outcome.verdicts.push(("generated".to_owned(), Verdict::Problem(problem)));
            return outcome;
        }
    };
    for &model in bench.options.data_model.each() {
        let run = native::compare(bench, &program, model).unwrap_or_else(Verdict::Problem);
        // What has no end has no values to prove.
        let fit = run != Verdict::LeftOut && bench.options.parts == Parts::All;
        outcome.verdicts.push((format!("runs {model}"), run));
        if fit {
            let checks = symbolic::compare(bench, &program, model).unwrap_or_else(|p| vec![Verdict::Problem(p)]);
            outcome.verdicts.extend(checks.into_iter().map(|check| (format!("checks {model}"), check)));
        }
    }
    outcome
}

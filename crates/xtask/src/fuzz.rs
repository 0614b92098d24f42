//! Coverage-guided fuzzing with libFuzzer: builds the package `fuzz` with instrumentation, and runs its targets one after another.
//!
//! The flags for the compiler are those of `cargo-fuzz` without sanitizers, which the stable compiler has: they instrument everything
//! that is compiled for the target triple, which is why it is named.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What counts coverage; the libraries of binaries are beside them.
const RUSTFLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Clink-arg=-Wl,-rpath,$ORIGIN";

/// A target of `fuzz/src/targets`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Target {
    /// C text, from bytes to automata
    Frontend,
    /// Task definitions and properties
    Tasks,
    /// Witnesses, and what they add to a program
    Witnesses,
    /// Simplified terms and their values
    Terms,
}

impl Target {
    const ALL: [Target; 4] = [Target::Frontend, Target::Tasks, Target::Witnesses, Target::Terms];

    fn name(self) -> &'static str {
        match self {
            Target::Frontend => "frontend",
            Target::Tasks => "tasks",
            Target::Witnesses => "witnesses",
            Target::Terms => "terms",
        }
    }

    /// Folders with seeds, below the root.
    fn seeds(self) -> &'static [&'static str] {
        match self {
            Target::Frontend => &["tests/data", "examples", "crates/c2cfa/tests/programs", "crates/clib/libc"],
            Target::Tasks | Target::Witnesses | Target::Terms => &[],
        }
    }

    /// Words that mutations put in.
    fn dictionary(self) -> Option<&'static str> {
        match self {
            Target::Frontend => Some("fuzz/c.dict"),
            Target::Tasks | Target::Witnesses => Some("fuzz/yaml.dict"),
            Target::Terms => None,
        }
    }
}

/// Options of the task.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// What to fuzz [default: one after another]
    #[arg(value_enum)]
    pub target: Option<Target>,
    /// Time for each target
    #[arg(long, default_value_t = 60)]
    pub seconds: u64,
    /// Where random numbers begin; 0 for another place each time
    #[arg(long, default_value_t = 0)]
    pub seed: u32,
    /// Where inputs that show a problem are kept
    #[arg(long, default_value_os_t = std::env::temp_dir().join("hone-problems"))]
    pub keep: PathBuf,
}

/// Fuzzes; returns what is wrong.
pub fn run(options: &Options) -> Vec<String> {
    let root = crate::workspace_root();
    let targets = options.target.map_or(Target::ALL.to_vec(), |target| vec![target]);
    let ran = build(&root).and_then(|binary| {
        fs::create_dir_all(&options.keep).map_err(|error| format!("{}: {error}", options.keep.display()))?;
        Ok(targets.iter().filter_map(|target| fuzz(&root, &binary, *target, options).err()).collect())
    });
    ran.unwrap_or_else(|problem| vec![problem])
}

/// Builds the fuzzer.
fn build(root: &Path) -> Result<PathBuf, String> {
    if Command::new("c++").arg("--version").output().is_err() {
        install_compiler()?;
    }
    let rustc = Command::new("rustc").arg("-vV").output().map_err(|error| format!("rustc: {error}"))?;
    let version = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let triple = version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc -vV names no host")?;
    // The build script of `z3-link` looks for the library in the folder of the triple.
    let folder = root.join("fuzz/target").join(triple);
    succeed(Command::new(root.join("crates/z3-link/fetch")).env("CARGO_TARGET_DIR", &folder))?;
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--quiet", "--release", "--locked", "--target", triple, "--target-dir"]);
    cargo.arg(root.join("fuzz/target")).current_dir(root.join("fuzz"));
    // The project's own configuration of cargo names no library of C++, which only this binary needs.
    succeed(cargo.env("RUSTFLAGS", RUSTFLAGS).env("CXXSTDLIB", "stdc++").env_remove("CARGO_TARGET_DIR"))?;
    Ok(folder.join("release/fuzz"))
}

/// libFuzzer is C++.
fn install_compiler() -> Result<(), String> {
    let user = Command::new("id").arg("-u").output().map_err(|error| format!("id: {error}"))?;
    let sudo = if user.stdout.starts_with(b"0\n") { "" } else { "sudo " };
    let script = format!("{sudo}apt-get update -qq && {sudo}apt-get install -y -qq --no-install-recommends g++");
    succeed(Command::new("sh").arg("-c").arg(script)).map_err(|problem| format!("c++ is missing: {problem}"))
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{name}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name}: {status}")) }
}

/// Fuzzes a target until the time is over or a problem is found. What is learnt stays in `fuzz/target/corpus`.
fn fuzz(root: &Path, binary: &Path, target: Target, options: &Options) -> Result<(), String> {
    let name = target.name();
    let corpus = root.join("fuzz/target/corpus").join(name);
    fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    let mut fuzzer = Command::new(binary);
    fuzzer.env("HONE_FUZZ_TARGET", name).current_dir(root).arg(corpus);
    fuzzer.arg(Path::new("fuzz/regressions").join(name)).args(target.seeds());
    fuzzer.args(["-timeout=10", "-rss_limit_mb=4096", "-max_len=4096", "-print_final_stats=1", "-verbosity=0"]);
    fuzzer.arg(format!("-max_total_time={}", options.seconds)).arg(format!("-seed={}", options.seed));
    fuzzer.arg(format!("-artifact_prefix={}/{name}-", options.keep.display()));
    if let Some(dictionary) = target.dictionary() {
        fuzzer.arg(format!("-dict={dictionary}"));
    }
    println!("fuzz: {name}, {} s", options.seconds);
    succeed(&mut fuzzer).map_err(|problem| {
        format!("{problem}: target {name}; the input is in {}, if it could be kept", options.keep.display())
    })
}

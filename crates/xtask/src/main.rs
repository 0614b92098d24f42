//! Tasks of the workspace: `cargo xtask --help` lists them.
#![allow(clippy::print_stdout)]

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use xtask::{bench, csmith, fuzz, mutate, random, scaling, tidy, verdicts};

/// Checks of the workspace, tests of the binary, and benchmarks
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Layers, sizes, documentation and manifests of the workspace
    Tidy,
    /// Compare what each configuration makes of each program of the repository with the committed table
    Verdicts(verdicts::Options),
    /// Random programs of Csmith: same values as gcc's
    Csmith(csmith::Options),
    /// Small random programs that were run on all inputs: no wrong verdict
    Random(random::Options),
    /// Mutated inputs: every end is clean
    Mutate(mutate::Options),
    /// Inputs that reach new code: front end, tasks, witnesses, terms
    Fuzz(fuzz::Options),
    /// Run configurations over tasks: BenchExec's XML, tables, plots
    Bench(bench::Options),
    /// CPU time over the number in the tasks' names: scaling.md, scaling.svg
    Scaling(scaling::Options),
}

fn main() -> ExitCode {
    let problems = match Cli::parse().task {
        Task::Tidy => tidy::check(&xtask::workspace_root()).iter().map(ToString::to_string).collect(),
        Task::Verdicts(options) => verdicts::run(&options),
        Task::Csmith(options) => csmith::run(&options),
        Task::Random(options) => random::run(&options),
        Task::Mutate(options) => mutate::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Scaling(options) => scaling::run(&options),
    };
    problems.iter().for_each(|problem| println!("error: {problem}"));
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

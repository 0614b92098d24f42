//! Tasks of the workspace: `cargo xtask tidy`, `csmith`, `mutate`, `bench` and `scaling`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;
use xtask::{bench, csmith, mutate, options, scaling, tidy};

const USAGE: &str = "\
usage: cargo xtask tidy
       cargo xtask csmith --hone BINARY [--count N] [--seed N] [--data-model LP64|ILP32|both] [--parts runs|all]
                                          random programs: same values as gcc's
       cargo xtask mutate --hone BINARY [--count N] [--seed N] [--limit SECONDS] PATH...
                                          mutated inputs: every end is clean
                                          both: [--jobs N] at a time, [--keep FOLDER] for what shows a problem
       cargo xtask bench [--hone BINARY] [--limit SECONDS] [--every K] [--out FOLDER] TASKS... CONFIGURATION...
                                          runs configurations over tasks (.set files, folders, .yml; what contains / or .):
                                          BenchExec's XML, tables, plots. CONFIGURATION is NAME or 'NAME=PRESET OPTIONS';
                                          NAME=FILE.csv takes the results of another runner instead
       cargo xtask bench --table TABLE [TASKS]
                                          the table of a paper (benches/tables) on the folder with the task sets, or on
                                          a slice of this repository's programs
       cargo xtask scaling --hone BINARY [--config NAME] [--limit SECONDS] [--out FOLDER] TASK...
                                          CPU time over the number in the tasks' names: scaling.md, scaling.svg";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_default();
    let parsed = options::parse(args);
    let problems = match (command.as_str(), parsed) {
        ("tidy", _) => {
            let report = tidy::check(&tidy::workspace_root());
            report.warnings.iter().for_each(|warning| println!("warning: {warning}"));
            report.errors
        }
        ("csmith", Ok(options)) => csmith::run(&options),
        ("mutate", Ok(options)) => mutate::run(&options),
        ("bench", Ok(options)) => bench::run(&options),
        ("scaling", Ok(options)) => scaling::run(&options),
        (_, Err(error)) => {
            eprintln!("error: {error}\n{USAGE}");
            return ExitCode::from(2);
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    problems.iter().for_each(|problem| println!("error: {problem}"));
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

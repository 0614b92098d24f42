//! Tasks of the workspace: `cargo xtask tidy`, `cargo xtask csmith`, `cargo xtask mutate`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;
use xtask::{csmith, mutate, options, tidy};

const USAGE: &str = "\
usage: cargo xtask tidy
       cargo xtask csmith --hone BINARY [--count N] [--seed N] [--data-model LP64|ILP32|both] [--parts runs|all]
                                          random programs: same values as gcc's
       cargo xtask mutate --hone BINARY [--count N] [--seed N] [--limit SECONDS] PATH...
                                          mutated inputs: every end is clean
  Both: [--jobs N] at a time, [--keep FOLDER] for what shows a problem";

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

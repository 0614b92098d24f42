//! `cargo xtask tidy`: prints what is untidy and fails if anything is.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;
use xtask::tidy;

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() != Some("tidy") {
        eprintln!("usage: cargo xtask tidy");
        return ExitCode::from(2);
    }
    let report = tidy::check(&tidy::workspace_root());
    for warning in &report.warnings {
        println!("warning: {warning}");
    }
    for error in &report.errors {
        println!("error: {error}");
    }
    if report.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

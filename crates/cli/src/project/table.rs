//! What people see of a project's run: a line for each harness, and a summary.

use super::Ended;
use crate::exit_code::ExitCode;
use driver::project::Harness;
use report::text::duration;
use serde::Serialize;
use std::fmt::Write;
use std::time::Duration;

/// The line of a harness that has ended.
pub fn line(ended: &Ended, width: usize) -> String {
    let mut line = format!("{:<8} {:<width$}  {}", mark(ended.code), ended.name, ended.verdict);
    if ended.code != ExitCode::True && ended.expected != "true" {
        let _ = write!(line, ", expected {}", ended.expected);
    }
    if !ended.detail.is_empty() {
        let _ = write!(line, ": {}", ended.detail);
    }
    line + &format!(" ({})\n", duration(ended.time))
}

fn mark(code: ExitCode) -> &'static str {
    match code {
        ExitCode::True => "ok",
        ExitCode::False => "FAILED",
        ExitCode::Usage => "ERROR",
        ExitCode::Unknown => "unknown",
    }
}

/// The table behind the last line: how many ended how, and which not as expected.
pub fn render(ended: &[Ended], time: Duration) -> String {
    let count = |code| ended.iter().filter(|ended| ended.code == code).count();
    let mut out =
        format!("\n{} {} in {}\n", ended.len(), if ended.len() == 1 { "harness" } else { "harnesses" }, duration(time));
    let rows = [
        (ExitCode::True, "as expected"),
        (ExitCode::False, "failed"),
        (ExitCode::Unknown, "unknown"),
        (ExitCode::Usage, if count(ExitCode::Usage) == 1 { "error" } else { "errors" }),
    ];
    for (code, meaning) in rows {
        let number = count(code);
        if number > 0 {
            let _ = write!(out, "  {number:>5} {meaning}");
            if code != ExitCode::True {
                let names: Vec<&str> = ended.iter().filter(|e| e.code == code).map(|e| e.name.as_str()).collect();
                let _ = write!(out, ": {}", names.join(", "));
            }
            out.push('\n');
        }
    }
    out
}

/// The harnesses of a project for people.
pub fn list(harnesses: &[Harness]) -> String {
    let width = harnesses.iter().map(|harness| harness.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for harness in harnesses {
        let _ = write!(out, "{:<width$}  {}", harness.name, harness.entry);
        if !harness.files.is_empty() {
            let _ = write!(out, " in {}", harness.files.join(", "));
        }
        if harness.expect.to_string() != "true" {
            let _ = write!(out, "; expected {}", harness.expect);
        }
        out.push('\n');
    }
    out
}

#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    entry: &'a str,
    files: &'a [String],
    arguments: Vec<String>,
    expect: String,
}

/// The harnesses of a project for programs: a list of objects.
pub fn json(harnesses: &[Harness]) -> String {
    let listed: Vec<Listed<'_>> = harnesses
        .iter()
        .map(|harness| Listed {
            name: &harness.name,
            entry: &harness.entry,
            files: &harness.files,
            arguments: harness.arguments(),
            expect: harness.expect.to_string(),
        })
        .collect();
    serde_json::to_string_pretty(&listed).unwrap_or_default() + "\n"
}

//! One run of a configuration on a program.

use super::table::{Row, Speed};
use crate::header::{Expected, Header};
use crate::process::{self, Ended};
use crate::workspace_root;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How much longer than its limit `hone` may take to end; the machine may be busy.
const GRACE: Duration = Duration::from_secs(20);
/// Names of counters that count steps of some analysis.
const STEPS: [&str; 4] = ["steps", "block_steps", "successors", "vertices"];
/// Names of counters that count queries to the solver.
const QUERIES: [&str; 3] = ["queries", "pruning queries", "path_checks"];

/// A program of the table.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its path below the root of the workspace.
    pub name: String,
    /// Its first lines.
    pub header: Header,
}

impl Program {
    /// What a configuration is expected to say. Options may be why there is no answer, so others may have one.
    ///
    /// # Errors
    /// If a line of the header is malformed.
    pub fn expected(&self, configuration: &str) -> Result<Option<Expected>, String> {
        let expected = match self.header.get(configuration) {
            Some(text) => Some(Expected::parse(text)?),
            None => self.header.expected()?,
        };
        let by_options = !self.header.args().is_empty() && self.header.configuration() != configuration;
        Ok(expected.filter(|expected| !by_options || !matches!(expected, Expected::Unknown(_))))
    }
}

/// What `hone check --format json` writes, as far as the table tells it.
#[derive(Deserialize)]
struct Document {
    verdict: String,
    violated: Option<String>,
    reason: Option<Reason>,
    statistics: Statistics,
}

#[derive(Deserialize)]
struct Reason {
    text: String,
}

#[derive(Deserialize)]
struct Statistics {
    values: BTreeMap<String, f64>,
    #[serde(default)]
    iterations: Vec<Iteration>,
}

#[derive(Deserialize)]
struct Iteration {
    values: BTreeMap<String, f64>,
}

/// Lets a configuration check a program.
///
/// # Errors
/// If the run does not end as a run should: with a verdict, or with an error in the program.
pub fn check(
    hone: &Path,
    program: &Program,
    configuration: &str,
    limit: Duration,
    folder: &Path,
) -> Result<Row, String> {
    let mut command = Command::new(hone);
    // The stages of a sequence run one after another, so that the counters are the same in each run.
    command.args(["check", "--stats", "--format", "json", "--threads", "1", "--timeout"]);
    command.arg(format!("{}ms", limit.as_millis()));
    if program.header.configuration() == configuration {
        command.args(program.header.args());
    } else {
        command.args(["--config", configuration]);
    }
    command.args(program.header.options(folder).map_err(|error| error.to_string())?);
    // Reasons name places by the path that was given.
    command.args(program.header.files(Path::new(&program.name))).current_dir(workspace_root());
    let begin = Instant::now();
    let ended = process::run(&mut command, limit + GRACE)?;
    let speed = if begin.elapsed() > limit / 2 { Speed::Slow } else { Speed::Fast };
    row(&ended, speed).map_err(|why| format!("{}: {configuration}: {why}\n{}", program.name, ended.stderr.trim()))
}

fn row(ended: &Ended, speed: Speed) -> Result<Row, String> {
    if ended.timed_out {
        return Err("does not end".to_owned());
    }
    if ended.code == Some(2) {
        let code = ended.stderr.split_once("error[").and_then(|(_, rest)| rest.split_once(']')).ok_or("no error")?.0;
        return Ok(Row { verdict: format!("rejected ({code})"), steps: None, queries: None, speed: Speed::Fast });
    }
    let document: Document =
        serde_json::from_str(&ended.stdout).map_err(|error| format!("exit {:?}, no result: {error}", ended.code))?;
    let verdict = match (document.violated, document.reason) {
        (Some(property), _) => format!("{}({property})", document.verdict),
        (None, Some(reason)) => format!("{} ({})", document.verdict, reason.text),
        (None, None) => document.verdict,
    };
    if verdict.contains("internal error") {
        return Err(verdict);
    }
    let mut row = Row { verdict, steps: None, queries: None, speed };
    if !row.is_timeout() {
        row.steps = Some(sum(&document.statistics, &STEPS));
        row.queries = Some(sum(&document.statistics, &QUERIES));
    }
    if !row.is_answer() {
        row.speed = Speed::Fast;
    }
    Ok(row)
}

fn sum(statistics: &Statistics, names: &[&str]) -> u64 {
    let all = statistics.iterations.iter().map(|iteration| &iteration.values).chain([&statistics.values]).flatten();
    let counted = all.filter(|(name, _)| names.contains(&name.rsplit('.').next().unwrap_or(name)));
    counted.map(|(_, count)| *count as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: i32, stdout: &str, stderr: &str) -> Result<Row, String> {
        let ended = Ended { code: Some(code), timed_out: false, stdout: stdout.to_owned(), stderr: stderr.to_owned() };
        row(&ended, Speed::Slow)
    }

    #[test]
    fn verdicts_and_counters_of_a_result() {
        let statistics = r#""statistics":{"values":{"value.steps":3,"arg.successors":4,"bmc.queries":5,"time":0.5},
            "iterations":[{"label":"unwind 1","values":{"steps":7,"pruning queries":1}}]}"#;
        let text = format!(r#"{{"verdict":"false","violated":"unreach-call","reason":null,{statistics}}}"#);
        let row = check(1, &text, "").expect("a row");
        let expected =
            Row { verdict: "false(unreach-call)".into(), steps: Some(14), queries: Some(6), speed: Speed::Slow };
        assert_eq!(row, expected);
        let text = format!(r#"{{"verdict":"unknown","violated":null,"reason":{{"text":"timeout"}},{statistics}}}"#);
        let row = check(3, &text, "").expect("a row");
        assert!(row.is_timeout() && row.steps.is_none() && row.speed == Speed::Fast);
    }

    #[test]
    fn other_ends() {
        assert!(check(2, "", "error[E0316]: no\n").is_ok_and(|row| row.verdict == "rejected (E0316)"));
        assert!(check(2, "", "usage").is_err());
        assert!(check(101, "", "panicked").is_err());
    }
}

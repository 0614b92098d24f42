//! The reports on several harnesses of a project in one: `hone-project/1`, and SARIF with a run for each.

use crate::sarif;
use serde::Serialize;
use serde_json::{Value, json};

/// Name and version of the schema.
pub const SCHEMA: &str = "hone-project/1";

/// How a harness ended, and its own report.
#[derive(Clone, Copy, Debug)]
pub struct Harness<'a> {
    /// Its name.
    pub name: &'a str,
    /// The verdict that it was to end with.
    pub expected: &'a str,
    /// What this means for the project.
    pub outcome: Ending,
    /// Its report, or the error that left it without one.
    pub report: Result<&'a str, &'a str>,
}

/// What a harness means for its project.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It ended with the verdict that was expected.
    AsExpected,
    /// It ended with the other verdict.
    Failed,
    /// It was not decided.
    Unknown,
    /// It could not be checked.
    Error,
}

/// A document of the schema `hone-project/1`, with a line end; the reports are those of the schema `hone-result/1`.
pub fn json(harnesses: &[Harness<'_>]) -> String {
    let all: Vec<Value> = harnesses
        .iter()
        .map(|harness| {
            json!({
                "name": harness.name,
                "expected": harness.expected,
                "outcome": harness.outcome,
                "error": harness.report.err(),
                "result": harness.report.ok().and_then(|text| serde_json::from_str::<Value>(text).ok()),
            })
        })
        .collect();
    pretty(&json!({ "schema": SCHEMA, "harnesses": all }))
}

/// A log of SARIF 2.1.0, with a line end; the reports are logs of one run, which gets the name of its harness.
pub fn sarif(harnesses: &[Harness<'_>]) -> String {
    let runs: Vec<Value> = harnesses
        .iter()
        .filter_map(|harness| {
            let log = match harness.report {
                Ok(log) => log.to_owned(),
                Err(error) => sarif::failure(error),
            };
            let mut log: Value = serde_json::from_str(&log).ok()?;
            let mut run = log.get_mut("runs")?.get_mut(0)?.take();
            run["automationDetails"] = json!({ "id": format!("hone/{}", harness.name) });
            Some(run)
        })
        .collect();
    pretty(&json!({ "$schema": sarif::SCHEMA, "version": sarif::VERSION, "runs": runs }))
}

fn pretty(value: &Value) -> String {
    // A value always has a form in JSON.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const HARNESSES: [Harness<'_>; 2] = [
        Harness {
            name: "a",
            expected: "true",
            outcome: Ending::AsExpected,
            report: Ok(r#"{"runs": [{"results": []}], "verdict": "true"}"#),
        },
        Harness { name: "b", expected: "false", outcome: Ending::Error, report: Err("error[E0301]: no such file") },
    ];

    #[test]
    fn a_document() {
        let document: Value = serde_json::from_str(&json(&HARNESSES)).expect("a document");
        assert_eq!(document["harnesses"][0]["result"]["verdict"], "true");
        assert_eq!(document["harnesses"][0]["outcome"], "as-expected");
        assert_eq!(document["harnesses"][1]["result"], Value::Null);
        assert_eq!(document["harnesses"][1]["error"], "error[E0301]: no such file");
    }

    #[test]
    fn a_log() {
        let log: Value = serde_json::from_str(&sarif(&HARNESSES)).expect("a log");
        assert_eq!(log["runs"][0]["automationDetails"]["id"], "hone/a");
        assert_eq!(log["runs"][0]["results"], json!([]));
        let failed = &log["runs"][1]["invocations"][0];
        assert_eq!(failed["executionSuccessful"], false);
        assert_eq!(failed["toolExecutionNotifications"][0]["message"]["text"], "error[E0301]: no such file");
    }
}

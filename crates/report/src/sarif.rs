//! SARIF 2.1.0 for code scanning: a violation is a result with its path as a code flow; why there is no answer is a notification.
//!
//! The wire types are this module's own: the part of the format that is used here.

use crate::subject::Subject;
use crate::{text, trace};
use base::Place;
use outcome::{
    CheckResult, Counterexample, EveryCheck, Evidence, Outcome, Property, Status, Step, StepKind, StopReason, Vacuity,
    Verdict,
};
use serde::Serialize;

/// Where the schema of the format is.
pub const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The version of the format.
pub const VERSION: &str = "2.1.0";

/// Most steps of a code flow; of longer paths, the beginning and the end are told.
const MAX_STEPS: usize = 1_000;

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    artifacts: Vec<Artifact>,
    column_kind: &'static str,
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: &'static str,
    short_description: Message,
    help: Message,
    default_configuration: Configuration,
    properties: Tags,
}

#[derive(Serialize)]
struct Tags {
    tags: Vec<String>,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
}

#[derive(Serialize)]
struct Artifact {
    location: ArtifactLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: u32,
    kind: &'static str,
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    name: String,
    kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
struct ThreadFlow {
    locations: Vec<ThreadFlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ThreadFlowLocation {
    location: Location,
    nesting_level: u32,
    execution_order: u32,
    importance: &'static str,
}

/// The rule of assertions: its name, and what it says.
const ASSERTIONS: (&str, &str) =
    ("ErrorReachable", "An assertion can fail, or a forbidden call or label can be reached");

/// What the rule of assertions finds.
const ASSERTIONS_CWE: &str = "CWE-617";

fn rule(property: Property) -> Rule {
    let (name, description, looks_for, promise) = match property {
        Property::Check(check) => {
            let words = check.words();
            let (name, description, _) = words.rule;
            (name, description, words.about, words.promise)
        }
        Property::UnreachCall => {
            let (looks_for, promise) =
                ("failed assertions, calls of error functions, and label ERROR", "none is reached");
            (ASSERTIONS.0, ASSERTIONS.1, looks_for, promise)
        }
    };
    let help = format!(
        "`--checks {}` looks for {looks_for}, or proves that {promise}. A result tells the run that breaks the rule, with its inputs.",
        property.kind()
    );
    let weaknesses = cwe(property);
    let tags = weaknesses.split(", ").map(|number| format!("external/cwe/{}", number.to_lowercase()));
    Rule {
        id: property.name(),
        name,
        short_description: message(format!("{description} ({weaknesses})")),
        help: message(help),
        default_configuration: Configuration { level: "error" },
        properties: Tags { tags: std::iter::once("security".to_owned()).chain(tags).collect() },
    }
}

/// The weaknesses that a rule finds.
fn cwe(property: Property) -> &'static str {
    match property {
        Property::Check(check) => check.words().rule.2,
        Property::UnreachCall => ASSERTIONS_CWE,
    }
}

/// Renders an outcome, with a line end.
pub fn render(subject: &Subject, outcome: &Outcome) -> String {
    let (results, notifications) = match (&outcome.verdict, &outcome.evidence) {
        _ if outcome.every_check == EveryCheck::Yes && !outcome.checks.is_empty() => each(subject, outcome),
        (Verdict::False(_), Evidence::Counterexample(cex)) => (vec![violation(cex)], Vec::new()),
        (Verdict::True, _) => {
            (vec![proof(subject)], outcome.vacuity.map(|v| warning(subject, v)).into_iter().collect())
        }
        (Verdict::Unknown(reason), _) => (Vec::new(), vec![notification(subject, reason)]),
        (Verdict::False(_), _) => (Vec::new(), Vec::new()),
    };
    let invocation = Invocation { execution_successful: true, tool_execution_notifications: notifications };
    log(invocation, subject.files.iter().map(|file| Artifact { location: artifact(file) }).collect(), results)
}

/// Renders the error of a program that could not be checked, with a line end.
pub fn failure(error: &str) -> String {
    let notification = Notification { level: "error", message: message(error.to_owned()), locations: Vec::new() };
    let invocation = Invocation { execution_successful: false, tool_execution_notifications: vec![notification] };
    log(invocation, Vec::new(), Vec::new())
}

fn log(invocation: Invocation, artifacts: Vec<Artifact>, results: Vec<SarifResult>) -> String {
    let driver = Driver {
        name: "Hone",
        version: env!("CARGO_PKG_VERSION"),
        semantic_version: env!("CARGO_PKG_VERSION"),
        rules: Property::all().map(rule).collect(),
    };
    let run = Run {
        tool: Tool { driver },
        invocations: [invocation],
        artifacts,
        // Columns are counted in bytes, which differ from these only beyond ASCII.
        column_kind: "unicodeCodePoints",
        results,
    };
    let log = Log { schema: SCHEMA, version: VERSION, runs: [run] };
    // Strings, numbers and structs always have a form in JSON.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

/// A result for each check, and a warning where a proof says nothing.
fn each(subject: &Subject, outcome: &Outcome) -> (Vec<SarifResult>, Vec<Notification>) {
    let notifications = outcome.vacuity.map(|vacuity| warning(subject, vacuity)).into_iter().collect();
    (outcome.checks.iter().map(|check| result(subject, check)).collect(), notifications)
}

fn result(subject: &Subject, check: &CheckResult) -> SarifResult {
    let (kind, words) = match &check.status {
        Status::Violated(run) => return SarifResult { locations: vec![at(subject, check)], ..violation(run) },
        Status::Proved => ("pass", "proved".to_owned()),
        Status::Unreachable => ("notApplicable", "no run gets here".to_owned()),
        Status::Unknown(reason) => {
            ("open", format!("not decided: {}; try {}", text::explain(reason), text::advise(reason)))
        }
        Status::Open => ("open", "not decided".to_owned()),
    };
    let words = if check.text.is_empty() { words } else { format!("{words}: {}", check.text) };
    SarifResult {
        rule_id: check.property.name(),
        rule_index: index(check.property),
        kind,
        level: "none",
        message: message(words),
        locations: vec![at(subject, check)],
        code_flows: Vec::new(),
    }
}

/// Where a check is.
fn at(subject: &Subject, check: &CheckResult) -> Location {
    match &check.place {
        Some(place) => location(Some(place), Some(&*check.function).filter(|name| !name.is_empty()), None),
        None => file_location(subject),
    }
}

/// The number of a rule.
fn index(property: Property) -> u32 {
    Property::all().position(|other| other == property).unwrap_or(0) as u32
}

fn violation(cex: &Counterexample) -> SarifResult {
    let last = cex.steps.last();
    let what = match last.map(|step| &step.kind) {
        Some(StepKind::Error { what }) => what.as_str(),
        _ => "the property is violated",
    };
    let inputs: Vec<String> = cex.inputs.iter().take(10).map(trace::input).collect();
    let mut words = what.to_owned();
    if !inputs.is_empty() {
        words += &format!("; with {}", inputs.join(", "));
    }
    let shown: Vec<&Step> =
        cex.steps.iter().filter(|step| trace::is_of_user(step) && (step.place.is_some() || is_error(step))).collect();
    let kept = |i: usize| shown.len() <= MAX_STEPS || i < MAX_STEPS / 2 || i >= shown.len() - MAX_STEPS / 2;
    let steps = shown.iter().enumerate().filter(|(i, _)| kept(*i)).map(|(i, step)| ThreadFlowLocation {
        location: location(step.place.as_ref(), Some(&step.function), Some(trace::what(step, cex))),
        nesting_level: step.depth,
        execution_order: i as u32 + 1,
        importance: if is_error(step) { "essential" } else { "important" },
    });
    let code_flows = vec![CodeFlow { thread_flows: [ThreadFlow { locations: steps.collect() }] }];
    let at = last.into_iter().map(|step| location(step.place.as_ref(), Some(&step.function), None)).collect();
    SarifResult {
        rule_id: cex.violated.name(),
        rule_index: index(cex.violated),
        kind: "fail",
        level: "error",
        message: message(words),
        locations: at,
        code_flows,
    }
}

fn is_error(step: &Step) -> bool {
    matches!(step.kind, StepKind::Error { .. })
}

/// A result of kind `pass`, so that a file without results is not mistaken for one that was not checked.
fn proof(subject: &Subject) -> SarifResult {
    SarifResult {
        rule_id: Property::UnreachCall.name(),
        rule_index: 0,
        kind: "pass",
        level: "none",
        message: message(format!("proved: {}", subject.property)),
        locations: vec![file_location(subject)],
        code_flows: Vec::new(),
    }
}

fn warning(subject: &Subject, vacuity: Vacuity) -> Notification {
    let words = format!("proved, but {}", vacuity.words());
    Notification { level: "warning", message: message(words), locations: vec![file_location(subject)] }
}

fn notification(subject: &Subject, reason: &StopReason) -> Notification {
    let words = format!("not decided: {}; {}; try {}", subject.question, text::explain(reason), text::advise(reason));
    let place = reason.place();
    let at = place.map_or_else(|| file_location(subject), |place| location(Some(place), None, None));
    Notification { level: "warning", message: message(words), locations: vec![at] }
}

fn file_location(subject: &Subject) -> Location {
    let region = Region { start_line: 1, start_column: 1 };
    let physical = PhysicalLocation { artifact_location: artifact(&subject.files[0]), region };
    Location { physical_location: Some(physical), logical_locations: Vec::new(), message: None }
}

fn location(place: Option<&Place>, function: Option<&str>, words: Option<String>) -> Location {
    Location {
        physical_location: place.map(|place| PhysicalLocation {
            artifact_location: artifact(&place.file),
            region: Region { start_line: place.line.max(1), start_column: place.column.max(1) },
        }),
        logical_locations: function
            .into_iter()
            .map(|name| LogicalLocation { name: name.to_owned(), kind: "function" })
            .collect(),
        message: words.map(message),
    }
}

fn message(text: impl Into<String>) -> Message {
    Message { text: text.into() }
}

/// A file as a URI reference.
fn artifact(file: &str) -> ArtifactLocation {
    let mut uri = String::with_capacity(file.len());
    for byte in file.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(byte as char);
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    if file.starts_with('/') {
        uri.insert_str(0, "file://");
    }
    ArtifactLocation { uri }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;

    #[test]
    fn a_violation() {
        insta::assert_snapshot!(render(&specimen::subject(), &specimen::violation(1)));
    }

    #[test]
    fn a_proof() {
        insta::assert_snapshot!(render(&specimen::subject(), &specimen::proof()));
    }

    #[test]
    fn no_answer() {
        let place = Some(Place { file: "dir/pro g.c".into(), line: 3, column: 4 });
        let reason = StopReason::Unsupported { construct: "setjmp".into(), detail: String::new(), place };
        insta::assert_snapshot!(render(&specimen::subject(), &Outcome::unknown(reason)));
    }

    #[test]
    fn files_are_uri_references() {
        assert_eq!(artifact("a b/c#.c").uri, "a%20b/c%23.c");
        assert_eq!(artifact("/tmp/a.c").uri, "file:///tmp/a.c");
    }
}

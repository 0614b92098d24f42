//! Task definitions of SV-COMP (`.yml`, formats 2.0 and 2.1).

use crate::failure::Failure;
use crate::input::Input;
use crate::property;
use base::{Diagnostic, SourceMap, Span};
use cfa::MachineModel;
use serde::Deserialize;
use std::path::PathBuf;

/// What Hone needs of a task definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The files of the program, at least one; relative paths were resolved against the definition's folder.
    pub program: Vec<PathBuf>,
    /// The property file to check: the first whose property Hone supports; `None` if the task has no properties.
    pub property: Option<PathBuf>,
    /// Data model, if the task names one.
    pub machine: Option<MachineModel>,
}

/// The file format, as far as it is read.
#[derive(Deserialize)]
struct Document {
    format_version: Option<Text>,
    input_files: Option<OneOrMany>,
    #[serde(default)]
    properties: Option<Vec<PropertyEntry>>,
    #[serde(default)]
    options: Option<Options>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// A string, also if it looks like a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Text(String),
    Number(f64),
}

#[derive(Deserialize)]
struct PropertyEntry {
    property_file: Option<String>,
}

#[derive(Deserialize, Default)]
struct Options {
    data_model: Option<String>,
    language: Option<String>,
}

/// Reads the text of a task definition.
///
/// # Errors
/// If it is no task definition of a known format for C.
pub fn parse(input: &Input) -> Result<Task, Failure> {
    let text = match std::str::from_utf8(&input.bytes) {
        Ok(text) => text,
        Err(_) => {
            let message = format!("{} is not a text file", input.name);
            return Err(Failure::new(Diagnostic::error("E0021", None, message).help("a task definition is YAML")));
        }
    };
    let fail = |span: Span, message: String, help: &str| {
        let source = SourceMap::new(input.name.as_str().into(), text.to_owned(), Vec::new());
        Failure::in_source(vec![Diagnostic::error("E0021", span, message).help(help)], source)
    };
    let document: Document = serde_saphyr::from_str(text).map_err(|error| {
        let offset = error.location().map_or(0, |at| offset_of(text, at.line(), at.column()));
        let message = first_line(&error.to_string());
        fail(
            Span::new(offset, offset),
            format!("not a task definition: {message}"),
            "expected YAML with `input_files:` and `properties:`",
        )
    })?;
    let version = match &document.format_version {
        Some(Text::Text(version)) => version.clone(),
        Some(Text::Number(version)) => format!("{version:.1}"),
        None => {
            return Err(fail(
                line_of(text, ""),
                "the task definition has no `format_version`".into(),
                "add `format_version: '2.0'`",
            ));
        }
    };
    if !matches!(version.as_str(), "2.0" | "2.1") {
        let span = line_of(text, "format_version");
        return Err(fail(
            span,
            format!("task definitions of format {version} are not supported"),
            "use format 2.0 or 2.1",
        ));
    }
    let files = match document.input_files {
        Some(OneOrMany::One(file)) => vec![file],
        Some(OneOrMany::Many(files)) => files,
        None => Vec::new(),
    };
    if files.is_empty() {
        let help = "add a line such as `input_files: 'program.i'`";
        return Err(fail(line_of(text, "input_files"), "the task definition has no `input_files`".into(), help));
    }
    let options = document.options.unwrap_or_default();
    if let Some(language) = options.language.filter(|language| !language.eq_ignore_ascii_case("c")) {
        let help = "Hone reads C only";
        return Err(fail(line_of(text, "language"), format!("the task is written in {language}"), help));
    }
    let machine = match options.data_model.as_deref() {
        None => None,
        Some("ILP32") => Some(MachineModel::Ilp32),
        Some("LP64") => Some(MachineModel::Lp64),
        Some(other) => {
            let help = "use ILP32 or LP64";
            return Err(fail(line_of(text, "data_model"), format!("unknown data model `{other}`"), help));
        }
    };
    let folder = input.path.parent().unwrap_or(std::path::Path::new(""));
    let entries = document.properties.unwrap_or_default();
    let properties: Vec<PathBuf> =
        entries.into_iter().filter_map(|p| p.property_file).map(|file| folder.join(file)).collect();
    // The first that can be checked; if there is none, the first, so that its message is shown.
    let supported = properties.iter().position(|file| property::read(file).is_ok()).unwrap_or(0);
    let program = files.into_iter().map(|file| folder.join(file)).collect();
    Ok(Task { program, property: properties.into_iter().nth(supported), machine })
}

/// The message without its place, which the diagnostic shows itself.
fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    let line = line.strip_prefix("error: ").unwrap_or(line);
    match line.split_once(": ") {
        Some((place, rest)) if place.starts_with("line ") => rest.to_owned(),
        _ => line.to_owned(),
    }
}

/// Byte offset of a line and column, both from 1.
fn offset_of(text: &str, line: u64, column: u64) -> u32 {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    let here = text.get(start..).unwrap_or("");
    let within = here.char_indices().nth(column.saturating_sub(1) as usize).map_or(0, |(at, _)| at);
    (start + within).min(text.len()) as u32
}

/// The line that has this key, or the first line.
fn line_of(text: &str, key: &str) -> Span {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with(key) {
            let indent = line.len() - line.trim_start().len();
            return Span::new((start + indent) as u32, (start + line.trim_end().len().max(indent)) as u32);
        }
        start += line.len();
    }
    Span::new(0, text.find('\n').unwrap_or(text.len()) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(text: &str) -> Input {
        Input { path: "set/task.yml".into(), name: "set/task.yml".into(), bytes: text.as_bytes().to_vec() }
    }

    #[track_caller]
    fn check(text: &str, program: &[&str], property: Option<&str>, machine: Option<MachineModel>) {
        let task = parse(&input(text)).expect("a task");
        assert_eq!(
            task,
            Task { program: program.iter().map(Into::into).collect(), property: property.map(Into::into), machine }
        );
    }

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        let failure = parse(&input(text)).expect_err("no task");
        assert!(failure.diagnostics[0].message.contains(expected), "{}", failure.diagnostics[0].message);
    }

    #[test]
    fn usual_task() {
        let text = "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: ../p/unreach.prp\n    expected_verdict: true\noptions:\n  language: C\n  data_model: ILP32\n";
        check(text, &["set/a.i"], Some("set/../p/unreach.prp"), Some(MachineModel::Ilp32));
    }

    #[test]
    fn variants() {
        check("format_version: 2.1\ninput_files:\n  - a.i\n  - b.i\n", &["set/a.i", "set/b.i"], None, None);
        check(
            "format_version: \"2.0\"\ninput_files: [a.i]\noptions: {data_model: LP64}\n",
            &["set/a.i"],
            None,
            Some(MachineModel::Lp64),
        );
    }

    #[test]
    fn bad_tasks() {
        check_error("format_version: '2.0'\nproperties: []\n", "no `input_files`");
        check_error("format_version: '1.0'\ninput_files: a.i\n", "format 1.0");
        check_error("format_version: '2.0'\ninput_files: []\n", "no `input_files`");
        check_error("format_version: '2.0'\ninput_files: a.i\noptions:\n  data_model: LLP64\n", "unknown data model");
        check_error("format_version: '2.0'\ninput_files: a.java\noptions:\n  language: Java\n", "written in Java");
        check_error("a: [1, 2", "not a task definition");
        check_error("just words\n", "not a task definition");
    }
}

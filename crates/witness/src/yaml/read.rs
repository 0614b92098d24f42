//! Reads witnesses, of any tool, as far as the format goes. What is wrong is told at its place in the witness.

use crate::contract::{Moment, translate};
use crate::model::{
    BIG_ENDIAN, Claims, Constraint, Content, Contract, Dialect, Invariant, InvariantKind, Position, Segment, Waypoint,
    WaypointKind,
};
use base::{Diagnostic, Span};
use serde::Deserialize;
use serde_saphyr::{Location, Spanned};
use std::collections::BTreeMap;

/// Data models: those of the format, and others by the names that Hone has for them.
const DATA_MODELS: [&str; 4] = ["ILP32", "LP64", "LLP64", "LP32"];

/// A text with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Where it stands in the witness.
    pub span: Span,
}

/// A witness that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// What it claims.
    pub content: Content,
    /// SHA-256 of each input file, by its name.
    pub hashes: Vec<(String, Text)>,
    /// The property.
    pub specification: Text,
    /// `ILP32` or `LP64`.
    pub data_model: Text,
    /// File names in positions, each once.
    pub files: Vec<Text>,
    /// What was not used, one sentence each.
    pub notes: Vec<String>,
}

type Str = Spanned<String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireEntry {
    entry_type: Str,
    metadata: WireMetadata,
    content: Spanned<Vec<WireItem>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireMetadata {
    format_version: Str,
    #[allow(dead_code)]
    uuid: Option<String>,
    #[allow(dead_code)]
    creation_time: Option<String>,
    #[allow(dead_code)]
    producer: Option<WireProducer>,
    task: WireTask,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct WireProducer {
    name: Option<String>,
    version: Option<String>,
    configuration: Option<String>,
    command_line: Option<String>,
    description: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireTask {
    #[allow(dead_code)]
    input_files: Vec<String>,
    input_file_hashes: BTreeMap<String, Str>,
    specification: Str,
    data_model: Str,
    language: Option<Str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireItem {
    invariant: Option<Spanned<WireInvariant>>,
    segment: Option<Spanned<Vec<WireWaypointItem>>>,
    contract: Option<Spanned<WireContract>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireInvariant {
    #[serde(rename = "type")]
    kind: Str,
    location: WireLocation,
    value: Str,
    format: Str,
    #[allow(dead_code)]
    labels: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireContract {
    #[serde(rename = "type")]
    kind: Str,
    location: WireLocation,
    requires: Option<Str>,
    ensures: Option<Str>,
    format: Str,
    #[allow(dead_code)]
    labels: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireWaypointItem {
    waypoint: Spanned<WireWaypoint>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireWaypoint {
    #[serde(rename = "type")]
    kind: Str,
    action: Str,
    location: WireLocation,
    constraint: Option<WireConstraint>,
    thread_id: Option<Spanned<u64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireConstraint {
    value: Str,
    format: Option<Str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireLocation {
    file_name: Str,
    line: Spanned<u32>,
    column: Option<Spanned<u32>>,
    function: Option<String>,
}

/// Reads the text of a witness.
///
/// # Errors
/// If it is none, or says what this can't follow; the diagnostics have places in `text`.
pub fn read(text: &str) -> Result<Read, Vec<Diagnostic>> {
    if text.trim_start().starts_with('<') {
        return Err(vec![
            Diagnostic::error("E0061", Span::new(0, 1), "witnesses in GraphML can't be validated")
                .help("give the witness in the YAML format 2.0 or 2.1"),
        ]);
    }
    let entries: Vec<WireEntry> = serde_saphyr::from_str(text).map_err(|error| {
        let at = error.location().map_or(Span::new(0, 0), |at| span_of(text, &at));
        let message = message_of(&error.to_string());
        vec![
            Diagnostic::error("E0061", at, format!("not a witness: {message}"))
                .help("expected a list of entries in the witness format 2.0 or 2.1"),
        ]
    })?;
    let mut reader = Reader { text, files: Vec::new(), notes: Vec::new() };
    let mut found: Option<Read> = None;
    for entry in entries {
        let next = reader.entry(entry).map_err(|diagnostic| vec![*diagnostic])?;
        match (&mut found, next) {
            (None, next) => found = Some(next),
            (Some(Read { content: Content::Invariants(all), .. }), Read { content: Content::Invariants(more), .. }) => {
                all.invariants.extend(more.invariants);
                all.contracts.extend(more.contracts);
            }
            (Some(_), _) => reader.notes.push("only the first entry of the witness is used".to_owned()),
        }
    }
    let mut found = found.ok_or_else(|| {
        let help = "expected a list of entries in the witness format 2.0 or 2.1";
        vec![Diagnostic::error("E0061", Span::new(0, 0), "the witness has no entry").help(help)]
    })?;
    found.files = reader.files;
    found.notes = reader.notes;
    Ok(found)
}

struct Reader<'t> {
    text: &'t str,
    files: Vec<Text>,
    notes: Vec<String>,
}

type One<T> = Result<T, Box<Diagnostic>>;

impl Reader<'_> {
    fn span<T>(&self, spanned: &Spanned<T>) -> Span {
        span_of(self.text, &spanned.defined)
    }

    fn bad<T>(&self, at: &Spanned<T>, message: impl Into<String>, help: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::error("E0062", self.span(at), message).help(help))
    }

    fn text_of(&self, s: &Str) -> Text {
        Text { text: s.value.clone(), span: self.span(s) }
    }

    fn entry(&mut self, entry: WireEntry) -> One<Read> {
        let version = &entry.metadata.format_version;
        if !matches!(version.value.as_str(), "2.0" | "2.1" | "2.2") {
            let message = format!("witnesses of format {} are not supported", version.value);
            return Err(self.bad(version, message, "use format 2.0 or 2.1"));
        }
        let task = entry.metadata.task;
        if let Some(language) = task.language.filter(|l| !l.value.eq_ignore_ascii_case("c")) {
            return Err(self.bad(&language, "the program is not written in C", "Hone reads C only"));
        }
        let model = task.data_model.value.as_str();
        if !DATA_MODELS.contains(&model.strip_suffix(BIG_ENDIAN).unwrap_or(model)) {
            let message = format!("unknown data model `{}`", task.data_model.value);
            return Err(self.bad(&task.data_model, message, "use ILP32 or LP64"));
        }
        let content = match entry.entry_type.value.as_str() {
            "invariant_set" => Content::Invariants(self.invariants(entry.content.value)?),
            "violation_sequence" => Content::Violation(self.segments(entry.content)?),
            other => {
                let message = format!("unknown type of entry `{other}`");
                return Err(self.bad(&entry.entry_type, message, "use `invariant_set` or `violation_sequence`"));
            }
        };
        let hashes = task.input_file_hashes.iter().map(|(name, hash)| (name.clone(), self.text_of(hash))).collect();
        Ok(Read {
            content,
            hashes,
            specification: self.text_of(&task.specification),
            data_model: self.text_of(&task.data_model),
            files: Vec::new(),
            notes: Vec::new(),
        })
    }

    fn position(&mut self, location: WireLocation) -> One<Position> {
        if location.line.value == 0 {
            return Err(self.bad(&location.line, "lines count from 1", "use the line that an editor shows"));
        }
        if let Some(column) = location.column.as_ref().filter(|c| c.value == 0) {
            return Err(self.bad(column, "columns count from 1", "leave `column` out for the leftmost place"));
        }
        if !self.files.iter().any(|f| f.text == location.file_name.value) {
            let file = self.text_of(&location.file_name);
            self.files.push(file);
        }
        Ok(Position {
            file: location.file_name.value,
            line: location.line.value,
            column: location.column.map(|c| c.value),
            function: location.function,
        })
    }

    fn invariants(&mut self, items: Vec<WireItem>) -> One<Claims> {
        let mut claims = Claims::default();
        for item in items {
            if let Some(segment) = &item.segment {
                return Err(self.bad(segment, "a segment in a set of invariants", "use `invariant`"));
            }
            if let Some(contract) = item.contract {
                claims.contracts.extend(self.contract(contract)?);
            }
            let Some(wire) = item.invariant else { continue };
            let span = self.span(&wire);
            let wire = wire.value;
            let kind = match wire.kind.value.as_str() {
                "loop_invariant" => InvariantKind::Loop,
                "location_invariant" => InvariantKind::Location,
                "loop_transition_invariant" | "location_transition_invariant" => {
                    self.notes.push("transition invariants are not used".to_owned());
                    continue;
                }
                other => {
                    let message = format!("unknown type of invariant `{other}`");
                    return Err(self.bad(&wire.kind, message, "use `loop_invariant` or `location_invariant`"));
                }
            };
            match wire.format.value.as_str() {
                // GNU C, which the front end reads, too.
                "c_expression" | "C" | "ext_c_expression" => {}
                "acsl_expression" => {
                    self.notes.push("invariants in ACSL are not used".to_owned());
                    continue;
                }
                other => {
                    let message = format!("unknown format of an expression `{other}`");
                    return Err(self.bad(&wire.format, message, "use `c_expression`"));
                }
            }
            let value = self.constraint(&wire.value);
            let at = self.position(wire.location)?;
            claims.invariants.push(Invariant { kind, at, value, span });
        }
        Ok(claims)
    }

    fn contract(&mut self, wire: Spanned<WireContract>) -> One<Option<Contract>> {
        let span = self.span(&wire);
        let wire = wire.value;
        if wire.kind.value != "function_contract" {
            let message = format!("unknown type of contract `{}`", wire.kind.value);
            return Err(self.bad(&wire.kind, message, "use `function_contract`"));
        }
        let dialect = match wire.format.value.as_str() {
            "ext_c_expression" | "c_expression" | "C" => Dialect::C,
            "acsl_expression" => Dialect::Acsl,
            other => {
                let message = format!("unknown format of an expression `{other}`");
                return Err(self.bad(&wire.format, message, "use `ext_c_expression`"));
            }
        };
        for (side, moment) in [(&wire.requires, Moment::Entry), (&wire.ensures, Moment::Exit)] {
            if let Some(Err(part)) = side.as_ref().map(|side| translate(&side.value, moment, 0)) {
                self.notes.push(format!("contracts with `{part}` are not used"));
                return Ok(None);
            }
        }
        let constraint = |side: &Option<Str>| side.as_ref().map(|side| self.constraint(side));
        let (requires, ensures) = (constraint(&wire.requires), constraint(&wire.ensures));
        let at = self.position(wire.location)?;
        Ok(Some(Contract { at, requires, ensures, dialect, span }))
    }

    fn constraint(&self, value: &Str) -> Constraint {
        Constraint { span: self.span(value), ..Constraint::new(value.value.as_str()) }
    }

    fn segments(&mut self, items: Spanned<Vec<WireItem>>) -> One<Vec<Segment>> {
        let whole = self.span(&items);
        let mut segments: Vec<Segment> = Vec::new();
        for item in items.value {
            if let Some(invariant) = &item.invariant {
                return Err(self.bad(invariant, "an invariant in a violation sequence", "use `segment`"));
            }
            let Some(segment) = item.segment else { continue };
            let span = self.span(&segment);
            if segments.last().is_some_and(|s| s.follow.kind == WaypointKind::Target) {
                let help = "`target` belongs into the last segment";
                return Err(Box::new(Diagnostic::error("E0062", span, "a segment behind the target").help(help)));
            }
            segments.push(self.segment(segment)?);
        }
        if segments.last().is_none_or(|s| s.follow.kind != WaypointKind::Target) {
            let help = "the last segment needs a waypoint of type `target` with action `follow`";
            return Err(Box::new(Diagnostic::error("E0062", whole, "the violation sequence has no target").help(help)));
        }
        Ok(segments)
    }

    fn segment(&mut self, segment: Spanned<Vec<WireWaypointItem>>) -> One<Segment> {
        let span = self.span(&segment);
        let (mut avoid, mut follow) = (Vec::new(), None);
        for item in segment.value {
            let waypoint_span = self.span(&item.waypoint);
            let wire = item.waypoint.value;
            if follow.is_some() {
                let help = "`follow` ends a segment; begin a new one";
                return Err(Box::new(
                    Diagnostic::error("E0062", waypoint_span, "a waypoint behind `follow`").help(help),
                ));
            }
            if let Some(thread) = wire.thread_id.as_ref().filter(|t| t.value != 0) {
                return Err(self.bad(thread, "threads are not supported", "leave `thread_id` out"));
            }
            let action = wire.action.clone();
            let waypoint = self.waypoint(wire, waypoint_span)?;
            match action.value.as_str() {
                "follow" => follow = Some(waypoint),
                "avoid" if waypoint.kind == WaypointKind::Target => {
                    return Err(self.bad(&action, "a target can't be avoided", "use `follow`"));
                }
                "avoid" => avoid.push(waypoint),
                "cycle" => {
                    return Err(self.bad(&action, "witnesses of endless runs are not supported", "use `follow`"));
                }
                other => {
                    let message = format!("unknown action `{other}`");
                    return Err(self.bad(&action, message, "use `follow` or `avoid`"));
                }
            }
        }
        let help = "a segment ends in a waypoint with action `follow`";
        let missing = || Box::new(Diagnostic::error("E0062", span, "a segment without `follow`").help(help));
        Ok(Segment { avoid, follow: follow.ok_or_else(missing)? })
    }

    fn waypoint(&mut self, wire: WireWaypoint, span: Span) -> One<Waypoint> {
        let needed = |reader: &Self| {
            reader.bad(
                &wire.kind,
                format!("`{}` without `constraint`", wire.kind.value),
                "add `constraint: {value: …}`",
            )
        };
        let kind = match wire.kind.value.as_str() {
            "assumption" => {
                let constraint = wire.constraint.as_ref().ok_or_else(|| needed(self))?;
                self.expect_format(constraint, &["c_expression", "C", "ext_c_expression"])?;
                WaypointKind::Assumption(self.constraint(&constraint.value))
            }
            "branching" => {
                let value = &wire.constraint.as_ref().ok_or_else(|| needed(self))?.value;
                match value.value.trim() {
                    "true" => WaypointKind::Branch(true),
                    "false" => WaypointKind::Branch(false),
                    "default" => WaypointKind::Default,
                    number => WaypointKind::Case(number.parse().map_err(|_| {
                        let message = format!("`{number}` is no branch");
                        self.bad(value, message, "use true or false, for a switch a constant or default")
                    })?),
                }
            }
            "function_enter" => WaypointKind::Enter,
            "function_return" => match &wire.constraint {
                None => WaypointKind::Return(None),
                Some(constraint) => {
                    self.expect_format(constraint, &["acsl_expression", "c_expression", "ext_c_expression"])?;
                    WaypointKind::Return(Some(self.constraint(&constraint.value)))
                }
            },
            "target" => WaypointKind::Target,
            other => {
                let message = format!("unknown type of waypoint `{other}`");
                let help = "use assumption, branching, function_enter, function_return or target";
                return Err(self.bad(&wire.kind, message, help));
            }
        };
        if let (WaypointKind::Enter | WaypointKind::Target, Some(constraint)) = (&kind, &wire.constraint) {
            let message = format!("`{}` has no constraint", wire.kind.value);
            return Err(self.bad(&constraint.value, message, "leave `constraint` out"));
        }
        Ok(Waypoint { kind, at: self.position(wire.location)?, span })
    }

    fn expect_format(&self, constraint: &WireConstraint, known: &[&str]) -> One<()> {
        match &constraint.format {
            Some(format) if !known.contains(&format.value.as_str()) => {
                let message = format!("unknown format of an expression `{}`", format.value);
                Err(self.bad(format, message, &format!("use `{}`", known[0])))
            }
            _ => Ok(()),
        }
    }
}

/// The place of a value. Quotes are left out, so that the text of a plain expression stands there as it is.
fn span_of(text: &str, at: &Location) -> Span {
    let start: usize = text.split_inclusive('\n').take(at.line().saturating_sub(1) as usize).map(str::len).sum();
    let line = text.get(start..).unwrap_or("").lines().next().unwrap_or("");
    let column = at.column().saturating_sub(1) as usize;
    let within = line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    let rest = &line[within..];
    let (skip, end) = match rest.chars().next() {
        Some(quote @ ('"' | '\'')) => (1, rest[1..].find(quote).map_or(rest.len(), |at| at + 1)),
        _ => {
            let end = rest.find(" #").unwrap_or(rest.len());
            (0, rest[..end].trim_end().len())
        }
    };
    let lo = (start + within + skip) as u32;
    Span::new(lo, ((start + within + end) as u32).max(lo))
}

/// The message without its place, which the diagnostic shows itself.
fn message_of(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    let line = line.strip_prefix("error: ").unwrap_or(line);
    match line.split_once(": ") {
        Some((place, rest)) if place.starts_with("line ") => rest.to_owned(),
        _ => line.to_owned(),
    }
}

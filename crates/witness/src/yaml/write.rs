//! Writes witnesses. Strings are in double quotes, as in JSON, so that nothing in them can be taken for syntax.

use crate::model::{
    Claims, Constraint, Content, Contract, Dialect, Info, InvariantKind, Position, Segment, Waypoint, WaypointKind,
};
use std::fmt::Write;

/// Versions of the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// `2.0`
    V2_0,
    /// `2.1`
    V2_1,
}

impl Version {
    /// The oldest one that has all of a content; more tools read that.
    pub fn of(content: &Content) -> Self {
        match content {
            Content::Invariants(claims) if !claims.contracts.is_empty() => Version::V2_1,
            _ => Version::V2_0,
        }
    }

    /// As in `format_version`.
    pub const fn name(self) -> &'static str {
        match self {
            Version::V2_0 => "2.0",
            Version::V2_1 => "2.1",
        }
    }
}

/// Renders a witness with one entry.
pub fn render(info: &Info, content: &Content, version: Version) -> String {
    let mut out = String::new();
    let entry = match content {
        Content::Violation(_) => "violation_sequence",
        Content::Invariants(_) => "invariant_set",
    };
    put(&mut out, 0, format_args!("- entry_type: {entry}"));
    put(&mut out, 2, format_args!("metadata:"));
    put(&mut out, 4, format_args!("format_version: \"{}\"", version.name()));
    put(&mut out, 4, format_args!("uuid: {}", quoted(&info.uuid)));
    put(&mut out, 4, format_args!("creation_time: {}", quoted(&info.creation_time)));
    put(&mut out, 4, format_args!("producer:"));
    put(&mut out, 6, format_args!("name: {}", quoted(&info.producer.0)));
    put(&mut out, 6, format_args!("version: {}", quoted(&info.producer.1)));
    put(&mut out, 6, format_args!("configuration: {}", quoted(&info.configuration)));
    put(&mut out, 4, format_args!("task:"));
    put(&mut out, 6, format_args!("input_files:"));
    for (file, _) in &info.files {
        put(&mut out, 8, format_args!("- {}", quoted(file)));
    }
    put(&mut out, 6, format_args!("input_file_hashes:"));
    for (file, hash) in &info.files {
        put(&mut out, 8, format_args!("{}: {}", quoted(file), quoted(hash)));
    }
    put(&mut out, 6, format_args!("specification: {}", quoted(&info.specification)));
    put(&mut out, 6, format_args!("data_model: {}", info.data_model));
    put(&mut out, 6, format_args!("language: C"));
    match content {
        Content::Violation(segments) => {
            put(&mut out, 2, format_args!("content:"));
            for segment in segments {
                put_segment(&mut out, segment);
            }
        }
        Content::Invariants(claims) if *claims == Claims::default() => put(&mut out, 2, format_args!("content: []")),
        Content::Invariants(Claims { invariants, contracts }) => {
            put(&mut out, 2, format_args!("content:"));
            for invariant in invariants {
                let kind = match invariant.kind {
                    InvariantKind::Loop => "loop_invariant",
                    InvariantKind::Location => "location_invariant",
                };
                put(&mut out, 4, format_args!("- invariant:"));
                put(&mut out, 8, format_args!("type: {kind}"));
                put_position(&mut out, 8, &invariant.at);
                put(&mut out, 8, format_args!("value: {}", quoted(&invariant.value.text)));
                put(&mut out, 8, format_args!("format: c_expression"));
            }
            for contract in contracts {
                put_contract(&mut out, contract);
            }
        }
    }
    out
}

fn put_contract(out: &mut String, contract: &Contract) {
    put(out, 4, format_args!("- contract:"));
    put(out, 8, format_args!("type: function_contract"));
    put_position(out, 8, &contract.at);
    for (key, side) in [("requires", &contract.requires), ("ensures", &contract.ensures)] {
        if let Some(side) = side {
            put(out, 8, format_args!("{key}: {}", quoted(&side.text)));
        }
    }
    let format = match contract.dialect {
        Dialect::C => "ext_c_expression",
        Dialect::Acsl => "acsl_expression",
    };
    put(out, 8, format_args!("format: {format}"));
}

fn put_segment(out: &mut String, segment: &Segment) {
    put(out, 4, format_args!("- segment:"));
    for waypoint in &segment.avoid {
        put_waypoint(out, waypoint, "avoid");
    }
    put_waypoint(out, &segment.follow, "follow");
}

fn put_waypoint(out: &mut String, waypoint: &Waypoint, action: &str) {
    let (kind, constraint) = match &waypoint.kind {
        WaypointKind::Assumption(c) => ("assumption", Some((quoted(&c.text), Some("c_expression")))),
        WaypointKind::Branch(taken) => ("branching", Some((quoted(&taken.to_string()), None))),
        WaypointKind::Case(value) => ("branching", Some((quoted(&value.to_string()), None))),
        WaypointKind::Default => ("branching", Some((quoted("default"), None))),
        WaypointKind::Enter => ("function_enter", None),
        WaypointKind::Return(constraint) => {
            let value = |c: &Constraint| (quoted(&c.text), Some("acsl_expression"));
            ("function_return", constraint.as_ref().map(value))
        }
        WaypointKind::Target => ("target", None),
    };
    put(out, 6, format_args!("- waypoint:"));
    put(out, 10, format_args!("type: {kind}"));
    put(out, 10, format_args!("action: {action}"));
    put_position(out, 10, &waypoint.at);
    if let Some((value, format)) = constraint {
        put(out, 10, format_args!("constraint:"));
        put(out, 12, format_args!("value: {value}"));
        if let Some(format) = format {
            put(out, 12, format_args!("format: {format}"));
        }
    }
}

fn put_position(out: &mut String, indent: usize, at: &Position) {
    put(out, indent, format_args!("location:"));
    put(out, indent + 2, format_args!("file_name: {}", quoted(&at.file)));
    put(out, indent + 2, format_args!("line: {}", at.line));
    if let Some(column) = at.column {
        put(out, indent + 2, format_args!("column: {column}"));
    }
    if let Some(function) = &at.function {
        put(out, indent + 2, format_args!("function: {}", quoted(function)));
    }
}

/// Appends a line. Formatting into a string can't fail.
fn put(out: &mut String, indent: usize, text: std::fmt::Arguments<'_>) {
    let _ = write!(out, "{:indent$}", "");
    let _ = out.write_fmt(text);
    out.push('\n');
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

//! Writes the format 1.0, GraphML, for older tools: a violation as a chain of nodes, invariants as a graph of two.

use crate::model::{Constraint, Content, Info, Invariant, Segment, Waypoint, WaypointKind};
use base::markup::escape;
use std::fmt::Write;

const KEYS: [(&str, &str, &str); 20] = [
    ("witness-type", "graph", "string"),
    ("sourcecodelang", "graph", "string"),
    ("producer", "graph", "string"),
    ("specification", "graph", "string"),
    ("programfile", "graph", "string"),
    ("programhash", "graph", "string"),
    ("architecture", "graph", "string"),
    ("creationtime", "graph", "string"),
    ("entry", "node", "boolean"),
    ("violation", "node", "boolean"),
    ("sink", "node", "boolean"),
    ("invariant", "node", "string"),
    ("invariant.scope", "node", "string"),
    ("startline", "edge", "int"),
    ("assumption", "edge", "string"),
    ("assumption.scope", "edge", "string"),
    ("assumption.resultfunction", "edge", "string"),
    ("control", "edge", "string"),
    ("enterFunction", "edge", "string"),
    ("enterLoopHead", "edge", "boolean"),
];

/// Renders a witness.
pub fn render(info: &Info, content: &Content) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n");
    out.push_str("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n");
    for (name, of, ty) in KEYS {
        let _ = writeln!(out, "  <key attr.name=\"{name}\" attr.type=\"{ty}\" for=\"{of}\" id=\"{name}\"/>");
    }
    out.push_str("  <graph edgedefault=\"directed\">\n");
    let kind = match content {
        Content::Violation(_) => "violation_witness",
        Content::Invariants(_) => "correctness_witness",
    };
    let (name, version) = &info.producer;
    let architecture =
        if ["ILP32", "LP32"].iter().any(|model| info.data_model.starts_with(model)) { "32bit" } else { "64bit" };
    let producer = format!("{name} {version}");
    let head = [
        ("witness-type", kind),
        ("sourcecodelang", "C"),
        ("producer", producer.as_str()),
        ("specification", info.specification.as_str()),
    ];
    let files =
        info.files.iter().flat_map(|(file, hash)| [("programfile", file.as_str()), ("programhash", hash.as_str())]);
    let tail = [("architecture", architecture), ("creationtime", info.creation_time.as_str())];
    for (key, value) in head.into_iter().chain(files).chain(tail) {
        data(&mut out, 4, key, value);
    }
    match content {
        Content::Violation(segments) => violation(&mut out, segments),
        Content::Invariants(claims) => correctness(&mut out, &claims.invariants),
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

fn violation(out: &mut String, segments: &[Segment]) {
    node(out, 0, &[("entry", "true")]);
    for (i, segment) in segments.iter().enumerate() {
        let last = i + 1 == segments.len();
        node(out, i + 1, if last { &[("violation", "true")] } else { &[] });
        let _ = writeln!(out, "    <edge source=\"N{i}\" target=\"N{}\">", i + 1);
        follow(out, &segment.follow);
        out.push_str("    </edge>\n");
    }
}

fn follow(out: &mut String, waypoint: &Waypoint) {
    data(out, 6, "startline", &waypoint.at.line.to_string());
    match &waypoint.kind {
        WaypointKind::Assumption(c) => {
            data(out, 6, "assumption", &c.text);
            if let Some(function) = &waypoint.at.function {
                data(out, 6, "assumption.scope", function);
            }
        }
        WaypointKind::Branch(taken) => {
            data(out, 6, "control", if *taken { "condition-true" } else { "condition-false" });
        }
        // The format wants the function that `\result` is of.
        WaypointKind::Return(Some(Constraint { text, result_of: Some(function), .. })) => {
            data(out, 6, "assumption", text);
            data(out, 6, "assumption.resultfunction", function);
        }
        WaypointKind::Case(_)
        | WaypointKind::Default
        | WaypointKind::Enter
        | WaypointKind::Return(_)
        | WaypointKind::Target => {}
    }
}

/// A chain over the places with invariants; tools look at lines, not at the shape.
fn correctness(out: &mut String, invariants: &[Invariant]) {
    node(out, 0, &[("entry", "true")]);
    for (i, invariant) in invariants.iter().enumerate() {
        let mut attributes = vec![("invariant", invariant.value.text.as_str())];
        if let Some(function) = &invariant.at.function {
            attributes.push(("invariant.scope", function));
        }
        node(out, i + 1, &attributes);
        let _ = writeln!(out, "    <edge source=\"N{i}\" target=\"N{}\">", i + 1);
        data(out, 6, "startline", &invariant.at.line.to_string());
        if invariant.kind == crate::model::InvariantKind::Loop {
            data(out, 6, "enterLoopHead", "true");
        }
        out.push_str("    </edge>\n");
    }
}

fn node(out: &mut String, number: usize, attributes: &[(&str, &str)]) {
    if attributes.is_empty() {
        let _ = writeln!(out, "    <node id=\"N{number}\"/>");
        return;
    }
    let _ = writeln!(out, "    <node id=\"N{number}\">");
    for (key, value) in attributes {
        data(out, 6, key, value);
    }
    out.push_str("    </node>\n");
}

fn data(out: &mut String, indent: usize, key: &str, value: &str) {
    let _ = writeln!(out, "{:indent$}<data key=\"{key}\">{}</data>", "", escape(value));
}

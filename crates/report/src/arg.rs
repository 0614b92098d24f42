//! Abstract reachability graphs as DOT and JSON. Graphs of blocks are parts of one graph; bold edges lead to them.

use outcome::ArgView;
use outcome::arg_view::{ArgNode, NodeKind};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Most operations that the label of an edge lists.
const MAX_OPERATIONS: usize = 6;

/// Text in the language of Graphviz: covered nodes are dashed, targets and error paths red, coverage edges dotted.
pub fn dot(graph: &ArgView) -> String {
    let mut out = String::from("digraph arg {\n  node [shape=box, fontname=monospace];\n");
    let on_path: BTreeSet<usize> = graph.error_path.iter().map(|number| *number as usize).collect();
    for (i, node) in graph.nodes.iter().enumerate() {
        let style = match node.kind {
            NodeKind::Expanded if on_path.contains(&i) => ", color=red",
            NodeKind::Expanded => "",
            NodeKind::Covered => ", style=dashed",
            NodeKind::Open => ", style=dotted",
            NodeKind::Target => ", color=red",
        };
        let _ = writeln!(out, "  n{i} [label=\"{}\"{style}];", escape(&label(i, node)));
    }
    for edge in &graph.edges {
        let mut text = edge.text.iter().take(MAX_OPERATIONS).cloned().collect::<Vec<_>>().join("\n");
        if edge.text.len() > MAX_OPERATIONS {
            let _ = write!(text, "\n({} more)", edge.text.len() - MAX_OPERATIONS);
        }
        if let Some(exit) = edge.through {
            let _ = write!(text, "\nblock left at {exit}");
        }
        let _ = writeln!(out, "  n{} -> n{} [label=\"{}\"];", edge.from, edge.to, escape(&text));
    }
    for (i, node) in graph.nodes.iter().enumerate() {
        if let Some(upper) = node.covered_by {
            let _ = writeln!(out, "  n{i} -> n{upper} [style=dotted, constraint=false];");
        }
        if let Some(root) = node.enters {
            let _ = writeln!(out, "  n{i} -> n{root} [style=bold, constraint=false];");
        }
    }
    out.push_str("}\n");
    out
}

fn label(i: usize, node: &ArgNode) -> String {
    let line = node.place.as_ref().map_or(String::new(), |place| format!(":{}", place.line));
    let mut text = format!("{i} {}{line}", node.function);
    for (name, value) in &node.state {
        let _ = write!(text, "\n{name} = {value}");
    }
    for fact in &node.holds {
        let _ = write!(text, "\n{fact}");
    }
    text
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l")
}

#[derive(Serialize)]
struct WireGraph<'a> {
    truncated: bool,
    /// Nodes on the error path that ended the run, the root first.
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    error_path: &'a [u32],
    nodes: Vec<WireNode<'a>>,
    edges: Vec<WireEdge<'a>>,
}

#[derive(Serialize)]
struct WireNode<'a> {
    id: usize,
    kind: &'static str,
    function: &'a str,
    depth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    state: Vec<WireFact<'a>>,
    /// C expressions that are true; `...` stands for what can't be written in C.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    holds: &'a [String],
    precision: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    covered_by: Option<u32>,
    /// The root of the graph of the block that is entered here.
    #[serde(skip_serializing_if = "Option::is_none")]
    enters: Option<u32>,
}

#[derive(Serialize)]
struct WireFact<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct WireEdge<'a> {
    from: u32,
    to: u32,
    operations: &'a [String],
    /// Where the block between the two is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    through: Option<u32>,
}

/// A JSON document with a line end.
pub fn json(graph: &ArgView) -> String {
    let nodes = graph.nodes.iter().enumerate();
    let wire = WireGraph {
        truncated: graph.truncated,
        error_path: &graph.error_path,
        nodes: nodes
            .map(|(id, node)| WireNode {
                id,
                kind: node.kind.name(),
                function: &node.function,
                depth: node.depth,
                place: node.place.as_ref().map(ToString::to_string),
                state: node.state.iter().map(|(name, value)| WireFact { name, value }).collect(),
                holds: &node.holds,
                precision: &node.precision,
                covered_by: node.covered_by,
                enters: node.enters,
            })
            .collect(),
        edges: graph
            .edges
            .iter()
            .map(|e| WireEdge { from: e.from, to: e.to, operations: &e.text, through: e.through })
            .collect(),
    };
    let mut text = serde_json::to_string_pretty(&wire).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use outcome::arg_view::ArgEdge;

    fn node(kind: NodeKind, covered_by: Option<u32>) -> ArgNode {
        ArgNode {
            loc: cfa::LocId::from_index(0),
            place: None,
            function: "main".into(),
            depth: 0,
            state: vec![("x".into(), "\"1\"".into())],
            holds: vec!["x <= n".into()],
            precision: vec!["x".into()],
            kind,
            covered_by,
            enters: None,
        }
    }

    #[test]
    fn both_forms() {
        let edge = ArgEdge { from: 0, to: 1, edges: Vec::new(), text: vec!["x = 1".into(); 9], through: Some(2) };
        let mut nodes = vec![node(NodeKind::Expanded, None), node(NodeKind::Covered, Some(0))];
        nodes.push(node(NodeKind::Expanded, None));
        nodes[0].enters = Some(2);
        let graph = ArgView { nodes, edges: vec![edge], ..ArgView::default() };
        let text = dot(&graph);
        let first = "n0 [label=\"0 main\\lx = \\\"1\\\"\\lx <= n\"]";
        for part in
            [first, "n1 -> n0 [style=dotted", "(3 more)", "style=dashed", "n0 -> n2 [style=bold", "block left at 2"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        let value: serde_json::Value = serde_json::from_str(&json(&graph)).expect("JSON");
        assert_eq!(value["nodes"][1]["covered_by"], 0);
        assert_eq!(value["nodes"][0]["holds"][0], "x <= n");
        assert_eq!((&value["nodes"][0]["enters"], &value["edges"][0]["through"]), (&2.into(), &2.into()));
        assert_eq!(value["edges"][0]["operations"].as_array().map(Vec::len), Some(9));
    }
}

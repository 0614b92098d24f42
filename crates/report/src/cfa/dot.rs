//! Automata as a graph for Graphviz: a cluster for each function, edges with the text of their operations.
//!
//! Paths that end are drawn into a small node of their own, not to the function's exit.

use super::{View, number, views};
use ::cfa::display;
use ::cfa::{FuncId, Op, Program};
use base::Id;
use std::fmt::Write;

/// Draws the automata of all functions.
pub fn render(program: &Program, only: Option<FuncId>) -> String {
    let mut out = String::from("digraph cfa {\n");
    out.push_str("  node [shape=circle, fontname=\"Helvetica\", fontsize=10];\n");
    out.push_str("  edge [fontname=\"monospace\", fontsize=9];\n");
    for (i, view) in views(program, only).iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{i} {{\n    label={};", quoted(&view.function.name));
        function(program, view, &mut out);
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

fn function(program: &Program, view: &View<'_>, out: &mut String) {
    for loc in &view.locs {
        let labels = &program.locs[*loc].labels;
        let mut text = format!("L{}", number(*loc));
        labels.iter().for_each(|l| text.extend(["\n", &**l]));
        let shape = if *loc == view.entry {
            ", shape=house"
        } else if *loc == view.exit {
            ", shape=doublecircle"
        } else if !labels.is_empty() {
            ", shape=box"
        } else {
            ""
        };
        let _ = writeln!(out, "    L{} [label={}{shape}];", number(*loc), quoted(&text));
    }
    for id in &view.edges {
        let edge = &program.edges[*id];
        let text = quoted(&if edge.op == Op::Skip { String::new() } else { display::op(program, &edge.op) });
        let src = number(edge.src);
        if edge.op.ends_path() {
            let end = id.index();
            let _ = writeln!(out, "    end{end} [label=\"\", shape=point];");
            let _ = writeln!(out, "    L{src} -> end{end} [label={text}, style=dashed];");
        } else {
            let _ = writeln!(out, "    L{src} -> L{} [label={text}];", number(edge.dst));
        }
    }
}

/// A quoted string of the dot language.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(quoted(text), expected);
    }

    #[test]
    fn text_is_escaped() {
        check("a[\"x\\n\"]\n\tb", r#""a[\"x\\n\"]\n b""#);
    }
}

//! A listing of automata, one edge a line: `L12 -> L13: x = x + 1   // file.c:7`.

use super::{View, number, place, views};
use ::cfa::display;
use ::cfa::{FuncId, Program, VarId};
use std::fmt::Write;

/// Lists the automata of all functions.
pub fn render(program: &Program, only: Option<FuncId>) -> String {
    let mut out = String::new();
    for view in views(program, only) {
        if !out.is_empty() {
            out.push('\n');
        }
        function(program, &view, &mut out);
    }
    out
}

fn function(program: &Program, view: &View<'_>, out: &mut String) {
    let name = |v: &VarId| program.vars[*v].name.to_string();
    let params = view.function.params.iter().map(name).collect::<Vec<_>>().join(", ");
    let result = view.function.ret.as_ref().map_or(String::new(), |r| format!(" -> {}", name(r)));
    let (entry, exit) = (number(view.entry), number(view.exit));
    let _ = writeln!(out, "{}({params}){result}: entry L{entry}, exit L{exit}", view.function.name);
    for loc in &view.locs {
        for label in &program.locs[*loc].labels {
            let _ = writeln!(out, "  L{}: label {label}", number(*loc));
        }
        for edge in &program.locs[*loc].out {
            let edge = &program.edges[*edge];
            let target = if edge.op.ends_path() { "end".into() } else { format!("L{}", number(edge.dst)) };
            let _ = write!(out, "  L{} -> {target}: {}", number(*loc), display::op(program, &edge.op));
            if let Some(place) = place(program, edge.span) {
                let _ = write!(out, "   // {}:{}", place.file, place.line);
            }
            out.push('\n');
        }
    }
}

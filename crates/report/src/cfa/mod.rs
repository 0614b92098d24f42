//! Renders the automata of a program: Graphviz, JSON, text (`hone cfa FILE --format dot|json|text`).
//!
//! All formats show the functions with a body in the order of their ids, and of each one the locations that still have an
//! edge, with its entry and exit.

pub mod c;
pub mod dot;
pub mod json;
pub mod text;

use ::cfa::{EdgeId, FuncId, LocId, Program};
use base::{Id, IdVec, Place, Span};

/// A function as all formats show it.
pub(crate) struct View<'a> {
    pub function: &'a ::cfa::Function,
    pub entry: LocId,
    pub exit: LocId,
    /// In the order of ids.
    pub locs: Vec<LocId>,
    /// In the order of their sources, then of the choice there.
    pub edges: Vec<EdgeId>,
}

/// The functions to show: all, or only one.
pub(crate) fn views(program: &Program, only: Option<FuncId>) -> Vec<View<'_>> {
    let mut locs: IdVec<FuncId, Vec<LocId>> = IdVec::from_elem(Vec::new(), program.functions.len());
    for (id, loc) in program.locs.iter_enumerated() {
        locs[loc.func].push(id);
    }
    let wanted = |id: &FuncId| only.is_none_or(|only| only == *id);
    let functions = program.functions.iter_enumerated().filter(|(id, _)| wanted(id));
    functions.filter_map(|(id, function)| view(program, function, &locs[id])).collect()
}

fn view<'a>(program: &'a Program, function: &'a ::cfa::Function, locs: &[LocId]) -> Option<View<'a>> {
    let body = function.body?;
    let shown = |l: &LocId| {
        let loc = &program.locs[*l];
        *l == body.entry || *l == body.exit || !loc.out.is_empty() || !loc.inc.is_empty()
    };
    let locs: Vec<LocId> = locs.iter().copied().filter(shown).collect();
    let edges = locs.iter().flat_map(|l| program.locs[*l].out.iter().copied()).collect();
    Some(View { function, entry: body.entry, exit: body.exit, locs, edges })
}

/// The number that a location is called by.
fn number(loc: LocId) -> usize {
    loc.index()
}

fn place(program: &Program, span: Span) -> Option<Place> {
    program.source.place(span.lo)
}

/// Where a location is in the source: where its first outgoing edge, or else its first incoming one, begins.
pub(crate) fn place_of(program: &Program, loc: LocId) -> Option<Place> {
    let loc = &program.locs[loc];
    loc.out.iter().chain(&loc.inc).find_map(|e| place(program, program.edges[*e].span))
}

#[cfg(test)]
mod tests {
    use ::cfa::build::Builder;
    use ::cfa::{BinOp, Op, Program, Scalar, Unsupported};
    use base::{SourceMap, Span};

    /// `main` with a loop, a call, a label, a string that needs escapes, and ends of paths.
    fn program() -> Program {
        let text = "int f(int a);\nint main() {\n  while (i < n)\n    i = f(i);\nERROR: ;\n}\n";
        let mut b = Builder::new();
        b.program.source = SourceMap::new("dir/\"a\".c".into(), text.into(), Vec::new());
        let span = |part: &str| {
            let lo = text.find(part).map_or(0, |at| at as u32);
            Span::new(lo, lo + part.len() as u32)
        };
        let f = b.extern_func("f");
        let main = b.func("main", &[]);
        let ret = b.ret(main, Scalar::INT);
        let (i, n) = (b.reg(Some(main), "i", Scalar::INT), b.reg(None, "n", Scalar::INT));
        b.mem(None, "table", 40);
        let (vi, vn, zero) = (b.var(i), b.var(n), b.int(0));
        let (entry, exit) = (b.entry(main), b.exit(main));
        let l: Vec<_> = (0..4).map(|_| b.loc(main)).collect();
        b.program.locs[l[1]].labels.push("ERROR".into());
        let less = b.bin(BinOp::Lt, vi, vn);
        let (yes, no) = b.branch(entry, less, l[0], l[1]);
        let call = b.call_to(Some(i), f, &[vi]);
        let call = b.edge(l[0], entry, call);
        let back = b.edge(l[1], l[2], Op::Assign { dst: ret, src: zero });
        let what =
            Unsupported { construct: "setjmp".into(), detail: "line \"1\"\nline 2".into(), span: span("i = f(i)") };
        let unsupported = b.program.unsupported.push(what);
        let is_zero = b.bin(BinOp::Eq, vn, zero);
        b.branch(l[2], is_zero, l[3], exit);
        b.end(l[3], Op::Unsupported(unsupported));
        for (edge, part) in [(yes, "i < n"), (no, "i < n"), (call, "i = f(i)"), (back, ";\n}")] {
            b.program.edges[edge].span = span(part);
        }
        let (entry, exit, op) = (b.entry(b.program.start), b.exit(b.program.start), b.call(main, &[]));
        b.edge(entry, exit, op);
        let dead = b.loc(main);
        b.program.locs[dead].labels.push("unreachable".into());
        b.program
    }

    #[test]
    fn text() {
        insta::assert_snapshot!(super::text::render(&program(), None));
    }

    #[test]
    fn json() {
        let text = super::json::render(&program(), None);
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
        insta::assert_snapshot!(text);
    }

    #[test]
    fn dot() {
        insta::assert_snapshot!(super::dot::render(&program(), None));
    }
}

//! Data for the scripts of the page, as JSON: steps, automata, and the abstract reachability graph.

use crate::trace::Row;
use base::{Id, Place};
use cfa::{EdgeId, LocId, Op, Program, VarKind};
use outcome::ArgView;
use outcome::{StepKind, Verdict};
use serde::Serialize;
use std::collections::BTreeSet;

/// Most edges of automata that a page has.
const MAX_EDGES: usize = 20_000;
/// Most operations of an edge of the graph.
const MAX_OPERATIONS: usize = 12;
/// Most characters of an operation or a fact.
const MAX_TEXT: usize = 120;

/// A place: number of a file, and a line.
type At = Option<(usize, u32)>;

#[derive(Serialize)]
pub struct Data<'a> {
    pub verdict: &'static str,
    pub rows: Vec<WireRow<'a>>,
    pub functions: Vec<WireFunction<'a>>,
    /// Functions that were left out because there are too many edges.
    pub left_out: usize,
    pub arg: Option<WireArg<'a>>,
}

/// One step of the path, or two that users see as one.
#[derive(Serialize)]
pub struct WireRow<'a> {
    at: At,
    function: &'a str,
    depth: u32,
    kind: &'static str,
    what: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    operands: &'a str,
    edges: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    set: Option<WireSet<'a>>,
    /// For calls: the parameters with their values.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<(&'a str, Vec<(&'a str, &'a str)>)>,
}

#[derive(Serialize)]
struct WireSet<'a> {
    target: &'a str,
    value: &'a str,
    global: bool,
}

#[derive(Serialize)]
pub struct WireFunction<'a> {
    name: &'a str,
    entry: usize,
    exit: usize,
    /// Location, place, labels.
    nodes: Vec<(usize, At, String)>,
    edges: Vec<WireEdge>,
}

#[derive(Serialize)]
struct WireEdge {
    id: usize,
    from: usize,
    /// `None` where the path ends.
    to: Option<usize>,
    at: At,
    text: String,
    kind: &'static str,
}

#[derive(Serialize)]
pub struct WireArg<'a> {
    truncated: bool,
    nodes: Vec<WireNode<'a>>,
    /// Source, target, operations.
    edges: Vec<(u32, u32, Vec<String>)>,
    /// Numbers of the nodes on the error path.
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    path: &'a [u32],
}

#[derive(Serialize)]
struct WireNode<'a> {
    kind: &'static str,
    function: &'a str,
    depth: u32,
    at: At,
    facts: Vec<String>,
    precision: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    covered: Option<u32>,
    loc: usize,
}

/// Numbers of files, for places.
pub struct Files<'a> {
    pub names: Vec<&'a str>,
}

impl Files<'_> {
    /// The place with the number of its file; `None` for files that the page does not show.
    pub fn at(&self, place: Option<&Place>) -> At {
        let place = place?;
        self.names.iter().position(|name| *name == &*place.file).map(|file| (file, place.line))
    }
}

/// In one word.
pub fn verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::True => "true",
        Verdict::False(_) => "false",
        Verdict::Unknown(_) => "unknown",
    }
}

/// The rows of a path.
pub fn rows<'a>(rows: &'a [Row<'a>], program: Option<&Program>, files: &Files<'_>) -> Vec<WireRow<'a>> {
    let locals = program.map(locals).unwrap_or_default();
    rows.iter().map(|row| wire_row(row, &locals, files)).collect()
}

/// Functions with the names of their variables.
type Locals<'p> = BTreeSet<(&'p str, &'p str)>;

fn locals(program: &Program) -> Locals<'_> {
    let owned = program.vars.iter().filter_map(|var| Some((var.func?, &*var.name)));
    owned.map(|(func, name)| (&*program.functions[func].name, name)).collect()
}

fn wire_row<'a>(row: &'a Row<'a>, locals: &Locals<'_>, files: &Files<'_>) -> WireRow<'a> {
    let step = row.step();
    let set = row.assigned().map(|(target, value)| {
        let base = target.find(['.', '[', ' ', '-', '+']).map_or(target, |at| &target[..at]);
        WireSet { target, value, global: !locals.contains(&(&*step.function, base)) }
    });
    let call = match &step.kind {
        StepKind::Call { function, arguments } => {
            Some((&**function, arguments.iter().filter_map(|argument| argument.split_once(" = ")).collect()))
        }
        _ => None,
    };
    WireRow {
        at: files.at(row.place()),
        function: &step.function,
        depth: step.depth,
        kind: kind(&step.kind),
        what: &row.what,
        operands: &row.operands,
        edges: row.steps.iter().map(|step| step.edge.index()).collect(),
        set,
        call,
    }
}

/// A word for what happens, also the class of its line in the page.
pub fn kind(kind: &StepKind) -> &'static str {
    match kind {
        StepKind::Assign { .. } => "assign",
        StepKind::Branch { .. } | StepKind::Choice { .. } => "branch",
        StepKind::Call { .. } => "call",
        StepKind::Return { .. } => "return",
        StepKind::Input(_) => "input",
        StepKind::External { .. } => "external",
        StepKind::Omitted(_) => "omitted",
        StepKind::Undefined { .. } => "undefined",
        StepKind::Error { .. } => "error",
    }
}

/// The automata of functions with a body in files that the page shows, and how many were left out.
pub fn functions<'a>(program: &'a Program, files: &Files<'_>) -> (Vec<WireFunction<'a>>, usize) {
    let (mut functions, mut edges, mut left_out) = (Vec::new(), 0, 0);
    for view in crate::cfa::views(program, None) {
        let mut shown = view.locs.iter().filter_map(|loc| crate::cfa::place_of(program, *loc));
        if !shown.any(|place| files.at(Some(&place)).is_some()) {
            continue;
        }
        edges += view.edges.len();
        if edges > MAX_EDGES {
            left_out += 1;
            continue;
        }
        let place = |loc: LocId| crate::cfa::place_of(program, loc);
        functions.push(WireFunction {
            name: &view.function.name,
            entry: view.entry.index(),
            exit: view.exit.index(),
            nodes: view
                .locs
                .iter()
                .map(|loc| (loc.index(), files.at(place(*loc).as_ref()), program.locs[*loc].labels.join(", ")))
                .collect(),
            edges: view.edges.iter().map(|edge| wire_edge(program, *edge, files)).collect(),
        });
    }
    (functions, left_out)
}

fn wire_edge(program: &Program, id: EdgeId, files: &Files<'_>) -> WireEdge {
    let edge = &program.edges[id];
    WireEdge {
        id: id.index(),
        from: edge.src.index(),
        to: (!edge.op.ends_path()).then(|| edge.dst.index()),
        at: files.at(program.source.place(edge.span.lo).as_ref()),
        text: cut(&operation(program, id)),
        kind: match edge.op {
            Op::Assume { .. } => "branch",
            Op::Call { .. } | Op::CallPtr { .. } | Op::CallExtern { .. } => "call",
            Op::Unsupported(_) | Op::Undefined(_) => "undefined",
            _ => "assign",
        },
    }
}

/// An operation in the user's words: as in the source where its own form speaks of temporaries.
fn operation(program: &Program, id: EdgeId) -> String {
    // What is computed for a later operation is told with that.
    if let Op::Assign { dst, .. } = program.edges[id].op
        && program.vars[dst].kind == VarKind::Temp
    {
        return String::new();
    }
    let shown = literals(program, cfa::display::op(program, &program.edges[id].op));
    if !shown.contains("tmp$") && !shown.contains("string$") {
        return shown;
    }
    let span = program.edges[id].span;
    let place = program.source.place(span.lo).filter(|place| !place.file.starts_with('<'));
    let source = place.map(|_| program.source.snippet(span).split_whitespace().collect::<Vec<_>>().join(" "));
    match (source.filter(|text| !text.is_empty()), &program.edges[id].op) {
        // A declarator has no equals sign.
        (Some(text), Op::Assign { dst, .. }) if !text.contains('=') => format!("{} = …", program.vars[*dst].name),
        (Some(text), _) => text,
        (None, _) => shown,
    }
}

/// A text with string literals instead of the names of the objects that hold them.
fn literals(program: &Program, mut text: String) -> String {
    if !text.contains("&string$") {
        return text;
    }
    let named = program.vars.iter().filter(|var| var.kind == VarKind::Literal);
    // Longer names first: some begin with others.
    let mut literals: Vec<(String, &[u8])> = named
        .filter_map(|var| Some((format!("&{}", var.name), &*var.init.as_deref()?.bytes.first()?.1)))
        .filter(|(name, _)| text.contains(name.as_str()))
        .collect();
    literals.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    for (name, bytes) in literals {
        let shown = bytes.strip_suffix(&[0]).unwrap_or(bytes);
        text = text.replace(&name, &format!("\"{}\"", shown.escape_ascii()));
    }
    text
}

/// The abstract reachability graph.
pub fn arg<'a>(graph: &'a ArgView, files: &Files<'_>) -> WireArg<'a> {
    let node = |node: &'a outcome::arg_view::ArgNode| WireNode {
        kind: node.kind.name(),
        function: &node.function,
        depth: node.depth,
        at: files.at(node.place.as_ref()),
        facts: node
            .state
            .iter()
            .map(|(name, value)| cut(&format!("{name} = {value}")))
            .chain(node.holds.iter().map(|fact| cut(fact)))
            .collect(),
        precision: &node.precision,
        covered: node.covered_by,
        loc: node.loc.index(),
    };
    let edge = |edge: &outcome::arg_view::ArgEdge| {
        let mut text: Vec<String> = edge.text.iter().take(MAX_OPERATIONS).map(|text| cut(text)).collect();
        if edge.text.len() > MAX_OPERATIONS {
            text.push(format!("… {} more", edge.text.len() - MAX_OPERATIONS));
        }
        (edge.from, edge.to, text)
    };
    WireArg {
        truncated: graph.truncated,
        nodes: graph.nodes.iter().map(node).collect(),
        edges: graph.edges.iter().map(edge).collect(),
        path: &graph.error_path,
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// JSON that may stand in a script element of HTML.
pub fn script_text(data: &Data<'_>) -> String {
    // Numbers, strings and lists always have a form in JSON; `<` occurs in strings only.
    serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c")
}

//! Automata as JSON.

use super::{View, number, place, place_of, views};
use ::cfa::display;
use ::cfa::{EdgeId, FuncId, LocId, MachineModel, Op, Program, Storage, Var, VarId, VarKind};
use base::{Id, Place, Span};
use serde::Serialize;

#[derive(Serialize)]
struct Automata<'a> {
    format: &'static str,
    version: u32,
    data_model: &'static str,
    start: &'a str,
    functions: Vec<Function<'a>>,
    variables: Vec<Variable<'a>>,
    unsupported: Vec<Unsupported<'a>>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    parameters: Vec<&'a str>,
    result: Option<&'a str>,
    entry: usize,
    exit: usize,
    locations: Vec<Location<'a>>,
    edges: Vec<Edge>,
}

#[derive(Serialize)]
struct Location<'a> {
    id: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

#[derive(Serialize)]
struct Edge {
    id: usize,
    from: usize,
    /// `None` where the path ends.
    to: Option<usize>,
    kind: &'static str,
    text: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    at: Option<At>,
}

#[derive(Serialize)]
struct At {
    file: String,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Variable<'a> {
    id: usize,
    name: &'a str,
    function: Option<&'a str>,
    kind: &'static str,
    /// Type of a register.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    ty: Option<&'static str>,
    /// Size of a memory variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
}

#[derive(Serialize)]
struct Unsupported<'a> {
    construct: &'a str,
    detail: &'a str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    at: Option<At>,
}

/// The automata of all functions, variables and constructs that are not modelled, indented.
pub fn render(program: &Program, only: Option<FuncId>) -> String {
    let function_name = |f: FuncId| &*program.functions[f].name;
    let automata = Automata {
        format: "hone cfa",
        version: 1,
        data_model: match program.machine {
            MachineModel::Ilp32 => "ILP32",
            MachineModel::Lp64 => "LP64",
            MachineModel::Llp64 => "LLP64",
            MachineModel::Lp32 => "LP32",
        },
        start: function_name(program.start),
        functions: views(program, only).iter().map(|view| function(program, view)).collect(),
        variables: program.vars.iter_enumerated().map(|(id, var)| variable(program, id, var)).collect(),
        unsupported: program
            .unsupported
            .iter()
            .map(|u| Unsupported { construct: &u.construct, detail: &u.detail, at: at(program, u.span) })
            .collect(),
    };
    // Strings and numbers always serialise.
    serde_json::to_string_pretty(&automata).unwrap_or_default()
}

fn variable<'a>(program: &'a Program, id: VarId, var: &'a Var) -> Variable<'a> {
    let (ty, bytes) = match var.storage {
        Storage::Register(ty) => (Some(display::scalar(ty, program.machine)), None),
        Storage::Memory { size, .. } => (None, Some(size)),
    };
    Variable {
        id: id.index(),
        name: &var.name,
        function: var.func.map(|f| &*program.functions[f].name),
        kind: kind_of_variable(var.kind),
        ty,
        bytes,
    }
}

fn function<'a>(program: &'a Program, view: &View<'a>) -> Function<'a> {
    let name = |v: VarId| &*program.vars[v].name;
    let location = |loc: &LocId| Location {
        id: number(*loc),
        labels: program.locs[*loc].labels.iter().map(|l| &**l).collect(),
        line: place_of(program, *loc).map(|p| p.line),
    };
    let edge = |id: &EdgeId| {
        let edge = &program.edges[*id];
        Edge {
            id: id.index(),
            from: number(edge.src),
            to: (!edge.op.ends_path()).then(|| number(edge.dst)),
            kind: kind_of_op(&edge.op),
            text: display::op(program, &edge.op),
            at: at(program, edge.span),
        }
    };
    Function {
        name: &view.function.name,
        parameters: view.function.params.iter().map(|p| name(*p)).collect(),
        result: view.function.ret.map(name),
        entry: number(view.entry),
        exit: number(view.exit),
        locations: view.locs.iter().map(location).collect(),
        edges: view.edges.iter().map(edge).collect(),
    }
}

fn at(program: &Program, span: Span) -> Option<At> {
    place(program, span).map(|Place { file, line, column }| At { file: file.to_string(), line, column })
}

fn kind_of_variable(kind: VarKind) -> &'static str {
    match kind {
        VarKind::Global => "global",
        VarKind::Local => "local",
        VarKind::Param => "parameter",
        VarKind::Return => "result",
        VarKind::Temp => "temporary",
        VarKind::Literal => "literal",
    }
}

fn kind_of_op(op: &Op) -> &'static str {
    match op {
        Op::Skip => "skip",
        Op::Assign { .. } => "assign",
        Op::Havoc { .. } => "havoc",
        Op::Assume { .. } => "assume",
        Op::Store { .. } => "store",
        Op::MemCopy { .. } => "copy",
        Op::MemSet { .. } => "set",
        Op::MemHavoc { .. } => "havoc-memory",
        Op::Repeat(_) => "repeat",
        Op::Alloc { .. } => "allocate",
        Op::Realloc { .. } => "reallocate",
        Op::Free { .. } => "free",
        Op::Declare { .. } => "declare",
        Op::EndScope { .. } => "end-scope",
        Op::Call { .. } => "call",
        Op::CallPtr { .. } => "call-pointer",
        Op::CallExtern { .. } => "call-external",
        Op::Undefined(_) => "undefined",
        Op::Halt => "halt",
        Op::Unsupported(_) => "unsupported",
    }
}

//! A copy of a small function that allocates for each of its calls.
//!
//! Points-to analysis knows a block by the operation that makes it. Where a function of the program allocates for all others, that is one operation for
//! blocks of all types, and what one of them holds may seem to be in all of them. With a copy for each call, it is told which call made a block.

use crate::copies::{CopiedRegisters, body_edges};
use cfa::callgraph::CallGraph;
use cfa::{EdgeId, FuncId, Function, LocId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most edges of a function that is copied.
const MAX_EDGES: usize = 60;
/// Most copies of all functions.
const MAX_COPIES: usize = 256;

/// The program with copies, and the functions that were copied; `None` if there is nothing to copy. Ids of the program stay what they were.
pub fn with_own_allocators(program: &Program) -> Option<(Program, FxHashSet<FuncId>)> {
    let calls = CallGraph::new(program, None);
    let mut calls_of: FxHashMap<FuncId, Vec<EdgeId>> = FxHashMap::default();
    for edge in program.locs.iter().flat_map(|loc| &loc.out).copied() {
        if let Op::Call { func, .. } = program.edges[edge].op {
            calls_of.entry(func).or_default().push(edge);
        }
    }
    let mut copied = FxHashSet::default();
    let mut with_copies = program.clone();
    let mut rest = MAX_COPIES;
    for func in program.functions.ids() {
        let Some(calls_of) = calls_of.get(&func).filter(|calls| (2..=rest).contains(&calls.len())) else { continue };
        let edges = body_edges(program, func);
        if calls.is_recursive(func) || !allocates(program, &edges) {
            continue;
        }
        rest -= calls_of.len();
        copied.insert(func);
        for edge in calls_of {
            let copy = copy(&mut with_copies, func, &edges);
            if let Op::Call { func, .. } = &mut with_copies.edges[*edge].op {
                *func = copy;
            }
        }
    }
    (!copied.is_empty()).then_some((with_copies, copied))
}

/// Whether a function makes blocks and can be copied: it has registers only.
fn allocates(program: &Program, edges: &[EdgeId]) -> bool {
    let op = |edge: &EdgeId| &program.edges[*edge].op;
    let makes = |edge: &EdgeId| matches!(op(edge), Op::Alloc { .. } | Op::Realloc { .. });
    let is_plain = |edge: &EdgeId| !matches!(op(edge), Op::CallPtr { .. } | Op::Declare { .. } | Op::EndScope { .. });
    edges.len() <= MAX_EDGES && edges.iter().any(makes) && edges.iter().all(is_plain)
}

fn copy(program: &mut Program, func: FuncId, edges: &[EdgeId]) -> FuncId {
    let original: Function = program.functions[func].clone();
    let new = program.functions.push(Function { address_taken: false, ..original.clone() });
    let mut locs: FxHashMap<LocId, LocId> = FxHashMap::default();
    let ends = edges.iter().flat_map(|e| [program.edges[*e].src, program.edges[*e].dst]);
    let all: Vec<LocId> = ends.chain(original.body.iter().flat_map(|body| [body.entry, body.exit])).collect();
    for loc in all {
        locs.entry(loc).or_insert_with(|| program.add_loc(new));
    }
    let registers = CopiedRegisters::new(program, func, new);
    let function = &mut program.functions[new];
    function.params = original.params.iter().map(|var| registers.copy_of(*var)).collect();
    function.ret = original.ret.map(|var| registers.copy_of(var));
    function.body = original.body;
    if let Some(body) = &mut function.body {
        (body.entry, body.exit) = (locs[&body.entry], locs[&body.exit]);
    }
    for edge in edges {
        let edge = program.edges[*edge].clone();
        let op = registers.renamed(program, edge.op);
        program.add_edge(locs[&edge.src], locs[&edge.dst], op, edge.span);
    }
    new
}

//! Step 0: puts small functions in the place of their calls within loops, so that looping paths stay within one function.
//!
//! Functions without memory variables and recursion are copied: locations with their labels, edges with new registers. Functions whose call
//! the property observes stay.

use crate::accelerate::origins::Origins;
use crate::copies::{CopiedRegisters, body_edges};
use crate::edges::detach;
use base::IdVec;
use cfa::callgraph::CallGraph;
use cfa::loops::Wto;
use cfa::{EdgeId, FuncId, LocId, Observer, Op, Pattern, Program};
use rustc_hash::FxHashMap;

/// Most edges of a function that is copied.
const MAX_CALLEE: usize = 60;
/// Most edges that copies add.
const MAX_ADDED: usize = 3000;

/// Copies functions into loops.
pub fn inline_calls(program: &mut Program, observer: &Observer, origins: &mut Origins) {
    let (wto, calls) = (Wto::new(program), CallGraph::new(program, None));
    let functions = program.functions.ids();
    let suitable: IdVec<FuncId, bool> = functions.map(|func| is_suitable(program, observer, &calls, func)).collect();
    let in_loop = |edge: &EdgeId| wto.innermost(program.edges[*edge].src).is_some();
    let mut work: Vec<EdgeId> = program.locs.iter().flat_map(|loc| &loc.out).copied().filter(in_loop).collect();
    work.reverse();
    let limit = program.edges.len() + MAX_ADDED;
    while let Some(edge) = work.pop() {
        let Op::Call { func, .. } = &program.edges[edge].op else { continue };
        if suitable[*func] && program.edges.len() < limit {
            work.extend(inline_call(program, edge, origins));
        }
    }
}

fn is_suitable(program: &Program, observer: &Observer, calls: &CallGraph, func: FuncId) -> bool {
    let observed = observer.forbids(&Pattern::Call(program.functions[func].name.clone()));
    let edges = body_edges(program, func);
    let plain = |edge: &EdgeId| {
        !matches!(
            program.edges[*edge].op,
            Op::CallPtr { .. } | Op::Declare { .. } | Op::EndScope { .. } | Op::Alloc { .. } | Op::Realloc { .. }
        )
    };
    !observed && !edges.is_empty() && edges.len() <= MAX_CALLEE && edges.iter().all(plain) && !calls.is_recursive(func)
}

/// Replaces a call by a copy of the function; returns the new edges.
fn inline_call(program: &mut Program, edge: EdgeId, origins: &mut Origins) -> Vec<EdgeId> {
    let call = program.edges[edge].clone();
    let Op::Call { func, args, dst } = call.op else { return Vec::new() };
    let Some(body) = program.functions[func].body else { return Vec::new() };
    let caller = program.locs[call.src].func;
    let Some(home) = program.functions[caller].body else { return Vec::new() };
    let edges = body_edges(program, func);
    let copied = edges.iter().flat_map(|e| [program.edges[*e].src, program.edges[*e].dst]).chain([body.entry]);
    let mut locs: FxHashMap<LocId, LocId> = FxHashMap::default();
    for loc in copied.collect::<Vec<_>>() {
        locs.entry(loc).or_insert_with(|| {
            let new = program.add_loc(caller);
            program.locs[new].labels = program.locs[loc].labels.clone();
            new
        });
    }
    let registers = CopiedRegisters::new(program, func, caller);
    let mut new_edges = Vec::new();
    let mut at = call.src;
    let params = program.functions[func].params.clone();
    for (param, arg) in params.iter().zip(args.iter()) {
        let next = program.add_loc(caller);
        origins.add_edge(program, at, next, Op::Assign { dst: registers.copy_of(*param), src: *arg }, call.span);
        at = next;
    }
    origins.add_edge(program, at, locs[&body.entry], Op::Skip, call.span);
    for original in edges {
        let old = program.edges[original].clone();
        let dst = if old.op.ends_path() { home.exit } else { locs[&old.dst] };
        let op = registers.renamed(program, old.op);
        let new = program.add_edge(locs[&old.src], dst, op, old.span);
        origins.copied(new, original);
        new_edges.push(new);
    }
    if let Some(exit) = locs.get(&body.exit).copied() {
        let op = match (dst, program.functions[func].ret.and_then(|ret| registers.value_of(ret))) {
            (Some(dst), Some(ret)) => Op::Assign { dst, src: ret },
            _ => Op::Skip,
        };
        origins.add_edge(program, exit, call.dst, op, call.span);
    }
    detach(program, edge);
    new_edges
}

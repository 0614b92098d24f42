//! Puts small functions in the place of their calls within loops, so that looping paths stay within one function.
//!
//! Functions without memory variables and recursion are copied: locations with their labels, edges with new registers. Functions whose call
//! the property observes stay.

use crate::accelerate::exprs::{Map, substitute};
use crate::accelerate::instrument::move_source;
use crate::accelerate::origins::{Origin, Origins};
use base::IdVec;
use cfa::loops::{Wto, reachable_locations};
use cfa::{EdgeId, ExprKind, FuncId, LocId, Observer, Op, Pattern, Program, Storage, VarId};
use rustc_hash::FxHashMap;

/// Most edges of a function that is copied.
const MAX_CALLEE: usize = 60;
/// Most edges that copies add.
const MAX_ADDED: usize = 3000;

/// Copies functions into loops; returns how many calls went.
pub fn inline_calls(program: &mut Program, observer: &Observer, origins: &mut Origins) -> usize {
    let wto = Wto::new(program);
    let suitable: IdVec<FuncId, bool> =
        program.functions.ids().map(|func| is_suitable(program, observer, func)).collect();
    let in_loop = |edge: &EdgeId| wto.innermost(program.edges[*edge].src).is_some();
    let mut work: Vec<EdgeId> = program.locs.iter().flat_map(|loc| &loc.out).copied().filter(in_loop).collect();
    work.reverse();
    let (mut inlined, limit) = (0, program.edges.len() + MAX_ADDED);
    while let Some(edge) = work.pop() {
        let Op::Call { func, .. } = &program.edges[edge].op else { continue };
        if suitable[*func] && program.edges.len() < limit {
            work.extend(inline_call(program, edge, origins));
            inlined += 1;
        }
    }
    inlined
}

fn body_edges(program: &Program, func: FuncId) -> Vec<EdgeId> {
    let Some(body) = program.functions[func].body else { return Vec::new() };
    let locs = reachable_locations(program, body.entry);
    locs.into_iter().flat_map(|loc| program.locs[loc].out.iter().copied()).collect()
}

fn is_suitable(program: &Program, observer: &Observer, func: FuncId) -> bool {
    let observed = observer.transitions.iter().any(|t| match &t.on {
        Pattern::Call(name) => *name == program.functions[func].name,
        Pattern::Label(_) => false,
    });
    let edges = body_edges(program, func);
    let plain = |edge: &EdgeId| {
        !matches!(
            program.edges[*edge].op,
            Op::CallPtr { .. } | Op::Declare { .. } | Op::EndScope { .. } | Op::Alloc { .. } | Op::Realloc { .. }
        )
    };
    !observed
        && !edges.is_empty()
        && edges.len() <= MAX_CALLEE
        && edges.iter().all(plain)
        && !is_recursive(program, func)
}

/// Whether a call of the function may lead to another one of it.
fn is_recursive(program: &Program, func: FuncId) -> bool {
    let mut seen = vec![func];
    let mut next = 0;
    while next < seen.len() {
        for edge in body_edges(program, seen[next]) {
            if let Op::Call { func: callee, .. } = program.edges[edge].op {
                if callee == func || seen.len() > 50 {
                    return true;
                }
                if !seen.contains(&callee) {
                    seen.push(callee);
                }
            }
        }
        next += 1;
    }
    false
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
    let mut vars: FxHashMap<VarId, VarId> = FxHashMap::default();
    let mut map = Map::default();
    for var in program.vars.ids() {
        if program.vars[var].func == Some(func) {
            let copy = cfa::Var { func: Some(caller), ..program.vars[var].clone() };
            let Storage::Register(ty) = copy.storage else { continue };
            let new = program.vars.push(copy);
            vars.insert(var, new);
            map.insert(var, program.exprs.add(ExprKind::Var(new), ty));
        }
    }
    let mut new_edges = Vec::new();
    let mut at = call.src;
    let params = program.functions[func].params.clone();
    for (param, arg) in params.iter().zip(args.iter()) {
        let next = program.add_loc(caller);
        let added = program.add_edge(at, next, Op::Assign { dst: vars[param], src: *arg }, call.span);
        origins.set(added, Origin::Made);
        at = next;
    }
    let into = program.add_edge(at, locs[&body.entry], Op::Skip, call.span);
    origins.set(into, Origin::Made);
    for original in edges {
        let old = program.edges[original].clone();
        let dst = if old.op.ends_path() { home.exit } else { locs[&old.dst] };
        let op = rename(program, &old.op, &vars, &map);
        let new = program.add_edge(locs[&old.src], dst, op, old.span);
        origins.copied(new, original);
        new_edges.push(new);
    }
    if let Some(exit) = locs.get(&body.exit).copied() {
        let op = match (dst, program.functions[func].ret.and_then(|ret| map.get(&ret))) {
            (Some(dst), Some(ret)) => Op::Assign { dst, src: *ret },
            _ => Op::Skip,
        };
        let back = program.add_edge(exit, call.dst, op, call.span);
        origins.set(back, Origin::Made);
    }
    program.locs[call.src].out.retain(|e| *e != edge);
    program.locs[call.dst].inc.retain(|e| *e != edge);
    // The first new edge takes the place of the call.
    if let Some(first) = program.locs[call.src].out.last().copied() {
        move_source(program, first, call.src);
    }
    new_edges
}

/// The operation with other registers.
fn rename(program: &mut Program, op: &Op, vars: &FxHashMap<VarId, VarId>, map: &Map) -> Op {
    let mut expr = |e: &cfa::ExprId| substitute(&mut program.exprs, *e, map);
    let var = |v: &VarId| vars.get(v).copied().unwrap_or(*v);
    match op {
        Op::Assign { dst, src } => Op::Assign { dst: var(dst), src: expr(src) },
        Op::Havoc { dst, source } => Op::Havoc { dst: var(dst), source: *source },
        Op::Assume { cond, truth } => Op::Assume { cond: expr(cond), truth: *truth },
        Op::Store { addr, value } => Op::Store { addr: expr(addr), value: expr(value) },
        Op::MemCopy { dst, src, len } => Op::MemCopy { dst: expr(dst), src: expr(src), len: *len },
        Op::MemSet { dst, byte, len } => Op::MemSet { dst: expr(dst), byte: expr(byte), len: *len },
        Op::MemHavoc { dst, len, source } => Op::MemHavoc { dst: expr(dst), len: *len, source: *source },
        Op::Free { ptr } => Op::Free { ptr: expr(ptr) },
        Op::Call { func, args, dst } => {
            Op::Call { func: *func, args: args.iter().map(&mut expr).collect(), dst: dst.as_ref().map(var) }
        }
        Op::CallExtern { func, args, dst } => {
            Op::CallExtern { func: *func, args: args.iter().map(&mut expr).collect(), dst: dst.as_ref().map(var) }
        }
        other => other.clone(),
    }
}

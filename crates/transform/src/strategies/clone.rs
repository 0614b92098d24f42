//! Copies of functions without what may violate the property: calls within a round that is assumed not to violate it.

use super::facts::{Facts, Watched};
use crate::rename::rename;
use cfa::expr::{Expr, ExprKind, ExprPool};
use cfa::op::Op;
use cfa::program::{Body, FuncId, LocId, Program, Storage, VarId};
use rustc_hash::FxHashMap;

/// Larger functions are not copied.
const MAX_LOCATIONS: usize = 64;
/// Calls are followed at most this deeply.
const MAX_DEPTH: u32 = 4;

/// The copies made so far; `None` for functions that can't be copied.
#[derive(Default)]
pub(super) struct Clones {
    known: FxHashMap<FuncId, Option<FuncId>>,
}

impl Clones {
    /// A function that does what `func` does in runs that don't violate the property.
    pub(super) fn harmless(&mut self, program: &mut Program, facts: &Facts<'_>, func: FuncId) -> Option<FuncId> {
        self.harmless_below(program, facts, func, MAX_DEPTH)
    }

    fn harmless_below(&mut self, program: &mut Program, facts: &Facts<'_>, func: FuncId, depth: u32) -> Option<FuncId> {
        if !facts.may_violate(func) {
            return Some(func);
        }
        if let Some(known) = self.known.get(&func) {
            return *known;
        }
        // Found again below itself, it is recursive, and not copied.
        self.known.insert(func, None);
        let copy = if depth == 0 { None } else { self.copy(program, facts, func, depth) };
        self.known.insert(func, copy);
        copy
    }

    fn copy(&mut self, program: &mut Program, facts: &Facts<'_>, func: FuncId, depth: u32) -> Option<FuncId> {
        let body = program.functions[func].body?;
        let original = facts.source.program;
        let locs: Vec<LocId> = cfa::loops::reachable_locations(original, body.entry);
        // Loops of the callee have strategies of their own, which would have to be copied, too.
        let has_loops = locs.iter().any(|loc| facts.source.wto.is_head(*loc));
        let own_memory = original.vars.iter().any(|v| v.func == Some(func) && v.register().is_none());
        if locs.len() > MAX_LOCATIONS || has_loops || own_memory {
            return None;
        }
        // Callees first, so that nothing is left half made.
        let mut callees = FxHashMap::default();
        for edge in locs.iter().flat_map(|loc| &original.locs[*loc].out) {
            if let Op::Call { func: callee, .. } = original.edges[*edge].op
                && !facts.steps(original, *edge)
            {
                callees.insert(callee, self.harmless_below(program, facts, callee, depth - 1)?);
            }
        }
        let new = program.functions.next_id();
        let mut vars: FxHashMap<VarId, VarId> = FxHashMap::default();
        for id in original.vars.ids().filter(|id| original.vars[*id].func == Some(func)) {
            let mut var = original.vars[id].clone();
            var.func = Some(new);
            debug_assert!(matches!(var.storage, Storage::Register(_)));
            vars.insert(id, program.vars.push(var));
        }
        let mut function = original.functions[func].clone();
        function.params.iter_mut().for_each(|p| *p = vars.get(p).copied().unwrap_or(*p));
        function.ret = function.ret.map(|r| vars.get(&r).copied().unwrap_or(r));
        function.address_taken = false;
        let id = program.functions.push(function);
        let mut copies: FxHashMap<LocId, LocId> = FxHashMap::default();
        for loc in locs.iter().chain([&body.exit]) {
            copies.entry(*loc).or_insert_with(|| {
                let copy = program.add_loc(id);
                program.locs[copy].labels = original.locs[*loc].labels.clone();
                copy
            });
        }
        program.functions[id].body = Some(Body { entry: copies[&body.entry], exit: copies[&body.exit] });
        let mut exprs = FxHashMap::default();
        for loc in &locs {
            for edge in &original.locs[*loc].out {
                let is_call = matches!(original.edges[*edge].op, Op::Call { .. });
                if facts.watched(original, *edge) != Watched::No && (!is_call || facts.steps(original, *edge)) {
                    continue;
                }
                let edge = &original.edges[*edge];
                let mut op = edge.op.clone();
                let var = |var| vars.get(&var).copied().unwrap_or(var);
                let copied = |pool: &mut ExprPool, id| match pool.get(id) {
                    Expr { kind: ExprKind::Var(v), ty } => vars.get(&v).map(|v| pool.add(ExprKind::Var(*v), ty)),
                    _ => None,
                };
                rename(&mut op, var, |expr| program.exprs.rewrite(expr, &mut exprs, copied));
                if let Op::Call { func, .. } = &mut op {
                    *func = callees.get(func).copied().unwrap_or(*func);
                }
                let dst = copies.get(&edge.dst).copied().unwrap_or(copies[&body.exit]);
                program.add_edge(copies[loc], dst, op, edge.span);
            }
        }
        Some(id)
    }
}

//! Which functions neither depend on the frames of their callers nor change anything in them, seen by the checker of proofs.

use cfa::{AllocKind, ExprId, ExprKind, FuncId, Op, Program, Storage, VarId};
use encode::ObjectKind;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What calls of a function may change: registers only.
pub(super) struct Effects {
    /// Global registers that it or what it calls may assign, and its own registers that it may assign.
    pub changed: BTreeSet<VarId>,
}

impl Effects {
    /// The effects of a function; none if it, or a function that it calls, makes or writes memory or may read that of a caller.
    pub fn of(program: &Program, may_point_to: &dyn Fn(ExprId, ObjectKind) -> bool, func: FuncId) -> Option<Self> {
        let body = program.functions[func].body?;
        // Nobody comes to the entry but by a call.
        if !program.locs[body.entry].inc.is_empty() {
            return None;
        }
        let private = private_objects(program);
        let mut seen = FxHashSet::default();
        let mut open = vec![func];
        let mut changed = BTreeSet::new();
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            let of_next = program.locs.iter().filter(|loc| loc.func == next).flat_map(|loc| &loc.out);
            for edge in of_next {
                let op = &program.edges[*edge].op;
                match op {
                    Op::Skip | Op::Assign { .. } | Op::Havoc { .. } | Op::Assume { .. } | Op::CallExtern { .. } => {}
                    Op::Undefined(_) | Op::Halt | Op::Unsupported(_) => {}
                    Op::Call { func, .. } => open.push(*func),
                    _ => return None,
                }
                changed.extend(op.assigned().filter(|var| program.vars[*var].is_global() || next == func));
                let mut reads_private = false;
                op.for_each_expr(|expr| {
                    program.exprs.walk(expr, |_, e| {
                        if let ExprKind::Load(address) = e.kind {
                            reads_private |= private.iter().any(|object| may_point_to(address, *object));
                        }
                    });
                });
                if reads_private {
                    return None;
                }
            }
        }
        Some(Self { changed })
    }
}

/// Objects that are no global variables.
fn private_objects(program: &Program) -> Vec<ObjectKind> {
    let is_memory = |storage: Storage| matches!(storage, Storage::Memory { .. });
    let locals = program.vars.iter_enumerated().filter(|(_, var)| !var.is_global() && is_memory(var.storage));
    let made = program.edges.iter_enumerated().filter_map(|(id, edge)| match edge.op {
        Op::Alloc { kind: AllocKind::Stack, .. } => Some(ObjectKind::Stack(id)),
        Op::Alloc { .. } | Op::Realloc { .. } => Some(ObjectKind::Heap(id)),
        _ => None,
    });
    locals.map(|(id, _)| ObjectKind::Local(id)).chain(made).collect()
}

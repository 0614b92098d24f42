//! Objects that nobody but the frame that made them, and what it calls, can access; and functions that come to their end.

use cfa::points_to::{Object, PointsTo};
use cfa::threads::JOIN;
use cfa::{Check, ExprId, ExprKind, FuncId, Op, Program, Scalar, VarId};
use rustc_hash::FxHashSet;

/// Local variables and heap blocks whose address is in registers of frames only. Each thread has frames of its own.
pub(super) fn objects(program: &Program, points_to: &PointsTo) -> FxHashSet<Object> {
    let mut made: FxHashSet<Object> = FxHashSet::default();
    let mut known: FxHashSet<Object> = points_to.known_outside().iter().copied().collect();
    let returned = returned(program);
    let mut gives = |address: ExprId| known.extend(points_to.objects_at(address));
    let mut assigned = Vec::new();
    for edge in program.locs.iter().flat_map(|loc| &loc.out).copied() {
        let op = &program.edges[edge].op;
        // Who sees a number may make a pointer of it.
        op.for_each_expr(|root| {
            program.exprs.walk(root, |id, e| {
                if let ExprKind::Cast(address) = e.kind
                    && program.exprs.ty(address) == Scalar::Ptr
                    && program.exprs.ty(id) != Scalar::Ptr
                {
                    gives(address);
                }
            });
        });
        let is_global = op.assigned().is_some_and(|dst| program.vars[dst].is_global());
        match op {
            Op::Declare { var } => _ = made.insert(Object::Var(*var)),
            Op::Alloc { .. } => _ = made.insert(Object::Alloc(edge)),
            Op::Store { value, .. } => gives(*value),
            Op::Assign { dst, src } if is_global || returned.contains(dst) => gives(*src),
            // What a thread is given, and what is known outside.
            Op::Call { args, dst, .. } if is_global && dst.is_some() => args.iter().copied().for_each(&mut gives),
            Op::CallPtr { args, .. } => args.iter().copied().for_each(&mut gives),
            _ => {}
        }
        if op.assigned().is_some_and(|dst| is_global || returned.contains(&dst)) {
            assigned.push(Object::Alloc(edge));
        }
    }
    made.retain(|object| !known.contains(object) && !assigned.contains(object));
    made
}

/// Registers in which functions return what then is in a global register, as what threads return is.
fn returned(program: &Program) -> FxHashSet<VarId> {
    let mut returned = FxHashSet::default();
    loop {
        let before = returned.len();
        for edge in program.locs.iter().flat_map(|loc| &loc.out) {
            if let Op::Call { func, dst: Some(dst), .. } = program.edges[*edge].op
                && (program.vars[dst].is_global() || returned.contains(&dst))
            {
                returned.extend(program.functions[func].ret);
            }
        }
        if returned.len() == before {
            return returned;
        }
    }
}

/// Whether each way through a function can be gone on to its end: no run of the program ends in it but where a check fails, and it waits for no thread.
pub(super) fn comes_to_its_end(program: &Program, func: FuncId) -> bool {
    let Some(body) = program.functions[func].body else { return true };
    let (mut ends, mut work) = (FxHashSet::default(), vec![body.exit]);
    while let Some(loc) = work.pop() {
        if ends.insert(loc) {
            work.extend(program.locs[loc].inc.iter().map(|edge| program.edges[*edge].src));
        }
    }
    let (mut seen, mut work) = (FxHashSet::default(), vec![body.entry]);
    while let Some(loc) = work.pop() {
        if !seen.insert(loc) {
            continue;
        }
        let at = &program.locs[loc];
        let fails = at.labels.iter().any(|label| Check::of_label(label).is_some());
        let stays = at.out.iter().any(|edge| match program.edges[*edge].op {
            Op::Halt => !fails,
            Op::CallExtern { func, .. } => &*program.functions[func].name == JOIN,
            _ => false,
        });
        if stays || !ends.contains(&loc) {
            return false;
        }
        work.extend(at.out.iter().map(|edge| program.edges[*edge].dst));
    }
    true
}

//! Procedures whose runs do not depend on their callers' frames, so that the stack below them can be abstracted away [somorjai23].
//!
//! A recursive function is such a procedure if it, and everything that it calls, works on registers and on global memory that it
//! only reads. Then what it does is a relation between the values of its parameters and of global registers when
//! it is entered and the values of its result and of global registers when it returns. Parameters that it never
//! assigns, and global registers that nothing in it assigns, have the same value at both ends.
//!
//! The same holds for functions that are not recursive; those that are worth it can be blocks of their own [beyer18bam].

use crate::callgraph::CallGraph;
use crate::expr::{ExprId, ExprKind};
use crate::loops::Wto;
use crate::op::Op;
use crate::points_to::{Object, PointsTo};
use crate::program::{FuncId, Program, VarId};
use base::{Id, IdVec};
use rustc_hash::FxHashSet;

/// What a call of a procedure may change.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Procedure {
    /// Global registers that it may assign, ascending.
    pub changed: Vec<VarId>,
    /// Parameters that it never assigns, ascending.
    pub kept: Vec<VarId>,
    /// Parameters and global registers that it may assign, ascending: their values at the entry are lost at the exit.
    pub lost: Vec<VarId>,
    /// Whether it may call itself.
    pub recursive: bool,
    /// Itself and what it calls, ascending.
    pub funcs: Vec<FuncId>,
}

/// The procedures of a program.
#[derive(Clone, Debug, Default)]
pub struct Procedures {
    of_func: IdVec<FuncId, Option<Procedure>>,
}

impl Procedures {
    /// None: no stack is abstracted.
    pub fn none() -> Self {
        Self::default()
    }

    /// Finds the recursive ones.
    pub fn new(program: &Program, calls: &CallGraph, points_to: &PointsTo) -> Self {
        Self::among(program, calls, points_to, |func| calls.is_recursive(func))
    }

    /// Finds those that are worth to be explored on their own: recursive ones, and those that may be entered more than once and
    /// have loops, or that are large in all of their copies together, with everything that they call.
    pub fn blocks(program: &Program, wto: &Wto, calls: &CallGraph, points_to: &PointsTo) -> Self {
        let size = crate::blocks::sizes(program, calls);
        let times = entries(program, wto, calls);
        let mut loops = IdVec::from_elem(false, program.functions.len());
        program.locs.iter_enumerated().for_each(|(id, loc)| loops[loc.func] |= wto.is_head(id));
        let has_loop = |func: FuncId| calls.reachable(func).iter_enumerated().any(|(f, reached)| *reached && loops[f]);
        let is_worth_it = |func: FuncId| {
            let copies = u64::from(size[func]) * u64::from(times[func]);
            calls.is_recursive(func) || times[func] > 1 && (copies > MANY_EDGES || has_loop(func))
        };
        Self::among(program, calls, points_to, is_worth_it)
    }

    fn among(program: &Program, calls: &CallGraph, points_to: &PointsTo, is_wanted: impl Fn(FuncId) -> bool) -> Self {
        let mut of_func = IdVec::from_elem(None, program.functions.len());
        let by_func = edges_of_functions(program);
        for func in program.functions.ids() {
            if func != program.start && is_wanted(func) {
                of_func[func] = procedure(program, calls, points_to, &by_func, func);
            }
        }
        Self { of_func }
    }

    /// What a call of the function may change, if it is a procedure.
    #[inline]
    pub fn get(&self, func: FuncId) -> Option<&Procedure> {
        (func.index() < self.of_func.len()).then(|| self.of_func[func].as_ref()).flatten()
    }

    /// Whether one of them may call itself.
    pub fn are_recursive(&self) -> bool {
        self.of_func.iter().flatten().any(|procedure| procedure.recursive)
    }

    /// Number of them.
    pub fn len(&self) -> usize {
        self.of_func.iter().flatten().count()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.of_func.iter().all(Option::is_none)
    }
}

/// So many edges can be followed without loops as one formula.
const MANY_EDGES: u64 = 20_000;

/// How often each function is entered if everything is inlined; a call in a loop counts twice.
fn entries(program: &Program, wto: &Wto, calls: &CallGraph) -> IdVec<FuncId, u32> {
    let mut times: IdVec<FuncId, u32> = IdVec::from_elem(0, program.functions.len());
    times[program.start] = 1;
    for func in calls.bottom_up().iter().rev().copied().filter(|func| *func != program.start) {
        for edge in calls.call_sites(func) {
            let src = program.edges[*edge].src;
            let again = if wto.heads(src).is_empty() { 1 } else { 2 };
            times[func] = times[func].saturating_add(times[program.locs[src].func].saturating_mul(again));
        }
    }
    times
}

/// Operations of each function.
fn edges_of_functions(program: &Program) -> IdVec<FuncId, Vec<&Op>> {
    let mut ops: IdVec<FuncId, Vec<&Op>> = IdVec::from_elem(Vec::new(), program.functions.len());
    for loc in &program.locs {
        ops[loc.func].extend(loc.out.iter().map(|edge| &program.edges[*edge].op));
    }
    ops
}

fn procedure(
    program: &Program,
    calls: &CallGraph,
    points_to: &PointsTo,
    ops: &IdVec<FuncId, Vec<&Op>>,
    func: FuncId,
) -> Option<Procedure> {
    let function = &program.functions[func];
    let body = function.body?;
    // A frame begins where its function is entered, and nowhere else.
    if !program.locs[body.entry].inc.is_empty() || body.entry == body.exit || function.variadic {
        return None;
    }
    let reachable = calls.reachable(func);
    let mut changed: FxHashSet<VarId> = FxHashSet::default();
    let mut assigned: FxHashSet<VarId> = FxHashSet::default();
    for (callee, _) in reachable.iter_enumerated().filter(|(_, reached)| **reached) {
        for op in &ops[callee] {
            if !is_local_to_procedures(program, points_to, op) {
                return None;
            }
            let Some(var) = op.assigned() else { continue };
            if program.vars[var].is_global() {
                changed.insert(var);
            } else if callee == func {
                assigned.insert(var);
            }
        }
    }
    let mut changed: Vec<VarId> = changed.into_iter().collect();
    changed.sort_unstable();
    let (lost, mut kept): (Vec<VarId>, Vec<VarId>) = function.params.iter().partition(|param| assigned.contains(param));
    kept.sort_unstable();
    let mut lost: Vec<VarId> = lost.into_iter().chain(changed.iter().copied()).collect();
    lost.sort_unstable();
    let funcs = reachable.iter_enumerated().filter(|(_, reached)| **reached).map(|(func, _)| func).collect();
    let recursive = calls.is_recursive(func);
    Some(Procedure { changed, kept, lost, recursive, funcs })
}

/// Whether an operation reads and writes nothing but registers and global memory, of which it writes none.
fn is_local_to_procedures(program: &Program, points_to: &PointsTo, op: &Op) -> bool {
    let allowed = match op {
        Op::Skip | Op::Assign { .. } | Op::Havoc { .. } | Op::Assume { .. } => true,
        Op::Call { .. } | Op::CallExtern { .. } => true,
        Op::Undefined(_) | Op::Halt | Op::Unsupported(_) => true,
        Op::Store { .. } | Op::MemCopy { .. } | Op::MemSet { .. } | Op::MemHavoc { .. } | Op::Repeat(_) => false,
        Op::Alloc { .. } | Op::Realloc { .. } | Op::Free { .. } => false,
        Op::Declare { .. } | Op::EndScope { .. } | Op::CallPtr { .. } => false,
    };
    let mut local = allowed;
    op.for_each_expr(|expr| local = local && reads_globals(program, points_to, expr));
    local
}

fn reads_globals(program: &Program, points_to: &PointsTo, expr: ExprId) -> bool {
    let mut fine = true;
    program.exprs.walk(expr, |_, e| {
        fine = fine && !matches!(e.kind, ExprKind::Valid(..) | ExprKind::Tracked);
        if let ExprKind::Load(address) = e.kind {
            let objects = points_to.objects(points_to.class_of_address(address));
            let is_global = |object: &Object| matches!(object, Object::Var(var) if program.vars[*var].is_global());
            fine = fine && !objects.is_empty() && objects.iter().all(is_global);
        }
    });
    fine
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Builder;

    /// The first of two functions that call each other: `even(n) { total := n; return odd(n) }`, `odd(n) { n := total; .. }`.
    #[test]
    fn what_calls_change() {
        let mut b = Builder::new();
        let int = crate::Scalar::INT;
        let total = b.reg(None, "total", int);
        let (even, odd) = (b.func("even", &[int]), b.func("odd", &[int]));
        let (n, m) = (b.program.functions[even].params[0], b.program.functions[odd].params[0]);
        let (n_now, total_now) = (b.var(n), b.var(total));
        let start = b.program.start;
        let ops = [
            (start, vec![b.call(even, &[total_now])]),
            (even, vec![Op::Assign { dst: total, src: n_now }, b.call(odd, &[n_now])]),
            (odd, vec![Op::Assign { dst: m, src: total_now }, b.call(even, &[total_now])]),
        ];
        for (func, ops) in ops {
            let (entry, exit) = (b.entry(func), b.exit(func));
            b.chain(entry, exit, ops);
        }
        let calls = CallGraph::new(&b.program, None);
        let points_to = PointsTo::new(&b.program);
        let procedures = Procedures::new(&b.program, &calls, &points_to);
        let of_even = procedures.get(even).expect("works on registers");
        assert_eq!(
            (&of_even.changed[..], &of_even.kept[..], &of_even.lost[..]),
            (&[total][..], &[n][..], &[total][..])
        );
        let of_odd = procedures.get(odd).expect("works on registers");
        assert_eq!((&of_odd.kept[..], of_odd.lost.len()), (&[][..], 2));
        assert!(procedures.get(start).is_none());
        assert!(Procedures::none().get(even).is_none() && Procedures::none().is_empty());
    }
}

//! Objects that a run allocates at most once, and registers that hold their addresses.

use crate::edges::redirect;
use crate::registers::zero_register;
use cfa::callgraph::CallGraph;
use cfa::expr::ExprKind;
use cfa::loops::Wto;
use cfa::op::{AllocKind, Op};
use cfa::program::{EdgeId, FuncId, Program, VarId};
use cfa::value::Scalar;
use std::collections::BTreeSet;

/// Name of the registers, followed by the number of the edge.
const OBJECT: &str = "__hone_object_";

/// The size of the object that an edge allocates on the heap, if it is a constant and no run comes there twice.
pub(super) fn size(program: &Program, wto: &Wto, calls: &CallGraph, edge: EdgeId) -> Option<u64> {
    let Op::Alloc { size, kind: AllocKind::Heap | AllocKind::HeapZeroed, .. } = program.edges[edge].op else {
        return None;
    };
    let size = u64::try_from(program.exprs.as_const(size)?.0).ok()?;
    let mut seen: BTreeSet<FuncId> = BTreeSet::new();
    let mut at = edge;
    loop {
        let loc = program.edges[at].src;
        let func = program.locs[loc].func;
        if wto.innermost(loc).is_some() || !seen.insert(func) {
            return None;
        }
        if func == program.start {
            return Some(size);
        }
        let [site] = calls.call_sites(func) else { return None };
        at = *site;
    }
}

/// Adds a register that holds the address of the object that an edge allocates, and null before.
pub(super) fn remember(program: &mut Program, edge: EdgeId) -> Option<VarId> {
    let Op::Alloc { dst: pointer, .. } = program.edges[edge].op else { return None };
    let name = format!("{OBJECT}{}", base::Id::index(edge));
    let object = zero_register(program, &name, Scalar::Ptr, program.vars[pointer].ctype);
    let (dst, span) = (program.edges[edge].dst, program.edges[edge].span);
    let between = program.add_loc(program.locs[dst].func);
    redirect(program, edge, between);
    let src = program.exprs.add(ExprKind::Var(pointer), Scalar::Ptr);
    program.add_edge(between, dst, Op::Assign { dst: object, src }, span);
    Some(object)
}

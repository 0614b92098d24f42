//! Registers that the sizes of objects are computed from.
//!
//! Whether an access stays in its object is decided by how an index compares with them, long after the program reads them for the last time.

use crate::expr::{ExprId, ExprKind};
use crate::op::Op;
use crate::program::{Program, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Finds them, by way of assignments and parameters.
pub fn registers(program: &Program) -> BTreeSet<VarId> {
    let mut sources: BTreeMap<VarId, Vec<ExprId>> = BTreeMap::new();
    let mut work: Vec<ExprId> = Vec::new();
    for edge in program.locs.iter().flat_map(|loc| &loc.out) {
        match &program.edges[*edge].op {
            Op::Alloc { size, .. } => work.push(*size),
            Op::Assign { dst, src } => sources.entry(*dst).or_default().push(*src),
            Op::Call { func, args, .. } => {
                for (param, arg) in program.functions[*func].params.iter().zip(args) {
                    sources.entry(*param).or_default().push(*arg);
                }
            }
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    while let Some(expr) = work.pop() {
        program.exprs.walk(expr, |_, e| {
            if let ExprKind::Var(var) = e.kind
                && found.insert(var)
            {
                work.extend(sources.remove(&var).unwrap_or_default());
            }
        });
    }
    found
}

//! Local variables that loops assign without naming them in their assigns clauses.
//!
//! Those that are used in the loop only are local to it, wherever they are declared, as CBMC has it; that is known when the whole function is.

use crate::context::Lowerer;
use crate::frames::Unnamed;
use cfa::{ExprKind, Op, VarId};
use std::ops::Range;

impl Lowerer<'_> {
    /// The function is known now.
    pub(crate) fn guard_unnamed(&mut self) {
        let resumed = self.f.flow.cur.take();
        for Unnamed { var, edges, inside, forbidden, fault } in std::mem::take(&mut self.f.contract.unnamed) {
            if self.is_used_outside(var, &inside) {
                for edge in edges {
                    let span = self.f.flow.span(edge);
                    self.fail_before(edge, forbidden, fault, span);
                }
            }
        }
        self.f.flow.cur = resumed;
    }

    /// Whether some edge of the function that does not belong to a loop reads or assigns a variable. What contracts make arbitrary counts as no use.
    fn is_used_outside(&self, var: VarId, inside: &Range<usize>) -> bool {
        (0..self.f.flow.n_edges()).filter(|edge| !inside.contains(edge)).any(|edge| {
            let op = self.f.flow.op(edge);
            let mut is_used = op.assigned() == Some(var) && !matches!(op, Op::Havoc { .. });
            op.for_each_expr(|e| self.p.exprs.walk(e, |_, expr| is_used |= expr.kind == ExprKind::Var(var)));
            is_used
        })
    }
}

//! What a function may free: in its frame, and where its contract stands for it.

use crate::context::Lowerer;
use base::Span;
use cfa::{Access, AllocKind, BinOp, ExprId, ExprKind, HavocSource, Op, Scalar};
use cfront::typed::contract::{Place as Named, Target};

impl<'u> Lowerer<'u> {
    /// The values of the pointers in a frees clause; null where a condition does not hold.
    pub(super) fn freed_pointers(&mut self, frees: &'u [Target]) -> Vec<ExprId> {
        let mut pointers = Vec::new();
        for Target { condition, place, span } in frees {
            let Named::Object(pointer) = place else { continue };
            let holds = condition.as_ref().map(|condition| {
                let holds = self.truth_value(condition);
                self.stable(holds, *span)
            });
            let value = self.rvalue(pointer);
            let mut value = self.as_pointer(value);
            if let Some(holds) = holds {
                let null = self.zero(Scalar::Ptr);
                value = self.ite(holds, value, null);
            }
            pointers.push(self.stable(value, *span));
        }
        pointers
    }

    /// Whether what begins at a pointer may be freed: the pointer is one of some, or the byte that is watched lies before it. The comparison also lets the byte be one
    /// of that object: numbers lead to objects only whose addresses are used as numbers.
    pub(super) fn may_be_freed(&mut self, pointer: ExprId, pointers: &[ExprId], byte: ExprId) -> ExprId {
        let address = self.cast(pointer, self.usize_ty());
        let mut found = self.binary(BinOp::Lt, byte, address);
        for other in pointers {
            let same = self.binary(BinOp::Eq, pointer, *other);
            found = self.binary(BinOp::Or, found, same);
        }
        found
    }

    /// Each of the objects is freed, or not. What can't be freed is not: a function that keeps its contract would not have done so.
    pub(super) fn maybe_free(&mut self, pointers: &[ExprId], span: Span) {
        for ptr in pointers.iter().copied() {
            let choice = self.register(Scalar::Bool, "is freed", span);
            self.emit(Op::Havoc { dst: choice, source: HavocSource::Environment }, span);
            let (choice, set, none) = (self.var(choice), self.truth(ptr), self.size_constant(0));
            let valid = self.p.exprs.add(ExprKind::Valid(Access::Free, ptr, none), Scalar::Bool);
            let fits = self.binary(BinOp::And, set, valid);
            let freed = self.binary(BinOp::And, choice, fits);
            self.when(freed, span, |this| {
                if this.blocks_matter() {
                    this.count_block(BinOp::Sub, span);
                }
                this.emit(Op::Free { ptr, kind: AllocKind::Heap }, span);
            });
        }
    }
}

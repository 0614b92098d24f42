//! `__builtin_object_size`, as GCC answers it without optimisation: addresses of variables and their elements have a size, others don't.

use crate::context::Lowerer;
use crate::effects::constant_of;
use cfa::ExprId;
use cfront::typed::{Expr, ExprKind, Size};

impl<'u> Lowerer<'u> {
    /// Number of bytes from a pointer to the end of its object, or of the member or row that it is in. The arguments are not evaluated.
    pub fn object_size(&mut self, args: &'u [Expr], e: &'u Expr) -> ExprId {
        let kind = constant_of(&args[1]).unwrap_or(0);
        let size = match self.bytes_behind(&args[0], kind & 1 != 0) {
            Some(size) => i128::from(size.max(0)),
            // What holds of an object that is not known.
            None if kind & 2 != 0 => 0,
            None => -1,
        };
        let ty = self.scalar_or_int(e.ty);
        self.constant(size, ty)
    }

    fn bytes_behind(&self, pointer: &Expr, closest: bool) -> Option<i64> {
        match &pointer.kind {
            ExprKind::Cast(inner) if self.unit.types.pointee(inner.ty).is_some() => self.bytes_behind(inner, closest),
            ExprKind::Decay(lvalue) | ExprKind::AddrOf(lvalue) => self.bytes_from(lvalue, closest),
            ExprKind::PtrAdd { ptr, index, elem_size: Size::Const(size), negative: false } => {
                let index = i64::try_from(constant_of(index)?).ok()?;
                let all = match &ptr.kind {
                    ExprKind::Decay(row) if closest && matches!(row.kind, ExprKind::Deref(_)) => self.whole(row),
                    _ => self.bytes_behind(ptr, closest),
                };
                all?.checked_sub(index.checked_mul(i64::try_from(*size).ok()?)?)
            }
            _ => None,
        }
    }

    fn bytes_from(&self, lvalue: &Expr, closest: bool) -> Option<i64> {
        match &lvalue.kind {
            ExprKind::Var(_) if self.is_variable_length(lvalue.ty) => None,
            ExprKind::Var(_) | ExprKind::String(_) => self.whole(lvalue),
            ExprKind::Member { .. } if closest => self.whole(lvalue),
            ExprKind::Member { base, offset, .. } => {
                self.bytes_from(base, closest)?.checked_sub(i64::try_from(*offset).ok()?)
            }
            ExprKind::Deref(element) => self.bytes_behind(element, closest),
            _ => None,
        }
    }

    fn whole(&self, lvalue: &Expr) -> Option<i64> {
        i64::try_from(self.size(lvalue.ty)?).ok()
    }
}

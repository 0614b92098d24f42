//! What functions of C's library and of POSIX that have neither a body nor a model return.
//!
//! Of functions that [`Bounds`] has no line of, any value of their type is expected.

use crate::context::Lowerer;
use base::Span;
use cfa::library::{Bounds, Most};
use cfa::{BinOp, ExprId, Op, Scalar};

impl Lowerer<'_> {
    /// Runs go on with results only that a library function may have.
    pub fn keep_bounds(&mut self, name: &str, args: &[ExprId], result: ExprId, span: Span) {
        let ty = self.ty(result);
        let of_shorter = || name.strip_suffix(['f', 'l']).filter(|_| ty.is_float()).and_then(Bounds::of);
        let Some(bounds) = Bounds::of(name).or_else(of_shorter) else { return };
        let can_tell = ty.is_float() || ty.is_signed() || bounds.least >= Some(0);
        if !can_tell || !(ty.is_float() || matches!(ty, Scalar::Int { .. })) {
            return;
        }
        let mut bad = self.zero(Scalar::Bool);
        if let Some(least) = bounds.least {
            let least = self.number(least, ty);
            bad = self.binary(BinOp::Lt, result, least);
        }
        let above = match bounds.most {
            Some(Most::Constant(most)) if ty.is_float() || most >> (ty.bits(self.pointer_bits) - 1).min(126) == 0 => {
                let most = self.number(most, ty);
                Some(self.binary(BinOp::Gt, result, most))
            }
            Some(Most::Argument(i)) => self.above(BinOp::Gt, result, args.get(i)),
            Some(Most::Below(i)) => self.above(BinOp::Ge, result, args.get(i)),
            Some(Most::Constant(_)) | None => None,
        };
        if let Some(above) = above {
            bad = self.binary(BinOp::Or, bad, above);
        }
        self.when(bad, span, |this| this.emit(Op::Halt, span));
    }

    /// Whether a result that is greater than 0 is greater than an argument, or not less; both are sizes. `None` if they are too wide.
    fn above(&mut self, op: BinOp, result: ExprId, arg: Option<&ExprId>) -> Option<ExprId> {
        let arg = *arg?;
        let is_size = |e| matches!(self.ty(e), Scalar::Int { bits, .. } if u32::from(bits) <= self.pointer_bits);
        if !is_size(result) || !is_size(arg) {
            return None;
        }
        let positive = self.with_constant(BinOp::Gt, result, 0);
        let (result, arg) = (self.as_size(result), self.as_size(arg));
        let above = self.binary(op, result, arg);
        Some(self.binary(BinOp::And, positive, above))
    }

    fn number(&mut self, value: i128, ty: Scalar) -> ExprId {
        let wide = self.constant(value, Scalar::Int { bits: 64, signed: true });
        self.cast(wide, ty)
    }
}

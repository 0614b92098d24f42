//! `a == b` on structs, which CBMC's dialect has: all members are equal.

use super::Sema;
use crate::typed::{Expr, ExprKind};
use crate::types::{ArrayLen, BitField, Type, TypeId};
use base::Span;
use syntax::ast::BinaryOp;

/// Records of more scalars are not compared.
const MAX_SCALARS: usize = 256;

/// A scalar in a record: its type, offset and bits.
type Scalar = (TypeId, u64, Option<BitField>);

impl Sema<'_> {
    /// The comparison of two structs, if that is what it is and the program is in CBMC's dialect.
    pub(super) fn compared_records(&self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Option<Expr> {
        let (ExprKind::Load(x), ExprKind::Load(y)) = (&a.kind, &b.kind) else { return None };
        let is_struct = matches!(self.types.get(a.ty), Type::Record(_)) && a.ty == b.ty;
        if !is_struct || !matches!(op, BinaryOp::Eq | BinaryOp::Ne) || !is_plain(x) || !is_plain(y) {
            return None;
        }
        let mut scalars = Vec::new();
        if !self.is_cprover() || !self.scalars(a.ty, 0, &mut scalars) {
            return None;
        }
        let int = self.common.int;
        let (join, mut whole) = match op {
            BinaryOp::Eq => (BinaryOp::LogAnd, self.int_expr(1, int, span)),
            _ => (BinaryOp::LogOr, self.int_expr(0, int, span)),
        };
        for (ty, offset, bits) in scalars {
            let member = |record: &Expr| {
                let kind = ExprKind::Member { base: Box::new(record.clone()), offset, bits };
                let member = Expr { kind, ty, span };
                Box::new(self.promote(Expr { kind: ExprKind::Load(Box::new(member)), ty, span }))
            };
            let equal = Expr { kind: ExprKind::Binary(op, member(x), member(y)), ty: int, span };
            whole = Expr { kind: ExprKind::Binary(join, Box::new(whole), Box::new(equal)), ty: int, span };
        }
        Some(whole)
    }

    /// Collects the scalars of a type at an offset; no if there are too many, or some overlap.
    fn scalars(&self, ty: TypeId, offset: u64, found: &mut Vec<Scalar>) -> bool {
        match self.types.get(ty) {
            Type::Record(id) => {
                let record = &self.types.records[*id];
                let Some(layout) = record.layout.as_ref().filter(|_| !record.is_union) else { return false };
                layout.fields.iter().all(|field| match field.bits {
                    Some(_) => {
                        found.push((field.ty, offset + field.offset, field.bits));
                        found.len() <= MAX_SCALARS
                    }
                    None => self.scalars(field.ty, offset + field.offset, found),
                })
            }
            Type::Array(elem, ArrayLen::Fixed(n)) => {
                let Some(size) = self.types.size_of(self.machine, *elem) else { return false };
                *n <= MAX_SCALARS as u64 && (0..*n).all(|i| self.scalars(*elem, offset + i * size, found))
            }
            _ if self.types.is_scalar(ty) => {
                found.push((ty, offset, None));
                found.len() <= MAX_SCALARS
            }
            _ => false,
        }
    }
}

/// Whether an lvalue can be evaluated several times.
fn is_plain(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) => true,
        ExprKind::Member { base, .. } => is_plain(base),
        ExprKind::Deref(pointer) => matches!(&pointer.kind, ExprKind::Load(lvalue) if is_plain(lvalue)),
        _ => false,
    }
}

//! Values of bit-fields with more bits than `int`: GCC computes with them in integers of exactly so many bits (C11 6.7.2.1 leaves their type
//! to implementations; Clang takes the declared one).

use super::Sema;
use crate::typed::{Expr, ExprKind};
use crate::types::TypeId;
use syntax::machine_model::IntKind;

/// Width if the value of `e` is that of a bit-field, or computed of such values in their width.
pub(super) fn bit_field_width(e: &Expr) -> Option<u32> {
    let mut e = e;
    loop {
        match &e.kind {
            ExprKind::Member { bits, .. } => return bits.map(|b| b.width),
            ExprKind::Wrap(_, width) => return Some(*width),
            ExprKind::Load(inner)
            | ExprKind::Assign(inner, _)
            | ExprKind::Comma(_, inner)
            | ExprKind::StmtExpr { value: Some(inner), .. }
            | ExprKind::Conditional { otherwise: inner, .. } => e = inner,
            ExprKind::CompoundAssign { lhs, .. } | ExprKind::IncDec { lhs, .. } => e = lhs,
            _ => return None,
        }
    }
}

impl Sema<'_> {
    /// Width of a promoted value if it is that of a bit-field and less than its type has.
    pub(super) fn wide_bit_field(&self, e: &Expr) -> Option<u32> {
        let width = bit_field_width(e)?;
        (self.machine.int_bits(IntKind::Int) < width && self.is_narrow(e.ty, width)).then_some(width)
    }

    /// Type and width to which two integers are converted, of which promoted types and widths are given, where one is the value of a
    /// bit-field with more bits than `int`: those with more bits; of two with the same number, the unsigned ones.
    pub(super) fn common_bit_field(&self, a: (TypeId, Option<u32>), b: (TypeId, Option<u32>)) -> Option<(TypeId, u32)> {
        if a.1.is_none() && b.1.is_none() {
            return None;
        }
        let rank = |(ty, width): (TypeId, Option<u32>)| {
            let kind = self.types.int_kind(ty)?;
            Some((width.unwrap_or(self.machine.int_bits(kind)), !kind.is_signed()))
        };
        let (of_a, of_b) = (rank(a)?, rank(b)?);
        Some(if of_a >= of_b { (a.0, of_a.0) } else { (b.0, of_b.0) })
    }

    /// Converts an integer to one with the given number of bits, whose values a type has.
    pub(super) fn to_bit_field(&self, e: Expr, ty: TypeId, width: u32) -> Expr {
        if e.ty == ty && bit_field_width(&e) == Some(width) {
            return e;
        }
        let e = self.cast_from_bit_field(e, ty);
        self.wrap(e, width)
    }

    /// A cast that is also there if only a width changes.
    pub(super) fn cast_from_bit_field(&self, e: Expr, ty: TypeId) -> Expr {
        let span = e.span;
        match bit_field_width(&e) {
            Some(_) => Expr { kind: ExprKind::Cast(Box::new(e)), ty, span },
            None => self.cast(e, ty, span),
        }
    }

    /// What is computed of values with a width in so many bits.
    pub(super) fn in_width(&self, width: Option<u32>, result: Expr) -> Expr {
        match width {
            Some(width) => self.wrap(result, width),
            None => result,
        }
    }

    fn wrap(&self, e: Expr, width: u32) -> Expr {
        if !self.is_narrow(e.ty, width) {
            return e;
        }
        let (ty, span) = (e.ty, e.span);
        Expr { kind: ExprKind::Wrap(Box::new(e), width), ty, span }
    }

    /// Whether an integer type has more bits.
    pub(super) fn is_narrow(&self, ty: TypeId, width: u32) -> bool {
        self.types.int_kind(ty).is_some_and(|kind| width < self.machine.int_bits(kind))
    }
}

//! Linear forms over bit-vectors: sums of multiples modulo a power of two.

use crate::exprs::Exprs;
use cfa::{BinOp, ExprId, ExprKind, Scalar, UnOp};
use smt::value::mask;
use std::collections::BTreeMap;

/// `constant + Σ coefficient · atom` modulo 2^width; atoms are expressions cut to the width, or with at least that width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear {
    /// Number of bits.
    pub width: u32,
    /// The constant.
    pub constant: u128,
    /// Coefficients, none of them zero.
    pub terms: BTreeMap<ExprId, u128>,
}

impl Linear {
    /// A constant.
    pub fn constant(value: u128, width: u32) -> Self {
        Self { width, constant: value & mask(width), terms: BTreeMap::new() }
    }

    /// One expression.
    pub fn atom(expr: ExprId, width: u32) -> Self {
        Self { width, constant: 0, terms: BTreeMap::from([(expr, 1)]) }
    }

    /// The form of an expression of an integer or pointer type that has at least `width` bits.
    pub fn of(e: &Exprs<'_>, expr: ExprId, width: u32) -> Self {
        let form = |a| Self::of(e, a, width);
        let is_wide = |a| is_integral(e.ty(a)) && e.width(a) >= width;
        match e.kind(expr) {
            ExprKind::Const(value) => Self::constant(value.0, width),
            ExprKind::Unary(UnOp::Neg, a) => form(a).scale(mask(width)),
            ExprKind::Unary(UnOp::BitNot, a) => form(a).scale(mask(width)).plus(&Self::constant(1, width), mask(width)),
            ExprKind::Binary(op, a, b) if !e.ty(expr).is_float() => match (op, e.as_const(b)) {
                (BinOp::Add, _) => form(a).plus(&form(b), 1),
                (BinOp::Sub, _) => form(a).plus(&form(b), mask(width)),
                (BinOp::Shl, Some(by)) if by.0 < 128 => form(a).scale(1 << by.0),
                (BinOp::Mul, _) => match (form(a), form(b)) {
                    (x, y) if x.terms.is_empty() => y.scale(x.constant),
                    (x, y) if y.terms.is_empty() => x.scale(y.constant),
                    _ => Self::atom(expr, width),
                },
                _ => Self::atom(expr, width),
            },
            ExprKind::PtrAdd(a, b) if is_wide(b) => form(a).plus(&form(b), 1),
            ExprKind::Cast(a) if is_wide(a) => form(a),
            _ => Self::atom(expr, width),
        }
    }

    /// All coefficients times a number.
    pub fn scale(self, by: u128) -> Self {
        Self::constant(0, self.width).plus(&self, by)
    }

    /// `self + by · other`.
    pub fn plus(mut self, other: &Self, by: u128) -> Self {
        let mask = mask(self.width);
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(by)) & mask;
        for (atom, c) in &other.terms {
            let entry = self.terms.entry(*atom).or_default();
            *entry = entry.wrapping_add(c.wrapping_mul(by)) & mask;
        }
        self.terms.retain(|_, c| *c != 0);
        self
    }

    /// Without an atom that occurs exactly once; `None` if it does not.
    pub fn without(mut self, atom: ExprId) -> Option<Self> {
        (self.terms.remove(&atom) == Some(1)).then_some(self)
    }
}

/// Whether values of the type have linear forms.
pub fn is_integral(ty: Scalar) -> bool {
    ty.is_int() || ty == Scalar::Ptr
}

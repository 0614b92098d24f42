//! Linear forms over bit-vectors: sums of multiples modulo a power of two.

use cfa::{BinOp, ExprId, ExprKind, Program, UnOp};
use std::collections::BTreeMap;

/// `constant + Σ coefficient · atom` modulo 2^width; atoms are expressions cut to the width, or with at least that width.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Linear {
    /// The constant.
    pub constant: u128,
    /// Coefficients, none of them zero.
    pub terms: BTreeMap<ExprId, u128>,
}

/// The bits of a width.
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The signed number that `width` bits mean.
pub fn signed(value: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

impl Linear {
    /// A constant.
    pub fn constant(value: u128, width: u32) -> Self {
        Self { constant: value & mask(width), terms: BTreeMap::new() }
    }

    /// The form of an expression of an integer or pointer type that has at least `width` bits.
    pub fn of(program: &Program, expr: ExprId, width: u32) -> Self {
        let pool = &program.exprs;
        let ty = pool.ty(expr);
        match pool.kind(expr) {
            ExprKind::Const(value) => Self::constant(value.0, width),
            ExprKind::Unary(UnOp::Neg, a) => Self::of(program, a, width).scale(mask(width), width),
            ExprKind::Unary(UnOp::BitNot, a) => Self::of(program, a, width).scale(mask(width), width).plus(
                &Self::constant(mask(width), width),
                1,
                width,
            ),
            ExprKind::Binary(BinOp::Add, a, b) if !ty.is_float() => {
                Self::of(program, a, width).plus(&Self::of(program, b, width), 1, width)
            }
            ExprKind::Binary(BinOp::Sub, a, b) if !ty.is_float() => {
                Self::of(program, a, width).plus(&Self::of(program, b, width), mask(width), width)
            }
            ExprKind::Binary(BinOp::Mul, a, b) if !ty.is_float() => {
                let (x, y) = (Self::of(program, a, width), Self::of(program, b, width));
                match (x.terms.is_empty(), y.terms.is_empty()) {
                    (true, _) => y.scale(x.constant, width),
                    (_, true) => x.scale(y.constant, width),
                    _ => Self::atom(expr),
                }
            }
            ExprKind::Binary(BinOp::Shl, a, b) if !ty.is_float() => match pool.as_const(b) {
                Some(by) if by.0 < 128 => Self::of(program, a, width).scale(1 << by.0, width),
                _ => Self::atom(expr),
            },
            ExprKind::PtrAdd(a, b) if pool.ty(b).bits(program.pointer_bits()) >= width => {
                Self::of(program, a, width).plus(&Self::of(program, b, width), 1, width)
            }
            ExprKind::Cast(a) => {
                let from = pool.ty(a);
                let integral = from.is_int() || from == cfa::Scalar::Ptr;
                if integral && from.bits(program.pointer_bits()) >= width {
                    Self::of(program, a, width)
                } else {
                    Self::atom(expr)
                }
            }
            _ => Self::atom(expr),
        }
    }

    /// One expression.
    pub fn atom(expr: ExprId) -> Self {
        Self { constant: 0, terms: BTreeMap::from([(expr, 1)]) }
    }

    /// All coefficients times a number.
    pub fn scale(mut self, by: u128, width: u32) -> Self {
        self.constant = self.constant.wrapping_mul(by) & mask(width);
        self.terms.values_mut().for_each(|c| *c = c.wrapping_mul(by) & mask(width));
        self.terms.retain(|_, c| *c != 0);
        self
    }

    /// `self + by · other`.
    pub fn plus(mut self, other: &Self, by: u128, width: u32) -> Self {
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(by)) & mask(width);
        for (atom, c) in &other.terms {
            let entry = self.terms.entry(*atom).or_default();
            *entry = entry.wrapping_add(c.wrapping_mul(by)) & mask(width);
        }
        self.terms.retain(|_, c| *c != 0);
        self
    }

    /// Without an atom that occurs exactly once; `None` if it does not.
    pub fn without(mut self, atom: ExprId) -> Option<Self> {
        (self.terms.remove(&atom) == Some(1)).then_some(self)
    }
}

//! Least and greatest values of bit-vectors, as numbers without sign: each term's follow from those of its children.

use super::{BinOp, Node, TermId, Terms, UnOp};
use crate::sort::Sort;
use crate::value::mask;

/// Least and greatest value.
pub(super) type Bounds = (u128, u128);

impl Terms {
    /// Least and greatest unsigned value of a bit-vector, as far as its form tells.
    #[inline]
    pub fn bounds(&self, t: TermId) -> (u128, u128) {
        self.bounds[t.index()]
    }

    /// Bounds of a node whose children have theirs.
    pub(super) fn bounds_of(&self, node: Node, sort: Sort) -> Bounds {
        let Sort::BitVec(width) = sort else { return (0, 0) };
        let max = mask(width);
        let found = match node {
            Node::Bv { value, .. } => Some((value, value)),
            Node::Un(op, x) => self.of_unary(op, x, max),
            Node::Bin(op, a, b) => self.of_binary(op, a, b, max),
            Node::Ite(_, a, b) => {
                let ((a_min, a_max), (b_min, b_max)) = (self.bounds(a), self.bounds(b));
                Some((a_min.min(b_min), a_max.max(b_max)))
            }
            _ => None,
        };
        found.unwrap_or((0, max))
    }

    fn of_unary(&self, op: UnOp, x: TermId, max: u128) -> Option<Bounds> {
        if !matches!(self.sort(x), Sort::BitVec(_)) {
            return None;
        }
        let (x_min, x_max) = self.bounds(x);
        match op {
            UnOp::ZeroExt(_) => Some((x_min, x_max)),
            UnOp::SignExt(_) => {
                let inner = mask(self.width(x));
                let copies = max & !inner;
                match inner >> 1 {
                    half if x_max <= half => Some((x_min, x_max)),
                    half if x_min > half => Some((x_min | copies, x_max | copies)),
                    _ => None,
                }
            }
            UnOp::Extract { lo, .. } => {
                let (min, end) = (x_min >> lo, x_max >> lo);
                // Without a carry into the bits that are cut off.
                ((min & !max) == (end & !max)).then_some((min & max, end & max))
            }
            UnOp::BvNot => Some((max - x_max, max - x_min)),
            UnOp::BvNeg if x_min > 0 => Some((max - x_max + 1, max - x_min + 1)),
            _ => None,
        }
    }

    fn of_binary(&self, op: BinOp, a: TermId, b: TermId, max: u128) -> Option<Bounds> {
        if !matches!(self.sort(a), Sort::BitVec(_)) {
            return None;
        }
        let ((a_min, a_max), (b_min, b_max)) = (self.bounds(a), self.bounds(b));
        match op {
            BinOp::Concat => {
                let width = self.width(b);
                Some((a_min << width | b_min, a_max << width | b_max))
            }
            BinOp::BvAdd => {
                // All sums wrap around, or none does.
                let wraps = |a: u128, b: u128| a > max - b;
                let (lo, hi) = (a_min.wrapping_add(b_min) & max, a_max.wrapping_add(b_max) & max);
                (wraps(a_min, b_min) == wraps(a_max, b_max)).then_some((lo, hi))
            }
            BinOp::BvSub => {
                let (lo, hi) = (a_min.wrapping_sub(b_max) & max, a_max.wrapping_sub(b_min) & max);
                ((a_min < b_max) == (a_max < b_min)).then_some((lo, hi))
            }
            BinOp::BvMul => {
                let product = a_max.checked_mul(b_max).filter(|product| *product <= max)?;
                Some((a_min * b_min, product))
            }
            BinOp::BvUdiv if b_min > 0 => Some((a_min / b_max, a_max / b_min)),
            BinOp::BvUrem if b_min > a_max => Some((a_min, a_max)),
            BinOp::BvUrem if b_min > 0 => Some((0, a_max.min(b_max - 1))),
            BinOp::BvUrem | BinOp::BvLshr => Some((0, a_max)),
            BinOp::BvAnd => Some((0, a_max.min(b_max))),
            BinOp::BvOr => Some((a_min.max(b_min), below_power(a_max | b_max))),
            BinOp::BvXor => Some((0, below_power(a_max | b_max))),
            _ => None,
        }
    }
}

/// The least number of ones in binary that is not below `value`.
fn below_power(value: u128) -> u128 {
    match value {
        0 => 0,
        _ => u128::MAX >> value.leading_zeros(),
    }
}

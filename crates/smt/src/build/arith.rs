//! Bit-vector arithmetic.

use crate::term::{BinOp, Node, TermId, Terms, UnOp};
use crate::value::{mask, to_signed};

/// Divisions are made narrower by no fewer bits.
const LEAST_SAVED: u32 = 4;

impl Terms {
    /// `t` as a term plus a constant.
    pub fn split_offset(&self, t: TermId) -> (TermId, u128) {
        if let Node::Bin(BinOp::BvAdd, base, c) = self.node(t)
            && let Some(c) = self.as_bv_const(c)
        {
            return (base, c);
        }
        (t, 0)
    }

    /// `t + c`.
    #[track_caller]
    pub fn bv_add_const(&mut self, t: TermId, c: u128) -> TermId {
        let width = self.width(t);
        let c = self.bv(width, c);
        self.bv_add(t, c)
    }

    /// Sum.
    #[track_caller]
    pub fn bv_add(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::BvAdd, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if let Some(c) = self.as_bv_const(b) {
            if c == 0 {
                return a;
            }
            return match self.node(a) {
                Node::Bin(BinOp::BvAdd, x, d) if self.is_const(d) => {
                    let sum = self.bv_add(d, b);
                    self.bv_add(x, sum)
                }
                Node::Un(UnOp::BvNot, x) if c == 1 => self.bv_neg(x),
                _ => self.raw_bin(BinOp::BvAdd, a, b),
            };
        }
        for (a, b) in [(a, b), (b, a)] {
            match self.node(a) {
                Node::Bin(BinOp::BvAdd, x, c) if self.is_const(c) => {
                    let sum = self.bv_add(x, b);
                    return self.bv_add(sum, c);
                }
                Node::Bin(BinOp::BvSub, x, y) if y == b => return x,
                Node::Un(UnOp::BvNeg, x) => return self.bv_sub(b, x),
                Node::Bin(BinOp::BvMul, x, y) => {
                    if let Some(dividend) = self.divided(x, y, b).or_else(|| self.divided(y, x, b)) {
                        return dividend;
                    }
                }
                _ => {}
            }
        }
        if a == b && width > 1 {
            return self.shl_const(a, 1);
        }
        self.raw_commutative(BinOp::BvAdd, a, b)
    }

    /// What was divided, if these are its quotient, the divisor and the remainder.
    fn divided(&self, quotient: TermId, divisor: TermId, remainder: TermId) -> Option<TermId> {
        match (self.node(quotient), self.node(remainder)) {
            (Node::Bin(BinOp::BvUdiv, a, b), Node::Bin(BinOp::BvUrem, c, d))
            | (Node::Bin(BinOp::BvSdiv, a, b), Node::Bin(BinOp::BvSrem, c, d))
                if [a, b] == [c, d] && b == divisor =>
            {
                Some(a)
            }
            _ => None,
        }
    }

    /// Difference.
    #[track_caller]
    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return self.bv(width, 0);
        }
        if let Some(folded) = self.fold_bin(BinOp::BvSub, a, b) {
            return folded;
        }
        if let Some(c) = self.as_bv_const(b) {
            return self.bv_add_const(a, c.wrapping_neg());
        }
        if self.is_const(a) {
            let negative = self.bv_neg(b);
            return self.bv_add(negative, a);
        }
        match self.node(a) {
            Node::Bin(BinOp::BvAdd, x, c) if self.is_const(c) => {
                let difference = self.bv_sub(x, b);
                return self.bv_add(difference, c);
            }
            Node::Bin(BinOp::BvAdd, x, y) if y == b => return x,
            Node::Bin(BinOp::BvAdd, x, y) if x == b => return y,
            Node::Bin(BinOp::BvSub, x, y) if x == b => return self.bv_neg(y),
            _ => {}
        }
        match self.node(b) {
            Node::Bin(BinOp::BvAdd, x, c) if self.is_const(c) => {
                let difference = self.bv_sub(a, x);
                self.bv_sub(difference, c)
            }
            Node::Bin(BinOp::BvAdd, x, y) if x == a => self.bv_neg(y),
            Node::Bin(BinOp::BvAdd, x, y) if y == a => self.bv_neg(x),
            Node::Bin(BinOp::BvSub, x, y) if x == a => y,
            Node::Un(UnOp::BvNeg, x) => self.bv_add(a, x),
            _ => self.raw_bin(BinOp::BvSub, a, b),
        }
    }

    /// Two's complement negation.
    #[track_caller]
    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        if let Some(folded) = self.fold_un(UnOp::BvNeg, a) {
            return folded;
        }
        match self.node(a) {
            Node::Un(UnOp::BvNeg, x) => x,
            Node::Bin(BinOp::BvSub, x, y) => self.bv_sub(y, x),
            Node::Bin(BinOp::BvAdd, x, c) if self.is_const(c) => {
                let negative = self.bv_neg(x);
                self.bv_sub(negative, c)
            }
            Node::Bin(BinOp::BvMul, x, c) if self.is_const(c) => {
                let c = self.bv_neg(c);
                self.bv_mul(x, c)
            }
            _ => self.raw_un(UnOp::BvNeg, a),
        }
    }

    /// Product.
    #[track_caller]
    pub fn bv_mul(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::BvMul, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        let Some(c) = self.as_bv_const(b) else { return self.raw_bin(BinOp::BvMul, a, b) };
        let width = self.width(a);
        match c {
            0 => return b,
            1 => return a,
            _ if c == mask(width) => return self.bv_neg(a),
            _ if c.is_power_of_two() => return self.shl_const(a, c.trailing_zeros()),
            _ => {}
        }
        match self.node(a) {
            Node::Bin(BinOp::BvMul, x, d) if self.is_const(d) => {
                let product = self.bv_mul(d, b);
                self.bv_mul(x, product)
            }
            Node::Bin(BinOp::BvAdd, x, d) if self.is_const(d) => {
                let (scaled, offset) = (self.bv_mul(x, b), self.bv_mul(d, b));
                self.bv_add(scaled, offset)
            }
            Node::Un(UnOp::BvNeg, x) => {
                let c = self.bv_neg(b);
                self.bv_mul(x, c)
            }
            _ => self.raw_bin(BinOp::BvMul, a, b),
        }
    }

    /// Unsigned quotient; all ones for a zero divisor.
    #[track_caller]
    pub fn bv_udiv(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::BvUdiv, a, b) {
            return folded;
        }
        let width = self.width(a);
        if let Some(c) = self.as_bv_const(b) {
            if c == 0 {
                return self.bv(width, u128::MAX);
            }
            if c.is_power_of_two() {
                return self.lshr_const(a, c.trailing_zeros());
            }
            if let Node::Un(UnOp::ZeroExt(extra), x) = self.node(a) {
                let inner = self.width(x);
                if c > mask(inner) {
                    return self.bv(width, 0);
                }
                let c = self.bv(inner, c);
                let quotient = self.bv_udiv(x, c);
                return self.zero_ext(extra.into(), quotient);
            }
        }
        if self.bounds(a).1 < self.bounds(b).0 {
            return self.bv(width, 0);
        }
        match self.narrow(a, b).filter(|_| self.bounds(b).0 > 0) {
            Some((extra, a, b)) => {
                let quotient = self.raw_bin(BinOp::BvUdiv, a, b);
                self.zero_ext(extra, quotient)
            }
            None => self.raw_bin(BinOp::BvUdiv, a, b),
        }
    }

    /// Unsigned remainder; the dividend for a zero divisor.
    #[track_caller]
    pub fn bv_urem(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::BvUrem, a, b) {
            return folded;
        }
        let width = self.width(a);
        if a == b {
            return self.bv(width, 0);
        }
        if let Some(c) = self.as_bv_const(b) {
            if c == 0 {
                return a;
            }
            if c == 1 {
                return self.bv(width, 0);
            }
            if c.is_power_of_two() {
                let bits = c.trailing_zeros();
                let low = self.extract(bits - 1, 0, a);
                return self.zero_ext(width - bits, low);
            }
            if let Node::Un(UnOp::ZeroExt(extra), x) = self.node(a) {
                let inner = self.width(x);
                if c > mask(inner) {
                    return a;
                }
                let c = self.bv(inner, c);
                let remainder = self.bv_urem(x, c);
                return self.zero_ext(extra.into(), remainder);
            }
        }
        if self.bounds(a).1 < self.bounds(b).0 {
            return a;
        }
        if let (Node::Un(UnOp::ZeroExt(extra), x), Node::Un(UnOp::ZeroExt(same), y)) = (self.node(a), self.node(b))
            && extra == same
        {
            let remainder = self.bv_urem(x, y);
            return self.zero_ext(extra.into(), remainder);
        }
        match self.narrow(a, b) {
            Some((extra, a, b)) => {
                let remainder = self.raw_bin(BinOp::BvUrem, a, b);
                self.zero_ext(extra, remainder)
            }
            None => self.raw_bin(BinOp::BvUrem, a, b),
        }
    }

    /// Both terms in fewer bits, where the upper ones are zero, and how many those are: circuits that divide are square in the width.
    fn narrow(&mut self, a: TermId, b: TermId) -> Option<(u32, TermId, TermId)> {
        let bits = (128 - (self.bounds(a).1 | self.bounds(b).1).leading_zeros()).max(1);
        let extra = self.width(a).checked_sub(bits).filter(|extra| *extra >= LEAST_SAVED)?;
        Some((extra, self.extract(bits - 1, 0, a), self.extract(bits - 1, 0, b)))
    }

    /// Signed quotient, truncated; by zero -1, or 1 for a negative dividend.
    #[track_caller]
    pub fn bv_sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::BvSdiv, a, b) {
            return folded;
        }
        let width = self.width(a);
        if let Some(c) = self.as_bv_const(b) {
            let signed = to_signed(width, c);
            // In one bit, 1 is -1.
            match signed {
                1 => return a,
                -1 => return self.bv_neg(a),
                _ => {}
            }
            if signed > 0 && self.is_nonnegative(a) {
                return self.bv_udiv(a, b);
            }
            if let Node::Un(UnOp::SignExt(extra), x) = self.node(a) {
                let inner = self.width(x);
                if signed != 0 && to_signed(inner, c) == signed {
                    let c = self.bv(inner, c);
                    let quotient = self.bv_sdiv(x, c);
                    return self.sign_ext(extra.into(), quotient);
                }
            }
        } else if self.is_nonnegative(a) && self.is_nonnegative(b) {
            return self.bv_udiv(a, b);
        }
        self.raw_bin(BinOp::BvSdiv, a, b)
    }

    /// Signed remainder with the dividend's sign; the dividend for a zero divisor.
    #[track_caller]
    pub fn bv_srem(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::BvSrem, a, b) {
            return folded;
        }
        let width = self.width(a);
        if a == b {
            return self.bv(width, 0);
        }
        if let Some(c) = self.as_bv_const(b) {
            let signed = to_signed(width, c);
            match signed {
                0 => return a,
                1 | -1 => return self.bv(width, 0),
                _ => {}
            }
            if signed < 0 && signed.unsigned_abs() <= mask(width - 1) {
                let c = self.bv(width, signed.unsigned_abs());
                return self.bv_srem(a, c);
            }
            if signed > 0 && self.is_nonnegative(a) {
                return self.bv_urem(a, b);
            }
            if let Node::Un(UnOp::SignExt(extra), x) = self.node(a) {
                let inner = self.width(x);
                if to_signed(inner, c) == signed {
                    let c = self.bv(inner, c);
                    let remainder = self.bv_srem(x, c);
                    return self.sign_ext(extra.into(), remainder);
                }
            }
        } else if self.is_nonnegative(a) && self.is_nonnegative(b) {
            return self.bv_urem(a, b);
        }
        if let (Node::Un(UnOp::SignExt(extra), x), Node::Un(UnOp::SignExt(same), y)) = (self.node(a), self.node(b))
            && extra == same
        {
            let remainder = self.bv_srem(x, y);
            return self.sign_ext(extra.into(), remainder);
        }
        self.raw_bin(BinOp::BvSrem, a, b)
    }

    /// Whether the sign bit is surely clear.
    pub(super) fn is_nonnegative(&self, t: TermId) -> bool {
        self.bounds(t).1 <= mask(self.width(t)) >> 1
    }
}

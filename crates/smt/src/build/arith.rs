//! Bit-vector arithmetic.

use crate::term::{BinOp, Node, TermId, Terms, UnOp};
use crate::value::{mask, to_signed};

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
                _ => {}
            }
        }
        if a == b && width > 1 {
            return self.shl_const(a, 1);
        }
        self.raw_commutative(BinOp::BvAdd, a, b)
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
        self.raw_bin(BinOp::BvUdiv, a, b)
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
            if self.bounds(a).1 < c {
                return a;
            }
        }
        if let (Node::Un(UnOp::ZeroExt(extra), x), Node::Un(UnOp::ZeroExt(same), y)) = (self.node(a), self.node(b))
            && extra == same
        {
            let remainder = self.bv_urem(x, y);
            return self.zero_ext(extra.into(), remainder);
        }
        self.raw_bin(BinOp::BvUrem, a, b)
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

    /// Least and greatest unsigned value, as far as a few levels of the term tell.
    pub fn bounds(&self, t: TermId) -> (u128, u128) {
        self.bounds_within(t, 4)
    }

    fn bounds_within(&self, t: TermId, depth: u32) -> (u128, u128) {
        let max = mask(self.width(t));
        let Some(depth) = depth.checked_sub(1) else { return (0, max) };
        match self.node(t) {
            Node::Bv { value, .. } => (value, value),
            Node::Un(UnOp::ZeroExt(_), x) => self.bounds_within(x, depth),
            Node::Bin(BinOp::Concat, hi, lo) => {
                let width = self.width(lo);
                let ((hi_min, hi_max), (lo_min, lo_max)) =
                    (self.bounds_within(hi, depth), self.bounds_within(lo, depth));
                (hi_min << width | lo_min, hi_max << width | lo_max)
            }
            Node::Bin(BinOp::BvAnd, a, b) => (0, self.bounds_within(a, depth).1.min(self.bounds_within(b, depth).1)),
            Node::Bin(BinOp::BvOr, a, b) => (self.bounds_within(a, depth).0.max(self.bounds_within(b, depth).0), max),
            Node::Bin(BinOp::BvUrem, a, b) => {
                let a_max = self.bounds_within(a, depth).1;
                match self.bounds_within(b, depth) {
                    (1.., b_max) => (0, a_max.min(b_max - 1)),
                    _ => (0, a_max),
                }
            }
            Node::Bin(BinOp::BvUdiv, a, b) => match self.bounds_within(b, depth) {
                (b_min @ 1.., b_max) => {
                    let (a_min, a_max) = self.bounds_within(a, depth);
                    (a_min / b_max, a_max / b_min)
                }
                _ => (0, max),
            },
            Node::Bin(BinOp::BvAdd, a, b) => {
                let ((a_min, a_max), (b_min, b_max)) = (self.bounds_within(a, depth), self.bounds_within(b, depth));
                match a_max.checked_add(b_max) {
                    Some(sum) if sum <= max => (a_min + b_min, sum),
                    _ => (0, max),
                }
            }
            Node::Bin(BinOp::BvMul, a, b) => {
                let ((a_min, a_max), (b_min, b_max)) = (self.bounds_within(a, depth), self.bounds_within(b, depth));
                match a_max.checked_mul(b_max) {
                    Some(product) if product <= max => (a_min * b_min, product),
                    _ => (0, max),
                }
            }
            Node::Ite(_, a, b) => {
                let ((a_min, a_max), (b_min, b_max)) = (self.bounds_within(a, depth), self.bounds_within(b, depth));
                (a_min.min(b_min), a_max.max(b_max))
            }
            _ => (0, max),
        }
    }
}

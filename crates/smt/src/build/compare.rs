//! Equality and the orders of bit-vectors.

use crate::sort::Sort;
use crate::term::{BinOp, Node, TermId, Terms, UnOp};
use crate::value::{mask, to_signed};

impl Terms {
    /// Equality on any sort (for floats: of values; see [`Terms::fp_eq`]).
    #[track_caller]
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.tru();
        }
        match self.sort(a) {
            Sort::Bool => self.eq_bool(a, b),
            Sort::BitVec(_) => self.eq_bv(a, b),
            Sort::Float(_) | Sort::Int => match self.fold_bin(BinOp::Eq, a, b) {
                Some(folded) => folded,
                None => self.raw_commutative(BinOp::Eq, a, b),
            },
            Sort::Array { .. } => match (self.node(a), self.node(b)) {
                (Node::Store(x, i, v), Node::Store(y, j, w)) if x == y && i == j => self.eq(v, w),
                (Node::ConstArray(_, v), Node::ConstArray(_, w)) => self.eq(v, w),
                _ => self.raw_commutative(BinOp::Eq, a, b),
            },
        }
    }

    /// Disequality.
    #[track_caller]
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    fn eq_bool(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_bool_const(a), self.as_bool_const(b)) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) => return self.not(b),
            (_, Some(false)) => return self.not(a),
            _ => {}
        }
        if self.complementary(a, b) {
            return self.fals();
        }
        // Negations move outwards.
        match (self.negated(a), self.negated(b)) {
            (Some(a), Some(b)) => self.eq_bool(a, b),
            (Some(inner), None) => {
                let eq = self.eq_bool(inner, b);
                self.not(eq)
            }
            (None, Some(inner)) => {
                let eq = self.eq_bool(a, inner);
                self.not(eq)
            }
            (None, None) => self.raw_commutative(BinOp::Eq, a, b),
        }
    }

    fn eq_bv(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::Eq, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        let result = match self.as_bv_const(b) {
            Some(c) => self.nested(|terms| terms.eq_const(a, b, c)),
            None => self.nested(|terms| terms.eq_terms(a, b)),
        };
        result.unwrap_or_else(|| self.raw_bin(BinOp::Eq, a, b))
    }

    /// `a = c`, where `c` is the value of `b` and `a` is no constant.
    fn eq_const(&mut self, a: TermId, b: TermId, c: u128) -> TermId {
        let width = self.width(a);
        match self.node(a) {
            Node::Bin(BinOp::BvAdd, x, d) if self.is_const(d) => {
                let rest = self.bv_sub(b, d);
                return self.eq(x, rest);
            }
            Node::Un(UnOp::BvNeg, x) => {
                let c = self.bv_neg(b);
                return self.eq(x, c);
            }
            Node::Un(UnOp::BvNot, x) => {
                let c = self.bv_not(b);
                return self.eq(x, c);
            }
            Node::Bin(BinOp::BvXor, x, d) if self.is_const(d) => {
                let c = self.bv_xor(b, d);
                return self.eq(x, c);
            }
            Node::Bin(BinOp::BvXor | BinOp::BvSub, x, y) if c == 0 => return self.eq(x, y),
            Node::Un(UnOp::ZeroExt(_), x) => {
                let inner = self.width(x);
                if c > mask(inner) {
                    return self.fals();
                }
                let c = self.bv(inner, c);
                return self.eq(x, c);
            }
            Node::Un(UnOp::SignExt(_), x) => {
                let inner = self.width(x);
                if to_signed(inner, c) != to_signed(width, c) {
                    return self.fals();
                }
                let c = self.bv(inner, c);
                return self.eq(x, c);
            }
            Node::Bin(BinOp::Concat, hi, lo) => {
                let (hi_width, lo_width) = (self.width(hi), self.width(lo));
                let (hi_c, lo_c) = (self.bv(hi_width, c >> lo_width), self.bv(lo_width, c));
                let (hi_eq, lo_eq) = (self.eq(hi, hi_c), self.eq(lo, lo_c));
                return self.and(hi_eq, lo_eq);
            }
            Node::Bin(BinOp::BvMul, x, d) => {
                if let Some(d) = self.as_bv_const(d)
                    && d % 2 == 1
                {
                    let c = self.bv(width, c.wrapping_mul(inverse(d)));
                    return self.eq(x, c);
                }
            }
            Node::Bin(BinOp::BvAnd, _, m) if self.as_bv_const(m).is_some_and(|m| c & !m != 0) => return self.fals(),
            Node::Bin(BinOp::BvOr, _, m) if self.as_bv_const(m).is_some_and(|m| m & !c != 0) => return self.fals(),
            Node::Bin(BinOp::BvSrem, x, d) => {
                if let Some(d) = self.as_bv_const(d)
                    && d.is_power_of_two()
                    && d < 1 << (width - 1)
                {
                    return self.eq_srem(x, d.trailing_zeros(), c);
                }
            }
            Node::Ite(cond, x, y) => {
                if let Some(found) = self.eq_const_ite((cond, x, y), b, c) {
                    return found;
                }
            }
            _ => {}
        }
        if width == 1 && c == 0 {
            let one = self.bv(1, 1);
            let eq = self.eq(a, one);
            return self.not(eq);
        }
        if self.surely_differ(a, b) {
            return self.fals();
        }
        self.raw_bin(BinOp::Eq, a, b)
    }

    /// The same for an if-then-else with a constant branch.
    fn eq_const_ite(&mut self, (cond, x, y): (TermId, TermId, TermId), b: TermId, c: u128) -> Option<TermId> {
        for (branch, other, cond) in [(x, y, Ok(cond)), (y, x, Err(cond))] {
            if let Some(k) = self.as_bv_const(branch) {
                let taken = match cond {
                    Ok(cond) => cond,
                    Err(cond) => self.not(cond),
                };
                let rest = self.eq(other, b);
                return Some(if k == c {
                    self.or(taken, rest)
                } else {
                    let not_taken = self.not(taken);
                    self.and(not_taken, rest)
                });
            }
        }
        None
    }

    /// `x rem 2^bits = c` for the signed remainder.
    fn eq_srem(&mut self, x: TermId, bits: u32, c: u128) -> TermId {
        let width = self.width(x);
        let signed = to_signed(width, c);
        if signed.unsigned_abs() >= 1 << bits {
            return self.fals();
        }
        let low = self.extract(bits - 1, 0, x);
        let low_c = self.bv(bits, c);
        let low_eq = self.eq(low, low_c);
        if signed == 0 {
            return low_eq;
        }
        let zero = self.bv(width, 0);
        let negative = self.slt(x, zero);
        let sign = if signed < 0 { negative } else { self.not(negative) };
        self.and(sign, low_eq)
    }

    /// `a = b` for terms that are no constants and differ.
    fn eq_terms(&mut self, a: TermId, b: TermId) -> TermId {
        let ((x, c), (y, d)) = (self.split_offset(a), self.split_offset(b));
        if x == y {
            return self.bool_const(c == d);
        }
        if c == d && c != 0 {
            return self.eq(x, y);
        }
        if x < y && c != 0 || y < x && d != 0 {
            // The older base stands alone.
            let (old, new, offset) = if x < y { (x, y, d.wrapping_sub(c)) } else { (y, x, c.wrapping_sub(d)) };
            let sum = self.bv_add_const(new, offset);
            return self.raw_commutative(BinOp::Eq, old, sum);
        }
        for (a, b) in [(a, b), (b, a)] {
            match self.node(a) {
                Node::Bin(BinOp::BvAdd | BinOp::BvXor, x, y) if x == b || y == b => {
                    let (width, other) = (self.width(a), if x == b { y } else { x });
                    let zero = self.bv(width, 0);
                    return self.eq(other, zero);
                }
                Node::Bin(BinOp::BvSub, x, y) if x == b => {
                    let width = self.width(a);
                    let zero = self.bv(width, 0);
                    return self.eq(y, zero);
                }
                Node::Ite(cond, x, y) if x == b => {
                    let rest = self.eq(y, b);
                    return self.or(cond, rest);
                }
                Node::Ite(cond, x, y) if y == b => {
                    let (not_cond, rest) = (self.not(cond), self.eq(x, b));
                    return self.or(not_cond, rest);
                }
                _ => {}
            }
        }
        match (self.node(a), self.node(b)) {
            (Node::Un(UnOp::BvNot, x), Node::Un(UnOp::BvNot, y))
            | (Node::Un(UnOp::BvNeg, x), Node::Un(UnOp::BvNeg, y)) => {
                return self.eq(x, y);
            }
            (Node::Un(UnOp::ZeroExt(_), x), Node::Un(UnOp::ZeroExt(_), y)) => {
                let width = self.width(x).max(self.width(y));
                let (x, y) = (self.zero_resize(width, x), self.zero_resize(width, y));
                return self.eq(x, y);
            }
            (Node::Un(UnOp::SignExt(_), x), Node::Un(UnOp::SignExt(_), y)) => {
                let width = self.width(x).max(self.width(y));
                let (x, y) = (self.sign_resize(width, x), self.sign_resize(width, y));
                return self.eq(x, y);
            }
            (Node::Bin(BinOp::Concat, p, q), Node::Bin(BinOp::Concat, r, s)) if self.sort(p) == self.sort(r) => {
                let (hi, lo) = (self.eq(p, r), self.eq(q, s));
                return self.and(hi, lo);
            }
            (Node::Bin(BinOp::BvAdd, p, q), Node::Bin(BinOp::BvAdd, r, s)) => {
                if p == r {
                    return self.eq(q, s);
                } else if p == s {
                    return self.eq(q, r);
                } else if q == r {
                    return self.eq(p, s);
                } else if q == s {
                    return self.eq(p, r);
                }
            }
            _ => {}
        }
        if self.surely_differ(a, b) {
            return self.fals();
        }
        self.raw_commutative(BinOp::Eq, a, b)
    }

    /// Whether two indices are surely equal (`Some(true)`) or surely different (`Some(false)`); builds no terms.
    pub fn compare_indices(&self, a: TermId, b: TermId) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        if self.is_const(a) && self.is_const(b) {
            return Some(false);
        }
        let ((x, c), (y, d)) = (self.split_offset(a), self.split_offset(b));
        if x == y {
            return Some(c == d);
        }
        self.surely_differ(a, b).then_some(false)
    }

    /// Whether the bounds or the low bits of two terms exclude that they are equal.
    fn surely_differ(&self, a: TermId, b: TermId) -> bool {
        let ((a_min, a_max), (b_min, b_max)) = (self.bounds(a), self.bounds(b));
        a_max < b_min || b_max < a_min || self.congruence(a).excludes(self.congruence(b))
    }

    /// Unsigned `a < b`.
    #[track_caller]
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.fals();
        }
        if let Some(folded) = self.fold_bin(BinOp::BvUlt, a, b) {
            return folded;
        }
        let width = self.width(a);
        if let Some(c) = self.as_bv_const(a) {
            if c == mask(width) {
                return self.fals();
            }
            let next = self.bv(width, c + 1);
            let below = self.ult(b, next);
            return self.not(below);
        }
        if let Some(c) = self.as_bv_const(b) {
            return match self.nested(|terms| terms.ult_const(a, b, c)) {
                Some(result) => result,
                None => self.raw_bin(BinOp::BvUlt, a, b),
            };
        }
        match (self.node(a), self.node(b)) {
            (Node::Un(UnOp::ZeroExt(_), x), Node::Un(UnOp::ZeroExt(_), y)) => {
                let width = self.width(x).max(self.width(y));
                let (x, y) = (self.zero_resize(width, x), self.zero_resize(width, y));
                return self.ult(x, y);
            }
            (Node::Un(UnOp::SignExt(_), x), Node::Un(UnOp::SignExt(_), y)) => {
                let width = self.width(x).max(self.width(y));
                let (x, y) = (self.sign_resize(width, x), self.sign_resize(width, y));
                return self.ult(x, y);
            }
            _ => {}
        }
        self.by_bounds(a, b).unwrap_or_else(|| self.raw_bin(BinOp::BvUlt, a, b))
    }

    /// `a < b` where the bounds decide it.
    fn by_bounds(&self, a: TermId, b: TermId) -> Option<TermId> {
        let ((a_min, a_max), (b_min, b_max)) = (self.bounds(a), self.bounds(b));
        if a_max < b_min {
            Some(self.tru())
        } else if a_min >= b_max {
            Some(self.fals())
        } else {
            None
        }
    }

    /// `a < c`, where `c` is the value of `b` and `a` is no constant.
    fn ult_const(&mut self, a: TermId, b: TermId, c: u128) -> TermId {
        let width = self.width(a);
        if c == 0 {
            return self.fals();
        }
        if c == 1 {
            let zero = self.bv(width, 0);
            return self.eq(a, zero);
        }
        if c == mask(width) {
            return self.ne(a, b);
        }
        match self.node(a) {
            Node::Un(UnOp::ZeroExt(_), x) => {
                let inner = self.width(x);
                if c > mask(inner) {
                    return self.tru();
                }
                let c = self.bv(inner, c);
                return self.ult(x, c);
            }
            Node::Un(UnOp::SignExt(_), x) => {
                // The values are 0 to half - 1 and 2^width - half to 2^width - 1.
                let inner = self.width(x);
                let half = 1u128 << (inner - 1);
                let c = if c <= half || c > mask(width) - half { c & mask(inner) } else { half };
                let c = self.bv(inner, c);
                return self.ult(x, c);
            }
            _ => {}
        }
        if let Some(decided) = self.by_bounds(a, b) {
            return decided;
        }
        if c == 1 << (width - 1) {
            let zero = self.bv(width, 0);
            let negative = self.slt(a, zero);
            return self.not(negative);
        }
        self.raw_bin(BinOp::BvUlt, a, b)
    }

    /// Signed `a < b`.
    #[track_caller]
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.fals();
        }
        if let Some(folded) = self.fold_bin(BinOp::BvSlt, a, b) {
            return folded;
        }
        let width = self.width(a);
        if let Some(c) = self.as_bv_const(a) {
            if c == mask(width) >> 1 {
                return self.fals();
            }
            let next = self.bv(width, c.wrapping_add(1));
            let below = self.slt(b, next);
            return self.not(below);
        }
        if let Some(c) = self.as_bv_const(b) {
            return match self.nested(|terms| terms.slt_const(a, b, c)) {
                Some(result) => result,
                None => self.raw_bin(BinOp::BvSlt, a, b),
            };
        }
        if let (Node::Un(UnOp::SignExt(_), x), Node::Un(UnOp::SignExt(_), y)) = (self.node(a), self.node(b)) {
            let width = self.width(x).max(self.width(y));
            let (x, y) = (self.sign_resize(width, x), self.sign_resize(width, y));
            return self.slt(x, y);
        }
        if self.is_nonnegative(a) && self.is_nonnegative(b) {
            return self.ult(a, b);
        }
        self.raw_bin(BinOp::BvSlt, a, b)
    }

    /// `a < c` signed, where `c` is the value of `b` and `a` is no constant.
    fn slt_const(&mut self, a: TermId, b: TermId, c: u128) -> TermId {
        let width = self.width(a);
        let least = 1u128 << (width - 1);
        if c == least {
            return self.fals();
        }
        if c == least - 1 {
            return self.ne(a, b);
        }
        if c == least + 1 {
            let least = self.bv(width, least);
            return self.eq(a, least);
        }
        if let Node::Un(UnOp::SignExt(_), x) = self.node(a) {
            let inner = self.width(x);
            let (signed, half) = (to_signed(width, c), 1i128 << (inner - 1));
            if signed <= -half {
                return self.fals();
            }
            if signed >= half {
                return self.tru();
            }
            let c = self.bv_signed(inner, signed);
            return self.slt(x, c);
        }
        if self.is_nonnegative(a) {
            return if c >= least { self.fals() } else { self.ult(a, b) };
        }
        self.raw_bin(BinOp::BvSlt, a, b)
    }

    /// Unsigned `a <= b`.
    #[track_caller]
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Unsigned `a > b`.
    #[track_caller]
    pub fn ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(b, a)
    }

    /// Unsigned `a >= b`.
    #[track_caller]
    pub fn uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.ule(b, a)
    }

    /// Signed `a <= b`.
    #[track_caller]
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// Signed `a > b`.
    #[track_caller]
    pub fn sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.slt(b, a)
    }

    /// Signed `a >= b`.
    #[track_caller]
    pub fn sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.sle(b, a)
    }
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration.
fn inverse(odd: u128) -> u128 {
    // Right in the lowest three bits; each step doubles that.
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

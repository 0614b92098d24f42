//! Floats. Few rules hold for them: NaN, signed zeros and rounding forbid most.

use crate::sort::FloatSort;
use crate::term::{BinOp, Node, Round, TermId, Terms, UnOp};

impl Terms {
    /// Sum, to the nearest even.
    #[track_caller]
    pub fn fp_add(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::FpAdd, a, b) {
            return folded;
        }
        self.raw_commutative(BinOp::FpAdd, a, b)
    }

    /// Difference, to the nearest even.
    #[track_caller]
    pub fn fp_sub(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::FpSub, a, b) {
            return folded;
        }
        self.raw_bin(BinOp::FpSub, a, b)
    }

    /// Product, to the nearest even.
    #[track_caller]
    pub fn fp_mul(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::FpMul, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        if self.is_fp_one(b) {
            return a;
        }
        self.raw_commutative(BinOp::FpMul, a, b)
    }

    /// Quotient, to the nearest even.
    #[track_caller]
    pub fn fp_div(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::FpDiv, a, b) {
            return folded;
        }
        if self.is_fp_one(b) {
            return a;
        }
        self.raw_bin(BinOp::FpDiv, a, b)
    }

    /// IEEE remainder (C's `remainder`; for `fmod` see [`Terms::fp_fmod`]).
    #[track_caller]
    pub fn fp_rem(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::FpRem, a, b) {
            return folded;
        }
        self.raw_bin(BinOp::FpRem, a, b)
    }

    /// C's `fmod`: the remainder with the sign of `a`.
    #[track_caller]
    pub fn fp_fmod(&mut self, a: TermId, b: TermId) -> TermId {
        let (abs_a, abs_b) = (self.fp_abs(a), self.fp_abs(b));
        // Between -|b|/2 and |b|/2; the sum is exact, because the result is representable.
        let nearest = self.fp_rem(abs_a, abs_b);
        let sum = self.fp_add(nearest, abs_b);
        let negative = self.fp_is_negative(nearest);
        let zero = self.fp_is_zero(nearest);
        let not_zero = self.not(zero);
        let add = self.and(negative, not_zero);
        let magnitude = self.ite(add, sum, nearest);
        let magnitude = self.fp_abs(magnitude);
        let opposite = self.fp_neg(magnitude);
        let a_negative = self.fp_is_negative(a);
        self.ite(a_negative, opposite, magnitude)
    }

    /// IEEE equality: NaN differs from everything, zeros are equal.
    #[track_caller]
    pub fn fp_eq(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::FpEq, a, b) {
            return folded;
        }
        if a == b {
            let nan = self.fp_is_nan(a);
            return self.not(nan);
        }
        if let Some(compared) = self.compare_integral(BinOp::FpEq, a, b) {
            return compared;
        }
        self.raw_commutative(BinOp::FpEq, a, b)
    }

    /// IEEE `a < b`.
    #[track_caller]
    pub fn fp_lt(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::FpLt, a, b) {
            return folded;
        }
        if a == b {
            return self.fals();
        }
        if let Some(compared) = self.compare_integral(BinOp::FpLt, a, b) {
            return compared;
        }
        self.raw_bin(BinOp::FpLt, a, b)
    }

    /// IEEE `a <= b`.
    #[track_caller]
    pub fn fp_le(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::FpLe, a, b) {
            return folded;
        }
        if a == b {
            let nan = self.fp_is_nan(a);
            return self.not(nan);
        }
        if let Some(compared) = self.compare_integral(BinOp::FpLe, a, b) {
            return compared;
        }
        self.raw_bin(BinOp::FpLe, a, b)
    }

    /// IEEE `a > b`.
    #[track_caller]
    pub fn fp_gt(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_lt(b, a)
    }

    /// IEEE `a >= b`.
    #[track_caller]
    pub fn fp_ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_le(b, a)
    }

    /// Flips the sign.
    #[track_caller]
    pub fn fp_neg(&mut self, a: TermId) -> TermId {
        if let Some(folded) = self.fold_un(UnOp::FpNeg, a) {
            return folded;
        }
        match self.node(a) {
            Node::Un(UnOp::FpNeg, x) => x,
            _ => self.raw_un(UnOp::FpNeg, a),
        }
    }

    /// Clears the sign.
    #[track_caller]
    pub fn fp_abs(&mut self, a: TermId) -> TermId {
        if let Some(folded) = self.fold_un(UnOp::FpAbs, a) {
            return folded;
        }
        match self.node(a) {
            Node::Un(UnOp::FpNeg | UnOp::FpAbs, x) => self.fp_abs(x),
            _ => self.raw_un(UnOp::FpAbs, a),
        }
    }

    /// Square root, to the nearest even.
    #[track_caller]
    pub fn fp_sqrt(&mut self, a: TermId) -> TermId {
        if let Some(folded) = self.fold_un(UnOp::FpSqrt, a) {
            return folded;
        }
        self.raw_un(UnOp::FpSqrt, a)
    }

    /// Whether it is a NaN.
    #[track_caller]
    pub fn fp_is_nan(&mut self, a: TermId) -> TermId {
        if let Some(folded) = self.fold_un(UnOp::FpIsNan, a) {
            return folded;
        }
        match self.node(a) {
            Node::Un(UnOp::FpNeg | UnOp::FpAbs, x) => self.fp_is_nan(x),
            Node::Un(UnOp::FpFromSbv(_) | UnOp::FpFromUbv(_), _) => self.fals(),
            Node::Un(UnOp::FpToFp(_) | UnOp::FpRoundToIntegral(_), x) => self.fp_is_nan(x),
            _ => self.raw_un(UnOp::FpIsNan, a),
        }
    }

    /// Whether it is infinite.
    #[track_caller]
    pub fn fp_is_inf(&mut self, a: TermId) -> TermId {
        if let Some(folded) = self.fold_un(UnOp::FpIsInf, a) {
            return folded;
        }
        match self.node(a) {
            Node::Un(UnOp::FpNeg | UnOp::FpAbs, x) => self.fp_is_inf(x),
            _ if self.exact_integer(a).is_some() => self.fals(),
            _ => self.raw_un(UnOp::FpIsInf, a),
        }
    }

    /// Whether it is a zero of either sign.
    #[track_caller]
    pub fn fp_is_zero(&mut self, a: TermId) -> TermId {
        if let Some(folded) = self.fold_un(UnOp::FpIsZero, a) {
            return folded;
        }
        match self.node(a) {
            Node::Un(UnOp::FpNeg | UnOp::FpAbs, x) => self.fp_is_zero(x),
            Node::Un(UnOp::FpFromSbv(_) | UnOp::FpFromUbv(_), x) => {
                let zero = self.bv(self.width(x), 0);
                self.eq(x, zero)
            }
            _ => self.raw_un(UnOp::FpIsZero, a),
        }
    }

    /// Whether the sign bit is set and it is no NaN.
    #[track_caller]
    pub fn fp_is_negative(&mut self, a: TermId) -> TermId {
        if let Some(folded) = self.fold_un(UnOp::FpIsNegative, a) {
            return folded;
        }
        match self.node(a) {
            Node::Un(UnOp::FpFromSbv(_), x) => {
                let zero = self.bv(self.width(x), 0);
                self.slt(x, zero)
            }
            Node::Un(UnOp::FpFromUbv(_), _) => self.fals(),
            _ => self.raw_un(UnOp::FpIsNegative, a),
        }
    }

    /// Whether it is neither infinite nor a NaN.
    #[track_caller]
    pub fn fp_is_finite(&mut self, a: TermId) -> TermId {
        let (nan, inf) = (self.fp_is_nan(a), self.fp_is_inf(a));
        let either = self.or(nan, inf);
        self.not(either)
    }

    /// Rounds to an integral value.
    #[track_caller]
    pub fn fp_round_to_integral(&mut self, round: Round, a: TermId) -> TermId {
        let op = UnOp::FpRoundToIntegral(round);
        if let Some(folded) = self.fold_un(op, a) {
            return folded;
        }
        match self.node(a) {
            Node::Un(UnOp::FpRoundToIntegral(_), _) => a,
            _ if self.exact_integer(a).is_some() => a,
            _ => self.raw_un(op, a),
        }
    }

    /// Converts to another format, to the nearest even.
    #[track_caller]
    pub fn fp_to_fp(&mut self, sort: FloatSort, a: TermId) -> TermId {
        let op = UnOp::FpToFp(sort);
        if self.sort(a).float() == sort {
            return a;
        }
        if let Some(folded) = self.fold_un(op, a) {
            return folded;
        }
        match self.node(a) {
            // A wider format and back.
            Node::Un(UnOp::FpToFp(wide), x) if self.sort(x).float() == sort && is_within(sort, wide) => x,
            Node::Un(UnOp::FpFromSbv(_), x) if self.exact_integer(a).is_some() => self.fp_from_sbv(sort, x),
            Node::Un(UnOp::FpFromUbv(_), x) if self.exact_integer(a).is_some() => self.fp_from_ubv(sort, x),
            _ => self.raw_un(op, a),
        }
    }

    /// A signed bit-vector as a float, to the nearest even.
    #[track_caller]
    pub fn fp_from_sbv(&mut self, sort: FloatSort, a: TermId) -> TermId {
        let op = UnOp::FpFromSbv(sort);
        if let Some(folded) = self.fold_un(op, a) {
            return folded;
        }
        match self.node(a) {
            Node::Un(UnOp::SignExt(_), x) => self.fp_from_sbv(sort, x),
            Node::Un(UnOp::ZeroExt(_), x) => self.fp_from_ubv(sort, x),
            _ => self.raw_un(op, a),
        }
    }

    /// An unsigned bit-vector as a float, to the nearest even.
    #[track_caller]
    pub fn fp_from_ubv(&mut self, sort: FloatSort, a: TermId) -> TermId {
        let op = UnOp::FpFromUbv(sort);
        if let Some(folded) = self.fold_un(op, a) {
            return folded;
        }
        match self.node(a) {
            Node::Un(UnOp::ZeroExt(_), x) => self.fp_from_ubv(sort, x),
            _ => self.raw_un(op, a),
        }
    }

    /// Truncates to a signed number of that width; the least number where it does not fit.
    #[track_caller]
    pub fn fp_to_sbv(&mut self, width: u32, a: TermId) -> TermId {
        let op = UnOp::FpToSbv(width as u8);
        if let Some(folded) = self.fold_un(op, a) {
            return folded;
        }
        match self.node(a) {
            // Exact there and back.
            Node::Un(UnOp::FpFromSbv(sort), x) if self.width(x) <= u32::from(sort.sig()) && self.width(x) <= width => {
                self.sign_resize(width, x)
            }
            Node::Un(UnOp::FpFromUbv(sort), x) if self.width(x) <= u32::from(sort.sig()) && self.width(x) < width => {
                self.zero_resize(width, x)
            }
            _ => self.raw_un(op, a),
        }
    }

    /// Truncates to an unsigned number of that width; all ones where it does not fit.
    #[track_caller]
    pub fn fp_to_ubv(&mut self, width: u32, a: TermId) -> TermId {
        let op = UnOp::FpToUbv(width as u8);
        if let Some(folded) = self.fold_un(op, a) {
            return folded;
        }
        match self.node(a) {
            Node::Un(UnOp::FpFromUbv(sort), x) if self.width(x) <= u32::from(sort.sig()) && self.width(x) <= width => {
                self.zero_resize(width, x)
            }
            _ => self.raw_un(op, a),
        }
    }

    /// The bits of the interchange format; a NaN gives those of [`FloatSort::nan`].
    #[track_caller]
    pub fn fp_to_bits(&mut self, a: TermId) -> TermId {
        if let Some(folded) = self.fold_un(UnOp::FpToBits, a) {
            return folded;
        }
        self.raw_un(UnOp::FpToBits, a)
    }

    /// The float with these bits.
    #[track_caller]
    pub fn fp_from_bits(&mut self, sort: FloatSort, a: TermId) -> TermId {
        let op = UnOp::FpFromBits(sort);
        if let Some(folded) = self.fold_un(op, a) {
            return folded;
        }
        match self.node(a) {
            Node::Un(UnOp::FpToBits, x) if self.sort(x).float() == sort => x,
            _ => self.raw_un(op, a),
        }
    }

    /// The 80 bits of x87's `long double`.
    #[track_caller]
    pub fn fp_to_x87_bits(&mut self, a: TermId) -> TermId {
        let bits = self.fp_to_bits(a);
        let (front, exponent, fraction) =
            (self.extract(78, 63, bits), self.extract(77, 63, bits), self.extract(62, 0, bits));
        let zero = self.bv(15, 0);
        let normal = self.ne(exponent, zero);
        let integer_bit = self.bool_to_bv(1, normal);
        let significand = self.concat(integer_bit, fraction);
        self.concat(front, significand)
    }

    fn is_fp_one(&self, t: TermId) -> bool {
        match self.node(t) {
            Node::Float { sort, bits } => bits == crate::float::from_unsigned(sort, 1),
            _ => false,
        }
    }
}

/// Whether every float of a format is one of the other, too.
fn is_within(narrow: FloatSort, wide: FloatSort) -> bool {
    narrow.exp() <= wide.exp() && narrow.sig() <= wide.sig()
}

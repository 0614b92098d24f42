//! Constructors.

use crate::sort::FloatSort;
use crate::term::{BinOp, Round, TermId, Terms, UnOp};

impl Terms {
    /// Conjunction.
    #[track_caller]
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::And, a, b)
    }

    /// Disjunction.
    #[track_caller]
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::Or, a, b)
    }

    /// Negation.
    #[track_caller]
    pub fn not(&mut self, a: TermId) -> TermId {
        self.raw_un(UnOp::Not, a)
    }

    /// Conjunction of all; `true` for none.
    pub fn and_all(&mut self, terms: &[TermId]) -> TermId {
        terms.iter().fold(self.tru(), |acc, &t| self.and(acc, t))
    }

    /// Disjunction of all; `false` for none.
    pub fn or_all(&mut self, terms: &[TermId]) -> TermId {
        terms.iter().fold(self.fals(), |acc, &t| self.or(acc, t))
    }

    /// `a` implies `b`.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// Exclusive or of Bools.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// Equivalence of Bools.
    pub fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        self.eq(a, b)
    }

    /// If-then-else on any sort.
    #[track_caller]
    pub fn ite(&mut self, cond: TermId, then: TermId, els: TermId) -> TermId {
        self.raw_ite(cond, then, els)
    }

    /// Disequality.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// A Bool as a bit-vector 0 or 1 of that width.
    pub fn bool_to_bv(&mut self, width: u32, a: TermId) -> TermId {
        let (one, zero) = (self.bv(width, 1), self.bv(width, 0));
        self.ite(a, one, zero)
    }

    /// Equality on any sort (for floats: of values; see `fp_eq`).
    #[track_caller]
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::Eq, a, b)
    }

    /// Sum.
    #[track_caller]
    pub fn bv_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvAdd, a, b)
    }

    /// Difference.
    #[track_caller]
    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvSub, a, b)
    }

    /// Product.
    #[track_caller]
    pub fn bv_mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvMul, a, b)
    }

    /// Unsigned quotient.
    #[track_caller]
    pub fn bv_udiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvUdiv, a, b)
    }

    /// Signed quotient.
    #[track_caller]
    pub fn bv_sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvSdiv, a, b)
    }

    /// Unsigned remainder.
    #[track_caller]
    pub fn bv_urem(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvUrem, a, b)
    }

    /// Signed remainder.
    #[track_caller]
    pub fn bv_srem(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvSrem, a, b)
    }

    /// Bitwise and.
    #[track_caller]
    pub fn bv_and(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvAnd, a, b)
    }

    /// Bitwise or.
    #[track_caller]
    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvOr, a, b)
    }

    /// Bitwise exclusive or.
    #[track_caller]
    pub fn bv_xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvXor, a, b)
    }

    /// Shift left.
    #[track_caller]
    pub fn bv_shl(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvShl, a, b)
    }

    /// Logical shift right.
    #[track_caller]
    pub fn bv_lshr(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvLshr, a, b)
    }

    /// Arithmetic shift right.
    #[track_caller]
    pub fn bv_ashr(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvAshr, a, b)
    }

    /// Two's complement negation.
    #[track_caller]
    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        self.raw_un(UnOp::BvNeg, a)
    }

    /// Complement.
    #[track_caller]
    pub fn bv_not(&mut self, a: TermId) -> TermId {
        self.raw_un(UnOp::BvNot, a)
    }

    /// Unsigned `a < b`.
    #[track_caller]
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvUlt, a, b)
    }

    /// Unsigned `a <= b`.
    #[track_caller]
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvUle, a, b)
    }

    /// Signed `a < b`.
    #[track_caller]
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvSlt, a, b)
    }

    /// Signed `a <= b`.
    #[track_caller]
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::BvSle, a, b)
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

    /// Bits of `hi` in front of those of `lo`.
    #[track_caller]
    pub fn concat(&mut self, hi: TermId, lo: TermId) -> TermId {
        self.raw_bin(BinOp::Concat, hi, lo)
    }

    /// Bits `hi` down to `lo` of `t`, both included.
    #[track_caller]
    pub fn extract(&mut self, hi: u32, lo: u32, t: TermId) -> TermId {
        self.raw_un(UnOp::Extract { hi: hi as u8, lo: lo as u8 }, t)
    }

    /// `extra` zero bits in front of `t`.
    #[track_caller]
    pub fn zero_ext(&mut self, extra: u32, t: TermId) -> TermId {
        if extra == 0 { t } else { self.raw_un(UnOp::ZeroExt(extra as u8), t) }
    }

    /// `extra` copies of the sign bit in front of `t`.
    #[track_caller]
    pub fn sign_ext(&mut self, extra: u32, t: TermId) -> TermId {
        if extra == 0 { t } else { self.raw_un(UnOp::SignExt(extra as u8), t) }
    }

    /// `t` with exactly `width` bits: cut, or extended by zeros.
    pub fn zero_resize(&mut self, width: u32, t: TermId) -> TermId {
        let old = self.width(t);
        if width < old { self.extract(width - 1, 0, t) } else { self.zero_ext(width - old, t) }
    }

    /// `t` with exactly `width` bits: cut, or extended by its sign.
    pub fn sign_resize(&mut self, width: u32, t: TermId) -> TermId {
        let old = self.width(t);
        if width < old { self.extract(width - 1, 0, t) } else { self.sign_ext(width - old, t) }
    }

    /// Element of an array.
    #[track_caller]
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        self.raw_bin(BinOp::Select, array, index)
    }

    /// The array with one element replaced.
    #[track_caller]
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        self.raw_store(array, index, value)
    }

    /// The array with an index of `index` bits that has `value` everywhere.
    #[track_caller]
    pub fn const_array(&mut self, index: u32, value: TermId) -> TermId {
        self.raw_const_array(index, value)
    }

    /// Float sum, to the nearest even.
    #[track_caller]
    pub fn fp_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::FpAdd, a, b)
    }

    /// Float difference.
    #[track_caller]
    pub fn fp_sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::FpSub, a, b)
    }

    /// Float product.
    #[track_caller]
    pub fn fp_mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::FpMul, a, b)
    }

    /// Float quotient.
    #[track_caller]
    pub fn fp_div(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::FpDiv, a, b)
    }

    /// IEEE remainder (C's `remainder`).
    #[track_caller]
    pub fn fp_rem(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::FpRem, a, b)
    }

    /// IEEE equality.
    #[track_caller]
    pub fn fp_eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::FpEq, a, b)
    }

    /// IEEE `a < b`.
    #[track_caller]
    pub fn fp_lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::FpLt, a, b)
    }

    /// IEEE `a <= b`.
    #[track_caller]
    pub fn fp_le(&mut self, a: TermId, b: TermId) -> TermId {
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
        self.raw_un(UnOp::FpNeg, a)
    }

    /// Clears the sign.
    #[track_caller]
    pub fn fp_abs(&mut self, a: TermId) -> TermId {
        self.raw_un(UnOp::FpAbs, a)
    }

    /// Square root.
    #[track_caller]
    pub fn fp_sqrt(&mut self, a: TermId) -> TermId {
        self.raw_un(UnOp::FpSqrt, a)
    }

    /// Whether it is a NaN.
    #[track_caller]
    pub fn fp_is_nan(&mut self, a: TermId) -> TermId {
        self.raw_un(UnOp::FpIsNan, a)
    }

    /// Whether it is infinite.
    #[track_caller]
    pub fn fp_is_inf(&mut self, a: TermId) -> TermId {
        self.raw_un(UnOp::FpIsInf, a)
    }

    /// Whether it is a zero.
    #[track_caller]
    pub fn fp_is_zero(&mut self, a: TermId) -> TermId {
        self.raw_un(UnOp::FpIsZero, a)
    }

    /// Whether its sign bit is set and it is no NaN.
    #[track_caller]
    pub fn fp_is_negative(&mut self, a: TermId) -> TermId {
        self.raw_un(UnOp::FpIsNegative, a)
    }

    /// Bits of the interchange format; a NaN gives those of [`FloatSort::nan`].
    #[track_caller]
    pub fn fp_to_bits(&mut self, a: TermId) -> TermId {
        self.raw_un(UnOp::FpToBits, a)
    }

    /// Rounds to an integral value.
    #[track_caller]
    pub fn fp_round_to_integral(&mut self, round: Round, t: TermId) -> TermId {
        self.raw_un(UnOp::FpRoundToIntegral(round), t)
    }

    /// Converts to another format, to the nearest even.
    #[track_caller]
    pub fn fp_to_fp(&mut self, sort: FloatSort, t: TermId) -> TermId {
        self.raw_un(UnOp::FpToFp(sort), t)
    }

    /// A signed bit-vector as a float, to the nearest even.
    #[track_caller]
    pub fn fp_from_sbv(&mut self, sort: FloatSort, t: TermId) -> TermId {
        self.raw_un(UnOp::FpFromSbv(sort), t)
    }

    /// An unsigned bit-vector as a float, to the nearest even.
    #[track_caller]
    pub fn fp_from_ubv(&mut self, sort: FloatSort, t: TermId) -> TermId {
        self.raw_un(UnOp::FpFromUbv(sort), t)
    }

    /// Truncates a float to a signed number; the least number where it does not fit.
    #[track_caller]
    pub fn fp_to_sbv(&mut self, width: u32, t: TermId) -> TermId {
        self.raw_un(UnOp::FpToSbv(width as u8), t)
    }

    /// Truncates a float to an unsigned number; all ones where it does not fit.
    #[track_caller]
    pub fn fp_to_ubv(&mut self, width: u32, t: TermId) -> TermId {
        self.raw_un(UnOp::FpToUbv(width as u8), t)
    }

    /// The float with these bits.
    #[track_caller]
    pub fn fp_from_bits(&mut self, sort: FloatSort, bits: TermId) -> TermId {
        self.raw_un(UnOp::FpFromBits(sort), bits)
    }

    /// Sum of integers.
    #[track_caller]
    pub fn int_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::IntAdd, a, b)
    }

    /// Product of integers.
    #[track_caller]
    pub fn int_mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::IntMul, a, b)
    }

    /// `a <= b` on integers.
    #[track_caller]
    pub fn int_le(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::IntLe, a, b)
    }

    /// `a < b` on integers.
    #[track_caller]
    pub fn int_lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw_bin(BinOp::IntLt, a, b)
    }

    /// Negation of an integer.
    #[track_caller]
    pub fn int_neg(&mut self, a: TermId) -> TermId {
        self.raw_un(UnOp::IntNeg, a)
    }

    /// An unsigned bit-vector as an integer.
    #[track_caller]
    pub fn int_from_ubv(&mut self, a: TermId) -> TermId {
        self.raw_un(UnOp::IntFromUbv, a)
    }
}

//! Scalars as bits, and back; constants.

use crate::encoder::{Encoder, float_sort};
use base::ByteOrder;
use cfa::Scalar;
use smt::{FloatSort, Node, Sort, TermId, UnOp};

/// Most choices, one within another, of which a float may be made whose bits are asked for.
const MAX_CHOICES: u32 = 6;

/// The unsigned integer of so many bytes.
pub(crate) fn unsigned(bytes: u32) -> Scalar {
    Scalar::Int { bits: 8 * bytes as u16, signed: false }
}

impl Encoder<'_> {
    /// Of a scalar's bits, those of the `len` bytes that lie `at` bytes behind its first one.
    pub fn part(&mut self, bits: TermId, at: u32, len: u32) -> TermId {
        let low = self.program.byte_order.shift(self.terms.width(bits) / 8, at, len);
        self.terms.extract(low + 8 * len - 1, low, bits)
    }

    /// The bits of bytes that lie one behind the other.
    pub fn joined(&mut self, first: TermId, second: TermId) -> TermId {
        let (high, low) = self.program.byte_order.high_and_low(first, second);
        self.terms.concat(high, low)
    }

    /// By how many bits the byte at an offset is shifted in its element of `elem` bytes; as wide as the element.
    pub fn byte_shift(&mut self, offset: TermId, elem: u32) -> TermId {
        let width = self.program.pointer_bits();
        let mask = self.terms.bv(width, u128::from(elem - 1));
        let mut within = self.terms.bv_and(offset, mask);
        if self.program.byte_order == ByteOrder::Big {
            within = self.terms.bv_sub(mask, within);
        }
        let three = self.terms.bv(width, 3);
        let shift = self.terms.bv_shl(within, three);
        self.terms.zero_resize(8 * elem, shift)
    }

    /// The bits that a scalar has in memory; whole bytes.
    ///
    /// A copy of a NaN has the bits of what it is a copy of, as far as that is known; sign and payload of others are any.
    pub fn to_bits(&mut self, value: TermId) -> TermId {
        let Sort::Float(sort) = self.terms.sort(value) else { return value };
        let bits = self.float_bits(value, sort, MAX_CHOICES);
        if sort != FloatSort::X87 {
            return bits;
        }
        // The x87 format has an explicit integer bit: set unless the exponent is zero.
        let top = self.terms.extract(78, 63, bits);
        let exponent = self.terms.extract(77, 63, bits);
        let fraction = self.terms.extract(62, 0, bits);
        let zero = self.terms.bv(15, 0);
        let normal = self.terms.ne(exponent, zero);
        let integer = self.terms.bool_to_bv(1, normal);
        let low = self.terms.concat(integer, fraction);
        self.terms.concat(top, low)
    }

    /// The bits of a float in the interchange format, where so many choices may be told apart.
    fn float_bits(&mut self, value: TermId, sort: FloatSort, choices: u32) -> TermId {
        match self.terms.node(value) {
            Node::Un(UnOp::FpFromBits(_), bits) => bits,
            Node::Ite(condition, then, els) if choices > 0 => {
                let (then, els) = (self.float_bits(then, sort, choices - 1), self.float_bits(els, sort, choices - 1));
                self.terms.ite(condition, then, els)
            }
            Node::Un(UnOp::FpFromSbv(_) | UnOp::FpFromUbv(_), _) => self.terms.fp_to_bits(value),
            _ => {
                let is_nan = self.terms.fp_is_nan(value);
                let bits = self.terms.fp_to_bits(value);
                if self.terms.is_false(is_nan) {
                    return bits;
                }
                let any = self.any_nan(sort);
                self.terms.ite(is_nan, any, bits)
            }
        }
    }

    /// The bits of some NaN: no machine promises which one an operation gives.
    fn any_nan(&mut self, sort: FloatSort) -> TermId {
        let (exponent_bits, fraction_bits) = (u32::from(sort.exp()), u32::from(sort.sig()) - 1);
        let sign = self.terms.fresh_var("nan", Sort::BitVec(1));
        let exponent = self.terms.bv(exponent_bits, (1 << exponent_bits) - 1);
        let fraction = self.terms.fresh_var("nan", Sort::BitVec(fraction_bits));
        let (zero, one) = (self.terms.bv(fraction_bits, 0), self.terms.bv(fraction_bits, 1));
        let is_infinite = self.terms.eq(fraction, zero);
        let fraction = self.terms.ite(is_infinite, one, fraction);
        let top = self.terms.concat(sign, exponent);
        self.terms.concat(top, fraction)
    }

    /// The scalar that bits in memory mean.
    pub fn from_bits(&mut self, bits: TermId, ty: Scalar) -> TermId {
        match ty {
            Scalar::Float(format) => {
                let bits = if format == cfa::FloatFormat::F80 {
                    let top = self.terms.extract(79, 64, bits);
                    let fraction = self.terms.extract(62, 0, bits);
                    self.terms.concat(top, fraction)
                } else {
                    bits
                };
                self.float_from_bits(bits, float_sort(format))
            }
            _ => bits,
        }
    }

    fn float_from_bits(&mut self, bits: TermId, sort: FloatSort) -> TermId {
        match self.stored_float(bits, MAX_CHOICES) {
            Some(value) if self.terms.sort(value) == Sort::Float(sort) => value,
            _ => self.terms.fp_from_bits(sort, bits),
        }
    }

    /// The float of which [`Self::float_bits`] made these bits, if it did.
    fn stored_float(&mut self, bits: TermId, choices: u32) -> Option<TermId> {
        match self.terms.node(bits) {
            Node::Un(UnOp::FpToBits, value) => Some(value),
            Node::Ite(condition, then, els) => {
                if let Node::Un(UnOp::FpToBits, value) = self.terms.node(els)
                    && self.terms.fp_is_nan(value) == condition
                {
                    return Some(value);
                }
                let choices = choices.checked_sub(1)?;
                let (then, els) = (self.stored_float(then, choices)?, self.stored_float(els, choices)?);
                (self.terms.sort(then) == self.terms.sort(els)).then(|| self.terms.ite(condition, then, els))
            }
            _ => None,
        }
    }

    /// Zero of a scalar type.
    pub fn zero(&mut self, ty: Scalar) -> TermId {
        self.constant(ty, cfa::Value(0))
    }

    /// The term of a constant.
    pub fn constant(&mut self, ty: Scalar, value: cfa::Value) -> TermId {
        match ty {
            Scalar::Bool => self.terms.bool_const(value.0 != 0),
            Scalar::Int { .. } | Scalar::Ptr => self.terms.bv(ty.bits(self.program.pointer_bits()), value.0),
            Scalar::Float(format) => {
                let sort = crate::encoder::float_sort(format);
                let bits = match format {
                    // Without the explicit integer bit.
                    cfa::FloatFormat::F80 => (value.0 >> 64) << 63 | value.0 & ((1 << 63) - 1),
                    _ => value.0,
                };
                self.terms.fp_const(bits, sort)
            }
        }
    }
}

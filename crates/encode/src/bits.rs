//! Scalars as bits, and back; constants.

use crate::encoder::{Encoder, float_sort};
use base::ByteOrder;
use cfa::Scalar;
use smt::{Sort, TermId};

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
    pub fn to_bits(&mut self, value: TermId) -> TermId {
        match self.terms.sort(value) {
            Sort::Float(sort) => {
                let bits = self.terms.fp_to_bits(value);
                if sort != smt::FloatSort::X87 {
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
            _ => value,
        }
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
                self.terms.fp_from_bits(float_sort(format), bits)
            }
            _ => bits,
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

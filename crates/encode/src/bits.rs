//! Scalars as bits, and back; constants.

use crate::encoder::{Encoder, float_sort};
use cfa::Scalar;
use smt::{Sort, TermId};

/// The unsigned integer of so many bytes.
pub(crate) fn unsigned(bytes: u32) -> Scalar {
    Scalar::Int { bits: 8 * bytes as u16, signed: false }
}

impl Encoder<'_> {
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

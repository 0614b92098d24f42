//! Sorts of terms; small and `Copy`.

use std::fmt;

/// Greatest width of a bit-vector.
pub const MAX_WIDTH: u32 = 128;

/// A binary floating-point format: one of the constants of this type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FloatSort {
    exp: u8,
    sig: u8,
}

impl FloatSort {
    /// IEEE half precision.
    pub const F16: Self = Self { exp: 5, sig: 11 };
    /// C's `float`.
    pub const F32: Self = Self { exp: 8, sig: 24 };
    /// C's `double`.
    pub const F64: Self = Self { exp: 11, sig: 53 };
    /// x87's `long double` without its explicit integer bit: 79 bits.
    pub const X87: Self = Self { exp: 15, sig: 64 };
    /// IEEE quadruple precision.
    pub const F128: Self = Self { exp: 15, sig: 113 };

    /// Bits of the exponent.
    pub const fn exp(self) -> u8 {
        self.exp
    }

    /// Bits of the significand, with the hidden bit.
    pub const fn sig(self) -> u8 {
        self.sig
    }

    /// Bits of the interchange format: sign, exponent, significand without the hidden bit.
    pub const fn width(self) -> u32 {
        self.exp as u32 + self.sig as u32
    }

    /// The one NaN that terms know: positive and quiet, as bits.
    pub const fn nan(self) -> u128 {
        self.infinity() | 1 << (self.sig - 2)
    }

    /// Positive infinity as bits.
    pub const fn infinity(self) -> u128 {
        ((1 << self.exp) - 1) << (self.sig - 1)
    }

    /// The sign bit.
    pub const fn sign_bit(self) -> u128 {
        1 << (self.width() - 1)
    }

    /// Whether `bits` encode a NaN.
    pub const fn is_nan(self, bits: u128) -> bool {
        bits & !self.sign_bit() > self.infinity()
    }

    /// Maps every NaN to [`FloatSort::nan`].
    pub const fn canonical(self, bits: u128) -> u128 {
        if self.is_nan(bits) { self.nan() } else { bits }
    }
}

/// Sort of the elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ElemSort {
    /// Truth values.
    Bool,
    /// Bit-vectors of a width.
    BitVec(u32),
    /// Floats.
    Float(FloatSort),
}

/// Sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of a width from 1 to [`MAX_WIDTH`].
    BitVec(u32),
    /// Floats.
    Float(FloatSort),
    /// Arrays indexed by bit-vectors of width `index`.
    Array {
        /// Width of the index.
        index: u32,
        /// Sort of the elements.
        elem: ElemSort,
    },
    /// Mathematical integers.
    Int,
}

impl Sort {
    /// Width of a bit-vector sort.
    ///
    /// # Panics
    /// When the sort is another one: a mistake of the caller, never of the analysed program.
    #[track_caller]
    pub fn width(self) -> u32 {
        match self {
            Sort::BitVec(width) => width,
            other => panic!("{other} is no bit-vector sort"),
        }
    }

    /// An array sort with bit-vector elements.
    pub fn bv_array(index: u32, elem: u32) -> Self {
        Sort::Array { index, elem: ElemSort::BitVec(elem) }
    }

    /// The format of a float sort.
    #[track_caller]
    pub fn float(self) -> FloatSort {
        match self {
            Sort::Float(format) => format,
            other => panic!("{other} is no float sort"),
        }
    }

    /// The same sort as that of an array's elements; `None` for arrays and integers.
    pub fn as_elem(self) -> Option<ElemSort> {
        match self {
            Sort::Bool => Some(ElemSort::Bool),
            Sort::BitVec(width) => Some(ElemSort::BitVec(width)),
            Sort::Float(format) => Some(ElemSort::Float(format)),
            Sort::Array { .. } | Sort::Int => None,
        }
    }
}

impl From<ElemSort> for Sort {
    fn from(elem: ElemSort) -> Self {
        match elem {
            ElemSort::Bool => Sort::Bool,
            ElemSort::BitVec(width) => Sort::BitVec(width),
            ElemSort::Float(format) => Sort::Float(format),
        }
    }
}

impl fmt::Display for FloatSort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(_ FloatingPoint {} {})", self.exp, self.sig)
    }
}

/// SMT-LIB's notation.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Float(format) => format.fmt(f),
            Sort::Array { index, elem } => write!(f, "(Array (_ BitVec {index}) {})", Sort::from(*elem)),
            Sort::Int => f.write_str("Int"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_are_small_and_float_bits_are_ieee() {
        assert!(size_of::<Sort>() <= 16);
        assert_eq!(FloatSort::F32.nan(), u128::from(f32::NAN.to_bits()));
        assert_eq!(FloatSort::F64.infinity(), u128::from(f64::INFINITY.to_bits()));
        assert_eq!(FloatSort::F64.canonical(u128::from((-f64::NAN).to_bits())), FloatSort::F64.nan());
        assert_eq!((FloatSort::X87.width(), FloatSort::F128.width()), (79, 128));
    }
}

//! Float arithmetic on bits of the interchange format, by `rustc_apfloat`.
//!
//! Square roots are computed here, digit by digit (the crate has none), and so are conversions to integers, whose result
//! outside the range is ours to choose.

use crate::sort::FloatSort;
use crate::term::{BinOp, Round};
use crate::value::mask;
use rustc_apfloat::ieee::{Double, Half, IeeeFloat, Quad, Semantics, Single};
use rustc_apfloat::{Float, FloatConvert};
use std::cmp::Ordering;

/// x87's extended precision with an implicit integer bit, as SMT-LIB has it.
pub(crate) struct X87S;

impl Semantics for X87S {
    const BITS: usize = 79;
    const EXP_BITS: usize = 15;
}

type X87 = IeeeFloat<X87S>;

/// Calls a generic function with the type of a format.
macro_rules! with_format {
    ($sort:expr, $f:ident :: <_ $(, $rest:ty)*> ( $($arg:expr),* )) => {
        match $sort {
            FloatSort::F16 => $f::<Half $(, $rest)*>($($arg),*),
            FloatSort::F32 => $f::<Single $(, $rest)*>($($arg),*),
            FloatSort::F64 => $f::<Double $(, $rest)*>($($arg),*),
            FloatSort::X87 => $f::<X87 $(, $rest)*>($($arg),*),
            _ => $f::<Quad $(, $rest)*>($($arg),*),
        }
    };
}

fn rounding(round: Round) -> rustc_apfloat::Round {
    match round {
        Round::NearestEven => rustc_apfloat::Round::NearestTiesToEven,
        Round::NearestAway => rustc_apfloat::Round::NearestTiesToAway,
        Round::ToZero => rustc_apfloat::Round::TowardZero,
        Round::Up => rustc_apfloat::Round::TowardPositive,
        Round::Down => rustc_apfloat::Round::TowardNegative,
    }
}

fn arith_in<F: Float>(op: BinOp, a: u128, b: u128) -> u128 {
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    let nearest = rustc_apfloat::Round::NearestTiesToEven;
    let result = match op {
        BinOp::FpAdd => a.add_r(b, nearest),
        BinOp::FpSub => a.sub_r(b, nearest),
        BinOp::FpMul => a.mul_r(b, nearest),
        BinOp::FpDiv => a.div_r(b, nearest),
        BinOp::FpRem => a.ieee_rem(b),
        _ => unreachable!("{op:?} is no float arithmetic"),
    };
    result.value.to_bits()
}

/// Sum, difference, product, quotient or remainder.
pub(crate) fn arith(op: BinOp, sort: FloatSort, a: u128, b: u128) -> u128 {
    sort.canonical(with_format!(sort, arith_in::<_>(op, a, b)))
}

fn round_in<F: Float>(round: Round, a: u128) -> u128 {
    F::from_bits(a).round_to_integral(rounding(round)).value.to_bits()
}

/// Rounds to an integral value.
pub(crate) fn round_to_integral(sort: FloatSort, round: Round, a: u128) -> u128 {
    sort.canonical(with_format!(sort, round_in::<_>(round, a)))
}

/// IEEE comparison; `None` with a NaN.
pub(crate) fn compare(sort: FloatSort, a: u128, b: u128) -> Option<Ordering> {
    if sort.is_nan(a) || sort.is_nan(b) {
        return None;
    }
    let key = |bits: u128| {
        let magnitude = (bits & !sort.sign_bit()) as i128;
        if bits & sort.sign_bit() == 0 { magnitude } else { -magnitude }
    };
    Some(key(a).cmp(&key(b)))
}

fn convert_to<F: FloatConvert<T>, T: Float>(a: u128) -> u128 {
    F::from_bits(a).convert(&mut false).value.to_bits()
}

/// Converts to another format, to the nearest even.
pub(crate) fn convert(from: FloatSort, to: FloatSort, a: u128) -> u128 {
    let bits = match to {
        FloatSort::F16 => with_format!(from, convert_to::<_, Half>(a)),
        FloatSort::F32 => with_format!(from, convert_to::<_, Single>(a)),
        FloatSort::F64 => with_format!(from, convert_to::<_, Double>(a)),
        FloatSort::X87 => with_format!(from, convert_to::<_, X87>(a)),
        _ => with_format!(from, convert_to::<_, Quad>(a)),
    };
    to.canonical(bits)
}

fn signed_in<F: Float>(a: i128) -> u128 {
    F::from_i128(a).value.to_bits()
}

fn unsigned_in<F: Float>(a: u128) -> u128 {
    F::from_u128(a).value.to_bits()
}

/// A signed number as a float.
pub(crate) fn from_signed(sort: FloatSort, a: i128) -> u128 {
    with_format!(sort, signed_in::<_>(a))
}

/// An unsigned number as a float.
pub(crate) fn from_unsigned(sort: FloatSort, a: u128) -> u128 {
    with_format!(sort, unsigned_in::<_>(a))
}

/// Significand and exponent of a finite, non-zero float: its magnitude is `significand * 2^exponent`.
fn decode(sort: FloatSort, a: u128) -> (u128, i32) {
    let fraction_bits = u32::from(sort.sig()) - 1;
    let fraction = a & mask(fraction_bits);
    let biased = ((a & !sort.sign_bit()) >> fraction_bits) as i32;
    let hidden = if biased == 0 { 0 } else { 1 << fraction_bits };
    (fraction | hidden, biased.max(1) - bias(sort) - fraction_bits as i32)
}

fn bias(sort: FloatSort) -> i32 {
    (1 << (sort.exp() - 1)) - 1
}

/// Magnitude of a float, truncated; `None` from 2^128 on and for infinities and NaN.
fn truncated_magnitude(sort: FloatSort, a: u128) -> Option<u128> {
    let magnitude = a & !sort.sign_bit();
    if magnitude >= sort.infinity() {
        return None;
    }
    let (significand, exponent) = decode(sort, a);
    match u32::try_from(exponent) {
        Ok(_) if significand == 0 => Some(0),
        Ok(shift) if shift <= significand.leading_zeros() => Some(significand << shift),
        Ok(_) => None,
        Err(_) => Some(significand.checked_shr(exponent.unsigned_abs()).unwrap_or(0)),
    }
}

/// Truncates to a signed number of that width; the least number where it does not fit.
pub(crate) fn to_signed(sort: FloatSort, width: u32, a: u128) -> u128 {
    let least = 1 << (width - 1);
    match truncated_magnitude(sort, a) {
        Some(magnitude) if a & sort.sign_bit() == 0 && magnitude < least => magnitude,
        Some(magnitude) if a & sort.sign_bit() != 0 && magnitude <= least => magnitude.wrapping_neg() & mask(width),
        _ => least,
    }
}

/// Truncates to an unsigned number of that width; all ones where it does not fit.
pub(crate) fn to_unsigned(sort: FloatSort, width: u32, a: u128) -> u128 {
    match truncated_magnitude(sort, a) {
        Some(0) => 0,
        Some(magnitude) if a & sort.sign_bit() == 0 && magnitude <= mask(width) => magnitude,
        _ => mask(width),
    }
}

/// Which floats fit an integer type when they are truncated.
pub struct IntegerBounds {
    /// Bits of the lower bound.
    pub low: u128,
    /// Whether the lower bound itself fits.
    pub low_included: bool,
    /// Bits of the upper bound, which does not fit; infinity when all finite floats do.
    pub high: u128,
    /// The integer for floats that do not fit.
    pub otherwise: u128,
}

/// The bounds of the floats that truncate to a number of `width` bits.
pub fn integer_bounds(sort: FloatSort, width: u32, signed: bool) -> IntegerBounds {
    // 2^n is a float, or rounds to infinity; -2^n - 1 may lie between two floats.
    let power = |n: u32| if n < 128 { from_unsigned(sort, 1 << n) } else { twice(sort, from_unsigned(sort, 1 << 127)) };
    if !signed {
        let low = from_signed(sort, -1);
        return IntegerBounds { low, low_included: false, high: power(width), otherwise: mask(width) };
    }
    let least = 1u128 << (width - 1);
    let high = power(width - 1);
    let exact = width <= u32::from(sort.sig()) && high != sort.infinity();
    if exact {
        let low = arith(BinOp::FpSub, sort, high | sort.sign_bit(), from_unsigned(sort, 1));
        IntegerBounds { low, low_included: false, high, otherwise: least }
    } else {
        let included = high != sort.infinity();
        IntegerBounds { low: high | sort.sign_bit(), low_included: included, high, otherwise: least }
    }
}

fn twice(sort: FloatSort, a: u128) -> u128 {
    arith(BinOp::FpAdd, sort, a, a)
}

/// Square root, to the nearest even.
pub(crate) fn sqrt(sort: FloatSort, a: u128) -> u128 {
    if a & !sort.sign_bit() == 0 || a == sort.infinity() {
        return a;
    }
    if sort.is_nan(a) || a & sort.sign_bit() != 0 {
        return sort.nan();
    }
    let precision = u32::from(sort.sig());
    let (significand, exponent) = decode(sort, a);
    // The radicand is significand << shift, of 2 * digits bits or one less, and its exponent is even. Two more digits
    // than the precision decide the rounding together with the remainder.
    let digits = precision + 2;
    let mut shift = 2 * digits - (128 - significand.leading_zeros());
    if (exponent - shift as i32) % 2 != 0 {
        shift -= 1;
    }
    let bit = |i: u32| if i >= shift { significand.checked_shr(i - shift).unwrap_or(0) & 1 } else { 0 };
    let (mut root, mut remainder) = (0u128, 0u128);
    for i in (0..digits).rev() {
        remainder = remainder << 2 | bit(2 * i + 1) << 1 | bit(2 * i);
        let trial = root << 2 | 1;
        root <<= 1;
        if remainder >= trial {
            remainder -= trial;
            root |= 1;
        }
    }
    let mut exponent = (exponent - shift as i32) / 2 + 2;
    let mut quotient = root >> 2;
    let (half, rest) = (root & 2 != 0, root & 1 != 0 || remainder != 0);
    if half && (rest || quotient & 1 != 0) {
        quotient += 1;
        if quotient >> precision != 0 {
            quotient >>= 1;
            exponent += 1;
        }
    }
    let biased = (exponent + precision as i32 - 1 + bias(sort)) as u128;
    biased << (precision - 1) | quotient & mask(precision - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLES: &[f64] = &[
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.0,
        2.5,
        3.0,
        -3.5,
        1e10,
        2147483647.0,
        2147483648.0,
        -2147483648.0,
        -2147483649.0,
        4294967295.0,
        4294967296.0,
        9.3e18,
        1.9e19,
        1e300,
        -1e300,
        1e-300,
        5e-324,
        1e-310,
        2.2250738585072014e-308,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        0.1,
        123456.789,
        1e15,
        4503599627370497.5,
    ];

    fn bits(x: f64) -> u128 {
        FloatSort::F64.canonical(u128::from(x.to_bits()))
    }

    fn bits32(x: f32) -> u128 {
        FloatSort::F32.canonical(u128::from(x.to_bits()))
    }

    #[test]
    fn agrees_with_the_machine() {
        let sort = FloatSort::F64;
        for &x in SAMPLES {
            assert_eq!(sqrt(sort, bits(x)), bits(x.sqrt()), "sqrt {x}");
            assert_eq!(sqrt(FloatSort::F32, bits32(x as f32)), bits32((x as f32).sqrt()), "sqrt {x}");
            assert_eq!(convert(sort, FloatSort::F32, bits(x)), bits32(x as f32), "{x} as f32");
            assert_eq!(convert(FloatSort::F32, sort, bits32(x as f32)), bits(f64::from(x as f32)));
            assert_eq!(round_to_integral(sort, Round::ToZero, bits(x)), bits(x.trunc()), "trunc {x}");
            assert_eq!(round_to_integral(sort, Round::Up, bits(x)), bits(x.ceil()), "ceil {x}");
            assert_eq!(round_to_integral(sort, Round::Down, bits(x)), bits(x.floor()), "floor {x}");
            assert_eq!(round_to_integral(sort, Round::NearestAway, bits(x)), bits(x.round()), "round {x}");
            let fits = x > -2147483649.0 && x < 2147483648.0;
            let expected = if fits { x as i32 } else { i32::MIN } as u32;
            assert_eq!(to_signed(sort, 32, bits(x)), u128::from(expected), "{x} as i32");
            let fits = x > -1.0 && x < 18446744073709551616.0;
            assert_eq!(
                to_unsigned(sort, 64, bits(x)),
                u128::from(if fits { x as u64 } else { u64::MAX }),
                "{x} as u64"
            );
            for &y in SAMPLES {
                assert_eq!(arith(BinOp::FpAdd, sort, bits(x), bits(y)), bits(x + y), "{x} + {y}");
                assert_eq!(arith(BinOp::FpSub, sort, bits(x), bits(y)), bits(x - y), "{x} - {y}");
                assert_eq!(arith(BinOp::FpMul, sort, bits(x), bits(y)), bits(x * y), "{x} * {y}");
                assert_eq!(arith(BinOp::FpDiv, sort, bits(x), bits(y)), bits(x / y), "{x} / {y}");
                assert_eq!(compare(sort, bits(x), bits(y)), x.partial_cmp(&y), "{x} cmp {y}");
            }
        }
    }

    #[test]
    fn roots_of_squares_are_exact_in_wide_formats() {
        for sort in [FloatSort::F16, FloatSort::X87, FloatSort::F128] {
            for n in 0..40u128 {
                let square = from_unsigned(sort, n * n);
                assert_eq!(sqrt(sort, square), from_unsigned(sort, n), "{n} in {sort}");
            }
            let two = from_unsigned(sort, 2);
            let root = sqrt(sort, two);
            let error = arith(BinOp::FpSub, sort, arith(BinOp::FpMul, sort, root, root), two) & !sort.sign_bit();
            // At most two units in the last place of 2.
            let bound = ((sort.infinity() / 2) >> (sort.sig() - 1)) - u128::from(sort.sig()) + 3;
            assert!(error >> (sort.sig() - 1) <= bound, "{sort}");
        }
    }

    #[test]
    fn bounds_of_integers_agree_with_truncation() {
        for sort in [FloatSort::F16, FloatSort::F32, FloatSort::F64] {
            for width in [1, 8, 16, 17, 24, 25, 32, 53, 54, 64, 128] {
                for signed in [true, false] {
                    let bounds = integer_bounds(sort, width, signed);
                    let samples = (0..=sort.infinity()).step_by((sort.infinity() / 5000 + 1) as usize);
                    let near = [bounds.low, bounds.high].into_iter().flat_map(|b| [b.saturating_sub(1), b, b + 1]);
                    for a in samples.flat_map(|a| [a, a | sort.sign_bit()]).chain(near).map(|a| sort.canonical(a)) {
                        let low = compare(sort, bounds.low, a);
                        let fits = (low == Some(Ordering::Less) || bounds.low_included && low == Some(Ordering::Equal))
                            && compare(sort, a, bounds.high) == Some(Ordering::Less);
                        let value = truncated_magnitude(sort, a);
                        let negative = a & sort.sign_bit() != 0;
                        let limit = match (signed, negative) {
                            (true, true) => 1 << (width - 1),
                            (true, false) => (1 << (width - 1)) - 1,
                            (false, true) => 0,
                            (false, false) => mask(width),
                        };
                        assert_eq!(fits, value.is_some_and(|v| v <= limit), "{a:x} of {sort} in {width}, {signed}");
                    }
                }
            }
        }
    }

    #[test]
    fn whole_range_of_integers() {
        assert_eq!(from_signed(FloatSort::F64, i128::MIN), bits(i128::MIN as f64));
        assert_eq!(from_unsigned(FloatSort::F32, u128::MAX), bits32(u128::MAX as f32));
        assert_eq!(to_unsigned(FloatSort::F64, 128, bits(u128::MAX as f64)), u128::MAX);
        assert_eq!(to_signed(FloatSort::F64, 128, bits(i128::MIN as f64)), 1 << 127);
        assert_eq!(to_signed(FloatSort::F64, 1, bits(-1.0)), 1);
        assert_eq!(to_signed(FloatSort::F64, 1, bits(0.9)), 0);
    }
}

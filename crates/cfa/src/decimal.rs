//! Floats as text: exact decimal expansions, rounded half to even like C's `printf` does, and hexadecimal ones.
//!
//! A finite binary float is `m * 2^e`; for negative `e` that is `m * 5^-e * 10^e`, so that its decimal expansion is finite and
//! one big integer holds all its digits.

use crate::eval::decompose_float;
use crate::value::{FloatFormat, Value};

/// All digits of a number: the integer made of `digits` times `10^-scale`. Digits are 0 to 9, without leading zeros.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal {
    digits: Vec<u8>,
    scale: usize,
}

impl Decimal {
    /// The exact value `m * 2^e`.
    pub fn exact(mut m: u128, mut e: i32) -> Self {
        if m == 0 {
            return Self { digits: Vec::new(), scale: 0 };
        }
        while e < 0 && m.is_multiple_of(2) {
            m /= 2;
            e += 1;
        }
        let mut limbs: Vec<u32> = (0..4).map(|i| (m >> (32 * i)) as u32).collect();
        let (base, chunk) = if e < 0 { (5u32, 13) } else { (2, 31) };
        let mut left = e.unsigned_abs();
        while left > 0 {
            let n = left.min(chunk);
            multiply(&mut limbs, base.pow(n));
            left -= n;
        }
        let mut digits = Vec::new();
        while limbs.iter().any(|l| *l != 0) {
            let mut rest = divide(&mut limbs, 1_000_000_000);
            for _ in 0..9 {
                digits.push((rest % 10) as u8);
                rest /= 10;
            }
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        digits.reverse();
        Self { digits, scale: if e < 0 { e.unsigned_abs() as usize } else { 0 } }
    }

    /// `123.450`: all digits before the point, and `places` behind it (no point if there are none).
    pub fn fixed(&self, places: usize) -> String {
        let missing = (self.scale + 1).saturating_sub(self.digits.len());
        let mut digits = vec![0; missing];
        digits.extend(&self.digits);
        let whole = digits.len() - self.scale;
        let carried = round(&mut digits, whole + places);
        let whole = whole + usize::from(carried);
        let text = |digits: &[u8]| digits.iter().map(|d| char::from(b'0' + d)).collect::<String>();
        let behind = &digits[whole..];
        let zeros = "0".repeat(places - behind.len());
        let point = if places > 0 { "." } else { "" };
        format!("{}{point}{}{zeros}", text(&digits[..whole]), text(behind))
    }

    /// `places + 1` digits and the exponent of the first: 1.2345e2 is `[1, 2, 3, 4, 5]` and 2.
    pub fn scientific(&self, places: usize) -> (Vec<u8>, i32) {
        if self.digits.is_empty() {
            return (vec![0; places + 1], 0);
        }
        let mut digits = self.digits.clone();
        let carried = round(&mut digits, places + 1);
        digits.resize(places + 1, 0);
        (digits, self.digits.len() as i32 - 1 - self.scale as i32 + i32::from(carried))
    }
}

/// Cuts to `keep` digits, rounding half to even; `true` when a digit was added in front.
fn round(digits: &mut Vec<u8>, keep: usize) -> bool {
    if keep >= digits.len() {
        return false;
    }
    let (first, rest) = (digits[keep], &digits[keep + 1..]);
    let tie = first == 5 && rest.iter().all(|d| *d == 0);
    let odd = keep > 0 && digits[keep - 1] % 2 == 1;
    let up = if tie { odd } else { first >= 5 };
    digits.truncate(keep);
    if !up {
        return false;
    }
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return false;
        }
        *digit = 0;
    }
    digits.insert(0, 1);
    true
}

fn multiply(limbs: &mut Vec<u32>, by: u32) {
    let mut carry = 0u64;
    for limb in limbs.iter_mut() {
        let product = u64::from(*limb) * u64::from(by) + carry;
        *limb = product as u32;
        carry = product >> 32;
    }
    if carry != 0 {
        limbs.push(carry as u32);
    }
}

/// Divides and returns the remainder; zero limbs at the top are dropped.
fn divide(limbs: &mut Vec<u32>, by: u32) -> u32 {
    let mut rest = 0u64;
    for limb in limbs.iter_mut().rev() {
        let part = rest << 32 | u64::from(*limb);
        *limb = (part / u64::from(by)) as u32;
        rest = part % u64::from(by);
    }
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    rest as u32
}

/// `0x1.8p+1` without sign, as glibc prints it; `point` forces a point. `None` for infinities and NaNs.
pub fn hexadecimal(format: FloatFormat, value: Value, places: Option<usize>, point: bool) -> Option<String> {
    let (_, mut significand, exponent) = decompose_float(format, value)?;
    // Bits behind the point: x87 shows four bits before it, the others one.
    let (behind, shift) = match format {
        FloatFormat::F16 => (10, 2),
        FloatFormat::F32 => (23, 1),
        FloatFormat::F64 => (52, 0),
        FloatFormat::F80 => (60, 0),
        FloatFormat::F128 => (112, 0),
    };
    let mut exponent = if significand == 0 { 0 } else { exponent + behind };
    significand <<= shift;
    let mut digits = ((behind + shift) / 4) as usize;
    match places {
        Some(places) if places < digits => {
            let cut = 4 * (digits - places) as u32;
            let (rest, half) = (significand & ((1 << cut) - 1), 1 << (cut - 1));
            significand >>= cut;
            significand += u128::from(rest > half || rest == half && significand % 2 == 1);
            digits = places;
        }
        _ => {}
    }
    // Rounding may carry into a second digit before the point.
    if significand >> (4 * digits) == 16 {
        significand >>= 4;
        exponent += 4;
    }
    let mut text = format!("{:x}", significand & ((1u128 << (4 * digits)) - 1));
    text = if digits == 0 { String::new() } else { format!("{text:0>digits$}") };
    match places {
        None => text.truncate(text.trim_end_matches('0').len()),
        Some(places) => text.extend(std::iter::repeat_n('0', places - digits)),
    }
    let dot = if text.is_empty() && !point { "" } else { "." };
    Some(format!("0x{:x}{dot}{text}p{exponent:+}", significand >> (4 * digits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(v: f64, places: usize, fixed: &str, scientific: (&str, i32)) {
        let (_, m, e) = decompose_float(FloatFormat::F64, Value(v.to_bits().into())).unwrap();
        let decimal = Decimal::exact(m, e);
        assert_eq!(decimal.fixed(places), fixed);
        assert_eq!(decimal.fixed(places), format!("{v:.places$}"), "as Rust prints it");
        let (digits, exponent) = decimal.scientific(places);
        let digits: String = digits.iter().map(|d| char::from(b'0' + d)).collect();
        assert_eq!((digits.as_str(), exponent), scientific);
    }

    #[test]
    fn decimal_digits() {
        check(0.0, 2, "0.00", ("000", 0));
        check(1.5, 0, "2", ("2", 0));
        check(0.5, 0, "0", ("5", -1));
        check(2.5, 0, "2", ("2", 0));
        check(0.125, 2, "0.12", ("125", -1));
        check(0.1, 20, "0.10000000000000000555", ("100000000000000005551", -1));
        check(99.99, 1, "100.0", ("10", 2));
        check(0.0009, 2, "0.00", ("900", -4));
        check(1e22, 1, "10000000000000000000000.0", ("10", 22));
        check(5e-324, 3, "0.000", ("4941", -324));
    }

    #[test]
    fn hexadecimal_digits() {
        for (v, places, expected) in [
            (1.0, None, "0x1p+0"),
            (3.0, None, "0x1.8p+1"),
            (0.1, None, "0x1.999999999999ap-4"),
            (0.0, None, "0x0p+0"),
            (5e-324, None, "0x0.0000000000001p-1022"),
            (1.5, Some(0), "0x2p+0"),
            (1.0, Some(3), "0x1.000p+0"),
            (0.1, Some(2), "0x1.9ap-4"),
        ] {
            let got = hexadecimal(FloatFormat::F64, Value(f64::to_bits(v).into()), places, false);
            assert_eq!(got.as_deref(), Some(expected));
        }
    }
}

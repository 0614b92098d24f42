//! What `printf` writes for a float: a function of its value and of how the field is laid out, to the last digit [C17 7.21.6.1].

use crate::decimal::{Decimal, hexadecimal};
use crate::eval::{decompose_float, is_nan};
use crate::value::{FloatFormat, Value};

/// Widest field and longest precision; the rest is cut, so that no format string takes all memory.
pub const MAX_FIELD: usize = 1 << 20;

/// Flags, width and precision of a conversion specification.
#[derive(Clone, Default, Debug)]
pub struct Field {
    /// `-`: blanks come behind.
    pub left: bool,
    /// `+`: numbers that are not negative have a sign.
    pub plus: bool,
    /// A blank in place of that sign.
    pub space: bool,
    /// `#`
    pub alternate: bool,
    /// `0`: zeros in place of blanks.
    pub zero: bool,
    /// Least number of characters.
    pub width: usize,
    /// Digits, by the conversion.
    pub precision: Option<usize>,
}

impl Field {
    /// The sign of a number.
    pub fn sign(&self, negative: bool) -> &'static str {
        match () {
            () if negative => "-",
            () if self.plus => "+",
            () if self.space => " ",
            () => "",
        }
    }

    /// Fills up to the width: behind, between prefix and text, or in front.
    pub fn pad(&self, out: &mut Vec<u8>, prefix: &str, text: &[u8]) {
        let fill = self.width.saturating_sub(prefix.len() + text.len());
        let (before, zeros, behind) = match () {
            () if self.left => (0, 0, fill),
            () if self.zero => (0, fill, 0),
            () => (fill, 0, 0),
        };
        out.extend(std::iter::repeat_n(b' ', before));
        out.extend(prefix.as_bytes());
        out.extend(std::iter::repeat_n(b'0', zeros));
        out.extend(text);
        out.extend(std::iter::repeat_n(b' ', behind));
    }

    /// A float, for the conversions `a`, `e`, `f` and `g` and those in capitals.
    pub fn float(&mut self, out: &mut Vec<u8>, conversion: u8, format: FloatFormat, v: Value) {
        let negative = (v.0 >> (format.bits() - 1)) & 1 == 1;
        let mut prefix = self.sign(negative).to_string();
        let mut text = match decompose_float(format, v) {
            None => {
                self.zero = false;
                if is_nan(format, v.0) { "nan".into() } else { "inf".into() }
            }
            Some((_, m, e)) => match conversion.to_ascii_lowercase() {
                b'a' => {
                    // The zeros of a padded field stand behind the `0x`.
                    prefix.push_str(if conversion == b'A' { "0X" } else { "0x" });
                    let text = hexadecimal(format, v, self.precision, self.alternate).unwrap_or_default();
                    text[2..].into()
                }
                b'f' => self.pointed(Decimal::exact(m, e).fixed(self.precision.unwrap_or(6))),
                b'e' => {
                    let (digits, exponent) = Decimal::exact(m, e).scientific(self.precision.unwrap_or(6));
                    self.scientific(&digits, exponent)
                }
                _ => self.general(&Decimal::exact(m, e)),
            },
        };
        if conversion.is_ascii_uppercase() {
            text.make_ascii_uppercase();
        }
        self.pad(out, &prefix, text.as_bytes());
    }

    /// With a point at the end if `#` asks for one.
    fn pointed(&self, mut text: String) -> String {
        if self.alternate && !text.contains('.') {
            text.push('.');
        }
        text
    }

    fn scientific(&self, digits: &[u8], exponent: i32) -> String {
        let mut text: String = digits.iter().map(|d| char::from(b'0' + d)).collect();
        if digits.len() > 1 || self.alternate {
            text.insert(1, '.');
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{text}e{sign}{:02}", exponent.unsigned_abs())
    }

    /// `%g`: the shorter notation, without zeros at the end.
    fn general(&self, decimal: &Decimal) -> String {
        let places = self.precision.unwrap_or(6).max(1);
        let (mut digits, exponent) = decimal.scientific(places - 1);
        if exponent < -4 || exponent >= places as i32 {
            while !self.alternate && digits.len() > 1 && digits.last() == Some(&0) {
                digits.pop();
            }
            return self.scientific(&digits, exponent);
        }
        let mut text = self.pointed(decimal.fixed((places as i32 - 1 - exponent) as usize));
        if !self.alternate && text.contains('.') {
            text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
        }
        text
    }
}

/// One character of a float's text, or zero behind its end: of a value of type `double`, with the conversion and flags in the bits above it, width,
/// precision (none, if it is negative), and the index.
pub fn character(value: Value, [conversion, width, precision, index]: [i64; 4]) -> Option<u8> {
    let flags = conversion >> 8;
    let mut field = Field {
        left: flags & 1 != 0,
        plus: flags & 2 != 0,
        space: flags & 4 != 0,
        alternate: flags & 8 != 0,
        zero: flags & 16 != 0,
        width: usize::try_from(width).unwrap_or(0).min(MAX_FIELD),
        precision: usize::try_from(precision).ok().map(|p| p.min(MAX_FIELD)),
    };
    let mut text = Vec::new();
    field.float(&mut text, conversion as u8, FloatFormat::F64, value);
    Some(text.get(usize::try_from(index).ok()?).copied().unwrap_or(0))
}

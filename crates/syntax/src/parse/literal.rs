//! Constants and string literals: from their spelling to values.

use base::Diagnostic;
use std::borrow::Cow;

use super::{Parsed, Parser};
use crate::ast::{Builtin, CharKind, CharLit, ExprKind, FloatLit, IntLength, IntLit, Radix, StrData, StrLit};
use crate::lex::Tok;
use crate::preprocess::Encoding;

impl Parser<'_> {
    #[inline]
    pub(super) fn number(&mut self) -> Parsed<ExprKind> {
        let span = self.bump().span;
        let text = self.snippet(span);
        // Most are short and decimal without suffix.
        if text.len() < 10 && !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit()) {
            let value = text.bytes().fold(0, |n, b| n * 10 + u64::from(b - b'0'));
            let (radix, length) = (Radix::Decimal, IntLength::Int);
            return Ok(ExprKind::Int(IntLit { value, radix, unsigned: false, length, imaginary: false }));
        }
        let digits = if text.contains('\'') { Cow::Owned(text.replace('\'', "")) } else { Cow::Borrowed(text) };
        match decode_number(&digits) {
            Ok(kind) => Ok(kind),
            Err(message) => {
                let error = Diagnostic::error("E0125", span, format!("{message}: `{text}`"));
                Err(self.fail(error))
            }
        }
    }

    pub(super) fn character(&mut self) -> Parsed<ExprKind> {
        let span = self.bump().span;
        let (kind, body) = split_prefix(self.snippet(span));
        let mut units = Units::new(kind, self.encoding);
        units.add(body).map_err(|e| self.fail(Diagnostic::error("E0125", span, e)))?;
        let bad = |message: &str| Diagnostic::error("E0125", span, message);
        let value = match units.data {
            StrData::Bytes(bytes) => match *bytes.as_slice() {
                [] => return Err(self.fail(bad("empty character constant"))),
                [byte] if kind == CharKind::Utf8 => i64::from(byte),
                [byte] => i64::from(byte as i8),
                // The last four, as in GCC, which warns.
                ref bytes => i64::from(bytes.iter().fold(0i32, |n, b| n.wrapping_shl(8) | i32::from(*b))),
            },
            StrData::Units(units) => match (units.last(), kind) {
                (None, _) => return Err(self.fail(bad("empty character constant"))),
                (Some(unit), CharKind::Wide) => i64::from(*unit as i32),
                (Some(unit), _) => i64::from(*unit),
            },
        };
        Ok(ExprKind::Char(CharLit { value, kind }))
    }

    /// Adjacent string literals.
    pub(super) fn string(&mut self) -> Parsed<StrLit> {
        if self.kind() != Tok::Str {
            return Err(self.expected("a string literal"));
        }
        let start = self.pos;
        let lo = self.span().lo;
        let mut kind = CharKind::Narrow;
        while self.kind() == Tok::Str {
            // The prefix of one of them holds for all.
            match split_prefix(self.snippet(self.span())).0 {
                CharKind::Narrow => {}
                prefix => kind = prefix,
            }
            self.bump();
        }
        let mut units = Units::new(kind, self.encoding);
        for index in start..self.pos {
            let span = self.tokens[index].span;
            let (_, body) = split_prefix(self.snippet(span));
            units.add(body).map_err(|e| self.fail(Diagnostic::error("E0125", span, e)))?;
        }
        Ok(StrLit { span: self.since(lo), kind, data: units.data })
    }
}

/// Prefix and what stands between the quotes.
fn split_prefix(text: &str) -> (CharKind, &str) {
    let quote = text.find(['"', '\'']).unwrap_or(0);
    let kind = match &text[..quote] {
        "L" => CharKind::Wide,
        "u" => CharKind::U16,
        "U" => CharKind::U32,
        "u8" => CharKind::Utf8,
        _ => CharKind::Narrow,
    };
    (kind, text.get(quote + 1..text.len() - 1).unwrap_or(""))
}

/// Collects the elements of a string.
struct Units {
    kind: CharKind,
    encoding: Encoding,
    data: StrData,
}

impl Units {
    fn new(kind: CharKind, encoding: Encoding) -> Self {
        let data = match kind {
            CharKind::Narrow | CharKind::Utf8 => StrData::Bytes(Vec::new()),
            CharKind::Wide | CharKind::U16 | CharKind::U32 => StrData::Units(Vec::new()),
        };
        Self { kind, encoding, data }
    }

    /// Appends what stands between the quotes of a literal. `Err` says what is wrong.
    fn add(&mut self, body: &str) -> Result<(), String> {
        if let StrData::Bytes(bytes) = &mut self.data {
            bytes.reserve(body.len());
            if !body.contains('\\') && (self.encoding == Encoding::Utf8 || body.is_ascii()) {
                bytes.extend_from_slice(body.as_bytes());
                return Ok(());
            }
        }
        let mut chars = body.chars();
        while let Some(c) = chars.next() {
            if c == '\\' {
                self.escape(&mut chars)?;
            } else {
                self.character(c);
            }
        }
        Ok(())
    }

    /// A character of the source text.
    fn character(&mut self, c: char) {
        match &mut self.data {
            StrData::Bytes(bytes) if self.encoding == Encoding::Latin1 && (c as u32) < 0x100 => bytes.push(c as u8),
            StrData::Bytes(bytes) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            StrData::Units(units) if self.kind == CharKind::U16 => {
                units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|u| u32::from(*u)));
            }
            StrData::Units(units) => units.push(c as u32),
        }
    }

    /// The value of an octal or hexadecimal escape.
    fn value(&mut self, value: u32) {
        match &mut self.data {
            StrData::Bytes(bytes) => bytes.push(value as u8),
            StrData::Units(units) if self.kind == CharKind::U16 => units.push(value & 0xffff),
            StrData::Units(units) => units.push(value),
        }
    }

    /// What follows a backslash.
    fn escape(&mut self, chars: &mut std::str::Chars<'_>) -> Result<(), String> {
        let Some(c) = chars.next() else { return Ok(()) };
        let simple = match c {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\n' => return Ok(()),
            '\r' => {
                if chars.as_str().starts_with('\n') {
                    chars.next();
                }
                return Ok(());
            }
            '0'..='7' => {
                let mut value = c as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(digit) = chars.as_str().chars().next().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + digit;
                    chars.next();
                }
                self.value(value);
                return Ok(());
            }
            'x' => {
                let rest = chars.as_str();
                let len = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
                if len == 0 {
                    return Err("`\\x` is used with no following hex digits".to_owned());
                }
                let value = rest[..len].chars().filter_map(|c| c.to_digit(16)).fold(0u32, |n, d| n << 4 | d);
                *chars = rest[len..].chars();
                self.value(value);
                return Ok(());
            }
            'u' | 'U' => {
                let rest = chars.as_str();
                let len = if c == 'u' { 4 } else { 8 };
                let digits = rest.get(..len).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
                let code = digits.and_then(|d| u32::from_str_radix(d, 16).ok()).and_then(char::from_u32);
                let Some(code) = code else {
                    return Err(format!("`\\{c}` is not followed by the {len} hex digits of a character"));
                };
                *chars = rest[len..].chars();
                match &mut self.data {
                    // The execution character set is UTF-8, whatever the encoding of the source.
                    StrData::Bytes(bytes) => bytes.extend_from_slice(code.encode_utf8(&mut [0; 4]).as_bytes()),
                    StrData::Units(_) => self.character(code),
                }
                return Ok(());
            }
            // Quotes, the backslash and, as in GCC with a warning, everything else mean themselves.
            _ => {
                self.character(c);
                return Ok(());
            }
        };
        self.value(simple);
        Ok(())
    }
}

/// `Err` says what is wrong.
fn decode_number(text: &str) -> Result<ExprKind, String> {
    let bytes = text.as_bytes();
    let (base, digits) = match bytes {
        [b'0', b'x' | b'X', ..] => (16, &text[2..]),
        [b'0', b'b' | b'B', ..] => (2, &text[2..]),
        _ => (10, text),
    };
    let is_digit = |b: &u8| if base == 16 { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let len = digits.bytes().take_while(|b| is_digit(b)).count();
    let next = digits.as_bytes().get(len).map(u8::to_ascii_lowercase);
    let exponent = if base == 16 { b'p' } else { b'e' };
    if next == Some(b'.') || next == Some(exponent) {
        return decode_float(text, exponent);
    }
    let (radix, base) = match base {
        10 if text.starts_with('0') && len > 1 => (Radix::Other, 8),
        10 => (Radix::Decimal, 10),
        base => (Radix::Other, base),
    };
    let (digits, suffix) = digits.split_at(len);
    if digits.is_empty() {
        return Err("digits are missing in a constant".to_owned());
    }
    let mut value = 0u64;
    for digit in digits.chars() {
        let Some(digit) = digit.to_digit(base) else {
            return Err(format!("invalid digit `{digit}` in a constant of base {base}"));
        };
        let next = value.checked_mul(u64::from(base)).and_then(|v| v.checked_add(u64::from(digit)));
        value = next.ok_or_else(|| "integer constant needs more than 64 bits".to_owned())?;
    }
    let mut lit = IntLit { value, radix, unsigned: false, length: IntLength::Int, imaginary: false };
    let mut rest = suffix;
    while let Some(c) = rest.bytes().next() {
        let before = rest;
        rest = match c.to_ascii_lowercase() {
            b'u' if !lit.unsigned => {
                lit.unsigned = true;
                &rest[1..]
            }
            b'l' if lit.length == IntLength::Int && (rest.starts_with("ll") || rest.starts_with("LL")) => {
                lit.length = IntLength::LongLong;
                &rest[2..]
            }
            b'l' if lit.length == IntLength::Int => {
                lit.length = IntLength::Long;
                &rest[1..]
            }
            b'i' | b'j' if !lit.imaginary => {
                lit.imaginary = true;
                &rest[1..]
            }
            _ => before,
        };
        if rest.len() == before.len() {
            return Err(format!("invalid suffix `{suffix}` of an integer constant"));
        }
    }
    Ok(ExprKind::Int(lit))
}

fn decode_float(text: &str, exponent: u8) -> Result<ExprKind, String> {
    let bytes = text.as_bytes();
    let hex = exponent == b'p';
    let mut pos = if hex { 2 } else { 0 };
    let is_digit = |b: u8| if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let mut digits = 0;
    let mut point = false;
    while let Some(b) = bytes.get(pos) {
        match b {
            b'.' if !point => point = true,
            b if is_digit(*b) => digits += 1,
            _ => break,
        }
        pos += 1;
    }
    if digits == 0 {
        return Err("digits are missing in a constant".to_owned());
    }
    if bytes.get(pos).map(u8::to_ascii_lowercase) == Some(exponent) {
        pos += 1;
        pos += usize::from(matches!(bytes.get(pos), Some(b'+' | b'-')));
        let len = bytes[pos..].iter().take_while(|b| b.is_ascii_digit()).count();
        if len == 0 {
            return Err("the exponent of a constant has no digits".to_owned());
        }
        pos += len;
    } else if hex {
        return Err("a hexadecimal floating constant needs an exponent".to_owned());
    }
    let (number, suffix) = text.split_at(pos);
    let lower = suffix.to_ascii_lowercase();
    let plain = lower.trim_matches(['i', 'j']);
    if lower.len() > plain.len() + 1 {
        return Err(format!("invalid suffix `{suffix}` of a floating constant"));
    }
    let ty = match plain {
        "" => Builtin::Double,
        "f" => Builtin::Float,
        "l" => Builtin::LongDouble,
        "q" | "f128" => Builtin::Float128,
        "f16" => Builtin::Float16,
        "f32" => Builtin::Float32,
        "f64" => Builtin::Float64,
        "f32x" => Builtin::Float32x,
        "f64x" | "w" => Builtin::Float64x,
        "df" => Builtin::Decimal32,
        "dd" => Builtin::Decimal64,
        "dl" => Builtin::Decimal128,
        _ => return Err(format!("invalid suffix `{suffix}` of a floating constant")),
    };
    Ok(ExprKind::Float(Box::new(FloatLit { text: number.into(), ty, imaginary: lower.len() > plain.len() })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match decode_number(text) {
            Ok(ExprKind::Int(i)) => {
                let length = ["", "l", "ll"][i.length as usize];
                let flags = [(i.unsigned, "u"), (i.imaginary, "i"), (i.radix == Radix::Other, " other")];
                let flags: String = flags.iter().filter(|(on, _)| *on).map(|(_, text)| *text).collect();
                format!("{}{length}{flags}", i.value)
            }
            Ok(ExprKind::Float(f)) => format!("{} {:?}{}", f.text, f.ty, if f.imaginary { " i" } else { "" }),
            Ok(_) => "?".to_owned(),
            Err(message) => message,
        }
    }

    #[test]
    fn numbers() {
        for (text, expected) in [
            ("0", "0"),
            ("017", "15 other"),
            ("0x1FuLL", "31llu other"),
            ("0b101", "5 other"),
            ("18446744073709551615ul", "18446744073709551615lu"),
            ("18446744073709551616", "integer constant needs more than 64 bits"),
            ("3i", "3i"),
            ("08", "invalid digit `8` in a constant of base 8"),
            ("1lul", "invalid suffix `lul` of an integer constant"),
            ("12abc", "invalid suffix `abc` of an integer constant"),
            ("0x", "digits are missing in a constant"),
            ("1.5e-3f", "1.5e-3 Float"),
            (".5", ".5 Double"),
            ("1.", "1. Double"),
            ("1e10L", "1e10 LongDouble"),
            ("089.5", "089.5 Double"),
            ("0x1.8p3", "0x1.8p3 Double"),
            ("0x.8p-3f", "0x.8p-3 Float"),
            ("1.0if", "1.0 Float i"),
            ("1.f32x", "1. Float32x"),
            ("2.0q", "2.0 Float128"),
            ("0x1.8", "a hexadecimal floating constant needs an exponent"),
            ("1e", "the exponent of a constant has no digits"),
            ("1.0z", "invalid suffix `z` of a floating constant"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}

//! Formatted output of C: everything that C17 7.21.6.1 has but `%n`, wide characters and numbered arguments.

use cfa::float_text::{Field, MAX_FIELD};
use cfa::{FloatFormat, MachineModel, Scalar, Value};

/// A conversion specification.
#[derive(Clone, Default, Debug)]
struct Spec {
    field: Field,
    /// Width of an integer argument in bits.
    bits: u32,
}

/// Where arguments come from, and the memory that they point to.
pub(crate) trait Arguments {
    /// Why a read failed.
    type Error;

    /// The next argument; `wanted` is the promoted type that the conversion expects. `None` if there is none.
    fn next(&mut self, wanted: Scalar) -> Result<Option<(Scalar, Value)>, Self::Error>;

    /// The bytes of a string before the null, at most as many as given.
    fn string(&mut self, address: u64, max: Option<usize>) -> Result<Vec<u8>, Self::Error>;
}

/// What `printf` writes for the format and the (promoted) arguments; missing arguments are zero.
pub(crate) fn format<A: Arguments>(format: &[u8], args: &mut A, machine: MachineModel) -> Result<Vec<u8>, A::Error> {
    let mut out = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.iter().position(|b| *b == b'%') {
        out.extend(&rest[..at]);
        let spec_text = &rest[at..];
        rest = &rest[at + 1..];
        let mut spec = flags(&mut rest);
        if let Some(width) = number(&mut rest, args, machine)? {
            spec.field.left |= width < 0;
            spec.field.width = (width.unsigned_abs() as usize).min(MAX_FIELD);
        }
        if rest.first() == Some(&b'.') {
            rest = &rest[1..];
            let precision = number(&mut rest, args, machine)?.unwrap_or(0);
            spec.field.precision = usize::try_from(precision).ok().map(|p| p.min(MAX_FIELD));
        }
        let long_double = rest.first() == Some(&b'L');
        spec.bits = length(&mut rest, machine);
        let int = |signed| Scalar::Int { bits: spec.bits.max(machine.int_bits()) as u16, signed };
        let Some((&conversion, after)) = rest.split_first() else {
            out.extend(spec_text);
            return Ok(out);
        };
        rest = after;
        match conversion {
            b'%' => out.push(b'%'),
            b'd' | b'i' => {
                let v = integer(args.next(int(true))?).signed(spec.bits.min(128));
                let sign = spec.field.sign(v < 0);
                spec.digits(&mut out, sign, v.unsigned_abs().to_string());
            }
            b'u' | b'o' | b'x' | b'X' => {
                let v = Value::truncated(integer(args.next(int(false))?).0, spec.bits).0;
                spec.unsigned(&mut out, conversion, v);
            }
            b'c' => {
                let byte = integer(args.next(machine.int())?).0 as u8;
                spec.field.pad(&mut out, "", &[byte]);
            }
            b's' => {
                let address = integer(args.next(Scalar::Ptr)?).0 as u64;
                let text = match address {
                    0 if spec.field.precision.is_none_or(|p| p >= 6) => b"(null)".to_vec(),
                    0 => Vec::new(),
                    _ => args.string(address, spec.field.precision)?,
                };
                spec.field.zero = false;
                spec.field.pad(&mut out, "", &text);
            }
            b'p' => match integer(args.next(Scalar::Ptr)?).0 {
                0 => {
                    spec.field.zero = false;
                    spec.field.pad(&mut out, "", b"(nil)");
                }
                v => spec.digits(&mut out, "0x", format!("{v:x}")),
            },
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                let wanted = Scalar::Float(if long_double { FloatFormat::F80 } else { FloatFormat::F64 });
                let (format, v) = match args.next(wanted)? {
                    Some((Scalar::Float(format), v)) => (format, v),
                    _ => (FloatFormat::F64, Value(0)),
                };
                spec.field.float(&mut out, conversion, format, v);
            }
            // glibc shows what it doesn't know.
            _ => out.extend(&spec_text[..spec_text.len() - rest.len()]),
        }
    }
    out.extend(rest);
    Ok(out)
}

fn flags(rest: &mut &[u8]) -> Spec {
    let mut spec = Spec::default();
    while let Some((&flag, after)) = rest.split_first() {
        match flag {
            b'-' => spec.field.left = true,
            b'+' => spec.field.plus = true,
            b' ' => spec.field.space = true,
            b'#' => spec.field.alternate = true,
            b'0' => spec.field.zero = true,
            b'\'' => {}
            _ => break,
        }
        *rest = after;
    }
    spec
}

/// A number or `*`.
fn number<A: Arguments>(rest: &mut &[u8], args: &mut A, machine: MachineModel) -> Result<Option<i64>, A::Error> {
    if rest.first() == Some(&b'*') {
        *rest = &rest[1..];
        return Ok(Some(integer(args.next(machine.int())?).signed(machine.int_bits()) as i64));
    }
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let value = rest[..digits].iter().fold(0i64, |n, d| n.saturating_mul(10).saturating_add(i64::from(d - b'0')));
    *rest = &rest[digits..];
    Ok((digits > 0).then_some(value))
}

/// Bits of the integer type that a length modifier names.
fn length(rest: &mut &[u8], machine: MachineModel) -> u32 {
    let (bits, len) = match rest {
        [b'h', b'h', ..] => (8, 2),
        [b'h', ..] => (16, 1),
        [b'l', b'l', ..] => (64, 2),
        [b'l', ..] => (machine.long_bits(), 1),
        [b'z' | b't' | b'Z', ..] => (machine.pointer_bits(), 1),
        [b'j' | b'q' | b'L', ..] => (64, 1),
        _ => (machine.int_bits(), 0),
    };
    *rest = &rest[len..];
    bits
}

/// An integer or pointer argument, sign-extended to 128 bits by its own type.
fn integer(arg: Option<(Scalar, Value)>) -> Value {
    match arg {
        Some((Scalar::Int { bits, signed: true }, v)) => Value(v.signed(u32::from(bits)) as u128),
        Some((_, v)) => v,
        None => Value(0),
    }
}

impl Spec {
    /// `%u`, `%o`, `%x` and `%X`.
    fn unsigned(&mut self, out: &mut Vec<u8>, conversion: u8, v: u128) {
        let (prefix, text) = match conversion {
            b'u' => ("", v.to_string()),
            b'o' => ("", format!("{v:o}")),
            b'x' => (if self.field.alternate && v != 0 { "0x" } else { "" }, format!("{v:x}")),
            _ => (if self.field.alternate && v != 0 { "0X" } else { "" }, format!("{v:X}")),
        };
        // `#o`: the first digit is a zero.
        let text = match self.field.precision {
            Some(p) if conversion == b'o' && self.field.alternate && p <= text.len() && (v != 0 || p == 0) => {
                self.field.precision = Some(if v == 0 { 1 } else { text.len() + 1 });
                text
            }
            None if conversion == b'o' && self.field.alternate && v != 0 => format!("0{text}"),
            _ => text,
        };
        self.digits(out, prefix, text);
    }

    /// An integer with its precision: least number of digits.
    fn digits(&mut self, out: &mut Vec<u8>, prefix: &str, text: String) {
        let text = match self.field.precision {
            Some(0) if text == "0" => String::new(),
            Some(p) => format!("{text:0>p$}"),
            None => text,
        };
        self.field.zero &= self.field.precision.is_none();
        self.field.pad(out, prefix, text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::eval::float_from_f64;

    fn int(v: i64) -> (Scalar, Value) {
        (Scalar::INT, Value::truncated(v as u128, 32))
    }

    fn long(v: i64) -> (Scalar, Value) {
        (Scalar::Int { bits: 64, signed: true }, Value::truncated(v as u128, 64))
    }

    fn double(v: f64) -> (Scalar, Value) {
        (Scalar::Float(FloatFormat::F64), Value(v.to_bits().into()))
    }

    fn long_double(v: f64) -> (Scalar, Value) {
        (Scalar::Float(FloatFormat::F80), float_from_f64(FloatFormat::F80, v))
    }

    struct Listed<'a>(std::slice::Iter<'a, (Scalar, Value)>);

    impl Arguments for Listed<'_> {
        type Error = u64;
        fn next(&mut self, _: Scalar) -> Result<Option<(Scalar, Value)>, u64> {
            Ok(self.0.next().copied())
        }
        fn string(&mut self, address: u64, max: Option<usize>) -> Result<Vec<u8>, u64> {
            let text: &[u8] = if address == 1 { b"hello" } else { return Err(address) };
            Ok(text[..max.unwrap_or(text.len()).min(text.len())].to_vec())
        }
    }

    /// The expected texts are what glibc prints.
    #[track_caller]
    fn check(text: &str, args: &[(Scalar, Value)], expected: &str) {
        let got = format(text.as_bytes(), &mut Listed(args.iter()), MachineModel::Lp64);
        assert_eq!(got.map(|b| String::from_utf8_lossy(&b).into_owned()).as_deref(), Ok(expected), "{text}");
    }

    #[test]
    fn integers() {
        check("%d|%i|%u", &[int(-5), int(7), int(-1)], "-5|7|4294967295");
        check("%5d|%-5d|%05d|%+d|% d", &[int(42), int(42), int(-42), int(42), int(42)], "   42|42   |-0042|+42| 42");
        check(
            "%.3d|%6.3d|%-6.3d|%06.3d|%.0d|",
            &[int(7), int(-7), int(7), int(7), int(0)],
            "007|  -007|007   |   007||",
        );
        check("%x|%X|%#x|%#X|%#x", &[int(255), int(255), int(255), int(255), int(0)], "ff|FF|0xff|0XFF|0");
        check("%o|%#o|%#o|%#.4o|%#.0o", &[int(8), int(8), int(0), int(8), int(0)], "10|010|0|0010|0");
        check("%#08x|%#-8x|%08x|%#05o", &[int(255), int(255), int(255), int(8)], "0x0000ff|0xff    |000000ff|00010");
        check("%hhd|%hd|%hhu|%hu", &[int(300), int(70000), int(-1), int(-1)], "44|4464|255|65535");
        check(
            "%ld|%lld|%zu|%jd|%td|%lx",
            &[long(-1), long(i64::MIN), long(5), long(6), long(-7), long(-1)],
            "-1|-9223372036854775808|5|6|-7|ffffffffffffffff",
        );
        check(
            "%*d|%-*d|%*d|%.*d",
            &[int(4), int(1), int(4), int(2), int(-4), int(3), int(3), int(4)],
            "   1|2   |3   |004",
        );
        check("100%% %", &[], "100% %");
        check("%k %5.2!", &[], "%k %5.2!");
    }

    #[test]
    fn characters_strings_and_pointers() {
        let hello = (Scalar::Ptr, Value(1));
        check("%c%3c%-3c|", &[int(65), int(66), int(67)], "A  BC  |");
        check(
            "%s|%7s|%-7s|%.2s|%5.1s|%.*s",
            &[hello, hello, hello, hello, hello, int(3), hello],
            "hello|  hello|hello  |he|    h|hel",
        );
        check(
            "%p|%p|%20p|",
            &[(Scalar::Ptr, Value(0)), (Scalar::Ptr, Value(0xabc)), (Scalar::Ptr, Value(0x10))],
            "(nil)|0xabc|                0x10|",
        );
        check("%s", &[(Scalar::Ptr, Value(0))], "(null)");
        assert_eq!(format(b"%s", &mut Listed([(Scalar::Ptr, Value(9))].iter()), MachineModel::Lp64), Err(9));
    }

    #[test]
    fn floats() {
        check(
            "%f|%.2f|%.0f|%#.0f|%F",
            &[double(1.5), double(2.675), double(2.5), double(2.5), double(-0.0)],
            "1.500000|2.67|2|2.|-0.000000",
        );
        check(
            "%e|%.2E|%.0e|%#.0e",
            &[double(12345.678), double(0.00012345), double(5.5), double(5.5)],
            "1.234568e+04|1.23E-04|6e+00|6.e+00",
        );
        check(
            "%g|%g|%g|%g|%G",
            &[double(100000.0), double(1e6), double(0.0001), double(0.00001), double(1e-10)],
            "100000|1e+06|0.0001|1e-05|1E-10",
        );
        check(
            "%g|%#g|%.3g|%.10g|%g|%.0g",
            &[double(1.0), double(1.0), double(1234.5), double(0.1), double(0.0), double(25.0)],
            "1|1.00000|1.23e+03|0.1|0|2e+01",
        );
        check(
            "%10.3f|%-10.3f|%010.3f|%+.1f|% .1f",
            &[double(7.14159), double(7.14159), double(-7.14159), double(1.0), double(1.0)],
            "     7.142|7.142     |-00007.142|+1.0| 1.0",
        );
        check(
            "%f|%5F|%05f|%f",
            &[double(f64::INFINITY), double(f64::NEG_INFINITY), double(f64::NAN), double(-f64::NAN)],
            "inf| -INF|  nan|-nan",
        );
        check(
            "%a|%A|%.1a|%012a",
            &[double(1.0), double(10.5), double(1.96875), double(2.0)],
            "0x1p+0|0X1.5P+3|0x2.0p+0|0x0000001p+1",
        );
        check(
            "%Lf|%Le|%La|%.3Lg",
            &[long_double(1.1), long_double(-2.5), long_double(1.0), long_double(1e100)],
            "1.100000|-2.500000e+00|0x8p-3|1e+100",
        );
        check(
            "%.17g|%.1f|%.15f",
            &[double(0.1), double(0.25), double(1e-7)],
            "0.10000000000000001|0.2|0.000000100000000",
        );
        check("%f", &[double(1e22)], "10000000000000000000000.000000");
    }
}

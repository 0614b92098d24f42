//! The functions of C's library that need no memory: random numbers, numbers in text, characters, mathematics.

use cfa::computed::{FLOAT_DIGIT, float_digit};
use cfa::eval::eval_cast;
use cfa::{ExprId, FloatFormat, Program, Scalar, Value};

/// glibc's generator behind `rand`: additive feedback over 31 words.
pub(crate) struct Random {
    words: [i32; 31],
    next: usize,
}

impl Random {
    /// The generator after `srand(seed)`.
    pub fn new(seed: u32) -> Self {
        let mut words = [0i32; 31];
        words[0] = if seed == 0 { 1 } else { seed as i32 };
        for i in 1..31 {
            let previous = i64::from(words[i - 1]);
            let word = (16_807 * previous) % 2_147_483_647;
            words[i] = (if word < 0 { word + 2_147_483_647 } else { word }) as i32;
        }
        // Words 31 to 33 repeat the first three.
        let mut this = Self { words, next: 3 };
        for _ in 0..310 {
            this.draw();
        }
        this
    }

    /// The next number.
    pub fn draw(&mut self) -> u32 {
        // Word i is the sum of the words 3 and 31 before it; the latter is the one it replaces.
        let at = self.next % 31;
        let back = self.words[(at + 28) % 31];
        self.words[at] = self.words[at].wrapping_add(back);
        self.next = (at + 1) % 31;
        self.words[at] as u32 >> 1
    }
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_whitespace() || **b == 0x0b).count()
}

/// The number at the beginning of a text, a decimal float, `inf` or `nan`, and the bytes that it takes; no number: 0 and 0.
pub(crate) fn parse_float(text: &[u8], format: FloatFormat) -> (Value, usize) {
    let start = spaces(text);
    let signed = usize::from(matches!(text.get(start), Some(b'-' | b'+')));
    let longest = text[start + signed..].iter().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)).count();
    for len in (1..=longest.min(400)).rev() {
        let Ok(number) = std::str::from_utf8(&text[start..start + signed + len]) else { continue };
        if let Ok(v) = number.parse::<f64>() {
            let value = match format {
                FloatFormat::F32 => Value(number.parse::<f32>().map_or(0, |v| v.to_bits()).into()),
                _ => Value(v.to_bits().into()),
            };
            return (value, start + signed + len);
        }
    }
    (Value(0), 0)
}

/// Whether a value is what a function gave: of `long double`, what is known in double precision.
pub(crate) fn is_as_computed(ty: Scalar, value: Value, computed: Value, pointer_bits: u32) -> bool {
    if !matches!(ty, Scalar::Float(FloatFormat::F80 | FloatFormat::F128)) {
        return value == Value::truncated(computed.0, ty.bits(pointer_bits));
    }
    let double = |value| eval_cast(ty, Scalar::Float(FloatFormat::F64), value, pointer_bits);
    let (Some(value), Some(computed)) = (double(value), double(computed)) else { return false };
    let (x, y) = (f64::from_bits(value.0 as u64), f64::from_bits(computed.0 as u64));
    x == y || x.is_nan() && y.is_nan() || value.0.abs_diff(computed.0) <= 1
}

/// Functions of their arguments alone.
pub(crate) fn computed(program: &Program, name: &str, exprs: &[ExprId], values: &[Value]) -> Option<Value> {
    let first = *exprs.first()?;
    let ty = |expr: ExprId| program.exprs.ty(expr);
    if name == FLOAT_DIGIT {
        return float_digit(program, exprs, values);
    }
    if let ([order, at], [n, x]) = (exprs, values)
        && let (Scalar::Int { bits, .. }, Scalar::Float(format)) = (ty(*order), ty(*at))
    {
        return bessel(name, i32::try_from(n.signed(bits.into())).ok()?, format, *x);
    }
    match ty(first) {
        Scalar::Float(FloatFormat::F64) => {
            let arg = |n: usize| f64::from_bits(values[n].0 as u64);
            let second = exprs.get(1).filter(|e| ty(**e) == ty(first)).map(|_| arg(1));
            math(name, arg(0), second).map(|v| Value(v.to_bits().into()))
        }
        Scalar::Float(FloatFormat::F32) => {
            let arg = |n: usize| f64::from(f32::from_bits(values[n].0 as u32));
            let second = exprs.get(1).filter(|e| ty(**e) == ty(first)).map(|_| arg(1));
            // For those that round correctly in double precision, rounding once more is right, too.
            math(name.strip_suffix('f')?, arg(0), second).map(|v| Value((v as f32).to_bits().into()))
        }
        // What is known in double precision.
        Scalar::Float(FloatFormat::F80 | FloatFormat::F128) => {
            let double = Scalar::Float(FloatFormat::F64);
            let cast = |from, to, value| eval_cast(from, to, value, program.pointer_bits());
            let arg = |n: usize| {
                let narrow = cast(ty(first), double, values[n])?;
                (cast(double, ty(first), narrow)? == values[n]).then(|| f64::from_bits(narrow.0 as u64))
            };
            let second = match exprs.get(1).filter(|e| ty(**e) == ty(first)) {
                Some(_) => Some(arg(1)?),
                None => None,
            };
            let result = math(name.strip_suffix('l')?, arg(0)?, second)?;
            cast(double, ty(first), Value(result.to_bits().into()))
        }
        Scalar::Int { bits, .. } => {
            let v = values[0].signed(u32::from(bits));
            let c = u8::try_from(v).ok();
            let is = |test: fn(&u8) -> bool| Some(Value::from(c.as_ref().is_some_and(test)));
            match name {
                "abs" | "labs" | "llabs" => Some(Value(v.wrapping_abs() as u128)),
                "isdigit" => is(u8::is_ascii_digit),
                "isalpha" => is(u8::is_ascii_alphabetic),
                "isalnum" => is(u8::is_ascii_alphanumeric),
                "isupper" => is(u8::is_ascii_uppercase),
                "islower" => is(u8::is_ascii_lowercase),
                "isxdigit" => is(u8::is_ascii_hexdigit),
                "ispunct" => is(u8::is_ascii_punctuation),
                "isspace" => is(|c| c.is_ascii_whitespace() || *c == 0x0b),
                "isprint" => is(|c| (0x20..0x7f).contains(c)),
                "toupper" => Some(c.map_or(Value(v as u128), |c| Value(c.to_ascii_uppercase().into()))),
                "tolower" => Some(c.map_or(Value(v as u128), |c| Value(c.to_ascii_lowercase().into()))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether [`computed`] may know the function.
pub(crate) fn is_computed(name: &str) -> bool {
    let is_math = |name: &str| math(name, 0.0, None).is_some() || math(name, 0.0, Some(0.0)).is_some();
    let is_bessel = BESSEL.iter().any(|stem| name.strip_prefix(stem).is_some_and(|rest| matches!(rest, "" | "f")));
    name == FLOAT_DIGIT || is_bessel || is_math(name) || name.strip_suffix(['f', 'l']).is_some_and(is_math)
}

/// Bessel functions of any order.
const BESSEL: [&str; 2] = ["jn", "yn"];

fn bessel(name: &str, order: i32, format: FloatFormat, x: Value) -> Option<Value> {
    let value = |x| match name.strip_suffix('f').unwrap_or(name) {
        "jn" => Some(libm::jn(order, x)),
        "yn" => Some(libm::yn(order, x)),
        _ => None,
    };
    match format {
        FloatFormat::F64 => value(f64::from_bits(x.0 as u64)).map(|v| Value(v.to_bits().into())),
        FloatFormat::F32 => value(f32::from_bits(x.0 as u32).into()).map(|v| Value((v as f32).to_bits().into())),
        _ => None,
    }
}

fn math(name: &str, x: f64, y: Option<f64>) -> Option<f64> {
    if let Some(y) = y {
        return Some(match name {
            "pow" | "_power" => x.powf(y),
            "fmod" => x % y,
            "atan2" => x.atan2(y),
            "hypot" => x.hypot(y),
            "copysign" => x.copysign(y),
            _ => return None,
        });
    }
    Some(match name {
        "fabs" => x.abs(),
        "sqrt" => x.sqrt(),
        "cbrt" => x.cbrt(),
        "floor" => x.floor(),
        "ceil" => x.ceil(),
        "trunc" => x.trunc(),
        "round" => x.round(),
        "rint" | "nearbyint" => x.round_ties_even(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "asinh" => libm::asinh(x),
        "acosh" => libm::acosh(x),
        "atanh" => libm::atanh(x),
        "erf" => libm::erf(x),
        "erfc" => libm::erfc(x),
        "tgamma" => libm::tgamma(x),
        "lgamma" | "gamma" => libm::lgamma(x),
        "j0" => libm::j0(x),
        "j1" => libm::j1(x),
        "y0" => libm::y0(x),
        "y1" => libm::y1(x),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "exp10" => libm::exp10(x),
        "expm1" => x.exp_m1(),
        "log" => x.ln(),
        "log1p" => x.ln_1p(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_of_glibc() {
        let mut random = Random::new(1);
        assert_eq!([random.draw(), random.draw(), random.draw()], [1_804_289_383, 846_930_886, 1_681_692_777]);
        let mut random = Random::new(42);
        assert_eq!([random.draw(), random.draw()], [71_876_166, 708_592_740]);
    }

    #[test]
    fn numbers_in_text() {
        for (text, expected) in [("1.5e2x", (150.0, 5)), (" -.5", (-0.5, 4)), ("1e", (1.0, 1)), ("x", (0.0, 0))] {
            let (value, len) = parse_float(text.as_bytes(), FloatFormat::F64);
            assert_eq!((f64::from_bits(value.0 as u64), len), expected, "{text}");
        }
    }
}

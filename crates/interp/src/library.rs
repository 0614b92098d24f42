//! Functions of C's library that the interpreter carries out when it runs a program: output, conversions of text to numbers,
//! `rand`, characters and mathematics. Everything else that has no body gets its value from the inputs.

use crate::inputs::{Request, Source};
use crate::machine::{End, Env, Interpreter};
use crate::observe::Observe;
use crate::outcome::Outcome;
use crate::printf;
use base::Stop;
use cfa::{EdgeId, ExprId, FloatFormat, FuncId, Scalar, Storage, Value, VarId, layout};

/// What functions without a body do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Library {
    /// Known functions of C's library are carried out; the others get their values from the inputs.
    Execute,
    /// All values come from the inputs and nothing is printed, as the CFA says.
    InputsOnly,
}

/// State of the library.
#[derive(Default)]
pub(crate) struct LibraryState {
    random: Option<Random>,
    /// Values of `stdin`, `stdout` and `stderr`, where they are variables of the program.
    streams: [Option<u64>; 3],
}

/// Names of the standard streams in the order of `LibraryState::streams`.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// Where output goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stream {
    Output,
    Errors,
    Other,
}

/// glibc's generator behind `rand`: additive feedback over 31 words.
struct Random {
    words: [i32; 31],
    next: usize,
}

impl Random {
    fn new(seed: u32) -> Self {
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

    fn draw(&mut self) -> u32 {
        // Word i is the sum of the words 3 and 31 before it; the latter is the one it replaces.
        let at = self.next % 31;
        let back = self.words[(at + 28) % 31];
        self.words[at] = self.words[at].wrapping_add(back);
        self.next = (at + 1) % 31;
        self.words[at] as u32 >> 1
    }
}

impl Interpreter<'_> {
    /// Gives the standard streams values of their own, so that the program can tell them apart.
    pub(crate) fn open_streams(&mut self) {
        if self.config.library == Library::InputsOnly {
            return;
        }
        let end = layout::external_range(self.program.machine).end;
        for (id, var) in self.program.vars.iter_enumerated() {
            let Some(n) = STREAMS.iter().position(|s| *s == &*var.name) else { continue };
            if !var.is_global() || var.init.is_some() {
                continue;
            }
            let value = end - 4096 + 256 * n as u64;
            if self.set_global_pointer(id, value) {
                self.library.streams[n] = Some(value);
            }
        }
    }

    fn set_global_pointer(&mut self, var: VarId, value: u64) -> bool {
        let bytes = (self.program.pointer_bits() / 8) as usize;
        match self.program.vars[var].storage {
            Storage::Register(Scalar::Ptr) => {
                self.set_register(var, Value(u128::from(value)));
                true
            }
            Storage::Memory { size, .. } if size == bytes as u64 => match self.address_of(var) {
                Some(address) => self.set_bytes(address, &value.to_le_bytes()[..bytes]),
                None => false,
            },
            _ => false,
        }
    }

    fn stream(&self, value: Value) -> Stream {
        match self.library.streams {
            [_, _, Some(errors)] if u128::from(errors) == value.0 => Stream::Errors,
            [_, Some(output), _] if u128::from(output) != value.0 => Stream::Other,
            _ => Stream::Output,
        }
    }

    fn write_stream<O: Observe>(stream: Stream, bytes: &[u8], env: &mut Env<'_, O>) -> Result<(), End> {
        let written = match stream {
            Stream::Output => env.output.write_all(bytes),
            Stream::Errors => env.errors.write_all(bytes),
            Stream::Other => Ok(()),
        };
        // Nobody reads any more, as in `hone run | head`.
        written.map_err(|_| Outcome::from(Stop::Interrupted).into())
    }

    /// The bytes before the first null, at most `max`.
    fn read_string<O: Observe>(
        &mut self,
        address: u64,
        max: Option<usize>,
        edge: EdgeId,
        env: &mut Env<'_, O>,
    ) -> Result<Vec<u8>, End> {
        let mut text = Vec::new();
        while max.is_none_or(|m| text.len() < m) {
            let at = address.wrapping_add(text.len() as u64);
            let byte = match self.memory.load(at, 1) {
                Ok(byte) => byte as u8,
                Err(_) => self.read_bytes(at, 1, edge, env)?[0],
            };
            if byte == 0 {
                break;
            }
            text.push(byte);
        }
        Ok(text)
    }

    /// Formats with the format string at argument `at` and the arguments behind it.
    fn formatted<O: Observe>(
        &mut self,
        exprs: &[ExprId],
        values: &[Value],
        at: usize,
        edge: EdgeId,
        env: &mut Env<'_, O>,
    ) -> Result<Vec<u8>, End> {
        let format = self.read_string(values[at].0 as u64, None, edge, env)?;
        let types = exprs.iter().map(|e| self.program.exprs.ty(*e));
        let args: Vec<_> = types.zip(values.iter().copied()).skip(at + 1).collect();
        let pointer_bits = self.program.pointer_bits();
        printf::format(&format, &args, pointer_bits, &mut |address, max| self.read_string(address, max, edge, env))
    }

    /// Carries out a function of C's library; `None` when it is not known.
    pub(crate) fn library_call<O: Observe>(
        &mut self,
        func: FuncId,
        exprs: &[ExprId],
        values: &[Value],
        edge: EdgeId,
        env: &mut Env<'_, O>,
    ) -> Result<Option<Value>, End> {
        let program = self.program;
        let name = &*program.functions[func].name;
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let done = |n: usize| Ok(Some(Value(n as u128)));
        let arg = |n: usize| values.get(n).copied().unwrap_or_default();
        match (name, values.len()) {
            ("printf", 1..) | ("__printf_chk", 2..) => {
                let text = self.formatted(exprs, values, usize::from(name != "printf"), edge, env)?;
                Self::write_stream(Stream::Output, &text, env)?;
                done(text.len())
            }
            ("fprintf", 2..) | ("__fprintf_chk", 3..) => {
                let text = self.formatted(exprs, values, if name == "fprintf" { 1 } else { 2 }, edge, env)?;
                Self::write_stream(self.stream(values[0]), &text, env)?;
                done(text.len())
            }
            ("sprintf", 2..) | ("__sprintf_chk", 4..) => {
                let mut text = self.formatted(exprs, values, if name == "sprintf" { 1 } else { 3 }, edge, env)?;
                text.push(0);
                self.write_bytes(values[0].0 as u64, &text, edge)?;
                done(text.len() - 1)
            }
            ("snprintf", 3..) | ("__snprintf_chk", 5..) => {
                let mut text = self.formatted(exprs, values, if name == "snprintf" { 2 } else { 4 }, edge, env)?;
                let len = text.len();
                if let Some(room) = usize::try_from(values[1].0).unwrap_or(usize::MAX).checked_sub(1) {
                    text.truncate(room);
                    text.push(0);
                    self.write_bytes(values[0].0 as u64, &text, edge)?;
                }
                done(len)
            }
            ("puts" | "fputs", 1..) => {
                let mut text = self.read_string(values[0].0 as u64, None, edge, env)?;
                let stream = if name == "puts" { Stream::Output } else { self.stream(arg(1)) };
                if name == "puts" {
                    text.push(b'\n');
                }
                Self::write_stream(stream, &text, env)?;
                done(text.len())
            }
            ("putchar" | "putc" | "fputc" | "putchar_unlocked" | "_IO_putc", 1..) => {
                let stream = if values.len() == 1 { Stream::Output } else { self.stream(arg(1)) };
                Self::write_stream(stream, &[values[0].0 as u8], env)?;
                done(values[0].0 as u8 as usize)
            }
            ("fwrite", 4) => {
                let len = u64::try_from(values[1].0.saturating_mul(values[2].0)).unwrap_or(u64::MAX);
                let bytes = if len == 0 { Vec::new() } else { self.read_bytes(values[0].0 as u64, len, edge, env)? };
                Self::write_stream(self.stream(values[3]), &bytes, env)?;
                Ok(Some(values[2]))
            }
            ("fflush", _) => done(0),
            ("srand" | "srandom", 1) => {
                self.library.random = Some(Random::new(values[0].0 as u32));
                done(0)
            }
            ("rand" | "random", _) => done(self.library.random.get_or_insert_with(|| Random::new(1)).draw() as usize),
            (
                "atoi" | "atol" | "atoll" | "strtol" | "strtoll" | "strtoul" | "strtoull" | "atof" | "strtod"
                | "strtof",
                1..,
            ) => self.parse_number(name, values, edge, env).map(Some),
            ("time", _) => self.time(func, values, edge, env).map(Some),
            _ => Ok(computed(name, exprs, values, |e| program.exprs.ty(e))),
        }
    }

    /// `time`: an input, which is also stored.
    fn time<O: Observe>(
        &mut self,
        func: FuncId,
        values: &[Value],
        edge: EdgeId,
        env: &mut Env<'_, O>,
    ) -> Result<Value, End> {
        let bits = self.program.pointer_bits();
        let request = Request { program: self.program, edge, source: Source::Extern(func) };
        let value = env.inputs.value(&request, Scalar::Int { bits: bits as u16, signed: true }).unwrap_or_default();
        let value = Value::truncated(value.0, bits);
        if let Some(target) = values.first().filter(|v| v.0 != 0) {
            self.write_bytes(target.0 as u64, &value.0.to_le_bytes()[..bits as usize / 8], edge)?;
        }
        Ok(value)
    }

    /// `atoi`, `strtol` and their like.
    fn parse_number<O: Observe>(
        &mut self,
        name: &str,
        values: &[Value],
        edge: EdgeId,
        env: &mut Env<'_, O>,
    ) -> Result<Value, End> {
        let text = self.read_string(values[0].0 as u64, None, edge, env)?;
        let long = self.program.pointer_bits();
        let (value, len) = match name {
            "atof" | "strtod" => parse_float(&text, FloatFormat::F64),
            "strtof" => parse_float(&text, FloatFormat::F32),
            _ => {
                let radix = if name.starts_with("ato") { 10 } else { values.get(2).map_or(10, |v| v.0 as u32) };
                let (min, max) = match name {
                    "strtoul" | "strtoull" => (i128::MIN, (1i128 << if name == "strtoul" { long } else { 64 }) - 1),
                    _ => {
                        let bits = if matches!(name, "strtoll" | "atoll") { 64 } else { long };
                        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
                    }
                };
                let (value, len) = parse_int(&text, radix);
                // Unsigned conversions negate after the check of the magnitude.
                let value = if min == i128::MIN && value < 0 {
                    if -value > max { max } else { value }
                } else {
                    value.clamp(min, max)
                };
                (Value(value as u128), len)
            }
        };
        if name.starts_with("strto")
            && let Some(end) = values.get(1).filter(|v| v.0 != 0)
        {
            let behind = (values[0].0 as u64).wrapping_add(len as u64);
            self.write_bytes(end.0 as u64, &behind.to_le_bytes()[..long as usize / 8], edge)?;
        }
        Ok(value)
    }
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_whitespace() || **b == 0x0b).count()
}

/// The number at the beginning of a text and the bytes that it takes; no number: 0 and 0. Magnitudes stop growing beyond 2^100.
fn parse_int(text: &[u8], radix: u32) -> (i128, usize) {
    let mut at = spaces(text);
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let hex = matches!(text.get(at..at + 2), Some([b'0', b'x' | b'X']))
        && text.get(at + 2).is_some_and(u8::is_ascii_hexdigit);
    let radix = match (radix, hex, text.get(at)) {
        (0 | 16, true, _) => {
            at += 2;
            16
        }
        (0, _, Some(b'0')) => 8,
        (0, ..) => 10,
        (2..=36, ..) => radix,
        _ => return (0, 0),
    };
    let digits = text[at..].iter().map_while(|b| char::from(*b).to_digit(radix));
    let (mut value, mut count) = (0i128, 0);
    for digit in digits {
        value = (value * i128::from(radix) + i128::from(digit)).min(1 << 100);
        count += 1;
    }
    match count {
        0 => (0, 0),
        _ => (if negative { -value } else { value }, at + count),
    }
}

/// As [`parse_int`], for decimal floats, `inf` and `nan`.
fn parse_float(text: &[u8], format: FloatFormat) -> (Value, usize) {
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

/// Functions of their arguments alone.
fn computed(name: &str, exprs: &[ExprId], values: &[Value], ty: impl Fn(ExprId) -> Scalar) -> Option<Value> {
    let first = *exprs.first()?;
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

fn math(name: &str, x: f64, y: Option<f64>) -> Option<f64> {
    if let Some(y) = y {
        return Some(match name {
            "pow" => x.powf(y),
            "fmod" => x % y,
            "atan2" => x.atan2(y),
            "hypot" => x.hypot(y),
            "fmin" => x.min(y),
            "fmax" => x.max(y),
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
        "exp" => x.exp(),
        "log" => x.ln(),
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
        for (text, radix, expected) in [
            ("42", 10, (42, 2)),
            ("  -17x", 10, (-17, 5)),
            ("0x1F", 0, (31, 4)),
            ("0x", 16, (0, 1)),
            ("017", 0, (15, 3)),
            ("+z", 36, (35, 2)),
            ("abc", 10, (0, 0)),
            ("", 0, (0, 0)),
        ] {
            assert_eq!(parse_int(text.as_bytes(), radix), expected, "{text}");
        }
        for (text, expected) in [("1.5e2x", (150.0, 5)), (" -.5", (-0.5, 4)), ("1e", (1.0, 1)), ("x", (0.0, 0))] {
            let (value, len) = parse_float(text.as_bytes(), FloatFormat::F64);
            assert_eq!((f64::from_bits(value.0 as u64), len), expected, "{text}");
        }
    }
}

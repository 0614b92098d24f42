//! Functions of C's library that the interpreter carries out when it runs a program: output, `rand`, characters and mathematics.
//! Everything else that has no body gets its value from the inputs.

use crate::inputs::{Request, Source};
use crate::machine::{End, Interpreter};
use crate::numeric::{Random, computed, is_computed, parse_float};
use crate::observe::Observe;
use crate::outcome::Outcome;
use crate::printf;
use crate::run::Env;
use base::Stop;
use cfa::{EdgeId, ExprId, FloatFormat, FuncId, Function, Scalar, Value, layout};

/// Names of the standard streams in the order of `LibraryState::streams`.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// The library's questions for the value of a number in a text.
const FLOATS: [(&str, FloatFormat); 2] = [("_float_value", FloatFormat::F64), ("_short_float_value", FloatFormat::F32)];

/// Where output goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stream {
    Output,
    Errors,
    Other,
}

/// Whether the result of a function depends on its arguments and on what they point to alone.
pub(crate) fn is_determined(function: &Function) -> bool {
    let name = plain_name(&function.name);
    function.body.is_none() && (FLOATS.iter().any(|(float, _)| *float == name) || is_computed(name))
}

/// What the library calls a function that a program may ask the compiler for.
fn plain_name(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}

impl Interpreter<'_> {
    /// Value of a standard stream, which the program declares and does not define. The start function asks for it by a call
    /// of a function with its name.
    fn open_stream(&mut self, n: usize) -> Value {
        let range = layout::external_range(self.program.machine);
        let value = range.start + (range.end - range.start) / 4 + 256 * n as u64;
        self.library.streams[n] = Some(value);
        Value(u128::from(value))
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

    /// Formats with the format string at argument `at` and the arguments behind it, or those of the list behind it.
    fn formatted<O: Observe>(
        &mut self,
        name: &str,
        exprs: &[ExprId],
        values: &[Value],
        at: usize,
        edge: EdgeId,
        env: &mut Env<'_, O>,
    ) -> Result<Vec<u8>, End> {
        let format = self.read_string(values[at].0 as u64, None, edge, env)?;
        let types = exprs.iter().map(|e| self.program.exprs.ty(*e));
        let rest: Vec<_> = types.zip(values.iter().copied()).skip(at + 1).collect();
        let machine = self.program.machine;
        let list =
            if name.trim_start_matches('_').starts_with('v') { rest.first().map(|v| v.1.0 as u64) } else { None };
        printf::format(&format, &mut Arguments { run: self, rest: rest.into_iter(), list, edge, env }, machine)
    }

    /// What such a function gives; `None` where that is not known.
    pub(crate) fn determined<O: Observe>(
        &mut self,
        func: FuncId,
        exprs: &[ExprId],
        values: &[Value],
        edge: EdgeId,
        env: &mut Env<'_, O>,
    ) -> Result<Option<Value>, End> {
        let program = self.program;
        let name = plain_name(&program.functions[func].name);
        if let Some((_, format)) = FLOATS.iter().find(|(float, _)| *float == name) {
            let text = self.read_string(values[0].0 as u64, None, edge, env)?;
            return Ok(decimal_float(&text, *format));
        }
        Ok(computed(program, name, exprs, values))
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
        let name = plain_name(&program.functions[func].name);
        let done = |n: usize| Ok(Some(Value(n as u128)));
        let arg = |n: usize| values.get(n).copied().unwrap_or_default();
        let checked = name.ends_with("_chk");
        self.library.written = None;
        if let (Some(n), []) = (STREAMS.iter().position(|s| *s == name), values) {
            return Ok(Some(self.open_stream(n)));
        }
        match (name, values.len()) {
            ("printf" | "vprintf", 1..) | ("__printf_chk" | "__vprintf_chk", 2..) => {
                let text = self.formatted(name, exprs, values, usize::from(checked), edge, env)?;
                Self::write_stream(Stream::Output, &text, env)?;
                done(text.len())
            }
            ("fprintf" | "vfprintf", 2..) | ("__fprintf_chk" | "__vfprintf_chk", 3..) => {
                let text = self.formatted(name, exprs, values, 1 + usize::from(checked), edge, env)?;
                Self::write_stream(self.stream(values[0]), &text, env)?;
                done(text.len())
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
            ("rand" | "random", _) => {
                // At most the greatest `int`.
                let number = self.library.random.get_or_insert_with(|| Random::new(1)).draw();
                done(number as usize & ((1 << (program.machine.int_bits() - 1)) - 1))
            }
            ("_float_value" | "_short_float_value", 1) => self.determined(func, exprs, values, edge, env),
            ("time", _) => self.time(func, values, edge, env).map(Some),
            _ => Ok(computed(program, name, exprs, values)),
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
            self.library.written = Some(target.0 as u64);
            self.write_bytes(target.0 as u64, &self.program.byte_order.bytes(value.0, bits as usize / 8), edge)?;
        }
        Ok(value)
    }
}

/// The number at the beginning of a text, which is a decimal one; `None` for others.
fn decimal_float(text: &[u8], format: FloatFormat) -> Option<Value> {
    let number = text.trim_ascii_start();
    let number = number.strip_prefix(b"-").or(number.strip_prefix(b"+")).unwrap_or(number);
    let is_hexadecimal = matches!(number, [b'0', b'x' | b'X', ..]);
    (!is_hexadecimal).then(|| parse_float(text, format).0)
}

/// Arguments of a call, or of a `va_list`.
struct Arguments<'a, 'p, 'e, O: Observe> {
    run: &'a mut Interpreter<'p>,
    rest: std::vec::IntoIter<(Scalar, Value)>,
    /// Address of the next slot of the list.
    list: Option<u64>,
    edge: EdgeId,
    env: &'a mut Env<'e, O>,
}

/// Bytes from one argument of a `va_list` to the next, as lowering lays them out.
const SLOT: u64 = 16;

impl<O: Observe> printf::Arguments for Arguments<'_, '_, '_, O> {
    type Error = End;

    fn next(&mut self, wanted: Scalar) -> Result<Option<(Scalar, Value)>, End> {
        let Some(slot) = &mut self.list else { return Ok(self.rest.next()) };
        let address = *slot;
        *slot = slot.wrapping_add(SLOT);
        let len = wanted.access_bytes(self.run.program.pointer_bits());
        let bytes = self.run.read_bytes(address, u64::from(len), self.edge, self.env)?;
        Ok(Some((wanted, Value(self.run.program.byte_order.number(&bytes)))))
    }

    fn string(&mut self, address: u64, max: Option<usize>) -> Result<Vec<u8>, End> {
        self.run.read_string(address, max, self.edge, self.env)
    }
}

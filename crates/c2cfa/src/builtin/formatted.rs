//! `sprintf` and `snprintf` with literals as formats: a call of the library's code for each conversion, so that no analysis has to follow a loop
//! over the format.

use crate::call::Want;
use crate::context::Lowerer;
use base::Span;
use cfa::{BinOp, ExprId, MachineModel, Op, Scalar};
use cfront::typed::{Expr, FunctionId};
use std::iter::Peekable;

/// Functions that print to memory: which argument says how much room there is, if one does, and which is the format.
const PRINTERS: [(&str, Option<usize>, usize); 4] =
    [("__snprintf_chk", Some(1), 4), ("__sprintf_chk", None, 3), ("snprintf", Some(1), 2), ("sprintf", None, 1)];

/// The flags `-` and `0` as the library's code takes them, with those between.
const FLAGS: &[u8] = b"-+ #0";

/// What is printed: plain `char` is signed.
const CHAR: Scalar = Scalar::Int { bits: 8, signed: true };

/// What a format says of the next characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Directive {
    /// They are these.
    Text(Vec<u8>),
    /// They come from the next argument.
    Conversion(Conversion),
}

/// A conversion; widths and precisions that arguments give are not among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Conversion {
    letter: u8,
    /// Modifier of the length: `H` for `hh`, `q` for `ll`, 0 for none.
    length: u8,
    /// Bits by place in [`FLAGS`].
    flags: i128,
    width: i128,
    /// -1 for none.
    precision: i128,
}

/// A call that prints to memory.
pub(crate) struct Printer {
    room: Option<usize>,
    format: usize,
    directives: Vec<Directive>,
}

impl<'u> Lowerer<'u> {
    /// How a call prints to memory, if it is one of the library's and all of its format is understood.
    pub fn printer(&self, f: FunctionId, args: &'u [Expr]) -> Option<Printer> {
        let name = self.unit.functions[f].name.strip_prefix(crate::libc::PREFIX)?;
        let (_, room, format) = PRINTERS.iter().find(|(printer, ..)| *printer == name).copied()?;
        let directives = directives(self.literal(args.get(format)?)?)?;
        let conversions = directives.iter().filter_map(|directive| match directive {
            Directive::Conversion(conversion) => Some(conversion),
            Directive::Text(_) => None,
        });
        let given = &args[format + 1..];
        let fits = conversions.clone().count() == given.len()
            && conversions
                .zip(given)
                .all(|(conversion, arg)| self.scalar(arg.ty) == Some(self.taken(*conversion, arg)));
        fits.then_some(Printer { room, format, directives })
    }

    /// The type that a conversion takes, with the signedness of what it is given.
    fn taken(&self, conversion: Conversion, given: &Expr) -> Scalar {
        let signed = self.scalar(given.ty).is_some_and(Scalar::is_signed);
        let int = self.int_ty().bits(self.pointer_bits);
        match conversion.letter {
            b's' | b'p' => Scalar::Ptr,
            b'c' => Scalar::Int { bits: int as u16, signed },
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let bits = match conversion.length {
                    0 | b'h' | b'H' => int,
                    b'l' if self.machine != MachineModel::Lp64 => 32,
                    b'z' | b't' => self.pointer_bits,
                    _ => 64,
                };
                Scalar::Int { bits: bits as u16, signed }
            }
            _ => Scalar::Float(cfa::FloatFormat::F64),
        }
    }

    /// Prints to memory.
    pub fn print(&mut self, printer: &Printer, args: &'u [Expr], want: Want, span: Span) -> Option<ExprId> {
        // What is printed may lie where it is printed to.
        let values: Vec<ExprId> = self.values(args).into_iter().map(|value| self.stable(value, span)).collect();
        let dst = self.as_pointer(values[0]);
        let size = match printer.room {
            Some(room) => self.as_size(values[room]),
            None => self.constant(-1, self.usize_ty()),
        };
        let mut given = values[printer.format + 1..].iter();
        let mut at = self.size_constant(0);
        for directive in &printer.directives {
            match directive {
                Directive::Text(text) => {
                    for c in text {
                        let c = self.constant(i128::from(*c), CHAR);
                        self.put("_put", &[dst, size, at, c], Want::Nothing, span);
                        at = self.with_constant(BinOp::Add, at, 1);
                    }
                }
                Directive::Conversion(conversion) => {
                    let value = *given.next()?;
                    at = self.print_one(*conversion, value, [dst, size, at], span)?;
                }
            }
        }
        self.put("_printed", &[dst, size, at], want, span)
    }

    /// Prints a value at a place in memory of a size; returns the place behind it.
    fn print_one(&mut self, how: Conversion, value: ExprId, to: [ExprId; 3], span: Span) -> Option<ExprId> {
        let int = self.int_ty();
        let [flags, width, precision] = [how.flags, how.width, how.precision].map(|number| self.constant(number, int));
        let (name, rest) = match how.letter {
            b's' => ("_put_text", vec![value, flags, width, precision]),
            b'p' => ("_put_pointer", vec![value, flags, width, precision]),
            b'c' => ("_put_character", vec![self.cast(value, CHAR), flags, width]),
            b'd' | b'i' => {
                let value = self.narrowed(how, value, true);
                ("_put_signed", vec![value, flags, width, precision])
            }
            b'u' | b'x' | b'X' | b'o' => {
                let value = self.narrowed(how, value, false);
                let flag = |at: usize| how.flags >> at & 1;
                let [conversion, left, zero, alternate] =
                    [i128::from(how.letter), flag(0), flag(4), flag(3)].map(|number| self.constant(number, int));
                let sign = self.constant(0, CHAR);
                ("_put_integer", vec![value, conversion, sign, left, zero, alternate, width, precision])
            }
            _ => {
                let conversion = self.constant(i128::from(how.letter), int);
                ("_put_float", vec![value, conversion, flags, width, precision])
            }
        };
        let args: Vec<ExprId> = to.into_iter().chain(rest).collect();
        self.put(name, &args, Want::Value, span)
    }

    /// An integer as a conversion takes it, in 64 bits.
    fn narrowed(&mut self, how: Conversion, value: ExprId, signed: bool) -> ExprId {
        let bits = match how.length {
            b'H' => 8,
            b'h' => 16,
            _ => self.ty(value).bits(self.pointer_bits) as u16,
        };
        let value = self.cast(value, Scalar::Int { bits, signed });
        self.cast(value, Scalar::Int { bits: 64, signed })
    }

    /// Calls code of the library.
    fn put(&mut self, name: &str, args: &[ExprId], want: Want, span: Span) -> Option<ExprId> {
        let Some(f) = self.library.get(name).copied() else {
            self.unsupported("library function", name, span);
            return None;
        };
        let (func, signature) = (self.func(f), self.signature_of(f));
        let (args, dst, result) = self.prepare_result(&signature, args.to_vec(), want, span);
        self.emit(Op::Call { func, args, dst }, span);
        result
    }
}

/// What a format says; `None` where not all of it is understood.
fn directives(format: &[u8]) -> Option<Vec<Directive>> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied().take_while(|c| *c != 0).peekable();
    while let Some(c) = rest.next() {
        let literal = if c != b'%' { Some(c) } else { rest.next_if_eq(&b'%') };
        match (literal, found.last_mut()) {
            (Some(c), Some(Directive::Text(text))) => text.push(c),
            (Some(c), _) => found.push(Directive::Text(vec![c])),
            (None, _) => found.push(Directive::Conversion(conversion(&mut rest)?)),
        }
    }
    Some(found)
}

fn conversion(rest: &mut Peekable<impl Iterator<Item = u8>>) -> Option<Conversion> {
    let mut flags = 0;
    while let Some(flag) = rest.peek().and_then(|c| FLAGS.iter().position(|flag| flag == c)) {
        rest.next();
        flags |= 1 << flag;
    }
    let width = number(rest)?.unwrap_or(0);
    let precision = match rest.next_if_eq(&b'.') {
        Some(_) => number(rest)?.unwrap_or(0),
        None => -1,
    };
    let length = match rest.next_if(|c| b"hljztLq".contains(c)) {
        Some(b'h') if rest.next_if_eq(&b'h').is_some() => b'H',
        Some(b'l') if rest.next_if_eq(&b'l').is_some() => b'q',
        length => length.unwrap_or(0),
    };
    let letter = rest.next()?;
    let is_understood = match letter {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => true,
        b's' | b'c' | b'p' => length == 0,
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => matches!(length, 0 | b'l'),
        _ => false,
    };
    is_understood.then_some(Conversion { letter, length, flags, width, precision })
}

/// Digits, if there are any; `None` where an argument says how many, or they are too many.
fn number(rest: &mut Peekable<impl Iterator<Item = u8>>) -> Option<Option<i128>> {
    if matches!(rest.peek(), Some(b'*')) {
        return None;
    }
    let mut value = None;
    while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
        value = Some(value.unwrap_or(0) * 10 + i128::from(digit - b'0'));
        value.filter(|value| *value < 4096)?;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::{Conversion, Directive, directives};

    #[test]
    fn formats() {
        let text = |text: &str| Directive::Text(text.into());
        let conversion = |letter, length, flags, width, precision| {
            Directive::Conversion(Conversion { letter, length, flags, width, precision })
        };
        assert_eq!(directives(b""), Some(vec![]));
        assert_eq!(directives(b"a%%b\0c"), Some(vec![text("a%b")]));
        assert_eq!(
            directives(b"%s/%-5.3s"),
            Some(vec![conversion(b's', 0, 0, 0, -1), text("/"), conversion(b's', 0, 1, 5, 3)])
        );
        assert_eq!(
            directives(b"%02hhx%llu"),
            Some(vec![conversion(b'x', b'H', 16, 2, -1), conversion(b'u', b'q', 0, 0, -1)])
        );
        assert_eq!(directives(b"%.f"), Some(vec![conversion(b'f', 0, 0, 0, 0)]));
        for unknown in ["%*d", "%n", "%1$d", "%ls", "%Lf", "%", "%5", "%99999d"] {
            assert_eq!(directives(unknown.as_bytes()), None, "{unknown}");
        }
    }
}

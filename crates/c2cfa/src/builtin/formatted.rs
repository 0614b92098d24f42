//! `sprintf` and `snprintf` with literals as formats: a call of the library's code for each conversion, so that no analysis has to follow a loop
//! over the format.

use crate::call::Want;
use crate::context::Lowerer;
use base::Span;
use cfa::{Access, BinOp, ExprId, MachineModel, Op, Scalar};
use cfront::typed::{Expr, FunctionId};
use syntax::format::{Conversion, Count, Directive, directives};

/// Functions that print to memory: which argument says how much room there is, if one does, and which is the format.
const PRINTERS: [(&str, Option<usize>, usize); 4] =
    [("__snprintf_chk", Some(1), 4), ("__sprintf_chk", None, 3), ("snprintf", Some(1), 2), ("sprintf", None, 1)];

/// Widths and precisions are less than this.
const MAX_WIDTH: i128 = 4096;

/// What is printed: plain `char` is signed.
const CHAR: Scalar = Scalar::Int { bits: 8, signed: true };

/// A call that prints to memory.
pub(crate) struct Printer {
    room: Option<usize>,
    format: usize,
    directives: Vec<Directive>,
}

impl<'u> Lowerer<'u> {
    /// How a call prints to memory, if it is one of the library's and all of its format is understood.
    pub fn printer(&self, f: FunctionId, args: &'u [Expr]) -> Option<Printer> {
        let name = self.unit.functions[f].name.strip_prefix(clib::libc::PREFIX)?;
        let (_, room, format) = PRINTERS.iter().find(|(printer, ..)| *printer == name).copied()?;
        let directives = understood(self.literal(args.get(format)?)?)?;
        let conversions = directives.iter().filter_map(|directive| match directive {
            Directive::Conversion(conversion) => Some(conversion),
            Directive::Text(_) => None,
        });
        let taken = conversions.flat_map(|conversion| {
            let counts = conversion.counts().filter(|count| *count == Count::Argument);
            counts.map(|_| None).chain([Some(*conversion)])
        });
        let given = &args[format + 1..];
        let fits = taken.clone().count() == given.len()
            && taken.zip(given).all(|(taken, arg)| self.scalar(arg.ty) == Some(self.taken(taken, arg)));
        fits.then_some(Printer { room, format, directives })
    }

    /// The type that a conversion takes, or a width or precision, with the signedness of what it is given.
    fn taken(&self, conversion: Option<Conversion>, given: &Expr) -> Scalar {
        let signed = self.scalar(given.ty).is_some_and(Scalar::is_signed);
        let int = self.int_ty().bits(self.pointer_bits);
        let Some(conversion) = conversion else { return Scalar::Int { bits: int as u16, signed } };
        match conversion.letter {
            b's' | b'p' | b'n' => Scalar::Ptr,
            b'c' => Scalar::Int { bits: int as u16, signed },
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                Scalar::Int { bits: self.wide(conversion.length).max(int as u16), signed }
            }
            _ => Scalar::Float(cfa::FloatFormat::F64),
        }
    }

    /// Bits of an integer with a modifier of its length.
    fn wide(&self, length: u8) -> u16 {
        let bits = match length {
            b'H' => 8,
            b'h' => 16,
            0 => self.int_ty().bits(self.pointer_bits),
            b'l' if self.machine != MachineModel::Lp64 => 32,
            b'z' | b't' => self.pointer_bits,
            _ => 64,
        };
        bits as u16
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
                    let numbers = self.numbers(*conversion, &mut given)?;
                    let value = *given.next()?;
                    if conversion.letter == b'n' {
                        self.tell_length(*conversion, value, at, span);
                        continue;
                    }
                    at = self.print_one((*conversion, numbers), value, [dst, size, at], span)?;
                }
            }
        }
        self.put("_printed", &[dst, size, at], want, span)
    }

    /// `%n`: how many characters were printed so far.
    fn tell_length(&mut self, how: Conversion, pointer: ExprId, at: ExprId, span: Span) {
        let ty = Scalar::Int { bits: self.wide(how.length), signed: true };
        self.check_access(pointer, u64::from(ty.access_bytes(self.pointer_bits)), Access::Write, span);
        let length = self.cast(at, ty);
        self.store(pointer, length, span);
    }

    /// Flags, width and precision of a conversion, which arguments may give.
    fn numbers<'e>(&mut self, how: Conversion, given: &mut impl Iterator<Item = &'e ExprId>) -> Option<[ExprId; 3]> {
        let int = self.int_ty();
        let mut flags = self.constant(how.flags, int);
        let width = match how.width {
            // One that is negative is a flag and a width.
            Some(Count::Argument) => {
                let width = self.cast(*given.next()?, int);
                let (zero, left) = (self.zero(int), self.constant(how.flags | 1, int));
                let is_negative = self.binary(BinOp::Lt, width, zero);
                let opposite = self.binary(BinOp::Sub, zero, width);
                flags = self.ite(is_negative, left, flags);
                self.ite(is_negative, opposite, width)
            }
            count => self.constant(count.and_then(Count::number).unwrap_or(0), int),
        };
        let precision = match how.precision {
            Some(Count::Argument) => {
                let precision = self.cast(*given.next()?, int);
                let (zero, none) = (self.zero(int), self.constant(-1, int));
                let is_negative = self.binary(BinOp::Lt, precision, zero);
                self.ite(is_negative, none, precision)
            }
            count => self.constant(count.and_then(Count::number).unwrap_or(-1), int),
        };
        Some([flags, width, precision])
    }

    /// Prints a value at a place in memory of a size; returns the place behind it.
    fn print_one(
        &mut self,
        (how, [flags, width, precision]): (Conversion, [ExprId; 3]),
        value: ExprId,
        to: [ExprId; 3],
        span: Span,
    ) -> Option<ExprId> {
        let int = self.int_ty();
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
                let [conversion, zero, alternate, one] =
                    [i128::from(how.letter), flag(4), flag(3), 1].map(|number| self.constant(number, int));
                let left = self.binary(BinOp::BitAnd, flags, one);
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
fn understood(format: &[u8]) -> Option<Vec<Directive>> {
    let found = directives(format.iter().copied().take_while(|c| *c != 0))?;
    found.iter().all(is_understood).then_some(found)
}

/// Whether the library's code for single conversions can print it.
fn is_understood(directive: &Directive) -> bool {
    let Directive::Conversion(how) = directive else { return true };
    let fits = match how.letter {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => b"\0HhlqjztL".contains(&how.length),
        b'n' => b"\0HhlqjztL".contains(&how.length) && how.counts().next().is_none(),
        b's' | b'c' | b'p' => how.length == 0,
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => matches!(how.length, 0 | b'l'),
        _ => false,
    };
    fits && how.counts().filter_map(Count::number).all(|number| number < MAX_WIDTH)
}

#[cfg(test)]
mod tests {
    use super::{Conversion, Count, Directive, understood};

    #[test]
    fn formats() {
        let text = |text: &str| Directive::Text(text.into());
        let conversion = |letter, length, flags, width, precision| {
            let [width, precision] = [width, precision].map(|count: Option<i128>| count.map(Count::Number));
            Directive::Conversion(Conversion { letter, numbered: 0, length, flags, width, precision })
        };
        assert_eq!(understood(b""), Some(vec![]));
        assert_eq!(understood(b"a%%b\0c"), Some(vec![text("a%b")]));
        assert_eq!(
            understood(b"%s/%-5.3s"),
            Some(vec![conversion(b's', 0, 0, None, None), text("/"), conversion(b's', 0, 1, Some(5), Some(3))])
        );
        assert_eq!(
            understood(b"%02hhx%llu"),
            Some(vec![conversion(b'x', b'H', 16, Some(2), None), conversion(b'u', b'q', 0, None, None)])
        );
        assert_eq!(understood(b"%.f"), Some(vec![conversion(b'f', 0, 0, None, Some(0))]));
        let given = Conversion {
            letter: b's',
            numbered: 0,
            length: 0,
            flags: 1,
            width: Some(Count::Argument),
            precision: Some(Count::Argument),
        };
        assert_eq!(understood(b"%-*.*s"), Some(vec![Directive::Conversion(given)]));
        for unknown in ["%5n", "%1$d", "%ls", "%Lf", "%", "%5", "%99999d", "%llld"] {
            assert_eq!(understood(unknown.as_bytes()), None, "{unknown}");
        }
    }
}

//! What functions of the library read through pointers, where memory is checked: strings to their end, blocks as a whole, other objects by
//! their types. Where that does not tell how much is accessed, a call is not modelled.

use crate::builtin::writer::stored_integer;
use crate::context::Lowerer;
use base::Span;
use cfa::{Access, BinOp, Check, ExprId, ExprKind as CfaKind, MachineModel, Op, Scalar, VarKind};
use cfront::typed::{Expr, ExprKind, FunctionId};
use cfront::types::Type;
use clib::known::{LIBRARY, writers};
use clib::library::Effects;
use clib::readers::{CUT_LENGTH, FORMAT_CHECK, LIST_READER, Text, named};
use syntax::format::{self, Count, Directive};

/// What is not modelled where a format asks for more than there is.
const NO_ARGUMENT: &str = "conversion without an argument";

/// Functions that print nothing where their format is null.
const MAY_LACK_FORMAT: [&str; 8] = ["err", "errx", "verr", "verrx", "vwarn", "vwarnx", "warn", "warnx"];

const STANDARD_STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// Functions whose string may be null.
const MAY_LACK_STRING: [&str; 2] = ["perror", "system"];

/// Functions that read what records lead to, as far as these say.
const GATHERING: [&str; 7] = ["pwritev", "pwritev2", "sendmmsg", "sendmsg", "vmsplice", "process_vm_writev", "writev"];

/// Functions that are for all streams where theirs is null.
const MAY_LACK_STREAM: [&str; 2] = ["fflush", "fflush_unlocked"];

impl<'u> Lowerer<'u> {
    /// What a function of the library reads through its arguments is read; what it does with other pointers must be known.
    pub fn read_arguments(&mut self, f: FunctionId, args: &'u [Expr], values: &[ExprId], span: Span) {
        let name = &self.unit.functions[f].name;
        if !self.checks(Check::Memory) {
            return;
        }
        let reader = named(name);
        let writer = writers::named(name);
        let is_scanner = name.contains("scanf");
        if reader.is_none() && writer.is_none() && !is_scanner && Effects::of(name).is_none() {
            return;
        }
        let mut known: Vec<usize> = writer.iter().map(|writer| usize::from(writer.dst)).collect();
        if let Some(reader) = reader {
            let mut strings: Vec<(usize, Text)> =
                reader.strings.iter().map(|i| (usize::from(*i), reader.text)).collect();
            let format = reader.format.map(usize::from).filter(|format| *format < args.len());
            if let Some(format) = format.filter(|_| reader.has_list) {
                if let Some(list) = values.get(format + 1).copied() {
                    self.read_format(name, values[format], span, |this, format| this.read_list(format, list, span));
                }
                known.extend([format, format + 1]);
            } else if let Some(format) = format {
                match self.literal(&args[format]) {
                    Some(text) => {
                        // Of wide characters, those that matter are bytes and zeros.
                        let text = text.iter().copied().filter(|byte| reader.text == Text::Narrow || *byte != 0);
                        let found = converted(text, self.machine);
                        strings.extend(found.strings.into_iter().map(|(i, text)| (format + 1 + i, text)));
                        self.access_converted(&found.others, &values[format + 1..], span);
                        if found.count.is_some_and(|count| count > args.len() - format - 1) {
                            self.unsupported(NO_ARGUMENT, &**name, span);
                        }
                        // Others are printed, or what is stored there is another question.
                        known.extend(format + 1..args.len());
                    }
                    None => {
                        let others = args.len() - format - 1;
                        self.read_format(name, values[format], span, |this, format| match reader.text {
                            Text::Narrow => this.check_format(format, others, name, span),
                            Text::Wide => this.read_string(format, reader.text, span),
                        });
                        known.push(format);
                    }
                }
            }
            for (i, text) in &strings {
                let Some(value) = values.get(*i).copied() else { continue };
                if MAY_LACK_STRING.contains(&&**name) {
                    let set = self.truth(value);
                    self.when(set, span, |this| this.read_string(value, *text, span));
                } else {
                    self.read_string(value, *text, span);
                }
            }
            known.extend(strings.iter().map(|(i, _)| *i));
            if let Some((at, len)) = reader.block.filter(|_| values.len() > 2) {
                let one = self.size_constant(1);
                let len = len.iter().fold(one, |product, i| {
                    let factor = self.as_size(values[usize::from(*i)]);
                    self.binary(BinOp::Mul, product, factor)
                });
                let from = self.as_pointer(values[usize::from(at)]);
                self.check_range(from, len, Access::Read, span);
                known.push(usize::from(at));
            }
        }
        if GATHERING.contains(&&**name) {
            self.unsupported(LIBRARY, &**name, span);
        }
        known.extend(self.read_array(name, args, values, span));
        // Targets of `scanf` are written, but for what it reads from.
        let others = if is_scanner { args.len().min(1) } else { args.len() };
        for i in (0..others).filter(|i| !known.contains(i)) {
            self.access_argument(&args[i], values[i], name, span);
        }
    }

    /// A function accesses an object that an argument points to: as much as its type tells.
    pub fn access_argument(&mut self, arg: &'u Expr, value: ExprId, function: &str, span: Span) {
        let mut arg = arg;
        while let ExprKind::Cast(inner) = &arg.kind {
            arg = inner;
        }
        if self.ty(value) != Scalar::Ptr || self.as_int(value) == Some(0) || self.literal(arg).is_some() {
            return;
        }
        let (pointee, is_exact) = match &arg.kind {
            // Of a variable or member; the address of an element stands for an array.
            ExprKind::AddrOf(lvalue) => {
                (Some(lvalue.ty), matches!(lvalue.kind, ExprKind::Var(_) | ExprKind::Member { .. }))
            }
            _ => (self.unit.types.pointee(arg.ty), false),
        };
        let Some(pointee) = pointee else { return };
        let size = match self.unit.types.get(pointee) {
            Type::Function(_) => return,
            Type::Record(record) if self.is_stream(*record) => {
                if self.is_standard_stream(arg) {
                    return;
                }
                let is_optional = MAY_LACK_STREAM.contains(&function);
                return if is_optional {
                    let set = self.truth(value);
                    self.when(set, span, |this| this.check_access(value, 1, Access::Read, span))
                } else {
                    self.check_access(value, 1, Access::Read, span)
                };
            }
            Type::Record(record) if self.unit.types.records[*record].layout.is_none() => return,
            Type::Record(_) => self.size(pointee),
            _ if is_exact => self.size(pointee),
            _ => None,
        };
        let set = self.truth(value);
        self.when(set, span, |this| match size {
            Some(size) => this.check_access(value, size, Access::Read, span),
            None => this.unsupported(LIBRARY, function, span),
        });
    }

    /// Whether it is `stdin` or another one that is always there.
    fn is_standard_stream(&self, arg: &Expr) -> bool {
        let ExprKind::Load(lvalue) = &arg.kind else { return false };
        let ExprKind::Var(var) = lvalue.kind else { return false };
        STANDARD_STREAMS.contains(&&*self.unit.vars[var].name)
    }

    /// Streams and open folders belong to the library: programs have pointers to them only.
    fn is_stream(&self, record: cfront::types::RecordId) -> bool {
        matches!(self.unit.types.records[record].name.as_deref(), Some("_IO_FILE" | "__dirstream"))
    }

    /// Reads a format that is not a literal.
    fn read_format(&mut self, name: &str, format: ExprId, span: Span, read: impl FnOnce(&mut Self, ExprId)) {
        if MAY_LACK_FORMAT.contains(&name) {
            let set = self.truth(format);
            self.when(set, span, |this| read(this, format));
        } else {
            read(self, format);
        }
    }

    /// Reads a format, and what it says of a list, as if it were printed to nowhere.
    fn read_list(&mut self, format: ExprId, list: ExprId, span: Span) {
        let Some(reader) = self.library_function(LIST_READER).filter(|_| self.ty(list) == Scalar::Ptr) else {
            self.unsupported(LIBRARY, LIST_READER, span);
            return;
        };
        let (to, room) = (self.zero(Scalar::Ptr), self.size_constant(0));
        let (func, format) = (self.func(reader), self.as_pointer(format));
        self.emit(Op::Call { func, args: [to, room, format, list].into(), dst: None }, span);
    }

    /// Reads a format that is no literal, with so many arguments behind it.
    fn check_format(&mut self, format: ExprId, arguments: usize, function: &str, span: Span) {
        let Some(check) = self.library.get(FORMAT_CHECK).copied() else { return };
        let (func, arguments) = (self.func(check), self.constant(arguments as i128, self.int_ty()));
        let (format, fits) = (self.as_pointer(format), self.temp(self.int_ty(), span));
        self.emit(Op::Call { func, args: [format, arguments].into(), dst: Some(fits) }, span);
        let fits = self.var(fits);
        let fits = self.truth(fits);
        let bad = self.not(fits);
        self.when(bad, span, |this| this.unsupported(NO_ARGUMENT, function, span));
    }

    /// Reads strings that a format cuts, and checks where it stores numbers of characters; `values` are those behind it.
    fn access_converted(&mut self, conversions: &[(usize, Conversion)], values: &[ExprId], span: Span) {
        for (i, conversion) in conversions {
            let Some(value) = values.get(*i).copied() else { continue };
            let pointer = self.as_pointer(value);
            let most = match conversion {
                Conversion::Count(len) => {
                    self.check_access(pointer, *len, Access::Write, span);
                    continue;
                }
                Conversion::Cut(Cut::At(most)) => self.size_constant(*most),
                // A negative bound, which is none, is more than all that there is.
                Conversion::Cut(Cut::Argument(most)) => match values.get(*most).copied() {
                    Some(most) => self.cast(most, self.usize_ty()),
                    None => continue,
                },
            };
            match self.library_function(CUT_LENGTH) {
                Some(length) => {
                    let func = self.func(length);
                    self.emit(Op::Call { func, args: [pointer, most].into(), dst: None }, span);
                }
                None => self.unsupported(LIBRARY, CUT_LENGTH, span),
            }
        }
    }

    /// Reads a string to its end.
    fn read_string(&mut self, value: ExprId, text: Text, span: Span) {
        let string = self.as_pointer(value);
        let is_literal = |var| self.p.vars[var].kind == VarKind::Literal;
        if matches!(self.p.exprs.kind(string), CfaKind::AddrOf(var) if is_literal(var)) {
            return;
        }
        let length = match text {
            Text::Narrow => "strlen",
            Text::Wide => "wcslen",
        };
        match self.library_function(length) {
            Some(length) => {
                let func = self.func(length);
                self.emit(Op::Call { func, args: [string].into(), dst: None }, span);
            }
            None if text == Text::Wide => self.unsupported(LIBRARY, length, span),
            None => {}
        }
    }
}

/// What a format converts.
#[derive(PartialEq, Eq, Debug)]
struct Converted {
    /// Which of the arguments behind it are strings that are read to their end.
    strings: Vec<(usize, Text)>,
    /// Which others are pointers that are followed.
    others: Vec<(usize, Conversion)>,
    /// How many arguments there are; `None` where it names them by numbers.
    count: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conversion {
    /// A string of bytes that is read to its end, or as far as this.
    Cut(Cut),
    /// The number of characters so far is stored in an integer of so many bytes.
    Count(u64),
}

/// How many bytes are read at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cut {
    At(u64),
    Argument(usize),
}

fn converted(format: impl Iterator<Item = u8>, machine: MachineModel) -> Converted {
    let (mut strings, mut others, mut argument, mut is_numbered) = (Vec::new(), Vec::new(), 0, false);
    for directive in format::parse(format).0 {
        let Directive::Conversion(how) = directive else { continue };
        argument += usize::from(how.width == Some(Count::Argument));
        let cut = how.precision.map(|precision| match precision {
            Count::Number(most) => Cut::At(most as u64),
            Count::Argument => Cut::Argument(argument),
        });
        argument += usize::from(how.precision == Some(Count::Argument));
        match (how.letter, cut) {
            (b's' | b'S', cut) => {
                let is_wide = how.letter == b'S' || how.length == b'l';
                match (cut, if is_wide { Text::Wide } else { Text::Narrow }) {
                    (None, text) => strings.push((argument, text)),
                    (Some(cut), Text::Narrow) => others.push((argument, Conversion::Cut(cut))),
                    // The bound counts the bytes that are written.
                    (Some(_), Text::Wide) => {}
                }
            }
            (b'n', _) => {
                let len = stored_integer(how.length, machine);
                others.extend(len.map(|len| (argument, Conversion::Count(len))));
            }
            (b'm' | b'%', _) => continue,
            (letter, _) => is_numbered |= letter == b'$',
        }
        argument += 1;
    }
    Converted { strings, others, count: (!is_numbered).then_some(argument) }
}

#[cfg(test)]
mod tests {
    use super::Text::{self, Narrow, Wide};
    use super::{Conversion, Cut, MachineModel};

    #[test]
    fn converted_arguments() {
        let check = |format: &str, strings: &[(usize, Text)], count: Option<usize>| {
            let found = super::converted(format.bytes(), MachineModel::Lp64);
            assert_eq!((&found.strings[..], found.count), (strings, count), "{format}");
            found.others
        };
        check("%s", &[(0, Narrow)], Some(1));
        check("%d %%s %-5s%c", &[(1, Narrow)], Some(3));
        let others = check("%.3s %*s%s", &[(2, Narrow), (3, Narrow)], Some(4));
        assert_eq!(others, [(0, Conversion::Cut(Cut::At(3)))]);
        let others = check("%d%n%.*s%hhn%.2ls", &[], Some(6));
        let cut = Conversion::Cut(Cut::Argument(2));
        assert_eq!(others, [(1, Conversion::Count(4)), (3, cut), (4, Conversion::Count(1))]);
        check("%ld %ls %S", &[(1, Wide), (2, Wide)], Some(3));
        check("100%", &[], Some(0));
        check("%2$d", &[], None);
    }
}

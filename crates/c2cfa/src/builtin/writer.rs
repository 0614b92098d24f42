//! Library functions that write through pointers: what they write becomes arbitrary.

use crate::call::Want;
use crate::context::Lowerer;
use crate::effects::constant_of;
use base::Span;
use cfa::{Access, BinOp, Check, ExprId, ExprKind as CfaKind, HavocSource, MachineModel, Op, Reach, Scalar, Storage};
use cfront::typed::{Expr, ExprKind, FunctionId};
use clib::known::LIBRARY;
use clib::known::writers::{Len, Null, ROOM_MAKER, Returned, Writer};
use syntax::format;

impl<'u> Lowerer<'u> {
    /// `fgets` and others, see [`Writer`].
    pub fn writer(
        &mut self,
        writer: &Writer,
        f: FunctionId,
        e: &'u Expr,
        args: &'u [Expr],
        want: Want,
    ) -> Option<ExprId> {
        let target = &args[usize::from(writer.dst)];
        if writer.result == Returned::TextOrNull && writer.null == Null::Allowed {
            // It makes room itself where none is given.
            if let Some(maker) = self.library_function(ROOM_MAKER).filter(|_| constant_of(target) == Some(0)) {
                self.values(args);
                return self.call_defined(maker, e, &[], want);
            }
        }
        // Whether a record was filled, only the result tells.
        let fills = writer.result == Returned::Content || self.is_filled(target.ty);
        let values = self.external_arguments(f, e, args);
        let dst = self.as_pointer(values[usize::from(writer.dst)]);
        let at = |i: u8| values[usize::from(i)];
        let len = match writer.len {
            Len::Arg(i) => Some(self.as_size(at(i))),
            Len::Product(i, j) => {
                let (i, j) = (self.as_size(at(i)), self.as_size(at(j)));
                Some(self.binary(BinOp::Mul, i, j))
            }
            Len::Bytes(n) => Some(self.size_constant(n.into())),
            Len::Ints(n) => Some(self.size_constant(u64::from(n) * u64::from(self.machine.int_bits() / 8))),
            Len::Pointee => {
                let ty = self.pointee(args[usize::from(writer.dst)].ty);
                ty.and_then(|ty| self.size(ty)).map(|size| self.size_constant(size))
            }
            Len::Object => None,
        };
        // What is wrong with the call does not depend on its result.
        if self.checks(Check::Memory) {
            self.unless_null(writer, dst, e.span, |this| match len {
                Some(len) if writer.fills => this.check_range(dst, len, Access::Write, e.span),
                None => this.check_any_length(dst, e.span),
                most => this.check_room(dst, most, &this.unit.functions[f].name, e.span),
            });
        }
        let result = self.external_call(f, e, args, &values, if fills { Want::Value } else { want });
        self.unless_null(writer, dst, e.span, |this| this.written(dst, target, len, e.span));
        if let (Some(len), Some(result)) = (len, result) {
            self.end_text(writer.result, result, dst, len, e.span);
        }
        if let Some(result) = result {
            self.keep_filled(f, (args, usize::from(writer.dst)), &values, result);
        }
        match (writer.result, result) {
            (Returned::DestinationOrNull | Returned::TextOrNull, Some(result)) if self.ty(result) == Scalar::Ptr => {
                let set = self.truth(result);
                let null = self.zero(Scalar::Ptr);
                if writer.null == Null::Allowed {
                    let given = self.truth(dst);
                    let makes_room = self.not(given);
                    self.when(makes_room, e.span, |this| {
                        this.unsupported(LIBRARY, &*this.unit.functions[f].name, e.span)
                    });
                }
                Some(self.ite(set, dst, null))
            }
            (Returned::Content, Some(result)) => {
                let set = self.truth(dst);
                let ty = self.ty(result);
                self.when(set, e.span, |this| {
                    let content = this.load(dst, ty);
                    let is_same = this.binary(BinOp::Eq, content, result);
                    this.require(is_same, e.span);
                });
                Some(result)
            }
            (_, result) => result,
        }
    }

    /// The text that was written where the result says so ends with a zero.
    fn end_text(&mut self, returned: Returned, result: ExprId, dst: ExprId, len: ExprId, span: Span) {
        let is_text = match returned {
            Returned::Anything | Returned::DestinationOrNull | Returned::Content => return,
            Returned::TextOrNull | Returned::LengthOrZero => self.truth(result),
            Returned::ZeroIfText => {
                let failed = self.truth(result);
                self.not(failed)
            }
        };
        let some = self.with_constant(BinOp::Ne, len, 0);
        let set = self.truth(dst);
        let is_there = self.binary(BinOp::And, some, set);
        let ends = self.binary(BinOp::And, is_text, is_there);
        self.when(ends, span, |this| {
            let last = match returned {
                // The length was kept below that of the array.
                Returned::LengthOrZero => this.as_size(result),
                _ => this.with_constant(BinOp::Sub, len, 1),
            };
            let last = this.ptr_add(dst, last);
            let zero = this.zero(Scalar::Int { bits: 8, signed: true });
            this.store(last, zero, span);
        });
    }

    /// What an external function is given, with the checks of what it reads; it is saved, since memory changes afterwards.
    pub fn external_arguments(&mut self, f: FunctionId, e: &'u Expr, args: &'u [Expr]) -> Vec<ExprId> {
        let mut values = self.values(args);
        for value in &mut values {
            *value = self.stable_memory(*value, e.span);
        }
        self.read_arguments(f, args, &values, e.span);
        values
    }

    /// Calls an external function; the result is saved, too.
    pub fn external_call(
        &mut self,
        f: FunctionId,
        e: &'u Expr,
        args: &'u [Expr],
        values: &[ExprId],
        want: Want,
    ) -> Option<ExprId> {
        let root = self.square_root(f, values);
        if let Some(root) = root.filter(|root| self.p.exprs.as_const(*root).is_some()) {
            return Some(root);
        }
        let func = self.func(f);
        let dst = match (self.scalar(e.ty), want) {
            (Some(ty), Want::Value | Want::Into(_)) => Some(self.temp(ty, e.span)),
            _ => None,
        };
        let op = match (root, dst) {
            (Some(src), Some(dst)) => Op::Assign { dst, src },
            _ => Op::CallExtern { func, args: values.into(), dst },
        };
        self.emit(op, e.span);
        if let Some(dst) = dst {
            self.trust_pointer(dst, func, e.ty, e.span);
            self.keep_returned(&self.unit.functions[f].name, (args, values), dst, e.ty);
        }
        let result = dst.map(|dst| self.var(dst));
        if let Some(result) = result {
            self.keep_bounds(&self.unit.functions[f].name, values, result, e.span);
            self.keep_printed(f, result, args, e.span);
        }
        self.note_failure(f, result, e.span);
        result
    }

    /// What is done where there is a place to write to.
    fn unless_null(&mut self, writer: &Writer, dst: ExprId, span: Span, act: impl FnOnce(&mut Self)) {
        match writer.null {
            Null::Allowed => {
                let set = self.truth(dst);
                self.when(set, span, act);
            }
            Null::Forbidden => act(self),
        }
    }

    /// `errno` after a function without a body, if the program has it.
    fn note_failure(&mut self, f: FunctionId, result: Option<ExprId>, span: Span) {
        self.call_library("_may_fail", &[], span);
        let Some(result) = result.filter(|_| clib::library::sets_errno(&self.unit.functions[f].name)) else { return };
        let ty = self.ty(result);
        let failure = match ty {
            Scalar::Ptr => self.zero(ty),
            _ if ty.is_int() => self.constant(-1, ty),
            _ => return,
        };
        let fails = self.binary(BinOp::Eq, result, failure);
        let fails = self.cast(fails, self.int_ty());
        self.call_library("_fails_if", &[fails], span);
    }

    /// Calls a text of the library that gives nothing, if the program needs it.
    pub fn call_library(&mut self, name: &str, args: &[ExprId], span: Span) {
        if let Some(function) = self.library.get(name).copied() {
            let func = self.func(function);
            self.emit(Op::Call { func, args: args.into(), dst: None }, span);
        }
    }

    /// Up to `len` bytes at `dst`, or any number without it, become arbitrary.
    pub fn written(&mut self, dst: ExprId, arg: &Expr, len: Option<ExprId>, span: Span) {
        if self.may_be_interrupted("while memory is written by other code", span) {
            return;
        }
        let source = HavocSource::Environment;
        let constant = len.and_then(|len| self.as_int(len)).and_then(|len| u64::try_from(len).ok());
        // Less than `len` may be written, so more than that many bytes need not be there.
        let most = match (constant, self.room_in_variable(dst)) {
            (Some(len), Some(room)) => Some(len.min(room)),
            (constant, room) => constant.or(room).or_else(|| self.room_in_array(arg)),
        };
        match most {
            Some(0) => {}
            Some(len) => self.emit(Op::MemHavoc { dst, len: Reach::Bytes(len), source }, span),
            None => {
                // Byte by byte, because writing beyond the object must not hide the runs that don't.
                let ty = self.usize_ty();
                let n = self.register(ty, "bytes written", span);
                self.emit(Op::Havoc { dst: n, source }, span);
                let n = self.var(n);
                if let Some(len) = len {
                    let fits = self.binary(BinOp::Le, n, len);
                    self.require(fits, span);
                }
                let counter = self.register(ty, "i", span);
                let zero = self.zero(ty);
                self.assign(counter, zero, span);
                let (head, inside, end) = (self.node(), self.node(), self.node());
                self.goto(head, span);
                self.enter(head);
                let i = self.var(counter);
                let more = self.binary(BinOp::Lt, i, n);
                self.branch_on(more, inside, end, span);
                self.enter(inside);
                let at = self.ptr_add(dst, i);
                self.emit(Op::MemHavoc { dst: at, len: Reach::Bytes(1), source }, span);
                let next = self.with_constant(BinOp::Add, i, 1);
                self.assign(counter, next, span);
                self.goto(head, span);
                self.enter(end);
            }
        }
    }

    /// Number of bytes from the pointer to the end of the variable that it points to.
    pub fn room_in_variable(&self, dst: ExprId) -> Option<u64> {
        let (base, offset) = match self.p.exprs.kind(dst) {
            CfaKind::PtrAdd(base, offset) => (base, self.as_int(offset)?),
            _ => (dst, 0),
        };
        let CfaKind::AddrOf(var) = self.p.exprs.kind(base) else { return None };
        let Storage::Memory { size, .. } = self.p.vars[var].storage else { return None };
        size.checked_sub(u64::try_from(offset).ok()?)
    }

    /// Size of the array that the argument is; writing beyond it would be undefined.
    fn room_in_array(&self, arg: &Expr) -> Option<u64> {
        let mut arg = arg;
        while let ExprKind::Cast(inner) = &arg.kind {
            arg = inner;
        }
        match &arg.kind {
            ExprKind::Decay(array) => self.size(array.ty).filter(|size| *size > 0),
            _ => None,
        }
    }

    /// `scanf` and its like: each conversion of a constant format makes its target arbitrary, numbers only as far as the result says.
    pub fn scanf(&mut self, format: usize, f: FunctionId, e: &'u Expr, args: &'u [Expr], want: Want) -> Option<ExprId> {
        let conversions = self
            .literal(&args[format])
            .and_then(|text| text.split(|b| *b == 0).next())
            .and_then(|text| parse_format(text, self.machine));
        // Whether a word was stored, and with it a zero at its end, only the result tells.
        let has_word = conversions.iter().flatten().any(|conversion| matches!(conversion, Conversion::Word(_)));
        let values = self.external_arguments(f, e, args);
        let targets = values.len() - format - 1;
        let conversions = conversions.filter(|conversions| conversions.len() <= targets);
        // What is wrong with the call does not depend on its result.
        for (conversion, dst) in conversions.iter().flatten().zip(&values[format + 1..]) {
            let dst = self.as_pointer(*dst);
            match conversion.bytes(self.pointer_bits) {
                Some(len) => {
                    let len = self.size_constant(len);
                    self.check_range(dst, len, Access::Write, e.span);
                }
                None => self.check_any_length(dst, e.span),
            }
        }
        let result = self.external_call(f, e, args, &values, if has_word { Want::Value } else { want });
        let told = result.filter(|result| self.ty(*result).is_signed());
        if let Some(result) = told {
            // As many as were stored, or -1 at the end; numbers of characters do not count.
            let is_count = |conversion: &&Conversion| matches!(conversion, Conversion::Count(_));
            let counts = conversions.iter().flatten().filter(is_count).count();
            let most = self.with_constant(BinOp::Gt, result, targets.saturating_sub(counts) as i128);
            let least = self.with_constant(BinOp::Lt, result, -1);
            let bad = self.binary(BinOp::Or, least, most);
            self.when(bad, e.span, |this| this.emit(Op::Halt, e.span));
        }
        match conversions {
            Some(conversions) => {
                let mut stored = 0;
                for (i, conversion) in conversions.iter().enumerate() {
                    let arg = &args[format + 1 + i];
                    let dst = self.as_pointer(values[format + 1 + i]);
                    let len = conversion.bytes(self.pointer_bits).map(|len| self.size_constant(len));
                    let is_stored = told.map(|result| self.with_constant(BinOp::Gt, result, stored));
                    match is_stored.filter(|_| conversion.is_whole()) {
                        Some(is_stored) => self.when(is_stored, e.span, |this| {
                            this.written(dst, arg, len, e.span);
                            if let Conversion::Word(most) = *conversion {
                                let last = this.ptr_offset(dst, i128::from(most) - 1);
                                let zero = this.zero(Scalar::Int { bits: 8, signed: true });
                                this.store(last, zero, e.span);
                            }
                        }),
                        None => self.written(dst, arg, len, e.span),
                    }
                    stored += i128::from(!matches!(conversion, Conversion::Count(_)));
                }
            }
            None => self.unsupported(LIBRARY, &*self.unit.functions[f].name, e.span),
        }
        result
    }
}

/// What a conversion of `scanf` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conversion {
    /// A number of so many bytes.
    Number(u64),
    LongDouble,
    /// How many characters were read, which is not counted.
    Count(u64),
    /// A word with its zero, in at most so many bytes: `%7s` and `%7[a-z]`.
    Word(u64),
    /// At most so many bytes of text: any number for `%s` without a width. A part of it may be there though it was not stored.
    Text(Option<u64>),
}

impl Conversion {
    /// What it writes at most.
    fn bytes(self, pointer_bits: u32) -> Option<u64> {
        match self {
            Self::Number(len) | Self::Count(len) | Self::Word(len) => Some(len),
            Self::LongDouble => Some(if pointer_bits == 64 { 16 } else { 12 }),
            Self::Text(len) => len,
        }
    }

    /// Whether nothing is written where it is not stored.
    fn is_whole(self) -> bool {
        matches!(self, Self::Number(_) | Self::LongDouble | Self::Word(_))
    }
}

/// Size of `wchar_t`.
const fn wide_character(machine: MachineModel) -> u64 {
    match machine {
        MachineModel::Llp64 => 2,
        MachineModel::Lp64 | MachineModel::Ilp32 | MachineModel::Lp32 => 4,
    }
}

/// Bytes of the integer that a conversion with this length modifier stores.
pub fn stored_integer(length: u8, machine: MachineModel) -> Option<u64> {
    let bytes = |bits: u32| u64::from(bits / 8);
    Some(match length {
        0 => bytes(machine.int_bits()),
        b'h' => 2,
        b'H' => 1,
        b'l' => bytes(machine.long_bits()),
        b'z' | b't' => bytes(machine.pointer_bits()),
        b'q' | b'L' | b'j' => 8,
        _ => return None,
    })
}

/// The conversions that store something; `None` for formats that are not understood.
fn parse_format(format: &[u8], machine: MachineModel) -> Option<Vec<Conversion>> {
    let bytes = |bits: u32| u64::from(bits / 8);
    let mut conversions = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(c) = rest.next() {
        if c != b'%' {
            continue;
        }
        if rest.next_if_eq(&b'%').is_some() {
            continue;
        }
        let suppressed = rest.next_if_eq(&b'*').is_some();
        let mut width: Option<u64> = None;
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            width = Some(width.unwrap_or(0).saturating_mul(10).saturating_add(u64::from(digit - b'0')));
        }
        let length = format::length(&mut rest);
        let conversion = match (rest.next()?, length) {
            (kind @ (b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'n'), length) => {
                let len = stored_integer(length, machine)?;
                if kind == b'n' { Conversion::Count(len) } else { Conversion::Number(len) }
            }
            (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A', length) => match length {
                0 => Conversion::Number(4),
                b'l' => Conversion::Number(8),
                b'L' => Conversion::LongDouble,
                _ => return None,
            },
            (b'p', 0) => Conversion::Number(bytes(machine.pointer_bits())),
            (kind @ (b'c' | b's' | b'[' | b'C' | b'S'), length @ (0 | b'l')) => {
                if kind == b'[' {
                    rest.next_if_eq(&b'^');
                    rest.next()?;
                    while rest.next()? != b']' {}
                }
                let is_wide = length == b'l' || matches!(kind, b'C' | b'S');
                let size = if is_wide { wide_character(machine) } else { 1 };
                let count = match kind {
                    b'c' | b'C' => Some(width.unwrap_or(1)),
                    // The zero at the end is stored, too.
                    _ => width.map(|width| width.saturating_add(1)),
                };
                match count {
                    Some(count) if !is_wide && kind != b'c' => Conversion::Word(count),
                    _ => Conversion::Text(count.map(|count| count.saturating_mul(size))),
                }
            }
            _ => return None,
        };
        if !suppressed {
            conversions.push(conversion);
        }
    }
    Some(conversions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: &str, expected: Option<&[Conversion]>) {
        assert_eq!(parse_format(format.as_bytes(), MachineModel::Llp64).as_deref(), expected, "{format}");
    }

    #[test]
    fn formats() {
        use Conversion::{Count, LongDouble, Number, Text, Word};
        check("%d, %ld%% %zu", Some(&[Number(4), Number(4), Number(8)]));
        check("%*d%hhu %lf%Lf", Some(&[Number(1), Number(8), LongDouble]));
        check("%10s%s%3c", Some(&[Word(11), Text(None), Text(Some(3))]));
        check("%[^]x]%5[a-z]%n", Some(&[Text(None), Word(6), Count(4)]));
        check("%ls%3S%lc%5l[^a]", Some(&[Text(None), Text(Some(8)), Text(Some(2)), Text(Some(12))]));
        check("%y", None);
        check("%", None);
    }
}

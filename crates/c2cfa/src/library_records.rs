//! Records that functions of C's library and of POSIX return or fill (`struct tm`, `struct passwd`, `struct addrinfo`): what their members
//! hold.
//!
//! Pointers in them lead to memory that is not the program's, arrays of characters are texts that end in them, and parts of times are in
//! range. What is known of a record is said when it is made; of pointers that are found behind its pointers, when one is read.

use crate::context::Lowerer;
use crate::lvalue::LValue;
use base::Span;
use cfa::{BinOp, ExprId, Scalar, VarId};
use cfront::typed::{Expr, ExprKind, FunctionId};
use cfront::types::{ArrayLen, Type, TypeId};
use clib::known::LIBRARY;
use clib::library::Effects;

/// Members of times and the numbers that they hold (C11, 7.27.1); clocks are not set further than [`TIME`].
#[rustfmt::skip]
const TIMES: [(&str, i128, i128); 11] = [
    ("tv_sec", 0, TIME), ("tv_nsec", 0, 999_999_999), ("tv_usec", 0, 999_999), ("tm_sec", 0, 60), ("tm_min", 0, 59), ("tm_hour", 0, 23),
    ("tm_mday", 1, 31), ("tm_mon", 0, 11), ("tm_wday", 0, 6), ("tm_yday", 0, 365), ("tm_isdst", -1, 1),
];

/// Records whose arrays of characters are texts.
const TEXTS: [&str; 3] = ["dirent", "dirent64", "utsname"];

/// Records that the program declares and functions fill where they succeed.
const FILLED: [&str; 4] = ["timespec", "timeval", "tm", "utsname"];

/// Members whose pointers may be null though they lead to no record.
const NULLABLE: [&str; 2] = ["ai_canonname", "ifa_data"];

/// Members of `struct tm` that a conversion of `strptime` sets (POSIX).
const PARSED: [(&[u8], &[&str]); 9] = [
    (b"bBhm", &["tm_mon"]),
    (b"de", &["tm_mday"]),
    (b"D", &["tm_mon", "tm_mday"]),
    (b"HIk", &["tm_hour"]),
    (b"M", &["tm_min"]),
    (b"R", &["tm_hour", "tm_min"]),
    (b"S", &["tm_sec"]),
    (b"Tr", &["tm_hour", "tm_min", "tm_sec"]),
    (b"F", &["tm_mon", "tm_mday"]),
];

/// Seconds, and years from 1900, that are counted on before and after 1970.
const TIME: i128 = 1 << 40;
const YEARS: (i128, i128) = (-33_000, 35_000);

/// Functions that return a record through a pointer that an argument leads to, with that argument.
const THROUGH_ARGUMENTS: [(&str, usize); 2] = [("getaddrinfo", 3), ("getifaddrs", 0)];

/// Functions whose results are never null.
const NOT_NULL: [&str; 7] =
    ["asctime", "gai_strerror", "hstrerror", "localeconv", "nl_langinfo", "strerror", "strsignal"];

impl<'u> Lowerer<'u> {
    /// Finds the records that functions of the library return.
    pub fn note_library_records(&mut self) {
        for function in self.unit.functions.iter().filter(|function| function.body.is_none()) {
            let Type::Function(ty) = self.unit.types.get(function.ty) else { continue };
            let through = THROUGH_ARGUMENTS.iter().find(|(name, _)| *name == &*function.name);
            let behind = match through {
                Some((_, arg)) => ty.params.get(*arg).and_then(|param| self.unit.types.pointee(*param)),
                None => Some(ty.ret).filter(|_| Effects::of(&function.name).is_some()),
            };
            let record = behind.and_then(|ty| self.unit.types.pointee(ty)).map(|ty| self.unit.types.get(ty));
            if let Some(Type::Record(record)) = record {
                self.library_records.insert(*record);
                let fields = self.unit.types.records[*record].layout.iter().flat_map(|layout| &layout.fields);
                let leads_to_pointers =
                    |ty| self.unit.types.pointee(ty).is_some_and(|to| self.unit.types.pointee(to).is_some());
                self.has_library_vectors |= fields.into_iter().any(|field| leads_to_pointers(field.ty));
            }
        }
    }

    // The branches are nothing that the text says: no steps of a run.

    /// What is known of the pointer that a library function returned.
    pub fn keep_returned(&mut self, name: &str, args: (&'u [Expr], &[ExprId]), dst: VarId, ty: TypeId) {
        let pointer = self.var(dst);
        if self.ty(pointer) != Scalar::Ptr {
            return;
        }
        let set = self.truth(pointer);
        if NOT_NULL.contains(&name) {
            self.require(set, Span::NONE);
        }
        let Some(record) = self.unit.types.pointee(ty) else { return };
        if matches!(self.unit.types.get(record), Type::Record(id) if self.library_records.contains(id)) {
            self.when(set, Span::NONE, |this| {
                this.keep_record(pointer, record);
                if let ([time], [value]) = args {
                    this.keep_year((time.ty, *value), (record, pointer));
                }
            });
        }
    }

    /// What is known of the record that a library function returned through an argument, if its result is 0.
    pub fn keep_returned_through(&mut self, name: &str, args: &'u [Expr], values: &[ExprId], result: ExprId) {
        let Some((_, i)) = THROUGH_ARGUMENTS.iter().find(|(function, _)| *function == name) else { return };
        let (Some(arg), Some(value)) = (args.get(*i), values.get(*i).copied()) else { return };
        let Some(record) = self.unit.types.pointee(arg.ty).and_then(|ty| self.unit.types.pointee(ty)) else { return };
        let failed = self.truth(result);
        let succeeded = self.not(failed);
        self.when(succeeded, Span::NONE, |this| {
            let pointer = this.load(value, Scalar::Ptr);
            let pointer = this.stable(pointer, Span::NONE);
            let is_outside = this.is_outside(pointer);
            this.require(is_outside, Span::NONE);
            this.keep_record(pointer, record);
        });
    }

    /// Whether a pointer leads to a record that functions of the library fill.
    pub fn is_filled(&self, ty: TypeId) -> bool {
        let record = self.unit.types.pointee(ty).map(|record| self.unit.types.get(record));
        let Some(Type::Record(id)) = record else { return false };
        self.unit.types.records[*id].name.as_deref().is_some_and(|name| FILLED.contains(&name))
    }

    /// What is known of the record that a library function filled, if the argument leads to one and the result tells of no failure.
    pub fn keep_filled(&mut self, f: FunctionId, (args, i): (&'u [Expr], usize), values: &[ExprId], result: ExprId) {
        let Some(record) = self.unit.types.pointee(args[i].ty).filter(|_| self.is_filled(args[i].ty)) else { return };
        let name = &*self.unit.functions[f].name;
        let members = match name {
            "strptime" => Some(args.get(1).and_then(|format| self.literal(format)).map_or(Vec::new(), parsed)),
            _ => None,
        };
        let pointer = self.as_pointer(values[i]);
        let failure = match self.ty(result) {
            Scalar::Ptr => self.zero(Scalar::Ptr),
            ty => self.constant(-1, ty),
        };
        let set = self.truth(pointer);
        let succeeded = self.binary(BinOp::Ne, result, failure);
        let fills = self.binary(BinOp::And, set, succeeded);
        let time = values.first().copied().filter(|_| i == 1);
        self.when(fills, Span::NONE, |this| {
            this.keep_members(pointer, record, members.as_deref());
            if let Some(time) = time {
                this.keep_year((args[0].ty, time), (record, pointer));
            }
        });
    }

    /// Runs go on only where a record that a library function made holds what it may.
    pub fn keep_record(&mut self, addr: ExprId, ty: TypeId) {
        self.keep_members(addr, ty, None);
    }

    /// The same of some of its members, without pointers, or of all.
    fn keep_members(&mut self, addr: ExprId, ty: TypeId, only: Option<&[&str]>) {
        let addr = self.stable(addr, Span::NONE);
        let mut holds = self.constant(1, Scalar::Bool);
        self.members_hold(addr, ty, only, &mut holds);
        if self.as_int(holds).is_none() {
            self.require(holds, Span::NONE);
        }
    }

    /// The year of a time that is not far from now (`struct tm` from `time_t`) is not far, either.
    pub fn keep_year(&mut self, (ty, time): (TypeId, ExprId), (record, tm): (TypeId, ExprId)) {
        let Type::Record(id) = *self.unit.types.get(record) else { return };
        let record = &self.unit.types.records[id];
        let fields = record.layout.iter().flat_map(|layout| &layout.fields);
        let mut years = fields.filter(|field| field.name.as_deref() == Some("tm_year"));
        let (Some(field), Some(Scalar::Int { bits, signed: true })) =
            (years.next(), self.unit.types.pointee(ty).and_then(|ty| self.scalar(ty)))
        else {
            return;
        };
        let (offset, year) = (field.offset, self.scalar(field.ty).unwrap_or(Scalar::INT));
        let time = self.as_pointer(time);
        let time = self.load(time, Scalar::Int { bits, signed: true });
        let mut far = self.zero(Scalar::Bool);
        if bits > 41 {
            let before = self.with_constant(BinOp::Lt, time, -TIME);
            let after = self.with_constant(BinOp::Gt, time, TIME);
            far = self.binary(BinOp::Or, before, after);
        }
        let at = self.ptr_offset(tm, i128::from(offset));
        let year = self.load(at, year);
        let from = self.with_constant(BinOp::Ge, year, YEARS.0);
        let to = self.with_constant(BinOp::Le, year, YEARS.1);
        let near = self.binary(BinOp::And, from, to);
        let holds = self.binary(BinOp::Or, far, near);
        self.require(holds, Span::NONE);
    }

    fn members_hold(&mut self, addr: ExprId, ty: TypeId, only: Option<&[&str]>, holds: &mut ExprId) {
        let Type::Record(id) = *self.unit.types.get(ty) else { return };
        let record = &self.unit.types.records[id];
        let Some(layout) = record.layout.as_ref().filter(|_| !record.is_union) else { return };
        let is_time = record.name.as_deref().is_some_and(|name| FILLED.contains(&name));
        let is_text = record.name.as_deref().is_some_and(|name| TEXTS.contains(&name));
        for field in layout.fields.iter().filter(|field| field.bits.is_none()) {
            let at = self.ptr_offset(addr, i128::from(field.offset));
            let name = field.name.as_deref();
            if only.is_some_and(|only| !name.is_some_and(|name| only.contains(&name))) {
                continue;
            }
            let held = match *self.unit.types.get(field.ty) {
                Type::Pointer(to) => {
                    let value = self.load(at, Scalar::Ptr);
                    let is_outside = self.is_outside(value);
                    // The next record of a list may be missing.
                    let is_nullable = name.is_some_and(|name| NULLABLE.contains(&name));
                    if is_nullable || matches!(self.unit.types.get(to), Type::Record(_)) {
                        let set = self.truth(value);
                        let missing = self.not(set);
                        self.binary(BinOp::Or, missing, is_outside)
                    } else {
                        is_outside
                    }
                }
                Type::Array(elem, ArrayLen::Fixed(n @ 1..)) if is_text && self.is_character(elem) => {
                    let last = self.ptr_offset(at, i128::from(n) - 1);
                    let last = self.load(last, Scalar::Int { bits: 8, signed: true });
                    self.with_constant(BinOp::Eq, last, 0)
                }
                Type::Record(_) => {
                    self.members_hold(at, field.ty, only, holds);
                    continue;
                }
                _ if is_time => {
                    let range = TIMES.iter().find(|(member, ..)| name == Some(member));
                    let (Some((_, least, most)), Some(scalar)) = (range, self.scalar(field.ty)) else { continue };
                    let value = self.load(at, scalar);
                    let from = self.with_constant(BinOp::Ge, value, *least);
                    if *most == TIME && scalar.bits(self.pointer_bits) <= 41 {
                        from
                    } else {
                        let to = self.with_constant(BinOp::Le, value, *most);
                        self.binary(BinOp::And, from, to)
                    }
                }
                _ => continue,
            };
            *holds = self.binary(BinOp::And, *holds, held);
        }
    }

    fn is_character(&self, ty: TypeId) -> bool {
        matches!(self.unit.types.get(ty), Type::Int(_)) && self.size(ty) == Some(1)
    }

    /// Whether an lvalue may be a pointer that lies in such a record, or behind a pointer in one.
    pub fn may_be_outside(&self, lvalue: &Expr) -> bool {
        if self.f.is_library || self.unit.types.pointee(lvalue.ty).is_none() {
            return false;
        }
        match &lvalue.kind {
            ExprKind::Member { base, .. } if matches!(base.kind, ExprKind::Deref(_)) => {
                matches!(self.unit.types.get(base.ty), Type::Record(id) if self.library_records.contains(id))
            }
            ExprKind::Deref(_) => self.has_library_vectors,
            _ => false,
        }
    }

    /// No pointer of the program is kept in such a record or behind one: what is read there is taken to lead outside.
    pub fn keep_out(&mut self, lhs: &Expr, target: LValue, span: Span) {
        let LValue::Memory(addr) = target else { return };
        if self.may_be_outside(lhs) {
            let is_outside = self.is_address_outside(addr);
            self.when(is_outside, span, |this| this.unsupported(LIBRARY, "keeps a pointer of the program", span));
        }
    }

    /// A pointer that was read from memory that is not the program's is null or leads there.
    pub fn trust_outside(&mut self, addr: ExprId, value: ExprId, span: Span) -> ExprId {
        let addr = self.stable(addr, span);
        let value = self.stable(value, span);
        let from = self.is_address_outside(addr);
        let set = self.truth(value);
        let to = self.is_outside(value);
        let elsewhere = self.not(to);
        let is_wrong = self.binary(BinOp::And, set, elsewhere);
        let is_wrong = self.binary(BinOp::And, from, is_wrong);
        let is_right = self.not(is_wrong);
        self.require(is_right, Span::NONE);
        value
    }
}

/// The members of `struct tm` that a format of `strptime` sets, as far as they are in [`TIMES`].
fn parsed(format: &[u8]) -> Vec<&'static str> {
    let (mut members, mut rest) = (Vec::new(), format.iter());
    while rest.any(|byte| *byte == b'%') {
        let Some(letter) = rest.next() else { break };
        let sets = PARSED.iter().filter(|(letters, _)| letters.contains(letter));
        members.extend(sets.flat_map(|(_, members)| members.iter().copied()));
    }
    members
}

#[cfg(test)]
mod tests {
    #[test]
    fn members_that_formats_set() {
        assert_eq!(super::parsed(b"%Y-%m-%d"), ["tm_mon", "tm_mday"]);
        assert!(super::parsed(b"%%m %%%%d %Y%").is_empty());
    }
}

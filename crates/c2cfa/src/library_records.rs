//! Records that functions of C's library and of POSIX return or fill (`struct tm`, `struct passwd`, `struct addrinfo`): what their members
//! hold.
//!
//! Pointers in them lead to memory that is not the program's, arrays of characters are texts that end in them, and parts of times are in
//! range. What is known of a record is said when it is made; of pointers that are found behind its pointers, when one is read.

use crate::context::Lowerer;
use crate::library::Effects;
use base::Span;
use cfa::{BinOp, ExprId, Scalar, VarId};
use cfront::typed::{Expr, ExprKind};
use cfront::types::{ArrayLen, Type, TypeId};

/// Members of `struct tm` and the numbers that they hold (C11, 7.27.1).
const TIMES: [(&str, i128, i128); 8] = [
    ("tm_sec", 0, 60),
    ("tm_min", 0, 59),
    ("tm_hour", 0, 23),
    ("tm_mday", 1, 31),
    ("tm_mon", 0, 11),
    ("tm_wday", 0, 6),
    ("tm_yday", 0, 365),
    ("tm_isdst", -1, 1),
];

/// Records whose arrays of characters are texts.
const TEXTS: [&str; 3] = ["dirent", "dirent64", "utsname"];

/// Records that the program declares and functions fill.
const FILLED: [&str; 2] = ["tm", "utsname"];

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

    /// What is known of the pointer that a library function returned.
    pub fn keep_returned(&mut self, name: &str, dst: VarId, ty: TypeId, span: Span) {
        let pointer = self.var(dst);
        if self.ty(pointer) != Scalar::Ptr {
            return;
        }
        let set = self.truth(pointer);
        if NOT_NULL.contains(&name) {
            self.require(set, span);
        }
        let Some(record) = self.unit.types.pointee(ty) else { return };
        if matches!(self.unit.types.get(record), Type::Record(id) if self.library_records.contains(id)) {
            self.when(set, span, |this| this.keep_record(pointer, record, span));
        }
    }

    /// What is known of the record that a library function returned through an argument, if its result is 0.
    pub fn keep_returned_through(
        &mut self,
        name: &str,
        args: &'u [Expr],
        values: &[ExprId],
        result: ExprId,
        span: Span,
    ) {
        let Some((_, i)) = THROUGH_ARGUMENTS.iter().find(|(function, _)| *function == name) else { return };
        let (Some(arg), Some(value)) = (args.get(*i), values.get(*i).copied()) else { return };
        let Some(record) = self.unit.types.pointee(arg.ty).and_then(|ty| self.unit.types.pointee(ty)) else { return };
        let failed = self.truth(result);
        let succeeded = self.not(failed);
        self.when(succeeded, span, |this| {
            let pointer = this.load(value, Scalar::Ptr);
            let pointer = this.stable(pointer, span);
            let is_outside = this.is_outside(pointer);
            this.require(is_outside, span);
            this.keep_record(pointer, record, span);
        });
    }

    /// What is known of the record that a library function filled, if the argument leads to one.
    pub fn keep_filled(&mut self, value: ExprId, ty: TypeId, span: Span) {
        let Some(record) = self.unit.types.pointee(ty) else { return };
        let Type::Record(id) = *self.unit.types.get(record) else { return };
        if self.unit.types.records[id].name.as_deref().is_some_and(|name| FILLED.contains(&name)) {
            let pointer = self.as_pointer(value);
            let set = self.truth(pointer);
            self.when(set, span, |this| this.keep_record(pointer, record, span));
        }
    }

    /// Runs go on only where a record that a library function made holds what it may.
    pub fn keep_record(&mut self, addr: ExprId, ty: TypeId, span: Span) {
        let addr = self.stable(addr, span);
        let mut holds = self.constant(1, Scalar::Bool);
        self.members_hold(addr, ty, &mut holds);
        if self.as_int(holds).is_none() {
            self.require(holds, span);
        }
    }

    fn members_hold(&mut self, addr: ExprId, ty: TypeId, holds: &mut ExprId) {
        let Type::Record(id) = *self.unit.types.get(ty) else { return };
        let record = &self.unit.types.records[id];
        let Some(layout) = record.layout.as_ref().filter(|_| !record.is_union) else { return };
        let is_time = record.name.as_deref() == Some("tm");
        let is_text = record.name.as_deref().is_some_and(|name| TEXTS.contains(&name));
        for field in layout.fields.iter().filter(|field| field.bits.is_none()) {
            let at = self.ptr_offset(addr, i128::from(field.offset));
            let held = match *self.unit.types.get(field.ty) {
                Type::Pointer(to) => {
                    let value = self.load(at, Scalar::Ptr);
                    let is_outside = self.is_outside(value);
                    // The next record of a list may be missing.
                    if matches!(self.unit.types.get(to), Type::Record(_)) {
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
                    self.members_hold(at, field.ty, holds);
                    continue;
                }
                _ if is_time => {
                    let range = TIMES.iter().find(|(name, ..)| field.name.as_deref() == Some(name));
                    let (Some((_, least, most)), Some(scalar)) = (range, self.scalar(field.ty)) else { continue };
                    let value = self.load(at, scalar);
                    let from = self.with_constant(BinOp::Ge, value, *least);
                    let to = self.with_constant(BinOp::Le, value, *most);
                    self.binary(BinOp::And, from, to)
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
        // Nothing that the text says: no step of a run.
        self.require(is_right, Span::NONE);
        value
    }
}

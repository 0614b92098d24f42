//! CBMC's dialect: which memory may be accessed, objects behind pointers, and memory that becomes arbitrary.

use crate::builtin::memory::Block;
use crate::call::Want;
use crate::context::Lowerer;
use base::Span;
use cfa::{Access, AllocKind, BinOp, ExprId, ExprKind, HavocSource, Op, Reach, Scalar, Storage};
use cfront::typed::Expr;
use clib::known::cprover::{Cprover, ObjectQuery};

/// Where a pointer leads.
pub(crate) struct Object {
    pub start: ExprId,
    pub offset: ExprId,
    pub size: ExprId,
}

impl<'u> Lowerer<'u> {
    /// Calls a name of the dialect.
    pub fn cprover(&mut self, name: Cprover, e: &'u Expr, args: &'u [Expr], want: Want) -> Option<ExprId> {
        match name {
            Cprover::IsFresh => return Some(self.is_fresh(e, args)),
            Cprover::InRange => return Some(self.in_range(args, e.span)),
            _ => {}
        }
        let values = self.values(args);
        match name {
            Cprover::IsFresh | Cprover::InRange => None,
            Cprover::Accessible(access) => Some(self.accessible(access, values[0], values[1])),
            Cprover::Allocate => {
                let kind = if self.as_int(values[1]) == Some(0) { AllocKind::Heap } else { AllocKind::HeapZeroed };
                // Unlike `malloc`, it never fails.
                let (size, dst) = (self.as_size(values[0]), self.result_register(Scalar::Ptr, want, e.span));
                self.new_block(dst, Block::new(size, kind), e.span);
                Some(self.var(dst))
            }
            Cprover::HavocObject => {
                let pointer = self.as_pointer(values[0]);
                self.havoc_object(pointer, e.span);
                None
            }
            Cprover::HavocSlice => {
                let (pointer, len) = (self.as_pointer(values[0]), self.as_size(values[1]));
                self.check_range(pointer, len, Access::Write, e.span);
                self.written(pointer, &args[0], Some(len), e.span);
                None
            }
            Cprover::Object(query) => Some(self.object_query(query, &values, e)),
            Cprover::Saturate(op) => Some(self.saturated(op, values[0], values[1], e)),
        }
    }

    /// The exact result fits twice the width; outside of the type's range, the end of that is taken.
    fn saturated(&mut self, op: BinOp, a: ExprId, b: ExprId, e: &'u Expr) -> ExprId {
        let ty = self.ty(a);
        let Scalar::Int { bits: bits @ 1..=64, signed } = ty else { return self.unsupported_value("builtin", e) };
        let wide = Scalar::Int { bits: 2 * bits, signed: true };
        let (a, b) = (self.cast(a, wide), self.cast(b, wide));
        let exact = self.binary(op, a, b);
        let values = 1i128 << bits;
        let least = if signed { -(values / 2) } else { 0 };
        let greatest = least + (values - 1);
        let (low, high) = (self.constant(least, wide), self.constant(greatest, wide));
        let (below, above) = (self.binary(BinOp::Lt, exact, low), self.binary(BinOp::Gt, exact, high));
        let at_most = self.p.exprs.add(ExprKind::Ite(above, high, exact), wide);
        let result = self.p.exprs.add(ExprKind::Ite(below, low, at_most), wide);
        self.cast(result, ty)
    }

    /// Whether so many bytes may be accessed; no bytes may be wherever a pointer that is not null leads.
    pub fn accessible(&mut self, access: Access, pointer: ExprId, len: ExprId) -> ExprId {
        let (pointer, len) = (self.as_pointer(pointer), self.as_size(len));
        let valid = self.p.exprs.add(ExprKind::Valid(access, pointer, len), Scalar::Bool);
        let ok = match self.as_int(len) {
            Some(len) if len != 0 => valid,
            _ => {
                let none = self.with_constant(BinOp::Eq, len, 0);
                let set = self.truth(pointer);
                let empty = self.binary(BinOp::And, none, set);
                let some = self.with_constant(BinOp::Ne, len, 0);
                let full = self.binary(BinOp::And, some, valid);
                self.binary(BinOp::Or, empty, full)
            }
        };
        self.cast(ok, Scalar::Int { bits: 8, signed: false })
    }

    fn object_query(&mut self, query: ObjectQuery, values: &[ExprId], e: &'u Expr) -> ExprId {
        let object = self.object_of(values[0], e.span);
        let ty = self.scalar_or_int(e.ty);
        let result = match query {
            ObjectQuery::Number => object.start,
            ObjectQuery::Offset => object.offset,
            ObjectQuery::Size => object.size,
            ObjectQuery::IsHeap => {
                let (start, none) = (self.as_pointer(object.start), self.size_constant(0));
                let heap = self.p.exprs.add(ExprKind::Valid(Access::Free, start, none), Scalar::Bool);
                let set = self.truth(start);
                self.binary(BinOp::And, heap, set)
            }
            ObjectQuery::SameAs => {
                let other = self.object_of(values[1], e.span);
                self.binary(BinOp::Eq, object.start, other.start)
            }
        };
        self.cast(result, ty)
    }

    /// The object that a pointer leads to: the longest range around it that is valid. That of null begins there and has no bytes; pointers to no
    /// object, and to memory that is not the program's, are not modelled.
    pub fn object_of(&mut self, pointer: ExprId, span: Span) -> Object {
        let pointer = self.as_pointer(pointer);
        let pointer = self.stable(pointer, span);
        let ty = self.usize_ty();
        let (offset, size) = (self.register(ty, "offset", span), self.register(ty, "size", span));
        let (null, set, inside, outside, end) = (self.node(), self.node(), self.node(), self.node(), self.node());
        let is_set = self.truth(pointer);
        self.branch_on(is_set, set, null, span);

        self.enter(null);
        let zero = self.zero(ty);
        self.assign(offset, zero, span);
        self.assign(size, zero, span);
        self.goto(end, span);

        self.enter(set);
        let address = self.cast(pointer, ty);
        let valid = self.readable(pointer, 1);
        let outside_all = self.is_address_outside(address);
        let own = self.not(outside_all);
        let known = self.binary(BinOp::And, valid, own);
        self.branch_on(known, inside, outside, span);
        self.enter(outside);
        self.unsupported("pointer to no object of the program", self.snippet(span), span);

        self.enter(inside);
        for var in [offset, size] {
            self.emit(Op::Havoc { dst: var, source: HavocSource::Environment }, span);
        }
        let (before, len) = (self.var(offset), self.var(size));
        let is_inside = self.binary(BinOp::Lt, before, len);
        self.require(is_inside, span);
        let back = self.negated(before);
        let start = self.ptr_add(pointer, back);
        let whole = self.p.exprs.add(ExprKind::Valid(Access::Read, start, len), Scalar::Bool);
        self.require(whole, span);
        let more = self.with_constant(BinOp::Add, len, 1);
        let previous = self.ptr_offset(start, -1);
        for from in [start, previous] {
            let longer = self.p.exprs.add(ExprKind::Valid(Access::Read, from, more), Scalar::Bool);
            let ends = self.not(longer);
            self.require(ends, span);
        }
        self.goto(end, span);

        self.enter(end);
        let (offset, size) = (self.var(offset), self.var(size));
        let start = self.binary(BinOp::Sub, address, offset);
        Object { start: self.stable(start, span), offset: self.stable(offset, span), size: self.stable(size, span) }
    }

    fn negated(&mut self, value: ExprId) -> ExprId {
        let zero = self.zero(self.ty(value));
        self.binary(BinOp::Sub, zero, value)
    }

    fn readable(&mut self, pointer: ExprId, len: u64) -> ExprId {
        let len = self.size_constant(len);
        self.p.exprs.add(ExprKind::Valid(Access::Read, pointer, len), Scalar::Bool)
    }

    /// All bytes of the object that a pointer leads to become arbitrary.
    fn havoc_object(&mut self, pointer: ExprId, span: Span) {
        let source = HavocSource::Environment;
        self.check_access(pointer, 1, Access::Write, span);
        if let ExprKind::AddrOf(var) = self.p.exprs.kind(pointer)
            && let Storage::Memory { size, .. } = self.p.vars[var].storage
        {
            self.emit(Op::MemHavoc { dst: pointer, len: Reach::Bytes(size), source }, span);
            return;
        }
        self.emit(Op::MemHavoc { dst: pointer, len: Reach::Object, source }, span);
    }
}

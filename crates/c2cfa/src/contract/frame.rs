//! Frames: statements that may write certain memory only.
//!
//! One byte that exists when a frame is entered, and that it must not write, is chosen and watched: a frame that writes another byte than those it may
//! write has a run in which just that byte is watched. What is made inside of the frame never has the address of the byte, while its object is
//! alive. So writes need a comparison each, and nobody must know what pointers lead to. Calls hand the byte on in a global register.

use super::CONTRACT;
use super::extents::Extent;
use crate::context::Lowerer;
use crate::frames::{Fault, Frame};
use base::Span;
use cfa::{Access, AllocKind, BinOp, ExprId, ExprKind, HavocSource, Op, Reach, Scalar, VarId};
use cfront::typed::Stmt;
use cfront::typed::contract::Target;
use std::collections::BTreeSet;

/// What is watched in the function that has the frame.
#[derive(Clone, Copy)]
pub(super) struct Watch<'a> {
    /// A register as [`Frame::watched`].
    pub byte: VarId,
    pub extents: &'a [Extent],
    /// Objects that begin there may be freed.
    pub freeable: &'a [ExprId],
    pub fault: Fault,
    pub is_loop: bool,
    /// Variables of the source without an address that it must not assign, unless they are among the extents.
    pub registers: &'a BTreeSet<VarId>,
}

/// Address of an operation that writes, and what it writes from there.
pub(super) fn written(this: &Lowerer<'_>, op: &Op) -> Option<(ExprId, Reach)> {
    match op {
        Op::Store { addr, value } => {
            let bytes = u64::from(this.ty(*value).access_bytes(this.pointer_bits));
            Some((*addr, bytes.into()))
        }
        Op::MemCopy { dst, len, .. } | Op::MemSet { dst, len, .. } => Some((*dst, (*len).into())),
        Op::MemHavoc { dst, len, .. } => Some((*dst, *len)),
        _ => None,
    }
}

impl<'u> Lowerer<'u> {
    /// Statements that may write the targets only.
    pub fn framed(&mut self, (targets, frees): (&'u [Target], &'u [Target]), body: &'u [Stmt], span: Span) {
        let extents = self.extents(targets);
        let freeable = self.freed_pointers(frees);
        let byte = self.watched_byte(Access::Write, &extents, span);
        let first = self.f.flow.n_edges();
        self.stmts(body);
        let region: Vec<usize> = (first..self.f.flow.n_edges()).collect();
        let fault = Fault::Violation;
        let registers = &BTreeSet::new();
        let watch = Watch { byte, extents: &extents, freeable: &freeable, fault, is_loop: false, registers };
        self.guard_region(&region, watch);
    }

    /// Chooses the byte that is watched: one that may be accessed so now and is in no target, or none.
    pub(super) fn watched_byte(&mut self, access: Access, extents: &[Extent], span: Span) -> VarId {
        let byte = self.register(self.usize_ty(), "watched", span);
        self.emit(Op::Havoc { dst: byte, source: HavocSource::Environment }, span);
        let value = self.var(byte);
        let (address, one) = (self.cast(value, Scalar::Ptr), self.size_constant(1));
        let mut fits = self.p.exprs.add(ExprKind::Valid(access, address, one), Scalar::Bool);
        for extent in extents {
            if let Extent::Bytes { start, len, .. } = extent {
                let inside = self.is_in(value, *start, *len);
                let outside = self.not(inside);
                fits = self.binary(BinOp::And, fits, outside);
            }
        }
        let none = self.with_constant(BinOp::Eq, value, 1);
        let fits = self.binary(BinOp::Or, none, fits);
        self.require(fits, span);
        byte
    }

    /// Whether an address is one of so many from a start on.
    pub(super) fn is_in(&mut self, address: ExprId, start: ExprId, len: ExprId) -> ExprId {
        let start = self.cast(start, self.usize_ty());
        let distance = self.binary(BinOp::Sub, address, start);
        self.binary(BinOp::Lt, distance, len)
    }

    /// Whether the byte at an address, a number, is written by what writes from another on.
    pub(super) fn is_written(&mut self, address: ExprId, from: ExprId, reach: Reach) -> ExprId {
        match reach {
            Reach::Bytes(len) => {
                let len = self.size_constant(len);
                self.is_in(address, from, len)
            }
            // All between two bytes is valid only in one object.
            Reach::Object => {
                let from = self.cast(from, self.usize_ty());
                let is_before = self.binary(BinOp::Lt, address, from);
                let (first, last) = (self.ite(is_before, address, from), self.ite(is_before, from, address));
                let distance = self.binary(BinOp::Sub, last, first);
                let (first, len) = (self.cast(first, Scalar::Ptr), self.with_constant(BinOp::Add, distance, 1));
                self.p.exprs.add(ExprKind::Valid(Access::Write, first, len), Scalar::Bool)
            }
        }
    }

    /// Watches what the edges of a frame do.
    pub(super) fn guard_region(&mut self, region: &[usize], watch: Watch<'_>) {
        let resumed = self.f.flow.cur.take();
        let mut inner: BTreeSet<VarId> = BTreeSet::new();
        for edge in region.iter().copied() {
            if let Op::Declare { var } = self.f.flow.op(edge) {
                inner.insert(*var);
            }
        }
        let mut frame = None;
        for edge in region.iter().copied() {
            let (op, at) = (self.f.flow.op(edge).clone(), self.f.flow.span(edge));
            if let Some((addr, reach)) = written(self, &op) {
                let is_own =
                    matches!(self.p.exprs.kind(self.root(addr)), ExprKind::AddrOf(var) if inner.contains(&var));
                if !is_own && !self.is_covered(addr, watch.extents) {
                    self.f.flow.enter_before(edge);
                    let byte = self.var(watch.byte);
                    let bad = self.is_written(byte, addr, reach);
                    self.fault_if(bad, at, |this| this.broken_frame(watch.fault, at));
                    self.f.flow.resume();
                }
            }
            if let Some(var) = op.assigned().filter(|var| watch.registers.contains(var)) {
                self.guard_register(edge, var, watch, at);
            }
            match &op {
                Op::Free { ptr, kind: AllocKind::Heap } | Op::Realloc { ptr, .. } => {
                    self.guard_free(edge, *ptr, watch, at)
                }
                Op::Call { .. } | Op::CallPtr { .. } => {
                    let frame = frame.get_or_insert_with(|| self.new_frame(watch));
                    match op {
                        Op::Call { func, .. } => drop(frame.called.insert(func)),
                        _ => frame.calls_pointers = true,
                    }
                    let globals = (frame.watched, frame.freeable.clone());
                    self.hand_on(edge, &globals, watch, at);
                }
                _ => {}
            }
        }
        self.frames.extend(frame);
        self.f.flow.cur = resumed;
    }

    /// Assigns a register only if it may.
    fn guard_register(&mut self, edge: usize, var: VarId, watch: Watch<'_>, span: Span) {
        if let Some(forbidden) = self.forbidden(var, watch.extents) {
            self.fail_before(edge, forbidden, watch.fault, span);
        }
    }

    /// When a register must not be assigned; `None` if it always may.
    pub(super) fn forbidden(&mut self, var: VarId, extents: &[Extent]) -> Option<ExprId> {
        let mut allowed = self.zero(Scalar::Bool);
        for extent in extents {
            match *extent {
                Extent::Register { var: other, condition } if other == var => {
                    allowed = self.binary(BinOp::Or, allowed, condition?);
                }
                _ => {}
            }
        }
        Some(self.not(allowed))
    }

    /// An edge breaks the frame where a condition holds.
    pub(super) fn fail_before(&mut self, edge: usize, bad: ExprId, fault: Fault, span: Span) {
        self.f.flow.enter_before(edge);
        self.fault_if(bad, span, |this| this.broken_frame(fault, span));
        self.f.flow.resume();
    }

    /// Frees that byte only if it may. Then it is watched no more: what is made there later is new.
    fn guard_free(&mut self, edge: usize, ptr: ExprId, watch: Watch<'_>, span: Span) {
        self.f.flow.enter_before(edge);
        // The pointer may lie in what is freed.
        let byte = self.var(watch.byte);
        let allowed = self.may_be_freed(ptr, watch.freeable, byte);
        let allowed = self.stable(allowed, span);
        self.f.flow.resume();
        self.f.flow.enter_after(edge);
        let (gone, forbidden) = (self.is_gone(watch.byte), self.not(allowed));
        let bad = self.binary(BinOp::And, gone, forbidden);
        self.fault_if(bad, span, |this| this.broken_frame(watch.fault, span));
        if !watch.freeable.is_empty() {
            let (one, byte) = (self.size_constant(1), self.var(watch.byte));
            let next = self.ite(gone, one, byte);
            self.assign(watch.byte, next, span);
        }
        self.f.flow.resume();
    }

    fn new_frame(&mut self, watch: Watch<'_>) -> Frame {
        let (mut registers, mut conditional) = (BTreeSet::new(), BTreeSet::new());
        for extent in watch.extents {
            if let Extent::Register { var, condition } = extent {
                if condition.is_none() { &mut registers } else { &mut conditional }.insert(*var);
            }
        }
        let watched = self.hidden_counter("watched", self.usize_ty());
        let freeable = watch.freeable.iter().map(|_| self.hidden_counter("may be freed", Scalar::Ptr)).collect();
        let allowed = self.hidden_counter("frees what it may", Scalar::Bool);
        let Watch { fault, is_loop, .. } = watch;
        let called = BTreeSet::new();
        Frame { watched, freeable, allowed, called, calls_pointers: false, registers, conditional, is_loop, fault }
    }

    /// A call is told of the byte. One that gets to the same frame again is not modelled.
    fn hand_on(&mut self, edge: usize, (global, freeable): &(VarId, Vec<VarId>), watch: Watch<'_>, span: Span) {
        let (global, byte) = (*global, watch.byte);
        self.f.flow.enter_before(edge);
        let known = self.var(global);
        let again = self.with_constant(BinOp::Ne, known, 0);
        self.fault_if(again, span, |this| this.unsupported(CONTRACT, "recursion", span));
        let value = self.var(byte);
        self.assign(global, value, span);
        for (global, pointer) in freeable.iter().zip(watch.freeable) {
            self.assign(*global, *pointer, span);
        }
        self.f.flow.resume();
        self.f.flow.enter_after(edge);
        if !freeable.is_empty() {
            // It may have been freed.
            let value = self.var(global);
            self.assign(byte, value, span);
        }
        let zero = self.zero(self.usize_ty());
        self.assign(global, zero, span);
        self.f.flow.resume();
    }

    /// Whether an address is in a static variable of a function, which no contract names: only the function itself knows it.
    pub(super) fn is_static_local(&self, root: ExprId) -> bool {
        matches!(self.p.exprs.kind(root), ExprKind::AddrOf(var) if self.p.vars[var].name.contains("::"))
    }

    /// Whether a write is certainly to a target: to a variable that is one as a whole.
    fn is_covered(&self, addr: ExprId, extents: &[Extent]) -> bool {
        let root = self.root(addr);
        let ExprKind::AddrOf(var) = self.p.exprs.kind(root) else { return false };
        let size = i128::from(self.storage_size(var));
        extents.iter().any(|extent| match extent {
            Extent::Bytes { start, len, .. } => *start == root && self.as_int(*len) == Some(size),
            Extent::Register { .. } => false,
        })
    }

    /// Whether the byte that is watched is there no more.
    fn is_gone(&mut self, byte: VarId) -> ExprId {
        let value = self.var(byte);
        let (address, one) = (self.cast(value, Scalar::Ptr), self.size_constant(1));
        let there = self.p.exprs.add(ExprKind::Valid(Access::Write, address, one), Scalar::Bool);
        let gone = self.not(there);
        let some = self.with_constant(BinOp::Gt, value, 1);
        self.binary(BinOp::And, some, gone)
    }

    /// A run writes what it must not.
    pub(super) fn broken_frame(&mut self, fault: Fault, span: Span) {
        match fault {
            Fault::Violation => self.fail(span),
            Fault::Unknown => self.unsupported(CONTRACT, UNNAMED, span),
        }
    }
}

/// What is said of a write in a loop for which nobody says what it writes.
pub(super) const UNNAMED: &str = "write of a loop without an assigns clause that can't be named at its head";

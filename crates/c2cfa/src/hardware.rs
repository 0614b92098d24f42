//! Reads of volatile objects as inputs, and registers of hardware at addresses that the user names.
//!
//! An access through a pointer that may lead to a register is a branch: there, a read gives any value and a write is lost. Objects of the
//! program never lie at such addresses (`cfa::layout`), so accesses to variables by name need no branch.

use crate::context::Lowerer;
use crate::lvalue::LValue;
use base::Span;
use cfa::{BinOp, ExprId, HavocSource, Op, Reach, Scalar};
use cfront::typed::{Expr, FunctionId};
use cfront::types::TypeId;
use syntax::ast::Quals;

impl<'u> Lowerer<'u> {
    /// Lists what is taken for granted of hardware.
    pub fn note_hardware(&mut self, entry: FunctionId) {
        if !self.environment.hardware.is_empty() {
            let span = self.unit.functions[entry].span;
            self.p.assumed.push(("writes to registers of hardware change no memory of the program".into(), span));
        }
    }

    /// Whether reads of an lvalue are inputs.
    pub fn is_input(&self, lvalue: &Expr) -> bool {
        self.environment.volatile_inputs && self.unit.types.qualifiers(lvalue.ty).contains(Quals::VOLATILE)
    }

    /// Any value of a type, which stands for what is read from an lvalue. The access is checked as others are.
    pub fn read_input(&mut self, lvalue: LValue, ty: Scalar, e: &Expr) -> ExprId {
        match lvalue {
            LValue::Register(_) => {}
            LValue::Memory(addr) => {
                let bytes = u64::from(ty.access_bytes(self.pointer_bits));
                self.check_access(addr, bytes, cfa::Access::Read, e.span);
            }
            LValue::Bits { .. } => {
                // The bits are cut out of any number.
                return self.read_bits(lvalue, ty, e.span, true);
            }
        }
        self.input(ty, Some(e.ty), e.span)
    }

    /// Any value from hardware.
    pub fn input(&mut self, ty: Scalar, c_type: Option<TypeId>, span: Span) -> ExprId {
        let name = self.snippet(span);
        let dst = self.register(ty, &name, span);
        match c_type {
            Some(c_type) if ty == Scalar::Ptr => self.external_pointer(dst, &name, c_type, span),
            _ => self.havoc(dst, c_type, HavocSource::Environment, span),
        }
        self.var(dst)
    }

    /// A copy of a record that holds anything.
    pub fn record_input(&mut self, size: u64, align: u32, span: Span) -> ExprId {
        let copy = self.temp_memory(size, align, "input", span);
        let addr = self.addr_of(copy);
        if size > 0 {
            self.emit(Op::MemHavoc { dst: addr, len: Reach::Bytes(size), source: HavocSource::Environment }, span);
        }
        addr
    }

    /// Whether an access is one to registers of hardware; `None` if it never is.
    pub fn on_hardware(&mut self, addr: ExprId, len: u64) -> Option<ExprId> {
        if self.environment.hardware.is_empty() || len == 0 || self.is_in_variable(addr) {
            return None;
        }
        let address = self.cast(addr, self.usize_ty());
        let mut inside = self.zero(Scalar::Bool);
        for range in self.environment.hardware.clone() {
            let Some(last) = (range.end() - range.start()).checked_sub(len - 1) else { continue };
            let offset = self.with_constant(BinOp::Sub, address, i128::from(*range.start()));
            let is_there = self.with_constant(BinOp::Le, offset, i128::from(last));
            inside = self.binary(BinOp::Or, inside, is_there);
        }
        (self.as_int(inside) != Some(0)).then_some(inside)
    }

    /// Whether a range of a length that is computed lies in registers of hardware.
    pub fn range_on_hardware(&mut self, addr: ExprId, len: ExprId) -> Option<ExprId> {
        let begins_inside = self.on_hardware(addr, 1)?;
        let address = self.cast(addr, self.usize_ty());
        let mut inside = self.zero(Scalar::Bool);
        for range in self.environment.hardware.clone() {
            let offset = self.with_constant(BinOp::Sub, address, i128::from(*range.start()));
            let (last, all) = (range.end() - range.start(), self.size_constant(range.end() - range.start() + 1));
            let is_there = self.with_constant(BinOp::Le, offset, i128::from(last));
            let room = self.binary(BinOp::Sub, all, offset);
            let fits = self.binary(BinOp::Le, len, room);
            let is_there = self.binary(BinOp::And, is_there, fits);
            inside = self.binary(BinOp::Or, inside, is_there);
        }
        Some(self.binary(BinOp::And, begins_inside, inside))
    }

    /// Value of a read that may be one of hardware.
    pub fn load_or_input(&mut self, addr: ExprId, ty: Scalar, span: Span) -> ExprId {
        let bytes = u64::from(ty.access_bytes(self.pointer_bits));
        let Some(on_hardware) = self.on_hardware(addr, bytes) else { return self.load(addr, ty) };
        if self.as_int(on_hardware).is_some() {
            return self.input(ty, None, span);
        }
        let value = self.register(ty, "read", span);
        let (there, here, end) = (self.node(), self.node(), self.node());
        self.branch_on(on_hardware, there, here, span);
        self.enter(there);
        let any = self.input(ty, None, span);
        self.assign(value, any, span);
        self.goto(end, span);
        self.enter(here);
        let loaded = self.load(addr, ty);
        self.assign(value, loaded, span);
        self.goto(end, span);
        self.enter(end);
        self.var(value)
    }

    /// Copies bytes, maybe from registers of hardware or to them.
    pub fn copy_part(&mut self, dst: ExprId, src: ExprId, len: u64, span: Span) {
        self.unless_hardware(dst, len, span, |this| match this.on_hardware(src, len) {
            None => this.emit(Op::MemCopy { dst, src, len }, span),
            Some(from_hardware) => {
                let (there, here, end) = (this.node(), this.node(), this.node());
                this.branch_on(from_hardware, there, here, span);
                this.enter(there);
                this.emit(Op::MemHavoc { dst, len: Reach::Bytes(len), source: HavocSource::Environment }, span);
                this.goto(end, span);
                this.enter(here);
                this.emit(Op::MemCopy { dst, src, len }, span);
                this.goto(end, span);
                this.enter(end);
            }
        });
    }

    /// Does what writes to memory, unless it would write to hardware.
    pub fn unless_hardware(&mut self, addr: ExprId, len: u64, span: Span, write: impl FnOnce(&mut Self)) {
        match self.on_hardware(addr, len) {
            None => write(self),
            Some(on_hardware) => {
                let elsewhere = self.not(on_hardware);
                self.when(elsewhere, span, write);
            }
        }
    }
}

//! Assignments of all kinds.

use crate::cond::bin_op;
use crate::context::Lowerer;
use crate::conversion_checks::Conversion;
use crate::expr::Use;
use crate::layout::Class;
use crate::lvalue::LValue;
use base::Span;
use cfa::{BinOp, Check, ExprId, Scalar};
use cfront::typed::{BinaryOp, Expr, ExprKind};
use cfront::types::TypeId;

impl<'u> Lowerer<'u> {
    /// `lhs = rhs`.
    pub fn assignment(&mut self, lhs: &'u Expr, rhs: &'u Expr, used: Use, span: Span) -> ExprId {
        let Some(ty) = self.scalar(lhs.ty) else {
            return match self.class(lhs.ty) {
                Class::Record { .. } => self.record_assignment(lhs, rhs, span),
                _ => self.unsupported_value("type", lhs),
            };
        };
        self.note_written(lhs);
        let target = self.lvalue(lhs);
        self.keep_out(lhs, target, span);
        if self.is_shared(lhs) {
            let target = self.stable_lvalue(target, span);
            let value = self.rvalue(rhs);
            let value = self.convert(value, ty);
            self.check_width(value, target, lhs.ty, span);
            return self.write_shared(target, value, ty, used, span);
        }
        if let LValue::Register(var) = target
            && !self.p.vars[var].is_read_only()
        {
            self.rvalue_into(rhs, var, span);
            return self.var(var);
        }
        let target = if self.has_effects(rhs) { self.stable_lvalue(target, span) } else { target };
        let value = self.rvalue(rhs);
        let value = self.convert(value, ty);
        self.check_width(value, target, lhs.ty, span);
        self.write_used(target, value, ty, used, span)
    }

    /// Writes what interrupt handlers may access: they may run before and behind.
    fn write_shared(&mut self, target: LValue, value: ExprId, ty: Scalar, used: Use, span: Span) -> ExprId {
        let value = self.before_shared(value, span);
        let value = self.write_used(target, value, ty, used, span);
        let value = if used == Use::Value { self.stable(value, span) } else { value };
        self.interrupt_point(span);
        value
    }

    /// The value of an lvalue that is about to be changed.
    fn read_old(&mut self, lhs: &'u Expr, target: LValue, ty: Scalar, e: &Expr) -> ExprId {
        if self.is_shared(lhs) {
            self.interrupt_point(e.span);
        }
        if self.is_input(lhs) { self.read_input(target, ty, lhs) } else { self.read(target, ty, e.span) }
    }

    /// Writes, and gives the value after the write.
    fn write_used(&mut self, target: LValue, value: ExprId, ty: Scalar, used: Use, span: Span) -> ExprId {
        let memory = !matches!(target, LValue::Register(_));
        let value = if used == Use::Value && memory && self.reads(value) & crate::fold::READS_MEMORY != 0 {
            self.stable(value, span)
        } else {
            value
        };
        self.write(target, value, ty, span);
        if used == Use::Value { self.value_after_write(target, value, ty) } else { value }
    }

    /// `lhs = rhs` for records; address of `lhs`.
    pub fn record_assignment(&mut self, lhs: &'u Expr, rhs: &'u Expr, span: Span) -> ExprId {
        let Class::Record { size, .. } = self.class(lhs.ty) else { return self.unsupported_value("type", lhs) };
        let dst = self.address(lhs);
        let dst = if self.has_effects(rhs) { self.stable(dst, span) } else { dst };
        if matches!(rhs.kind, ExprKind::Call { .. }) {
            let result = self.call_record(rhs, Some(dst));
            self.copy(dst, result, size, span);
        } else {
            let src = self.record(rhs);
            self.copy(dst, src, size, span);
        }
        dst
    }

    /// `lhs op= rhs`.
    pub fn compound_assignment(&mut self, e: &'u Expr, used: Use) -> ExprId {
        let ExprKind::CompoundAssign { op, lhs, rhs, compute, elem_size } = &e.kind else {
            return self.zero(self.int_ty());
        };
        let Some(ty) = self.scalar(lhs.ty) else { return self.unsupported_value("type", e) };
        let mut target = self.lvalue(lhs);
        let effects = self.has_effects(rhs);
        let is_shared = self.is_shared(lhs);
        if effects || is_shared {
            target = self.stable_lvalue(target, e.span);
        }
        let mut old = self.read_old(lhs, target, ty, e);
        if effects || is_shared {
            old = self.stable(old, e.span);
        }
        let rhs = self.rvalue(rhs);
        let new = match (elem_size, bin_op(*op)) {
            (Some(size), _) => self.pointer_sum(old, rhs, size, *op == BinaryOp::Sub, e.span),
            (None, Some(op)) => {
                let Some(compute) = self.scalar(*compute) else { return self.unsupported_value("type", e) };
                self.arithmetic(op, old, rhs, compute, e.span)
            }
            (None, None) => old,
        };
        self.check_conversion(new, ty, Conversion::Implicit, e.span);
        let new = self.converted_to(new, lhs.ty, ty);
        self.check_width(new, target, lhs.ty, e.span);
        if is_shared {
            return self.write_shared(target, new, ty, used, e.span);
        }
        self.write_used(target, new, ty, used, e.span)
    }

    /// Conversion to a C type: `_Bool` holds truth values.
    pub fn converted_to(&mut self, value: ExprId, c_type: TypeId, ty: Scalar) -> ExprId {
        if self.is_bool(c_type) {
            let truth = self.truth(value);
            return self.cast(truth, ty);
        }
        self.convert(value, ty)
    }

    /// `++` and `--`.
    pub fn inc_dec(&mut self, e: &'u Expr, used: Use) -> ExprId {
        let ExprKind::IncDec { lhs, decrement, postfix, elem_size } = &e.kind else {
            return self.zero(self.int_ty());
        };
        let Some(ty) = self.scalar(lhs.ty) else { return self.unsupported_value("type", e) };
        let mut target = self.lvalue(lhs);
        let is_unsteady = self.is_shared(lhs) || self.is_input(lhs);
        if is_unsteady {
            target = self.stable_lvalue(target, e.span);
        }
        let mut old = self.read_old(lhs, target, ty, e);
        if is_unsteady || *postfix && used == Use::Value {
            old = self.stable(old, e.span);
        }
        let op = if *decrement { BinOp::Sub } else { BinOp::Add };
        // `x = x + 1` says more than `x = tmp + 1`.
        let result = old;
        let old = if !is_unsteady && let LValue::Register(_) = target { self.read(target, ty, e.span) } else { old };
        let new = match elem_size {
            Some(size) => {
                let one = self.constant(1, self.isize_ty());
                self.pointer_sum(old, one, size, *decrement, e.span)
            }
            None if self.is_bool(lhs.ty) => {
                let wide = self.cast(old, self.int_ty());
                self.with_constant(op, wide, 1)
            }
            None => {
                let one = self.constant(1, self.int_ty());
                let one = self.cast(one, ty);
                // Narrower types are computed in `int`.
                if ty.bits(self.pointer_bits) >= self.machine.int_bits() {
                    self.check_overflow(op, (old, one), ty, e.span);
                } else if self.checks(Check::Conversion) {
                    let wide = self.cast(old, self.int_ty());
                    let wide = self.with_constant(op, wide, 1);
                    self.check_conversion(wide, ty, Conversion::Implicit, e.span);
                }
                self.binary(op, old, one)
            }
        };
        let new = self.converted_to(new, lhs.ty, ty);
        self.check_width(new, target, lhs.ty, e.span);
        if is_unsteady {
            let value = self.write_shared(target, new, ty, used, e.span);
            return if *postfix { result } else { value };
        }
        if *postfix {
            self.write(target, new, ty, e.span);
            return result;
        }
        self.write_used(target, new, ty, used, e.span)
    }
}

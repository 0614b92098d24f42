//! Rvalues. Side effects become edges from left to right; what is returned is free of them and holds at the current
//! location.

use crate::cond::bin_op;
use crate::context::Lowerer;
use crate::conversion_checks::Conversion;
use crate::layout::Class;
use base::Span;
use cfa::{BinOp, Check, ExprId, Op, Scalar, UnOp, Undefined, Value, VarId};
use cfront::typed::{BinaryOp, Expr, ExprKind, Size, UnaryOp};
use cfront::types::TypeId;

/// Whether the value of an assignment is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Value,
    Nothing,
}

impl<'u> Lowerer<'u> {
    /// Value of a scalar expression; for `void` a dummy.
    pub fn rvalue(&mut self, e: &'u Expr) -> ExprId {
        match &e.kind {
            ExprKind::Int(value) => {
                let ty = self.scalar_or_int(e.ty);
                self.constant(*value, ty)
            }
            ExprKind::Float(text) => self.float_constant(text, e),
            ExprKind::Function(f) => self.function_address(*f, e.span),
            ExprKind::Decay(lvalue) => self.address(lvalue),
            ExprKind::AddrOf(lvalue) => self.address_of(lvalue),
            ExprKind::Load(lvalue) => self.read_lvalue(lvalue, e),
            ExprKind::Var(_)
            | ExprKind::String(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral { .. } => self.read_lvalue(e, e),
            ExprKind::Cast(inner) => self.conversion(e, inner),
            ExprKind::Wrap(inner, width) => self.wrapped(inner, *width),
            ExprKind::Unary(UnaryOp::Not, _) => self.truth_as_int(e),
            ExprKind::Unary(op, a) => self.unary_arithmetic(*op, a, e),
            ExprKind::Binary(op, a, b) => match bin_op(*op) {
                Some(cfa_op) if !cfa_op.is_comparison() => {
                    if self.class(e.ty) == Class::Other {
                        return self.unsupported_value("type", e);
                    }
                    let ty = self.scalar_or_int(e.ty);
                    let (a, b) = self.operands(a, b, e.span);
                    self.arithmetic(cfa_op, a, b, ty, e.span)
                }
                _ => self.truth_as_int(e),
            },
            ExprKind::PtrAdd { ptr, index, elem_size, negative } => {
                let (ptr, index) = self.operands(ptr, index, e.span);
                self.pointer_sum(ptr, index, elem_size, *negative, e.span)
            }
            ExprKind::PtrDiff { lhs, rhs, elem_size } => self.pointer_difference(lhs, rhs, elem_size, e),
            ExprKind::Conditional { .. } => self.conditional(e, None),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.rvalue(b)
            }
            ExprKind::Assign(lhs, rhs) => self.assignment(lhs, rhs, Use::Value, e.span),
            ExprKind::CompoundAssign { .. } => self.compound_assignment(e, Use::Value),
            ExprKind::IncDec { .. } => self.inc_dec(e, Use::Value),
            ExprKind::Call { .. } => self.call_value(e),
            ExprKind::StmtExpr { stmts, value } => {
                let scope = self.open_scope();
                self.stmts(stmts);
                let result = match value {
                    Some(value) => {
                        let result = self.rvalue(value);
                        self.outliving(result, value.span)
                    }
                    None => self.zero(self.int_ty()),
                };
                self.close_scope(scope, e.span);
                result
            }
            ExprKind::Quantified(_) => {
                let temp = self.temp(self.int_ty(), e.span);
                self.truth_into(e, temp);
                self.var(temp)
            }
            ExprKind::VaArg(list) => self.va_arg(list, e),
            ExprKind::LabelAddr(label) => {
                let address = self.label_address(*label);
                self.constant(address, Scalar::Ptr)
            }
            ExprKind::VlaSize(size) => self.rvalue(size),
            ExprKind::Unsupported(construct, detail) => {
                self.unsupported(construct, detail.clone(), e.span);
                self.zero(self.scalar_or_int(e.ty))
            }
        }
    }

    /// `-a` or `~a`.
    fn unary_arithmetic(&mut self, op: UnaryOp, a: &'u Expr, e: &Expr) -> ExprId {
        let value = self.rvalue(a);
        let ty = self.scalar_or_int(e.ty);
        let value = self.cast(value, ty);
        match op {
            UnaryOp::Neg => {
                self.check_negation(value, e.span);
                self.unary(UnOp::Neg, value)
            }
            _ if ty.is_float() => value,
            _ => self.unary(UnOp::BitNot, value),
        }
    }

    /// Evaluates for side effects only.
    pub fn effect(&mut self, e: &'u Expr) {
        if !self.is_reachable() {
            return;
        }
        match &e.kind {
            ExprKind::Cast(inner) if !self.may_not_fit(e, inner) => self.effect(inner),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.effect(b);
            }
            ExprKind::Assign(lhs, rhs) => {
                self.assignment(lhs, rhs, Use::Nothing, e.span);
            }
            ExprKind::CompoundAssign { .. } => {
                self.compound_assignment(e, Use::Nothing);
            }
            ExprKind::IncDec { .. } => {
                self.inc_dec(e, Use::Nothing);
            }
            ExprKind::Call { .. } => self.call_effect(e),
            ExprKind::StmtExpr { stmts, value } => {
                let scope = self.open_scope();
                self.stmts(stmts);
                if let Some(value) = value {
                    self.effect(value);
                }
                self.close_scope(scope, e.span);
            }
            ExprKind::Conditional { cond, then: Some(then), otherwise }
                if self.has_effects(then) || self.has_effects(otherwise) =>
            {
                let (yes, no, end) = (self.node(), self.node(), self.node());
                self.branch(cond, yes, no);
                for (node, branch) in [(yes, then), (no, otherwise)] {
                    self.enter(node);
                    self.effect(branch);
                    self.goto(end, e.span);
                }
                self.enter(end);
            }
            ExprKind::Binary(op @ (BinaryOp::LogAnd | BinaryOp::LogOr), a, b) => {
                let (next, end) = (self.node(), self.node());
                if *op == BinaryOp::LogAnd {
                    self.branch(a, next, end);
                } else {
                    self.branch(a, end, next);
                }
                self.enter(next);
                self.effect(b);
                self.goto(end, e.span);
                self.enter(end);
            }
            // A lone lvalue or dereference has no effect worth an edge.
            ExprKind::Load(a) if !self.has_effects(a) && !self.checks(Check::Memory) => {}
            ExprKind::Function(_) | ExprKind::Var(_) | ExprKind::Int(_) | ExprKind::String(_) => {}
            _ => match self.class(e.ty) {
                Class::Record { .. } => {
                    self.record(e);
                }
                _ => {
                    self.rvalue(e);
                }
            },
        }
    }

    /// Register := value of the expression; calls and branches assign it directly.
    pub fn rvalue_into(&mut self, e: &'u Expr, dst: VarId, span: Span) {
        if !self.is_reachable() {
            return;
        }
        match &e.kind {
            ExprKind::Call { .. } => self.call_into(e, dst, span),
            ExprKind::Conditional { .. } => {
                self.conditional(e, Some(dst));
            }
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.rvalue_into(b, dst, span);
            }
            ExprKind::Binary(BinaryOp::LogAnd | BinaryOp::LogOr, _, b) if !self.is_simple(b) => self.truth_into(e, dst),
            // `long l = int_call()`: the call keeps a temporary of its own type.
            _ => {
                let value = self.rvalue(e);
                self.assign(dst, value, span);
            }
        }
    }

    /// Address of a record rvalue; the object keeps its content at least until the next side effect.
    pub fn record(&mut self, e: &'u Expr) -> ExprId {
        match &e.kind {
            ExprKind::Load(lvalue) => self.record_at(lvalue),
            ExprKind::Member { .. } | ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::CompoundLiteral { .. } => {
                self.address(e)
            }
            ExprKind::Cast(inner) => self.record(inner),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.record(b)
            }
            ExprKind::Assign(lhs, rhs) => self.record_assignment(lhs, rhs, e.span),
            ExprKind::Conditional { cond, then: Some(then), otherwise } => {
                let temp = self.temp(Scalar::Ptr, e.span);
                let (yes, no, end) = (self.node(), self.node(), self.node());
                self.branch(cond, yes, no);
                for (node, branch) in [(yes, then), (no, otherwise)] {
                    self.enter(node);
                    let addr = self.record(branch);
                    self.assign(temp, addr, e.span);
                    self.goto(end, e.span);
                }
                self.enter(end);
                self.var(temp)
            }
            ExprKind::Call { .. } => self.call_record(e, None),
            ExprKind::StmtExpr { stmts, value } => {
                let (size, align) = match self.class(e.ty) {
                    Class::Record { size, align } => (size, align),
                    _ => (0, 1),
                };
                // The copy outlives the objects of the scope.
                let copy = self.temp_memory(size, align, "tmp", e.span);
                let copy = self.addr_of(copy);
                let scope = self.open_scope();
                self.stmts(stmts);
                if let Some(value) = value {
                    let addr = self.record(value);
                    self.copy(copy, addr, size, e.span);
                }
                self.close_scope(scope, e.span);
                copy
            }
            ExprKind::VaArg(list) => self.va_arg(list, e),
            _ => self.unsupported_value("record expression", e),
        }
    }

    /// Ends the path; the value is never used.
    pub fn unsupported_value(&mut self, construct: &str, e: &Expr) -> ExprId {
        self.unsupported(construct, self.snippet(e.span), e.span);
        let ty = self.scalar(e.ty).unwrap_or(Scalar::Ptr);
        self.zero(ty)
    }

    /// The scalar of a type; `int` stands in for what has no value.
    pub fn scalar_or_int(&self, ty: TypeId) -> Scalar {
        self.scalar(ty).unwrap_or(self.int_ty())
    }

    fn float_constant(&mut self, text: &str, e: &Expr) -> ExprId {
        let ty = self.scalar_or_int(e.ty);
        let value = match ty {
            Scalar::Float(format) => cfa::eval::parse_float(text, format),
            _ => None,
        };
        match value {
            Some(value) => self.value(value, ty),
            None => self.unsupported_value("constant", e),
        }
    }

    fn read_lvalue(&mut self, lvalue: &'u Expr, e: &'u Expr) -> ExprId {
        match self.scalar(e.ty) {
            Some(ty) => self.read_scalar(lvalue, ty, e),
            None => match self.class(e.ty) {
                Class::Record { .. } => self.record_at(lvalue),
                Class::Void => {
                    if self.has_effects(lvalue) {
                        self.lvalue(lvalue);
                    }
                    self.zero(self.int_ty())
                }
                _ => self.unsupported_value("type", e),
            },
        }
    }

    fn conversion(&mut self, e: &'u Expr, inner: &'u Expr) -> ExprId {
        let Some(to) = self.scalar(e.ty) else {
            if self.class(e.ty) == Class::Void {
                self.effect(inner);
                return self.zero(self.int_ty());
            }
            return self.unsupported_value("type", e);
        };
        if self.class(inner.ty) == Class::Other {
            return self.unsupported_value("type", e);
        }
        if self.is_bool(e.ty) {
            let truth = self.truth_value(inner);
            return self.cast(truth, to);
        }
        self.note_converted(inner.ty, e.ty);
        let value = self.rvalue(inner);
        // A cast of the text has an operand inside of it.
        let by = if e.span == inner.span { Conversion::Implicit } else { Conversion::Explicit };
        self.check_conversion(value, to, by, e.span);
        self.convert(value, to)
    }

    /// Conversion between any two scalars; between floats and pointers, which C doesn't have, over integers.
    pub fn convert(&mut self, value: ExprId, to: Scalar) -> ExprId {
        let from = self.ty(value);
        if from.is_float() && to == Scalar::Ptr || from == Scalar::Ptr && to.is_float() {
            let bits = self.cast(value, self.usize_ty());
            return self.cast(bits, to);
        }
        self.cast(value, to)
    }

    fn truth_as_int(&mut self, e: &'u Expr) -> ExprId {
        let truth = self.truth_value(e);
        let ty = self.scalar_or_int(e.ty);
        self.cast(truth, ty)
    }

    /// `a op b` in type `ty`, with guards against undefined behaviour.
    pub fn arithmetic(&mut self, op: BinOp, a: ExprId, b: ExprId, ty: Scalar, span: Span) -> ExprId {
        let a = self.convert(a, ty);
        if matches!(op, BinOp::Shl | BinOp::Shr) {
            let bits = ty.bits(self.pointer_bits);
            let amount_ty = self.ty(b);
            let unsigned = Scalar::Int { bits: amount_ty.bits(self.pointer_bits) as u16, signed: false };
            let amount = self.cast(b, unsigned);
            let bad = self.with_constant(BinOp::Ge, amount, i128::from(bits));
            self.check_distance(op, bad, ty, span);
            if op == BinOp::Shl {
                self.check_negative_shift(a, span);
                self.check_overflow(op, (a, b), ty, span);
            }
            return if self.is_reachable() { self.binary(op, a, b) } else { self.zero(ty) };
        }
        let b = self.convert(b, ty);
        if matches!(op, BinOp::Div | BinOp::Rem) && ty.is_int() {
            let bad = self.with_constant(BinOp::Eq, b, 0);
            self.guard(bad, Undefined::DivisionByZero, span);
            if !self.is_reachable() {
                return self.zero(ty);
            }
        }
        self.check_overflow(op, (a, b), ty, span);
        if !self.is_reachable() {
            return self.zero(ty);
        }
        if ty.is_float() && matches!(op, BinOp::Rem | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor) {
            return a;
        }
        self.binary(op, a, b)
    }

    /// The path ends as undefined if `bad` holds, or breaks the property if it speaks of that.
    pub fn guard(&mut self, bad: ExprId, undefined: Undefined, span: Span) {
        match undefined.check().filter(|check| self.checks(*check)) {
            Some(check) => self.check(bad, check, span),
            None => self.fault_if(bad, span, |this| this.emit(Op::Undefined(undefined), span)),
        }
    }

    /// The path ends with `fault` if `bad` holds.
    pub fn fault_if(&mut self, bad: ExprId, span: Span, fault: impl FnOnce(&mut Self)) {
        if !self.is_reachable() || self.p.exprs.as_const(bad) == Some(Value(0)) {
            return;
        }
        let (end, go_on) = (self.node(), self.node());
        self.branch_on(bad, end, go_on, span);
        self.enter(end);
        fault(self);
        self.enter(go_on);
    }

    /// Element size as an expression of type `size_t`.
    fn elem_size(&mut self, size: &'u Size) -> ExprId {
        match size {
            Size::Const(size) => self.size_constant(*size),
            Size::Expr(e) => {
                let size = self.rvalue(e);
                self.cast(size, self.usize_ty())
            }
        }
    }

    /// Pointer plus or minus an index.
    pub fn pointer_sum(&mut self, ptr: ExprId, index: ExprId, size: &'u Size, negative: bool, span: Span) -> ExprId {
        let index = self.cast(index, if self.ty(index).is_signed() { self.isize_ty() } else { self.usize_ty() });
        let (ptr, index) = match size {
            Size::Expr(e) if self.has_effects(e) => (self.stable(ptr, span), self.stable(index, span)),
            _ => (ptr, index),
        };
        let size = self.elem_size(size);
        let size = self.cast(size, self.ty(index));
        let index = if self.as_int(size) == Some(1) { self.in_bytes(index, ptr, span) } else { index };
        let offset = self.binary(BinOp::Mul, index, size);
        let offset = if negative { self.unary(UnOp::Neg, offset) } else { offset };
        self.check_pointer_sum(ptr, offset, span);
        self.ptr_add(ptr, offset)
    }

    fn pointer_difference(&mut self, lhs: &'u Expr, rhs: &'u Expr, size: &'u Size, e: &'u Expr) -> ExprId {
        let ty = self.isize_ty();
        let (a, b) = self.operands(lhs, rhs, e.span);
        let (a, b) = (self.cast(a, ty), self.cast(b, ty));
        let bytes = self.binary(BinOp::Sub, a, b);
        let size = self.elem_size(size);
        if self.as_int(size) == Some(0) {
            return self.zero(ty);
        }
        let difference = self.arithmetic(BinOp::Div, bytes, size, ty, e.span);
        let ty = self.scalar_or_int(e.ty);
        self.cast(difference, ty)
    }

    /// `c ? a : b`; by branches into `dst` or a temporary unless both operands may be evaluated anyway.
    fn conditional(&mut self, e: &'u Expr, dst: Option<VarId>) -> ExprId {
        let ExprKind::Conditional { cond, then, otherwise } = &e.kind else { return self.zero(self.int_ty()) };
        let ty = self.scalar_or_int(e.ty);
        if self.class(e.ty) == Class::Void {
            self.effect_of_conditional(cond, then.as_deref(), otherwise, e.span);
            return self.zero(ty);
        }
        let is_bool = self.is_bool(e.ty);
        if self.is_simple(otherwise) && then.as_ref().is_none_or(|t| self.is_simple(t)) {
            let (c, a) = match then {
                Some(then) => {
                    let c = self.truth_value(cond);
                    (c, self.rvalue(then))
                }
                None => {
                    let value = self.rvalue(cond);
                    let value = self.stable_memory(value, cond.span);
                    let c = self.truth(value);
                    (c, if is_bool { c } else { value })
                }
            };
            let b = self.rvalue(otherwise);
            let (a, b) = (self.convert(a, ty), self.convert(b, ty));
            let value = self.ite(c, a, b);
            if let Some(dst) = dst {
                self.assign(dst, value, e.span);
            }
            return value;
        }
        let target = dst.unwrap_or_else(|| self.temp(ty, e.span));
        let (yes, no, end) = (self.node(), self.node(), self.node());
        match then {
            Some(then) => {
                self.branch(cond, yes, no);
                self.enter(yes);
                self.rvalue_into(then, target, then.span);
            }
            None => {
                let value = self.rvalue(cond);
                let value = self.stable(value, cond.span);
                let truth = self.truth(value);
                self.branch_on(truth, yes, no, cond.span);
                self.enter(yes);
                let value = if is_bool { truth } else { value };
                let value = self.convert(value, ty);
                self.assign(target, value, cond.span);
            }
        }
        self.goto(end, e.span);
        self.enter(no);
        self.rvalue_into(otherwise, target, otherwise.span);
        self.goto(end, e.span);
        self.enter(end);
        let value = self.var(target);
        self.convert(value, ty)
    }

    fn effect_of_conditional(&mut self, cond: &'u Expr, then: Option<&'u Expr>, otherwise: &'u Expr, span: Span) {
        let (yes, no, end) = (self.node(), self.node(), self.node());
        self.branch(cond, yes, no);
        self.enter(yes);
        if let Some(then) = then {
            self.effect(then);
        }
        self.goto(end, span);
        self.enter(no);
        self.effect(otherwise);
        self.goto(end, span);
        self.enter(end);
    }
}

//! Arithmetic, comparisons, assignments and the conditional operator.

use super::Sema;
use super::convert::{Target, is_lvalue};
use super::pointer::Direction;
use crate::typed::{Expr, ExprKind, UnaryOp, VarId};
use crate::types::{Type, TypeId};
use base::{Diagnostic, Span};
use syntax::ast::{self, BinaryOp, UnaryOp as AstUnary};

impl<'a> Sema<'a> {
    pub(super) fn arithmetic_unary(&mut self, op: AstUnary, operand: &'a ast::Expr, span: Span) -> Expr {
        let e = self.rvalue_expr(operand);
        let int = self.common.int;
        if self.types.is_unsupported(e.ty) {
            let ty = if op == AstUnary::Not { int } else { e.ty };
            return self.unsupported_operand(&e, ty, span);
        }
        let fits = match op {
            AstUnary::Not => self.types.is_scalar(e.ty),
            AstUnary::BitNot => self.types.is_integer(e.ty),
            _ => self.types.is_arithmetic(e.ty),
        };
        if !fits {
            let text = format!("wrong type `{}` of the operand of `{}`", self.types.display(e.ty), unary_name(op));
            return self.error_expr(Diagnostic::error("E0326", span, text));
        }
        if self.clause.is_exact && self.types.is_integer(e.ty) {
            match op {
                AstUnary::BitNot => return self.exact_unary(UnaryOp::BitNot, e, span),
                AstUnary::Minus => return self.exact_unary(UnaryOp::Neg, e, span),
                AstUnary::Not => {}
                _ => return Expr { span, ..e },
            }
        }
        let e = if op == AstUnary::Not { e } else { self.promote(e) };
        let (op, ty) = match op {
            AstUnary::Not => (UnaryOp::Not, int),
            AstUnary::BitNot => (UnaryOp::BitNot, e.ty),
            AstUnary::Minus => (UnaryOp::Neg, e.ty),
            _ => return Expr { span, ..e },
        };
        if let ExprKind::Int(value) = e.kind {
            let value = match op {
                UnaryOp::Not => i128::from(value == 0),
                UnaryOp::BitNot => !value,
                UnaryOp::Neg => value.wrapping_neg(),
            };
            if let Some(value) = self.wrap_to(value, ty) {
                return self.int_expr(value, ty, span);
            }
        }
        let width = if op == UnaryOp::Not { None } else { self.wide_bit_field(&e) };
        self.in_width(width, Expr { kind: ExprKind::Unary(op, Box::new(e)), ty, span })
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: &'a ast::Expr, b: &'a ast::Expr, span: Span) -> Expr {
        let (a, b) = (self.rvalue_expr(a), self.rvalue_expr(b));
        self.binary_values(op, a, b, span)
    }

    pub(super) fn binary_values(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        for e in [&a, &b] {
            if self.types.is_unsupported(e.ty) {
                // Vectors are compared element by element.
                let is_vector = matches!(self.types.get(e.ty), Type::Unsupported(name) if name.starts_with("vector "));
                let is_truth = is_logical(op) || is_comparison(op) && !is_vector;
                let ty = if is_truth { self.common.int } else { e.ty };
                return self.unsupported_operand(e, ty, span);
            }
        }
        if self.clause.is_exact && !is_logical(op) {
            if self.types.is_integer(a.ty) && self.types.is_integer(b.ty) {
                return self.exact_binary(op, a, b, span);
            }
            if self.types.is_arithmetic(a.ty)
                && self.types.is_arithmetic(b.ty)
                && let Some(error) = self.exact_float(op, &a, &b, span)
            {
                return error;
            }
        }
        match op {
            BinaryOp::LogAnd | BinaryOp::LogOr => {
                let (a, b) = (self.scalar(a), self.scalar(b));
                self.binary_node(op, a, b, self.common.int, span)
            }
            BinaryOp::Add | BinaryOp::Sub if self.has_pointer(&a, &b) => self.pointer_sum(op, a, b, span),
            BinaryOp::Shl | BinaryOp::Shr => {
                if !self.types.is_integer(a.ty) || !self.types.is_integer(b.ty) {
                    return self.wrong_operands(op, &a, &b, span);
                }
                let (a, b) = (self.promote(a), self.promote(b));
                let (ty, width) = (a.ty, self.wide_bit_field(&a));
                self.in_width(width, self.binary_node(op, a, b, ty, span))
            }
            _ if is_comparison(op) => self.comparison(op, a, b, span),
            _ => {
                let fits = |s: &Self, e: &Expr| match op {
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => s.types.is_arithmetic(e.ty),
                    _ => s.types.is_integer(e.ty),
                };
                if !fits(self, &a) || !fits(self, &b) {
                    return self.wrong_operands(op, &a, &b, span);
                }
                let (a, b, ty) = self.usual_conversions(a, b);
                let width = self.wide_bit_field(&a).or_else(|| self.wide_bit_field(&b));
                self.in_width(width, self.binary_node(op, a, b, ty, span))
            }
        }
    }

    fn binary_node(&self, op: BinaryOp, a: Expr, b: Expr, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span }
    }

    fn has_pointer(&self, a: &Expr, b: &Expr) -> bool {
        self.types.pointee(a.ty).is_some() || self.types.pointee(b.ty).is_some()
    }

    fn wrong_operands(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Expr {
        let text = format!("wrong types of the operands of `{}`", op_name(op));
        let label = format!("`{}` and `{}`", self.types.display(a.ty), self.types.display(b.ty));
        self.error_expr(Diagnostic::error("E0326", span, text).label(label))
    }

    fn pointer_sum(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let direction = if op == BinaryOp::Sub { Direction::Backward } else { Direction::Forward };
        let is_pointer = |e: &Expr| self.types.pointee(e.ty).is_some();
        match (is_pointer(&a), is_pointer(&b)) {
            (true, true) if op == BinaryOp::Sub => self.pointer_difference(a, b, span),
            (true, false) if self.types.is_integer(b.ty) => self.offset_pointer(a, b, direction, span),
            (false, true) if op == BinaryOp::Add && self.types.is_integer(a.ty) => {
                self.offset_pointer(b, a, direction, span)
            }
            _ => self.wrong_operands(op, &a, &b, span),
        }
    }

    fn comparison(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let int = self.common.int;
        if self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty) {
            let (a, b, _) = self.usual_conversions(a, b);
            return self.binary_node(op, a, b, int, span);
        }
        if let Some(equal) = self.compared_records(op, &a, &b, span) {
            return equal;
        }
        let is_scalar = self.types.is_scalar(a.ty) && self.types.is_scalar(b.ty);
        if !is_scalar || !self.has_pointer(&a, &b) {
            return self.wrong_operands(op, &a, &b, span);
        }
        let copy = (a.ty, b.ty);
        match self.common_pointer(a, b, span) {
            Some((a, b, _)) => self.binary_node(op, a, b, int, span),
            None => {
                let text = format!("wrong types of the operands of `{}`", op_name(op));
                let label = format!("`{}` and `{}`", self.types.display(copy.0), self.types.display(copy.1));
                self.error_expr(Diagnostic::error("E0326", span, text).label(label))
            }
        }
    }

    /// An lvalue that can be assigned to, and what it is in the text.
    pub(super) fn modifiable(&mut self, text: &ast::Expr, e: Expr) -> Result<Expr, Expr> {
        if self.types.is_unsupported(e.ty) {
            return Err(self.unsupported_operand(&e, e.ty, e.span));
        }
        let is_object = !matches!(self.types.get(e.ty), Type::Array(..) | Type::Function(_) | Type::Void);
        if is_object && is_lvalue(&e) {
            return match self.constant_of(text, &e) {
                Some(var) => Err(self.constant_assigned(var, e.span)),
                None => Ok(e),
            };
        }
        let mut diagnostic = Diagnostic::error("E0327", e.span, "assignment to what is no object");
        diagnostic.label = match self.types.get(e.ty) {
            Type::Array(..) => "an array can't be assigned".into(),
            _ => "not an lvalue".into(),
        };
        if let ExprKind::Cast(_) = e.kind {
            diagnostic.help = Some("a cast is a value; cast the address and dereference it instead".into());
        }
        Err(self.error_expr(diagnostic))
    }

    /// The variable that is defined as `const` and that an lvalue is (part of), by its name: a pointer to it is another thing.
    fn constant_of(&self, text: &ast::Expr, e: &Expr) -> Option<VarId> {
        match (&text.kind, &e.kind) {
            (ast::ExprKind::Ident(_), ExprKind::Var(var)) => Some(*var).filter(|var| self.vars[*var].is_constant),
            (ast::ExprKind::Member(text, _), ExprKind::Member { base, .. }) => self.constant_of(text, base),
            _ => None,
        }
    }

    fn constant_assigned(&mut self, var: VarId, span: Span) -> Expr {
        let var = &self.vars[var];
        let text = format!("assignment to `{}`, which is constant", var.name);
        let diagnostic = Diagnostic::error("E0335", span, text).related(var.span, "defined as `const` here");
        self.error_expr(diagnostic)
    }

    pub(super) fn assign(&mut self, lhs: &'a ast::Expr, rhs: &'a ast::Expr, span: Span) -> Expr {
        let object = self.expr(lhs);
        let rhs = self.rvalue_expr(rhs);
        let lhs = match self.modifiable(lhs, object) {
            Ok(lhs) => lhs,
            Err(poison) => return poison,
        };
        let ty = lhs.ty;
        let rhs = self.assign_convert(rhs, ty, Target::Assignment);
        Expr { kind: ExprKind::Assign(Box::new(lhs), Box::new(rhs)), ty, span }
    }

    pub(super) fn compound_assign(&mut self, op: BinaryOp, lhs: &'a ast::Expr, rhs: &'a ast::Expr, span: Span) -> Expr {
        let object = self.expr(lhs);
        let rhs = self.rvalue_expr(rhs);
        let lhs = match self.modifiable(lhs, object) {
            Ok(lhs) => lhs,
            Err(poison) => return poison,
        };
        let ty = lhs.ty;
        if self.types.is_unsupported(rhs.ty) {
            return self.unsupported_operand(&rhs, ty, span);
        }
        let is_sum = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        if let (Some(target), true, true) = (self.types.pointee(ty), is_sum, self.types.is_integer(rhs.ty)) {
            let elem_size = Some(self.elem_size(target, span));
            let rhs = Box::new(self.pointer_index(rhs));
            let kind = ExprKind::CompoundAssign { op, lhs: Box::new(lhs), rhs, compute: ty, elem_size };
            return Expr { kind, ty, span };
        }
        let fits = |s: &Self, ty: TypeId| match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => s.types.is_arithmetic(ty),
            _ => s.types.is_integer(ty),
        };
        if !fits(self, ty) || !fits(self, rhs.ty) {
            return self.wrong_operands(op, &lhs, &rhs, span);
        }
        let promoted = self.promoted_type_of(&lhs);
        let rhs = self.promote(rhs);
        let own_width = self.wide_bit_field(&lhs);
        let (compute, rhs) = match op {
            BinaryOp::Shl | BinaryOp::Shr => (promoted, rhs),
            _ => match self.common_bit_field((promoted, own_width), (rhs.ty, self.wide_bit_field(&rhs))) {
                Some((compute, width)) if own_width == Some(width) || !self.is_narrow(compute, width) => {
                    (compute, self.to_bit_field(rhs, compute, width))
                }
                // Low bits of other results need no more than the low bits of the operands.
                Some((compute, width)) if matches!(op, BinaryOp::Div | BinaryOp::Rem) => {
                    let is_signed = |ty| self.types.int_kind(ty).is_some_and(|kind| kind.is_signed());
                    // A negative number gets another value there.
                    if is_signed(promoted) && !is_signed(compute) {
                        return self.spelled_out(op, lhs, rhs, span);
                    }
                    (compute, self.to_bit_field(rhs, compute, width))
                }
                _ => {
                    let compute = self.common_type(promoted, rhs.ty);
                    let rhs_span = rhs.span;
                    (compute, self.cast(rhs, compute, rhs_span))
                }
            },
        };
        let kind = ExprKind::CompoundAssign { op, lhs: Box::new(lhs), rhs: Box::new(rhs), compute, elem_size: None };
        Expr { kind, ty, span }
    }

    /// `a = a op b`, if computing `a` twice does nothing else.
    fn spelled_out(&mut self, op: BinaryOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
        let ty = lhs.ty;
        let ExprKind::Var(_) = lhs.kind else {
            return self.unsupported("quotient", "in the width of a bit-field", ty, span);
        };
        let value = self.rvalue(lhs.clone());
        let result = self.binary_values(op, value, rhs, span);
        let result = self.assign_convert(result, ty, Target::Assignment);
        Expr { kind: ExprKind::Assign(Box::new(lhs), Box::new(result)), ty, span }
    }

    pub(super) fn increment(&mut self, op: AstUnary, operand: &'a ast::Expr, span: Span) -> Expr {
        let e = self.expr(operand);
        let lhs = match self.modifiable(operand, e) {
            Ok(lhs) => lhs,
            Err(poison) => return poison,
        };
        let ty = lhs.ty;
        if !self.types.is_scalar(ty) {
            let text = format!("wrong type `{}` of the operand of `{}`", self.types.display(ty), unary_name(op));
            return self.error_expr(Diagnostic::error("E0326", span, text));
        }
        let elem_size = self.types.pointee(ty).map(|target| self.elem_size(target, span));
        let decrement = matches!(op, AstUnary::PreDec | AstUnary::PostDec);
        let postfix = matches!(op, AstUnary::PostInc | AstUnary::PostDec);
        Expr { kind: ExprKind::IncDec { lhs: Box::new(lhs), decrement, postfix, elem_size }, ty, span }
    }

    pub(super) fn conditional(&mut self, conditional: &'a ast::Conditional, span: Span) -> Expr {
        let cond = self.condition(&conditional.condition);
        let Some(then) = &conditional.then else {
            let otherwise = self.rvalue_expr(&conditional.otherwise);
            return self.elvis(cond, otherwise, span);
        };
        let (a, b) = (self.rvalue_expr(then), self.rvalue_expr(&conditional.otherwise));
        match self.unify(a, b, span) {
            Ok((a, b, ty)) => {
                let (cond, then, otherwise) = (Box::new(cond), Some(Box::new(a)), Box::new(b));
                Expr { kind: ExprKind::Conditional { cond, then, otherwise }, ty, span }
            }
            Err(poison) => poison,
        }
    }

    /// GNU's `c ?: b`.
    fn elvis(&mut self, cond: Expr, otherwise: Expr, span: Span) -> Expr {
        // Only the type of the condition takes part: an operand that stands for it is unified with `otherwise`.
        let promoted = self.promoted_type_of(&cond);
        let stand_in = match &cond.kind {
            ExprKind::Int(_) => cond.clone(),
            _ => {
                let kind = ExprKind::Unsupported("condition".into(), String::new());
                self.in_width(self.wide_bit_field(&cond), Expr { kind, ty: promoted, span: cond.span })
            }
        };
        match self.unify(stand_in, otherwise, span) {
            Ok((_, otherwise, ty)) => {
                let kind = ExprKind::Conditional { cond: Box::new(cond), then: None, otherwise: Box::new(otherwise) };
                Expr { kind, ty, span }
            }
            Err(poison) => poison,
        }
    }

    /// Converts the branches of a conditional to one type.
    fn unify(&mut self, a: Expr, b: Expr, span: Span) -> Result<(Expr, Expr, TypeId), Expr> {
        if self.clause.is_exact
            && let Some(values) = self.joint_interval(&a, &b)
        {
            return Ok(self.both_as(values, a, b));
        }
        let types = &self.types;
        let void = self.common.void;
        if types.is_arithmetic(a.ty) && types.is_arithmetic(b.ty) {
            return Ok(self.usual_conversions(a, b));
        }
        if a.ty == void || b.ty == void {
            let (a_span, b_span) = (a.span, b.span);
            return Ok((self.explicit_cast(a, void, a_span), self.explicit_cast(b, void, b_span), void));
        }
        if a.ty == b.ty {
            let ty = a.ty;
            return Ok((a, b, ty));
        }
        for e in [&a, &b] {
            if types.is_unsupported(e.ty) {
                return Err(self.unsupported_operand(e, e.ty, span));
            }
        }
        let shown = (a.ty, b.ty);
        if types.is_scalar(a.ty)
            && types.is_scalar(b.ty)
            && let Some(common) = self.common_pointer(a, b, span)
        {
            return Ok(common);
        }
        let text = "the branches of a conditional have types that can't be mixed";
        let label = format!("`{}` and `{}`", self.types.display(shown.0), self.types.display(shown.1));
        Err(self.error_expr(Diagnostic::error("E0326", span, text).label(label)))
    }
}

pub(super) fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne)
}

fn is_logical(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr)
}

fn op_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::LogAnd => "&&",
        BinaryOp::LogOr => "||",
    }
}

fn unary_name(op: AstUnary) -> &'static str {
    match op {
        AstUnary::Plus => "+",
        AstUnary::Minus => "-",
        AstUnary::BitNot => "~",
        AstUnary::Not => "!",
        AstUnary::Deref => "*",
        AstUnary::AddressOf => "&",
        AstUnary::PreInc | AstUnary::PostInc => "++",
        AstUnary::PreDec | AstUnary::PostDec => "--",
        AstUnary::Real => "__real__",
        AstUnary::Imag => "__imag__",
    }
}

//! Expressions about types: `sizeof`, `_Alignof`, `offsetof`, `_Generic` and GCC's relatives of them.

use super::bit_field::bit_field_width;
use super::convert::is_lvalue;
use super::declarator::DeclType;
use super::statement::has_effect;
use super::{Evaluation, Sema};
use crate::typed::{BinaryOp, Expr, ExprKind, Size};
use crate::types::{ArrayLen, Type, TypeId};
use base::{Diagnostic, Span};
use syntax::ast::{self, DesignatorKind, Offsetof, TypeName};

/// The type of a member whose size only a run tells (GNU).
pub(super) const VARIABLE_MEMBER: &str = "variable-length array in a record";

impl<'a> Sema<'a> {
    pub(super) fn sizeof_expr(&mut self, operand: &'a ast::Expr, span: Span) -> Expr {
        let mark = self.pending.len();
        let e = self.type_operand(operand, Self::is_vla);
        if let ExprKind::Member { bits: Some(_), .. } = e.kind {
            let text = "`sizeof` is applied to a bit-field";
            return self.error_expr(Diagnostic::error("E0323", operand.span, text));
        }
        // GCC gives what has the value of a bit-field the smallest integer that holds its width.
        if let Some(width) = bit_field_width(&e) {
            let size = u64::from(width).div_ceil(8).next_power_of_two();
            return self.int_expr(i128::from(size), self.common.size, span);
        }
        let size = self.size_as_expr(e.ty, span);
        self.after_pending(mark, size)
    }

    /// An operand of which the type is wanted. What evaluating it does is left in `pending` if it has one of those types for which C evaluates
    /// it (C11 6.5.3.4p2, C23 6.7.2.5p4).
    pub(super) fn type_operand(&mut self, operand: &'a ast::Expr, is_evaluated: fn(&Self, TypeId) -> bool) -> Expr {
        let e = self.type_only(|s| s.expr(operand));
        if self.evaluation == Evaluation::TypeOnly || !is_evaluated(self, e.ty) {
            return e;
        }
        let e = self.expr(operand);
        if has_effect(&e) {
            let effect = self.without_reading(e.clone());
            self.pending.push(effect);
        }
        e
    }

    /// An expression that evaluates `e` but does not read the object that it stands for.
    fn without_reading(&mut self, e: Expr) -> Expr {
        if !is_lvalue(&e) {
            return self.rvalue(e);
        }
        self.take_address(&e);
        let (ty, span) = (self.types.intern(Type::Pointer(e.ty)), e.span);
        Expr { kind: ExprKind::AddrOf(Box::new(e)), ty, span }
    }

    pub(super) fn sizeof_type(&mut self, name: &'a TypeName, span: Span) -> Expr {
        let mark = self.pending.len();
        let ty = self.type_name(name);
        let size = self.size_as_expr(ty, span);
        self.after_pending(mark, size)
    }

    /// Puts the assignments that a type name left in `pending` before the expression.
    pub(super) fn after_pending(&mut self, mark: usize, e: Expr) -> Expr {
        let mut result = e;
        while self.pending.len() > mark {
            if let Some(assignment) = self.pending.pop() {
                let (ty, span) = (result.ty, result.span);
                result = Expr { kind: ExprKind::Comma(Box::new(assignment), Box::new(result)), ty, span };
            }
        }
        result
    }

    /// Size in bytes of a type, of type `size_t`; reports incomplete types.
    pub(super) fn size_as_expr(&mut self, ty: TypeId, span: Span) -> Expr {
        let size_t = self.common.size;
        match self.elem_size(ty, span) {
            Size::Const(size) => self.int_expr(i128::from(size), size_t, span),
            Size::Expr(size) => *size,
        }
    }

    /// Whether a type has a member whose size only a run tells.
    fn has_variable_member(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array(elem, _) => self.has_variable_member(*elem),
            Type::Record(id) => {
                let layout = self.types.records[*id].layout.as_ref();
                layout.is_some_and(|layout| layout.fields.iter().any(|field| self.has_variable_member(field.ty)))
            }
            Type::Unsupported(name) => &**name == VARIABLE_MEMBER,
            _ => false,
        }
    }

    /// Size in bytes of a type for address arithmetic and `sizeof`: 1 for `void` and functions.
    pub(super) fn elem_size(&mut self, ty: TypeId, span: Span) -> Size {
        if self.has_variable_member(ty) {
            let (name, size_t) = (self.types.display(ty), self.common.size);
            return Size::Expr(Box::new(self.unsupported("type", name, size_t, span)));
        }
        if let Some(size) = self.types.size_of(self.machine, ty) {
            return Size::Const(size);
        }
        match self.types.get(ty) {
            Type::Function(_) => Size::Const(1),
            Type::Unsupported(_) => Size::Const(1),
            Type::Array(..) if self.is_vla(ty) => {
                let product = self.vla_product(ty, span);
                let size_t = self.common.size;
                let kind = ExprKind::VlaSize(Box::new(product));
                Size::Expr(Box::new(Expr { kind, ty: size_t, span }))
            }
            _ => {
                let text = format!("the size of the incomplete type `{}` is needed", self.types.display(ty));
                self.error(Diagnostic::error("E0304", span, text).label("incomplete type"));
                Size::Const(1)
            }
        }
    }

    fn vla_product(&mut self, ty: TypeId, span: Span) -> Expr {
        let size_t = self.common.size;
        let (elem, len) = match *self.types.get(ty) {
            Type::Array(elem, ArrayLen::Variable(var)) => {
                let var = Box::new(Expr { kind: ExprKind::Var(var), ty: size_t, span });
                (elem, Expr { kind: ExprKind::Load(var), ty: size_t, span })
            }
            Type::Array(elem, ArrayLen::Fixed(n)) if self.is_vla(elem) => {
                (elem, self.int_expr(i128::from(n), size_t, span))
            }
            _ => return self.size_as_expr(ty, span),
        };
        let size = self.vla_product(elem, span);
        Expr { kind: ExprKind::Binary(BinaryOp::Mul, Box::new(len), Box::new(size)), ty: size_t, span }
    }

    pub(super) fn alignof_expr(&mut self, operand: &'a ast::Expr, span: Span) -> Expr {
        let e = self.type_only(|s| s.expr(operand));
        let natural = self.types.align_of(self.machine, e.ty);
        let align = match &e.kind {
            ExprKind::Var(var) => self.vars[*var].align.unwrap_or(natural),
            ExprKind::Member { .. } => {
                let by_typedef = self.typedef_align(operand);
                by_typedef.unwrap_or_else(|| self.types.member_align_of(self.machine, e.ty))
            }
            _ => natural,
        };
        self.int_expr(i128::from(align), self.common.size, span)
    }

    pub(super) fn alignof_type(&mut self, name: &'a TypeName, span: Span) -> Expr {
        let mark = self.pending.len();
        let DeclType { ty, align, .. } = self.aligned_type_name(name);
        self.pending.truncate(mark);
        // The standard's operator asks for the alignment in records, GNU's for the preferred one.
        let is_standard = self.source.snippet(span).trim_start_matches(['(', ' ']).starts_with("_Alignof");
        let align = align.unwrap_or_else(|| match is_standard {
            true => self.types.member_align_of(self.machine, ty),
            false => self.types.align_of(self.machine, ty),
        });
        self.int_expr(i128::from(align), self.common.size, span)
    }

    pub(super) fn offsetof(&mut self, offsetof: &'a Offsetof, span: Span) -> Expr {
        let size_t = self.common.size;
        let mut ty = self.type_name(&offsetof.ty);
        let mut constant = 0i128;
        let mut sum: Option<Expr> = None;
        for step in &offsetof.path {
            if self.types.is_unsupported(ty) {
                return self.unsupported("offsetof", "in an unsupported type", size_t, span);
            }
            match &step.kind {
                DesignatorKind::Field(symbol) => {
                    let Type::Record(id) = *self.types.get(ty) else {
                        let text = format!("`{}` is not a struct or union", self.types.display(ty));
                        return self.error_expr(Diagnostic::error("E0324", step.span, text));
                    };
                    let Some(member) = self.find_member(id, *symbol, step.span) else { return self.poison(span) };
                    if member.bits.is_some() {
                        let text = format!("`offsetof` of the bit-field `{}`", &self.names[*symbol]);
                        return self.error_expr(Diagnostic::error("E0323", step.span, text));
                    }
                    constant += i128::from(member.offset);
                    ty = member.ty;
                }
                DesignatorKind::Index(index) | DesignatorKind::Range(index, _) => {
                    let Type::Array(elem, _) = *self.types.get(ty) else {
                        let text = format!("`{}` is not an array", self.types.display(ty));
                        return self.error_expr(Diagnostic::error("E0324", step.span, text));
                    };
                    let size = match self.elem_size(elem, step.span) {
                        Size::Const(size) => i128::from(size),
                        Size::Expr(_) => {
                            return self.unsupported("offsetof", "in a variable-length array", size_t, span);
                        }
                    };
                    let index = self.rvalue_expr(index);
                    match self.fold_int(&index) {
                        Some(i) => constant = constant.wrapping_add(i.wrapping_mul(size)),
                        None => sum = Some(self.scaled_sum(sum, index, size, span)),
                    }
                    ty = elem;
                }
            }
        }
        let constant = self.wrap_to(constant, size_t).unwrap_or(0);
        let constant = self.int_expr(constant, size_t, span);
        match sum {
            None => constant,
            Some(sum) => {
                let kind = ExprKind::Binary(BinaryOp::Add, Box::new(sum), Box::new(constant));
                Expr { kind, ty: size_t, span }
            }
        }
    }

    /// `sum + index * size` in `size_t`.
    fn scaled_sum(&mut self, sum: Option<Expr>, index: Expr, size: i128, span: Span) -> Expr {
        let ty = self.common.size;
        let index = Box::new(self.cast(index, ty, span));
        let size = Box::new(self.int_expr(size, ty, span));
        let product = Expr { kind: ExprKind::Binary(BinaryOp::Mul, index, size), ty, span };
        match sum {
            None => product,
            Some(sum) => {
                let kind = ExprKind::Binary(BinaryOp::Add, Box::new(sum), Box::new(product));
                Expr { kind, ty, span }
            }
        }
    }

    /// The type without its own qualifiers; those of an array are those of its elements.
    fn unqualified(&mut self, ty: TypeId) -> TypeId {
        match *self.types.get(ty) {
            Type::Array(elem, len) => {
                let elem = self.unqualified(elem);
                self.types.intern(Type::Array(elem, len))
            }
            _ => self.types.plain(ty),
        }
    }

    pub(super) fn types_compatible(&mut self, a: &'a TypeName, b: &'a TypeName, span: Span) -> Expr {
        let mark = self.pending.len();
        let (a, b) = (self.type_name(a), self.type_name(b));
        self.pending.truncate(mark);
        // Qualifiers of the types themselves are ignored, not those of what they point to.
        let (a, b) = (self.unqualified(a), self.unqualified(b));
        let same = self.is_same_type(a, b);
        self.int_expr(i128::from(same), self.common.int, span)
    }

    pub(super) fn choose(&mut self, choose: &'a ast::Choose) -> Expr {
        match self.integer_constant(&choose.condition, "the condition of `__builtin_choose_expr`") {
            Some(0) => self.expr(&choose.otherwise),
            Some(_) => self.expr(&choose.then),
            None => self.poison(choose.condition.span),
        }
    }

    pub(super) fn generic(&mut self, generic: &'a ast::Generic, span: Span) -> Expr {
        let control = self.type_only(|s| {
            let e = s.expr(&generic.control);
            if is_lvalue(&e) || matches!(s.types.get(e.ty), Type::Function(_)) { s.rvalue(e) } else { e }
        });
        let control_ty = self.types.plain(control.ty);
        let mut default = None;
        for (name, e) in &generic.associations {
            let Some(name) = name else {
                default = Some(e);
                continue;
            };
            let ty = self.type_name(name);
            let same_sort = self.types.is_unsupported(ty) == self.types.is_unsupported(control.ty);
            if ty == control_ty || (same_sort && self.is_same_type(ty, control_ty)) {
                return self.expr(e);
            }
        }
        match default {
            Some(e) => self.expr(e),
            None if self.types.is_unsupported(control.ty) => self.poison(span),
            None => {
                let text = format!("`_Generic` has no association for type `{}`", self.types.display(control.ty));
                self.error_expr(Diagnostic::error("E0325", generic.control.span, text))
            }
        }
    }
}

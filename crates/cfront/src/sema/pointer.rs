//! Addresses, dereferences, indices, members and pointer arithmetic.

use super::Sema;
use super::convert::is_lvalue;
use crate::typed::{Expr, ExprKind, Size};
use crate::types::{Type, TypeId};
use base::{Diagnostic, Span};
use syntax::ast::{self, Ident, Quals};

impl<'a> Sema<'a> {
    pub(super) fn dereference(&mut self, operand: &'a ast::Expr, span: Span) -> Expr {
        let e = self.expr(operand);
        // `*f` is `f`; nothing takes its address.
        if let Type::Function(_) = self.types.get(e.ty) {
            return Expr { span, ..e };
        }
        let e = self.rvalue(e);
        self.deref(e, span)
    }

    /// The object that a pointer rvalue points to.
    fn deref(&mut self, pointer: Expr, span: Span) -> Expr {
        let Some(ty) = self.types.pointee(pointer.ty) else {
            if self.types.is_unsupported(pointer.ty) {
                return self.unsupported_operand(&pointer, pointer.ty, span);
            }
            let text = format!("`*` is applied to a value of type `{}`", self.types.display(pointer.ty));
            return self.error_expr(Diagnostic::error("E0328", span, text).label("expected a pointer"));
        };
        match pointer.kind {
            ExprKind::AddrOf(inner) if inner.ty == ty => Expr { span, ..*inner },
            kind => {
                let pointer = Expr { kind, ..pointer };
                Expr { kind: ExprKind::Deref(Box::new(pointer)), ty, span }
            }
        }
    }

    pub(super) fn address_of(&mut self, operand: &'a ast::Expr, span: Span) -> Expr {
        let e = self.expr(operand);
        self.address(e, span)
    }

    pub(super) fn address(&mut self, e: Expr, span: Span) -> Expr {
        let ty = self.types.intern(Type::Pointer(e.ty));
        if let ExprKind::Unsupported(..) = e.kind {
            return self.unsupported_operand(&e, self.common.void_ptr, span);
        }
        if let ExprKind::Member { bits: Some(_), .. } = e.kind {
            return self.error_expr(Diagnostic::error("E0323", span, "the address of a bit-field is taken"));
        }
        if !is_lvalue(&e) && !matches!(e.kind, ExprKind::Function(_)) {
            let text = "the address of a value that is no object is taken";
            return self.error_expr(Diagnostic::error("E0327", e.span, text).label("not an lvalue"));
        }
        self.take_address(&e);
        match e.kind {
            ExprKind::Deref(pointer) if pointer.ty == ty => Expr { span, ..*pointer },
            kind => Expr { kind: ExprKind::AddrOf(Box::new(Expr { kind, ..e })), ty, span },
        }
    }

    pub(super) fn index(&mut self, a: &'a ast::Expr, b: &'a ast::Expr, span: Span) -> Expr {
        let (a, b) = (self.rvalue_expr(a), self.rvalue_expr(b));
        let (pointer, index) = match (self.types.pointee(a.ty), self.types.pointee(b.ty)) {
            (None, Some(_)) => (b, a),
            _ => (a, b),
        };
        for e in [&pointer, &index] {
            if self.types.is_unsupported(e.ty) {
                return self.unsupported_operand(e, e.ty, span);
            }
        }
        if self.types.pointee(pointer.ty).is_none() {
            let text = format!("a value of type `{}` is indexed", self.types.display(pointer.ty));
            return self
                .error_expr(Diagnostic::error("E0328", pointer.span, text).label("expected an array or pointer"));
        }
        if !self.types.is_integer(index.ty) {
            let text = format!("an index has type `{}`", self.types.display(index.ty));
            return self.error_expr(Diagnostic::error("E0309", index.span, text).label("expected an integer"));
        }
        let sum = self.offset_pointer(pointer, index, Direction::Forward, span);
        self.deref(sum, span)
    }

    /// Pointer rvalue plus or minus integer rvalue.
    pub(super) fn offset_pointer(&mut self, pointer: Expr, index: Expr, direction: Direction, span: Span) -> Expr {
        let ty = pointer.ty;
        let target = self.types.pointee(ty).unwrap_or(self.common.char);
        let elem_size = self.elem_size(target, pointer.span);
        let (fits, index) = if self.clause.is_exact { self.exact_index(index) } else { (None, index) };
        let index = Box::new(self.pointer_index(index));
        let negative = direction == Direction::Backward;
        let sum = Expr { kind: ExprKind::PtrAdd { ptr: Box::new(pointer), index, elem_size, negative }, ty, span };
        match fits {
            None => sum,
            Some(fits) => {
                // There is no such element: reading this is as bad as reading that.
                let place = self.types.intern(Type::Pointer(ty));
                let null = Box::new(self.int_expr(0, place, span));
                let nothing = Expr { kind: ExprKind::Deref(null), ty, span };
                let nothing = Expr { kind: ExprKind::Load(Box::new(nothing)), ty, span };
                let (cond, then, otherwise) = (Box::new(fits), Some(Box::new(sum)), Box::new(nothing));
                Expr { kind: ExprKind::Conditional { cond, then, otherwise }, ty, span }
            }
        }
    }

    /// An integer rvalue in the width of a pointer, of the same sign.
    pub(super) fn pointer_index(&mut self, index: Expr) -> Expr {
        let index = self.promote(index);
        let is_signed = self.types.int_kind(index.ty).is_none_or(|kind| kind.is_signed());
        let ty = if is_signed { self.common.ptrdiff } else { self.common.size };
        let span = index.span;
        self.cast(index, ty, span)
    }

    pub(super) fn pointer_difference(&mut self, lhs: Expr, rhs: Expr, span: Span) -> Expr {
        let target = self.types.pointee(lhs.ty).unwrap_or(self.common.char);
        let other = self.types.pointee(rhs.ty).unwrap_or(self.common.char);
        if !self.pointers_fit(target, other) {
            self.warning("W0303", span, |_| "pointers of different types are subtracted".into());
        }
        let elem_size = match self.elem_size(target, span) {
            // GCC divides by the size of an empty record, too; the value is undefined.
            Size::Const(0) => Size::Const(1),
            size => size,
        };
        let ty = self.common.ptrdiff;
        Expr { kind: ExprKind::PtrDiff { lhs: Box::new(lhs), rhs: Box::new(rhs), elem_size }, ty, span }
    }

    pub(super) fn member(&mut self, base: &'a ast::Expr, member: Ident, span: Span) -> Expr {
        let base = self.expr(base);
        self.member_of(base, member, span)
    }

    pub(super) fn arrow(&mut self, base: &'a ast::Expr, member: Ident, span: Span) -> Expr {
        let base = self.rvalue_expr(base);
        let base_span = base.span;
        if self.types.pointee(base.ty).is_none() && !self.types.is_unsupported(base.ty) {
            let text = format!("`->` is applied to a value of type `{}`", self.types.display(base.ty));
            let mut diagnostic = Diagnostic::error("E0328", base_span, text).label("expected a pointer");
            if let Type::Record(_) = self.types.get(base.ty) {
                diagnostic = diagnostic.help("use `.` for the members of a struct or union itself");
            }
            return self.error_expr(diagnostic);
        }
        let object = self.deref(base, base_span);
        self.member_of(object, member, span)
    }

    fn member_of(&mut self, base: Expr, member: Ident, span: Span) -> Expr {
        let target = self.types.pointee(base.ty);
        if let Some(target) = target
            && let Type::Record(_) = self.types.get(target)
        {
            let text = "`.` is applied to a pointer";
            let help = format!("use `->{}`", &self.names[member.name]);
            return self.error_expr(Diagnostic::error("E0324", span, text).help(help));
        }
        let Some(id) = self.record_of(base.ty, base.span) else {
            return match self.types.is_unsupported(base.ty) {
                true => self.unsupported_operand(&base, base.ty, span),
                false => self.poison(span),
            };
        };
        let Some(found) = self.find_member(id, member.name, member.span) else { return self.poison(span) };
        let ty = match self.types.qualifiers(base.ty) {
            Quals::NONE => found.ty,
            quals => self.types.qualified(found.ty, quals),
        };
        let kind = ExprKind::Member { base: Box::new(base), offset: found.offset, bits: found.bits };
        Expr { kind, ty, span }
    }

    /// Both pointers of a comparison or the branches of a conditional, in one type; `None` if they can't be mixed.
    pub(super) fn common_pointer(&mut self, a: Expr, b: Expr, span: Span) -> Option<(Expr, Expr, TypeId)> {
        let ty = match (self.types.pointee(a.ty), self.types.pointee(b.ty)) {
            (Some(x), Some(y)) => self.common_target(&a, &b, x, y, span),
            (Some(_), None) if self.types.is_integer(b.ty) => {
                self.warn_mixed(&b, span);
                a.ty
            }
            (None, Some(_)) if self.types.is_integer(a.ty) => {
                self.warn_mixed(&a, span);
                b.ty
            }
            _ => return None,
        };
        let (a_span, b_span) = (a.span, b.span);
        Some((self.cast(a, ty, a_span), self.cast(b, ty, b_span), ty))
    }

    fn common_target(&mut self, a: &Expr, b: &Expr, x: TypeId, y: TypeId, span: Span) -> TypeId {
        let void = self.common.void;
        if self.compatible(x, y) {
            return self.composite(a.ty, b.ty);
        }
        if self.is_null_constant(a) {
            return b.ty;
        }
        if self.is_null_constant(b) {
            return a.ty;
        }
        if self.types.plain(x) != void && self.types.plain(y) != void {
            self.warning("W0303", span, |s| {
                format!("pointers of types `{}` and `{}` are mixed", s.types.display(a.ty), s.types.display(b.ty))
            });
        }
        self.common.void_ptr
    }

    fn warn_mixed(&mut self, integer: &Expr, span: Span) {
        if !self.is_null_constant(integer) {
            self.warning("W0302", span, |_| "a pointer and an integer are mixed".into());
        }
    }
}

/// Whether an offset is added or subtracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Forward,
    Backward,
}

//! Conversions: lvalues to rvalues, promotions, usual arithmetic conversions, assignment and casts (C11 6.3, 6.5.4,
//! 6.5.16.1).

use super::bit_field::bit_field_width;
use super::{Evaluation, Sema};
use crate::typed::{Expr, ExprKind, InitItem, InitValue, Initializer};
use crate::types::{ArrayLen, Type, TypeId};
use base::{Diagnostic, Span};
use syntax::ast;
use syntax::machine_model::{FloatKind, IntKind};

/// Where a value is converted as if by assignment, for messages.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Assignment,
    Initializer,
    /// Number from 1.
    Argument(usize),
    Return,
}

impl Target {
    fn name(self) -> String {
        match self {
            Target::Assignment => "assignment".into(),
            Target::Initializer => "initialization".into(),
            Target::Argument(n) => format!("argument {n}"),
            Target::Return => "return".into(),
        }
    }
}

pub(super) fn is_lvalue(e: &Expr) -> bool {
    let mut e = e;
    loop {
        match &e.kind {
            ExprKind::Var(_) | ExprKind::String(_) | ExprKind::Deref(_) | ExprKind::CompoundLiteral { .. } => {
                return true;
            }
            ExprKind::Member { base, .. } => e = base,
            _ => return false,
        }
    }
}

impl<'a> Sema<'a> {
    /// An expression as a value: checked, loaded or decayed.
    pub(super) fn rvalue_expr(&mut self, e: &'a ast::Expr) -> Expr {
        let e = self.expr(e);
        self.rvalue(e)
    }

    /// Lvalue conversion, and decay of arrays and functions.
    pub(super) fn rvalue(&mut self, e: Expr) -> Expr {
        let (ty, span) = (e.ty, e.span);
        match *self.types.get(ty) {
            Type::Array(elem, _) => self.decay(e, elem),
            Type::Function(_) => {
                if let ExprKind::Deref(pointer) = e.kind {
                    return *pointer;
                }
                self.take_address(&e);
                let ty = self.types.intern(Type::Pointer(ty));
                Expr { kind: ExprKind::Decay(Box::new(e)), ty, span }
            }
            Type::Unsupported(_) if matches!(e.kind, ExprKind::Unsupported(..)) => e,
            Type::Unsupported(_) => self.unsupported_operand(&e, ty, span),
            Type::Void => match e.kind {
                // The address is computed and dropped.
                ExprKind::Deref(pointer) => Expr { kind: ExprKind::Cast(pointer), ty, span },
                kind if is_lvalue_kind(&kind) => {
                    let zero = Box::new(self.int_expr(0, self.common.int, span));
                    Expr { kind: ExprKind::Cast(zero), ty, span }
                }
                kind => Expr { kind, ty, span },
            },
            _ if is_lvalue(&e) => Expr { kind: ExprKind::Load(Box::new(e)), ty: self.types.plain(ty), span },
            _ => e,
        }
    }

    fn decay(&mut self, e: Expr, elem: TypeId) -> Expr {
        let span = e.span;
        let ty = self.types.intern(Type::Pointer(elem));
        let e = if is_lvalue(&e) { e } else { self.materialize(e) };
        self.take_address(&e);
        Expr { kind: ExprKind::Decay(Box::new(e)), ty, span }
    }

    /// Makes a member of a record value an lvalue: the record is stored in an unnamed object.
    fn materialize(&mut self, mut e: Expr) -> Expr {
        let (ty, span) = (e.ty, e.span);
        if let ExprKind::Member { base, .. } = &mut e.kind {
            let inner = std::mem::replace(base.as_mut(), self.poison(span));
            **base = self.materialize(inner);
            return e;
        }
        if matches!(self.types.get(ty), Type::Array(..) | Type::Unsupported(_)) {
            return e;
        }
        self.unnamed_object(e, ty, span)
    }

    /// An unnamed object of a scalar or record type that holds `value`.
    pub(super) fn unnamed_object(&mut self, value: Expr, ty: TypeId, span: Span) -> Expr {
        let var = self.temp("<temporary>", ty, span);
        let item = InitItem { offset: 0, bits: None, value: InitValue::Expr(value) };
        let init = Initializer { zero_rest: false, items: vec![item] };
        Expr { kind: ExprKind::CompoundLiteral { var, init: Some(Box::new(init)) }, ty, span }
    }

    /// Notes that the address of an lvalue or function is used.
    pub(super) fn take_address(&mut self, e: &Expr) {
        if self.evaluation == Evaluation::TypeOnly {
            return;
        }
        let mut e = e;
        loop {
            match &e.kind {
                ExprKind::Var(var) | ExprKind::CompoundLiteral { var, .. } => {
                    self.vars[*var].address_taken = true;
                    return;
                }
                ExprKind::Function(f) => {
                    self.functions[*f].address_taken = true;
                    return;
                }
                ExprKind::Member { base, .. } => e = base,
                _ => return,
            }
        }
    }

    pub(super) fn int_expr(&self, value: i128, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(value), ty, span }
    }

    /// `value` in the range of a scalar type that isn't floating.
    pub(super) fn wrap_to(&self, value: i128, ty: TypeId) -> Option<i128> {
        match self.types.get(ty) {
            Type::Bool => Some(i128::from(value != 0)),
            Type::Pointer(_) => Some(self.machine.wrap(self.machine.size_kind(), value)),
            _ => self.types.int_kind(ty).map(|kind| self.machine.wrap(kind, value)),
        }
    }

    /// Converts a scalar rvalue to a scalar type, or anything to `void`, without any check.
    pub(super) fn cast(&self, e: Expr, ty: TypeId, span: Span) -> Expr {
        if e.ty == ty {
            return e;
        }
        if let ExprKind::Int(value) = e.kind
            && let Some(value) = self.wrap_to(value, ty)
        {
            return Expr { kind: ExprKind::Int(value), ty, span };
        }
        Expr { kind: ExprKind::Cast(Box::new(e)), ty, span }
    }

    /// Integer promotions (C11 6.3.1.1) of an rvalue.
    pub(super) fn promote(&self, e: Expr) -> Expr {
        match self.promoted_type(&e) {
            // It is no bit-field any more.
            Some(ty) => self.cast_from_bit_field(e, ty),
            None => e,
        }
    }

    /// The type of `e` after the integer promotions; `e` may be an lvalue.
    pub(super) fn promoted_type_of(&self, e: &Expr) -> TypeId {
        self.promoted_type(e).unwrap_or(e.ty)
    }

    fn promoted_type(&self, e: &Expr) -> Option<TypeId> {
        let (bits, is_signed) = match self.types.get(e.ty) {
            Type::Bool => (1, false),
            Type::Int(kind) => (self.machine.int_bits(*kind), kind.is_signed()),
            Type::Enum(id) => {
                let kind = self.types.enum_repr(*id);
                (self.machine.int_bits(kind), kind.is_signed())
            }
            _ => return None,
        };
        let width = bit_field_width(e).unwrap_or(bits);
        let int_bits = self.machine.int_bits(IntKind::Int);
        let is_short = matches!(self.types.get(e.ty), Type::Int(IntKind::Short | IntKind::UShort));
        if width < int_bits || (width == int_bits && is_signed && (bits > int_bits || is_short)) {
            return Some(self.common.int);
        }
        if width == int_bits && (bits > int_bits || is_short) {
            return Some(self.common.uint);
        }
        // An enumeration counts as its integer type.
        match self.types.get(e.ty) {
            Type::Enum(id) => Some(match self.types.enum_repr(*id) {
                IntKind::Int => self.common.int,
                IntKind::UInt => self.common.uint,
                IntKind::Long => self.common.long,
                IntKind::ULong => self.common.ulong,
                kind => self.types.find_int(kind).unwrap_or(self.common.ulong),
            }),
            _ => None,
        }
    }

    /// Default argument promotions of an rvalue.
    pub(super) fn promote_argument(&self, e: Expr) -> Expr {
        match self.types.get(e.ty) {
            Type::Float(FloatKind::Float) => {
                let span = e.span;
                self.cast(e, self.common.double, span)
            }
            _ => self.promote(e),
        }
    }

    /// Usual arithmetic conversions (C11 6.3.1.8) of two arithmetic rvalues.
    pub(super) fn usual_conversions(&mut self, a: Expr, b: Expr) -> (Expr, Expr, TypeId) {
        let (a, b) = (self.promote(a), self.promote(b));
        let widths = (self.wide_bit_field(&a), self.wide_bit_field(&b));
        if let Some((ty, width)) = self.common_bit_field((a.ty, widths.0), (b.ty, widths.1)) {
            return (self.to_bit_field(a, ty, width), self.to_bit_field(b, ty, width), ty);
        }
        let ty = self.common_type(a.ty, b.ty);
        let (a_span, b_span) = (a.span, b.span);
        (self.cast(a, ty, a_span), self.cast(b, ty, b_span), ty)
    }

    /// The common real type of two promoted arithmetic types.
    pub(super) fn common_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if a == b {
            return a;
        }
        let common = match (self.types.get(a), self.types.get(b)) {
            (Type::Float(x), Type::Float(y)) => return if x >= y { a } else { b },
            (Type::Float(_), _) => return a,
            (_, Type::Float(_)) => return b,
            _ => match (self.types.int_kind(a), self.types.int_kind(b)) {
                (Some(x), Some(y)) => self.common_int(x, y),
                _ => return a,
            },
        };
        self.types.intern(Type::Int(common))
    }

    fn common_int(&self, a: IntKind, b: IntKind) -> IntKind {
        if a.is_signed() == b.is_signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if self.machine.int_bits(signed) > self.machine.int_bits(unsigned) {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// Whether an rvalue is a null pointer constant: the integer constant 0, perhaps cast to `void *`.
    pub(super) fn is_null_constant(&self, e: &Expr) -> bool {
        let is_candidate = e.ty == self.common.void_ptr || self.types.is_integer(e.ty);
        is_candidate
            && matches!(e.kind, ExprKind::Int(0) | ExprKind::Cast(_) | ExprKind::Binary(..) | ExprKind::Unary(..))
            && self.fold_int(e) == Some(0)
    }

    /// Converts an rvalue as if by assignment to an object of type `ty`.
    pub(super) fn assign_convert(&mut self, e: Expr, ty: TypeId, target: Target) -> Expr {
        if e.ty == ty {
            return e;
        }
        let span = e.span;
        let types = &self.types;
        match (types.get(ty), types.get(e.ty)) {
            (Type::Unsupported(_), _) | (_, Type::Unsupported(_)) => self.unsupported_operand(&e, ty, span),
            (_, Type::Void) => {
                let text = "the value of a `void` expression is used";
                let mut poison = self.error_expr(Diagnostic::error("E0317", span, text).label("this has no value"));
                poison.ty = ty;
                poison
            }
            _ if types.is_arithmetic(ty) && types.is_arithmetic(e.ty) => self.cast(e, ty, span),
            (Type::Bool, Type::Pointer(_)) => self.cast(e, ty, span),
            (Type::Pointer(to), Type::Pointer(from)) => {
                if !self.pointers_fit(*to, *from) {
                    self.warn_conversion("W0303", &e, ty, target, "incompatible pointer type");
                }
                self.cast(e, ty, span)
            }
            (Type::Pointer(_), _) if types.is_integer(e.ty) => {
                if !self.is_null_constant(&e) {
                    self.warn_conversion("W0302", &e, ty, target, "integer made a pointer without a cast");
                }
                self.cast(e, ty, span)
            }
            (_, Type::Pointer(_)) if types.is_integer(ty) => {
                self.warn_conversion("W0302", &e, ty, target, "pointer made an integer without a cast");
                self.cast(e, ty, span)
            }
            (Type::Record(id), _) if self.transparent_unions.contains(id) => self.transparent_union(e, ty, target),
            (Type::VaList, Type::Pointer(_)) | (Type::Pointer(_), Type::VaList) => {
                self.unsupported("conversion", "between va_list and a pointer", ty, span)
            }
            // Its first member, where it is a struct: `{0}` is the list that nothing is in.
            (Type::VaList, _) if self.is_null_constant(&e) => self.cast(e, ty, span),
            _ => self.cannot_convert(&e, ty, target),
        }
    }

    fn cannot_convert(&mut self, e: &Expr, ty: TypeId, target: Target) -> Expr {
        let (from, to) = (self.types.display(e.ty), self.types.display(ty));
        let text = format!("incompatible types in {}", target.name());
        let label = format!("expected `{to}`, found `{from}`");
        let mut poison = self.error_expr(Diagnostic::error("E0318", e.span, text).label(label));
        poison.ty = ty;
        poison
    }

    fn warn_conversion(&mut self, code: &'static str, e: &Expr, ty: TypeId, target: Target, what: &str) {
        let from = e.ty;
        self.warning(code, e.span, |s| {
            format!("{what} in {} (`{}` to `{}`)", target.name(), s.types.display(from), s.types.display(ty))
        });
    }

    /// Whether pointers to these types may be mixed without a warning; signedness of the target is not held against it.
    pub(super) fn pointers_fit(&self, a: TypeId, b: TypeId) -> bool {
        let same_but_sign = || match (self.types.int_kind(a), self.types.int_kind(b)) {
            (Some(a), Some(b)) => a.rank() == b.rank(),
            _ => false,
        };
        let is_void = |ty| self.types.plain(ty) == self.common.void;
        self.compatible(a, b) || is_void(a) || is_void(b) || same_but_sign()
    }

    fn transparent_union(&mut self, e: Expr, ty: TypeId, target: Target) -> Expr {
        let Type::Record(id) = *self.types.get(ty) else { return e };
        let members: Vec<TypeId> = match &self.types.records[id].layout {
            Some(layout) => layout.fields.iter().map(|f| f.ty).collect(),
            None => Vec::new(),
        };
        let fits = |s: &Self, m: TypeId| match (s.types.pointee(m), s.types.pointee(e.ty)) {
            (Some(a), Some(b)) => s.pointers_fit(a, b),
            (Some(_), None) => s.is_null_constant(&e),
            _ => s.compatible(m, e.ty),
        };
        let Some(member) = members.iter().copied().find(|m| fits(self, *m)) else {
            return self.cannot_convert(&e, ty, target);
        };
        let span = e.span;
        let value = self.assign_convert(e, member, target);
        let object = self.unnamed_object(value, ty, span);
        self.rvalue(object)
    }

    /// An explicit cast of an rvalue.
    pub(super) fn explicit_cast(&mut self, e: Expr, ty: TypeId, span: Span) -> Expr {
        let types = &self.types;
        let ty = types.plain(ty);
        if ty == self.common.void {
            if types.is_unsupported(e.ty) {
                return self.unsupported_operand(&e, ty, span);
            }
            return self.cast(e, ty, span);
        }
        if types.is_unsupported(ty) || types.is_unsupported(e.ty) {
            return self.unsupported_operand(&e, ty, span);
        }
        if e.ty == ty {
            return self.cast_from_bit_field(e, ty);
        }
        let is_mixed =
            |a: TypeId, b: TypeId| matches!(types.get(a), Type::Float(_)) && matches!(types.get(b), Type::Pointer(_));
        if types.is_scalar(ty) && types.is_scalar(e.ty) && !is_mixed(ty, e.ty) && !is_mixed(e.ty, ty) {
            return self.cast(e, ty, span);
        }
        match (types.get(ty), types.get(e.ty)) {
            (Type::VaList, Type::Pointer(_)) | (Type::Pointer(_), Type::VaList) => {
                self.unsupported("conversion", "between va_list and a pointer", ty, span)
            }
            (Type::Record(id), _) if types.records[*id].is_union => self.cast_to_union(e, ty, span),
            _ => {
                let (from, to) = (types.display(e.ty), types.display(ty));
                let text = format!("a value of type `{from}` can't be cast to `{to}`");
                let mut poison = self.error_expr(Diagnostic::error("E0319", span, text));
                poison.ty = ty;
                poison
            }
        }
    }

    /// GNU: `(union u) e` has the member of the type of `e` set.
    fn cast_to_union(&mut self, e: Expr, ty: TypeId, span: Span) -> Expr {
        let Type::Record(id) = *self.types.get(ty) else { return e };
        let fields = self.types.records[id].layout.as_ref().map(|l| l.fields.as_slice()).unwrap_or_default();
        if !fields.iter().any(|f| self.compatible(f.ty, e.ty)) {
            let text = format!("the union has no member of type `{}`", self.types.display(e.ty));
            return self.error_expr(Diagnostic::error("E0319", span, text));
        }
        let object = self.unnamed_object(e, ty, span);
        self.rvalue(object)
    }

    /// A scalar rvalue for a condition.
    pub(super) fn condition(&mut self, e: &'a ast::Expr) -> Expr {
        let e = self.rvalue_expr(e);
        self.scalar(e)
    }

    pub(super) fn scalar(&mut self, e: Expr) -> Expr {
        if self.types.is_scalar(e.ty) {
            return e;
        }
        let int = self.common.int;
        if self.types.is_unsupported(e.ty) {
            let span = e.span;
            return self.unsupported_operand(&e, int, span);
        }
        let text = format!("a condition has type `{}`", self.types.display(e.ty));
        let mut poison =
            self.error_expr(Diagnostic::error("E0320", e.span, text).label("expected a number or pointer"));
        poison.ty = int;
        poison
    }

    /// Runs `f` for an operand of which only the type matters.
    pub(super) fn type_only<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.evaluation, Evaluation::TypeOnly);
        let result = f(self);
        self.evaluation = outer;
        result
    }

    /// Completes an array type by a length that has become known.
    pub(super) fn complete_array(&mut self, ty: TypeId, len: u64) -> TypeId {
        match *self.types.get(ty) {
            Type::Array(elem, ArrayLen::Incomplete) => self.types.intern(Type::Array(elem, ArrayLen::Fixed(len))),
            _ => ty,
        }
    }
}

fn is_lvalue_kind(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Var(_) | ExprKind::Member { .. } | ExprKind::CompoundLiteral { .. })
}

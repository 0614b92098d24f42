//! Types that declaration specifiers and declarators denote.

use super::scope::Binding;
use super::statement::has_effect;
use super::{Evaluation, Sema};
use crate::typed::{Expr, ExprKind, Var, VarId, VarKind};
use crate::types::{ArrayLen, FunctionType, Type, TypeId};
use base::{Diagnostic, Span};
use syntax::ast::{self, ArraySize, Builtin, DeclSpecs, Declarator, Derived, FunctionPart, Params, Quals, TypeSpec};
use syntax::machine_model::{FloatKind, IntKind};

/// A declared type with the alignment that a typedef gives it.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeclType {
    pub ty: TypeId,
    /// In bytes; may be less than the natural one.
    pub align: Option<u32>,
    /// The same where objects of this type are the elements of an array.
    pub element_align: Option<u32>,
}

impl DeclType {
    pub fn plain(ty: TypeId) -> Self {
        Self::aligned(ty, None)
    }

    pub fn aligned(ty: TypeId, align: Option<u32>) -> Self {
        Self { ty, align, element_align: align }
    }
}

/// What an array size that isn't constant means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ArrayContext {
    /// The array is of variable length; its size is computed where the declaration or type name stands.
    Evaluated,
    /// Nothing: a function declarator that is no definition.
    Prototype,
}

impl<'a> Sema<'a> {
    /// The type that specifiers denote, without their attributes.
    pub(super) fn specs_type(&mut self, specs: &'a DeclSpecs) -> DeclType {
        let declared = self.unqualified_type(specs);
        let is_atomic = specs.quals.contains(Quals::ATOMIC) || matches!(specs.ty, TypeSpec::Atomic(_));
        let (declared, quals) = match is_atomic {
            true => (self.atomic(declared), specs.quals | Quals::ATOMIC),
            false => (declared, specs.quals),
        };
        DeclType { ty: self.qualified(declared.ty, quals), ..declared }
    }

    /// A type with those qualifiers that matter, where they do.
    fn qualified(&mut self, ty: TypeId, quals: Quals) -> TypeId {
        if !self.qualifiers {
            return ty;
        }
        let matter = [Quals::CONST, Quals::VOLATILE, Quals::ATOMIC].into_iter().filter(|one| quals.contains(*one));
        matter.fold(ty, |ty, one| self.types.qualified(ty, one))
    }

    fn unqualified_type(&mut self, specs: &'a DeclSpecs) -> DeclType {
        let ty = match &specs.ty {
            TypeSpec::Implicit => self.common.int,
            TypeSpec::Builtin(builtin) => self.builtin_type(*builtin),
            TypeSpec::Complex(builtin) => self.complex_type(*builtin),
            TypeSpec::Typedef(ident) => return self.typedef_type(*ident),
            TypeSpec::Record(spec) => self.record_type(spec),
            TypeSpec::Enum(spec) => self.enum_type(spec),
            TypeSpec::TypeofExpr(e) => {
                let ty = self.type_operand(e, Self::is_variably_modified).ty;
                return DeclType::aligned(ty, self.typedef_align(e));
            }
            TypeSpec::TypeofType(name) | TypeSpec::Atomic(name) => return self.aligned_type_name(name),
            TypeSpec::VaList => self.common.va_list,
            // Declarations with an initialiser look at it instead of calling this.
            TypeSpec::AutoType => {
                let text = "`__auto_type` needs an initializer";
                self.error(Diagnostic::error("E0308", specs.span, text));
                self.common.error
            }
        };
        DeclType::plain(ty)
    }

    pub(super) fn builtin_type(&mut self, builtin: Builtin) -> TypeId {
        let ty = match builtin {
            Builtin::Void => Type::Void,
            Builtin::Bool => Type::Bool,
            Builtin::Char => return self.common.char,
            Builtin::SChar => Type::Int(IntKind::SChar),
            Builtin::UChar => Type::Int(IntKind::UChar),
            Builtin::Short => Type::Int(IntKind::Short),
            Builtin::UShort => Type::Int(IntKind::UShort),
            Builtin::Int => Type::Int(IntKind::Int),
            Builtin::UInt => Type::Int(IntKind::UInt),
            Builtin::Long => Type::Int(IntKind::Long),
            Builtin::ULong => Type::Int(IntKind::ULong),
            Builtin::LongLong => Type::Int(IntKind::LongLong),
            Builtin::ULongLong => Type::Int(IntKind::ULongLong),
            Builtin::Int128 => Type::Int(IntKind::Int128),
            Builtin::UInt128 => Type::Int(IntKind::UInt128),
            Builtin::Size => Type::Int(self.machine.size_kind()),
            Builtin::SignedSize => Type::Int(self.machine.ptrdiff_kind()),
            Builtin::Decimal32 => return self.types.intern_unsupported("_Decimal32".into(), 4, 4),
            Builtin::Decimal64 => return self.types.intern_unsupported("_Decimal64".into(), 8, 8),
            Builtin::Decimal128 => return self.types.intern_unsupported("_Decimal128".into(), 16, 16),
            float => Type::Float(float_kind(float).unwrap_or(FloatKind::Double)),
        };
        self.types.intern(ty)
    }

    fn complex_type(&mut self, builtin: Builtin) -> TypeId {
        if let Some(kind) = float_kind(builtin) {
            return self.complex(kind);
        }
        let part = self.builtin_type(builtin);
        let size = self.types.size_of(self.machine, part).unwrap_or(1);
        let name = format!("_Complex {}", self.types.display(part));
        self.types.intern_unsupported(name.into(), 2 * size, size as u32)
    }

    fn typedef_type(&mut self, ident: ast::Ident) -> DeclType {
        match self.scopes.get(ident.name) {
            Binding::Typedef(id) => {
                let typedef = &self.typedefs[id];
                DeclType { ty: typedef.ty, align: typedef.align, element_align: typedef.element_align }
            }
            _ => {
                let text = format!("unknown type name `{}`", &self.names[ident.name]);
                self.error(Diagnostic::error("E0202", ident.span, text));
                DeclType::plain(self.common.error)
            }
        }
    }

    /// The type of a declared entity, without attributes; `base` is what the specifiers denote.
    pub(super) fn declarator_type(
        &mut self,
        base: DeclType,
        derived: &'a [Derived],
        context: ArrayContext,
    ) -> DeclType {
        let mut result = base;
        for part in derived.iter().rev() {
            result = match part {
                Derived::Pointer(quals, _) => {
                    let ty = self.types.intern(Type::Pointer(result.ty));
                    DeclType::plain(self.qualified(ty, *quals))
                }
                Derived::Array(part) => {
                    let elem = self.checked_element(result.ty, part.span);
                    let len = self.array_len(&part.size, part.span, context);
                    let len = self.checked_size(elem, len, part.span);
                    DeclType::aligned(self.types.intern(Type::Array(elem, len)), result.element_align)
                }
                Derived::Function(part) => DeclType::plain(self.function_type(result.ty, part)),
            };
        }
        result
    }

    /// The type of a type name.
    pub(super) fn type_name(&mut self, name: &'a ast::TypeName) -> TypeId {
        self.aligned_type_name(name).ty
    }

    /// The type of a type name with the alignment that objects of it have.
    pub(super) fn aligned_type_name(&mut self, name: &'a ast::TypeName) -> DeclType {
        let base = self.specs_type(&name.specs);
        let attrs = self.attrs(&[&name.specs.attrs, &name.declarator.attrs]);
        let ty = self.apply_type_attrs(base.ty, &attrs);
        let base = attrs.align.map_or(DeclType { ty, ..base }, |align| DeclType::aligned(ty, Some(align)));
        self.declarator_type(base, &name.declarator.derived, ArrayContext::Evaluated)
    }

    fn checked_element(&mut self, elem: TypeId, span: Span) -> TypeId {
        let problem = match self.types.get(elem) {
            Type::Void => "void",
            Type::Function(_) => "functions",
            Type::Record(id) if self.types.records[*id].layout.is_none() => "incomplete type",
            Type::Array(_, ArrayLen::Incomplete) => "incomplete arrays",
            _ => return elem,
        };
        let is_prototype_size = matches!(self.types.get(elem), Type::Array(..));
        if !is_prototype_size {
            let text = format!("array has elements of type `{}`", self.types.display(elem));
            self.error(Diagnostic::error("E0305", span, text).label(format!("array of {problem}")));
            return self.common.error;
        }
        elem
    }

    fn checked_size(&mut self, elem: TypeId, len: ArrayLen, span: Span) -> ArrayLen {
        if let ArrayLen::Fixed(n) = len {
            let size = self.types.size_of(self.machine, elem).unwrap_or(1);
            let limit = if self.machine.pointer_size() == 8 { i64::MAX as u64 } else { i32::MAX as u64 };
            if n.checked_mul(size).is_none_or(|bytes| bytes > limit) {
                self.error(Diagnostic::error("E0306", span, "the size of the array is too large"));
                return ArrayLen::Fixed(1);
            }
        }
        len
    }

    fn array_len(&mut self, size: &'a ArraySize, span: Span, context: ArrayContext) -> ArrayLen {
        let expr = match size {
            ArraySize::None | ArraySize::Star => return ArrayLen::Incomplete,
            ArraySize::Expr(expr) => expr,
        };
        if let ast::ExprKind::Int(literal) = &expr.kind {
            return ArrayLen::Fixed(literal.value);
        }
        let size = match context {
            ArrayContext::Evaluated => self.rvalue_expr(expr),
            ArrayContext::Prototype => self.type_only(|s| s.rvalue_expr(expr)),
        };
        if self.types.is_unsupported(size.ty) {
            return ArrayLen::Fixed(1);
        }
        if !self.types.is_integer(size.ty) {
            let text = format!("the size of an array has type `{}`", self.types.display(size.ty));
            self.error(Diagnostic::error("E0309", expr.span, text).label("expected an integer"));
            return ArrayLen::Fixed(1);
        }
        match self.fold_int(&size) {
            Some(n) if n < 0 => {
                let text = "the size of the array is negative";
                self.error(Diagnostic::error("E0310", expr.span, text).label(format!("this is {n}")));
                ArrayLen::Fixed(1)
            }
            Some(n) => ArrayLen::Fixed(u64::try_from(n).unwrap_or(u64::MAX)),
            None if context == ArrayContext::Prototype => ArrayLen::Incomplete,
            None if self.func.is_none() => {
                let text = "an array at file scope has a size that is not constant";
                self.error(Diagnostic::error("E0311", expr.span, text).label("not a constant expression"));
                ArrayLen::Fixed(1)
            }
            None => ArrayLen::Variable(self.size_variable(size, span)),
        }
    }

    /// A new variable for the number of elements of an array; its assignment is left in `pending`.
    fn size_variable(&mut self, size: Expr, span: Span) -> VarId {
        let var = self.temp("<array size>", self.common.size, span);
        let ty = self.common.size;
        let lhs = Box::new(Expr { kind: ExprKind::Var(var), ty, span });
        let rhs = Box::new(self.cast(size, ty, span));
        if self.evaluation == Evaluation::Evaluated {
            self.pending.push(Expr { kind: ExprKind::Assign(lhs, rhs), ty, span });
        }
        var
    }

    /// A variable of the type checker; outside of functions a global.
    pub(super) fn temp(&mut self, name: &str, ty: TypeId, span: Span) -> VarId {
        let kind = match &self.func {
            Some(func) if !self.in_static_init => VarKind::Temp(func.id),
            _ => VarKind::Global,
        };
        let name = name.into();
        self.vars.push(Var::new(name, ty, kind, span))
    }

    /// The type of a function declarator; its parameters are visible only in it.
    pub(super) fn function_type(&mut self, ret: TypeId, part: &'a FunctionPart) -> TypeId {
        let ret = self.checked_return(ret, part.span);
        let function = match &part.params {
            Params::Unspecified | Params::Identifiers(_) => {
                FunctionType { ret, params: Box::default(), variadic: false, prototyped: false }
            }
            Params::Prototype { params, variadic } => {
                self.scopes.push();
                let mark = self.pending.len();
                let mut types = Vec::with_capacity(params.len());
                for param in params {
                    let ty = self.param_type(param, ArrayContext::Prototype).ty;
                    types.push(ty);
                    if let Some(name) = param.declarator.name {
                        self.scopes.bind(name.name, Binding::ProtoParam(ty));
                    }
                }
                self.scopes.pop();
                // Nothing is evaluated there.
                self.pending.truncate(mark);
                FunctionType { ret, params: types.into(), variadic: *variadic, prototyped: true }
            }
        };
        self.types.intern(Type::Function(function))
    }

    pub(super) fn checked_return(&mut self, ret: TypeId, span: Span) -> TypeId {
        let what = match self.types.get(ret) {
            Type::Array(..) => "an array",
            Type::Function(_) => "a function",
            _ => return ret,
        };
        self.error(Diagnostic::error("E0312", span, format!("a function can't return {what}")));
        self.common.error
    }

    /// The adjusted type of a parameter: arrays and functions become pointers.
    pub(super) fn param_type(&mut self, param: &'a ast::ParamDecl, context: ArrayContext) -> DeclType {
        let base = self.specs_type(&param.specs);
        self.param_declarator(base, &param.specs, &param.declarator, context)
    }

    pub(super) fn param_declarator(
        &mut self,
        base: DeclType,
        specs: &'a DeclSpecs,
        declarator: &'a Declarator,
        context: ArrayContext,
    ) -> DeclType {
        let declared = match declarator.derived.split_first() {
            Some((Derived::Array(array), rest)) => {
                self.outermost_size(&array.size, context);
                let elem = self.declarator_type(base, rest, context);
                DeclType::plain(self.types.intern(Type::Pointer(elem.ty)))
            }
            _ => self.declarator_type(base, &declarator.derived, context),
        };
        let mut ty = declared.ty;
        if !(specs.attrs.is_empty() && declarator.attrs.is_empty()) {
            let attrs = self.attrs(&[&specs.attrs, &declarator.attrs]);
            ty = self.apply_type_attrs(ty, &attrs);
        }
        DeclType { ty: self.adjusted(ty), ..declared }
    }

    /// The size of a parameter's outermost array says nothing about its type, but what it does is done at each call, as GCC has it.
    fn outermost_size(&mut self, size: &'a ArraySize, context: ArrayContext) {
        let (ArraySize::Expr(size), ArrayContext::Evaluated) = (size, context) else { return };
        let size = self.rvalue_expr(size);
        if has_effect(&size) {
            self.pending.push(size);
        }
    }

    fn adjusted(&mut self, ty: TypeId) -> TypeId {
        match *self.types.get(ty) {
            Type::Array(elem, _) => self.types.intern(Type::Pointer(elem)),
            Type::Function(_) => self.types.intern(Type::Pointer(ty)),
            _ => ty,
        }
    }
}

pub(super) fn float_kind(builtin: Builtin) -> Option<FloatKind> {
    Some(match builtin {
        Builtin::Float16 => FloatKind::Float16,
        Builtin::Float | Builtin::Float32 => FloatKind::Float,
        Builtin::Double | Builtin::Float64 | Builtin::Float32x => FloatKind::Double,
        Builtin::LongDouble | Builtin::Float64x => FloatKind::LongDouble,
        Builtin::Float128 => FloatKind::Float128,
        _ => return None,
    })
}

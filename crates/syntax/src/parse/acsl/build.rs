//! Syntax trees that annotations make, and what stands in them.

use crate::ast::{
    BinaryOp, Builtin, Conditional, DeclSpecs, Declarator, Derived, Expr, ExprKind, FloatLit, IntLength, IntLit, Quals,
    Radix, Symbol, TypeName, TypeSpec, UnaryOp,
};
use base::Span;

/// Both expressions with an operator between them.
pub(super) fn joined(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr { span: a.span.to(b.span), kind: ExprKind::Binary(op, Box::new(a), Box::new(b)) }
}

/// `!e`
pub(super) fn negated(e: Expr) -> Expr {
    Expr { span: e.span, kind: ExprKind::Unary(UnaryOp::Not, Box::new(e)) }
}

/// `c ? a : b`
pub(super) fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    let span = condition.span;
    Expr { span, kind: ExprKind::Conditional(Box::new(Conditional { condition, then: Some(then), otherwise })) }
}

/// A constant.
pub(super) fn constant(value: u64, span: Span) -> Expr {
    let (radix, length) = (Radix::Decimal, IntLength::Int);
    Expr { span, kind: ExprKind::Int(IntLit { value, radix, unsigned: false, length, imaginary: false }) }
}

/// A type without declarator of its own.
pub(super) fn type_named(builtin: Builtin, derived: Vec<Derived>, span: Span) -> TypeName {
    let specs = DeclSpecs {
        span,
        storage: None,
        thread_local: false,
        inline: false,
        noreturn: false,
        quals: Quals::NONE,
        ty: TypeSpec::Builtin(builtin),
        attrs: Vec::new(),
    };
    let declarator = Declarator { span, name: None, derived, asm_label: None, attrs: Vec::new(), contract: None };
    TypeName { span, specs, declarator }
}

/// The name that an expression is.
pub(super) fn name_of(e: &Expr) -> Option<Symbol> {
    match e.kind {
        ExprKind::Ident(name) => Some(name),
        _ => None,
    }
}

/// The parts of an expression that annotations make.
fn parts(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::Member(a, _) | ExprKind::Arrow(a, _) => vec![a],
        ExprKind::SizeofExpr(a) | ExprKind::Exact(a) => vec![a],
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => vec![a, b],
        ExprKind::Conditional(parts) => {
            [Some(&parts.condition), parts.then.as_ref(), Some(&parts.otherwise)].into_iter().flatten().collect()
        }
        ExprKind::Call(call) => std::iter::once(&call.callee).chain(&call.args).collect(),
        ExprKind::Quantified(quantified) => vec![&quantified.body],
        _ => Vec::new(),
    }
}

pub(super) fn nodes(e: &Expr) -> usize {
    1 + parts(e).into_iter().map(nodes).sum::<usize>()
}

/// Whether a name stands in an expression.
pub(super) fn mentions(e: &Expr, name: Symbol) -> bool {
    name_of(e) == Some(name) || parts(e).into_iter().any(|part| mentions(part, name))
}

/// Whether a decimal constant is exactly the number that its type makes of it. Of two numbers with at most 15 digits that are one `double`, both are the same.
pub(super) fn is_exact(literal: &FloatLit) -> bool {
    let digits = literal.text.bytes().filter(u8::is_ascii_digit).count();
    let Ok(value) = literal.text.parse::<f64>() else { return false };
    let is_dyadic = value.abs() < 1e6 && (value * 1024.0).fract() == 0.0;
    digits <= 15 && is_dyadic && (literal.ty != Builtin::Float || f64::from(value as f32) == value)
}

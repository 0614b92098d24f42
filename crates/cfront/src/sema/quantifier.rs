//! CBMC's quantifiers, for variables whose range is known: what is said, for each value.

use super::Sema;
use super::scope::{Binding, Constant};
use crate::ast::{self, BinaryOp, Quantifier, Symbol, UnaryOp};
use crate::typed::{Expr, ExprKind};
use crate::types::{IntKind, TypeId};
use base::{Diagnostic, Span};

/// The construct that stands for quantifiers over more than a few values.
const QUANTIFIER: &str = "quantifier";
/// Most values of a variable.
const MAX_VALUES: i128 = 1024;

/// Least and greatest value that may matter, as far as they are known.
type Range = (Option<i128>, Option<i128>);

impl<'a> Sema<'a> {
    /// The value of a quantified expression.
    pub(super) fn quantified(&mut self, quantified: &'a ast::Quantified, span: Span) -> Expr {
        let int = self.common.int;
        let ty = self.specs_type(&quantified.variable.specs).ty;
        let variable = match quantified.variable.declarators.as_slice() {
            [item] if item.declarator.derived.is_empty() => item.declarator.name.zip(self.types.int_kind(ty)),
            _ => None,
        };
        let Some((variable, kind)) = variable else {
            let text = "a quantifier needs one variable of an integer type";
            let diagnostic = Diagnostic::error("E0360", quantified.variable.span, text);
            return self
                .error_expr(diagnostic.help("such as `__CPROVER_forall { int i; 0 <= i && i < 8 ==> a[i] == 0 }`"));
        };
        self.scopes.push();
        // While the range is looked for, the variable is none whose value is known.
        self.scopes.bind(variable.name, Binding::ProtoParam(ty));
        let mut range = (None, None);
        if let Some(guard) = guard(quantified) {
            self.restrict(&mut range, guard, variable.name, (ty, kind));
        }
        let is_value = |value| self.machine.wrap(kind, value) == value;
        let result = match range {
            (Some(least), Some(greatest))
                if greatest.saturating_sub(least) < MAX_VALUES && is_value(least) && is_value(greatest) =>
            {
                self.instances(quantified, variable.name, ty, (least, greatest), span)
            }
            _ => self.unsupported(QUANTIFIER, "over a range that is not constant and small", int, span),
        };
        self.scopes.pop();
        result
    }

    fn instances(
        &mut self,
        quantified: &'a ast::Quantified,
        variable: Symbol,
        ty: TypeId,
        (least, greatest): (i128, i128),
        span: Span,
    ) -> Expr {
        let int = self.common.int;
        let (op, mut whole) = match quantified.quantifier {
            Quantifier::All => (BinaryOp::LogAnd, self.int_expr(1, int, span)),
            Quantifier::Some => (BinaryOp::LogOr, self.int_expr(0, int, span)),
        };
        for value in least..=greatest {
            let constant = self.constants.push(Constant { value, ty, span });
            self.scopes.bind(variable, Binding::Constant(constant));
            let instance = self.condition(&quantified.body);
            let kind = ExprKind::Binary(op, Box::new(whole), Box::new(instance));
            whole = Expr { kind, ty: int, span };
        }
        whole
    }

    /// Restricts a range to the values for which a condition may hold.
    fn restrict(&mut self, range: &mut Range, guard: &'a ast::Expr, variable: Symbol, (ty, kind): (TypeId, IntKind)) {
        let ast::ExprKind::Binary(op, a, b) = &guard.kind else { return };
        if *op == BinaryOp::LogAnd {
            self.restrict(range, a, variable, (ty, kind));
            self.restrict(range, b, variable, (ty, kind));
            return;
        }
        let is_variable = |e: &ast::Expr| matches!(e.kind, ast::ExprKind::Ident(name) if name == variable);
        let (op, bound) = match (is_variable(a), is_variable(b)) {
            (true, false) => (*op, b),
            (false, true) => (mirrored(*op), a),
            _ => return,
        };
        let bound = self.type_only(|s| s.rvalue_expr(bound));
        if !self.types.is_integer(bound.ty) {
            return;
        }
        let value = self.int_expr(0, ty, guard.span);
        let (_, bound, common) = self.usual_conversions(value, bound);
        let Some(bound) = self.fold_int(&bound) else { return };
        let (least, greatest) = match op {
            BinaryOp::Lt => (None, bound.checked_sub(1)),
            BinaryOp::Le => (None, Some(bound)),
            BinaryOp::Gt => (bound.checked_add(1), None),
            BinaryOp::Ge => (Some(bound), None),
            BinaryOp::Eq => (Some(bound), Some(bound)),
            _ => return,
        };
        let wraps = kind.is_signed() && !self.types.int_kind(common).is_some_and(IntKind::is_signed);
        let least = match (wraps, greatest) {
            // As a number without sign, a negative value is greater than each that the type holds.
            (true, Some(greatest)) if self.machine.wrap(kind, greatest) == greatest => Some(0),
            (true, _) => return,
            (false, _) if !kind.is_signed() => Some(least.unwrap_or(0).max(0)),
            _ => least,
        };
        range.0 = range.0.max(least);
        range.1 = match (range.1, greatest) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
}

/// What restricts the values that matter: `g` in `g ==> e` for all values, and in `g && e` for one.
fn guard(quantified: &ast::Quantified) -> Option<&ast::Expr> {
    match (quantified.quantifier, &quantified.body.kind) {
        (Quantifier::All, ast::ExprKind::Binary(BinaryOp::LogOr, a, _)) => match &a.kind {
            ast::ExprKind::Unary(UnaryOp::Not, guard) => Some(guard),
            _ => None,
        },
        (Quantifier::All, _) => None,
        (Quantifier::Some, _) => Some(&quantified.body),
    }
}

/// The operator with its operands the other way round.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

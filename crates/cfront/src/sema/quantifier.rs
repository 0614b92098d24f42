//! CBMC's quantifiers, for variables whose range is known: what is said, for each value.

use super::Sema;
use super::scope::{Binding, Constant};
use crate::typed::contract::{Bound, Quantified};
use crate::typed::{Callee, Expr, ExprKind, Size, VarId, VarKind};
use crate::types::TypeId;
use base::{Diagnostic, Span};
use syntax::ast::{self, BinaryOp, Quantifier, Symbol, UnaryOp, Values};
use syntax::machine_model::IntKind;

/// The construct that stands for quantifiers over more than a few values.
const QUANTIFIER: &str = "quantifier";
/// Most values of a variable.
const MAX_VALUES: i128 = 1024;

/// The same in clauses of contracts, where the variable may stand for any of its values.
const MAX_VALUES_OF_CLAUSE: i128 = 8;

/// Least and greatest value that may matter, as far as they are known.
type Range = (Option<i128>, Option<i128>);

impl<'a> Sema<'a> {
    /// The value of a quantified expression.
    pub(super) fn quantified(&mut self, quantified: &'a ast::Quantified, span: Span) -> Expr {
        let mut ty = self.specs_type(&quantified.variable.specs).ty;
        let variable = match quantified.variable.declarators.as_slice() {
            [item] if item.declarator.derived.is_empty() => item.declarator.name.zip(self.types.int_kind(ty)),
            _ => None,
        };
        let Some((variable, mut kind)) = variable else {
            let text = "a quantifier needs one variable of an integer type";
            let diagnostic = Diagnostic::error("E0360", quantified.variable.span, text);
            return self
                .error_expr(diagnostic.help("such as `__CPROVER_forall { int i; 0 <= i && i < 8 ==> a[i] == 0 }`"));
        };
        self.scopes.push();
        if quantified.values == Values::Integers {
            let Some((chosen, chosen_kind)) = self.type_of_range(quantified, variable.name) else {
                self.scopes.pop();
                let text = "the range of a quantifier over integers is not known";
                let help = "write bounds in front, as in `\\forall integer i; 0 <= i < n ==> …` and `\\exists integer i; 0 <= i < n && …`, or give the variable a type of C";
                return self.error_expr(Diagnostic::error("E0360", span, text).help(help));
            };
            (ty, kind) = (chosen, chosen_kind);
        }
        // While the range is looked for, the variable is none whose value is known.
        self.scopes.bind(variable.name, Binding::ProtoParam(ty));
        let mut range = (None, None);
        if let Some(guard) = guard(quantified) {
            self.restrict(&mut range, guard, variable.name, (ty, kind));
        }
        let is_value = |value| self.machine.wrap(kind, value) == value;
        let most = if self.clause.is_open { MAX_VALUES_OF_CLAUSE } else { MAX_VALUES };
        let result = match range {
            (Some(least), Some(greatest))
                if greatest.saturating_sub(least) < most && is_value(least) && is_value(greatest) =>
            {
                self.instances(quantified, variable.name, ty, (least, greatest), span)
            }
            _ => self.ranged(quantified, variable, ty, span),
        };
        self.scopes.pop();
        result
    }

    /// A quantifier whose variable remains.
    fn ranged(&mut self, quantified: &'a ast::Quantified, variable: ast::Ident, ty: TypeId, span: Span) -> Expr {
        let int = self.common.int;
        let Some(func) = self.func.as_ref().map(|func| func.id) else {
            return self.unsupported(QUANTIFIER, "outside of a function", int, span);
        };
        let var = self.new_var(variable, ty, VarKind::Local(func));
        self.scopes.bind(variable.name, Binding::Var(var));
        self.clause.bound.push(var);
        let (guards, said) = match (quantified.quantifier, &quantified.body.kind) {
            (Quantifier::All, ast::ExprKind::Binary(BinaryOp::LogOr, _, said)) if guard(quantified).is_some() => {
                (conjuncts(guard(quantified)), Some(&**said))
            }
            (Quantifier::All, _) => (Vec::new(), Some(&quantified.body)),
            (Quantifier::Some, _) => (conjuncts(Some(&quantified.body)), None),
        };
        let (mut least, mut greatest, mut others) = (None, None, Vec::new());
        for guard in guards {
            match self.bound(guard, (variable.name, var), ty) {
                Some((BinaryOp::Gt | BinaryOp::Ge, bound)) if least.is_none() => least = Some(bound),
                Some((BinaryOp::Lt | BinaryOp::Le, bound)) if greatest.is_none() => greatest = Some(bound),
                _ => others.push(self.condition(guard)),
            }
        }
        let said = said.map(|said| self.condition(said));
        let body = self.joined(quantified.quantifier, others, said, span);
        self.clause.bound.pop();
        if let ExprKind::Unsupported(..) = body.kind {
            return body;
        }
        let whole = Quantified { quantifier: quantified.quantifier, var, least, greatest, body };
        Expr { kind: ExprKind::Quantified(Box::new(whole)), ty: int, span }
    }

    /// What is said of the values in the range: for all, that what was said holds where the other guards do; for some, all.
    fn joined(&self, quantifier: Quantifier, others: Vec<Expr>, said: Option<Expr>, span: Span) -> Expr {
        let int = self.common.int;
        let binary =
            |op, a: Expr, b: Expr| Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty: int, span };
        let guards = others.into_iter().reduce(|a, b| binary(BinaryOp::LogAnd, a, b));
        match (quantifier, guards, said) {
            (Quantifier::All, Some(guards), Some(said)) => {
                let not = Expr { kind: ExprKind::Unary(crate::typed::UnaryOp::Not, Box::new(guards)), ty: int, span };
                binary(BinaryOp::LogOr, not, said)
            }
            (_, Some(e), None) | (_, None, Some(e)) => e,
            (_, Some(a), Some(b)) => binary(BinaryOp::LogAnd, a, b),
            (_, None, None) => self.int_expr(1, int, span),
        }
    }

    /// The bound that a guard is, if it compares the variable, without converting it, with a value that does not depend on it.
    fn bound(&mut self, guard: &'a ast::Expr, (name, var): (Symbol, VarId), ty: TypeId) -> Option<(BinaryOp, Bound)> {
        let ast::ExprKind::Binary(op, a, b) = &guard.kind else { return None };
        let is_variable = |e: &ast::Expr| matches!(e.kind, ast::ExprKind::Ident(found) if found == name);
        let (op, bound) = match (is_variable(a), is_variable(b)) {
            (true, false) => (*op, b),
            (false, true) => (mirrored(*op), a),
            _ => return None,
        };
        let is_included = match op {
            BinaryOp::Lt | BinaryOp::Gt => false,
            BinaryOp::Le | BinaryOp::Ge => true,
            _ => return None,
        };
        let value = self.rvalue_expr(bound);
        if !self.types.is_integer(value.ty) || super::statement::has_effect(&value) || mentions(&value, var) {
            return None;
        }
        if self.clause.is_exact && !self.holds(ty, &value) {
            return None;
        }
        let (_, value, common) = self.usual_conversions(self.int_expr(0, ty, guard.span), value);
        (common == ty).then_some((op, Bound { value, is_included }))
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
            // What is said of one value is evaluated for the others, too: all that it reads has to be there.
            Quantifier::Some if !self.clause.is_open => (BinaryOp::BitOr, self.int_expr(0, int, span)),
            Quantifier::Some => (BinaryOp::LogOr, self.int_expr(0, int, span)),
        };
        for value in least..=greatest {
            let constant = self.constants.push(Constant { value, ty, span });
            self.scopes.bind(variable, Binding::Constant(constant));
            let mut instance = self.condition(&quantified.body);
            if op == BinaryOp::BitOr {
                for _ in 0..2 {
                    let kind = ExprKind::Unary(crate::typed::UnaryOp::Not, Box::new(instance));
                    instance = Expr { kind, ty: int, span };
                }
            }
            let kind = ExprKind::Binary(op, Box::new(whole), Box::new(instance));
            whole = Expr { kind, ty: int, span };
        }
        whole
    }

    /// Whether a type has all values of an integer.
    fn holds(&self, ty: TypeId, e: &Expr) -> bool {
        self.interval_of_type(ty)
            .zip(self.interval(e))
            .is_some_and(|(whole, values)| super::exact::contains(whole, values))
    }

    /// A type that has the bounds of a variable, and so all values between them.
    fn type_of_range(&mut self, quantified: &'a ast::Quantified, name: Symbol) -> Option<(TypeId, IntKind)> {
        let (mut least, mut greatest) = (None, None);
        // What mentions the variable is no bound.
        let whole = self.types.intern(crate::types::Type::Int(IntKind::Int128));
        self.scopes.bind(name, Binding::ProtoParam(whole));
        for guard in conjuncts(guard(quantified)) {
            let ast::ExprKind::Binary(op, a, b) = &guard.kind else { continue };
            let is_variable = |e: &ast::Expr| matches!(e.kind, ast::ExprKind::Ident(found) if found == name);
            let (op, bound) = match (is_variable(a), is_variable(b)) {
                (true, false) => (*op, b),
                (false, true) => (mirrored(*op), a),
                _ => continue,
            };
            let bound = self.type_only(|s| s.rvalue_expr(bound));
            let Some(values) = self.interval(&bound) else { continue };
            let end = match op {
                BinaryOp::Gt | BinaryOp::Ge => &mut least,
                BinaryOp::Lt | BinaryOp::Le => &mut greatest,
                _ => continue,
            };
            *end = end.or(Some(values));
        }
        let (least, greatest) = (least?, greatest?);
        let ty = self.type_for((least.0.min(greatest.0), least.1.max(greatest.1)));
        self.types.int_kind(ty).map(|kind| (ty, kind))
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
        let exact = self.fold_int(&bound).filter(|_| self.clause.is_exact);
        let (_, bound, common) = self.usual_conversions(value, bound);
        let Some(bound) = exact.or_else(|| self.fold_int(&bound)) else { return };
        let (least, greatest) = match op {
            BinaryOp::Lt => (None, bound.checked_sub(1)),
            BinaryOp::Le => (None, Some(bound)),
            BinaryOp::Gt => (bound.checked_add(1), None),
            BinaryOp::Ge => (Some(bound), None),
            BinaryOp::Eq => (Some(bound), Some(bound)),
            _ => return,
        };
        let wraps = exact.is_none() && kind.is_signed() && !self.types.int_kind(common).is_some_and(IntKind::is_signed);
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

/// The conditions of which a condition is the conjunction.
fn conjuncts(e: Option<&ast::Expr>) -> Vec<&ast::Expr> {
    let mut found = Vec::new();
    let mut rest: Vec<&ast::Expr> = e.into_iter().collect();
    while let Some(e) = rest.pop() {
        match &e.kind {
            ast::ExprKind::Binary(BinaryOp::LogAnd, a, b) => rest.extend([&**b, &**a]),
            _ => found.push(e),
        }
    }
    found
}

/// Whether an expression mentions a variable, or may do so.
pub(super) fn mentions(e: &Expr, var: VarId) -> bool {
    let go = |e: &Expr| mentions(e, var);
    match &e.kind {
        ExprKind::Var(found) => *found == var,
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) | ExprKind::String(_) => false,
        ExprKind::Deref(e) | ExprKind::Load(e) | ExprKind::Decay(e) | ExprKind::AddrOf(e) => go(e),
        ExprKind::Cast(e) | ExprKind::Unary(_, e) | ExprKind::Member { base: e, .. } => go(e),
        ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) => go(a) || go(b),
        ExprKind::PtrAdd { ptr: a, index: b, elem_size, .. } | ExprKind::PtrDiff { lhs: a, rhs: b, elem_size } => {
            go(a) || go(b) || matches!(elem_size, Size::Expr(e) if go(e))
        }
        ExprKind::Conditional { cond, then, otherwise } => go(cond) || then.as_deref().is_some_and(go) || go(otherwise),
        ExprKind::Call { callee: Callee::Direct(_), args } => args.iter().any(go),
        ExprKind::Quantified(inner) => {
            let bounds = [&inner.least, &inner.greatest];
            bounds.into_iter().flatten().any(|bound| go(&bound.value)) || go(&inner.body)
        }
        _ => true,
    }
}

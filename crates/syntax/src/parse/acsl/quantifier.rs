//! Quantifiers over one or several variables.

use super::build::{joined, mentions, name_of, negated, type_named};
use super::{Parsed, Parser};
use crate::ast::{
    BinaryOp, Builtin, DeclSpecs, Declaration, Declarator, Expr, ExprKind, InitDeclarator, Quantified, Quantifier,
    Symbol, UnaryOp, Values,
};
use crate::lex::Tok;
use crate::parse::declarator::Naming;
use crate::parse::scope::Class;
use crate::parse::specifier::ImplicitInt;

/// A variable of a quantifier.
struct Bound {
    name: Symbol,
    declaration: Declaration,
    values: Values,
}

/// Which end of a range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Least,
    Greatest,
}

impl Parser<'_> {
    /// What stands behind `\forall` and `\exists`.
    pub(super) fn quantifier(&mut self, quantifier: Quantifier, lo: u32) -> Parsed<Expr> {
        self.scopes.push();
        let bound = self.binders()?;
        self.expect(Tok::Semi)?;
        let body = self.predicate()?;
        self.scopes.pop();
        let span = self.since(lo);
        let names: Vec<Symbol> = bound.iter().map(|bound| bound.name).collect();
        // What limits the outer variables stands in front of the inner quantifiers, too, as far as it does not mention inner variables.
        let mut limits: Vec<Vec<Expr>> = Vec::new();
        for at in 0..names.len().saturating_sub(1) {
            limits.push(self.limits(quantifier, &body, &names, at)?);
        }
        let mut whole = body;
        for (at, Bound { declaration, values, .. }) in bound.into_iter().enumerate().rev() {
            let limit = limits
                .get_mut(at)
                .and_then(|limits| std::mem::take(limits).into_iter().reduce(|a, b| joined(BinaryOp::LogAnd, a, b)));
            let body = match (limit, quantifier) {
                (None, _) => whole,
                (Some(limit), Quantifier::All) => joined(BinaryOp::LogOr, negated(limit), whole),
                (Some(limit), Quantifier::Some) => joined(BinaryOp::LogAnd, limit, whole),
            };
            self.wrap()?;
            let quantified = Quantified { quantifier, variable: declaration, values, body };
            whole = Expr { span, kind: ExprKind::Quantified(Box::new(quantified)) };
        }
        Ok(whole)
    }

    /// `integer i, j, int k`
    fn binders(&mut self) -> Parsed<Vec<Bound>> {
        let mut bound = Vec::new();
        loop {
            let first = self.token();
            if !self.is_type_here(0) {
                return Err(self.expected("the type of a variable"));
            }
            let (specs, values) = if self.starts_type(first) {
                (self.specifiers(ImplicitInt::Forbidden)?, Values::OfType)
            } else {
                self.bump();
                if &self.names[first.name] != "integer" {
                    let help = "quantifiers have variables of type `integer` or of integer types of C";
                    return Err(self.not_read(first.span, "a quantifier over this type", help));
                }
                (type_named(Builtin::Int, Vec::new(), first.span).specs, Values::Integers)
            };
            loop {
                bound.push(self.binder(&specs, values)?);
                if self.kind() != Tok::Comma || self.is_type_here(1) {
                    break;
                }
                self.bump();
            }
            if !self.eat(Tok::Comma) {
                return Ok(bound);
            }
        }
    }

    fn binder(&mut self, specs: &DeclSpecs, values: Values) -> Parsed<Bound> {
        let declarator: Declarator = self.declarator(Naming::Required)?;
        let span = declarator.span;
        let Some(name) = declarator.name else { return Err(self.expected("a name")) };
        self.scopes.declare(name.name, Class::Other);
        let declarators = vec![InitDeclarator { declarator, init: None }];
        Ok(Bound { name: name.name, declaration: Declaration { span, specs: specs.clone(), declarators }, values })
    }

    /// What limits a variable, without variables behind it.
    fn limits(&mut self, quantifier: Quantifier, body: &Expr, names: &[Symbol], at: usize) -> Parsed<Vec<Expr>> {
        let mut guards = Vec::new();
        match (quantifier, &body.kind) {
            (Quantifier::All, ExprKind::Binary(BinaryOp::LogOr, a, _)) => {
                if let ExprKind::Unary(UnaryOp::Not, guard) = &a.kind {
                    conjuncts(guard, &mut guards);
                }
            }
            (Quantifier::All, _) => {}
            (Quantifier::Some, _) => conjuncts(body, &mut guards),
        }
        let mut found = Vec::new();
        for end in [End::Least, End::Greatest] {
            let Some((op, value)) = limit(&guards, names, (at, at), end) else { continue };
            let variable = Expr { span: value.span, kind: ExprKind::Ident(names[at]) };
            let value = self.copy(value)?;
            found.push(joined(op, variable, value));
        }
        Ok(found)
    }
}

fn conjuncts<'e>(e: &'e Expr, found: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::Binary(BinaryOp::LogAnd, a, b) => {
            conjuncts(a, found);
            conjuncts(b, found);
        }
        _ => found.push(e),
    }
}

/// The end of the range of the variable at `at`, seen from the one at `outer`: over variables behind that one, until there is a value without them.
fn limit<'e>(
    guards: &[&'e Expr],
    names: &[Symbol],
    (outer, at): (usize, usize),
    end: End,
) -> Option<(BinaryOp, &'e Expr)> {
    let later = &names[outer + 1..];
    for guard in guards {
        let ExprKind::Binary(op, a, b) = &guard.kind else { continue };
        let (op, value) = match () {
            () if name_of(a) == Some(names[at]) => (*op, &**b),
            () if name_of(b) == Some(names[at]) => (mirrored(*op), &**a),
            () => continue,
        };
        let fits = match end {
            End::Least => matches!(op, BinaryOp::Gt | BinaryOp::Ge),
            End::Greatest => matches!(op, BinaryOp::Lt | BinaryOp::Le),
        };
        if !fits || mentions(value, names[outer]) {
            continue;
        }
        if !later.iter().any(|name| mentions(value, *name)) {
            return Some((op, value));
        }
        // Only variables further behind, so that this ends.
        let next = names.iter().position(|name| name_of(value) == Some(*name)).filter(|next| *next > at);
        if let Some((next_op, value)) = next.and_then(|next| limit(guards, names, (outer, next), end)) {
            let is_strict = |op| matches!(op, BinaryOp::Lt | BinaryOp::Gt);
            return Some((if is_strict(op) { op } else { next_op }, value));
        }
    }
    None
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        op => op,
    }
}

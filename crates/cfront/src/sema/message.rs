//! Reporting: errors, warnings, and names that were perhaps meant.

use super::{MAX_ERRORS, MAX_WARNINGS, Sema};
use crate::typed::{Expr, ExprKind};
use crate::types::{Type, TypeId};
use base::{Diagnostic, Span};
use syntax::ast::Symbol;

impl Sema<'_> {
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(diagnostic);
        }
    }

    /// Reports an error and returns an expression that causes no further ones.
    pub(super) fn error_expr(&mut self, diagnostic: Diagnostic) -> Expr {
        let span = diagnostic.span.unwrap_or(Span::NONE);
        self.error(diagnostic);
        self.poison(span)
    }

    /// An expression of erroneous or unknown type.
    pub(super) fn poison(&self, span: Span) -> Expr {
        Expr { kind: ExprKind::Unsupported("error".into(), String::new()), ty: self.common.error, span }
    }

    /// An expression that is not modelled.
    pub(super) fn unsupported(&self, construct: &str, detail: impl Into<String>, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Unsupported(construct.into(), detail.into()), ty, span }
    }

    /// An expression of a type that is not modelled, made of `e`.
    pub(super) fn unsupported_operand(&self, e: &Expr, ty: TypeId, span: Span) -> Expr {
        if let ExprKind::Unsupported(construct, detail) = &e.kind {
            return Expr { kind: ExprKind::Unsupported(construct.clone(), detail.clone()), ty, span };
        }
        let name = match (self.types.get(e.ty), self.types.get(ty)) {
            (Type::Unsupported(name), _) | (_, Type::Unsupported(name)) => name.to_string(),
            _ => String::new(),
        };
        self.unsupported("type", name, ty, span)
    }

    pub(super) fn warning(&mut self, code: &'static str, span: Span, message: impl FnOnce(&Self) -> String) {
        if self.warnings.len() < MAX_WARNINGS {
            let text = message(self);
            self.warnings.push(Diagnostic::warning(code, span, text));
        }
    }

    /// The visible name that is most like `symbol`, if one is like it at all.
    pub(super) fn similar_name(&self, symbol: Symbol) -> Option<&str> {
        let candidates = self.scopes.bound().filter(|s| *s != symbol).map(|s| &self.names[s]);
        most_similar(&self.names[symbol], candidates)
    }
}

/// The candidate with the smallest edit distance, at most a third of the length.
pub(super) fn most_similar<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = (name.len() / 3).max(1);
    let mut best = None;
    for candidate in candidates {
        if candidate.len().abs_diff(name.len()) > limit || name.len() < 2 {
            continue;
        }
        let distance = edit_distance(name.as_bytes(), candidate.as_bytes());
        if distance <= limit && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Levenshtein's distance.
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

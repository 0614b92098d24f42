//! What conditions say about registers.

use super::state::Octagons;
use super::sum::is_related;
use crate::numerical::{Bottom, Cell, Scope};
use cfa::{BinOp, ExprId, ExprKind, Scalar, UnOp};
use std::collections::BTreeSet;

/// Conditions are not looked into deeper than this.
const MAX_DEPTH: u32 = 24;

impl Octagons {
    /// Restricts the state to runs on which a condition has this truth value.
    ///
    /// # Errors
    /// If there are none.
    pub fn assume(&mut self, scope: Scope<'_>, cond: ExprId, truth: bool) -> Result<(), Bottom> {
        self.assume_at(scope, cond, truth, 0)
    }

    fn assume_at(&mut self, scope: Scope<'_>, cond: ExprId, truth: bool, depth: u32) -> Result<(), Bottom> {
        let exprs = &scope.program.exprs;
        match exprs.kind(cond) {
            _ if depth > MAX_DEPTH => scope.assume(&mut self.env, cond, truth),
            ExprKind::Unary(UnOp::Not, a) => self.assume_at(scope, a, !truth, depth + 1),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                if truth == (op == BinOp::And) {
                    self.assume_at(scope, a, truth, depth + 1)?;
                    return self.assume_at(scope, b, truth, depth + 1);
                }
                // One of them has the truth value.
                let mut other = self.clone();
                match (self.assume_at(scope, a, truth, depth + 1), other.assume_at(scope, b, truth, depth + 1)) {
                    (Ok(()), Ok(())) => *self = self.join(&other),
                    (Ok(()), Err(Bottom)) => {}
                    (Err(Bottom), Ok(())) => *self = other,
                    (Err(Bottom), Err(Bottom)) => return Err(Bottom),
                }
                Ok(())
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                if let Some((inner, truth)) = self.truth_value(scope, (op, a, b), truth) {
                    return self.assume_at(scope, inner, truth, depth + 1);
                }
                scope.assume(&mut self.env, cond, truth)?;
                self.settle(registers(scope, cond))?;
                if is_related(exprs.ty(a)) { self.compare(scope, (op, a, b), truth) } else { Ok(()) }
            }
            _ => scope.assume(&mut self.env, cond, truth),
        }
    }

    /// A truth value as a number that is compared with zero or one: the condition, and its truth value.
    fn truth_value(
        &self,
        scope: Scope<'_>,
        (op, a, b): (BinOp, ExprId, ExprId),
        truth: bool,
    ) -> Option<(ExprId, bool)> {
        let exprs = &scope.program.exprs;
        let is_equal = match op {
            BinOp::Eq => truth,
            BinOp::Ne => !truth,
            _ => return None,
        };
        [(a, b), (b, a)].into_iter().find_map(|(side, other)| {
            let ExprKind::Cast(inner) = exprs.kind(side) else { return None };
            let number = scope.eval(&self.env, other).as_single().filter(|n| *n == 0 || *n == 1)?;
            (exprs.ty(inner) == Scalar::Bool).then_some((inner, (number == 1) == is_equal))
        })
    }

    /// Uses the difference of the sides, which is one of integers.
    fn compare(&mut self, scope: Scope<'_>, (op, a, b): (BinOp, ExprId, ExprId), truth: bool) -> Result<(), Bottom> {
        let difference = self.sum(scope, a).plus(-self.sum(scope, b));
        let (lo, hi) = self.bounds(&difference);
        match (op, truth) {
            (BinOp::Lt, true) | (BinOp::Ge, false) => self.at_most(&difference, -1),
            (BinOp::Le, true) | (BinOp::Gt, false) => self.at_most(&difference, 0),
            (BinOp::Gt, true) | (BinOp::Le, false) => self.at_most(&-difference, -1),
            (BinOp::Ge, true) | (BinOp::Lt, false) => self.at_most(&-difference, 0),
            (BinOp::Eq, true) | (BinOp::Ne, false) => {
                self.at_most(&difference, 0)?;
                self.at_most(&-difference, 0)
            }
            _ if hi <= 0 => self.at_most(&difference, -1),
            _ if lo >= 0 => self.at_most(&-difference, -1),
            _ => Ok(()),
        }
    }
}

/// The registers of an expression.
fn registers(scope: Scope<'_>, expr: ExprId) -> BTreeSet<Cell> {
    let mut found = BTreeSet::new();
    scope.program.exprs.walk(expr, |_, e| {
        if let ExprKind::Var(var) = e.kind {
            found.extend(scope.register(var));
        }
    });
    found
}

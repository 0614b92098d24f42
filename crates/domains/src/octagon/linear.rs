//! Expressions as sums: registers, each added or subtracted, and a number between two bounds.
//!
//! A sum is one of integers. A result that may wrap around in its type, and what is no sum, is the numbers that it may have; so is what
//! memory holds.

use super::state::Octagons;
use super::sum::{Sum, Term, is_related};
use crate::numerical::number::range;
use crate::numerical::{Num, Scope};
use cfa::{BinOp, ExprId, ExprKind, UnOp};

/// Most terms of an expression.
const MAX_TERMS: usize = 2;
/// Expressions are not looked into deeper than this.
const MAX_DEPTH: u32 = 24;

impl Octagons {
    /// The expression as a sum of integers.
    pub fn sum(&self, scope: Scope<'_>, expr: ExprId) -> Sum {
        self.sum_at(scope, expr, 0)
    }

    fn sum_at(&self, scope: Scope<'_>, expr: ExprId, depth: u32) -> Sum {
        let exprs = &scope.program.exprs;
        let cfa::Expr { kind, ty } = exprs.get(expr);
        let go = |e: ExprId| self.sum_at(scope, e, depth + 1);
        let found = match kind {
            _ if depth > MAX_DEPTH || !is_related(ty) => None,
            ExprKind::Var(var) => scope.register(var).map(Sum::of_cell),
            ExprKind::Cast(a) if is_related(exprs.ty(a)) => Some(go(a)),
            ExprKind::Unary(UnOp::Neg, a) => Some(-go(a)),
            ExprKind::Binary(BinOp::Add, a, b) => Some(go(a).plus(go(b))),
            ExprKind::Binary(BinOp::Sub, a, b) => Some(go(a).plus(-go(b))),
            _ => None,
        };
        let (least, greatest) = range(ty);
        let fits = |sum: &Sum| {
            let (lo, hi) = self.bounds(sum);
            least <= lo && hi <= greatest
        };
        match found.map(|sum| self.shortened(sum)).filter(fits) {
            Some(sum) => sum,
            None => scope.eval(&self.env, expr).into(),
        }
    }

    /// With at most two terms: the bounds of others are added, of those first of which most is known.
    fn shortened(&self, mut sum: Sum) -> Sum {
        let width = |term: &Term| {
            let Num { lo, hi, .. } = self.env.get(term.cell);
            hi - lo
        };
        while sum.terms.len() > MAX_TERMS {
            let Some(at) = (0..sum.terms.len()).min_by_key(|i| width(&sum.terms[*i])) else { break };
            let term = sum.terms.remove(at);
            sum.lo += self.lower(&[term]);
            sum.hi += self.upper(&[term]);
        }
        sum
    }

    /// The least and the greatest number that a sum may be.
    pub fn bounds(&self, sum: &Sum) -> (i128, i128) {
        (sum.lo + self.lower(&sum.terms), sum.hi + self.upper(&sum.terms))
    }
}

//! Expressions as sums: registers, each added or subtracted, and a number between two bounds.
//!
//! A sum is one of integers. A result that may wrap around in its type, and what is no sum, is the numbers that it may have; so is what
//! memory holds. A half keeps its terms: the middle of two registers lies between them.

use super::state::Octagons;
use super::sum::{Sum, Term, is_related};
use crate::numerical::number::{number, range};
use crate::numerical::{Num, Scope};
use cfa::{BinOp, ExprId, ExprKind, Program, UnOp};

/// Most terms of an expression, for each part of its divisor.
const MAX_TERMS: i128 = 2;
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
            ExprKind::Binary(op, ..) => dividend_of_half(scope.program, expr).and_then(|a| self.half(op, go(a))),
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

    /// Half of a sum, rounded as the operator does it.
    fn half(&self, op: BinOp, sum: Sum) -> Option<Sum> {
        let (lo, hi) = self.bounds(&sum);
        // Division rounds towards zero, a shift down.
        let less = op == BinOp::Shr || hi > 0;
        let more = op == BinOp::Div && lo < 0;
        sum.halved((less.into(), more.into())).filter(|half| !half.terms.is_empty())
    }

    /// With few terms: the bounds of others are added, of those first of which most is known.
    fn shortened(&self, mut sum: Sum) -> Sum {
        let width = |term: &Term| {
            let Num { lo, hi, .. } = self.env.get(term.cell);
            hi - lo
        };
        while sum.terms.len() as i128 > MAX_TERMS * sum.divisor {
            let Some(at) = (0..sum.terms.len()).min_by_key(|i| width(&sum.terms[*i])) else { break };
            let term = sum.terms.remove(at);
            sum.lo += self.lower(&[term]);
            sum.hi += self.upper(&[term]);
        }
        sum
    }

    /// The least and the greatest number that a sum may be.
    pub fn bounds(&self, sum: &Sum) -> (i128, i128) {
        let Sum { terms, lo, hi, divisor } = sum;
        (-(-lo - self.lower(terms)).div_euclid(*divisor), (hi + self.upper(terms)).div_euclid(*divisor))
    }
}

/// What is halved, if an expression is a half.
pub fn dividend_of_half(program: &Program, expr: ExprId) -> Option<ExprId> {
    let ExprKind::Binary(op, a, by) = program.exprs.kind(expr) else { return None };
    let half = match op {
        BinOp::Div => 2,
        BinOp::Shr => 1,
        _ => return None,
    };
    let (by, ty) = (program.exprs.as_const(by)?, program.exprs.ty(by));
    (is_related(ty) && number(by, ty) == half).then_some(a)
}

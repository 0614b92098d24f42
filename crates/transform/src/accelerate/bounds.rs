//! Step 3: bounds on the number of iterations under which the conditions of a path hold [kroening13, kroening15].
//!
//! [`bound`] tells in a formula without quantifiers over the values at the head and `n` that a condition holds in each of
//! `n` iterations:
//!
//! * what does not change is asked once; what depends on inputs only is asked for the inputs;
//! * a comparison of linear forms holds at the first and the last iteration and neither side leaves its range in between (β of the
//!   paper), or it holds for all values of a side;
//! * `a ≠ b` with a constant difference per step: the number of the first iteration in which they meet is computed in the ring.
//!
//! Conditions at moving places are left to [`super::moving`].

use crate::accelerate::closed::{ClosedForms, Form, Span};
use crate::accelerate::linear::is_integral;
use crate::accelerate::slopes::{Approach, Failure, Growing, Slope, extreme, no_wrap, slope};
use crate::exprs::{Exprs, Literal, Map, variables};
use cfa::{BinOp, ExprId, ExprKind, UnOp};
use smt::value::{mask, to_signed};

/// A condition in each of some iterations.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// It holds in all of them.
    pub holds: ExprId,
    /// Whether that is a conjunction of conditions on all iterations.
    pub is_conjunctive: bool,
    /// The condition, if it reads memory at moving places and has to be told iteration by iteration.
    pub iterated: Option<Literal>,
}

impl Bound {
    fn new(holds: ExprId) -> Self {
        Self { holds, is_conjunctive: true, iterated: None }
    }
}

/// A condition holds in all iterations, or in all but the first, which have the inputs of early ones.
///
/// # Errors
/// Why there is no such formula.
pub fn bound(e: &Exprs<'_>, closed: &ClosedForms, literal: Literal, span: Span) -> Result<Bound, Failure> {
    let Literal { cond, truth } = literal;
    let is_moving = closed.path.is_moving_load(&e.pool(), cond);
    match e.kind(cond) {
        ExprKind::Const(c) => return Ok(Bound::new(e.truth((c.0 != 0) == truth))),
        ExprKind::Unary(UnOp::Not, inner) => {
            return bound(e, closed, Literal { cond: inner, truth: !truth }, span);
        }
        ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) if !is_moving => {
            let [x, y] = [a, b].map(|cond| bound(e, closed, Literal { cond, truth }, span));
            let (x, y) = (x?, y?);
            let both = (op == BinOp::And) == truth;
            return Ok(Bound {
                holds: if both { e.and(x.holds, y.holds) } else { e.or(x.holds, y.holds) },
                is_conjunctive: both && x.is_conjunctive && y.is_conjunctive,
                iterated: None,
            });
        }
        _ if is_moving && span == Span::Early => return Err(Failure::Form),
        _ if is_moving => return Ok(Bound { iterated: Some(literal), ..Bound::new(e.truth(true)) }),
        _ => {}
    }
    let now = if truth { cond } else { e.unary(UnOp::Not, cond) };
    match (Dependence::of(e, closed, cond)?, span) {
        (Dependence { last: false, input: false, change: false }, _) => Ok(Bound::new(now)),
        (Dependence { last: false, input: false, change: true }, _) => comparison(e, closed, literal, span),
        (Dependence { last: false, input: true, change: false }, _) => {
            let before = e.substitute(now, &closed.early_values(e));
            Ok(Bound::new(match span {
                Span::Early => before,
                Span::Whole => e.and(now, e.or(only_one(e, closed), before)),
            }))
        }
        (Dependence { last: true, input: false, .. }, Span::Whole) => {
            // In the first iteration as it is; afterwards, what the iteration before has computed.
            let updates: Map = closed.path.updates.iter().map(|(var, value)| (*var, *value)).collect();
            let next = e.substitute(cond, &updates);
            if next == cond {
                return Err(Failure::Form);
            }
            let later = bound(e, closed, Literal { cond: next, truth }, Span::Early)?;
            let holds = e.and(now, e.or(only_one(e, closed), later.holds));
            // What holds from the second iteration on does not add up by itself.
            Ok(Bound { holds, is_conjunctive: false, iterated: None })
        }
        // One level of values of the iteration before is enough for what programs do.
        _ => Err(Failure::Form),
    }
}

/// What a condition depends on.
struct Dependence {
    /// Inputs.
    input: bool,
    /// Values that the iteration before has computed.
    last: bool,
    /// Other values that change.
    change: bool,
}

impl Dependence {
    fn of(e: &Exprs<'_>, closed: &ClosedForms, cond: ExprId) -> Result<Self, Failure> {
        let mut found = Self { input: false, last: false, change: false };
        for var in variables(&e.pool(), cond) {
            found.input |= closed.path.is_input(var);
            match closed.forms.get(&var) {
                Some(Form::Last(_)) => found.last = true,
                Some(_) => found.change = true,
                None if closed.path.changes(var) => return Err(Failure::Form),
                None => {}
            }
        }
        Ok(found)
    }
}

/// There is only one iteration.
fn only_one(e: &Exprs<'_>, closed: &ClosedForms) -> ExprId {
    e.at_most(closed.n, closed.number(e, 1))
}

/// The bound of a comparison of linear forms.
fn comparison(e: &Exprs<'_>, closed: &ClosedForms, literal: Literal, span: Span) -> Result<Bound, Failure> {
    let Compared { op, a, b } = compared(e, literal).ok_or(Failure::Form)?;
    let (ty, width) = (e.ty(a), e.width(a));
    let (x, y) = (slope(e, closed, a, width)?, slope(e, closed, b, width)?);
    let n = match span {
        Span::Whole => closed.n,
        Span::Early => closed.before(e, closed.n),
    };
    let mut result = e.binary(op, a, b);
    let mut ranges: Vec<Growing> = x.within.iter().chain(&y.within).copied().collect();
    let difference = x.by.wrapping_sub(y.by) & mask(width);
    match op {
        BinOp::Eq | BinOp::Ne if difference == 0 => {}
        BinOp::Eq => result = e.and(result, e.at_most(n, closed.number(e, 1))),
        BinOp::Ne => result = e.and(result, Approach { a, b, by: difference }.never_meet(e, n)),
        _ if x.by == 0 && y.by == 0 => {}
        _ => {
            let last = closed.before(e, n);
            let at_last = |side| closed.at(e, side, last, Span::Early).ok_or(Failure::Form);
            result = e.and(result, e.binary(op, at_last(a)?, at_last(b)?));
            let sides = [(a, &x), (b, &y)].into_iter().filter(|(_, slope)| slope.by != 0);
            let is_signed = ty.is_signed();
            ranges.extend(sides.map(|(expr, slope)| Growing { expr, is_signed, by: to_signed(width, slope.by) }));
        }
    }
    for range in ranges {
        result = e.and(result, no_wrap(e, range, n));
    }
    let always = always(e, Compared { op, a, b }, &x, &y);
    Ok(Bound::new(always.map_or(result, |always| e.or(always, result))))
}

/// A comparison of numbers or addresses that holds.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// The comparison.
    pub op: BinOp,
    /// Its left side.
    pub a: ExprId,
    /// Its right side.
    pub b: ExprId,
}

/// The comparison that a literal is.
pub fn compared(e: &Exprs<'_>, Literal { cond, truth }: Literal) -> Option<Compared> {
    let ExprKind::Binary(op, a, b) = e.kind(cond) else { return None };
    if !op.is_comparison() || !is_integral(e.ty(a)) {
        return None;
    }
    let op = match op {
        _ if truth => op,
        BinOp::Eq => BinOp::Ne,
        BinOp::Ne => BinOp::Eq,
        BinOp::Lt => BinOp::Ge,
        BinOp::Le => BinOp::Gt,
        BinOp::Gt => BinOp::Le,
        BinOp::Ge => BinOp::Lt,
        _ => return None,
    };
    Some(Compared { op, a, b })
}

/// The condition under which a comparison holds whatever the moving side is.
fn always(e: &Exprs<'_>, Compared { op, a, b }: Compared, x: &Slope, y: &Slope) -> Option<ExprId> {
    let (fixed, highest) = match (op, x.by == 0, y.by == 0) {
        (BinOp::Le, false, true) => (b, true),
        (BinOp::Ge, false, true) => (b, false),
        (BinOp::Le, true, false) => (a, false),
        (BinOp::Ge, true, false) => (a, true),
        _ => return None,
    };
    let ty = e.ty(a);
    let extreme = extreme(e.width(a), ty.is_signed(), highest);
    Some(e.binary(BinOp::Eq, fixed, e.number(extreme, ty)))
}

//! Step 3, its means: by how much expressions grow with each iteration, and for how many iterations they do so.

use crate::accelerate::closed::{ClosedForms, Form};
use crate::accelerate::linear::{Linear, is_integral};
use crate::exprs::{Exprs, unsigned, variables};
use cfa::{BinOp, ExprId, ExprKind, VarId};
use smt::value::{mask, to_signed};

/// Why a path has no accelerator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It has no closed form of a kind that is known.
    Form,
    /// It would have one if this register had a fixed value.
    Symbolic(VarId),
}

/// An expression that must keep its range while it grows by `by` in each iteration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Growing {
    /// Its value at the head.
    pub expr: ExprId,
    /// Whether it is a signed number.
    pub is_signed: bool,
    /// What an iteration adds.
    pub by: i128,
}

/// By how much an expression grows with each iteration.
#[derive(Clone, Debug)]
pub struct Slope {
    /// What an iteration adds, modulo 2^width.
    pub by: u128,
    /// Parts that must keep their ranges for that.
    pub within: Vec<Growing>,
}

/// The slope of an expression cut to some width.
pub fn slope(e: &Exprs<'_>, closed: &ClosedForms, expr: ExprId, width: u32) -> Result<Slope, Failure> {
    let mut slope = Slope { by: 0, within: Vec::new() };
    for (atom, times) in Linear::of(e, expr, width).terms {
        if closed.path.is_invariant(&e.pool(), atom) {
            continue;
        }
        let step = match e.kind(atom) {
            ExprKind::Var(var) => match closed.forms.get(&var) {
                Some(Form::Linear(step)) => e.as_const(*step).ok_or_else(|| symbolic(e, *step))?.0,
                _ => return Err(Failure::Form),
            },
            ExprKind::Cast(inner) if is_integral(e.ty(inner)) => {
                let narrow = e.width(inner);
                let below = self::slope(e, closed, inner, narrow)?;
                let step = to_signed(narrow, below.by);
                slope.within.extend(below.within);
                if step != 0 {
                    slope.within.push(Growing { expr: inner, is_signed: e.ty(inner).is_signed(), by: step });
                }
                step as u128
            }
            _ => return Err(Failure::Form),
        };
        slope.by = slope.by.wrapping_add(times.wrapping_mul(step));
    }
    slope.by &= mask(width);
    Ok(slope)
}

/// The only register that a step depends on.
fn symbolic(e: &Exprs<'_>, step: ExprId) -> Failure {
    match variables(&e.pool(), step)[..] {
        [var] => Failure::Symbolic(var),
        _ => Failure::Form,
    }
}

/// A growing expression does not leave its range in `n` iterations.
pub fn no_wrap(e: &Exprs<'_>, Growing { expr, is_signed, by }: Growing, n: ExprId) -> ExprId {
    let (counter, width) = (e.ty(n), e.width(expr));
    let ty = unsigned(width);
    let (start, end) = (e.cast(expr, ty), e.number(extreme(width, is_signed, by > 0), ty));
    let room = e.cast(if by > 0 { e.minus(end, start) } else { e.minus(start, end) }, counter);
    if by.unsigned_abs() == 1 {
        return e.at_most(n, room);
    }
    // The product does not overflow when the count is at most 2^width.
    let few = e.at_most(n, e.number(1 << width.min(e.width(n) - 2), counter));
    let way = e.times(n, e.number(by.unsigned_abs(), counter));
    e.and(few, e.at_most(way, room))
}

/// Two expressions of the same width that grow by different numbers.
#[derive(Clone, Copy, Debug)]
pub struct Approach {
    /// One.
    pub a: ExprId,
    /// The other.
    pub b: ExprId,
    /// By how much more `a` grows, modulo 2^width; not zero.
    pub by: u128,
}

impl Approach {
    fn distance(self, e: &Exprs<'_>) -> ExprId {
        let ty = unsigned(e.width(self.a));
        e.minus(e.cast(self.b, ty), e.cast(self.a, ty))
    }

    /// The first iteration in which both are the same, if there is one: the smallest `j` with `j · by = b - a`.
    pub fn meeting(self, e: &Exprs<'_>) -> ExprId {
        let (width, zeros) = (e.width(self.a), self.by.trailing_zeros());
        let rest = mask(width - zeros);
        let inverse = inverse(self.by >> zeros) & rest;
        let distance = self.distance(e);
        let number = |n| e.number(n, unsigned(width));
        if zeros == 0 {
            return e.times(distance, number(inverse));
        }
        let reduced = e.binary(BinOp::Shr, distance, number(u128::from(zeros)));
        e.binary(BinOp::BitAnd, e.times(reduced, number(inverse)), number(rest))
    }

    /// They differ in each of the first `n` iterations.
    pub fn never_meet(self, e: &Exprs<'_>, n: ExprId) -> ExprId {
        let before = e.at_most(n, e.cast(self.meeting(e), e.ty(n)));
        let zeros = self.by.trailing_zeros();
        if zeros == 0 {
            return before;
        }
        let number = |n| e.number(n, unsigned(e.width(self.a)));
        let rest = e.binary(BinOp::BitAnd, self.distance(e), number(mask(zeros)));
        e.or(e.binary(BinOp::Ne, rest, number(0)), before)
    }
}

/// The bits of the highest or the lowest number of a type.
pub fn extreme(width: u32, is_signed: bool, highest: bool) -> u128 {
    match (highest, is_signed) {
        (true, true) => mask(width) >> 1,
        (true, false) => mask(width),
        (false, true) => 1 << (width - 1),
        (false, false) => 0,
    }
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration.
fn inverse(odd: u128) -> u128 {
    (0..7).fold(odd, |x, _| x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x))))
}

//! After how many iterations of an accelerated path one of its conditions fails, for paths around the loop.
//!
//! A comparison of linear forms fails when the distance of its sides is used up. The number is one over the values at the head; it is right as
//! long as nothing wraps around, which is what the bound of the accelerator says. Nothing here is trusted: see [`super::inner`].

use crate::accelerate::accelerator::Accelerator;
use crate::accelerate::bounds::{Compared, compared};
use crate::accelerate::confirm::{AcceleratedLoop, Confirmed};
use crate::accelerate::inner::Passable;
use crate::accelerate::slopes::{Approach, slope};
use crate::exprs::{Exprs, Literal, unsigned};
use cfa::{BinOp, ExprId, ExprKind, Program, UnOp};
use smt::value::{mask, to_signed};

/// The accelerators of a loop that paths around it may take: those that do not depend on what the environment chooses and leave memory
/// as it is.
pub fn passable(program: &mut Program, found: &AcceleratedLoop) -> Vec<Passable> {
    let e = Exprs::of(program);
    let see = |(place, Confirmed { accelerator, .. }): (usize, &Confirmed)| {
        let path = &accelerator.closed.path;
        let is_passable = path.inputs.is_empty() && accelerator.repeat.is_none() && path.assumed.is_none();
        is_passable.then(|| Passable {
            place,
            path: path.clone(),
            count: accelerator.closed.count,
            bound: accelerator.bound,
            updates: accelerator.updates.clone(),
            trips: path.decisions.iter().map(|decision| trips(&e, accelerator, decision.literal)).collect(),
        })
    };
    found.accelerators.iter().enumerate().filter_map(see).collect()
}

/// The number of iterations after which a literal that holds on the path does not hold.
fn trips(e: &Exprs<'_>, acc: &Accelerator, mut literal: Literal) -> Option<ExprId> {
    while let ExprKind::Unary(UnOp::Not, inner) = e.kind(literal.cond) {
        literal = Literal { cond: inner, truth: !literal.truth };
    }
    let Compared { op, a, b } = compared(e, literal)?;
    let (width, counter) = (e.width(a), acc.closed.counter);
    let [x, y] = [a, b].map(|side| slope(e, &acc.closed, side, width));
    let speed = x.ok()?.by.wrapping_sub(y.ok()?.by) & mask(width);
    if speed == 0 {
        return None;
    }
    // The distance that is left, and what each iteration uses up of it.
    let (from, to, step) = match op {
        BinOp::Eq => return Some(e.number(1, counter)),
        BinOp::Ne => return Some(e.cast(Approach { a, b, by: speed }.meeting(e), counter)),
        BinOp::Lt | BinOp::Le => (a, b, to_signed(width, speed)),
        _ => (b, a, -to_signed(width, speed)),
    };
    let step = u128::try_from(step).ok().filter(|step| *step > 0)?;
    let bits = unsigned(width);
    let distance = e.cast(e.minus(e.cast(to, bits), e.cast(from, bits)), counter);
    let whole = |distance| e.binary(BinOp::Div, distance, e.number(step, counter));
    Some(match op {
        // Rounded up: the iteration that reaches the end counts.
        BinOp::Lt | BinOp::Gt => whole(e.plus(distance, e.number(step - 1, counter))),
        _ => e.plus(whole(distance), e.number(1, counter)),
    })
}

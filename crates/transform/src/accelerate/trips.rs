//! After how many iterations of an accelerated path one of its conditions fails.
//!
//! A comparison of linear forms fails when the distance of its sides is used up. The number is one over the values at the head; it is right as
//! long as nothing wraps around, which is what the bound of the accelerator says. Nothing here is trusted: see [`super::nests`].

use crate::accelerate::bounds::negated;
use crate::accelerate::closed::{Accelerator, Closer};
use crate::accelerate::exprs::{binary, cast, constant};
use crate::accelerate::linear::{mask, signed};
use cfa::{BinOp, ExprId, ExprKind, Program, Scalar, UnOp};

/// The number of iterations after which a condition of the path, which has the value `truth` on it, has the other one.
pub fn trips(program: &mut Program, acc: &Accelerator, mut cond: ExprId, mut truth: bool) -> Option<ExprId> {
    while let ExprKind::Unary(UnOp::Not, inner) = program.exprs.kind(cond) {
        (cond, truth) = (inner, !truth);
    }
    let ExprKind::Binary(op, a, b) = program.exprs.kind(cond) else { return None };
    let ty = program.exprs.ty(a);
    if !op.is_comparison() || !(ty.is_int() || ty == Scalar::Ptr) {
        return None;
    }
    let op = if truth { op } else { negated(op)? };
    let pointer = program.pointer_bits();
    let width = ty.bits(pointer);
    let counter = program.vars[acc.count].register()?;
    let mut closer = Closer::again(program, acc);
    let [x, y] = [a, b].map(|side| closer.slope(side, width, &mut Vec::new()));
    let speed = x.ok()?.wrapping_sub(y.ok()?) & mask(width);
    if speed == 0 {
        return None;
    }
    // The distance that is left, and what each iteration uses up of it.
    let (from, to, step) = match op {
        BinOp::Eq => return Some(constant(&mut program.exprs, 1, counter, pointer)),
        BinOp::Ne => {
            let meeting = closer.meeting((a, b), speed, width);
            return Some(cast(&mut program.exprs, meeting, counter));
        }
        BinOp::Lt | BinOp::Le => (a, b, signed(speed, width)),
        BinOp::Gt | BinOp::Ge => (b, a, -signed(speed, width)),
        _ => return None,
    };
    let step = u128::try_from(step).ok().filter(|step| *step > 0)?;
    let pool = &mut program.exprs;
    let unsigned = Scalar::Int { bits: width as u16, signed: false };
    let (from, to) = (cast(pool, from, unsigned), cast(pool, to, unsigned));
    let distance = binary(pool, BinOp::Sub, to, from);
    let distance = cast(pool, distance, counter);
    let [step, most, one] = [step, step - 1, 1].map(|n| constant(pool, n, counter, pointer));
    Some(match op {
        // Rounded up: the iteration that reaches the end counts.
        BinOp::Lt | BinOp::Gt => {
            let distance = binary(pool, BinOp::Add, distance, most);
            binary(pool, BinOp::Div, distance, step)
        }
        _ => {
            let full = binary(pool, BinOp::Div, distance, step);
            binary(pool, BinOp::Add, full, one)
        }
    })
}

//! Evaluates operators on constants, by the semantics of SMT-LIB. Constructors and the evaluator share it.

use crate::float;
use crate::sort::FloatSort;
use crate::term::{BinOp, UnOp};
use crate::value::{Value, mask, to_signed};
use std::cmp::Ordering;

/// Quotient of unsigned numbers.
fn udiv(width: u32, a: u128, b: u128) -> u128 {
    a.checked_div(b).unwrap_or_else(|| mask(width))
}

fn urem(a: u128, b: u128) -> u128 {
    a.checked_rem(b).unwrap_or(a)
}

/// Magnitude and sign of a two's complement number.
fn magnitude(width: u32, a: u128) -> (u128, bool) {
    let signed = to_signed(width, a);
    (signed.unsigned_abs(), signed < 0)
}

fn negate_if(negative: bool, a: u128) -> u128 {
    if negative { a.wrapping_neg() } else { a }
}

/// A bit-vector operator with two arguments of one width and a result of that width; `None` for other operators.
pub(crate) fn bv_bin(op: BinOp, width: u32, a: u128, b: u128) -> Option<u128> {
    let distance = u32::try_from(b).unwrap_or(u32::MAX);
    let result = match op {
        BinOp::BvAdd => a.wrapping_add(b),
        BinOp::BvSub => a.wrapping_sub(b),
        BinOp::BvMul => a.wrapping_mul(b),
        BinOp::BvUdiv => udiv(width, a, b),
        BinOp::BvUrem => urem(a, b),
        BinOp::BvSdiv => {
            let ((ma, na), (mb, nb)) = (magnitude(width, a), magnitude(width, b));
            negate_if(na != nb, udiv(width, ma, mb))
        }
        BinOp::BvSrem => {
            let ((ma, na), (mb, _)) = (magnitude(width, a), magnitude(width, b));
            negate_if(na, urem(ma, mb))
        }
        BinOp::BvAnd => a & b,
        BinOp::BvOr => a | b,
        BinOp::BvXor => a ^ b,
        BinOp::BvShl => a.checked_shl(distance).unwrap_or(0),
        BinOp::BvLshr => a.checked_shr(distance).unwrap_or(0),
        BinOp::BvAshr => (to_signed(width, a) >> distance.min(127)) as u128,
        _ => return None,
    };
    Some(result & mask(width))
}

/// A comparison of bit-vectors; `None` for other operators.
pub(crate) fn bv_cmp(op: BinOp, width: u32, a: u128, b: u128) -> Option<bool> {
    let (sa, sb) = (to_signed(width, a), to_signed(width, b));
    Some(match op {
        BinOp::Eq => a == b,
        BinOp::BvUlt => a < b,
        BinOp::BvUle => a <= b,
        BinOp::BvSlt => sa < sb,
        BinOp::BvSle => sa <= sb,
        _ => return None,
    })
}

/// The value of an operator with one argument.
pub(crate) fn un_value(op: UnOp, a: &Value) -> Value {
    match (op, a) {
        (UnOp::Not, Value::Bool(a)) => Value::Bool(!a),
        (UnOp::IntNeg, Value::Int(a)) => Value::Int(a.saturating_neg()),
        (_, Value::Bv { width, value }) => un_bv(op, *width, *value),
        (_, Value::Float { sort, bits }) => un_float(op, *sort, *bits),
        _ => unreachable!("{op:?} of {}: sorts are checked on construction", a.sort()),
    }
}

fn bv(width: u32, value: u128) -> Value {
    Value::Bv { width, value: value & mask(width) }
}

fn un_bv(op: UnOp, width: u32, a: u128) -> Value {
    match op {
        UnOp::BvNot => bv(width, !a),
        UnOp::BvNeg => bv(width, a.wrapping_neg()),
        UnOp::Extract { hi, lo } => bv(u32::from(hi - lo) + 1, a >> lo),
        UnOp::ZeroExt(extra) => bv(width + u32::from(extra), a),
        UnOp::SignExt(extra) => bv(width + u32::from(extra), to_signed(width, a) as u128),
        UnOp::FpFromSbv(sort) => Value::Float { sort, bits: float::from_signed(sort, to_signed(width, a)) },
        UnOp::FpFromUbv(sort) => Value::Float { sort, bits: float::from_unsigned(sort, a) },
        UnOp::FpFromBits(sort) => Value::Float { sort, bits: sort.canonical(a) },
        UnOp::IntFromUbv => Value::Int(i128::try_from(a).unwrap_or(i128::MAX)),
        _ => unreachable!("{op:?} of a bit-vector: sorts are checked on construction"),
    }
}

fn un_float(op: UnOp, sort: FloatSort, a: u128) -> Value {
    let float = |bits| Value::Float { sort, bits };
    let magnitude = a & !sort.sign_bit();
    match op {
        UnOp::FpNeg => float(sort.canonical(a ^ sort.sign_bit())),
        UnOp::FpAbs => float(magnitude),
        UnOp::FpSqrt => float(float::sqrt(sort, a)),
        UnOp::FpIsNan => Value::Bool(sort.is_nan(a)),
        UnOp::FpIsInf => Value::Bool(magnitude == sort.infinity()),
        UnOp::FpIsZero => Value::Bool(magnitude == 0),
        UnOp::FpIsNegative => Value::Bool(!sort.is_nan(a) && a != magnitude),
        UnOp::FpRoundToIntegral(round) => float(float::round_to_integral(sort, round, a)),
        UnOp::FpToFp(to) => Value::Float { sort: to, bits: float::convert(sort, to, a) },
        UnOp::FpToSbv(width) => bv(u32::from(width), float::to_signed(sort, u32::from(width), a)),
        UnOp::FpToUbv(width) => bv(u32::from(width), float::to_unsigned(sort, u32::from(width), a)),
        UnOp::FpToBits => bv(sort.width(), a),
        _ => unreachable!("{op:?} of a float: sorts are checked on construction"),
    }
}

/// The value of an operator with two arguments.
pub(crate) fn bin_value(op: BinOp, a: &Value, b: &Value) -> Value {
    match (op, a, b) {
        (BinOp::Eq, a, b) => Value::Bool(a == b),
        (BinOp::And, Value::Bool(a), Value::Bool(b)) => Value::Bool(*a && *b),
        (BinOp::Or, Value::Bool(a), Value::Bool(b)) => Value::Bool(*a || *b),
        (BinOp::Concat, Value::Bv { width: wa, value: a }, Value::Bv { width: wb, value: b }) => {
            bv(wa + wb, a << wb | b)
        }
        (_, Value::Bv { width, value: a }, Value::Bv { value: b, .. }) => match bv_bin(op, *width, *a, *b) {
            Some(value) => bv(*width, value),
            None => Value::Bool(bv_cmp(op, *width, *a, *b).unwrap_or_else(|| unreachable!("{op:?} of bit-vectors"))),
        },
        (_, Value::Float { sort, bits: a }, Value::Float { bits: b, .. }) => bin_float(op, *sort, *a, *b),
        (_, Value::Int(a), Value::Int(b)) => match op {
            BinOp::IntAdd => Value::Int(a.saturating_add(*b)),
            BinOp::IntMul => Value::Int(a.saturating_mul(*b)),
            BinOp::IntLe => Value::Bool(a <= b),
            BinOp::IntLt => Value::Bool(a < b),
            _ => unreachable!("{op:?} of integers: sorts are checked on construction"),
        },
        _ => unreachable!("{op:?} of {} and {}: sorts are checked on construction", a.sort(), b.sort()),
    }
}

fn bin_float(op: BinOp, sort: FloatSort, a: u128, b: u128) -> Value {
    let order = float::compare(sort, a, b);
    match op {
        BinOp::FpEq => Value::Bool(order == Some(Ordering::Equal)),
        BinOp::FpLt => Value::Bool(order == Some(Ordering::Less)),
        BinOp::FpLe => Value::Bool(matches!(order, Some(Ordering::Less | Ordering::Equal))),
        _ => Value::Float { sort, bits: float::arith(op, sort, a, b) },
    }
}

/// Whether integer arithmetic on these constants would saturate, so that it must not be folded.
pub(crate) fn int_overflows(op: BinOp, a: i128, b: i128) -> bool {
    match op {
        BinOp::IntAdd => a.checked_add(b).is_none(),
        BinOp::IntMul => a.checked_mul(b).is_none(),
        _ => false,
    }
}

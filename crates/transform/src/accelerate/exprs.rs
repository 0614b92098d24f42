//! Building and rewriting expressions of a program: substitution with light simplification, and short constructors.

use cfa::{BinOp, ExprId, ExprKind, ExprPool, Scalar, UnOp, Value, VarId};
use rustc_hash::FxHashMap;

/// What variables are replaced by.
pub type Map = FxHashMap<VarId, ExprId>;

/// Replaces registers in an expression.
pub fn substitute(pool: &mut ExprPool, root: ExprId, map: &Map) -> ExprId {
    let mut known: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    let mut stack = vec![(root, false)];
    while let Some((id, ready)) = stack.pop() {
        if known.contains_key(&id) {
            continue;
        }
        if !ready {
            stack.push((id, true));
            stack.extend(pool.operands(id).map(|operand| (operand, false)));
            continue;
        }
        let new = |operand: ExprId| known.get(&operand).copied().unwrap_or(operand);
        let expr = pool.get(id);
        let rebuilt = match expr.kind {
            ExprKind::Var(var) => map.get(&var).copied().unwrap_or(id),
            ExprKind::Const(_) | ExprKind::AddrOf(_) | ExprKind::FuncAddr(_) => id,
            ExprKind::Load(a) => pool.add(ExprKind::Load(new(a)), expr.ty),
            ExprKind::Unary(op, a) => unary(pool, op, new(a)),
            ExprKind::Binary(op, a, b) => binary(pool, op, new(a), new(b)),
            ExprKind::PtrAdd(a, b) => pool.add(ExprKind::PtrAdd(new(a), new(b)), expr.ty),
            ExprKind::Cast(a) => cast(pool, new(a), expr.ty),
            ExprKind::Ite(a, b, c) => pool.add(ExprKind::Ite(new(a), new(b), new(c)), expr.ty),
        };
        known.insert(id, rebuilt);
    }
    known.get(&root).copied().unwrap_or(root)
}

/// The `Bool` of which this integer is the 0 or 1, through widening conversions.
fn truth_value(pool: &ExprPool, mut id: ExprId) -> Option<ExprId> {
    while let ExprKind::Cast(inner) = pool.kind(id) {
        match (pool.ty(inner), pool.ty(id)) {
            (Scalar::Bool, Scalar::Int { .. }) => return Some(inner),
            (Scalar::Int { .. }, Scalar::Int { .. }) => id = inner,
            _ => return None,
        }
    }
    None
}

/// A unary operation.
pub fn unary(pool: &mut ExprPool, op: UnOp, a: ExprId) -> ExprId {
    let ty = pool.ty(a);
    match (op, pool.kind(a)) {
        (UnOp::Not, ExprKind::Unary(UnOp::Not, inner)) => inner,
        _ => pool.add(ExprKind::Unary(op, a), ty),
    }
}

/// A binary operation of the operands' type, or `Bool`.
pub fn binary(pool: &mut ExprPool, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
    if let (BinOp::Ne | BinOp::Eq, Some(Value(0))) = (op, pool.as_const(b))
        && let Some(truth) = truth_value(pool, a)
    {
        return if op == BinOp::Ne { truth } else { unary(pool, UnOp::Not, truth) };
    }
    let ty = if op.is_comparison() { Scalar::Bool } else { pool.ty(a) };
    if let (Some(x), Some(y), Scalar::Int { bits, .. }) = (pool.as_const(a), pool.as_const(b), ty) {
        let folded = match op {
            BinOp::Add => Some(x.0.wrapping_add(y.0)),
            BinOp::Sub => Some(x.0.wrapping_sub(y.0)),
            BinOp::Mul => Some(x.0.wrapping_mul(y.0)),
            BinOp::Div if !ty.is_signed() => x.0.checked_div(y.0),
            _ => None,
        };
        if let Some(value) = folded {
            return pool.add(ExprKind::Const(Value::truncated(value, u32::from(bits))), ty);
        }
    }
    let neutral = |pool: &ExprPool, e: ExprId, n: u128| pool.as_const(e) == Some(Value(n));
    match op {
        BinOp::Add | BinOp::Sub if neutral(pool, b, 0) && !ty.is_float() => return a,
        BinOp::Add if neutral(pool, a, 0) && !ty.is_float() => return b,
        BinOp::Mul | BinOp::Div if neutral(pool, b, 1) && !ty.is_float() => return a,
        BinOp::Mul if neutral(pool, a, 1) && !ty.is_float() => return b,
        _ => {}
    }
    pool.add(ExprKind::Binary(op, a, b), ty)
}

/// A conversion; none where the type is the same.
pub fn cast(pool: &mut ExprPool, a: ExprId, ty: Scalar) -> ExprId {
    if pool.ty(a) == ty {
        return a;
    }
    if let (Some(value), Scalar::Int { bits: from, signed }, Scalar::Int { bits, .. }) =
        (pool.as_const(a), pool.ty(a), ty)
    {
        let from = u32::from(from);
        let negative = signed && value.0 >> (from - 1) & 1 == 1;
        let wide = if negative && from < 128 { value.0 | u128::MAX << from } else { value.0 };
        return pool.add(ExprKind::Const(Value::truncated(wide, u32::from(bits))), ty);
    }
    pool.add(ExprKind::Cast(a), ty)
}

/// A constant of an integer or pointer type.
pub fn constant(pool: &mut ExprPool, value: u128, ty: Scalar, pointer_bits: u32) -> ExprId {
    pool.add(ExprKind::Const(Value::truncated(value, ty.bits(pointer_bits))), ty)
}

/// The truth value that always holds, or never.
pub fn truth(pool: &mut ExprPool, value: Truth) -> ExprId {
    pool.add(ExprKind::Const(Value(u128::from(value == Truth::Always))), Scalar::Bool)
}

/// A constant truth value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// True.
    Always,
    /// False.
    Never,
}

/// Conjunction, without what is trivial.
pub fn and(pool: &mut ExprPool, a: ExprId, b: ExprId) -> ExprId {
    match (pool.as_const(a), pool.as_const(b)) {
        (Some(Value(0)), _) | (_, Some(Value(1))) => a,
        (_, Some(Value(0))) | (Some(Value(1)), _) => b,
        _ if a == b => a,
        _ => pool.add(ExprKind::Binary(BinOp::And, a, b), Scalar::Bool),
    }
}

/// Disjunction, without what is trivial.
pub fn or(pool: &mut ExprPool, a: ExprId, b: ExprId) -> ExprId {
    match (pool.as_const(a), pool.as_const(b)) {
        (Some(Value(1)), _) | (_, Some(Value(0))) => a,
        (_, Some(Value(1))) | (Some(Value(0)), _) => b,
        _ if a == b => a,
        _ => pool.add(ExprKind::Binary(BinOp::Or, a, b), Scalar::Bool),
    }
}

/// Whether one of the variables occurs.
pub fn mentions(pool: &ExprPool, root: ExprId, mut wanted: impl FnMut(VarId) -> bool) -> bool {
    let mut found = false;
    pool.walk(root, |_, expr| {
        if let ExprKind::Var(var) = expr.kind {
            found |= wanted(var);
        }
    });
    found
}

/// Whether memory is read.
pub fn loads(pool: &ExprPool, root: ExprId) -> bool {
    let mut found = false;
    pool.walk(root, |_, expr| found |= matches!(expr.kind, ExprKind::Load(_)));
    found
}

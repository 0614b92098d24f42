//! What operators and conversions compute: the one definition that constant folding, analyses and the interpreter share.
//!
//! `None` means that the semantics leaves the result open (division by zero, shift by at least the width, conversion of a
//! float that the integer type can't hold) or that the operator doesn't exist at this type.
//!
//! Floats round to nearest, ties to even. A NaN result is what x86 makes: the first NaN operand, quiet, and otherwise the
//! negative quiet NaN without payload. `f32` and `f64` use the machine's own arithmetic, which IEEE defines to the bit;
//! the other formats use `rustc_apfloat`.

use crate::expr::{Access, BinOp, ExprKind, UnOp};
use crate::value::{FloatFormat, Scalar, Value};
use crate::{ExprId, FuncId, VarId};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};
use std::cmp::Ordering;
use std::convert::Infallible;

/// Evaluates `a op b`; `ty` is the type of the operands (of the left one for shifts).
pub fn eval_binary(op: BinOp, ty: Scalar, a: Value, b: Value, pointer_bits: u32) -> Option<Value> {
    match ty {
        Scalar::Bool => bool_binary(op, a.0 != 0, b.0 != 0).map(Value::from),
        Scalar::Int { bits, signed } => int_binary(op, u32::from(bits), signed, a, b),
        Scalar::Ptr => int_binary(op, pointer_bits, false, a, b),
        Scalar::Float(format) => float_binary(op, format, a.0, b.0),
    }
}

/// Evaluates `op a` at type `ty`.
pub fn eval_unary(op: UnOp, ty: Scalar, a: Value, pointer_bits: u32) -> Option<Value> {
    let bits = ty.bits(pointer_bits);
    match (op, ty) {
        (UnOp::Neg, Scalar::Float(_)) => Some(Value(a.0 ^ (1 << (bits - 1)))),
        (UnOp::Neg, Scalar::Int { .. } | Scalar::Ptr) => Some(Value::truncated(a.0.wrapping_neg(), bits)),
        (UnOp::BitNot, Scalar::Int { .. } | Scalar::Ptr | Scalar::Bool) => Some(Value::truncated(!a.0, bits)),
        (UnOp::Not, _) if !ty.is_float() => Some(Value::from(a.0 == 0)),
        (UnOp::Sqrt, Scalar::Float(format @ (FloatFormat::F32 | FloatFormat::F64))) => {
            Some(square_root(format, a).unwrap_or_else(|| Value(nan_result(format, &[a.0]))))
        }
        _ => None,
    }
}

/// Converts `v` from type `from` to type `to`. Integers become pointers, and pointers integers, by cutting or zero extension.
pub fn eval_cast(from: Scalar, to: Scalar, v: Value, pointer_bits: u32) -> Option<Value> {
    let to_bits = to.bits(pointer_bits);
    match (from, to) {
        (Scalar::Float(from), Scalar::Float(to)) => Some(Value(float_to_float(from, to, v.0))),
        (Scalar::Float(format), Scalar::Int { signed, .. }) => float_to_int(format, v.0, to_bits, signed),
        (Scalar::Float(format), Scalar::Bool) => {
            Some(Value::from(compare_floats(format, v.0, 0) != Some(Ordering::Equal)))
        }
        (Scalar::Float(_), Scalar::Ptr) | (Scalar::Ptr, Scalar::Float(_)) => None,
        (_, Scalar::Float(format)) if from.is_signed() => {
            Some(Value(float_from_signed(format, v.signed(from.bits(pointer_bits)))))
        }
        (_, Scalar::Float(format)) => Some(Value(float_from_unsigned(format, v.0))),
        (_, Scalar::Bool) => Some(Value::from(v.0 != 0)),
        (Scalar::Int { bits, signed: true }, Scalar::Int { .. }) => {
            Some(Value::truncated(v.signed(u32::from(bits)) as u128, to_bits))
        }
        _ => Some(Value::truncated(v.0, to_bits)),
    }
}

/// Moves a pointer by an offset of the pointer's width.
pub fn eval_ptr_add(base: Value, offset: Value, pointer_bits: u32) -> Value {
    Value::truncated(base.0.wrapping_add(offset.0), pointer_bits)
}

/// The computing nodes among the kinds of expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node<I> {
    /// See [`ExprKind::Unary`].
    Unary(UnOp, I),
    /// See [`ExprKind::Binary`].
    Binary(BinOp, I, I),
    /// See [`ExprKind::PtrAdd`].
    PtrAdd(I, I),
    /// See [`ExprKind::Cast`].
    Cast(I),
    /// See [`ExprKind::Ite`].
    Ite(I, I, I),
}

impl<I> Node<I> {
    /// The same with other operands.
    pub fn map<T>(self, mut f: impl FnMut(I) -> T) -> Node<T> {
        let Ok(node) = self.try_map(|operand| Ok::<T, Infallible>(f(operand)));
        node
    }

    /// The same with other operands, which are computed in order.
    ///
    /// # Errors
    /// Those of `f`.
    pub fn try_map<T, E>(self, mut f: impl FnMut(I) -> Result<T, E>) -> Result<Node<T>, E> {
        Ok(match self {
            Node::Unary(op, a) => Node::Unary(op, f(a)?),
            Node::Binary(op, a, b) => Node::Binary(op, f(a)?, f(b)?),
            Node::PtrAdd(a, b) => Node::PtrAdd(f(a)?, f(b)?),
            Node::Cast(a) => Node::Cast(f(a)?),
            Node::Ite(c, a, b) => Node::Ite(f(c)?, f(a)?, f(b)?),
        })
    }
}

/// The kinds of expressions that are no [`Node`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// See [`ExprKind::Const`].
    Const(Value),
    /// See [`ExprKind::Var`].
    Var(VarId),
    /// See [`ExprKind::AddrOf`].
    AddrOf(VarId),
    /// See [`ExprKind::FuncAddr`].
    FuncAddr(FuncId),
    /// See [`ExprKind::Load`].
    Load(ExprId),
    /// See [`ExprKind::Valid`].
    Valid(Access, ExprId, ExprId),
    /// See [`ExprKind::Tracked`].
    Tracked,
}

impl ExprKind {
    /// The node to compute, or the leaf.
    ///
    /// # Errors
    /// The leaf, if there is nothing to compute.
    pub fn node(self) -> Result<Node<ExprId>, Leaf> {
        match self {
            ExprKind::Unary(op, a) => Ok(Node::Unary(op, a)),
            ExprKind::Binary(op, a, b) => Ok(Node::Binary(op, a, b)),
            ExprKind::PtrAdd(a, b) => Ok(Node::PtrAdd(a, b)),
            ExprKind::Cast(a) => Ok(Node::Cast(a)),
            ExprKind::Ite(c, a, b) => Ok(Node::Ite(c, a, b)),
            ExprKind::Const(value) => Err(Leaf::Const(value)),
            ExprKind::Var(var) => Err(Leaf::Var(var)),
            ExprKind::AddrOf(var) => Err(Leaf::AddrOf(var)),
            ExprKind::FuncAddr(func) => Err(Leaf::FuncAddr(func)),
            ExprKind::Load(address) => Err(Leaf::Load(address)),
            ExprKind::Valid(access, address, len) => Err(Leaf::Valid(access, address, len)),
            ExprKind::Tracked => Err(Leaf::Tracked),
        }
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value(u128::from(b))
    }
}

fn bool_binary(op: BinOp, a: bool, b: bool) -> Option<bool> {
    Some(match op {
        BinOp::And | BinOp::BitAnd => a & b,
        BinOp::Or | BinOp::BitOr => a | b,
        BinOp::Ne | BinOp::BitXor => a != b,
        BinOp::Eq => a == b,
        BinOp::Lt => !a & b,
        BinOp::Le => a <= b,
        BinOp::Gt => a & !b,
        BinOp::Ge => a >= b,
        _ => return None,
    })
}

fn int_binary(op: BinOp, bits: u32, signed: bool, a: Value, b: Value) -> Option<Value> {
    let cut = |v: u128| Some(Value::truncated(v, bits));
    let order = || if signed { a.signed(bits).cmp(&b.signed(bits)) } else { a.0.cmp(&b.0) };
    match op {
        BinOp::Add => cut(a.0.wrapping_add(b.0)),
        BinOp::Sub => cut(a.0.wrapping_sub(b.0)),
        BinOp::Mul => cut(a.0.wrapping_mul(b.0)),
        BinOp::Div | BinOp::Rem if b.0 == 0 => None,
        BinOp::Div if signed => cut(a.signed(bits).wrapping_div(b.signed(bits)) as u128),
        BinOp::Div => cut(a.0 / b.0),
        BinOp::Rem if signed => cut(a.signed(bits).wrapping_rem(b.signed(bits)) as u128),
        BinOp::Rem => cut(a.0 % b.0),
        BinOp::Shl | BinOp::Shr if b.0 >= u128::from(bits) => None,
        BinOp::Shl => cut(a.0 << b.0),
        BinOp::Shr if signed => cut((a.signed(bits) >> b.0) as u128),
        BinOp::Shr => cut(a.0 >> b.0),
        BinOp::BitAnd => Some(Value(a.0 & b.0)),
        BinOp::BitOr => Some(Value(a.0 | b.0)),
        BinOp::BitXor => Some(Value(a.0 ^ b.0)),
        BinOp::Eq => Some(Value::from(a == b)),
        BinOp::Ne => Some(Value::from(a != b)),
        BinOp::Lt => Some(Value::from(order().is_lt())),
        BinOp::Le => Some(Value::from(order().is_le())),
        BinOp::Gt => Some(Value::from(order().is_gt())),
        BinOp::Ge => Some(Value::from(order().is_ge())),
        BinOp::And | BinOp::Or => None,
    }
}

/// Calls `$body` with the type `$F` of `rustc_apfloat` that `$format` stands for.
macro_rules! with_format {
    ($format:expr, $F:ident => $body:expr) => {
        match $format {
            FloatFormat::F16 => {
                type $F = Half;
                $body
            }
            FloatFormat::F32 => {
                type $F = Single;
                $body
            }
            FloatFormat::F64 => {
                type $F = Double;
                $body
            }
            FloatFormat::F80 => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatFormat::F128 => {
                type $F = Quad;
                $body
            }
        }
    };
}

/// Bits of the fraction, the explicit integer bit of `F80` not counted.
const fn fraction_bits(format: FloatFormat) -> u32 {
    match format {
        FloatFormat::F16 => 10,
        FloatFormat::F32 => 23,
        FloatFormat::F64 => 52,
        FloatFormat::F80 => 63,
        FloatFormat::F128 => 112,
    }
}

/// The representation of infinity: all bits of the exponent (and the integer bit of `F80`).
const fn infinity_bits(format: FloatFormat) -> u128 {
    let sign = 1u128 << (format.bits() - 1);
    let integer = matches!(format, FloatFormat::F80) as u32;
    (sign - 1) & !((1 << (fraction_bits(format) + integer)) - 1) | ((integer as u128) << 63)
}

const fn quiet_bit(format: FloatFormat) -> u128 {
    1 << (fraction_bits(format) - 1)
}

/// Whether the bits are a NaN of the format (or, for `F80`, an encoding that x87 rejects).
pub fn is_nan(format: FloatFormat, bits: u128) -> bool {
    let magnitude = bits & ((1 << (format.bits() - 1)) - 1);
    match format {
        FloatFormat::F80 => X87DoubleExtended::from_bits(bits).is_nan(),
        _ => magnitude > infinity_bits(format),
    }
}

/// The NaN that an operation on `a` and `b` makes.
fn nan_result(format: FloatFormat, operands: &[u128]) -> u128 {
    let quiet = infinity_bits(format) | quiet_bit(format);
    match operands.iter().find(|v| is_nan(format, **v)) {
        Some(nan) => nan | quiet,
        None => (1 << (format.bits() - 1)) | quiet,
    }
}

fn float_binary(op: BinOp, format: FloatFormat, a: u128, b: u128) -> Option<Value> {
    if op.is_comparison() {
        let order = compare_floats(format, a, b);
        return Some(Value::from(match op {
            BinOp::Eq => order == Some(Ordering::Equal),
            BinOp::Ne => order != Some(Ordering::Equal),
            BinOp::Lt => order == Some(Ordering::Less),
            BinOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            BinOp::Gt => order == Some(Ordering::Greater),
            _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }));
    }
    if !matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div) {
        return None;
    }
    macro_rules! arithmetic {
        ($a:expr, $b:expr) => {
            match op {
                BinOp::Add => $a + $b,
                BinOp::Sub => $a - $b,
                BinOp::Mul => $a * $b,
                _ => $a / $b,
            }
        };
    }
    let result = match format {
        FloatFormat::F32 => u128::from(arithmetic!(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits()),
        FloatFormat::F64 => u128::from(arithmetic!(f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits()),
        _ => with_format!(format, F => {
            let StatusAnd { value, .. } = arithmetic!(F::from_bits(a), F::from_bits(b));
            value.to_bits()
        }),
    };
    Some(Value(if is_nan(format, result) { nan_result(format, &[a, b]) } else { result }))
}

/// Order of two floats; `None` when one is a NaN.
pub fn compare_floats(format: FloatFormat, a: u128, b: u128) -> Option<Ordering> {
    match format {
        FloatFormat::F32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        FloatFormat::F64 => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
        _ => with_format!(format, F => F::from_bits(a).partial_cmp(&F::from_bits(b))),
    }
}

/// Rounds a float to another format. A NaN keeps its sign and the leading bits of its payload and becomes quiet.
pub fn float_to_float(from: FloatFormat, to: FloatFormat, v: u128) -> u128 {
    if from == to {
        return v;
    }
    if is_nan(from, v) {
        let fraction = v & ((1 << fraction_bits(from)) - 1);
        let (have, want) = (fraction_bits(from), fraction_bits(to));
        let payload = if have >= want { fraction >> (have - want) } else { fraction << (want - have) };
        let sign = (v >> (from.bits() - 1)) & 1;
        return (sign << (to.bits() - 1)) | infinity_bits(to) | quiet_bit(to) | payload;
    }
    match (from, to) {
        (FloatFormat::F32, FloatFormat::F64) => u128::from(f64::from(f32::from_bits(v as u32)).to_bits()),
        (FloatFormat::F64, FloatFormat::F32) => u128::from((f64::from_bits(v as u64) as f32).to_bits()),
        _ => with_format!(from, F => {
            let v = F::from_bits(v);
            with_format!(to, G => convert::<F, G>(v).to_bits())
        }),
    }
}

/// The square root, rounded to nearest, of a number that is not negative; `None` for other numbers and formats.
pub fn square_root(format: FloatFormat, value: Value) -> Option<Value> {
    match format {
        FloatFormat::F32 => {
            let x = f32::from_bits(value.0 as u32);
            (x >= 0.0).then(|| Value(x.sqrt().to_bits().into()))
        }
        FloatFormat::F64 => {
            let x = f64::from_bits(value.0 as u64);
            (x >= 0.0).then(|| Value(x.sqrt().to_bits().into()))
        }
        FloatFormat::F80 => {
            let (exponent, significand) = ((value.0 >> 64) as u32, value.0 as u64);
            // Normal numbers that are positive.
            if significand >> 63 == 0 || exponent == 0 || exponent >= 0x7fff {
                return None;
            }
            // The value is `significand * 2^power`; with an even power, the root's significand has 64 bits, too.
            let power = i64::from(exponent) - 16383 - 63;
            let shift: u32 = if power.rem_euclid(2) == 0 { 64 } else { 63 };
            let square = u128::from(significand) << shift;
            let mut root = square.isqrt();
            root += u128::from(square - root * root > root);
            let mut power = (power - i64::from(shift)) / 2;
            if root >> 64 != 0 {
                (root, power) = (root >> 1, power + 1);
            }
            Some(Value(u128::from((power + 63 + 16383) as u64) << 64 | root))
        }
        _ => None,
    }
}

fn convert<F: FloatConvert<G>, G: Float>(v: F) -> G {
    v.convert_r(Round::NearestTiesToEven, &mut false).value
}

fn float_from_unsigned(format: FloatFormat, v: u128) -> u128 {
    match format {
        FloatFormat::F32 => u128::from((v as f32).to_bits()),
        FloatFormat::F64 => u128::from((v as f64).to_bits()),
        _ if v == 0 => 0,
        _ => with_format!(format, F => F::from_u128_r(v, Round::NearestTiesToEven).value.to_bits()),
    }
}

fn float_from_signed(format: FloatFormat, v: i128) -> u128 {
    let magnitude = float_from_unsigned(format, v.unsigned_abs());
    if v < 0 { magnitude | (1 << (format.bits() - 1)) } else { magnitude }
}

/// The integer of `bits` bits that the float is when cut towards zero; `None` when there is none.
fn float_to_int(format: FloatFormat, v: u128, bits: u32, signed: bool) -> Option<Value> {
    if matches!(format, FloatFormat::F32 | FloatFormat::F64) {
        let v = match format {
            FloatFormat::F32 => f64::from(f32::from_bits(v as u32)),
            _ => f64::from_bits(v as u64),
        };
        // Both powers of two are floats without rounding.
        let limit = 2f64.powi(bits as i32 - i32::from(signed));
        let t = v.trunc();
        let fits = if signed { t >= -limit && t < limit } else { t >= 0.0 && t < limit };
        return fits.then(|| Value::truncated(if signed { t as i128 as u128 } else { t as u128 }, bits));
    }
    let mut exact = false;
    let (value, status) = with_format!(format, F => {
        let v = F::from_bits(v);
        if signed {
            let r = v.to_i128_r(bits as usize, Round::TowardZero, &mut exact);
            (r.value as u128, r.status)
        } else {
            let r = v.to_u128_r(bits as usize, Round::TowardZero, &mut exact);
            (r.value, r.status)
        }
    });
    (!status.contains(Status::INVALID_OP)).then(|| Value::truncated(value, bits))
}

/// Reads a floating constant of C without its suffix, decimal or hexadecimal; too large ones are infinite.
pub fn parse_float(text: &str, format: FloatFormat) -> Option<Value> {
    let value = with_format!(format, F => F::from_str_r(text, Round::NearestTiesToEven).ok()?.value.to_bits());
    Some(Value(value))
}

/// The nearest float of `format`.
pub fn float_from_f64(format: FloatFormat, v: f64) -> Value {
    Value(float_to_float(FloatFormat::F64, format, u128::from(v.to_bits())))
}

/// A float split into sign, significand and exponent (`significand * 2^exponent`); `None` for infinities and NaNs.
pub fn decompose_float(format: FloatFormat, v: Value) -> Option<(bool, u128, i32)> {
    let fraction = fraction_bits(format);
    let stored = if format == FloatFormat::F80 { fraction + 1 } else { fraction };
    let exponent_bits = format.bits() - 1 - stored;
    let negative = (v.0 >> (format.bits() - 1)) & 1 != 0;
    let biased = ((v.0 >> stored) & ((1 << exponent_bits) - 1)) as i32;
    let bias = (1 << (exponent_bits - 1)) - 1;
    if is_nan(format, v.0) || biased == (1 << exponent_bits) - 1 {
        return None;
    }
    let mut significand = v.0 & ((1 << stored) - 1);
    if format != FloatFormat::F80 && biased != 0 {
        significand |= 1 << fraction;
    }
    Some((negative, significand, biased.max(1) - bias - fraction as i32))
}

/// Shortest decimal text that reads back as the same float; `inf`, `-inf` and `nan` for the others.
pub fn print_float(format: FloatFormat, v: Value) -> String {
    if is_nan(format, v.0) {
        return "nan".into();
    }
    match format {
        FloatFormat::F32 => format!("{:?}", f32::from_bits(v.0 as u32)),
        FloatFormat::F64 => format!("{:?}", f64::from_bits(v.0 as u64)),
        _ => with_format!(format, F => F::from_bits(v.0).to_string().replace("Inf", "inf")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn int(bits: u16, signed: bool) -> Scalar {
        Scalar::Int { bits, signed }
    }

    const OPS: &[BinOp] = BinOp::ALL.split_at(16).0;

    #[test]
    fn square_roots() {
        let double = |x: f64| Value(x.to_bits().into());
        assert_eq!(square_root(FloatFormat::F64, double(2.0)), Some(double(2.0f64.sqrt())));
        assert_eq!(square_root(FloatFormat::F64, double(-2.0)), None);
        let root = |x: f64| eval_unary(UnOp::Sqrt, Scalar::Float(FloatFormat::F64), double(x), 64);
        assert_eq!([root(6.25), root(-0.0), root(f64::INFINITY)], [2.5, -0.0, f64::INFINITY].map(|x| Some(double(x))));
        assert!(f64::from_bits(root(-1.0).unwrap().0 as u64).is_nan());
        assert_eq!(eval_unary(UnOp::Sqrt, Scalar::INT, Value(4), 64), None);
        let extended = |n: u128| Value(X87DoubleExtended::from_u128(n).value.to_bits());
        for n in (1..2000).chain([(1 << 32) - 1, (1 << 40) + 1]) {
            assert_eq!(square_root(FloatFormat::F80, extended(n * n)), Some(extended(n)), "{n}");
        }
        // Between the squares of two neighbours, the root is the nearer one.
        let n = (1u128 << 63) - 1;
        assert_eq!(square_root(FloatFormat::F80, extended(n)).map(|root| root.0 >> 64), Some(16383 + 31));
    }

    /// Compares every operator with Rust's on all pairs of `values`.
    macro_rules! check_ints {
        ($T:ty, $U:ty, $bits:expr, $signed:expr, $values:expr) => {
            for a in $values {
                for b in $values {
                    let (a, b) = (a as $T, b as $T);
                    for &op in OPS {
                        let shift = (b as $U as u128) < $bits;
                        let expected: Option<u128> = match op {
                            BinOp::Add => Some(a.wrapping_add(b) as $U as u128),
                            BinOp::Sub => Some(a.wrapping_sub(b) as $U as u128),
                            BinOp::Mul => Some(a.wrapping_mul(b) as $U as u128),
                            BinOp::Div => (b != 0).then(|| a.wrapping_div(b) as $U as u128),
                            BinOp::Rem => (b != 0).then(|| a.wrapping_rem(b) as $U as u128),
                            BinOp::Shl => shift.then(|| (a << b) as $U as u128),
                            BinOp::Shr => shift.then(|| (a >> b) as $U as u128),
                            BinOp::BitAnd => Some((a & b) as $U as u128),
                            BinOp::BitOr => Some((a | b) as $U as u128),
                            BinOp::BitXor => Some((a ^ b) as $U as u128),
                            BinOp::Eq => Some((a == b) as u128),
                            BinOp::Ne => Some((a != b) as u128),
                            BinOp::Lt => Some((a < b) as u128),
                            BinOp::Le => Some((a <= b) as u128),
                            BinOp::Gt => Some((a > b) as u128),
                            BinOp::Ge => Some((a >= b) as u128),
                            BinOp::And | BinOp::Or => None,
                        };
                        let (av, bv) = (Value(a as $U as u128), Value(b as $U as u128));
                        let got = eval_binary(op, int($bits, $signed), av, bv, 64);
                        assert_eq!(got.map(|v| v.0), expected, "{op:?} {a} {b} at {} bits", $bits);
                    }
                    let av = Value(a as $U as u128);
                    let neg = eval_unary(UnOp::Neg, int($bits, $signed), av, 64);
                    assert_eq!(neg, Some(Value(a.wrapping_neg() as $U as u128)));
                    assert_eq!(eval_unary(UnOp::BitNot, int($bits, $signed), av, 64), Some(Value(!a as $U as u128)));
                    macro_rules! check_cast {
                        ($V:ty, $W:ty, $b:expr, $s:expr) => {
                            let got = eval_cast(int($bits, $signed), int($b, $s), av, 64);
                            assert_eq!(got, Some(Value(a as $V as $W as u128)));
                        };
                    }
                    check_cast!(u8, u8, 8, false);
                    check_cast!(i8, u8, 8, true);
                    check_cast!(i16, u16, 16, true);
                    check_cast!(u32, u32, 32, false);
                    check_cast!(i32, u32, 32, true);
                    check_cast!(u64, u64, 64, false);
                    check_cast!(i64, u64, 64, true);
                    check_cast!(u128, u128, 128, false);
                    check_cast!(i128, u128, 128, true);
                    let single = eval_cast(int($bits, $signed), Scalar::Float(FloatFormat::F32), av, 64);
                    assert_eq!(single, Some(Value((a as f32).to_bits() as u128)));
                    let double = eval_cast(int($bits, $signed), Scalar::Float(FloatFormat::F64), av, 64);
                    assert_eq!(double, Some(Value((a as f64).to_bits() as u128)));
                }
            }
        };
    }

    /// Values near the boundaries of every width, and some in between.
    fn corners() -> Vec<u128> {
        let mut values = vec![3, 7, 12_345, 0xdead_beef, 0x0123_4567_89ab_cdef, 0x5555_5555_5555_5555_5555_5555];
        for bits in [0, 7, 8, 15, 16, 24, 31, 32, 53, 63, 64, 100, 127] {
            let p = 1u128 << bits;
            values.extend([p, p - 1, p + 1, p.wrapping_neg(), (p + 1).wrapping_neg()]);
        }
        values
    }

    #[test]
    fn integers_as_in_rust() {
        check_ints!(u8, u8, 8, false, 0..=255u32);
        check_ints!(i8, u8, 8, true, 0..=255u32);
        check_ints!(u16, u16, 16, false, corners());
        check_ints!(i16, u16, 16, true, corners());
        check_ints!(u32, u32, 32, false, corners());
        check_ints!(i32, u32, 32, true, corners());
        check_ints!(u64, u64, 64, false, corners());
        check_ints!(i64, u64, 64, true, corners());
        check_ints!(u128, u128, 128, false, corners());
        check_ints!(i128, u128, 128, true, corners());
    }

    fn floats() -> Vec<f64> {
        let mut values = vec![0.0, 1.0, 0.1, 1.5, 3.0, 1e10, 1e300, 1e-300, 5e-324, f64::MAX, f64::INFINITY, f64::NAN];
        values.extend([
            255.0,
            255.5,
            256.0,
            2147483647.5,
            2147483648.0,
            4294967296.0,
            9.3e18,
            1.9e19,
            1e38,
            3.4e38,
            0.999,
        ]);
        values.extend([f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE), 1e-45, 65504.0, 65520.0, 1.0 + f64::EPSILON]);
        values.extend(values.clone().iter().map(|v| -v));
        values
    }

    /// The five formats agree with each other: what `rustc_apfloat` computes for `f64` is what the machine computes.
    #[test]
    fn floats_as_in_rust() {
        for a in floats() {
            for b in floats() {
                for (op, expected) in
                    [(BinOp::Add, a + b), (BinOp::Sub, a - b), (BinOp::Mul, a * b), (BinOp::Div, a / b)]
                {
                    let (av, bv) = (Value(a.to_bits().into()), Value(b.to_bits().into()));
                    let got = eval_binary(op, Scalar::Float(FloatFormat::F64), av, bv, 64).unwrap();
                    let got_float = f64::from_bits(got.0 as u64);
                    assert!(got_float.to_bits() == expected.to_bits() || got_float.is_nan() && expected.is_nan());
                    let soft = match op {
                        BinOp::Add => Double::from_bits(av.0) + Double::from_bits(bv.0),
                        BinOp::Sub => Double::from_bits(av.0) - Double::from_bits(bv.0),
                        BinOp::Mul => Double::from_bits(av.0) * Double::from_bits(bv.0),
                        _ => Double::from_bits(av.0) / Double::from_bits(bv.0),
                    };
                    assert!(soft.value.to_bits() == got.0 || soft.value.is_nan() && got_float.is_nan());
                    // One operation on doubles done in quadruple precision and rounded once more is the same, as 113 >= 2*53+2
                    // (if the result is a normal number).
                    let wide = |v| Value(float_to_float(FloatFormat::F64, FloatFormat::F128, v));
                    let quad = eval_binary(op, Scalar::Float(FloatFormat::F128), wide(av.0), wide(bv.0), 64).unwrap();
                    let back = float_to_float(FloatFormat::F128, FloatFormat::F64, quad.0);
                    assert!(back == got.0 || expected.is_subnormal(), "{op:?} {a} {b}: {back:x} {:x}", got.0);
                }
                for (op, expected) in
                    [(BinOp::Lt, a < b), (BinOp::Ge, a >= b), (BinOp::Eq, a == b), (BinOp::Ne, a != b)]
                {
                    for format in [FloatFormat::F64, FloatFormat::F80, FloatFormat::F128] {
                        let (a, b) = (float_from_f64(format, a), float_from_f64(format, b));
                        assert_eq!(eval_binary(op, Scalar::Float(format), a, b, 64), Some(Value::from(expected)));
                    }
                }
            }
            assert_eq!(float_to_float(FloatFormat::F64, FloatFormat::F32, a.to_bits().into()) as u32, {
                if a.is_nan() { 0x7fc0_0000 | (a.is_sign_negative() as u32) << 31 } else { (a as f32).to_bits() }
            });
            for format in [FloatFormat::F64, FloatFormat::F80, FloatFormat::F128] {
                let v = float_from_f64(format, a);
                macro_rules! check_cast {
                    ($T:ty, $U:ty, $bits:expr, $signed:expr) => {
                        let t = a.trunc();
                        let fits = t >= <$T>::MIN as f64 && t < <$T>::MAX as f64 + if $bits < 53 { 1.0 } else { 0.0 };
                        let expected = fits.then_some(Value(a as $T as $U as u128));
                        assert_eq!(
                            eval_cast(Scalar::Float(format), int($bits, $signed), v, 64),
                            expected,
                            "{a} {format:?}"
                        );
                    };
                }
                check_cast!(i8, u8, 8, true);
                check_cast!(u8, u8, 8, false);
                check_cast!(i32, u32, 32, true);
                check_cast!(u32, u32, 32, false);
                check_cast!(i64, u64, 64, true);
                check_cast!(u64, u64, 64, false);
                check_cast!(i128, u128, 128, true);
                check_cast!(u128, u128, 128, false);
                let back = f64::from_bits(float_to_float(format, FloatFormat::F64, v.0) as u64);
                assert!(back.to_bits() == a.to_bits() || a.is_nan());
                if let Some((negative, significand, exponent)) = decompose_float(format, v)
                    && (-1000..900).contains(&exponent)
                {
                    let back = significand as f64 * 2f64.powi(exponent);
                    assert_eq!(if negative { -back } else { back }, a);
                }
            }
        }
    }

    #[test]
    fn text_of_floats() {
        for (text, format, bits, printed) in [
            ("1.5", FloatFormat::F32, 0x3fc0_0000, "1.5"),
            ("0x1.8p1", FloatFormat::F64, 0x4008_0000_0000_0000, "3.0"),
            (".1", FloatFormat::F64, 0x3fb9_9999_9999_999a, "0.1"),
            ("1e999", FloatFormat::F64, 0x7ff0_0000_0000_0000, "inf"),
            ("1.", FloatFormat::F80, 0x3fff_8000_0000_0000_0000, "1"),
            ("2", FloatFormat::F16, 0x4000, "2"),
        ] {
            assert_eq!(parse_float(text, format), Some(Value(bits)), "{text}");
            assert_eq!(print_float(format, Value(bits)), printed);
        }
    }

    #[test]
    fn nan_is_that_of_x86() {
        let f32_op = |a: u32, b: u32| {
            eval_binary(BinOp::Add, Scalar::Float(FloatFormat::F32), Value(a.into()), Value(b.into()), 64)
        };
        assert_eq!(f32_op(0x7f80_0000, 0xff80_0000), Some(Value(0xffc0_0000)));
        assert_eq!(f32_op(0x7f80_0001, 0), Some(Value(0x7fc0_0001)));
        assert_eq!(f32_op(0, 0xffc1_2345), Some(Value(0xffc1_2345)));
    }
}

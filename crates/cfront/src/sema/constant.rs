//! Values of constant expressions (C11 6.6), computed on the typed tree.
//!
//! As GCC does, it folds more than the standard demands: address constants such as `&((struct s *)0)->f` cast to
//! integers,
//! and operators whose right operand isn't constant but doesn't matter.

use super::Sema;
use super::float::Float;
use crate::typed::{BinaryOp, Callee, Expr, ExprKind, FunctionId, Size, UnaryOp};
use crate::types::{Type, TypeId};
use base::Diagnostic;
use syntax::ast;
use syntax::machine_model::wrap_bits;
use syntax::machine_model::{FloatKind, IntKind};

#[derive(Clone, Copy, Debug)]
enum Value {
    Int(i128),
    Float(Float),
}

impl Value {
    fn is_true(self) -> bool {
        match self {
            Value::Int(v) => v != 0,
            Value::Float(v) => !v.is_zero(),
        }
    }
}

impl<'a> Sema<'a> {
    /// The value of an expression that must be an integer constant; reports an error if it isn't.
    pub(super) fn integer_constant(&mut self, e: &'a ast::Expr, what: &str) -> Option<i128> {
        let e = self.type_only(|s| s.rvalue_expr(e));
        self.integer_value(&e, what)
    }

    /// As [`Self::integer_constant`], for an rvalue.
    pub(super) fn integer_value(&mut self, e: &Expr, what: &str) -> Option<i128> {
        if self.types.is_unsupported(e.ty) {
            return None;
        }
        if !self.types.is_integer(e.ty) {
            let text = format!("{what} has type `{}`", self.types.display(e.ty));
            self.error(Diagnostic::error("E0321", e.span, text).label("expected an integer"));
            return None;
        }
        let value = self.fold_int(e);
        if value.is_none() {
            let text = format!("{what} is not constant");
            self.error(Diagnostic::error("E0322", e.span, text).label("not an integer constant expression"));
        }
        value
    }

    /// The value of a scalar rvalue, if it is an integer (or address) known now.
    pub(super) fn fold_int(&self, e: &Expr) -> Option<i128> {
        match self.fold(e)? {
            Value::Int(v) => Some(v),
            Value::Float(_) => None,
        }
    }

    /// Whether a scalar rvalue is known now; a string literal counts.
    pub(super) fn is_known(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Decay(inner) => matches!(inner.kind, ExprKind::String(_)),
            _ => self.fold(e).is_some(),
        }
    }

    fn fold(&self, e: &Expr) -> Option<Value> {
        match &e.kind {
            ExprKind::Int(v) => Some(Value::Int(*v)),
            ExprKind::Float(text) => Float::parse(text, self.float_kind(e.ty)?).map(Value::Float),
            ExprKind::Cast(inner) => self.convert_value(self.fold(inner)?, inner.ty, e.ty),
            ExprKind::Unary(op, inner) => self.fold_unary(*op, inner, e.ty),
            ExprKind::Binary(op, a, b) => self.fold_binary(*op, a, b, e.ty),
            ExprKind::Conditional { cond, then, otherwise } => {
                let value = self.fold(cond)?;
                match then {
                    Some(then) if value.is_true() => self.fold(then),
                    None if value.is_true() => self.convert_value(value, cond.ty, e.ty),
                    _ => self.fold(otherwise),
                }
            }
            ExprKind::AddrOf(inner) | ExprKind::Decay(inner) => self.fold_address(inner).map(Value::Int),
            ExprKind::PtrAdd { ptr, index, elem_size: Size::Const(size), negative } => {
                let (ptr, index) = (self.fold_int(ptr)?, self.fold_int(index)?);
                let offset = index.checked_mul(i128::from(*size))?;
                let sum = if *negative { ptr.checked_sub(offset)? } else { ptr.checked_add(offset)? };
                self.wrap_to(sum, e.ty).map(Value::Int)
            }
            ExprKind::PtrDiff { lhs, rhs, elem_size: Size::Const(size) } => {
                let difference = self.fold_int(lhs)?.checked_sub(self.fold_int(rhs)?)?;
                difference.checked_div(i128::from(*size)).map(Value::Int)
            }
            ExprKind::Call { callee: Callee::Direct(f), args } => self.fold_builtin(*f, args, e.ty),
            _ => None,
        }
    }

    /// What compilers compute of their builtins; `ty` is the type of the result.
    fn fold_builtin(&self, f: FunctionId, args: &[Expr], ty: TypeId) -> Option<Value> {
        let name = self.functions[f].name.strip_prefix("__builtin_")?;
        match name {
            "inf" | "inff" | "infl" | "huge_val" | "huge_valf" | "huge_vall" => {
                return Some(Value::Float(Float::infinity(self.float_kind(ty)?)));
            }
            "nan" | "nanf" | "nanl" if self.length_of(args.first()?).is_some() => {
                return Some(Value::Float(Float::nan(self.float_kind(ty)?)));
            }
            "expect" => return self.fold(args.first()?),
            "strlen" => return self.length_of(args.first()?).map(Value::Int),
            _ => {}
        }
        let arg = args.first()?;
        let bits = self.machine.int_bits(self.types.int_kind(arg.ty)?);
        let word = u64::try_from(wrap_bits(self.fold_int(arg)?, bits, false)).ok().filter(|_| bits <= 64)?;
        let (zeros, unused) = (word.leading_zeros(), 64 - bits);
        let value = match name.trim_end_matches('l') {
            "clz" if word != 0 => zeros - unused,
            "clrsb" => {
                let number = wrap_bits(i128::from(word), bits, true);
                (if number < 0 { !number } else { number }).leading_zeros() - (128 - bits) - 1
            }
            "ctz" if word != 0 => word.trailing_zeros(),
            "popcount" => word.count_ones(),
            "parity" => word.count_ones() % 2,
            "ffs" => {
                if word == 0 {
                    0
                } else {
                    word.trailing_zeros() + 1
                }
            }
            "bswap16" | "bswap32" | "bswap64" => return Some(Value::Int(i128::from(word.swap_bytes() >> unused))),
            _ => return None,
        };
        Some(Value::Int(i128::from(value)))
    }

    /// The length of a string literal.
    fn length_of(&self, e: &Expr) -> Option<i128> {
        match &e.kind {
            ExprKind::Cast(inner) => self.length_of(inner),
            ExprKind::Decay(inner) => match &inner.kind {
                ExprKind::String(id) => {
                    let bytes = &self.strings[*id].bytes;
                    i128::try_from(bytes.iter().position(|byte| *byte == 0)?).ok()
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Address of an lvalue that doesn't lie in an object.
    fn fold_address(&self, lvalue: &Expr) -> Option<i128> {
        match &lvalue.kind {
            ExprKind::Deref(pointer) => self.fold_int(pointer),
            ExprKind::Member { base, offset, bits: None } => self.fold_address(base)?.checked_add(i128::from(*offset)),
            _ => None,
        }
    }

    fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        match self.types.get(ty) {
            Type::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    /// What a value of type `from` is as one of type `to`; none where C leaves that open.
    fn convert_value(&self, value: Value, from: TypeId, to: TypeId) -> Option<Value> {
        if let Some(kind) = self.float_kind(to) {
            return Some(Value::Float(match value {
                Value::Int(v) if self.types.int_kind(from) == Some(IntKind::UInt128) => {
                    Float::from_int(v as u128, false, kind)
                }
                Value::Int(v) => Float::from_int(v.unsigned_abs(), v < 0, kind),
                Value::Float(v) => v.converted(kind),
            }));
        }
        let value = match value {
            Value::Int(v) => v,
            Value::Float(v) if *self.types.get(to) == Type::Bool => i128::from(!v.is_zero()),
            Value::Float(v) => {
                let kind = self.types.int_kind(to)?;
                v.to_int(self.machine.int_bits(kind), kind.is_signed())?
            }
        };
        self.wrap_to(value, to).map(Value::Int)
    }

    fn fold_unary(&self, op: UnaryOp, inner: &Expr, ty: TypeId) -> Option<Value> {
        let value = self.fold(inner)?;
        match (op, value) {
            (UnaryOp::Not, value) => Some(Value::Int(i128::from(!value.is_true()))),
            (UnaryOp::Neg, Value::Float(v)) => Some(Value::Float(v.negated())),
            (UnaryOp::Neg, Value::Int(v)) => self.wrap_to(v.wrapping_neg(), ty).map(Value::Int),
            (UnaryOp::BitNot, Value::Int(v)) => self.wrap_to(!v, ty).map(Value::Int),
            (UnaryOp::BitNot, Value::Float(_)) => None,
        }
    }

    fn fold_binary(&self, op: BinaryOp, a: &Expr, b: &Expr, ty: TypeId) -> Option<Value> {
        match op {
            BinaryOp::LogAnd => {
                let a = self.fold(a)?.is_true();
                return Some(Value::Int(i128::from(a && self.fold(b)?.is_true())));
            }
            BinaryOp::LogOr => {
                let a = self.fold(a)?.is_true();
                return Some(Value::Int(i128::from(a || self.fold(b)?.is_true())));
            }
            _ => {}
        }
        match (self.fold(a)?, self.fold(b)?) {
            (Value::Int(x), Value::Int(y)) => {
                let kind = self.types.int_kind(a.ty).unwrap_or(IntKind::ULong);
                let value = fold_ints(op, x, y, kind, self.machine.int_bits(kind))?;
                self.wrap_to(value, ty).map(Value::Int)
            }
            (Value::Float(x), Value::Float(y)) => {
                let truth = || x.compare(op, y).map(|truth| Value::Int(i128::from(truth)));
                x.binary(op, y).map(Value::Float).or_else(truth)
            }
            _ => None,
        }
    }
}

/// `kind` is the type of the left operand, of `bits` bits.
fn fold_ints(op: BinaryOp, x: i128, y: i128, kind: IntKind, bits: u32) -> Option<i128> {
    // Only here do signed and unsigned 128-bit values differ.
    let is_huge = kind == IntKind::UInt128;
    let less = if is_huge { (x as u128) < y as u128 } else { x < y };
    let value = match op {
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Sub => x.wrapping_sub(y),
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::Div | BinaryOp::Rem if y == 0 => return None,
        BinaryOp::Div if is_huge => (x as u128 / y as u128) as i128,
        BinaryOp::Rem if is_huge => (x as u128 % y as u128) as i128,
        BinaryOp::Div => x.wrapping_div(y),
        BinaryOp::Rem => x.wrapping_rem(y),
        BinaryOp::Shl | BinaryOp::Shr if y < 0 || y >= i128::from(bits) => return None,
        BinaryOp::Shl => x.wrapping_shl(y as u32),
        BinaryOp::Shr if is_huge => (x as u128 >> y as u32) as i128,
        BinaryOp::Shr => wrap_bits(x, bits, kind.is_signed()) >> y as u32,
        BinaryOp::BitAnd => x & y,
        BinaryOp::BitOr => x | y,
        BinaryOp::BitXor => x ^ y,
        BinaryOp::Lt => i128::from(less),
        BinaryOp::Ge => i128::from(!less),
        BinaryOp::Gt => i128::from(!less && x != y),
        BinaryOp::Le => i128::from(less || x == y),
        BinaryOp::Eq => i128::from(x == y),
        BinaryOp::Ne => i128::from(x != y),
        BinaryOp::LogAnd | BinaryOp::LogOr => return None,
    };
    Some(value)
}

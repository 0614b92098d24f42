//! Makes and rewrites expressions of a program: substitution with light simplification, and short constructors.

use base::IdVec;
use cfa::{BinOp, ExprId, ExprKind, ExprPool, Program, Scalar, UnOp, Value, Var, VarId};
use rustc_hash::FxHashMap;
use std::cell::{Ref, RefCell};

/// What variables are replaced by.
pub type Map = FxHashMap<VarId, ExprId>;

/// A condition and the truth value that it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Literal {
    /// The condition.
    pub cond: ExprId,
    /// Its truth value.
    pub truth: bool,
}

/// Makes expressions of a program, with light simplification. Methods take `&self`, so that calls nest.
pub struct Exprs<'a> {
    pool: RefCell<&'a mut ExprPool>,
    vars: &'a IdVec<VarId, Var>,
    /// Width of addresses.
    pub pointer_bits: u32,
}

impl<'a> Exprs<'a> {
    /// Makes expressions of this program.
    pub fn of(program: &'a mut Program) -> Self {
        let pointer_bits = program.pointer_bits();
        Self { pool: RefCell::new(&mut program.exprs), vars: &program.vars, pointer_bits }
    }

    /// The expressions made so far. No other may be made while this is kept.
    pub fn pool(&self) -> Ref<'_, ExprPool> {
        Ref::map(self.pool.borrow(), |pool| &**pool)
    }

    fn add(&self, kind: ExprKind, ty: Scalar) -> ExprId {
        self.pool.borrow_mut().add(kind, ty)
    }

    /// The type of an expression.
    pub fn ty(&self, e: ExprId) -> Scalar {
        self.pool().ty(e)
    }

    /// Number of bits of an expression's type.
    pub fn width(&self, e: ExprId) -> u32 {
        self.ty(e).bits(self.pointer_bits)
    }

    /// What an expression is made of.
    pub fn kind(&self, e: ExprId) -> ExprKind {
        self.pool().kind(e)
    }

    /// The value of a constant.
    pub fn as_const(&self, e: ExprId) -> Option<Value> {
        self.pool().as_const(e)
    }

    /// The type of a register.
    pub fn register(&self, var: VarId) -> Option<Scalar> {
        self.vars[var].register()
    }

    /// A constant of an integer or pointer type, or `Bool`.
    pub fn number(&self, value: u128, ty: Scalar) -> ExprId {
        self.add(ExprKind::Const(Value::truncated(value, ty.bits(self.pointer_bits))), ty)
    }

    /// A truth value.
    pub fn truth(&self, value: bool) -> ExprId {
        self.number(u128::from(value), Scalar::Bool)
    }

    /// The value of a register; `None` for variables in memory.
    pub fn var(&self, var: VarId) -> Option<ExprId> {
        self.register(var).map(|ty| self.add(ExprKind::Var(var), ty))
    }

    /// A choice between two values of the same type.
    pub fn ite(&self, cond: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        self.add(ExprKind::Ite(cond, then, otherwise), self.ty(then))
    }

    /// A pointer moved by an offset in bytes.
    pub fn ptr_add(&self, pointer: ExprId, offset: ExprId) -> ExprId {
        self.add(ExprKind::PtrAdd(pointer, offset), self.ty(pointer))
    }

    /// A unary operation.
    pub fn unary(&self, op: UnOp, a: ExprId) -> ExprId {
        match (op, self.kind(a)) {
            (UnOp::Not, ExprKind::Unary(UnOp::Not, inner)) => inner,
            _ => self.add(ExprKind::Unary(op, a), self.ty(a)),
        }
    }

    /// A binary operation of the operands' type, or `Bool`.
    pub fn binary(&self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let (x, y) = (self.as_const(a), self.as_const(b));
        if let (BinOp::Ne | BinOp::Eq, Some(Value(0))) = (op, y) {
            let truth = truth_value(&self.pool(), a);
            if let Some(truth) = truth {
                return if op == BinOp::Ne { truth } else { self.unary(UnOp::Not, truth) };
            }
        }
        let ty = if op.is_comparison() { Scalar::Bool } else { self.ty(a) };
        if let (Some(x), Some(y), true) = (x, y, ty.is_int()) {
            let folded = match op {
                BinOp::Add => Some(x.0.wrapping_add(y.0)),
                BinOp::Sub => Some(x.0.wrapping_sub(y.0)),
                BinOp::Mul => Some(x.0.wrapping_mul(y.0)),
                BinOp::Div if !ty.is_signed() => x.0.checked_div(y.0),
                _ => None,
            };
            if let Some(value) = folded {
                return self.number(value, ty);
            }
        }
        match (op, x, y) {
            _ if ty.is_float() => {}
            (BinOp::Add | BinOp::Sub, _, Some(Value(0))) | (BinOp::Mul | BinOp::Div, _, Some(Value(1))) => return a,
            (BinOp::Add, Some(Value(0)), _) | (BinOp::Mul, Some(Value(1)), _) => return b,
            _ => {}
        }
        self.add(ExprKind::Binary(op, a, b), ty)
    }

    /// `a + b`.
    pub fn plus(&self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Add, a, b)
    }

    /// `a - b`.
    pub fn minus(&self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Sub, a, b)
    }

    /// `a · b`.
    pub fn times(&self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Mul, a, b)
    }

    /// `a <= b`.
    pub fn at_most(&self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Le, a, b)
    }

    /// A conversion; none where the type is the same.
    pub fn cast(&self, a: ExprId, ty: Scalar) -> ExprId {
        let from = self.ty(a);
        if from == ty {
            return a;
        }
        if let (Some(value), Scalar::Int { bits, signed }, Scalar::Int { .. }) = (self.as_const(a), from, ty) {
            let wide = if signed { value.signed(u32::from(bits)) as u128 } else { value.0 };
            return self.number(wide, ty);
        }
        self.add(ExprKind::Cast(a), ty)
    }

    /// Conjunction, without what is trivial.
    pub fn and(&self, a: ExprId, b: ExprId) -> ExprId {
        match (self.as_const(a), self.as_const(b)) {
            (Some(Value(0)), _) | (_, Some(Value(1))) => a,
            (_, Some(Value(0))) | (Some(Value(1)), _) => b,
            _ if a == b => a,
            _ => self.binary(BinOp::And, a, b),
        }
    }

    /// Disjunction, without what is trivial.
    pub fn or(&self, a: ExprId, b: ExprId) -> ExprId {
        match (self.as_const(a), self.as_const(b)) {
            (Some(Value(1)), _) | (_, Some(Value(0))) => a,
            (_, Some(Value(1))) | (Some(Value(0)), _) => b,
            _ if a == b => a,
            _ => self.binary(BinOp::Or, a, b),
        }
    }

    /// Replaces registers in an expression.
    pub fn substitute(&self, root: ExprId, map: &Map) -> ExprId {
        let mut known: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((id, ready)) = stack.pop() {
            if known.contains_key(&id) {
                continue;
            }
            if !ready {
                stack.push((id, true));
                stack.extend(self.pool().operands(id).map(|operand| (operand, false)));
                continue;
            }
            let new = |operand: ExprId| known[&operand];
            let expr = self.pool().get(id);
            let rebuilt = match expr.kind {
                ExprKind::Var(var) => map.get(&var).copied().unwrap_or(id),
                ExprKind::Const(_) | ExprKind::AddrOf(_) | ExprKind::FuncAddr(_) | ExprKind::Tracked => id,
                ExprKind::Valid(access, a, len) => self.add(ExprKind::Valid(access, new(a), new(len)), expr.ty),
                ExprKind::Load(a) => self.add(ExprKind::Load(new(a)), expr.ty),
                ExprKind::Unary(op, a) => self.unary(op, new(a)),
                ExprKind::Binary(op, a, b) => self.binary(op, new(a), new(b)),
                ExprKind::PtrAdd(a, b) => self.ptr_add(new(a), new(b)),
                ExprKind::Cast(a) => self.cast(new(a), expr.ty),
                ExprKind::Ite(a, b, c) => self.ite(new(a), new(b), new(c)),
            };
            known.insert(id, rebuilt);
        }
        known[&root]
    }

    /// Replaces registers in a literal.
    pub fn substitute_in(&self, literal: Literal, map: &Map) -> Literal {
        Literal { cond: self.substitute(literal.cond, map), ..literal }
    }
}

/// The unsigned integers of so many bits.
pub fn unsigned(width: u32) -> Scalar {
    Scalar::Int { bits: width as u16, signed: false }
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

/// The registers that occur.
pub fn variables(pool: &ExprPool, root: ExprId) -> Vec<VarId> {
    let mut found = Vec::new();
    mentions(pool, root, |var| {
        found.push(var);
        false
    });
    found
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

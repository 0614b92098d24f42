//! Side-effect-free expressions, hash-consed in one pool per program.
//!
//! Semantics: integers wrap around (two's complement) in every operation; `Shl`/`Shr` with an amount of at least the width
//! and `Div`/`Rem` by zero do not occur in a run, because lowering guards them with an edge to [`crate::Op::Undefined`];
//! an evaluator may return any value for them. `Load` outside of a live object ends the path as undefined behaviour.
//!
//! In a circle with `op`, `program`, `repeat` and `threads`: expressions name variables and functions of the program that consists of them.

use crate::program::{FuncId, VarId};
use crate::value::{Scalar, Value};
use base::{Id, IdVec, new_id};
use rustc_hash::FxHashMap;

new_id! {
    /// An expression of an [`ExprPool`]; equal ids mean equal expressions.
    pub struct ExprId;
}

/// Unary operators; the operand has the type of the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum UnOp {
    /// Arithmetic negation of integers and floats.
    Neg,
    /// Complement of all bits of an integer.
    BitNot,
    /// Logical negation of a `Bool`.
    Not,
    /// Square root of an `F32` or `F64`, rounded to nearest as IEEE 754 demands.
    Sqrt,
}

/// Binary operators. Arithmetic: both operands have the type of the result. Shifts: the right operand may have any integer
/// type and is unsigned or non-negative. Comparisons: operands of one type, result `Bool`. Logical: all `Bool`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Truncates towards zero for integers; IEEE for floats.
    Div,
    /// Integers only; has the sign of the dividend.
    Rem,
    Shl,
    /// Arithmetic for signed types, logical for unsigned ones.
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Logical and of two `Bool`s; both are evaluated (they have no effects).
    And,
    /// Logical or of two `Bool`s.
    Or,
}

impl BinOp {
    /// All operators: ten that give what they take, six comparisons, two of truth values.
    #[rustfmt::skip]
    pub const ALL: [BinOp; 18] = {
        use BinOp::*;
        [Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor, Eq, Ne, Lt, Le, Gt, Ge, And, Or]
    };

    /// Whether the result is `Bool` and the operands are of another type.
    pub const fn is_comparison(self) -> bool {
        matches!(self, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)
    }
}

/// What is done with memory at an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// Bytes are read.
    Read,
    /// Bytes are written.
    Write,
    /// A heap object is given back: the address is null or where a live one begins.
    Free,
}

/// What an expression is; `ty` of [`Expr`] is its type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExprKind {
    /// Integer, float, pointer (null or an address) or truth value.
    Const(Value),
    /// Value of a register variable.
    Var(VarId),
    /// Address of the current instance of a memory variable; type `Ptr`.
    AddrOf(VarId),
    /// Address of a function; type `Ptr`.
    FuncAddr(FuncId),
    /// Scalar of the expression's type read at an address.
    Load(ExprId),
    /// Unary operation.
    Unary(UnOp, ExprId),
    /// Binary operation.
    Binary(BinOp, ExprId, ExprId),
    /// Pointer moved by a number of bytes: the base has type `Ptr`, the offset an integer type of the pointer's width
    /// (negative offsets wrap around).
    PtrAdd(ExprId, ExprId),
    /// Conversion of the operand to the expression's type with C's semantics: truncation, sign or zero extension by the
    /// operand's signedness, int↔float (towards zero; out of range: any value), float↔float, pointer↔integer (bits,
    /// zero-extended), `Bool` to 0/1. Conversions *to* `Bool` are written as comparisons instead.
    Cast(ExprId),
    /// `Bool` ? a : b, both of the expression's type; both are evaluated.
    Ite(ExprId, ExprId, ExprId),
    /// `Bool`: whether the access to so many bytes (an integer of the pointer's width) at an address stays in one live object that
    /// allows it. Memory that is not the program's allows all but `free`.
    Valid(Access, ExprId, ExprId),
    /// `Bool`: every live heap object can be reached by pointers from variables that are alive.
    Tracked,
}

/// An expression with its type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Scalar,
}

/// The hash-consed expressions of a program. Operands have smaller ids than what is made of them.
#[derive(Clone, Default, Debug)]
pub struct ExprPool {
    exprs: IdVec<ExprId, Expr>,
    ids: FxHashMap<Expr, ExprId>,
}

impl ExprPool {
    /// The id of this expression, new or known.
    pub fn add(&mut self, kind: ExprKind, ty: Scalar) -> ExprId {
        let expr = Expr { kind, ty };
        *self.ids.entry(expr).or_insert_with(|| self.exprs.push(expr))
    }

    /// The expression.
    #[inline]
    pub fn get(&self, id: ExprId) -> Expr {
        self.exprs[id]
    }

    /// Its kind.
    #[inline]
    pub fn kind(&self, id: ExprId) -> ExprKind {
        self.exprs[id].kind
    }

    /// Its type.
    #[inline]
    pub fn ty(&self, id: ExprId) -> Scalar {
        self.exprs[id].ty
    }

    /// Number of expressions.
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    /// The constant that the expression is.
    pub fn as_const(&self, id: ExprId) -> Option<Value> {
        match self.kind(id) {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The operands, in order.
    pub fn operands(&self, id: ExprId) -> impl Iterator<Item = ExprId> + use<> {
        let (a, b, c) = match self.kind(id) {
            ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::AddrOf(_) | ExprKind::FuncAddr(_) | ExprKind::Tracked => {
                (None, None, None)
            }
            ExprKind::Load(a) | ExprKind::Unary(_, a) | ExprKind::Cast(a) => (Some(a), None, None),
            ExprKind::Binary(_, a, b) | ExprKind::PtrAdd(a, b) | ExprKind::Valid(_, a, b) => (Some(a), Some(b), None),
            ExprKind::Ite(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        a.into_iter().chain(b).chain(c)
    }

    /// The expression with other parts: what `f` says of a part, or the part made anew of its operands. `known` keeps what was decided.
    pub fn rewrite(
        &mut self,
        id: ExprId,
        known: &mut FxHashMap<ExprId, ExprId>,
        f: impl Fn(&mut Self, ExprId) -> Option<ExprId> + Copy,
    ) -> ExprId {
        if let Some(done) = known.get(&id) {
            return *done;
        }
        let new = f(self, id).unwrap_or_else(|| {
            let expr = self.get(id);
            let mut go = |e| self.rewrite(e, known, f);
            let kind = match expr.kind {
                ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::AddrOf(_) | ExprKind::FuncAddr(_) => return id,
                ExprKind::Tracked => return id,
                ExprKind::Load(a) => ExprKind::Load(go(a)),
                ExprKind::Unary(op, a) => ExprKind::Unary(op, go(a)),
                ExprKind::Binary(op, a, b) => ExprKind::Binary(op, go(a), go(b)),
                ExprKind::PtrAdd(a, b) => ExprKind::PtrAdd(go(a), go(b)),
                ExprKind::Cast(a) => ExprKind::Cast(go(a)),
                ExprKind::Ite(c, a, b) => ExprKind::Ite(go(c), go(a), go(b)),
                ExprKind::Valid(access, a, len) => ExprKind::Valid(access, go(a), go(len)),
            };
            self.add(kind, expr.ty)
        });
        known.insert(id, new);
        new
    }

    /// Calls `f` for the expression and all below it, each once, operands after what uses them.
    pub fn walk(&self, root: ExprId, mut f: impl FnMut(ExprId, Expr)) {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                f(id, self.get(id));
                stack.extend(self.operands(id));
            }
        }
    }

    /// Whether some expression asks which objects are alive.
    pub fn asks_for_life(&self) -> bool {
        self.exprs.iter().any(|e| matches!(e.kind, ExprKind::Valid(..) | ExprKind::Tracked))
    }

    /// Ids in order.
    pub fn ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len()).map(ExprId::from_index)
    }
}

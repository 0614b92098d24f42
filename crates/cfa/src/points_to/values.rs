//! Which pointer an expression is, in terms of slots.

use super::classes::type_bit;
use super::unify::{Solver, Val, gcd};
use crate::expr::{BinOp, ExprId, ExprKind, UnOp};
use crate::program::Program;
use crate::value::Scalar;
use base::Id;

/// Levels of an offset expression that are looked at.
const OFFSET_DEPTH: u32 = 8;

/// Values of the expressions of a program.
pub(super) struct Values<'a> {
    pub program: &'a Program,
    pub solver: Solver,
    /// By expression; [`Val::UNUSED`] for those that no operation uses.
    pub vals: Vec<Val>,
}

impl Values<'_> {
    pub(super) fn val(&self, e: ExprId) -> Val {
        self.vals[e.index()]
    }

    /// Computes the value of an expression whose operands' values are known.
    pub(super) fn evaluate(&mut self, id: ExprId) {
        let exprs = &self.program.exprs;
        let e = exprs.get(id);
        let val = match e.kind {
            ExprKind::Const(_) => Val::NOTHING,
            ExprKind::Var(_) if e.ty == Scalar::Bool || e.ty.is_float() => Val::NOTHING,
            ExprKind::Var(var) | ExprKind::AddrOf(var) => Val::of(var.index() as u32),
            ExprKind::FuncAddr(f) => Val::of((self.program.vars.len() + f.index()) as u32),
            ExprKind::Load(addr) => self.load(addr, e.ty),
            ExprKind::Cast(a) if e.ty == Scalar::Bool || e.ty.is_float() || exprs.ty(a).is_float() => {
                // A cast of something that is no pointer.
                Val::NOTHING
            }
            ExprKind::Cast(a) => self.val(a),
            ExprKind::PtrAdd(base, offset) => {
                let (shift, stride) = self.offset(offset, OFFSET_DEPTH);
                let moved = self.val(base).moved(shift, stride);
                // `(char *)0 + n` is another way to write a cast.
                if moved.is_nothing() { self.val(offset) } else { moved }
            }
            ExprKind::Ite(_, a, b) => self.join(self.val(a), self.val(b)),
            ExprKind::Unary(..) | ExprKind::Binary(..) if !self.is_wide(e.ty) => Val::NOTHING,
            ExprKind::Unary(UnOp::Neg | UnOp::BitNot, a) => self.val(a).moved(0, 1),
            ExprKind::Unary(UnOp::Not, _) => Val::NOTHING,
            ExprKind::Binary(op, a, b) => self.arithmetic(op, a, b),
        };
        self.vals[id.index()] = val;
    }

    /// Whether arithmetic in this type may give an address: integers at least as wide as pointers.
    fn is_wide(&self, ty: Scalar) -> bool {
        matches!(ty, Scalar::Int { bits, .. } if u32::from(bits) >= self.program.pointer_bits())
    }

    fn load(&mut self, addr: ExprId, ty: Scalar) -> Val {
        let Some(at) = self.solver.force(self.val(addr)) else { return Val::NOTHING };
        let cell = self.solver.cell(at, ty.access_bytes(self.program.pointer_bits()), type_bit(ty));
        if ty.is_float() { Val::NOTHING } else { Val::of(cell) }
    }

    fn join(&mut self, a: Val, b: Val) -> Val {
        if a.is_nothing() || a == b {
            return b;
        }
        if b.is_nothing() {
            return a;
        }
        let slot = self.solver.slot();
        self.solver.flow(a, slot);
        self.solver.flow(b, slot);
        Val::of(slot)
    }

    fn arithmetic(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Val {
        let (x, y) = (self.val(a), self.val(b));
        match op {
            // The difference of two pointers is a number: adding it to a pointer gives a pointer into the same object.
            BinOp::Sub if self.is_cast_pointer(a) && self.is_cast_pointer(b) => Val::NOTHING,
            BinOp::Add | BinOp::Sub => {
                let (shift, stride) = self.offset(b, OFFSET_DEPTH);
                let x = if op == BinOp::Add { x.moved(shift, stride) } else { x.moved(shift.wrapping_neg(), stride) };
                let y = if y.is_nothing() {
                    y
                } else if op == BinOp::Add {
                    let (shift, stride) = self.offset(a, OFFSET_DEPTH);
                    y.moved(shift, stride)
                } else {
                    y.moved(0, 1)
                };
                if x.is_nothing() { y } else { self.join(x, y) }
            }
            op if op.is_comparison() => Val::NOTHING,
            _ => self.join(x.moved(0, 1), y.moved(0, 1)),
        }
    }

    fn is_cast_pointer(&self, e: ExprId) -> bool {
        let exprs = &self.program.exprs;
        matches!(exprs.kind(e), ExprKind::Cast(p) if exprs.ty(p) == Scalar::Ptr)
    }

    /// What an integer can be: a constant plus any multiple of the stride (0: just the constant; 1: anything).
    fn offset(&self, id: ExprId, depth: u32) -> (i64, u64) {
        const ANYTHING: (i64, u64) = (0, 1);
        let exprs = &self.program.exprs;
        let e = exprs.get(id);
        let Scalar::Int { bits, signed } = e.ty else { return ANYTHING };
        if depth == 0 {
            return ANYTHING;
        }
        let of = |id| self.offset(id, depth - 1);
        match e.kind {
            ExprKind::Const(v) if signed || u32::from(bits) >= self.program.pointer_bits() => {
                (v.signed(u32::from(bits)) as i64, 0)
            }
            ExprKind::Const(v) => (v.0 as i64, 0),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let (s, j) = of(a);
                if j == 1 {
                    return ANYTHING;
                }
                let (t, k) = of(b);
                (if op == BinOp::Add { s.wrapping_add(t) } else { s.wrapping_sub(t) }, gcd(j, k))
            }
            ExprKind::Binary(BinOp::Mul, a, b) => match (of(a), of(b)) {
                (x, (c, 0)) | ((c, 0), x) => scaled(x, c),
                _ => ANYTHING,
            },
            ExprKind::Binary(BinOp::Shl, a, b) => match exprs.as_const(b) {
                Some(n) if n.0 < 62 => scaled(of(a), 1 << n.0),
                _ => ANYTHING,
            },
            ExprKind::Binary(BinOp::BitAnd, _, b) => match exprs.as_const(b) {
                Some(mask) if mask.0 != 0 => (0, 1 << mask.0.trailing_zeros().min(62)),
                _ => ANYTHING,
            },
            ExprKind::Unary(UnOp::Neg, a) => {
                let (s, k) = of(a);
                (s.wrapping_neg(), k)
            }
            ExprKind::Cast(a) => {
                let Scalar::Int { bits: inner, .. } = exprs.ty(a) else { return ANYTHING };
                let (s, k) = of(a);
                if k == 0 {
                    // Only a constant is exact: arithmetic in the narrower type may wrap around.
                    return if exprs.as_const(a).is_some() { (s, 0) } else { ANYTHING };
                }
                // Modulo a power of two, wrapping around does not matter.
                let wrap = 1u64 << u32::from(inner.min(bits)).min(62);
                (s, gcd(k, wrap))
            }
            ExprKind::Ite(_, a, b) => {
                let (s, j) = of(a);
                if j == 1 {
                    return ANYTHING;
                }
                let (t, k) = of(b);
                (s, gcd(gcd(j, k), s.wrapping_sub(t).unsigned_abs()))
            }
            _ => ANYTHING,
        }
    }
}

/// The multiples by a constant of what `(shift, stride)` stands for.
fn scaled((shift, stride): (i64, u64), by: i64) -> (i64, u64) {
    if by == 0 {
        return (0, 0);
    }
    match (shift.checked_mul(by), stride.checked_mul(by.unsigned_abs())) {
        (Some(shift), Some(stride)) => (shift, stride),
        _ => (0, 1),
    }
}

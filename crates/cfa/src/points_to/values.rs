//! Which pointer an expression is, in terms of slots.
//!
//! An integer is a copy of a pointer as long as it was only cast, given on, copied byte by byte, aligned, or moved by a number that is not
//! derived from addresses, as an index. All other operations use it as a number: its object is *exposed*, and what they compute may
//! equal any address.

use super::classes::type_bit;
use super::slots::{DERIVED_BIT, Kind, NUMBER_BIT, Val};
use super::unify::Solver;
use crate::expr::{BinOp, ExprId, ExprKind, UnOp};
use crate::layout::{external_range, object_range};
use crate::program::Program;
use crate::value::Scalar;
use base::Id;
use num_integer::gcd;

/// Levels of an offset expression that are looked at.
const OFFSET_DEPTH: u32 = 8;
/// Numbers that are smaller tell nothing about addresses: no object lies that low.
const SMALL: u128 = 4096;

/// A sum or a difference of integers.
pub(super) struct Sum {
    pub operands: [Val; 2],
    is_difference: bool,
    /// Holds the result.
    pub slot: u32,
    /// Whether it makes a new number of addresses.
    pub is_derived: bool,
    /// Whether the operands are known to be exposed for that.
    pub is_exposed: bool,
}

impl Sum {
    /// What the result is, besides a moved copy of a pointer, as far as it is known of the operands.
    pub(super) fn kind(&mut self, solver: &mut Solver) -> Kind {
        let kinds = self.operands.map(|val| solver.kind(val));
        let nodes = self.operands.map(|val| solver.pointee(val).map(|at| at.node));
        self.is_derived |= match nodes {
            // Within an object, a difference is an index.
            [Some(a), Some(b)] => !self.is_difference || a != b,
            [None, Some(_)] => self.is_difference,
            _ => false,
        };
        if self.is_derived || (kinds[0] | kinds[1]) & DERIVED_BIT != 0 {
            NUMBER_BIT | DERIVED_BIT
        } else if self.is_difference && nodes[1].is_some() {
            NUMBER_BIT
        } else {
            kinds[0] & kinds[1] & NUMBER_BIT
        }
    }
}

/// Values of the expressions of a program.
pub(super) struct Values<'a> {
    pub program: &'a Program,
    pub solver: Solver,
    /// By expression; [`Val::UNUSED`] for those that no operation uses.
    pub vals: Vec<Val>,
    /// What is used as a number.
    pub exposed: Vec<Val>,
    /// Slots of pointers that lead anywhere where they hold numbers.
    pub from_numbers: Vec<u32>,
    /// All of them.
    pub sums: Vec<Sum>,
    /// Pairs of values that are compared.
    pub compared: Vec<(Val, Val)>,
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
            ExprKind::Const(_) if e.ty == Scalar::Ptr || e.ty == Scalar::Bool => Val::NOTHING,
            ExprKind::Const(_) => Val::NUMBER,
            _ if e.ty == Scalar::Bool => {
                self.test(e.kind);
                Val::NOTHING
            }
            ExprKind::Load(addr) => self.load(addr, e.ty),
            ExprKind::Var(var) | ExprKind::AddrOf(var) => Val::of(var.index() as u32),
            ExprKind::FuncAddr(f) => Val::of((self.program.vars.len() + f.index()) as u32),
            ExprKind::Cast(a) if exprs.ty(a) == Scalar::Bool => Val::NOTHING,
            ExprKind::Cast(a) if e.ty.is_float() || exprs.ty(a).is_float() => self.computed(&[a]),
            ExprKind::Cast(a) if e.ty == Scalar::Ptr && exprs.ty(a) != Scalar::Ptr => self.pointer(a),
            ExprKind::Cast(a) => self.val(a),
            ExprKind::PtrAdd(base, offset) => {
                let (shift, stride) = self.offset(offset, OFFSET_DEPTH);
                let moved = self.val(base).moved(shift, stride);
                // `(char *)0 + n` is another way to write a cast.
                if moved.is_nothing() { self.pointer(offset) } else { moved }
            }
            ExprKind::Ite(_, a, b) => self.join(self.val(a), self.val(b)),
            ExprKind::Unary(_, a) => self.computed(&[a]),
            ExprKind::Binary(op, a, b) => self.arithmetic(op, a, b),
            // Truth values.
            ExprKind::Valid(..) | ExprKind::Tracked => Val::NOTHING,
        };
        self.vals[id.index()] = val;
    }

    /// Whether arithmetic in this type may give an address: integers at least as wide as pointers.
    fn is_wide(&self, ty: Scalar) -> bool {
        matches!(ty, Scalar::Int { bits, .. } if u32::from(bits) >= self.program.pointer_bits())
    }

    /// The pointer that is made of a number, or of a copy of a pointer.
    fn pointer(&mut self, integer: ExprId) -> Val {
        let val = self.val(integer);
        if val.is_nothing() || self.program.exprs.as_const(integer).is_some() {
            return Val::NOTHING;
        }
        let slot = self.solver.slot();
        self.solver.flow(val, slot);
        self.from_numbers.push(slot);
        Val::of(slot)
    }

    /// What is computed in a way that may lead from any address to any other.
    fn computed(&mut self, operands: &[ExprId]) -> Val {
        let vals: Vec<Val> = operands.iter().map(|a| self.val(*a)).filter(|val| val.has_slot()).collect();
        self.exposed.extend(&vals);
        self.solver.computed(&vals)
    }

    fn load(&mut self, addr: ExprId, ty: Scalar) -> Val {
        let Some(at) = self.solver.force(self.val(addr)) else { return Val::NOTHING };
        let cell = self.solver.cell(at, ty.access_bytes(self.program.pointer_bits()), type_bit(ty));
        if ty == Scalar::Ptr {
            self.from_numbers.push(cell);
        } else if ty.is_float() {
            self.exposed.push(Val::of(cell));
            return self.solver.computed(&[Val::of(cell)]);
        }
        Val::of(cell)
    }

    /// What a condition tells of the addresses in it.
    fn test(&mut self, cond: ExprKind) {
        let exprs = &self.program.exprs;
        match cond {
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let is_small = |e| self.is_wide(exprs.ty(e)) && self.as_small(e).is_some();
                // No object of the program lies there, so that this tells no address of one.
                let (objects, external) = (object_range(self.program.machine), external_range(self.program.machine));
                let is_external = |e| {
                    let bounds = u128::from(external.start)..=u128::from(external.end);
                    let is_there = |value: u128| bounds.contains(&value) || value + 1 == u128::from(objects.start);
                    exprs.as_const(e).is_some_and(|value| is_there(value.0))
                };
                // Calls through unknown pointers may reach all functions anyway.
                let is_function = |e| matches!(exprs.kind(e), ExprKind::FuncAddr(_));
                if ![a, b].into_iter().any(|e| is_small(e) || is_external(e) || is_function(e)) {
                    self.compared.push((self.val(a), self.val(b)));
                }
            }
            // A part of an address is tested, or something like a byte of it.
            ExprKind::Cast(a) if exprs.ty(a) != Scalar::Ptr && !self.is_wide(exprs.ty(a)) => {
                self.exposed.push(self.val(a))
            }
            ExprKind::Load(addr) => drop(self.load(addr, Scalar::Bool)),
            _ => {}
        }
    }

    /// A constant of pointer width next to zero.
    fn as_small(&self, e: ExprId) -> Option<i64> {
        let value = self.program.exprs.as_const(e)?.signed(self.program.exprs.ty(e).bits(self.program.pointer_bits()));
        (value.unsigned_abs() <= SMALL).then_some(value as i64)
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
        if !self.is_wide(self.program.exprs.ty(a)) {
            return self.computed(&[a, b]);
        }
        match (op, self.as_small(a), self.as_small(b)) {
            (BinOp::Add | BinOp::Sub, ..) => self.sum(op, a, b),
            // Of an address, only the low bits are left.
            (BinOp::BitAnd, _, Some(0..)) | (BinOp::BitAnd, Some(0..), _) => Val::NUMBER,
            (BinOp::BitAnd, _, Some(_)) => x.moved(0, 1),
            (BinOp::BitAnd, Some(_), _) => y.moved(0, 1),
            (BinOp::BitOr | BinOp::BitXor, _, Some(0..)) => x.moved(0, 1),
            (BinOp::BitOr | BinOp::BitXor, Some(0..), _) => y.moved(0, 1),
            _ => self.computed(&[a, b]),
        }
    }

    fn sum(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Val {
        let operands @ [x, y] = [self.val(a), self.val(b)];
        let is_difference = op == BinOp::Sub;
        let slot = self.solver.slot();
        self.sums.push(Sum { operands, is_difference, slot, is_derived: false, is_exposed: false });
        let (shift, stride) = self.offset(b, OFFSET_DEPTH);
        if !is_difference {
            self.solver.flow_copies(x.moved(shift, stride), slot);
            let (shift, stride) = self.offset(a, OFFSET_DEPTH);
            self.solver.flow_copies(y.moved(shift, stride), slot);
        } else if !self.is_cast_pointer(b) {
            self.solver.flow_copies(x.moved(shift.wrapping_neg(), stride), slot);
        }
        Val::of(slot)
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

//! Evaluation of expressions under an abstract assignment (exp/v in [loewe13], Sect. II-C).
//!
//! Where one operand decides (`0 && x`, `0 * x`), the result does not rest on the other one: refinement learns less.

use super::ValueDomain;
use super::assignment::Assignment;
use super::cells::ObjId;
use super::number::Known;
use cfa::eval::{eval_binary, eval_cast, eval_ptr_add, eval_unary};
use cfa::layout::{ALLOCATED, external_range, function_address, object_range};
use cfa::{BinOp, ExprId, ExprKind, Scalar, UnOp, Undefined, Value};
use std::cmp::Ordering;
use step::End;
use step::StackId;

/// Pointers this far from their object are not ordered by their offsets.
const NEAR: i64 = 1 << 27;

impl ValueDomain<'_> {
    /// The value of an expression; `None` if the state does not decide it.
    ///
    /// # Errors
    /// When a read is outside of all objects on all runs of the state.
    pub fn eval<A: Assignment>(&mut self, a: &mut A, stack: StackId, e: ExprId) -> Result<Option<Known>, End> {
        let cfa::Expr { kind, ty } = self.program.exprs.get(e);
        Ok(match kind {
            ExprKind::Const(v) => Some(Known::Num(v.0)),
            ExprKind::Var(var) => {
                if self.program.vars[var].is_global() && self.facts.is_left_to_environment(var) {
                    None
                } else if self.program.vars[var].is_global() && self.facts.is_constant(var) {
                    let bytes = ty.access_bytes(self.pointer_bits);
                    self.initial_value(var, 0, bytes)
                } else {
                    a.get(self.register(stack, var)).map(|val| self.values.get(val))
                }
            }
            ExprKind::AddrOf(var) => Some(Known::Ptr(self.object_of(stack, var), 0)),
            ExprKind::FuncAddr(func) => Some(Known::Num(u128::from(function_address(func)))),
            ExprKind::Load(addr) => {
                let address = self.eval(a, stack, addr)?;
                let bytes = ty.access_bytes(self.pointer_bits);
                match address {
                    None => None,
                    Some(Known::Ptr(obj, off)) => self.load(a, obj, off, bytes),
                    Some(Known::Num(n)) if self.is_invalid(n) => return Err(End::Undefined(Undefined::InvalidAccess)),
                    Some(Known::Num(_)) => None,
                }
            }
            ExprKind::Unary(op, x) => {
                let x = self.eval(a, stack, x)?;
                x.and_then(|x| self.unary(op, ty, x))
            }
            ExprKind::Binary(op, x, y) => return self.eval_binary(a, stack, op, x, y),
            ExprKind::PtrAdd(x, y) => {
                let (x, y) = (self.eval(a, stack, x)?, self.eval(a, stack, y)?);
                match (x, y) {
                    (Some(x), Some(y)) => self.ptr_add(x, y),
                    _ => None,
                }
            }
            ExprKind::Cast(x) => {
                let from = self.program.exprs.ty(x);
                let x = self.eval(a, stack, x)?;
                x.and_then(|x| self.cast(from, ty, x))
            }
            ExprKind::Valid(access, address, len) => {
                let (address, len) = (self.eval(a, stack, address)?, self.eval(a, stack, len)?);
                self.valid(access, address, len).map(|valid| Known::Num(u128::from(valid)))
            }
            // What pointers lead to is known of some objects only.
            ExprKind::Tracked => None,
            ExprKind::Ite(c, x, y) => match self.eval(a, stack, c)? {
                Some(Known::Num(0)) => self.eval(a, stack, y)?,
                Some(Known::Num(_)) => self.eval(a, stack, x)?,
                _ => {
                    let (x, y) = (self.eval(a, stack, x)?, self.eval(a, stack, y)?);
                    if x == y { x } else { None }
                }
            },
        })
    }

    fn eval_binary<A: Assignment>(
        &mut self,
        a: &mut A,
        stack: StackId,
        op: BinOp,
        x: ExprId,
        y: ExprId,
    ) -> Result<Option<Known>, End> {
        let ty = self.program.exprs.ty(x);
        let begin = a.mark();
        let vx = self.eval(a, stack, x)?;
        if let Some(result) = decides(op, ty, vx) {
            return Ok(Some(result));
        }
        let middle = a.mark();
        let vy = self.eval(a, stack, y)?;
        if let Some(result) = decides(op, ty, vy) {
            a.cut(begin..middle);
            return Ok(Some(result));
        }
        Ok(match (vx, vy) {
            (Some(x), Some(y)) => self.binary(op, ty, x, y),
            (None, Some(Known::Num(size))) if op == BinOp::Le => self.is_in_other(a, stack, x, size)?,
            _ => None,
        })
    }

    /// `p - q <= size`, which asks whether `p` leads into the object of that size at `q`, for a `p` that leads into another.
    fn is_in_other<A: Assignment>(
        &mut self,
        a: &mut A,
        stack: StackId,
        difference: ExprId,
        size: u128,
    ) -> Result<Option<Known>, End> {
        let ExprKind::Binary(BinOp::Sub, p, q) = self.program.exprs.kind(difference) else { return Ok(None) };
        let is_number = !self.program.exprs.ty(difference).is_signed();
        let (p, q) = (self.eval(a, stack, p)?, self.eval(a, stack, q)?);
        let (Some(Known::Ptr(o, off)), Some(Known::Ptr(r, 0))) = (p, q) else { return Ok(None) };
        let fits = self.cells.objects[r].size.is_some_and(|of| size <= u128::from(of));
        // Objects are apart, with a gap behind each.
        Ok((is_number && o != r && fits && self.is_inside(o, off)).then_some(Known::Num(0)))
    }

    /// Whether no live object and no external memory is at the address.
    pub(super) fn is_invalid(&self, address: u128) -> bool {
        let machine = self.program.machine;
        let Ok(address) = u64::try_from(address) else { return true };
        !object_range(machine).contains(&address) && !external_range(machine).contains(&address)
    }

    /// Whether the pointer stays within its object, or right behind it.
    fn is_inside(&self, obj: ObjId, off: i64) -> bool {
        match self.cells.objects[obj].size {
            Some(size) => off >= 0 && off as u64 <= size,
            None => off == 0,
        }
    }

    /// Whether a pointer that stays within its object leads to a byte of it.
    fn is_before_end(&self, obj: ObjId, off: i64) -> bool {
        self.cells.objects[obj].size.is_some_and(|size| (off as u64) < size)
    }

    /// An offset cut to the width of pointers.
    fn offset(&self, off: i64) -> i64 {
        let shift = 64 - self.pointer_bits;
        (off << shift) >> shift
    }

    fn moved(&self, obj: ObjId, off: i64, by: u128) -> Known {
        let by = Value::truncated(by, self.pointer_bits).signed(self.pointer_bits) as i64;
        Known::Ptr(obj, self.offset(off.wrapping_add(by)))
    }

    pub(super) fn ptr_add(&self, x: Known, y: Known) -> Option<Known> {
        match (x, y) {
            (Known::Ptr(obj, off), Known::Num(n)) | (Known::Num(n), Known::Ptr(obj, off)) => {
                Some(self.moved(obj, off, n))
            }
            (Known::Num(x), Known::Num(y)) => Some(Known::Num(eval_ptr_add(Value(x), Value(y), self.pointer_bits).0)),
            _ => None,
        }
    }

    /// Whether values of the type can be addresses.
    fn is_address(&self, ty: Scalar) -> bool {
        !ty.is_float() && ty.bits(self.pointer_bits) == self.pointer_bits
    }

    pub(super) fn unary(&self, op: UnOp, ty: Scalar, x: Known) -> Option<Known> {
        match x {
            Known::Num(n) => eval_unary(op, ty, Value(n), self.pointer_bits).map(|v| Known::Num(v.0)),
            Known::Ptr(..) => None,
        }
    }

    /// Applies an operator; `ty` is the type of the operands.
    pub(super) fn binary(&self, op: BinOp, ty: Scalar, x: Known, y: Known) -> Option<Known> {
        if let (Known::Num(x), Known::Num(y)) = (x, y) {
            return eval_binary(op, ty, Value(x), Value(y), self.pointer_bits).map(|v| Known::Num(v.0));
        }
        if !self.is_address(ty) {
            return None;
        }
        match (op, x, y) {
            (BinOp::Add, ..) => self.ptr_add(x, y),
            (BinOp::Sub, Known::Ptr(obj, off), Known::Num(n)) => Some(self.moved(obj, off, n.wrapping_neg())),
            (BinOp::Sub, Known::Ptr(o, a), Known::Ptr(p, b)) if o == p => {
                Some(Known::Num(Value::truncated(a.wrapping_sub(b) as u128, self.pointer_bits).0))
            }
            (BinOp::BitAnd, Known::Ptr(obj, off), Known::Num(mask))
            | (BinOp::BitAnd, Known::Num(mask), Known::Ptr(obj, off)) => self.masked(obj, off, mask),
            (BinOp::Rem, Known::Ptr(obj, off), Known::Num(divisor @ 1..))
                if divisor.is_power_of_two() && !ty.is_signed() =>
            {
                self.masked(obj, off, divisor - 1)
            }
            (BinOp::Eq, ..) => self.equal(x, y).map(Known::from),
            (BinOp::Ne, ..) => self.equal(x, y).map(|b| Known::from(!b)),
            _ if op.is_comparison() && !ty.is_signed() => {
                let order = self.compare(x, y)?;
                Some(Known::from(match op {
                    BinOp::Lt => order.is_lt(),
                    BinOp::Le => order.is_le(),
                    BinOp::Gt => order.is_gt(),
                    _ => order.is_ge(),
                }))
            }
            _ => None,
        }
    }

    /// Some bits of an address, if the place of its object fixes them: objects begin at multiples of [`ALLOCATED`] bytes.
    fn masked(&self, obj: ObjId, off: i64, mask: u128) -> Option<Known> {
        let low = u128::from(ALLOCATED - 1);
        let all = u128::MAX >> (128 - self.pointer_bits);
        if mask <= low {
            return Some(Known::Num(off as u128 & mask));
        }
        (mask | low == all).then_some(Known::Ptr(obj, off & (mask as i64 | !(low as i64))))
    }

    /// Whether two addresses are equal, or two numbers.
    pub(super) fn equal(&self, x: Known, y: Known) -> Option<bool> {
        match (x, y) {
            (Known::Num(x), Known::Num(y)) => Some(x == y),
            (Known::Ptr(o, a), Known::Ptr(p, b)) if o == p => Some(a == b),
            // Objects are apart, with a gap behind each.
            (Known::Ptr(o, a), Known::Ptr(p, b)) => (self.is_inside(o, a) && self.is_inside(p, b)).then_some(false),
            _ => self.compare(x, y).map(Ordering::is_eq),
        }
    }

    /// The order of addresses.
    fn compare(&self, x: Known, y: Known) -> Option<Ordering> {
        match (x, y) {
            (Known::Num(x), Known::Num(y)) => Some(x.cmp(&y)),
            (Known::Ptr(o, a), Known::Ptr(p, b)) => (o == p && a.abs() < NEAR && b.abs() < NEAR).then(|| a.cmp(&b)),
            (Known::Ptr(obj, off), Known::Num(n)) => {
                let range = object_range(self.program.machine);
                if !self.is_inside(obj, off) {
                    None
                } else if n < u128::from(range.start) {
                    Some(Ordering::Greater)
                } else if n > u128::from(range.end) || n == u128::from(range.end) && self.is_before_end(obj, off) {
                    Some(Ordering::Less)
                } else {
                    None
                }
            }
            (Known::Num(_), Known::Ptr(..)) => self.compare(y, x).map(Ordering::reverse),
        }
    }

    pub(super) fn cast(&self, from: Scalar, to: Scalar, x: Known) -> Option<Known> {
        match x {
            Known::Num(n) => eval_cast(from, to, Value(n), self.pointer_bits).map(|v| Known::Num(v.0)),
            Known::Ptr(..) => (self.is_address(from) && self.is_address(to)).then_some(x),
        }
    }
}

/// The result, if one operand decides it.
fn decides(op: BinOp, ty: Scalar, v: Option<Known>) -> Option<Known> {
    let Some(Known::Num(n)) = v else { return None };
    match (op, n) {
        (BinOp::And, 0) => Some(Known::Num(0)),
        (BinOp::Or, 1..) => Some(Known::Num(1)),
        (BinOp::Mul | BinOp::BitAnd, 0) if !ty.is_float() => Some(Known::Num(0)),
        _ => None,
    }
}

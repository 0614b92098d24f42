//! Refines a state by an assumption: `x == c` and `!(x != c)` bind x, also through conversions, negations and sums
//! [loewe13, Sect. II-C].

use super::ValueDomain;
use super::assignment::Assignment;
use super::number::Known;
use cfa::{BinOp, ExprId, ExprKind, Scalar, UnOp, Value};
use step::End;
use step::StackId;

/// Whether the state decided a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decided {
    /// The condition has the truth value in all runs of the state.
    Yes,
    /// It was open; the state knows more now.
    No,
}

impl ValueDomain<'_> {
    /// Restricts the state to runs on which the condition has the truth value.
    ///
    /// # Errors
    /// When there is none.
    pub fn assume<A: Assignment>(
        &mut self,
        a: &mut A,
        stack: StackId,
        cond: ExprId,
        truth: bool,
    ) -> Result<Decided, End> {
        a.begin();
        match self.eval(a, stack, cond)? {
            Some(Known::Num(b)) if (b != 0) == truth => Ok(Decided::Yes),
            Some(Known::Num(_)) => Err(End::Blocked),
            _ => {
                a.begin();
                self.learn(a, stack, cond, truth)?;
                Ok(Decided::No)
            }
        }
    }

    /// The truth value that the condition has in all runs of the state; `None` if that is open.
    ///
    /// # Errors
    /// When evaluating it ends all runs.
    pub fn decide<A: Assignment>(&mut self, a: &mut A, stack: StackId, cond: ExprId) -> Result<Option<bool>, End> {
        a.begin();
        Ok(match self.eval(a, stack, cond)? {
            Some(Known::Num(b)) => Some(b != 0),
            _ => None,
        })
    }

    /// The condition is open, and is known to have the truth value from now on.
    pub fn learn<A: Assignment>(&mut self, a: &mut A, stack: StackId, cond: ExprId, truth: bool) -> Result<(), End> {
        match self.program.exprs.kind(cond) {
            ExprKind::Unary(UnOp::Not, x) => self.learn(a, stack, x, !truth),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), x, y) => {
                if truth == (op == BinOp::And) {
                    self.learn_if_open(a, stack, x, truth)?;
                    return self.learn_if_open(a, stack, y, truth);
                }
                // One of two: if it can't be the one, it is the other.
                let holds = |v: Option<Known>| v.map(|v| (v != Known::Num(0)) == truth);
                let before = a.mark();
                let vx = self.eval(a, stack, x)?;
                let middle = a.mark();
                if holds(vx) == Some(false) {
                    return self.learn_if_open(a, stack, y, truth);
                }
                a.cut(before..middle);
                let vy = self.eval(a, stack, y)?;
                match holds(vy) {
                    Some(false) => self.learn_if_open(a, stack, x, truth),
                    _ => Ok(()),
                }
            }
            ExprKind::Binary(op, x, y) if op.is_comparison() => self.learn_comparison(a, stack, (op, x, y), truth),
            ExprKind::Binary(BinOp::BitAnd, x, y) if truth && self.program.exprs.ty(x) == Scalar::Bool => {
                self.learn_if_open(a, stack, x, true)?;
                self.learn_if_open(a, stack, y, true)
            }
            _ => Ok(()),
        }
    }

    fn learn_if_open<A: Assignment>(
        &mut self,
        a: &mut A,
        stack: StackId,
        cond: ExprId,
        truth: bool,
    ) -> Result<(), End> {
        match self.eval(a, stack, cond)? {
            None => self.learn(a, stack, cond, truth),
            Some(v) if (v != Known::Num(0)) == truth => Ok(()),
            Some(_) => Err(End::Blocked),
        }
    }

    fn learn_comparison<A: Assignment>(
        &mut self,
        a: &mut A,
        stack: StackId,
        (op, x, y): (BinOp, ExprId, ExprId),
        truth: bool,
    ) -> Result<(), End> {
        let ty = self.program.exprs.ty(x);
        let vx = self.eval(a, stack, x)?;
        let vy = self.eval(a, stack, y)?;
        let (open, value, mirrored) = match (vx, vy) {
            (None, Some(v)) => (x, v, false),
            (Some(v), None) => (y, v, true),
            _ => return Ok(()),
        };
        if (op == BinOp::Eq) == truth && matches!(op, BinOp::Eq | BinOp::Ne) {
            return self.bind(a, stack, open, value);
        }
        if ty == Scalar::Bool && matches!(op, BinOp::Eq | BinOp::Ne) {
            // Different from one of two truth values.
            return self.learn(a, stack, open, value == Known::Num(0));
        }
        let (Some(op), Known::Num(c), Scalar::Int { bits, signed }) = (normalise(op, truth, mirrored), value, ty)
        else {
            return Ok(());
        };
        let bits = u32::from(bits);
        let (min, max) = if signed {
            (1u128 << (bits - 1), Value::truncated(u128::MAX, bits).0 >> 1)
        } else {
            (0, Value::truncated(u128::MAX, bits).0)
        };
        let next = |n: u128, step: u128| Value::truncated(n.wrapping_add(step), bits).0;
        let only = match op {
            BinOp::Lt if c == min => return Err(End::Blocked),
            BinOp::Gt if c == max => return Err(End::Blocked),
            BinOp::Lt if c == next(min, 1) => min,
            BinOp::Le if c == min => min,
            BinOp::Gt if c == next(max, u128::MAX) => max,
            BinOp::Ge if c == max => max,
            _ => return Ok(()),
        };
        self.bind(a, stack, open, Known::Num(only))
    }

    /// The open expression has this value from now on.
    fn bind<A: Assignment>(&mut self, a: &mut A, stack: StackId, e: ExprId, v: Known) -> Result<(), End> {
        let cfa::Expr { kind, ty } = self.program.exprs.get(e);
        if let (Scalar::Float(format), Known::Num(n)) = (ty, v) {
            // Zeros of both signs are equal, NaNs not even to themselves.
            let magnitude = n & ((1 << (format.bits() - 1)) - 1);
            if magnitude == 0 {
                return Ok(());
            }
            if cfa::eval::is_nan(format, n) {
                return Err(End::Blocked);
            }
        }
        match kind {
            ExprKind::Var(var) => {
                let cell = self.register(stack, var);
                let val = self.values.pack(v);
                match a.get(cell) {
                    // Another part of the condition has bound it already.
                    Some(old) => match self.equal(self.values.get(old), v) {
                        Some(false) => Err(End::Blocked),
                        _ => Ok(()),
                    },
                    None => {
                        if self.facts.is_read(var) {
                            a.set(cell, val);
                        }
                        Ok(())
                    }
                }
            }
            ExprKind::Load(addr) => {
                if let Some(Known::Ptr(obj, off)) = self.eval(a, stack, addr)? {
                    let bytes = ty.access_bytes(self.pointer_bits);
                    if self.constant_object(obj).is_none() {
                        let cell = self.memory_cell(obj, off, bytes);
                        let val = self.values.pack(v);
                        a.set(cell, val);
                    }
                }
                Ok(())
            }
            ExprKind::Cast(x) => self.bind_cast(a, stack, ty, x, v),
            ExprKind::Unary(UnOp::Neg, x) if ty.is_float() => match self.unary(UnOp::Neg, ty, v) {
                Some(v) => self.bind(a, stack, x, v),
                None => Ok(()),
            },
            ExprKind::Unary(op @ (UnOp::Neg | UnOp::BitNot), x) => match self.unary(op, ty, v) {
                Some(v) => self.bind(a, stack, x, v),
                None => Ok(()),
            },
            _ if ty == Scalar::Bool => self.learn(a, stack, e, v != Known::Num(0)),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::BitXor), x, y) if !ty.is_float() => {
                self.bind_operand(a, stack, (op, x, y), ty, v)
            }
            ExprKind::PtrAdd(x, y) => {
                let (vx, vy) = (self.eval(a, stack, x)?, self.eval(a, stack, y)?);
                let (open, known) = match (vx, vy) {
                    (None, Some(y)) => (x, y),
                    (Some(x), None) => (y, x),
                    _ => return Ok(()),
                };
                match self.binary(BinOp::Sub, Scalar::Ptr, v, known) {
                    Some(v) => self.bind(a, stack, open, v),
                    None => Ok(()),
                }
            }
            ExprKind::Ite(c, x, y) => {
                let (vx, vy) = (self.eval(a, stack, x)?, self.eval(a, stack, y)?);
                let differs = |w: Option<Known>| w.is_some_and(|w| self.equal(v, w) == Some(false));
                match (differs(vx), differs(vy)) {
                    (true, true) => Err(End::Blocked),
                    (true, false) => self.learn_if_open(a, stack, c, false),
                    (false, true) => self.learn_if_open(a, stack, c, true),
                    (false, false) => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Binds what is open of two operands whose sum, difference or exclusive or is known.
    fn bind_operand<A: Assignment>(
        &mut self,
        a: &mut A,
        stack: StackId,
        (op, x, y): (BinOp, ExprId, ExprId),
        ty: Scalar,
        v: Known,
    ) -> Result<(), End> {
        let (vx, vy) = (self.eval(a, stack, x)?, self.eval(a, stack, y)?);
        let (open, solution) = match (op, vx, vy) {
            (BinOp::Add, None, Some(y)) => (x, self.binary(BinOp::Sub, ty, v, y)),
            (BinOp::Add, Some(x), None) => (y, self.binary(BinOp::Sub, ty, v, x)),
            (BinOp::Sub, None, Some(y)) => (x, self.binary(BinOp::Add, ty, v, y)),
            (BinOp::Sub, Some(x), None) => (y, self.binary(BinOp::Sub, ty, x, v)),
            (BinOp::BitXor, None, Some(y)) => (x, self.binary(BinOp::BitXor, ty, v, y)),
            (BinOp::BitXor, Some(x), None) => (y, self.binary(BinOp::BitXor, ty, v, x)),
            _ => return Ok(()),
        };
        match solution {
            Some(v) => self.bind(a, stack, open, v),
            None => Ok(()),
        }
    }

    /// A conversion has this value from now on.
    fn bind_cast<A: Assignment>(
        &mut self,
        a: &mut A,
        stack: StackId,
        to: Scalar,
        x: ExprId,
        v: Known,
    ) -> Result<(), End> {
        let from = self.program.exprs.ty(x);
        if from.is_float() || to.is_float() {
            // Rounding hides the operand.
            return Ok(());
        }
        let (from_bits, to_bits) = (from.bits(self.pointer_bits), to.bits(self.pointer_bits));
        if to_bits < from_bits || to == Scalar::Bool {
            return Ok(());
        }
        let back = match v {
            Known::Num(n) => Known::Num(Value::truncated(n, from_bits).0),
            Known::Ptr(..) if from_bits == to_bits => v,
            Known::Ptr(..) => return Ok(()),
        };
        // The conversion keeps values apart: at most one operand has this result.
        if self.cast(from, to, back) != Some(v) {
            return Err(End::Blocked);
        }
        self.bind(a, stack, x, back)
    }
}

/// The order that holds between the open operand, on the left, and the known one.
fn normalise(op: BinOp, truth: bool, mirrored: bool) -> Option<BinOp> {
    let op = match (op, truth) {
        (_, true) => op,
        (BinOp::Lt, false) => BinOp::Ge,
        (BinOp::Le, false) => BinOp::Gt,
        (BinOp::Gt, false) => BinOp::Le,
        (BinOp::Ge, false) => BinOp::Lt,
        _ => return None,
    };
    Some(match (op, mirrored) {
        (_, false) => op,
        (BinOp::Lt, true) => BinOp::Gt,
        (BinOp::Le, true) => BinOp::Ge,
        (BinOp::Gt, true) => BinOp::Lt,
        (BinOp::Ge, true) => BinOp::Le,
        _ => return None,
    })
}

//! Bounds on the number of iterations under which the conditions of a path hold [kroening13, kroening15].
//!
//! [`Closer::bound`] tells in a formula without quantifiers over the values at the head and `n` that a condition holds in each of
//! `n` iterations:
//!
//! * what does not change is asked once; what depends on inputs only is asked for the inputs;
//! * a comparison of linear forms holds at the first and the last iteration and neither side leaves its range in between (β of the
//!   paper), or it holds for all values of a side;
//! * `a ≠ b` with a constant difference per step: the number of the first iteration in which they meet is computed in the ring.
//!
//! Conditions at moving places are left to [`super::moving`].

use crate::accelerate::closed::{Closer, Failure, Form, Span};
use crate::accelerate::exprs::{Map, Truth, and, binary, cast, constant, mentions, or, substitute, truth, unary};
use crate::accelerate::linear::{Linear, mask, signed};
use crate::accelerate::paths::LoopPath;
use cfa::{BinOp, ExprId, ExprKind, Program, Scalar, UnOp};

impl Closer<'_> {
    /// The condition that `cond` has the value `truth` in iterations `0..n`.
    pub(super) fn bound(&mut self, cond: ExprId, value: bool, n: ExprId, span: Span) -> Result<ExprId, Failure> {
        match self.program.exprs.kind(cond) {
            ExprKind::Const(c) => {
                let holds = if (c.0 != 0) == value { Truth::Always } else { Truth::Never };
                return Ok(truth(&mut self.program.exprs, holds));
            }
            ExprKind::Unary(UnOp::Not, inner) => return self.bound(inner, !value, n, span),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) if !self.is_moving_load(cond) => {
                let (x, y) = (self.bound(a, value, n, span)?, self.bound(b, value, n, span)?);
                let both = (op == BinOp::And) == value;
                self.is_conjunctive &= both;
                let pool = &mut self.program.exprs;
                return Ok(if both { and(pool, x, y) } else { or(pool, x, y) });
            }
            _ => {}
        }
        if self.is_moving_load(cond) {
            if span == Span::Early {
                return Err(Failure::Form);
            }
            self.require.push((cond, value));
            return Ok(truth(&mut self.program.exprs, Truth::Always));
        }
        let path = self.path;
        let (mut changes, mut by_input, mut by_last) = (false, false, false);
        let forms = &self.forms;
        let mut unknown = false;
        mentions(&self.program.exprs, cond, |var| {
            by_input |= path.is_input(var);
            if path.changes(var) {
                match forms.get(&var) {
                    Some(Form::Last(_)) => by_last = true,
                    Some(_) => changes = true,
                    None => unknown = true,
                }
            }
            false
        });
        if unknown {
            return Err(Failure::Form);
        }
        let now = self.literal(cond, value);
        if by_last {
            // What holds from the second iteration on does not add up by itself.
            self.is_conjunctive = false;
            // In the first iteration as it is; afterwards, what the iteration before has computed.
            let mut shifted = Map::default();
            mentions(&self.program.exprs, cond, |var| {
                if let Some(value) = path.updates.get(&var) {
                    shifted.insert(var, *value);
                }
                false
            });
            if by_input {
                return Err(Failure::Form);
            }
            let next = substitute(&mut self.program.exprs, cond, &shifted);
            if next == cond {
                return Err(Failure::Form);
            }
            let one = self.number(1);
            let rest = binary(&mut self.program.exprs, BinOp::Sub, n, one);
            let only = binary(&mut self.program.exprs, BinOp::Le, n, one);
            if n != self.count {
                // One level is enough for what programs do.
                return Err(Failure::Form);
            }
            let later = self.bound(next, value, rest, Span::Early)?;
            let pool = &mut self.program.exprs;
            let later = or(pool, only, later);
            return Ok(and(pool, now, later));
        }
        if by_input && changes {
            return Err(Failure::Form);
        }
        if by_input {
            let early = self.early.clone();
            let before = substitute(&mut self.program.exprs, now, &early);
            if span == Span::Early {
                return Ok(before);
            }
            let one = self.number(1);
            let pool = &mut self.program.exprs;
            let only = binary(pool, BinOp::Le, n, one);
            let before = or(pool, only, before);
            return Ok(and(pool, now, before));
        }
        if !changes {
            return Ok(now);
        }
        self.comparison(cond, value, n)
    }

    fn literal(&mut self, cond: ExprId, value: bool) -> ExprId {
        if value { cond } else { unary(&mut self.program.exprs, UnOp::Not, cond) }
    }

    /// Whether the expression reads memory that may differ from one iteration to the next.
    fn is_moving_load(&self, expr: ExprId) -> bool {
        is_moving_load(self.program, self.path, expr)
    }

    /// The bound of a comparison of linear forms.
    fn comparison(&mut self, cond: ExprId, value: bool, n: ExprId) -> Result<ExprId, Failure> {
        let ExprKind::Binary(op, a, b) = self.program.exprs.kind(cond) else { return Err(Failure::Form) };
        let ty = self.program.exprs.ty(a);
        if !op.is_comparison() || !self.is_integral(ty) {
            return Err(Failure::Form);
        }
        let op = if value { op } else { negated(op).ok_or(Failure::Form)? };
        let width = self.bits(a);
        let mut ranges = Vec::new();
        let (x, y) = (self.slope(a, width, &mut ranges)?, self.slope(b, width, &mut ranges)?);
        let first = self.program.exprs.add(ExprKind::Binary(op, a, b), Scalar::Bool);
        let mut result = first;
        let difference = x.wrapping_sub(y) & mask(width);
        match op {
            BinOp::Eq | BinOp::Ne if difference == 0 => {}
            BinOp::Eq => {
                let one = self.number(1);
                let only = binary(&mut self.program.exprs, BinOp::Le, n, one);
                result = and(&mut self.program.exprs, result, only);
            }
            BinOp::Ne => {
                let apart = self.never_meet((a, b), difference, width, n);
                result = and(&mut self.program.exprs, result, apart);
            }
            _ if x == 0 && y == 0 => {}
            _ => {
                let one = self.number(1);
                let last = binary(&mut self.program.exprs, BinOp::Sub, n, one);
                let (p, q) = (
                    self.at(a, last, Span::Early).ok_or(Failure::Form)?,
                    self.at(b, last, Span::Early).ok_or(Failure::Form)?,
                );
                let end = self.program.exprs.add(ExprKind::Binary(op, p, q), Scalar::Bool);
                result = and(&mut self.program.exprs, result, end);
                for (side, by) in [(a, x), (b, y)] {
                    if by != 0 {
                        ranges.push((side, ty.is_signed(), signed(by, width)));
                    }
                }
            }
        }
        for (expr, is_signed, by) in ranges {
            let inside = self.no_wrap(expr, is_signed, by, n);
            result = and(&mut self.program.exprs, result, inside);
        }
        if let Some(always) = self.always(op, a, b, (x, y)) {
            result = or(&mut self.program.exprs, always, result);
        }
        Ok(result)
    }

    /// The condition under which `a op b` holds whatever the moving side is.
    fn always(&mut self, op: BinOp, a: ExprId, b: ExprId, (x, y): (u128, u128)) -> Option<ExprId> {
        let ty = self.program.exprs.ty(a);
        let (fixed, highest) = match (op, x == 0, y == 0) {
            (BinOp::Le, false, true) => (b, true),
            (BinOp::Ge, false, true) => (b, false),
            (BinOp::Le, true, false) => (a, false),
            (BinOp::Ge, true, false) => (a, true),
            _ => return None,
        };
        let width = self.bits(a);
        let extreme = extreme(width, ty.is_signed(), highest);
        let pointer = self.program.pointer_bits();
        let extreme = constant(&mut self.program.exprs, extreme, ty, pointer);
        Some(binary(&mut self.program.exprs, BinOp::Eq, fixed, extreme))
    }

    /// By how much an expression grows with each iteration, modulo 2^width, as long as what `ranges` lists keeps its range.
    pub(super) fn slope(
        &mut self,
        expr: ExprId,
        width: u32,
        ranges: &mut Vec<(ExprId, bool, i128)>,
    ) -> Result<u128, Failure> {
        let form = Linear::of(self.program, expr, width);
        let mut total = 0u128;
        for (atom, by) in form.terms {
            if self.path.is_invariant(self.program, atom) {
                continue;
            }
            let step = match self.program.exprs.kind(atom) {
                ExprKind::Var(var) => match self.forms.get(&var) {
                    Some(Form::Linear(step)) => match self.program.exprs.as_const(*step) {
                        Some(step) => step.0,
                        None => return Err(self.symbolic(*step)),
                    },
                    _ => return Err(Failure::Form),
                },
                ExprKind::Cast(inner) if self.is_integral(self.program.exprs.ty(inner)) => {
                    let narrow = self.bits(inner);
                    let step = signed(self.slope(inner, narrow, ranges)?, narrow);
                    if step != 0 {
                        ranges.push((inner, self.program.exprs.ty(inner).is_signed(), step));
                    }
                    step as u128
                }
                _ => return Err(Failure::Form),
            };
            total = total.wrapping_add(by.wrapping_mul(step));
        }
        Ok(total & mask(width))
    }

    /// The only register that a step depends on.
    fn symbolic(&self, step: ExprId) -> Failure {
        let mut vars = Vec::new();
        mentions(&self.program.exprs, step, |var| {
            vars.push(var);
            false
        });
        match vars[..] {
            [var] => Failure::Symbolic(var),
            _ => Failure::Form,
        }
    }

    /// `expr`, which moves by `by` in each iteration, does not leave its range in `n` iterations.
    pub(super) fn no_wrap(&mut self, expr: ExprId, is_signed: bool, by: i128, n: ExprId) -> ExprId {
        let width = self.bits(expr);
        let unsigned = Scalar::Int { bits: width as u16, signed: false };
        let pointer = self.program.pointer_bits();
        let counter = self.counter;
        let pool = &mut self.program.exprs;
        let start = cast(pool, expr, unsigned);
        let end = constant(pool, extreme(width, is_signed, by > 0), unsigned, pointer);
        let room = if by > 0 { binary(pool, BinOp::Sub, end, start) } else { binary(pool, BinOp::Sub, start, end) };
        let room = cast(pool, room, counter);
        let size = by.unsigned_abs();
        if size == 1 {
            return pool.add(ExprKind::Binary(BinOp::Le, n, room), Scalar::Bool);
        }
        // The product does not overflow when the count is at most 2^width.
        let most = constant(pool, 1u128 << width.min(counter.bits(pointer) - 2), counter, pointer);
        let few = pool.add(ExprKind::Binary(BinOp::Le, n, most), Scalar::Bool);
        let size = constant(pool, size, counter, pointer);
        let way = binary(pool, BinOp::Mul, n, size);
        let fits = pool.add(ExprKind::Binary(BinOp::Le, way, room), Scalar::Bool);
        and(pool, few, fits)
    }

    /// The first `j` with `a + j·x = b + j·y`, if there is one; `by` is `x - y`, not zero.
    pub(super) fn meeting(&mut self, (a, b): (ExprId, ExprId), by: u128, width: u32) -> ExprId {
        let unsigned = Scalar::Int { bits: width as u16, signed: false };
        let pointer = self.program.pointer_bits();
        let zeros = by.trailing_zeros();
        let odd = by >> zeros;
        let inverse = inverse(odd) & mask(width - zeros);
        let pool = &mut self.program.exprs;
        let (a, b) = (cast(pool, a, unsigned), cast(pool, b, unsigned));
        // They meet in the first iteration j with j·by = b - a.
        let distance = binary(pool, BinOp::Sub, b, a);
        let by_zeros = constant(pool, u128::from(zeros), unsigned, pointer);
        let reduced = if zeros == 0 { distance } else { binary(pool, BinOp::Shr, distance, by_zeros) };
        let inverse = constant(pool, inverse, unsigned, pointer);
        let mut meeting = binary(pool, BinOp::Mul, reduced, inverse);
        if zeros > 0 {
            let low = constant(pool, mask(width - zeros), unsigned, pointer);
            meeting = binary(pool, BinOp::BitAnd, meeting, low);
        }
        meeting
    }

    /// `a + j·x` and `b + j·y` differ for all `j < n`; `by` is `x - y`, not zero.
    fn never_meet(&mut self, (a, b): (ExprId, ExprId), by: u128, width: u32, n: ExprId) -> ExprId {
        let unsigned = Scalar::Int { bits: width as u16, signed: false };
        let pointer = self.program.pointer_bits();
        let counter = self.counter;
        let zeros = by.trailing_zeros();
        let meeting = self.meeting((a, b), by, width);
        let pool = &mut self.program.exprs;
        let (a, b) = (cast(pool, a, unsigned), cast(pool, b, unsigned));
        let meeting = cast(pool, meeting, counter);
        let before = pool.add(ExprKind::Binary(BinOp::Le, n, meeting), Scalar::Bool);
        if zeros == 0 {
            return before;
        }
        let distance = binary(pool, BinOp::Sub, b, a);
        let low = constant(pool, mask(zeros), unsigned, pointer);
        let rest = binary(pool, BinOp::BitAnd, distance, low);
        let nothing = constant(pool, 0, unsigned, pointer);
        let misses = binary(pool, BinOp::Ne, rest, nothing);
        or(pool, misses, before)
    }
}

/// Whether the expression reads memory that may differ from one iteration of the path to the next.
pub fn is_moving_load(program: &Program, path: &LoopPath, expr: ExprId) -> bool {
    let mut moving = false;
    program.exprs.walk(expr, |_, e| {
        if let ExprKind::Load(address) = e.kind {
            moving |= !path.writes.is_empty() || !path.is_invariant(program, address);
        }
    });
    moving
}

/// The comparison that holds where this one does not.
pub(super) fn negated(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Eq => BinOp::Ne,
        BinOp::Ne => BinOp::Eq,
        BinOp::Lt => BinOp::Ge,
        BinOp::Le => BinOp::Gt,
        BinOp::Gt => BinOp::Le,
        BinOp::Ge => BinOp::Lt,
        _ => return None,
    })
}

/// The bits of the highest or the lowest number of a type.
fn extreme(width: u32, is_signed: bool, highest: bool) -> u128 {
    match (highest, is_signed) {
        (true, true) => mask(width) >> 1,
        (true, false) => mask(width),
        (false, true) => 1 << (width - 1),
        (false, false) => 0,
    }
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration.
fn inverse(odd: u128) -> u128 {
    let mut x = odd;
    for _ in 0..7 {
        x = x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

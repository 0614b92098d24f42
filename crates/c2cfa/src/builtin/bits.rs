//! Bit counting and swapping, absolute values, arithmetic with overflow checks: all as expressions.

use crate::context::Lowerer;
use base::ByteOrder;
use cfa::{BinOp, Check, ExprId, Scalar, UnOp, Undefined};
use cfront::typed::Expr;
use clib::known::{BitOperation, IntName, Operation, Sign};

impl<'u> Lowerer<'u> {
    fn width(&self, name: IntName) -> u16 {
        match name {
            IntName::Int => self.machine.int_bits() as u16,
            IntName::Long => self.machine.long_bits() as u16,
            IntName::LongLong => 64,
            IntName::Fixed(bits) => bits,
        }
    }

    /// `abs`, `labs`, `llabs`; the least number is its own absolute value.
    pub fn abs(&mut self, arg: &'u Expr, name: IntName, operation: Operation) -> ExprId {
        let value = self.rvalue(arg);
        let value = self.convert(value, Scalar::Int { bits: self.width(name), signed: true });
        match operation {
            _ if !self.checks(Check::Overflow) => {}
            Operation::OfCompiler => self.check_negation(value, arg.span),
            Operation::OfLibrary => {
                let least = -1 << (self.width(name) - 1);
                let bad = self.with_constant(BinOp::Eq, value, least);
                self.guard(bad, Undefined::LibraryOverflow, arg.span);
            }
        }
        if !self.is_reachable() {
            return value;
        }
        let negative = self.with_constant(BinOp::Lt, value, 0);
        let negated = self.unary(UnOp::Neg, value);
        self.ite(negative, negated, value)
    }

    /// A bit operation; its result has the type of the call.
    pub fn bit_operation(&mut self, operation: BitOperation, name: IntName, arg: &'u Expr, e: &'u Expr) -> ExprId {
        let bits = self.width(name);
        let ty = Scalar::Int { bits, signed: false };
        let value = self.rvalue(arg);
        let x = self.convert(value, ty);
        let result = match operation {
            // Numbers in the order of networks have the most significant byte first.
            BitOperation::NetworkOrder if self.p.byte_order == ByteOrder::Big => x,
            BitOperation::Swap | BitOperation::NetworkOrder => self.swap_bytes(x, bits),
            BitOperation::Popcount => self.popcount(x, bits),
            BitOperation::Parity => {
                let count = self.popcount(x, bits);
                self.with_constant(BinOp::BitAnd, count, 1)
            }
            BitOperation::Clz | BitOperation::Ctz => {
                // The result for zero is undefined, the behaviour is not.
                let zero = self.with_constant(BinOp::Eq, x, 0);
                let any = if self.as_int(zero) == Some(0) { x } else { self.arbitrary(ty, e.span) };
                let count = if operation == BitOperation::Clz {
                    self.leading_zeros(x, bits)
                } else {
                    self.trailing_zeros(x, bits)
                };
                self.ite(zero, any, count)
            }
            BitOperation::Ffs => {
                let zero = self.with_constant(BinOp::Eq, x, 0);
                let count = self.trailing_zeros(x, bits);
                let place = self.with_constant(BinOp::Add, count, 1);
                self.ite(zero, x, place)
            }
            BitOperation::Clrsb => {
                let signed = self.cast(x, Scalar::Int { bits, signed: true });
                let sign = self.with_constant(BinOp::Shr, signed, i128::from(bits - 1));
                let sign = self.cast(sign, ty);
                let flipped = self.binary(BinOp::BitXor, x, sign);
                let zeros = self.leading_zeros(flipped, bits);
                self.with_constant(BinOp::Sub, zeros, 1)
            }
        };
        let ty = self.scalar_or_int(e.ty);
        self.cast(result, ty)
    }

    fn swap_bytes(&mut self, x: ExprId, bits: u16) -> ExprId {
        let ty = self.ty(x);
        let mut result = self.zero(ty);
        for i in (0..i128::from(bits)).step_by(8) {
            let byte = self.with_constant(BinOp::Shr, x, i);
            let byte = self.with_constant(BinOp::BitAnd, byte, 0xff);
            let byte = self.with_constant(BinOp::Shl, byte, i128::from(bits) - 8 - i);
            result = self.binary(BinOp::BitOr, result, byte);
        }
        result
    }

    fn popcount(&mut self, mut x: ExprId, bits: u16) -> ExprId {
        // Sums of neighbouring groups of 1, 2, 4, … bits.
        let mut group = 1;
        while group < i128::from(bits) {
            let mut mask = 0i128;
            for i in (0..i128::from(bits)).filter(|i| i / group % 2 == 0) {
                mask |= 1 << i;
            }
            let low = self.with_constant(BinOp::BitAnd, x, mask);
            let high = self.with_constant(BinOp::Shr, x, group);
            let high = self.with_constant(BinOp::BitAnd, high, mask);
            x = self.binary(BinOp::Add, low, high);
            group *= 2;
        }
        x
    }

    /// Number of zeros above the highest one; the width for zero.
    fn leading_zeros(&mut self, mut x: ExprId, bits: u16) -> ExprId {
        // All bits below the highest one become ones.
        let mut shift = 1;
        while shift < i128::from(bits) {
            let moved = self.with_constant(BinOp::Shr, x, shift);
            x = self.binary(BinOp::BitOr, x, moved);
            shift *= 2;
        }
        let zeros = self.unary(UnOp::BitNot, x);
        self.popcount(zeros, bits)
    }

    /// Number of zeros below the lowest one; the width for zero.
    fn trailing_zeros(&mut self, x: ExprId, bits: u16) -> ExprId {
        let below = self.with_constant(BinOp::Sub, x, 1);
        let not = self.unary(UnOp::BitNot, x);
        let ones = self.binary(BinOp::BitAnd, below, not);
        self.popcount(ones, bits)
    }

    /// `__builtin_add_overflow` and its like: computes with twice the width if it can, stores the wrapped result, tells whether it differs.
    pub fn overflow(
        &mut self,
        op: BinOp,
        operands: Option<(IntName, Sign)>,
        store: bool,
        args: &'u [Expr],
        e: &'u Expr,
    ) -> ExprId {
        let values = self.values(&args[..3]);
        let (mut a, mut b) = (values[0], values[1]);
        let result_ty =
            if store { self.pointee(args[2].ty).and_then(|ty| self.scalar(ty)) } else { self.scalar(args[2].ty) };
        let (Some(result_ty @ Scalar::Int { .. }), true, true) = (result_ty, self.ty(a).is_int(), self.ty(b).is_int())
        else {
            return self.unsupported_value("builtin", e);
        };
        if let Some((name, sign)) = operands {
            let ty = Scalar::Int { bits: self.width(name), signed: sign == Sign::Signed };
            (a, b) = (self.cast(a, ty), self.cast(b, ty));
        }
        let widest = [self.ty(a), self.ty(b), result_ty].iter().map(|t| t.bits(self.pointer_bits)).max().unwrap_or(64);
        let (wrapped, differs) = if widest > 64 {
            let fits = |ty: Scalar| ty == result_ty || ty.bits(64) < 128 && (result_ty.is_signed() || !ty.is_signed());
            if op == BinOp::Mul || !fits(self.ty(a)) || !fits(self.ty(b)) {
                return self.unsupported_value("builtin", e);
            }
            self.widest_overflow(op, (a, b), result_ty)
        } else {
            // Only products of unsigned numbers can leave the signed range of twice the width.
            let signed = op != BinOp::Mul || self.ty(a).is_signed() || self.ty(b).is_signed();
            let wide = Scalar::Int { bits: 2 * widest as u16, signed };
            let (a, b) = (self.cast(a, wide), self.cast(b, wide));
            let exact = self.binary(op, a, b);
            let wrapped = self.cast(exact, result_ty);
            let back = self.cast(wrapped, wide);
            (wrapped, self.binary(BinOp::Ne, back, exact))
        };
        let ty = self.scalar_or_int(e.ty);
        let differs = self.cast(differs, ty);
        if !store {
            return differs;
        }
        let differs = self.stable(differs, e.span);
        let addr = self.as_pointer(values[2]);
        self.write_checked(addr, wrapped, e.span);
        differs
    }

    /// The wrapped sum or difference in the widest integers, whose type has all values of the operands, and whether it wraps.
    fn widest_overflow(&mut self, op: BinOp, (a, b): (ExprId, ExprId), ty: Scalar) -> (ExprId, ExprId) {
        let plain = Scalar::Int { bits: 128, signed: false };
        let (x, y) = (self.cast(a, plain), self.cast(b, plain));
        let result = self.binary(op, x, y);
        let [a, b, result] = [x, y, result].map(|bits| self.cast(bits, ty));
        // Where `b` is negative, a sum is less than `a` and a difference more, unless it wraps; otherwise not.
        let (less, more) = if op == BinOp::Add { (result, a) } else { (a, result) };
        let (moved, negative) = (self.binary(BinOp::Lt, less, more), self.with_constant(BinOp::Lt, b, 0));
        (result, self.binary(BinOp::Ne, moved, negative))
    }

    /// `__builtin_addc` and its like: adds or subtracts two numbers and a carry, and stores whether one of both steps wrapped around.
    pub fn carry(&mut self, op: BinOp, width: IntName, args: &'u [Expr], e: &'u Expr) -> ExprId {
        let values = self.values(&args[..4]);
        let ty = Scalar::Int { bits: self.width(width), signed: false };
        let [a, b, carry] = [values[0], values[1], values[2]].map(|value| self.convert(value, ty));
        let (result, first) = self.wrapping(op, a, b);
        let (result, second) = self.wrapping(op, result, carry);
        let wraps = self.binary(BinOp::Or, first, second);
        let wraps = self.cast(wraps, ty);
        // What is written may be one of the operands.
        let result = self.stable(result, e.span);
        let addr = self.as_pointer(values[3]);
        self.write_checked(addr, wraps, e.span);
        let ty = self.scalar_or_int(e.ty);
        self.cast(result, ty)
    }

    /// A sum or difference of unsigned numbers, and whether it wraps around.
    fn wrapping(&mut self, op: BinOp, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let result = self.binary(op, a, b);
        let wraps = match op {
            BinOp::Add => self.binary(BinOp::Lt, result, a),
            _ => self.binary(BinOp::Lt, a, b),
        };
        (result, wraps)
    }
}

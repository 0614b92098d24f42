//! Checks that are made explicit: branches in front of operations, to locations where the property is broken.

use crate::context::Lowerer;
use base::Span;
use cfa::check::Check;
use cfa::{BinOp, ExprId, ExprKind, Op, Scalar, UnOp, Undefined};

const LEFT_SHIFT: &str = "left shift";

/// Least and greatest value.
type Range = (i128, i128);

/// What CBMC calls a kind of checks, if its pragmas turn them off.
const fn cbmc_name(check: Check) -> Option<&'static str> {
    Some(match check {
        Check::Memory | Check::Call => "pointer",
        Check::Fields => "bounds",
        Check::Overflow => "signed-overflow",
        Check::UnsignedOverflow => "unsigned-overflow",
        Check::Division => "div-by-zero",
        Check::Shift | Check::NegativeShift => "undefined-shift",
        Check::Conversion | Check::FloatCast => "conversion",
        Check::PointerOverflow => "pointer-overflow",
        Check::Free | Check::Leak | Check::Cleanup | Check::Return | Check::Uninitialised | Check::Alignment => {
            return None;
        }
    })
}

impl Lowerer<'_> {
    /// Whether operations of the current function are checked for this.
    pub fn checks(&self, check: Check) -> bool {
        let is_of_library = match check {
            Check::Memory | Check::Free => self.f.is_checked_by_caller,
            Check::Division | Check::Overflow => self.f.is_library && !self.f.divides_for_caller,
            _ => self.f.is_library,
        };
        self.p.checks.contains(&check) && !is_of_library
    }

    /// The run breaks the property if `bad` holds, unless a pragma says that this is not checked here.
    pub fn check(&mut self, bad: ExprId, check: Check, span: Span) {
        self.check_as(cbmc_name(check), bad, check, span);
    }

    /// As [`Self::check`], where CBMC has another name for the check.
    pub fn check_as(&mut self, name: Option<&str>, bad: ExprId, check: Check, span: Span) {
        if self.is_reachable()
            && self.as_int(bad) != Some(0)
            && name.is_some_and(|name| self.unit.unchecked.is_off(name, span.lo))
        {
            let text = format!("a pragma turns the check of {} off here", check.words().option);
            return self.p.assumed.push((text.into(), span));
        }
        self.fault_if(bad, span, |this| {
            let place = this.f.flow.labelled(check.property().into());
            // Without a condition, there is no branch that tells where it happens.
            if this.as_int(bad).is_some() {
                this.f.flow.step_to(place, span)
            } else {
                this.goto(place, span)
            }
            this.enter(place);
            this.emit(Op::Halt, span);
        });
    }

    /// Checks that the result of an operation on integers fits their type, if somebody asks for that.
    pub fn check_overflow(&mut self, op: BinOp, (a, b): (ExprId, ExprId), ty: Scalar, span: Span) {
        let Scalar::Int { bits, signed } = ty else { return };
        let check = if signed { Check::Overflow } else { Check::UnsignedOverflow };
        if !self.checks(check) || !self.is_reachable() {
            return;
        }
        // Its numbers are beyond those of ranges.
        if bits > 64 && !signed {
            return self.check_widest(op, (a, b), check, span);
        }
        let (least, greatest) = type_range(bits, signed);
        let (x, y) = (self.range_of(a), self.range_of(b));
        let exact = match op {
            BinOp::Add => corners(x, y, i128::checked_add),
            BinOp::Sub => corners(x, y, i128::checked_sub),
            BinOp::Mul => corners(x, y, i128::checked_mul),
            BinOp::Div | BinOp::Rem if signed => return self.check_quotient(a, b, least, span),
            BinOp::Shl => return self.check_left_shift((a, b), ty, (least, greatest), check, span),
            _ => return,
        };
        let (may_be_less, may_be_greater) = exact.map_or((true, true), |(lo, hi)| (lo < least, hi > greatest));
        // With a constant, a comparison of the other operand says all.
        let bounds = match (op, self.as_int(a), self.as_int(b)) {
            (BinOp::Add, _, Some(c)) => Some((a, (least.saturating_sub(c), greatest.saturating_sub(c)))),
            (BinOp::Add, Some(c), _) => Some((b, (least.saturating_sub(c), greatest.saturating_sub(c)))),
            (BinOp::Sub, _, Some(c)) => Some((a, (least.saturating_add(c), greatest.saturating_add(c)))),
            (BinOp::Sub, Some(c), _) => Some((b, (c.saturating_sub(greatest), c.saturating_sub(least)))),
            // The root rounded down is the greatest number whose square fits.
            (BinOp::Mul, ..) if a == b => Some((a, (-greatest.isqrt(), greatest.isqrt()))),
            (BinOp::Mul, _, Some(c)) => Some((a, factors(c, (least, greatest)))),
            (BinOp::Mul, Some(c), _) => Some((b, factors(c, (least, greatest)))),
            _ => None,
        };
        if let Some((operand, (lo, hi))) = bounds {
            let (least, greatest) = self.range_of(operand);
            return self.check_bounds(operand, (lo, hi), (least < lo, greatest > hi), check, span);
        }
        if !may_be_less && !may_be_greater {
            return;
        }
        if bits > 64 {
            return self.check_widest(op, (a, b), check, span);
        }
        // A difference may be negative; a product of unsigned numbers needs all of the bits.
        let wide = Scalar::Int { bits: 2 * bits, signed: signed || op == BinOp::Sub };
        let (a, b) = (self.cast(a, wide), self.cast(b, wide));
        let result = self.binary(op, a, b);
        self.check_bounds(result, (least, greatest), (may_be_less, may_be_greater), check, span);
    }

    /// No type is wider: a sum that wrapped around is on the wrong side of its first operand, and no such product or shift comes back to it.
    fn check_widest(&mut self, op: BinOp, (a, b): (ExprId, ExprId), check: Check, span: Span) {
        let result = self.binary(op, a, b);
        let bad = match op {
            BinOp::Add | BinOp::Sub => {
                let down = self.with_constant(if op == BinOp::Add { BinOp::Lt } else { BinOp::Gt }, b, 0);
                let is_less = self.binary(BinOp::Lt, result, a);
                self.binary(BinOp::Ne, is_less, down)
            }
            BinOp::Mul => {
                self.check_quotient(a, b, i128::MIN, span);
                let (is_zero, one) = (self.with_constant(BinOp::Eq, b, 0), self.constant(1, self.ty(b)));
                let divisor = self.ite(is_zero, one, b);
                let back = self.binary(BinOp::Div, result, divisor);
                let back = self.ite(is_zero, a, back);
                // Solvers need not divide where both have half the bits.
                let half = Scalar::Int { bits: 64, signed: self.ty(a).is_signed() };
                let [x, y] = [a, b].map(|e| self.cast(e, half));
                let (x, y) = (self.binary_as(BinOp::Ne, a, x), self.binary_as(BinOp::Ne, b, y));
                let (is_wide, differs) = (self.binary(BinOp::Or, x, y), self.binary(BinOp::Ne, back, a));
                self.binary(BinOp::And, is_wide, differs)
            }
            BinOp::Shl => {
                let back = self.binary(BinOp::Shr, result, b);
                self.binary(BinOp::Ne, back, a)
            }
            _ => return,
        };
        self.check(bad, check, span);
    }

    fn check_bounds(&mut self, value: ExprId, range: Range, needed: (bool, bool), check: Check, span: Span) {
        for (op, limit, is_needed) in [(BinOp::Lt, range.0, needed.0), (BinOp::Gt, range.1, needed.1)] {
            if is_needed {
                let bad = self.with_constant(op, value, limit);
                self.check(bad, check, span);
            }
        }
    }

    /// Only the least number divided by -1 does not fit.
    fn check_quotient(&mut self, a: ExprId, b: ExprId, least: i128, span: Span) {
        let (x, y) = (self.range_of(a), self.range_of(b));
        if x.0 > least || y.0 > -1 || y.1 < -1 {
            return;
        }
        let (least, last) = (self.with_constant(BinOp::Eq, a, least), self.with_constant(BinOp::Eq, b, -1));
        let bad = self.binary(BinOp::And, least, last);
        self.check(bad, Check::Overflow, span);
    }

    /// A number times a power of two must fit, of which C says that a negative number has no such product; compilers shift it all the same.
    fn check_left_shift(&mut self, (a, b): (ExprId, ExprId), ty: Scalar, range: Range, check: Check, span: Span) {
        let (x, y) = (self.range_of(a), self.range_of(b));
        let by = u32::try_from(y.1).ok().filter(|by| *by < 127);
        let product = |end: i128| by.and_then(|by| end.checked_mul(1 << by));
        let ends = [
            (BinOp::Gt, range.1, product(x.1).is_some_and(|most| most <= range.1)),
            (BinOp::Lt, range.0, product(x.0).is_some_and(|least| least >= range.0)),
        ];
        for (op, limit, fits) in ends {
            if fits {
                continue;
            }
            let limit = self.constant(limit, ty);
            let limit = self.binary(BinOp::Shr, limit, b);
            let bad = self.binary(op, a, limit);
            self.check(bad, check, span);
        }
        if self.is_only_overflow() && self.is_reachable() && x.0 < 0 {
            let negative = self.with_constant(BinOp::Lt, a, 0);
            self.fault_if(negative, span, |this| this.unsupported(LEFT_SHIFT, "of a negative number", span));
        }
    }

    /// Whether overflow is checked and shifts are not: no check says anything then of a shift of signed numbers that C gives no value.
    fn is_only_overflow(&self) -> bool {
        self.checks(Check::Overflow) && !self.checks(Check::Shift) && !self.checks(Check::NegativeShift)
    }

    /// Checks the distance of a shift. Whether one to the left fits its type can't be told without it.
    pub fn check_distance(&mut self, op: BinOp, bad: ExprId, ty: Scalar, span: Span) {
        if op == BinOp::Shl && ty.is_signed() && self.is_only_overflow() {
            self.fault_if(bad, span, |this| {
                this.unsupported(LEFT_SHIFT, "by a negative number or too many bits", span)
            });
        } else {
            self.guard(bad, Undefined::ShiftOutOfRange, span);
        }
    }

    /// Checks that an integer has a negation: the least signed one has none, and of the unsigned ones only zero has one.
    pub fn check_negation(&mut self, value: ExprId, span: Span) {
        let Scalar::Int { bits, signed } = self.ty(value) else { return };
        let least = type_range(bits, signed).0;
        let (check, op) = match signed {
            true => (Check::Overflow, BinOp::Eq),
            false => (Check::UnsignedOverflow, BinOp::Ne),
        };
        if self.checks(check) && self.range_of(value).0 <= least {
            let bad = self.with_constant(op, value, least);
            self.check(bad, check, span);
        }
    }

    /// Checks that a number that is shifted to the left is not negative.
    pub fn check_negative_shift(&mut self, value: ExprId, span: Span) {
        if self.checks(Check::NegativeShift) && self.ty(value).is_signed() && self.range_of(value).0 < 0 {
            let bad = self.with_constant(BinOp::Lt, value, 0);
            self.check(bad, Check::NegativeShift, span);
        }
    }

    /// Bounds of an integer's value that the form of its expression shows.
    pub fn range_of(&self, e: ExprId) -> Range {
        let whole = match self.ty(e) {
            Scalar::Int { bits, signed } => type_range(bits, signed),
            Scalar::Bool => (0, 1),
            _ => (i128::MIN, i128::MAX),
        };
        let narrower = match self.p.exprs.kind(e) {
            ExprKind::Const(_) => self.as_int(e).map(|value| (value, value)),
            ExprKind::Cast(inner) if matches!(self.ty(inner), Scalar::Int { .. } | Scalar::Bool) => {
                Some(self.range_of(inner)).filter(|(_, greatest)| *greatest < i128::MAX)
            }
            ExprKind::Binary(BinOp::BitAnd, a, b) => {
                let mask = self.as_int(a).or(self.as_int(b)).filter(|mask| *mask >= 0);
                mask.map(|mask| (0, mask))
            }
            ExprKind::Binary(BinOp::Rem, a, b) => self.as_int(b).filter(|by| *by != 0 && *by != i128::MIN).map(|by| {
                let most = by.abs() - 1;
                (if self.range_of(a).0 >= 0 { 0 } else { -most }, most)
            }),
            ExprKind::Unary(UnOp::Neg, a) => {
                let (lo, hi) = self.range_of(a);
                lo.checked_neg().zip(hi.checked_neg()).map(|(hi, lo)| (lo, hi))
            }
            _ => None,
        };
        // A value that the type can't hold wraps around.
        narrower.filter(|(lo, hi)| *lo >= whole.0 && *hi <= whole.1).unwrap_or(whole)
    }
}

/// Least and greatest value of a type of integers; unsigned ones of 128 bits may be greater than what is given here.
pub(crate) fn type_range(bits: u16, signed: bool) -> Range {
    match (bits, signed) {
        (128.., true) => (i128::MIN, i128::MAX),
        (128.., false) => (0, i128::MAX),
        (bits, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        (bits, false) => (0, (1 << bits) - 1),
    }
}

/// Least and greatest result of an operation that is monotone in each operand.
fn corners((a, b): Range, (c, d): Range, op: impl Fn(i128, i128) -> Option<i128>) -> Option<Range> {
    let results = [op(a, c)?, op(a, d)?, op(b, c)?, op(b, d)?];
    Some((results.into_iter().min()?, results.into_iter().max()?))
}

/// The numbers whose product with `c` is in the range.
fn factors(c: i128, (least, greatest): Range) -> Range {
    match c {
        0 => (i128::MIN, i128::MAX),
        // Division truncates towards zero, which keeps the quotients in the range.
        c if c > 0 => (least / c, greatest / c),
        // The least number has no quotient by -1.
        c => (greatest / c, least.checked_div(c).unwrap_or(i128::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_exact() {
        for bits in [4u16, 5] {
            let range = type_range(bits, true);
            for c in range.0..=range.1 {
                let (lo, hi) = factors(c, range);
                for x in range.0..=range.1 {
                    let fits = (range.0..=range.1).contains(&(x * c));
                    assert_eq!((lo..=hi).contains(&x), fits, "{x} * {c}");
                }
            }
        }
    }
}

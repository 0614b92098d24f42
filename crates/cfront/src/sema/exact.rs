//! Operators on mathematical integers: each is computed in a type that holds its operands and its result, whatever they are.
//!
//! What an expression may be follows from the types and operators in it. Where no type is wide enough, or operands are no integers, that is an error.

use super::Sema;
use crate::typed::{Expr, ExprKind, UnaryOp};
use crate::types::{Type, TypeId};
use base::{Diagnostic, Span};
use syntax::ast::BinaryOp;
use syntax::machine_model::IntKind;

/// Least and greatest value that an integer may have.
pub(super) type Interval = (i128, i128);

/// Types in which is computed; the first that is wide enough is taken.
const TYPES: [IntKind; 7] = [
    IntKind::Int,
    IntKind::UInt,
    IntKind::Long,
    IntKind::ULong,
    IntKind::LongLong,
    IntKind::ULongLong,
    IntKind::Int128,
];

/// Most places by which a number is shifted.
const MAX_SHIFT: i128 = 120;

impl Sema<'_> {
    /// The values that an integer rvalue may have; `None` if it is no integer, or of a type that has greater ones than are counted here.
    pub(super) fn interval(&self, e: &Expr) -> Option<Interval> {
        let whole = self.interval_of_type(e.ty)?;
        let known = match &e.kind {
            ExprKind::Int(value) => Some((*value, *value)),
            ExprKind::Cast(inner) => self.interval(inner),
            ExprKind::Unary(UnaryOp::Not, _) => Some((0, 1)),
            ExprKind::Unary(UnaryOp::Neg, a) => self.interval(a).and_then(negated),
            ExprKind::Unary(UnaryOp::BitNot, a) => self.interval(a).map(|(lo, hi)| (!hi, !lo)),
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::LogAnd | BinaryOp::LogOr => Some((0, 1)),
                _ if super::operator::is_comparison(*op) => Some((0, 1)),
                _ => self.interval(a).zip(self.interval(b)).and_then(|(a, b)| result(*op, a, b)),
            },
            ExprKind::Conditional { then: Some(then), otherwise, .. } => {
                self.interval(then).zip(self.interval(otherwise)).map(|(a, b)| hull(a, b))
            }
            _ => None,
        };
        Some(known.filter(|known| contains(whole, *known)).unwrap_or(whole))
    }

    /// The values of an integer type.
    pub(super) fn interval_of_type(&self, ty: TypeId) -> Option<Interval> {
        let kind = match self.types.get(ty) {
            Type::Bool => return Some((0, 1)),
            Type::Int(kind) => *kind,
            Type::Enum(id) => self.types.enum_repr(*id),
            _ => return None,
        };
        self.interval_of_kind(kind)
    }

    fn interval_of_kind(&self, kind: IntKind) -> Option<Interval> {
        let bits = self.machine.int_bits(kind);
        match (bits, kind.is_signed()) {
            (128, true) => Some((i128::MIN, i128::MAX)),
            (128, false) => None,
            (_, true) => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            (_, false) => Some((0, (1 << bits) - 1)),
        }
    }

    /// The first type that holds all these values.
    pub(super) fn type_for(&mut self, values: Interval) -> TypeId {
        let fits = |kind: &IntKind| self.interval_of_kind(*kind).is_some_and(|whole| contains(whole, values));
        let kind = TYPES.into_iter().find(fits).unwrap_or(IntKind::Int128);
        self.types.intern(Type::Int(kind))
    }

    /// Both as one type that holds these values as well.
    pub(super) fn both_as(&mut self, values: Interval, a: Expr, b: Expr) -> (Expr, Expr, TypeId) {
        let ty = self.type_for(values);
        let (a_span, b_span) = (a.span, b.span);
        (self.cast(a, ty, a_span), self.cast(b, ty, b_span), ty)
    }

    fn not_exact(&mut self, span: Span, help: &str) -> Expr {
        let text = "this can't be computed in mathematical integers";
        self.error_expr(Diagnostic::error("E0366", span, text).label("no type of C is exact here").help(help))
    }

    /// `-e` and `~e` of an integer.
    pub(super) fn exact_unary(&mut self, op: UnaryOp, e: Expr, span: Span) -> Expr {
        let values = self.interval(&e);
        let computed =
            values.and_then(|(lo, hi)| if op == UnaryOp::Neg { negated((lo, hi)) } else { Some((!hi, !lo)) });
        let Some((values, computed)) = values.zip(computed) else {
            return self.not_exact(span, "convert the number to a smaller type before");
        };
        let ty = self.type_for(hull(values, computed));
        let at = e.span;
        let e = self.cast(e, ty, at);
        match (op, &e.kind) {
            (UnaryOp::Neg, ExprKind::Int(value)) => self.int_expr(-value, ty, span),
            (_, ExprKind::Int(value)) => self.int_expr(!value, ty, span),
            _ => Expr { kind: ExprKind::Unary(op, Box::new(e)), ty, span },
        }
    }

    /// An operator between integers, but for those of logic.
    pub(super) fn exact_binary(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let Some((x, y)) = self.interval(&a).zip(self.interval(&b)) else {
            return self.not_exact(span, "convert the numbers to smaller types before");
        };
        if super::operator::is_comparison(op) {
            return self.exact_comparison(op, (a, x), (b, y), span);
        }
        if let BinaryOp::Shl | BinaryOp::Shr = op
            && (y.0 != y.1 || !(0..=MAX_SHIFT).contains(&y.0))
        {
            return self.not_exact(b.span, "shift by a constant, or compute the number in the program");
        }
        // A shifted number is a multiple, also of a negative one.
        let (op, b, y) = match op {
            BinaryOp::Shl => {
                let factor = 1 << y.0;
                (BinaryOp::Mul, self.int_expr(factor, self.common.int, b.span), (factor, factor))
            }
            _ => (op, b, y),
        };
        let Some(values) = result(op, x, y) else {
            return self.not_exact(span, "convert the numbers to smaller types before");
        };
        if values.0 == values.1 && x.0 == x.1 && y.0 == y.1 {
            let ty = self.type_for(values);
            return self.int_expr(values.0, ty, span);
        }
        let operands = if op == BinaryOp::Shr { x } else { hull(x, y) };
        let mut values = hull(operands, values);
        if let (BinaryOp::Rem, Some(other)) = (op, negated(x)) {
            // C's remainder is undefined where the quotient has no value.
            values = hull(values, other);
        }
        if op == BinaryOp::Shr {
            // The type is wider than the number of places.
            values = hull(values, (0, (1 << y.0) - 1));
        }
        let ty = self.type_for(values);
        let (a_span, b_span) = (a.span, b.span);
        let a = self.cast(a, ty, a_span);
        let b = if op == BinaryOp::Shr { self.cast(b, self.common.int, b_span) } else { self.cast(b, ty, b_span) };
        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span }
    }

    /// A comparison; one that the types decide is a constant.
    fn exact_comparison(
        &mut self,
        op: BinaryOp,
        (a, x): (Expr, Interval),
        (b, y): (Expr, Interval),
        span: Span,
    ) -> Expr {
        let (less, equal, greater) = (x.1 < y.0, x.0 == x.1 && x == y, x.0 > y.1);
        let decided = match op {
            BinaryOp::Lt if less || x.0 >= y.1 => Some(less),
            BinaryOp::Ge if less || x.0 >= y.1 => Some(!less),
            BinaryOp::Gt if greater || x.1 <= y.0 => Some(greater),
            BinaryOp::Le if greater || x.1 <= y.0 => Some(!greater),
            BinaryOp::Eq if less || greater || equal => Some(equal),
            BinaryOp::Ne if less || greater || equal => Some(!equal),
            _ => None,
        };
        let int = self.common.int;
        if let Some(decided) = decided {
            return self.int_expr(i128::from(decided), int, span);
        }
        let (a, b, _) = self.both_as(hull(x, y), a, b);
        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty: int, span }
    }

    /// Floating numbers may be compared, also with integers that are such numbers; `None` if they are no numbers.
    pub(super) fn exact_float(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Option<Expr> {
        if !super::operator::is_comparison(op) {
            let help = "real numbers are compared only; compute what is compared in the program";
            return Some(self.not_exact(span, help));
        }
        for (e, other) in [(a, b), (b, a)] {
            let Some(values) = self.interval(e) else { continue };
            let most = if other.ty == self.common.float { 1 << 24 } else { 1 << 53 };
            if !contains((-most, most), values) {
                let help =
                    "this integer is not always such a floating number; compare integers, or convert it in the program";
                return Some(self.not_exact(e.span, help));
            }
        }
        None
    }

    /// The values that two integers may have together.
    pub(super) fn joint_interval(&self, a: &Expr, b: &Expr) -> Option<Interval> {
        self.interval(a).zip(self.interval(b)).map(|(x, y)| hull(x, y))
    }

    /// The condition that an index is a number as wide as a pointer, if that is not known, and the index as such a number.
    pub(super) fn exact_index(&mut self, index: Expr) -> (Option<Expr>, Expr) {
        let long = self.common.long;
        let span = index.span;
        let (Some(values), Some(whole)) = (self.interval(&index), self.interval_of_type(long)) else {
            return (None, index);
        };
        // An unsigned number of this width is none that wraps around, either.
        let fits = contains(whole, values)
            || self.interval_of_type(self.common.ulong).is_some_and(|all| contains(all, values));
        if fits {
            return (None, index);
        }
        let bound = |s: &Self, value| s.int_expr(value, long, span);
        let (least, greatest) = (bound(self, whole.0), bound(self, whole.1));
        let above = self.exact_binary(BinaryOp::Ge, index.clone(), least, span);
        let below = self.exact_binary(BinaryOp::Le, index.clone(), greatest, span);
        let kind = ExprKind::Binary(BinaryOp::LogAnd, Box::new(above), Box::new(below));
        let condition = Expr { kind, ty: self.common.int, span };
        (Some(condition), self.cast(index, long, span))
    }
}

fn hull(a: Interval, b: Interval) -> Interval {
    (a.0.min(b.0), a.1.max(b.1))
}

pub(super) fn contains(outer: Interval, inner: Interval) -> bool {
    outer.0 <= inner.0 && inner.1 <= outer.1
}

fn negated((lo, hi): Interval) -> Option<Interval> {
    Some((hi.checked_neg()?, lo.checked_neg()?))
}

/// What an operator makes of such operands, as far as numbers of 128 bits go.
fn result(op: BinaryOp, (a, b): Interval, (c, d): Interval) -> Option<Interval> {
    let all = |f: fn(i128, i128) -> Option<i128>| {
        let corners = [f(a, c)?, f(a, d)?, f(b, c)?, f(b, d)?];
        Some((corners.into_iter().min()?, corners.into_iter().max()?))
    };
    match op {
        BinaryOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
        BinaryOp::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
        BinaryOp::Mul => all(i128::checked_mul),
        BinaryOp::Div => {
            let most = a.checked_abs()?.max(b.checked_abs()?);
            if a == b && c == d && c != 0 { Some((a / c, a / c)) } else { Some((-most, most)) }
        }
        BinaryOp::Rem => {
            let most = c.checked_abs()?.max(d.checked_abs()?).saturating_sub(1).max(0);
            if a == b && c == d && c != 0 {
                Some((a % c, a % c))
            } else {
                Some((a.max(-most).min(0), b.min(most).max(0)))
            }
        }
        BinaryOp::Shr => Some((a >> c, b >> c)),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
            if a == b && c == d {
                let value = match op {
                    BinaryOp::BitAnd => a & c,
                    BinaryOp::BitOr => a | c,
                    _ => a ^ c,
                };
                return Some((value, value));
            }
            // As many digits as the longer operand has.
            let longest = [a, b, c, d].into_iter().map(|v| if v < 0 { !v } else { v }).max()?;
            let most = if longest == 0 { 0 } else { i128::MAX >> (longest.leading_zeros() - 1) };
            Some((if a < 0 || c < 0 { -most - 1 } else { 0 }, most))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_hold_all_values() {
        let ops = [
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::Div,
            BinaryOp::Rem,
            BinaryOp::Shr,
            BinaryOp::BitAnd,
            BinaryOp::BitOr,
            BinaryOp::BitXor,
        ];
        let ranges = [(-9, -3), (-5, 4), (0, 0), (0, 7), (2, 6), (3, 3), (-4, -4)];
        for op in ops {
            for x in ranges {
                for y in ranges.into_iter().filter(|y| op != BinaryOp::Shr || y.0 == y.1 && y.0 >= 0) {
                    let whole = result(op, x, y).expect("small numbers");
                    for (a, b) in (x.0..=x.1).flat_map(|a| (y.0..=y.1).map(move |b| (a, b))) {
                        let value = match op {
                            BinaryOp::Add => a + b,
                            BinaryOp::Sub => a - b,
                            BinaryOp::Mul => a * b,
                            BinaryOp::Div | BinaryOp::Rem if b == 0 => continue,
                            BinaryOp::Div => a / b,
                            BinaryOp::Rem => a % b,
                            BinaryOp::Shr => a >> b,
                            BinaryOp::BitAnd => a & b,
                            BinaryOp::BitOr => a | b,
                            _ => a ^ b,
                        };
                        assert!(contains(whole, (value, value)), "{a} {op:?} {b} = {value}, not in {whole:?}");
                    }
                }
            }
        }
    }
}

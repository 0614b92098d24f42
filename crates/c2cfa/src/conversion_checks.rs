//! Checks of conversions: floating-point numbers that become integers, and integers whose value changes where the program writes no conversion.

use crate::checks::type_range;
use crate::context::Lowerer;
use crate::lvalue::LValue;
use base::Span;
use cfa::eval::float_from_f64;
use cfa::{BinOp, Check, ExprId, FloatFormat, Scalar};
use cfront::types::TypeId;

/// Who asks for a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Conversion {
    /// The text, by a cast.
    Explicit,
    /// The rules of C.
    Implicit,
}

impl Lowerer<'_> {
    /// The conversion of a value to a type is checked.
    pub fn check_conversion(&mut self, value: ExprId, to: Scalar, by: Conversion, span: Span) {
        match (self.ty(value), to) {
            (Scalar::Float(format), Scalar::Int { bits, signed }) if self.checks(Check::FloatCast) => {
                self.check_float_cast((value, format), (bits, signed), span);
            }
            (Scalar::Int { .. }, Scalar::Int { bits, signed })
                if by == Conversion::Implicit && self.checks(Check::Conversion) =>
            {
                let (least, greatest) = type_range(bits, signed);
                let (lo, hi) = self.range_of(value);
                if lo < least {
                    let bad = self.with_constant(BinOp::Lt, value, least);
                    self.check(bad, Check::Conversion, span);
                }
                // Only unsigned numbers of 128 bits are greater than any signed one.
                if hi > greatest || self.ty(value) == (Scalar::Int { bits: 128, signed: false }) && signed {
                    let bad = self.with_constant(BinOp::Gt, value, greatest);
                    self.check(bad, Check::Conversion, span);
                }
            }
            _ => {}
        }
    }

    /// An integer of a bit-field's type is checked to keep its value in the bits of the field.
    pub fn check_width(&mut self, value: ExprId, target: LValue, c_type: TypeId, span: Span) {
        if let (LValue::Bits { field, .. }, Scalar::Int { signed, .. }) = (target, self.ty(value))
            && !self.is_bool(c_type)
        {
            self.check_conversion(value, Scalar::Int { bits: field.width as u16, signed }, Conversion::Implicit, span);
        }
    }

    /// What is left of the number without its fraction must be in the range of the integer; a NaN is in none.
    fn check_float_cast(&mut self, (value, format): (ExprId, FloatFormat), (bits, signed): (u16, bool), span: Span) {
        let power = i32::from(bits) - i32::from(signed);
        let [least, beyond] = [if signed { -(2f64.powi(power)) } else { 0.0 }, 2f64.powi(power)]
            .map(|bound| self.value(float_from_f64(format, bound), Scalar::Float(format)));
        // Comparisons that a NaN does not fulfil. Beyond the precision of the format, there is no number between the least integer and the next one
        // below it.
        let from = match !signed || power < significand(format) {
            true => {
                let one = self.value(float_from_f64(format, 1.0), Scalar::Float(format));
                let below = self.binary(BinOp::Sub, least, one);
                self.binary(BinOp::Lt, below, value)
            }
            false => self.binary(BinOp::Le, least, value),
        };
        let to = self.binary(BinOp::Lt, value, beyond);
        let fits = self.binary(BinOp::And, from, to);
        let bad = self.not(fits);
        self.check(bad, Check::FloatCast, span);
    }
}

/// Number of bits of a significand, the first one included.
fn significand(format: FloatFormat) -> i32 {
    match format {
        FloatFormat::F16 => 11,
        FloatFormat::F32 => 24,
        FloatFormat::F64 => 53,
        FloatFormat::F80 => 64,
        FloatFormat::F128 => 113,
    }
}

//! Classification and comparison of floating-point numbers, `fabs`, infinities and NaNs. Everything else of `<math.h>` is
//! an external function that returns any value.

use crate::context::Lowerer;
use cfa::{BinOp, ExprId, FloatFormat, Scalar, UnOp};
use cfront::typed::{Expr, FunctionId};
use clib::known::Float;
use clib::libc::plain_name;

impl<'u> Lowerer<'u> {
    /// A known function on floats; the result has the type of the call.
    pub fn float_function(&mut self, function: Float, e: &'u Expr, args: &'u [Expr]) -> ExprId {
        let result_ty = self.scalar_or_int(e.ty);
        let ty = args.iter().filter_map(|a| self.scalar(a.ty)).filter(|s| s.is_float()).max();
        let ty = match function {
            Float::Infinity | Float::Nan => result_ty,
            _ => ty.unwrap_or(Scalar::Float(FloatFormat::F64)),
        };
        let Scalar::Float(format) = ty else { return self.unsupported_value("builtin", e) };
        let text = if function == Float::Nan { "nan" } else { "inf" };
        let special = cfa::eval::parse_float(text, format);
        let Some(special) = special else { return self.unsupported_value("builtin", e) };
        let special = self.value(special, ty);
        if matches!(function, Float::Infinity | Float::Nan) {
            return special;
        }
        let values = self.values(args);
        if function == Float::Classify {
            return self.classified(&values, special, format);
        }
        let x = self.convert(values[0], ty);
        let y = values.get(1).map_or(x, |y| self.convert(*y, ty));
        let truth = match function {
            Float::Abs => {
                let value = self.absolute(x);
                return self.cast(value, result_ty);
            }
            Float::IsNan => self.binary(BinOp::Ne, x, x),
            Float::Unordered => {
                let (a, b) = (self.binary(BinOp::Ne, x, x), self.binary(BinOp::Ne, y, y));
                self.binary(BinOp::Or, a, b)
            }
            Float::IsInf => {
                let (above, below) = self.infinite(x, special);
                self.binary(BinOp::Or, above, below)
            }
            Float::IsInfSign => {
                let (above, below) = self.infinite(x, special);
                let one = self.constant(1, Scalar::INT);
                let minus_one = self.constant(-1, Scalar::INT);
                let zero = self.zero(Scalar::INT);
                let rest = self.ite(below, minus_one, zero);
                let value = self.ite(above, one, rest);
                return self.cast(value, result_ty);
            }
            Float::IsFinite => {
                let lowest = self.unary(UnOp::Neg, special);
                let (a, b) = (self.binary(BinOp::Lt, x, special), self.binary(BinOp::Gt, x, lowest));
                self.binary(BinOp::And, a, b)
            }
            Float::IsNormal => {
                let size = self.absolute(x);
                let (least, below) = (self.least_normal(format), self.binary(BinOp::Lt, size, special));
                let above = self.binary(BinOp::Ge, size, least);
                self.binary(BinOp::And, above, below)
            }
            Float::SignBit => {
                // Through memory, because -0.0 and NaNs hide their sign from comparisons.
                let temp = self.temp_memory(16, 16, "tmp", e.span);
                let addr = self.addr_of(temp);
                self.store(addr, x, e.span);
                let last = i128::from(format.bits() / 8 - 1);
                let at = self.ptr_offset(addr, last);
                let byte = self.load(at, Scalar::Int { bits: 8, signed: false });
                self.with_constant(BinOp::Ge, byte, 0x80)
            }
            Float::Compare(op) => self.binary(op, x, y),
            Float::LessGreater => {
                let (a, b) = (self.binary(BinOp::Lt, x, y), self.binary(BinOp::Gt, x, y));
                self.binary(BinOp::Or, a, b)
            }
            Float::Infinity | Float::Nan | Float::Classify => return special,
        };
        self.cast(truth, result_ty)
    }

    fn absolute(&mut self, x: ExprId) -> ExprId {
        let zero = self.zero(self.ty(x));
        let negative = self.binary(BinOp::Lt, x, zero);
        let negated = self.unary(UnOp::Neg, x);
        let is_zero = self.binary(BinOp::Eq, x, zero);
        let rest = self.ite(is_zero, zero, x);
        self.ite(negative, negated, rest)
    }

    /// The least positive number with full precision.
    fn least_normal(&mut self, format: FloatFormat) -> ExprId {
        let text = match format {
            FloatFormat::F16 => "0x1p-14",
            FloatFormat::F32 => "0x1p-126",
            FloatFormat::F64 => "0x1p-1022",
            FloatFormat::F80 | FloatFormat::F128 => "0x1p-16382",
        };
        let value = cfa::eval::parse_float(text, format).unwrap_or_default();
        self.value(value, Scalar::Float(format))
    }

    /// `__builtin_fpclassify`: the number of the class that the last argument is of.
    fn classified(&mut self, values: &[ExprId], infinity: ExprId, format: FloatFormat) -> ExprId {
        let x = self.convert(values[5], Scalar::Float(format));
        let (size, zero) = (self.absolute(x), self.zero(Scalar::Float(format)));
        let least = self.least_normal(format);
        let (is_zero, is_nan) = (self.binary(BinOp::Eq, x, zero), self.binary(BinOp::Ne, x, x));
        let (is_normal, is_infinite) = (self.binary(BinOp::Ge, size, least), self.binary(BinOp::Eq, size, infinity));
        let below = self.ite(is_zero, values[4], values[3]);
        let finite = self.ite(is_normal, values[2], below);
        let number = self.ite(is_infinite, values[1], finite);
        self.ite(is_nan, values[0], number)
    }

    fn infinite(&mut self, x: ExprId, infinity: ExprId) -> (ExprId, ExprId) {
        let below = self.unary(UnOp::Neg, infinity);
        (self.binary(BinOp::Eq, x, infinity), self.binary(BinOp::Eq, x, below))
    }

    /// The square root, which IEEE 754 demands to be rounded correctly; in formats without an operation, that of a constant.
    pub fn square_root(&mut self, f: FunctionId, args: &[ExprId]) -> Option<ExprId> {
        let [arg] = args else { return None };
        let ty = self.ty(*arg);
        let Scalar::Float(format) = ty else { return None };
        if !matches!(plain_name(&self.unit.functions[f].name), "sqrt" | "sqrtf" | "sqrtl") {
            return None;
        }
        if let FloatFormat::F32 | FloatFormat::F64 = format {
            // That of a negative constant fails, which is said where there is an operation.
            let is_known =
                self.p.exprs.as_const(*arg).is_none_or(|value| cfa::eval::square_root(format, value).is_some());
            return is_known.then(|| self.unary(UnOp::Sqrt, *arg));
        }
        let root = cfa::eval::square_root(format, self.p.exprs.as_const(*arg)?)?;
        Some(self.value(root, ty))
    }
}

//! Functions without a body whose result their arguments determine, to the bit and on every machine.
//!
//! An analysis that knows the arguments of a call knows the result; of other calls, it is any value.

use crate::eval::is_nan;
use crate::expr::ExprId;
use crate::float_text;
use crate::library::{chooses_locale, is_among};
use crate::program::{FuncId, Function, Program};
use crate::value::{FloatFormat, Scalar, Value};

/// The library's question for a character of a printed float: its value, the conversion with flags, width, precision, and the index.
pub const FLOAT_DIGIT: &str = "_float_digit";
/// Functions that change how numbers are rounded.
const ROUND: &str = "fesetenv fesetround feupdateenv";

/// Whether the arguments of a function determine its result, so that they matter where it does.
pub fn is_determined(function: &Function) -> bool {
    *function.name == *FLOAT_DIGIT
}

/// The result of a call with these arguments, if it is determined.
pub fn result(
    program: &Program,
    func: FuncId,
    args: &[ExprId],
    value: impl Fn(usize) -> Option<Value>,
) -> Option<Value> {
    if !is_determined(&program.functions[func]) || !program.is_of_library(func) {
        return None;
    }
    let values: Vec<Value> = (0..args.len()).map(value).collect::<Option<_>>()?;
    // Whether a NaN is negative depends on the machine.
    if is_nan(FloatFormat::F64, values.first()?.0) || may_change(program) {
        return None;
    }
    float_digit(program, args, &values)
}

/// Whether a program has functions that change what these functions do.
pub fn may_change(program: &Program) -> bool {
    program.functions.iter().any(|function| chooses_locale(&function.name) || is_among(ROUND, &function.name))
}

/// A character of a printed float, or zero behind its end.
pub fn float_digit(program: &Program, args: &[ExprId], values: &[Value]) -> Option<Value> {
    let ([_, numbers @ ..], [value, others @ ..]) = (args, values) else { return None };
    let signed = |(arg, value): (&ExprId, &Value)| match program.exprs.ty(*arg) {
        Scalar::Int { bits, .. } => i64::try_from(value.signed(bits.into())).ok(),
        _ => None,
    };
    let numbers: Option<Vec<i64>> = numbers.iter().zip(others).map(signed).collect();
    let character = float_text::character(*value, numbers?.try_into().ok()?)?;
    Some(Value(character.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Builder;

    /// The first character of what `%g` makes of a number, in a program with another function.
    fn first(number: f64, other: &str) -> Option<Value> {
        let mut b = Builder::new();
        let (func, _) = (b.extern_func(FLOAT_DIGIT), b.extern_func(other));
        let double = Scalar::Float(FloatFormat::F64);
        let value = b.program.exprs.add(crate::ExprKind::Const(Value(number.to_bits().into())), double);
        let args = [value, b.int(i64::from(b'g')), b.int(0), b.int(-1), b.int(0)];
        result(&b.program, func, &args, |arg| b.program.exprs.as_const(args[arg]))
    }

    #[test]
    fn characters_of_numbers() {
        assert_eq!(first(2.5, "sin"), Some(Value(b'2'.into())));
        assert_eq!(first(-2.5, "sin"), Some(Value(b'-'.into())));
        assert_eq!(first(f64::INFINITY, "sin"), Some(Value(b'i'.into())));
    }

    #[test]
    fn what_machines_print_in_several_ways() {
        assert_eq!(first(f64::NAN, "sin"), None);
        assert_eq!(first(2.5, "setlocale"), None);
        assert_eq!(first(2.5, "fesetround"), None);
    }

    #[test]
    fn arguments_that_are_not_known() {
        let mut b = Builder::new();
        let func = b.extern_func(FLOAT_DIGIT);
        let args = [b.int(0); 5];
        assert_eq!(result(&b.program, func, &args, |arg| (arg != 3).then_some(Value(0))), None);
    }
}

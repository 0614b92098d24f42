//! What functions of C's library and of POSIX that have neither a body nor a model return.
//!
//! The table is `libc/results.txt`; of functions that are not in it, any value of their type is expected.

use crate::context::Lowerer;
use base::Span;
use cfa::{BinOp, ExprId, Op, Scalar};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

const RESULTS: &str = include_str!("../libc/results.txt");

/// The table by names.
static TABLE: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
    let mut table = FxHashMap::default();
    let mut bounds = "";
    for line in RESULTS.lines().filter(|line| !line.starts_with('#')) {
        let (of_names, names) = line.split_once(": ").unwrap_or((bounds, line));
        bounds = of_names;
        table.extend(names.split_ascii_whitespace().map(|name| (name, bounds)));
    }
    table
});

/// The greatest number that a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Most {
    Constant(i128),
    /// An argument, counted from 0.
    Argument(usize),
    /// Less than an argument, or 0.
    Below(usize),
}

/// Bounds of a function's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bounds {
    least: Option<i128>,
    most: Option<Most>,
}

impl Bounds {
    fn of(name: &str) -> Option<Self> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        TABLE.get(name).and_then(|text| Self::parse(text))
    }

    fn parse(text: &str) -> Option<Self> {
        let argument = |number: &str| number.parse::<usize>().ok()?.checked_sub(1);
        let (least, most) = text.split_once("..")?;
        let most = match most.split_once('$') {
            Some(("", number)) => Some(Most::Argument(argument(number)?)),
            Some((_, number)) => Some(Most::Below(argument(number)?)),
            None => most.parse().ok().map(Most::Constant),
        };
        Some(Self { least: least.parse().ok(), most })
    }
}

impl Lowerer<'_> {
    /// Runs go on with results only that a library function may have.
    pub fn keep_bounds(&mut self, name: &str, args: &[ExprId], result: ExprId, span: Span) {
        let ty = self.ty(result);
        let of_shorter = || name.strip_suffix(['f', 'l']).filter(|_| ty.is_float()).and_then(Bounds::of);
        let Some(bounds) = Bounds::of(name).or_else(of_shorter) else { return };
        let can_tell = ty.is_float() || ty.is_signed() || bounds.least >= Some(0);
        if !can_tell || !(ty.is_float() || matches!(ty, Scalar::Int { .. })) {
            return;
        }
        let mut bad = self.zero(Scalar::Bool);
        if let Some(least) = bounds.least {
            let least = self.number(least, ty);
            bad = self.binary(BinOp::Lt, result, least);
        }
        let above = match bounds.most {
            Some(Most::Constant(most)) if ty.is_float() || most >> (ty.bits(self.pointer_bits) - 1).min(126) == 0 => {
                let most = self.number(most, ty);
                Some(self.binary(BinOp::Gt, result, most))
            }
            Some(Most::Argument(i)) => self.above(BinOp::Gt, result, args.get(i)),
            Some(Most::Below(i)) => self.above(BinOp::Ge, result, args.get(i)),
            Some(Most::Constant(_)) | None => None,
        };
        if let Some(above) = above {
            bad = self.binary(BinOp::Or, bad, above);
        }
        self.when(bad, span, |this| this.emit(Op::Halt, span));
    }

    /// Whether a result that is greater than 0 is greater than an argument, or not less; both are sizes. `None` if they are too wide.
    fn above(&mut self, op: BinOp, result: ExprId, arg: Option<&ExprId>) -> Option<ExprId> {
        let arg = *arg?;
        let is_size = |e| matches!(self.ty(e), Scalar::Int { bits, .. } if u32::from(bits) <= self.pointer_bits);
        if !is_size(result) || !is_size(arg) {
            return None;
        }
        let positive = self.with_constant(BinOp::Gt, result, 0);
        let (result, arg) = (self.as_size(result), self.as_size(arg));
        let above = self.binary(op, result, arg);
        Some(self.binary(BinOp::And, positive, above))
    }

    fn number(&mut self, value: i128, ty: Scalar) -> ExprId {
        let wide = self.constant(value, Scalar::Int { bits: 64, signed: true });
        self.cast(wide, ty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds() {
        let most = |name: &str| Bounds::of(name).map(|bounds| (bounds.least, bounds.most));
        assert_eq!(most("fread"), Some((Some(0), Some(Most::Argument(2)))));
        assert_eq!(most("strftime"), Some((Some(0), Some(Most::Below(1)))));
        assert_eq!(most("open"), Some((Some(-1), None)));
        assert_eq!(most("getchar"), Some((Some(-1), Some(Most::Constant(255)))));
        assert_eq!(most("ioctl"), None);
    }

    #[test]
    fn each_line_of_the_table_is_read() {
        for line in RESULTS.lines().filter(|line| !line.starts_with('#')) {
            let (bounds, names) = line.split_once(": ").unwrap_or(("0..", line));
            assert!(Bounds::parse(bounds).is_some_and(|bounds| bounds.least.is_some()), "{bounds}");
            for name in names.split_ascii_whitespace() {
                assert!(
                    TABLE.contains_key(name) && crate::library::is_known(name),
                    "{name} is no function of the library"
                );
            }
        }
    }
}

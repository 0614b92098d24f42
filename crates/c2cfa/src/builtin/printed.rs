//! How many characters `printf` and its like print, as their results tell.

use crate::context::Lowerer;
use base::Span;
use cfa::{BinOp, ExprId, Op};
use cfront::typed::{Expr, FunctionId};
use clib::library::Effects;
use syntax::format::{Conversion, Count, Directive, directives};

impl<'u> Lowerer<'u> {
    /// The result of a function that prints is a length that its format may give.
    pub fn keep_printed(&mut self, f: FunctionId, result: ExprId, args: &'u [Expr], span: Span) {
        let name = &*self.unit.functions[f].name;
        let format = Effects::of(name).and_then(Effects::format).filter(|_| name.contains("printf"));
        let format = format.filter(|_| self.ty(result).is_signed());
        if let Some(text) = format.and_then(|format| self.literal(args.get(format)?)) {
            // Of wide characters, those that matter are bytes and zeros.
            let is_wide = name.contains("wprintf");
            let (least, most) = printed(text.iter().copied().filter(|byte| !is_wide || *byte != 0));
            self.require_length(result, least, most, span);
        }
    }

    /// A number of characters, or -1 for an error.
    fn require_length(&mut self, result: ExprId, least: i128, most: Option<i128>, span: Span) {
        let error = self.with_constant(BinOp::Ne, result, -1);
        let short = self.with_constant(BinOp::Lt, result, least);
        let mut bad = self.binary(BinOp::And, error, short);
        if let Some(most) = most {
            let long = self.with_constant(BinOp::Gt, result, most);
            bad = self.binary(BinOp::Or, bad, long);
        }
        self.when(bad, span, |this| this.emit(Op::Halt, span));
    }
}

/// How many characters a format may give at least and at most; nothing is known of one with a conversion that is not understood.
fn printed(format: impl Iterator<Item = u8>) -> (i128, Option<i128>) {
    let Some(directives) = directives(format) else { return (0, None) };
    let (mut least, mut most) = (0, Some(0));
    for directive in directives {
        let lengths = match directive {
            Directive::Text(text) => Some((text.len() as i128, Some(text.len() as i128))),
            Directive::Conversion(how) => conversion(how),
        };
        let Some((shortest, longest)) = lengths else { return (0, None) };
        least += shortest;
        most = most.zip(longest).map(|(a, b)| a + b);
    }
    (least, most)
}

/// How many characters a conversion gives; `None` if it is not understood.
fn conversion(how: Conversion) -> Option<(i128, Option<i128>)> {
    if how.counts().any(|count| count == Count::Argument) {
        return None;
    }
    let [width, precision] = [how.width, how.precision].map(|count| count.and_then(Count::number));
    let width = width.unwrap_or(0);
    let is_long = !matches!(how.length, 0 | b'h' | b'H');
    // With a sign, or what `#` puts in front.
    let digits = |short: i128, long: i128| {
        let digits = if is_long { long } else { short };
        let least = i128::from(precision != Some(0)).max(precision.unwrap_or(0));
        (least, Some(2 + digits.max(precision.unwrap_or(0))))
    };
    let (least, most) = match how.letter {
        b'%' => return Some((1, Some(1))),
        b'n' => return Some((0, Some(0))),
        b'd' | b'i' | b'u' => digits(10, 20),
        b'x' | b'X' => digits(8, 16),
        b'o' => digits(11, 22),
        b'c' => (i128::from(!is_long), Some(if is_long { 16 } else { 1 })),
        b'p' => (1, Some(20)),
        b's' | b'S' => (0, precision.filter(|_| !is_long)),
        // The longest `long double` has 4933 digits.
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => (1, Some(5000 + precision.unwrap_or(6))),
        _ => return None,
    };
    Some((least.max(width), most.map(|most| most.max(width))))
}

#[cfg(test)]
mod tests {
    #[test]
    fn lengths() {
        for (format, least, most) in [
            ("abc%%", 4, Some(4)),
            ("%d %ld", 3, Some(35)),
            ("%5d|%.3x", 9, Some(23)),
            ("%s", 0, None),
            ("%4.2s", 4, Some(4)),
            ("%*d", 0, None),
            ("%c%p", 2, Some(21)),
            ("ab%1$d", 0, None),
        ] {
            assert_eq!(super::printed(format.bytes()), (least, most), "{format}");
        }
    }
}

//! Expressions for machines whose `int` has 16 bits: trees are made as if it had 32, as `long` has there, and say so in their text.

use crate::syntax::{Kind, Level, Tree};
use cfa::{BinOp, MachineModel, Scalar};

impl Tree {
    /// The same expression with conversions to `long`, and suffixes, where a machine with a short `int` would compute in it.
    pub fn on(self, machine: MachineModel) -> Tree {
        if machine.int_bits() == 32 { self } else { widened(self) }
    }
}

fn widened(tree: Tree) -> Tree {
    let Tree { kind, ty, range } = tree;
    let kind = match kind {
        Kind::Number(value) => return number(value, ty, range),
        Kind::Atom(..) => kind,
        Kind::Prefix(sign @ ("-" | "~"), a) => Kind::Prefix(sign, Box::new(operand(*a))),
        Kind::Prefix(sign, a) => Kind::Prefix(sign, Box::new(widened(*a))),
        Kind::Cast(name, a) => Kind::Cast(name, Box::new(widened(*a))),
        Kind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
            Kind::Binary(op, Box::new(widened(*a)), Box::new(widened(*b)))
        }
        Kind::Binary(op, a, b) => Kind::Binary(op, Box::new(operand(*a)), Box::new(operand(*b))),
        Kind::Choice(parts) => {
            let [c, a, b] = *parts;
            Kind::Choice(Box::new([widened(c), operand(a), operand(b)]))
        }
    };
    Tree { kind, ty, range }
}

/// An operand that is computed with in 32 bits at least.
fn operand(tree: Tree) -> Tree {
    let tree = widened(tree);
    let is_truth = match &tree.kind {
        Kind::Prefix(sign, _) => *sign == "!",
        Kind::Binary(op, ..) => op.is_comparison() || matches!(op, BinOp::And | BinOp::Or),
        _ => false,
    };
    if is_truth || matches!(tree.ty, Scalar::Bool | Scalar::Int { bits: 8 | 16, .. }) {
        let range = tree.range;
        return Tree { kind: Kind::Cast("long".to_owned(), Box::new(tree)), ty: Scalar::INT, range };
    }
    tree
}

/// A constant that has a suffix where it would be an `int`.
fn number(value: i128, ty: Scalar, range: (i128, i128)) -> Tree {
    let suffix = match ty {
        Scalar::Int { bits: 32, signed: false } => "UL",
        Scalar::Bool | Scalar::Int { bits: ..=32, .. } => "L",
        _ => return Tree { kind: Kind::Number(value), ty, range },
    };
    let (text, level) = match value {
        // C has no negative constants, and the positive one would not fit.
        _ if value == i128::from(i32::MIN) => (format!("{}{suffix} - 1", value + 1), Level::Sum),
        _ => (format!("{value}{suffix}"), if value < 0 { Level::Unary } else { Level::Primary }),
    };
    let ty = if suffix == "L" { Scalar::INT } else { ty };
    Tree { kind: Kind::Atom(text, level), ty, range }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::int;

    #[track_caller]
    fn check(tree: Tree, expected: &str) {
        assert_eq!(tree.on(MachineModel::Lp32).text(), expected);
    }

    #[test]
    fn what_is_short_becomes_long() {
        let short = |name: &str| Tree::atom(name.into(), int(16, false));
        let long = || Tree::atom("n".into(), int(32, true));
        let sum = |a, b| Tree::binary(BinOp::Add, a, b, Scalar::INT, (0, 100_000));
        check(sum(short("x"), short("y")), "(long)x + (long)y");
        check(sum(long(), Tree::number(40_000)), "n + 40000L");
        check(Tree::number(i128::from(i32::MIN)), "-2147483647L - 1");
        check(Tree::truth(BinOp::Lt, short("x"), Tree::number(-1)), "(long)x < -1L");
        let less = || Tree::truth(BinOp::Lt, short("x"), long());
        check(sum(less(), long()), "(long)((long)x < n) + n");
        check(Tree::truth(BinOp::And, less(), long()), "(long)x < n && n");
        check(Tree::choice(long(), short("x"), Tree::number(3)), "n ? (long)x : 3L");
    }
}

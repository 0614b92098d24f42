//! The low bits of bit-vectors that are always the same: each term's follow from those of its children.

use super::{BinOp, Node, TermId, Terms, UnOp};
use crate::sort::Sort;

/// Most low bits that are looked at.
const MOST: u32 = 40;

/// A value equals `rest` modulo 2^`bits`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Congruence {
    /// How many low bits are known, at most 40 and the width.
    pub bits: u32,
    /// What they are.
    pub rest: u64,
}

impl Congruence {
    const NOTHING: Congruence = Congruence { bits: 0, rest: 0 };

    fn new(bits: u32, rest: u64) -> Self {
        let bits = bits.min(MOST);
        Self { bits, rest: rest & ones(bits) }
    }

    /// How many low bits are zero.
    pub fn zeros(self) -> u32 {
        self.rest.trailing_zeros().min(self.bits)
    }

    /// Whether no value is of both.
    pub fn excludes(self, other: Self) -> bool {
        (self.rest ^ other.rest) & ones(self.bits.min(other.bits)) != 0
    }
}

fn ones(bits: u32) -> u64 {
    (1 << bits) - 1
}

impl Terms {
    /// The low bits of a bit-vector, as far as its form tells.
    #[inline]
    pub fn congruence(&self, t: TermId) -> Congruence {
        self.congruences[t.index()]
    }

    /// The low bits of a node whose children have theirs.
    pub(super) fn congruence_of(&self, node: Node, sort: Sort) -> Congruence {
        let Sort::BitVec(width) = sort else { return Congruence::NOTHING };
        let found = match node {
            Node::Bv { value, .. } => Congruence::new(width, value as u64),
            Node::Un(op, x) if matches!(self.sort(x), Sort::BitVec(_)) => unary(op, self.congruence(x)),
            Node::Bin(BinOp::Concat, high, low) => match self.congruence(low) {
                all if all.bits == self.width(low) => {
                    let high = self.congruence(high);
                    Congruence::new(all.bits + high.bits, all.rest | high.rest << all.bits)
                }
                some => some,
            },
            Node::Bin(op, a, b) if matches!(self.sort(a), Sort::BitVec(_)) => {
                binary(op, self.congruence(a), self.congruence(b))
            }
            Node::Ite(_, a, b) => {
                let (a, b) = (self.congruence(a), self.congruence(b));
                Congruence::new(a.bits.min(b.bits).min((a.rest ^ b.rest).trailing_zeros()), a.rest)
            }
            _ => Congruence::NOTHING,
        };
        Congruence::new(found.bits.min(width), found.rest)
    }
}

fn unary(op: UnOp, x: Congruence) -> Congruence {
    match op {
        UnOp::ZeroExt(_) | UnOp::SignExt(_) => x,
        UnOp::Extract { lo, .. } if u32::from(lo) < x.bits => Congruence::new(x.bits - u32::from(lo), x.rest >> lo),
        UnOp::BvNot => Congruence::new(x.bits, !x.rest),
        UnOp::BvNeg => Congruence::new(x.bits, x.rest.wrapping_neg()),
        _ => Congruence::NOTHING,
    }
}

fn binary(op: BinOp, a: Congruence, b: Congruence) -> Congruence {
    let bits = a.bits.min(b.bits);
    match op {
        BinOp::BvAdd => Congruence::new(bits, a.rest.wrapping_add(b.rest)),
        BinOp::BvSub => Congruence::new(bits, a.rest.wrapping_sub(b.rest)),
        BinOp::BvMul => {
            let bits = (a.bits + b.zeros()).min(b.bits + a.zeros());
            Congruence::new(bits, a.rest.wrapping_mul(b.rest))
        }
        BinOp::BvAnd => match a.zeros().max(b.zeros()) {
            zeros if zeros > bits => Congruence::new(zeros, 0),
            _ => Congruence::new(bits, a.rest & b.rest),
        },
        BinOp::BvOr => Congruence::new(bits, a.rest | b.rest),
        BinOp::BvXor => Congruence::new(bits, a.rest ^ b.rest),
        BinOp::BvShl => Congruence::new(a.zeros(), 0),
        _ => Congruence::NOTHING,
    }
}

//! Implications between literals, for conjunctions and conditions.
//!
//! A comparison of a term with a constant, negated or not, says that the term is in a circular interval of bit-vectors.

use crate::term::{BinOp, Node, TermId, Terms, UnOp};
use crate::value::mask;

/// What is known of a formula when others hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// It holds.
    True,
    /// It doesn't hold.
    False,
    /// Nothing.
    Open,
}

/// `len` values from `start` on, modulo 2^width; never none and never all.
#[derive(Clone, Copy)]
struct Interval {
    term: TermId,
    start: u128,
    len: u128,
    mask: u128,
}

impl Interval {
    fn complement(self) -> Self {
        Self { start: self.start.wrapping_add(self.len) & self.mask, len: self.mask - self.len + 1, ..self }
    }

    fn within(self, other: Self) -> bool {
        let distance = self.start.wrapping_sub(other.start) & self.mask;
        distance.checked_add(self.len).is_some_and(|end| end <= other.len)
    }
}

/// Formulas that hold, with what is asked of them again and again.
pub(super) struct Facts(Vec<Fact>);

struct Fact {
    formula: TermId,
    negated: Option<TermId>,
    interval: Option<Interval>,
}

/// A bounded number of formulas whose conjunction is some formula.
#[derive(Clone, Copy)]
pub(super) struct Conjuncts {
    items: [TermId; Self::MAX],
    len: usize,
}

impl Conjuncts {
    const MAX: usize = 16;
}

impl std::ops::Deref for Conjuncts {
    type Target = [TermId];
    fn deref(&self) -> &[TermId] {
        &self.items[..self.len]
    }
}

impl Terms {
    /// The argument of a negation.
    #[inline]
    pub(super) fn negated(&self, t: TermId) -> Option<TermId> {
        match self.node(t) {
            Node::Un(UnOp::Not, inner) => Some(inner),
            _ => None,
        }
    }

    /// Whether one formula is the negation of the other.
    #[inline]
    pub(super) fn complementary(&self, a: TermId, b: TermId) -> bool {
        self.negated(a) == Some(b) || self.negated(b) == Some(a)
    }

    /// Conjuncts of `t`; those that are too many stay together.
    pub(super) fn conjuncts(&self, t: TermId) -> Conjuncts {
        let mut list = Conjuncts { items: [t; Conjuncts::MAX], len: 1 };
        let mut i = 0;
        while i < list.len {
            match self.node(list.items[i]) {
                Node::Bin(BinOp::And, a, b) if list.len < Conjuncts::MAX => {
                    list.items[i] = a;
                    list.items[list.len] = b;
                    list.len += 1;
                }
                _ => i += 1,
            }
        }
        list
    }

    /// Formulas that hold, to ask what they say about others.
    pub(super) fn facts(&self, formulas: &[TermId]) -> Facts {
        let fact =
            |&formula: &TermId| Fact { formula, negated: self.negated(formula), interval: self.interval(formula) };
        Facts(formulas.iter().map(fact).collect())
    }

    /// What `facts` together say about `q`, as far as one of them does alone.
    pub(super) fn known(&self, facts: &Facts, q: TermId) -> Known {
        let (negated, interval) = (self.negated(q), self.interval(q));
        for p in &facts.0 {
            if p.formula == q {
                return Known::True;
            }
            if p.negated == Some(q) || negated == Some(p.formula) {
                return Known::False;
            }
            if let (Some(p), Some(q)) = (p.interval, interval)
                && p.term == q.term
            {
                if p.within(q) {
                    return Known::True;
                }
                if p.within(q.complement()) {
                    return Known::False;
                }
            }
        }
        Known::Open
    }

    fn interval(&self, t: TermId) -> Option<Interval> {
        let (atom, negative) = match self.node(t) {
            Node::Un(UnOp::Not, inner) => (self.node(inner), true),
            node => (node, false),
        };
        let Node::Bin(op, term, constant) = atom else { return None };
        let Node::Bv { width, value } = self.node(constant) else { return None };
        let mask = mask(width);
        let (start, len) = match op {
            BinOp::Eq => (value, 1),
            BinOp::BvUlt => (0, value),
            BinOp::BvSlt => {
                let least = 1 << (width - 1);
                (least, value.wrapping_sub(least) & mask)
            }
            _ => return None,
        };
        if len == 0 || (op == BinOp::Eq && mask == 0) {
            return None;
        }
        let interval = Interval { term, start, len, mask };
        Some(if negative { interval.complement() } else { interval })
    }
}

//! Decides which comparisons can hold together: of a place with constants, and of the same two terms.

use crate::graph::{FactPlace, FormulaPlace, ProofGraph};
use ctext::term::{Leaf, LeafType};
use smt::{BinOp, Node, Sort, TermId};
use std::cmp::Ordering;

/// The known value of a place.
#[derive(Clone)]
pub(super) struct Known {
    pub place: FactPlace,
    pub leaf: Leaf,
    pub value: i128,
}

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Subject {
    Place(FactPlace),
    Term(TermId),
}

/// With what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Other {
    Constant(u128),
    Term(TermId),
}

/// How.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Relation {
    /// Which outcomes of comparing fit: less, equal, greater.
    fits: [bool; 3],
    signed: bool,
}

/// A comparison of two bit-vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Comparison {
    subject: Subject,
    other: Other,
    relation: Relation,
    width: u32,
}

impl Comparison {
    /// That a place has a value.
    pub fn value(known: &Known) -> Option<Self> {
        let LeafType::Int { bits: width @ 1..=64, .. } = known.leaf.ty else { return None };
        let value = known.value as u128 & mask(width);
        let relation = Relation { fits: [false, true, false], signed: false };
        Some(Self { subject: Subject::Place(known.place), other: Other::Constant(value), relation, width })
    }

    /// What a formula compares.
    pub fn of(graph: &ProofGraph, formula: TermId) -> Option<Self> {
        let terms = &graph.formulas.terms;
        let Node::Bin(op, a, b) = terms.node(formula) else { return None };
        let Sort::BitVec(width) = terms.sort(a) else { return None };
        let (mut fits, signed) = match op {
            BinOp::Eq => ([false, true, false], false),
            BinOp::BvUlt => ([true, false, false], false),
            BinOp::BvUle => ([true, true, false], false),
            BinOp::BvSlt => ([true, false, false], true),
            BinOp::BvSle => ([true, true, false], true),
            _ => return None,
        };
        let subject = |t: TermId| match graph.formulas.place(t) {
            Some(FormulaPlace::Holds(place)) => Subject::Place(place),
            _ => Subject::Term(t),
        };
        let (subject, other) = match (terms.as_bv_const(a), terms.as_bv_const(b)) {
            (Some(n), None) => {
                fits.reverse();
                (subject(b), Other::Constant(n))
            }
            (None, Some(n)) => (subject(a), Other::Constant(n)),
            // The older term first, so that comparisons of the same two meet.
            _ if a <= b => (subject(a), Other::Term(b)),
            _ => {
                fits.reverse();
                (subject(b), Other::Term(a))
            }
        };
        (width <= 64).then_some(Self { subject, other, relation: Relation { fits, signed }, width })
    }
}

impl Comparison {
    /// Which outcomes fit the comparison, or its negation: less, equal, greater.
    pub fn fits(&self, holds: bool) -> [bool; 3] {
        self.relation.fits.map(|fits| fits == holds)
    }

    /// Whether another one compares the same two.
    pub fn is_about_the_same(&self, other: &Self) -> bool {
        self.subject == other.subject && self.other == other.other && self.width == other.width
    }
}

fn mask(width: u32) -> u128 {
    (1 << width) - 1
}

fn compare(relation: Relation, width: u32, a: u128, b: u128) -> bool {
    let sign = 1u128 << (width - 1);
    let order = if relation.signed { (a ^ sign).cmp(&(b ^ sign)) } else { a.cmp(&b) };
    relation.fits[order_index(order)]
}

fn order_index(order: Ordering) -> usize {
    match order {
        Ordering::Less => 0,
        Ordering::Equal => 1,
        Ordering::Greater => 2,
    }
}

/// Whether the comparisons with a set bit in `point` can hold while the others do not. `true` if that is not clear.
pub(super) fn is_possible(comparisons: &[Option<Comparison>], point: u32) -> bool {
    let holds = |i: usize| point >> i & 1 == 1;
    comparisons.iter().all(|comparison| {
        let Some(first) = comparison else { return true };
        let same = |c: &Comparison| c.subject == first.subject && c.width == first.width;
        let group: Vec<(usize, Comparison)> =
            comparisons.iter().enumerate().filter_map(|(j, c)| c.filter(same).map(|c| (j, c))).collect();
        match first.other {
            // Between neighbouring constants nothing changes, so these values stand for all.
            Other::Constant(_) => {
                let with: Vec<(usize, Comparison, u128)> = group
                    .into_iter()
                    .filter_map(|(j, c)| match c.other {
                        Other::Constant(n) => Some((j, c, n)),
                        Other::Term(_) => None,
                    })
                    .collect();
                let (width, sign) = (first.width, 1u128 << (first.width - 1));
                let mut values = vec![0, sign, sign - 1, mask(width)];
                for (_, _, n) in &with {
                    values.extend([n.wrapping_sub(1) & mask(width), *n, (n + 1) & mask(width)]);
                }
                values
                    .iter()
                    .any(|value| with.iter().all(|(j, c, n)| compare(c.relation, width, *value, *n) == holds(*j)))
            }
            Other::Term(_) => {
                let with: Vec<(usize, Comparison)> =
                    group.into_iter().filter(|(_, c)| c.other == first.other).collect();
                // Equal, or less or greater in each of the two orders.
                let outcomes = [(1, 1), (0, 0), (0, 2), (2, 0), (2, 2)];
                outcomes.iter().any(|(signed, unsigned)| {
                    with.iter().all(|(j, c)| {
                        let outcome = if c.relation.signed { *signed } else { *unsigned };
                        c.relation.fits[outcome] == holds(*j)
                    })
                })
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;

    fn with(other: Other, fits: [bool; 3], signed: bool) -> Option<Comparison> {
        let subject = Subject::Place(FactPlace::Global(Id::from_index(0)));
        Some(Comparison { subject, other, relation: Relation { fits, signed }, width: 8 })
    }

    const LESS: [bool; 3] = [true, false, false];
    const EQUAL: [bool; 3] = [false, true, false];

    #[test]
    fn constants() {
        let list = [
            with(Other::Constant(3), EQUAL, false),
            with(Other::Constant(250), EQUAL, false),
            with(Other::Constant(4), LESS, false),
            with(Other::Constant(0), LESS, true),
            None,
        ];
        for point in 0..32 {
            let found = (0..256).any(|x: u128| {
                let truth = [x == 3, x == 250, x < 4, x >= 128];
                truth.iter().enumerate().all(|(i, t)| *t == (point >> i & 1 == 1))
            });
            assert_eq!(is_possible(&list, point), found, "{point:05b}");
        }
    }

    #[test]
    fn two_terms() {
        let other = Other::Term(TermId::from_index(7));
        let list = [with(other, EQUAL, false), with(other, LESS, true), with(other, LESS, false)];
        let possible: Vec<u32> = (0..8).filter(|point| is_possible(&list, *point)).collect();
        assert_eq!(possible, [0b000, 0b001, 0b010, 0b100, 0b110]);
    }
}

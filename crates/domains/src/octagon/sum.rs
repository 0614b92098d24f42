//! Sums of registers, each added or subtracted, and of a number between two bounds [mine06].

use super::dbm::Sign;
use crate::numerical::number::is_tracked;
use crate::numerical::{Cell, Num};
use cfa::Scalar;
use std::ops::Neg;

/// A register that is added or subtracted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term {
    /// The register.
    pub cell: Cell,
    /// Its sign.
    pub sign: Sign,
}

impl Neg for Term {
    type Output = Term;

    fn neg(self) -> Term {
        Term { sign: -self.sign, ..self }
    }
}

/// The sum of terms and of some number between `lo` and `hi`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum {
    /// Terms: two at most, but for differences of sums.
    pub terms: Vec<Term>,
    /// The least number that is added.
    pub lo: i128,
    /// The greatest.
    pub hi: i128,
}

/// Whether registers of this type are related.
pub fn is_related(ty: Scalar) -> bool {
    is_tracked(ty) && ty != Scalar::Bool
}

impl Neg for Sum {
    type Output = Sum;

    fn neg(self) -> Sum {
        Sum { terms: self.terms.into_iter().map(|term| -term).collect(), lo: -self.hi, hi: -self.lo }
    }
}

impl From<Num> for Sum {
    fn from(Num { lo, hi, .. }: Num) -> Self {
        Sum { terms: Vec::new(), lo, hi }
    }
}

impl Sum {
    /// A register.
    pub fn of_cell(cell: Cell) -> Self {
        Sum { terms: vec![Term { cell, sign: Sign::Plus }], lo: 0, hi: 0 }
    }

    /// Both added; what is added and subtracted cancels out.
    pub fn plus(mut self, other: Sum) -> Sum {
        for term in other.terms {
            match self.terms.iter().position(|t| *t == -term) {
                Some(at) => drop(self.terms.remove(at)),
                None => self.terms.push(term),
            }
        }
        Sum { terms: self.terms, lo: self.lo + other.lo, hi: self.hi + other.hi }
    }
}

//! Sums of registers, each added or subtracted, and of a number between two bounds [mine06], and halves of them.

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

/// The sum of terms and of some number between `lo` and `hi`, divided by `divisor`: an integer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum {
    /// Terms: two at most for each part, but for differences of sums.
    pub terms: Vec<Term>,
    /// The least number that is added.
    pub lo: i128,
    /// The greatest.
    pub hi: i128,
    /// 1, or 2 if all this is halved.
    pub divisor: i128,
}

/// Whether registers of this type are related.
pub fn is_related(ty: Scalar) -> bool {
    is_tracked(ty) && ty != Scalar::Bool
}

impl Neg for Sum {
    type Output = Sum;

    fn neg(self) -> Sum {
        let terms = self.terms.into_iter().map(|term| -term).collect();
        Sum { terms, lo: -self.hi, hi: -self.lo, divisor: self.divisor }
    }
}

impl From<Num> for Sum {
    fn from(Num { lo, hi, .. }: Num) -> Self {
        Sum { terms: Vec::new(), lo, hi, divisor: 1 }
    }
}

impl Sum {
    /// A register.
    pub fn of_cell(cell: Cell) -> Self {
        Sum { terms: vec![Term { cell, sign: Sign::Plus }], lo: 0, hi: 0, divisor: 1 }
    }

    /// Both added; what is added and subtracted cancels out.
    pub fn plus(self, other: Sum) -> Sum {
        let divisor = self.divisor.max(other.divisor);
        let (mut sum, other) = (self.divided_by(divisor), other.divided_by(divisor));
        for term in other.terms {
            match sum.terms.iter().position(|t| *t == -term) {
                Some(at) => drop(sum.terms.remove(at)),
                None => sum.terms.push(term),
            }
        }
        Sum { lo: sum.lo + other.lo, hi: sum.hi + other.hi, ..sum }
    }

    /// Half of it, where up to this much less and more is there before it is halved: what rounding takes away and adds.
    pub fn halved(self, (less, more): (i128, i128)) -> Option<Sum> {
        (self.divisor == 1).then(|| Sum { lo: self.lo - less, hi: self.hi + more, divisor: 2, ..self })
    }

    /// The same number with another divisor, a multiple of its own.
    fn divided_by(self, divisor: i128) -> Sum {
        let by = divisor / self.divisor;
        let terms = self.terms.into_iter().flat_map(|term| (0..by).map(move |_| term)).collect();
        Sum { terms, lo: by * self.lo, hi: by * self.hi, divisor }
    }
}

//! Theories that terms use, and the logics that have them.

use smt::Sort;

/// Theories that terms use, besides Bools and bit-vectors.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Theories {
    pub(crate) arrays: bool,
    pub(crate) floats: bool,
    pub(crate) ints: bool,
}

impl Theories {
    pub(super) fn add(&mut self, sort: Sort) {
        match sort {
            Sort::Bool | Sort::BitVec(_) => {}
            Sort::Float(_) => self.floats = true,
            Sort::Int => self.ints = true,
            Sort::Array { elem, .. } => {
                self.arrays = true;
                self.add(elem.into());
            }
        }
    }

    /// Whether there are none but Bools and bit-vectors.
    pub(crate) fn are_bits(self) -> bool {
        self == Self::default()
    }

    /// The name of the logic; `None` if there is none for the combination.
    pub(crate) fn logic(self) -> Option<&'static str> {
        match self {
            Theories { arrays: false, floats: false, ints: false } => Some("QF_BV"),
            Theories { arrays: true, floats: false, ints: false } => Some("QF_AUFBV"),
            Theories { arrays: false, floats: true, ints: false } => Some("QF_FPBV"),
            Theories { arrays: false, floats: false, ints: true } => None,
            _ => None,
        }
    }
}

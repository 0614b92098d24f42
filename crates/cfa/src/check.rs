//! Kinds of checks that lowering makes explicit, besides assertions.
//!
//! In front of an operation that a kind speaks of stands a branch; where its condition holds, the run enters a location with the kind's
//! label, and ends. A property forbids these labels as it forbids those of the source, which have no `-`.

use crate::op::Undefined;
use std::fmt;

/// A kind of checks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Check {
    /// The result of `+`, `-`, `*`, `/`, `%`, `++` or `--` on signed integers fits its type.
    Overflow,
    /// No integer is divided by zero.
    Division,
    /// Integers are shifted by less than their width, and not by a negative amount.
    Shift,
}

impl Check {
    /// All kinds.
    pub const ALL: [Check; 3] = [Check::Overflow, Check::Division, Check::Shift];

    /// The name of the property, which is the label of where a run breaks it.
    pub const fn property(self) -> &'static str {
        match self {
            Check::Overflow => "no-overflow",
            Check::Division => "no-division-by-zero",
            Check::Shift => "no-invalid-shift",
        }
    }

    /// What happens where a run breaks it.
    pub const fn fault(self) -> &'static str {
        match self {
            Check::Overflow => "a signed operation overflows",
            Check::Division => "an integer is divided by zero",
            Check::Shift => "a shift is out of range",
        }
    }

    /// What holds where no run breaks it.
    pub const fn promise(self) -> &'static str {
        match self {
            Check::Overflow => "no signed operation overflows",
            Check::Division => "no integer is divided by zero",
            Check::Shift => "no shift is out of range",
        }
    }

    /// The kind of a label.
    pub fn of_label(label: &str) -> Option<Check> {
        Self::ALL.into_iter().find(|check| check.property() == label)
    }

    /// The kind that speaks of this undefined behaviour.
    pub fn of_undefined(undefined: Undefined) -> Option<Check> {
        match undefined {
            Undefined::DivisionByZero => Some(Check::Division),
            Undefined::ShiftOutOfRange => Some(Check::Shift),
            _ => None,
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.property())
    }
}

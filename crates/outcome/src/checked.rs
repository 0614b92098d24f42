//! What became of each check: the places of a program at which a run may break the property.

use crate::counterexample::Counterexample;
use crate::property::Property;
use crate::stop_reason::StopReason;
use base::{Name, Place};

/// A check with what became of it.
///
/// A run ends at the first check that it breaks: a failed assertion ends the program, and undefined behaviour has no continuation.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckResult {
    /// What would be violated.
    pub property: Property,
    /// Where; `None` if no text of the user's has it.
    pub place: Option<Place>,
    /// The function that it is in.
    pub function: Name,
    /// What is checked, in C: an asserted expression, an access, an operation.
    pub text: String,
    /// What became of it.
    pub status: Status,
}

/// What became of a check.
#[derive(Clone, PartialEq, Debug)]
pub enum Status {
    /// No run breaks it.
    Proved,
    /// No run gets there.
    Unreachable,
    /// This run breaks it.
    Violated(Box<Counterexample>),
    /// Neither was shown, and why.
    Unknown(StopReason),
    /// It was not decided, because the run of the analysis ended at the violation of another one.
    Open,
}

impl Status {
    /// In one word, as reports write it.
    pub const fn word(&self) -> &'static str {
        match self {
            Status::Proved => "proved",
            Status::Unreachable => "unreachable",
            Status::Violated(_) => "violated",
            Status::Unknown(_) => "unknown",
            Status::Open => "open",
        }
    }

    /// Whether no run breaks it.
    pub const fn holds(&self) -> bool {
        matches!(self, Status::Proved | Status::Unreachable)
    }
}

/// How many checks of a kind, or of all kinds, became what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// No run breaks so many.
    pub proved: usize,
    /// No run gets to so many.
    pub unreachable: usize,
    /// Runs break so many.
    pub violated: usize,
    /// So many were tried in vain.
    pub unknown: usize,
    /// So many were not looked at to the end.
    pub open: usize,
}

impl Tally {
    /// Counts checks.
    pub fn of<'a>(checks: impl IntoIterator<Item = &'a CheckResult>) -> Self {
        let mut tally = Self::default();
        for check in checks {
            *match check.status {
                Status::Proved => &mut tally.proved,
                Status::Unreachable => &mut tally.unreachable,
                Status::Violated(_) => &mut tally.violated,
                Status::Unknown(_) => &mut tally.unknown,
                Status::Open => &mut tally.open,
            } += 1;
        }
        tally
    }

    /// All of them.
    pub const fn total(&self) -> usize {
        self.proved + self.unreachable + self.violated + self.unknown + self.open
    }

    /// The numbers with their words, in the order of reports.
    pub const fn parts(&self) -> [(usize, &'static str); 5] {
        [
            (self.proved, "proved"),
            (self.violated, "violated"),
            (self.unknown, "unknown"),
            (self.unreachable, "unreachable"),
            (self.open, "open"),
        ]
    }
}

/// The kinds of some checks, in the order of [`cfa::Check::ALL`] behind assertions, with how many became what.
pub fn by_kind(checks: &[CheckResult]) -> Vec<(Property, Tally)> {
    let kinds = Property::all();
    let of = |kind: Property| (kind, Tally::of(checks.iter().filter(|check| check.property == kind)));
    kinds.map(of).filter(|(_, tally)| tally.total() > 0).collect()
}

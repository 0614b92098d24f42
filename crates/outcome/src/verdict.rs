//! Verdicts and the evidence that comes with them.

use crate::counterexample::Counterexample;
use crate::property::Property;
use crate::stop_reason::StopReason;
use std::fmt;

/// Why a proof says nothing about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vacuity {
    /// It has no place where a check could fail.
    NothingChecked,
    /// No run gets to an assertion, an error function or an error label, of which it has some.
    NoAssertion,
    /// No run gets to such a place, for instance because what it assumes contradicts itself.
    NoRun,
}

impl Vacuity {
    /// In words that follow `proved, but`.
    pub const fn words(self) -> &'static str {
        match self {
            Vacuity::NothingChecked => "nothing was checked: the program has no place where a check could fail",
            Vacuity::NoAssertion => {
                "no run gets to an assertion: its code is never run, or what is assumed contradicts itself"
            }
            Vacuity::NoRun => "no run gets to a check: its code is never run, or what is assumed contradicts itself",
        }
    }
}

/// The answer; `Display` is what stands after `verdict: `.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No run violates the property.
    True,
    /// A replayed run violates it.
    False(Property),
    /// Neither was shown.
    Unknown(StopReason),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True => f.write_str("true"),
            Verdict::False(property) => write!(f, "false({property})"),
            Verdict::Unknown(reason) => write!(f, "unknown ({reason})"),
        }
    }
}

/// What runs do beyond a bound that covers all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// There are none.
    Nothing,
    /// They come back to a state at the head of a loop, and a shorter run does whatever follows.
    Recurrence,
}

/// What a checker needs to see that the verdict is right.
#[derive(Clone, PartialEq, Debug)]
pub enum Evidence {
    /// Nothing (for `unknown`).
    None,
    /// All runs were covered: with every loop and recursion unwound this often, none violates the property, and what lies beyond can't.
    UnwindingComplete {
        /// Largest number of iterations of a loop, or frames of a recursive function, that was followed.
        bound: u32,
        /// How often each was unwound where constants don't decide whether it goes on.
        unwind: u32,
        /// What lies beyond.
        beyond: Beyond,
    },
    /// No run violates the property within so many steps from one head of a loop to the next, nor any that begins at one where the
    /// invariants of the outcome hold and makes so many steps.
    Induction {
        /// Number of steps.
        depth: u32,
    },
    /// A complete abstract reachability graph without targets.
    Abstraction {
        /// Number of its nodes.
        nodes: u64,
    },
    /// A run that violates the property.
    Counterexample(Box<Counterexample>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(verdict: Verdict, expected: &str) {
        assert_eq!(verdict.to_string(), expected);
    }

    #[test]
    fn verdict_lines() {
        check(Verdict::True, "true");
        check(Verdict::False(Property::UnreachCall), "false(unreach-call)");
        check(Verdict::Unknown(StopReason::Timeout { limit: None }), "unknown (timeout)");
        let place = base::Place { file: "foo.c".into(), line: 12, column: 3 };
        let reason = StopReason::Unsupported {
            construct: "inline assembler with jumps".into(),
            detail: String::new(),
            place: Some(place),
        };
        check(Verdict::Unknown(reason), "unknown (unsupported: inline assembler with jumps, foo.c:12:3)");
        check(Verdict::Unknown(StopReason::BoundReached { unwind: 8 }), "unknown (unwinding bound 8 reached)");
    }
}

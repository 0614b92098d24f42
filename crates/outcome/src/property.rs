//! What is checked.

use cfa::Check;
use std::fmt;

/// What is checked, by the name that SV-COMP gives to its violation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// An error function is never called and an error label never reached.
    UnreachCall,
    /// No operation breaks a check of this kind.
    Check(Check),
}

impl Property {
    /// All of them, assertions first.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Property::UnreachCall).chain(Check::ALL.into_iter().map(Property::Check))
    }

    /// What the command line calls checks of this kind.
    pub const fn kind(self) -> &'static str {
        match self {
            Property::UnreachCall => "assertions",
            Property::Check(check) => check.words().option,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::Check(check) => check.property(),
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

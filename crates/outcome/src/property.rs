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

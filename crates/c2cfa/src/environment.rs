//! What a program is taken to run among: hardware, interrupts, functions without a body, and callers of its entry function.

use base::Name;
use std::ops::RangeInclusive;

/// What surrounds a program. The default is what C says and no more.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Environment {
    /// Whether each read of a volatile object gives any value.
    pub volatile_inputs: bool,
    /// Addresses of registers of hardware, in bytes: reads give any value, writes have no effect on the program.
    pub hardware: Vec<RangeInclusive<u64>>,
    /// Functions that may run before any operation of the program.
    pub interrupts: Vec<Name>,
    /// Most runs of interrupt handlers in a run of the program; any number if `None`.
    pub most_interrupts: Option<u32>,
    /// Whether functions without a body may write to what their pointer arguments lead to.
    pub havoc_arguments: bool,
    /// Functions and those that are called instead.
    pub replaced: Vec<(Name, Name)>,
    /// Whether functions without a body return values of their enumerations only.
    pub declared_enums: bool,
    /// What pointers among the arguments of the entry function lead to.
    pub arguments: Arguments,
}

impl Environment {
    /// Whether types of objects have to keep their qualifiers.
    pub fn needs_qualifiers(&self) -> bool {
        self.volatile_inputs || self.havoc_arguments
    }
}

/// What pointers among the arguments of the entry function lead to: null, or objects that are made for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// Most elements of an object; 0 if pointers lead anywhere outside of the program.
    pub max_elements: u32,
    /// Levels of objects: 1 for those that arguments lead to, 2 for those that these lead to, and so on.
    pub max_depth: u32,
    /// Whether arrays of characters end with a zero.
    pub terminated: bool,
    /// Whether two arguments of one type may lead to the same object.
    pub shared: bool,
}

impl Default for Arguments {
    fn default() -> Self {
        Self { max_elements: 8, max_depth: 2, terminated: false, shared: false }
    }
}

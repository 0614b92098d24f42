//! What attributes say of functions.

/// When the C runtime calls a function by itself, with the priority of each call (attributes `constructor` and `destructor`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Startup {
    /// Lower numbers come first.
    pub before_main: Option<u32>,
    /// After `main` and in `exit`; higher numbers come first.
    pub after_main: Option<u32>,
}

/// The parameters that attributes declare not to be null.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NonNull {
    /// All of them that are pointers.
    pub all: bool,
    /// These, by their numbers, the first of which is 1.
    pub some: Vec<i128>,
}

impl NonNull {
    /// Adds what another declaration says.
    pub fn extend(&mut self, other: &NonNull) {
        self.all |= other.all;
        self.some.extend(&other.some);
    }

    /// Whether it holds for the parameter with an index from 0 on, if that is a pointer.
    pub fn contains(&self, index: usize) -> bool {
        self.all || self.some.contains(&(index as i128 + 1))
    }
}

//! Loop invariants and contracts of recursive functions, in the user's words.

use base::{Name, Place};

/// An invariant of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Where the loop begins.
    pub place: Place,
    /// The function with the loop.
    pub function: Name,
    /// A C expression over the function's variables that is true there; `None` if nothing of it can be written in C.
    pub text: Option<String>,
    /// How much of what the proof knows there the expression says.
    pub extent: Extent,
}

/// What a proof says of all calls of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// Where the function is defined.
    pub place: Place,
    /// The function.
    pub function: Name,
    /// A C expression over parameters and global variables that is true whenever the function is entered; `None` if it says nothing.
    pub requires: Option<String>,
    /// One that is true whenever the function returns: `\\result` is what it returns, `\\at(x, Pre)` what `x` held when it was
    /// entered. `None` if it says nothing.
    pub ensures: Option<String>,
    /// How much of what the proof knows the expressions say.
    pub extent: Extent,
}

/// See [`Invariant::extent`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All of it.
    Whole,
    /// A part: the rest can't be written in C, or would be too long.
    Part,
}

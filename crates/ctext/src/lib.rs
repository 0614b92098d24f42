//! Writes expressions as C text, with exactly their values and no cast, suffix or bracket that C would not need.
//!
//! * [`syntax`]: C expressions as trees with C's types, and the only printer.
//! * [`expr`]: expressions of automata as such trees. Here it is decided where a conversion has to be written.
//! * [`term`]: terms as expressions of automata over the names of a program.
//!
//! Bracketed is also what `gcc -Wparentheses` asks for, `(a && b) || c` for example, since text that compilers warn about reads badly.

pub mod expr;
mod short_int;
pub mod syntax;
pub mod term;

pub use expr::{Overflow, Writer};

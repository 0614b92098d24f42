//! What is known of functions of C's library, of compilers, and of verification tasks: which have a body in C, what the others do.
//!
//! Invariant: nothing here looks at a program but for the names in it.

pub mod known;
pub mod libc;
pub mod library;
pub mod readers;

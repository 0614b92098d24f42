//! Memory as objects with disjoint address ranges.
//!
//! Every object has a constant base address, so most addresses fold to constants and most accesses to one cell. [`object`] is the
//! table of objects, [`contents`] what one object holds; what reads and writes them is in `access`.

pub mod contents;
pub mod object;

//! Memory as objects with disjoint address ranges.
//!
//! Every object has a constant base address, so most addresses fold to constants and most accesses to one cell. [`object`] is the
//! table of objects, [`contents`] what one object holds, [`resolve`] finds the objects that an address can mean, [`access`] reads
//! and writes scalars ([`scalar`]: those of variables), [`bulk`] copies, sets and initialises ranges, [`repeat`] carries out
//! iterations of accelerated paths.

pub mod object;

pub mod contents;

pub mod resolve;

pub mod access;

pub mod scalar;

pub mod bulk;

pub mod repeat;

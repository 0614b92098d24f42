//! The abstract domains, one folder or file each, and [`composite`]: the product that the analyses use.
//!
//! Invariant: domains know operations, the operators of `analysis` and the traits of `smt`, but no algorithm and no backend.

pub mod composite;
pub mod interval;
pub mod numerical;
pub mod octagon;
pub mod predicate;
pub mod strategy;
pub mod value;
pub mod value_predicate;

#[cfg(test)]
mod testing;

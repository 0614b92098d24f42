//! Verification algorithms: each takes a program, an observer and a budget, and ends with an [`outcome::Outcome`].
//!
//! Invariant: no algorithm knows a solver backend (it gets a constructor), and none prints.

pub mod accelerate;
pub mod bam;
pub mod bmc;
pub mod cegar;
pub mod interval;
pub mod kinduction;
pub mod evidence;
pub mod explain;
pub mod path_check;
pub mod proof;
pub mod impact;
pub mod predicate;
pub mod query;
pub mod remainder;
pub mod reselect;
pub mod unmodelled;
pub mod vacuity;
pub mod value;
pub mod value_predicate;

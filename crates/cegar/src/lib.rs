//! Counterexample-guided abstraction refinement: the loop, and the analyses that it refines.
//!
//! Invariant: no algorithm knows a solver backend (it gets a constructor), and none prints.

pub mod bam;
pub mod conclusion;
pub mod impact;
pub mod predicate;
pub mod refinement_loop;
pub mod reselect;
pub mod stack_abstraction;
pub mod value;
pub mod value_predicate;

//! The kernel: what a step of a program does to a run, written once.
//!
//! A [`Domain`] says what operations, calls and returns do to its states. [`Kernel::step`] owns the rest: which edges leave a
//! location, the condition that branches share, the call stack, the observer of the property, and what becomes of runs that meet
//! undefined behaviour. Two walks are made of steps: [`depth_first`] follows each run on its own, [`in_order`] joins those that meet.

pub mod automaton;
pub mod callstack;
pub mod depth_first;
pub mod in_order;
pub mod kernel;
pub mod location;

pub use automaton::Automaton;
pub use callstack::{Callstacks, Frame, StackId};
pub use depth_first::{DepthFirst, Leaf, Trail, depth_first};
pub use in_order::{InOrder, in_order};
pub use kernel::{At, Condition, Domain, End, Kernel, Moved, Outcome, Via};
pub use location::{Blocks, Locations, Point};

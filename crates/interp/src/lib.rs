//! The concrete interpreter: carries out a program over its CFA, to the bit.
//!
//! It serves three users: running a program, replaying a counterexample (the last word on whether `false` may be printed), and
//! tests that compare abstract transfers with what really happens. Undefined behaviour ends a run, nothing is guessed: whatever
//! the semantics leaves open comes from [`Inputs`].
//!
//! Modules, in reading order: [`machine`] is the state of a run, `run` takes its steps, on the compact code of `code`/`compile`,
//! evaluated by `eval`, over the objects of [`memory`]; `library_calls` carries out C's output functions; [`describe`] says what
//! values and addresses are in the user's words.

pub mod describe;
pub mod inputs;
pub mod library;
pub mod machine;
pub mod memory;
pub mod observe;
pub mod outcome;

mod code;
mod compile;
mod eval;
mod library_calls;
mod numeric;
mod ops;
mod printf;
mod run;
mod validity;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod view;

pub use inputs::{Failures, Habits, Inputs, ListInputs, RandomInputs, Request, Scripted, Source};
pub use library::Library;
pub use machine::{Config, Interpreter, OutsideRead};
pub use memory::{ObjectInfo, ObjectKind};
pub use observe::{Effect, Observe, Step};
pub use outcome::{Outcome, Run};
pub use run::{Env, run};
pub use validity::Life;

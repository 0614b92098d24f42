//! From operations of control-flow automata to terms: expressions, path guards, memory and merged symbolic states.
//!
//! An [`Encoder`] holds what all states of one exploration share: terms, guards, memory objects and the log of what was left
//! open. A [`State`] is one symbolic state: its guard, registers and memory, all persistent, so that states fork for free and
//! [`Encoder::join`] costs what they differ in.
//!
//! Invariant: nothing here decides which path to take or asks a solver.

pub mod pmap;

pub mod guard;

pub mod state;

pub mod encoder;

pub mod canon;

pub mod memory;

mod nearest;

mod access;
mod bits;
mod expr;
mod generic;
mod op;
mod repeats;

pub use encoder::{Dead, Encoder, Ending, EndingKind, LogEntry, Logged};
pub use guard::{GuardId, Guards};
pub use memory::object::{LayoutId, ObjId, Object, ObjectKind, Objects};
pub use nearest::join_states;
pub use pmap::PMap;
pub use state::{FrameSlots, Slots, State, live, live_or_size};

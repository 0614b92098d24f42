//! Configurable program analysis [beyer08]: the operators as a trait, and what all analyses share.
//!
//! A [`Cpa`] says what abstract states, successors and coverage are; [`Reachability`] explores the program with it and keeps
//! the abstract reachability graph ([`Arg`]).
//!
//! Invariant: nothing here names a domain or a solver.

pub mod arg;
pub mod cpa;
pub mod reachability;
pub mod reached;
pub mod reducer;
pub mod store;
pub mod targets;
pub mod waitlist;

pub use arg::{Arg, Node, NodeId, Status};
pub use cpa::{AnalysisError, Cpa, Merged, Rank, Successor, Target};
pub use reachability::Reachability;
pub use reducer::{PathStyle, Recalling, Reducer, Successors};
pub use store::Store;
pub use targets::edges_to_targets;
pub use waitlist::Order;

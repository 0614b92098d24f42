//! Verification witnesses: evidence for an answer in a form that other tools read.
//!
//! [`violation`] and [`correctness`] make the content of a witness from an outcome; [`yaml`] and [`graphml`] write it, [`yaml`]
//! reads it. [`weave`] puts a witness into the syntax tree of its program, so that the program's own analyses can check
//! it. [`sites`] relates positions of a file to the nodes of the tree.
//!
//! Source: the formats 1.0 [beyer22witnesses] and 2.x [ayaziova24] of SV-COMP.

pub mod contract;
pub mod correctness;
pub mod graphml;
pub mod hash;
pub mod model;
pub mod sites;
pub mod violation;
pub mod weave;
pub mod yaml;

pub use model::{Claims, Content, Contract, Info, Invariant, InvariantKind, Position, Segment, Waypoint, WaypointKind};
pub use sites::Sites;

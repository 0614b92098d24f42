//! Graphs against runs: each state of a run is one of a graph where the exploration has some, and graphs obey their laws.
//!
//! What a graph stands for is said by [`contains`], which does not use the comparison of graphs.

mod by_hand;
mod contains;
mod explore;
mod laws;
mod programs;
mod runs;
mod state;

//! Settings of lazy abstraction with interpolants: how they are written, and what they mean.

use crate::config::{Order, order};
use crate::predicate::{Blocks, Engine, all_engines, make_engines};
use cegar::impact;
use refine::formula::SequenceEngine;
use serde::Deserialize;

/// Settings of lazy abstraction with interpolants.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Impact {
    /// Where blocks end.
    #[serde(default)]
    pub blocks: Blocks,
    /// Order of exploration.
    #[serde(default = "depth_first")]
    pub order: Order,
    /// How many older vertices are tried to cover a vertex by force.
    #[serde(default = "two")]
    pub forced_attempts: usize,
    /// What refutes error paths, in the order in which it is asked.
    #[serde(default = "all_engines")]
    pub engines: Vec<Engine>,
}

fn depth_first() -> Order {
    Order::Dfs
}

fn two() -> usize {
    2
}

impl Impact {
    /// The settings as the algorithm has them.
    pub fn config(&self) -> impact::ImpactConfig {
        impact::ImpactConfig {
            blocks: self.blocks.ends(),
            order: order(self.order),
            forced_attempts: self.forced_attempts,
            ..impact::ImpactConfig::default()
        }
    }

    /// The engines.
    pub fn engines(&self) -> Vec<Box<dyn SequenceEngine>> {
        make_engines(&self.engines)
    }
}

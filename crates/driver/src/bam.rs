//! Settings of block-abstraction memoisation: how they are written, and what they mean.

use crate::config::{Order, Value};
use crate::predicate::Predicate;
use cegar::bam;
use cegar::bam::value::BamSettings;
use serde::Deserialize;

/// Block-abstraction memoisation over another analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bam {
    /// Its own settings.
    pub table: BamTable,
    /// The analysis of blocks.
    pub wrapped: Wrapped,
}

/// An analysis of blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrapped {
    /// Explicit values.
    Value(Value),
    /// Predicates.
    Predicate(Predicate),
}

/// Settings of block-abstraction memoisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BamTable {
    /// What becomes a block.
    #[serde(default)]
    pub blocks: BlockChoice,
    /// How block abstractions are refined.
    #[serde(default)]
    pub refinement: BamRefinement,
}

/// What becomes a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockChoice {
    /// Bodies of functions.
    Functions,
    /// Loops.
    Loops,
    /// Both.
    #[default]
    Both,
}

/// How block abstractions are refined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BamRefinement {
    /// They are changed.
    InPlace,
    /// Copies of them are.
    #[default]
    CopyOnWrite,
}

impl Bam {
    /// Sets the order of exploration.
    pub fn set_order(&mut self, order: Order) {
        match &mut self.wrapped {
            Wrapped::Value(value) => value.order = Some(order),
            Wrapped::Predicate(predicate) => predicate.order = order,
        }
    }
}

impl BamTable {
    /// The settings as the algorithm has them.
    pub fn settings(self) -> BamSettings {
        BamSettings {
            blocks: match self.blocks {
                BlockChoice::Functions => cfa::blocks::BlockChoice::Functions,
                BlockChoice::Loops => cfa::blocks::BlockChoice::Loops,
                BlockChoice::Both => cfa::blocks::BlockChoice::Both,
            },
            refinement: match self.refinement {
                BamRefinement::InPlace => bam::BamRefinement::InPlace,
                BamRefinement::CopyOnWrite => bam::BamRefinement::CopyOnWrite,
            },
            popping: bam::Popping::Off,
        }
    }
}

//! Decides which blocks are worth abstracting.
//!
//! A graph has each state once, however runs come to it; with blocks, it is there once for each entry state of each block around it, and each
//! entry of a block is looked up. What that is paid for is that abstractions are used again. So for each block two costs in nodes are compared,
//!
//! ```text
//! with the block:     nodes of its abstractions  +  LOOK_UP * entries
//! without it:         entries * distinct nodes / abstractions
//! ```
//!
//! and blocks that cost more than they spare are *dissolved* ([`Reducer::dissolve`]): runs go through them as through any other part of the
//! program. The paper leaves the choice of blocks open [beyer18bam, Sect. 2.2].
//!
//! Only entries since the last change of the precision count: after one, blocks are explored again in any case.

use super::abstraction::{AbstractionId, BlockAbstraction};
use analysis::{PathStyle, Reducer};
use base::IdVec;
use cfa::blocks::BlockId;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Blocks are looked at when they were entered so often, and each time that this is twice as often.
const FIRST_LOOK: usize = 256;
/// What it costs to enter a block, in nodes: those before and behind it, its entry and its exit.
const LOOK_UP: usize = 4;
/// A block that was entered less often says nothing yet, unless it has as many abstractions as [`FEW`].
const SELDOM: usize = 32;
/// See [`SELDOM`].
const FEW: usize = 3;
/// So many nodes must be spared for it to be worth to begin again.
const WORTH: usize = 128;

/// How often blocks were entered.
pub struct Reuse {
    entries: BTreeMap<BlockId, Entries>,
    /// Entries of all blocks.
    count: usize,
    next_look: usize,
    useless: Vec<BlockId>,
}

impl Default for Reuse {
    fn default() -> Self {
        Self { entries: BTreeMap::new(), count: 0, next_look: FIRST_LOOK, useless: Vec::new() }
    }
}

#[derive(Default)]
struct Entries {
    hits: usize,
    made: Vec<AbstractionId>,
}

impl Reuse {
    /// An abstraction was entered again.
    pub fn hit(&mut self, block: BlockId) {
        self.count += 1;
        self.entries.entry(block).or_default().hits += 1;
    }

    /// An abstraction had to be made.
    pub fn miss(&mut self, block: BlockId, made: AbstractionId) {
        self.count += 1;
        self.entries.entry(block).or_default().made.push(made);
    }

    /// The precision has changed.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The blocks that turned out to be of no use.
    pub fn take_useless(&mut self) -> Vec<BlockId> {
        std::mem::take(&mut self.useless)
    }

    /// Looks for blocks that are of no use, if it is time to; whether there are any.
    pub fn find_useless<C: Reducer>(
        &mut self,
        cpa: &C,
        table: &IdVec<AbstractionId, Option<BlockAbstraction<C>>>,
    ) -> bool {
        if self.count < self.next_look {
            return false;
        }
        self.next_look = 2 * self.count;
        let may_be_dissolved = |block: BlockId| C::PATHS == PathStyle::Flat && !cpa.is_recursive(block);
        let candidates = self.entries.iter().filter(|(block, entries)| {
            (entries.made.len() >= FEW || entries.count() >= SELDOM) && may_be_dissolved(**block)
        });
        let spared = candidates.map(|(block, entries)| (*block, entries.spared_without(table)));
        let useless: Vec<(BlockId, usize)> = spared.filter(|(_, spared)| *spared > 0).collect();
        if useless.iter().map(|(_, spared)| spared).sum::<usize>() >= WORTH {
            self.useless = useless.into_iter().map(|(block, _)| block).collect();
        }
        !self.useless.is_empty()
    }
}

impl Entries {
    fn count(&self) -> usize {
        self.hits + self.made.len()
    }

    /// How many nodes are spared without the block.
    fn spared_without<C: Reducer>(&self, table: &IdVec<AbstractionId, Option<BlockAbstraction<C>>>) -> usize {
        let mut states = FxHashSet::default();
        let (mut all, mut finished) = (0, 0);
        // Those that are being explored are not there.
        for abstraction in self.made.iter().filter_map(|id| table[*id].as_ref()) {
            let arg = &abstraction.graph.arg;
            (all, finished) = (all + arg.len(), finished + 1);
            states.extend(arg.ids().map(|node| arg.state(node).clone()));
        }
        if finished == 0 {
            return 0;
        }
        let entries = self.count() - (self.made.len() - finished);
        (all + LOOK_UP * entries).saturating_sub(entries * states.len() / finished)
    }
}

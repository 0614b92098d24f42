//! Which blocks are of use.
//!
//! A graph has each state once, however runs come to it; with blocks, it is there once for each entry state of each block around it. What
//! that is paid for is that an abstraction is used again. So a block is of use as long as its abstractions are entered more often, on average,
//! than their states are there; otherwise it is *dissolved* ([`Reducer::dissolve`]), and runs go through it as
//! through any other part of the program. The paper leaves the choice of blocks open [beyer18bam, Sect. 2.2].
//!
//! Only entries since the last change of the precision count: after one, blocks are explored again in any case.

use super::abstraction::BlockAbstraction;
use super::abstractions::AbstractionId;
use analysis::{PathStyle, Reducer};
use base::IdVec;
use cfa::blocks::BlockId;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Blocks are looked at when they were entered so often, and each time that this is twice as often.
const FIRST_LOOK: usize = 64;
/// A block of fewer abstractions says nothing yet.
const FEW: usize = 3;
/// Fewer nodes are not worth beginning again.
const FEW_NODES: usize = 1000;

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

/// Nodes of all abstractions of a block.
struct Nodes {
    all: usize,
    distinct: usize,
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
        let candidates = self.entries.iter().filter(|(block, entries)| {
            entries.made.len() >= FEW && C::PATHS == PathStyle::Flat && !cpa.is_recursive(**block)
        });
        let nodes = candidates.map(|(block, entries)| (*block, entries, entries.nodes(table)));
        let useless: Vec<_> = nodes.filter(|(_, entries, nodes)| entries.is_useless(nodes)).collect();
        if useless.iter().any(|(_, _, nodes)| nodes.all >= FEW_NODES) {
            self.useless = useless.into_iter().map(|(block, ..)| block).collect();
        }
        !self.useless.is_empty()
    }
}

impl Entries {
    fn nodes<C: Reducer>(&self, table: &IdVec<AbstractionId, Option<BlockAbstraction<C>>>) -> Nodes {
        let mut states = FxHashSet::default();
        let mut all = 0;
        // Those that are being explored are not there.
        for abstraction in self.made.iter().filter_map(|id| table[*id].as_ref()) {
            let arg = &abstraction.graph.arg;
            all += arg.len();
            states.extend(arg.ids().map(|node| arg.state(node).clone()));
        }
        Nodes { all, distinct: states.len() }
    }

    /// Whether states are there clearly more often than abstractions are entered.
    fn is_useless(&self, nodes: &Nodes) -> bool {
        4 * nodes.all * self.made.len() > 5 * nodes.distinct * (self.hits + self.made.len())
    }
}

//! Finds the block abstraction that is known for an entry state: the one for this state, or one for a state that covers it.

use super::abstraction::AbstractionId;
use analysis::Reducer;
use cfa::blocks::BlockId;
use rustc_hash::FxHashMap;

/// A block, an entry state, and the part of the precision that matters to the block.
pub type Entrance<C> = (BlockId, <C as analysis::Cpa>::State, <C as Reducer>::Context);

/// Block abstractions by entrance.
pub struct Cache<C: Reducer> {
    exact: FxHashMap<Entrance<C>, AbstractionId>,
    /// The same by the key that decides coverage of the entry state, so that `⊑_A` is a look-up and no scan.
    by_key: FxHashMap<(BlockId, C::Key, C::Context), AbstractionId>,
}

impl<C: Reducer> Default for Cache<C> {
    fn default() -> Self {
        Self { exact: FxHashMap::default(), by_key: FxHashMap::default() }
    }
}

impl<C: Reducer> Cache<C> {
    /// Makes an abstraction the one for an entrance.
    pub fn insert(&mut self, cpa: &C, entrance: Entrance<C>, id: AbstractionId) {
        let (block, entry, context) = &entrance;
        self.by_key.insert((*block, cpa.key(entry), context.clone()), id);
        self.exact.insert(entrance, id);
    }

    /// The abstraction for exactly this entrance.
    pub fn get(&self, entrance: &Entrance<C>) -> Option<AbstractionId> {
        self.exact.get(entrance).copied()
    }

    /// Abstractions whose entry states may cover that of the entrance, the most promising one first.
    pub fn covering(&self, cpa: &mut C, (block, entry, context): &Entrance<C>) -> Vec<AbstractionId> {
        let mut keys = Vec::new();
        cpa.covering_keys(entry, &mut keys);
        keys.into_iter().filter_map(|key| self.by_key.get(&(*block, key, context.clone())).copied()).collect()
    }

    /// All that is known of an abstraction belongs to another one from now on.
    pub fn rename(&mut self, old: AbstractionId, new: AbstractionId) {
        self.exact.values_mut().chain(self.by_key.values_mut()).filter(|id| **id == old).for_each(|id| *id = new);
    }

    /// Forgets the blocks for which this holds.
    pub fn forget(&mut self, is_forgotten: impl Fn(BlockId) -> bool) {
        self.exact.retain(|(block, ..), _| !is_forgotten(*block));
        self.by_key.retain(|(block, ..), _| !is_forgotten(*block));
    }
}

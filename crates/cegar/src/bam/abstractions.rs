//! Block abstractions: each block's own reachability graph for an entry state, cached for all places that enter it the same way
//! [beyer18bam, Sect. 2.2].
//!
//! ```text
//! successors of a node, in the graph of a block
//!   the block ends there:         none
//!   another block begins there:   reduce; look up (block, entry state, precision) or explore that block
//!                                 a target in it: the target is a successor at once
//!                                 otherwise:      each exit, expanded, is a successor
//!   otherwise:                    those of the wrapped analysis
//! ```
//! Successors by blocks are numbered by the [`Link`] that they come from, so graphs are linked by reference.
//!
//! **Why complete graphs without targets prove the property.** A graph covers every run of the block from its entry state: by induction over the
//! number of steps of a run, blocks within it included, the run is in a state of a node until the block ends, where it is in a state of
//! an exit. For steps of the wrapped analysis that is what its transfer relation promises. A run that enters a block is in a concrete state of the
//! reduced entry state, hence of the entry state of the abstraction, which is equal or more abstract; the run within the block has
//! fewer steps; so it is covered there, and [`Reducer::expand`] says what that means outside. Precisions play no part in this: what was
//! computed with an older one is as true, only less exact.
//!
//! **Recursion** [beyer18bam, Sect. 2.2]. A block that is entered again while it is explored has the exits that are known so far. When nothing
//! is left to explore there, but there are more exits than somebody has seen, all nodes that depend on them are expanded again, until there
//! are no more: a fixpoint. Abstractions that depend on one that is still explored are not complete before it is ([`recursion`]).

use super::abstraction::{AbstractionId, BlockAbstraction, Link};
use super::cache::Cache;
use super::recursion::{Active, Recursion};
use super::reuse::Reuse;
use super::stacks::{LocationStack, Popping, StackPrecision, stack_of_call};
use analysis::{AnalysisError, Arg, NodeId, Order, Reducer, Status, Successor, Target};
use base::{Budget, Id, IdVec};
use cfa::blocks::BlockId;
use outcome::StopReason;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Numbers of successors by blocks begin here.
const BY_BLOCK: u32 = 1 << 31;

/// What was counted.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    /// Entries of blocks for which an abstraction was known.
    pub hits: u64,
    /// Entries of blocks for which none was known.
    pub misses: u64,
    /// Abstractions that were replaced by flat copies.
    pub copies: u64,
    /// References to abstractions that had been changed, and were computed again.
    pub holes: u64,
    /// Abstract successors.
    pub successors: u64,
    /// Calls that were popped, by instances with the same entry state or a more abstract one.
    pub pops: u64,
    /// Those by a more abstract one.
    pub abstract_pops: u64,
    /// Blocks that were dissolved.
    pub dissolved: u64,
}

/// A call at which a block is entered.
struct Call {
    /// Its location stack, where calls can be popped.
    stack: LocationStack,
    covers: Covers,
}

/// Which abstractions can be taken for an entry state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Covers {
    /// Those for this state.
    Equal,
    /// Those for any state that covers it.
    MoreAbstract,
}

/// All block abstractions.
pub struct Abstractions<C: Reducer> {
    /// `None` while one is explored, and for those that became others in place.
    pub(super) table: IdVec<AbstractionId, Option<BlockAbstraction<C>>>,
    cache: Cache<C>,
    links: Vec<Link>,
    numbers: FxHashMap<Link, u32>,
    /// Targets of links to targets.
    targets: FxHashMap<Link, Target>,
    /// Parts of the current precision that matter to blocks.
    contexts: FxHashMap<BlockId, C::Context>,
    recursion: Recursion<C::State>,
    pub(super) reuse: Reuse,
    order: Order,
    popping: Popping,
    /// The calls that are not popped.
    pub stack_precision: StackPrecision,
    /// What was counted.
    pub counts: Counts,
}

impl<C: Reducer> Abstractions<C> {
    /// Only that of the whole program.
    pub fn new(order: Order, popping: Popping) -> Self {
        let mut table = IdVec::new();
        table.push(Some(BlockAbstraction::new(None, Rc::default(), order)));
        Self {
            table,
            cache: Cache::default(),
            links: Vec::new(),
            numbers: FxHashMap::default(),
            targets: FxHashMap::default(),
            contexts: FxHashMap::default(),
            recursion: Recursion::default(),
            reuse: Reuse::default(),
            order,
            popping,
            stack_precision: StackPrecision::default(),
            counts: Counts::default(),
        }
    }

    /// The abstraction of the whole program.
    pub fn whole(&self) -> AbstractionId {
        AbstractionId::from_index(0)
    }

    /// Dissolves the blocks that turned out to be of no use and forgets everything that was explored; whether there were any, which is why
    /// the exploration came to no end.
    pub fn dissolve_useless(&mut self, cpa: &mut C) -> bool {
        let useless = self.reuse.take_useless();
        let dissolved = useless.into_iter().filter(|block| cpa.dissolve(*block)).count();
        if dissolved > 0 {
            self.counts.dissolved += dissolved as u64;
            self.restart();
        }
        dissolved > 0
    }

    /// Forgets everything that was explored, but not what was counted, nor which calls are not popped.
    pub fn restart(&mut self) {
        let stack_precision = std::mem::take(&mut self.stack_precision);
        *self = Self { counts: self.counts, stack_precision, ..Self::new(self.order, self.popping) };
    }

    /// Forgets all abstractions of recursive blocks, except where they are entered already.
    pub fn forget_recursive(&mut self, cpa: &C) {
        self.cache.forget(|block| cpa.is_recursive(block));
    }

    /// An abstraction; `None` if it has become another one.
    pub fn get(&self, id: AbstractionId) -> Option<&BlockAbstraction<C>> {
        self.table[id].as_ref()
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, id: AbstractionId) -> Option<&mut BlockAbstraction<C>> {
        self.table[id].as_mut()
    }

    /// Takes an abstraction out; what refers to it refers to a hole.
    pub fn take(&mut self, id: AbstractionId) -> Option<BlockAbstraction<C>> {
        self.table[id].take()
    }

    /// Puts an abstraction back.
    pub fn put(&mut self, id: AbstractionId, abstraction: BlockAbstraction<C>) {
        self.table[id] = Some(abstraction);
    }

    /// Adds an abstraction.
    pub fn add(&mut self, abstraction: BlockAbstraction<C>) -> AbstractionId {
        self.table.push(Some(abstraction))
    }

    /// Number of abstractions, that of the whole program included.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there is none (never).
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// What a successor with this number comes from, if it is one by a block.
    pub fn link(&self, choice: u32) -> Option<Link> {
        let number = choice.checked_sub(BY_BLOCK)?;
        self.links.get(number as usize).copied()
    }

    /// The target that a link leads to.
    pub fn target(&self, link: Link) -> Option<Target> {
        self.targets.get(&link).copied()
    }

    fn number(&mut self, link: Link) -> u32 {
        let links = &mut self.links;
        BY_BLOCK
            + *self.numbers.entry(link).or_insert_with(|| {
                links.push(link);
                links.len() as u32 - 1
            })
    }

    /// The precision has changed.
    pub fn precision_changed(&mut self) {
        self.contexts.clear();
        self.reuse.clear();
    }

    fn context(&mut self, cpa: &C, block: BlockId, precision: &C::Precision) -> C::Context {
        self.contexts.entry(block).or_insert_with(|| cpa.context(block, precision)).clone()
    }

    /// Makes an abstraction the one that the cache knows for its entry state with this precision.
    pub fn register(&mut self, cpa: &C, precision: &C::Precision, id: AbstractionId) {
        let Some((Some(block), Some(entry))) = self.get(id).map(|a| (a.block, a.entry().cloned())) else { return };
        let context = self.context(cpa, block, precision);
        self.cache.insert(cpa, (block, entry, context), id);
    }

    /// All that the cache has of an abstraction belongs to another one from now on.
    pub fn rename(&mut self, old: AbstractionId, new: AbstractionId) {
        self.cache.rename(old, new);
    }

    /// Explores the whole program until a target is reached or nothing is left.
    ///
    /// # Errors
    /// When the budget ends or the domain can't go on.
    pub fn explore(
        &mut self,
        cpa: &mut C,
        precision: &C::Precision,
        budget: &Budget,
    ) -> Result<Option<(NodeId, Target)>, AnalysisError> {
        let whole = self.whole();
        if let Some(abstraction) = &mut self.table[whole] {
            abstraction.graph.begin_once(cpa, precision);
        }
        self.explore_one(cpa, precision, budget, whole)
    }

    /// Explores one abstraction until a target is reached or nothing is left; it is complete then, unless it depends on one that is still
    /// explored.
    fn explore_one(
        &mut self,
        cpa: &mut C,
        precision: &C::Precision,
        budget: &Budget,
        id: AbstractionId,
    ) -> Result<Option<(NodeId, Target)>, AnalysisError> {
        let Some(mut abstraction) = self.table[id].take() else {
            let detail = "a block is explored within itself".into();
            return Err(AnalysisError::Failed(StopReason::Internal { detail }));
        };
        let entry = abstraction.entry().cloned();
        let exits = self.exits_of(cpa, &abstraction);
        if let Err(error) = self.recursion.begin(id, abstraction.block, entry, exits) {
            self.table[id] = Some(abstraction);
            return Err(error);
        }
        let found = loop {
            let found = self.explore_round(cpa, precision, budget, id, &mut abstraction);
            if !matches!(found, Ok(None)) || !self.recursion.has_grown(id) {
                break found;
            }
            self.expand_dependents(cpa, id, &mut abstraction);
            self.recursion.forget_unfinished(id);
        };
        if !matches!(found, Ok(None)) {
            self.expand_dependents(cpa, id, &mut abstraction);
            self.recursion.fail(id);
        } else if let Some(finished) = self.recursion.finish(id) {
            abstraction.complete = true;
            for other in finished {
                if let Some(other) = self.get_mut(other.id) {
                    other.complete = true;
                }
            }
        }
        self.table[id] = Some(abstraction);
        found
    }

    fn explore_round(
        &mut self,
        cpa: &mut C,
        precision: &C::Precision,
        budget: &Budget,
        id: AbstractionId,
        abstraction: &mut BlockAbstraction<C>,
    ) -> Result<Option<(NodeId, Target)>, AnalysisError> {
        let BlockAbstraction { block, graph, entered, stack, popped, .. } = abstraction;
        let block = *block;
        let found = graph.explore_with(cpa, budget, &mut |cpa, from, state, out| {
            let node = from.node;
            if block.is_some_and(|block| cpa.is_exit(block, state)) {
                self.recursion.add_exit(id, node, state);
                return Ok(());
            }
            match cpa.block_at(state) {
                Some(inner) if !block.is_some_and(|block| block == inner && cpa.is_entry(block, state)) => {
                    let Some(entry) = cpa.reduce(state, inner, precision)? else {
                        return cpa.transfer(state, precision, out);
                    };
                    let call = self.call(cpa, inner, stack, state);
                    let id = match self.known(cpa, entered.get(&node).copied(), (inner, &entry), &call)? {
                        Some(id) => id,
                        None => self.find(cpa, precision, (inner, entry.clone()), call)?,
                    };
                    entered.insert(node, id);
                    if self.popping == Popping::On && self.entry_of(id).is_some_and(|(_, upper)| upper != entry) {
                        popped.insert(node);
                    }
                    self.enter(cpa, precision, budget, (id, inner), state, out)
                }
                _ => cpa.transfer(state, precision, out),
            }
        });
        self.counts.successors += std::mem::take(&mut graph.successors);
        found
    }

    /// Makes all nodes wait again that depend on the exits of abstractions that are not complete, in this one, which is explored, and in
    /// those that were left unfinished meanwhile.
    fn expand_dependents(&mut self, cpa: &mut C, id: AbstractionId, abstraction: &mut BlockAbstraction<C>) {
        let unfinished = self.recursion.unfinished(id);
        let is_open =
            |id: &AbstractionId| unfinished.iter().any(|other| other.id == *id) || self.recursion.get(*id).is_some();
        let again = |abstraction: &mut BlockAbstraction<C>, cpa: &mut C| {
            let depends = |(node, inner): (&NodeId, &AbstractionId)| is_open(inner).then_some(*node);
            let mut nodes: Vec<NodeId> = abstraction.entered.iter().filter_map(depends).collect();
            nodes.sort_unstable();
            for node in nodes {
                if abstraction.graph.arg.status(node) == Status::Expanded {
                    abstraction.graph.requeue(cpa, node);
                }
            }
        };
        again(abstraction, cpa);
        for other in unfinished {
            if let Some(other) = self.table[other.id].as_mut() {
                again(other, cpa);
            }
        }
    }

    fn exits_of(&self, cpa: &C, abstraction: &BlockAbstraction<C>) -> Vec<(NodeId, C::State)> {
        let Some(block) = abstraction.block else { return Vec::new() };
        let arg = &abstraction.graph.arg;
        let exits = arg.ids().filter(|id| arg.status(*id) == Status::Expanded && cpa.is_exit(block, arg.state(*id)));
        exits.map(|id| (id, arg.state(id).clone())).collect()
    }

    /// Appends the successors of a state at which runs enter a block.
    fn enter(
        &mut self,
        cpa: &mut C,
        precision: &C::Precision,
        budget: &Budget,
        (id, block): (AbstractionId, BlockId),
        before: &C::State,
        out: &mut Vec<Successor<C::State>>,
    ) -> Result<(), AnalysisError> {
        let ends = match self.recursion.exits_so_far(id) {
            Some(exits) => exits,
            None => {
                let complete = self.get(id).is_some_and(|a| a.complete);
                if !complete && let Some((node, target)) = self.explore_one(cpa, precision, budget, id)? {
                    let link = Link { abstraction: id, node, way: 0 };
                    self.targets.insert(link, target);
                    return self.push_target(cpa, before, block, link, target, out);
                }
                self.get(id).map(|abstraction| self.exits_of(cpa, abstraction)).unwrap_or_default()
            }
        };
        let mut ways = Vec::new();
        for (node, exit) in ends {
            cpa.leave(before, block, &exit, precision, &mut ways)?;
            for Successor { state, choice, target } in ways.drain(..) {
                let choice = self.number(Link { abstraction: id, node, way: choice });
                out.push(Successor { state, choice, target });
            }
        }
        let Some(arg) = self.arg(id) else { return Ok(()) };
        let left: Vec<NodeId> = arg.ids().filter(|id| arg.status(*id) == Status::Target).collect();
        for node in left {
            let link = Link { abstraction: id, node, way: 0 };
            let target = self.target_of(link);
            self.push_target(cpa, before, block, link, target, out)?;
        }
        Ok(())
    }

    fn target_of(&self, link: Link) -> Target {
        self.target(link).unwrap_or(Target::Violation)
    }

    fn push_target(
        &mut self,
        cpa: &mut C,
        before: &C::State,
        block: BlockId,
        link: Link,
        target: Target,
        out: &mut Vec<Successor<C::State>>,
    ) -> Result<(), AnalysisError> {
        let Some(within) = self.get(link.abstraction).map(|a| a.graph.arg.state(link.node).clone()) else {
            return Ok(());
        };
        let state = cpa.expand(before, block, &within)?;
        let choice = self.number(link);
        out.push(Successor { state, choice, target: Some(target) });
        Ok(())
    }

    /// The call at a state of an abstraction that is explored on a stack.
    fn call(&self, cpa: &C, block: BlockId, stack: &LocationStack, before: &C::State) -> Call {
        if self.popping == Popping::Off || !cpa.is_recursive(block) {
            return Call { stack: Rc::default(), covers: Covers::Equal };
        }
        let stack = stack_of_call(cpa, stack, before);
        let covers = if self.stack_precision.contains(&stack) { Covers::Equal } else { Covers::MoreAbstract };
        Call { stack, covers }
    }

    /// Block and entry state of an abstraction, whether it is being explored or not.
    fn entry_of(&self, id: AbstractionId) -> Option<(BlockId, C::State)> {
        let of_active = self.recursion.get(id).map(|Active { block, entry, .. }| (*block, entry.clone()));
        let (block, entry) = of_active.or_else(|| self.get(id).map(|a| (a.block, a.entry().cloned())))?;
        block.zip(entry)
    }

    /// The abstraction that a node has already, if it still fits.
    fn known(
        &self,
        cpa: &mut C,
        known: Option<AbstractionId>,
        (block, entry): (BlockId, &C::State),
        call: &Call,
    ) -> Result<Option<AbstractionId>, AnalysisError> {
        let Some(id) = known else { return Ok(None) };
        let Some((_, upper)) = self.entry_of(id).filter(|(of, _)| *of == block) else { return Ok(None) };
        let is_followed = self.popping == Popping::On && call.covers == Covers::Equal;
        let fits = if is_followed { *entry == upper } else { cpa.leq(entry, &upper)? };
        Ok(fits.then_some(id))
    }

    /// The abstraction for an entry state, from the cache or new.
    fn find(
        &mut self,
        cpa: &mut C,
        precision: &C::Precision,
        (block, entry): (BlockId, C::State),
        call: Call,
    ) -> Result<AbstractionId, AnalysisError> {
        let context = self.context(cpa, block, precision);
        let entrance = (block, entry, context);
        if let Some(id) = self.cache.get(&entrance).filter(|id| self.entry_of(*id).is_some()) {
            self.counts.hits += 1;
            self.counts.pops += u64::from(self.popping == Popping::On);
            self.reuse.hit(block);
            return Ok(id);
        }
        if call.covers == Covers::MoreAbstract {
            for id in self.cache.covering(cpa, &entrance) {
                if let Some((_, upper)) = self.entry_of(id)
                    && cpa.leq(&entrance.1, &upper)?
                {
                    self.counts.hits += 1;
                    self.counts.pops += 1;
                    self.counts.abstract_pops += 1;
                    return Ok(id);
                }
            }
        }
        self.counts.misses += 1;
        if self.reuse.find_useless(cpa, &self.table) {
            return Err(AnalysisError::Failed(StopReason::Internal { detail: "blocks are of no use".into() }));
        }
        cpa.recall(Some(block), &entrance.1, Some(&entrance.2), precision)?;
        let mut abstraction = BlockAbstraction::new(Some(block), call.stack, self.order);
        abstraction.graph.begin(cpa, entrance.1.clone());
        let id = self.table.push(Some(abstraction));
        self.cache.insert(cpa, entrance, id);
        self.reuse.miss(block, id);
        Ok(id)
    }

    /// The graph of an abstraction.
    pub fn arg(&self, id: AbstractionId) -> Option<&Arg<C::State>> {
        self.get(id).map(|abstraction| &abstraction.graph.arg)
    }
}

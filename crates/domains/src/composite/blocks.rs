//! Blocks of the product: entry states, and what they mean outside ([`crate::value::block`]).
//!
//! A block is entered with a call, whose arguments become parameters; or at a loop's head, where nothing happens. Entry states keep
//! what the precision tracks, so calls that differ in nothing else share a block abstraction.

use super::{Composite, CompositeCpa};
use crate::value::assignment::Work;
use crate::value::block::Entered;
use crate::value::cells::{Cells, Key, KeyId, ObjId};
use crate::value::precision::ValuePrecision;
use analysis::{AnalysisError, PathStyle, Recalling, Reducer, Successor, Successors, Target};
use cfa::blocks::{Block, BlockId, BlockKind, Partition};
use cfa::observer::ObserverState;
use cfa::points_to::Object;
use cfa::{EdgeId, LocId};
use std::rc::Rc;
use step::Locations;
use step::StackId;

/// The blocks of a program, and the last one that was entered.
#[derive(Default)]
pub(super) struct Blocks {
    pub(super) partition: Rc<Partition>,
    /// Where the graph has nodes without blocks.
    plain: Option<Locations>,
    last: Option<(Composite, Rc<Entry>)>,
}

/// A state on its way into a block.
struct Entry {
    stack: StackId,
    observer: ObserverState,
    values: Entered,
}

impl<'p> CompositeCpa<'p> {
    /// The same with blocks; the graph gets nodes where runs enter and leave them.
    pub fn with_blocks(mut self, partition: Partition) -> Self {
        let plain = Some(self.locations.clone());
        self.locations.add_heads(&partition.borders());
        self.blocks = Blocks { partition: Rc::new(partition), plain, last: None };
        self
    }

    /// The blocks.
    pub fn partition(&self) -> &Partition {
        &self.blocks.partition
    }

    /// What a block's names for objects that existed before mean at the state where it is entered.
    pub fn names_in_block(&mut self, before: &Composite) -> Vec<(ObjId, ObjId)> {
        let Some(block) = self.blocks.partition.at(before.loc) else { return Vec::new() };
        self.enter(before, block).map_or(Vec::new(), |entry| entry.values.names())
    }

    /// Enters a block; `None` if the operation that enters it ends runs, or is a violation.
    fn enter(&mut self, before: &Composite, block: BlockId) -> Option<Rc<Entry>> {
        if let Some((state, entry)) = &self.blocks.last
            && state == before
        {
            return Some(entry.clone());
        }
        let partition = self.blocks.partition.clone();
        let block = &partition.blocks[block];
        let mut work = Work::default();
        self.store.load(before.value, &mut work);
        let (mut stack, mut observer) = (before.stack, before.observer);
        if let BlockKind::Function(func) = block.kind {
            let [edge] = self.value.program.locs[before.loc].out[..] else { return None };
            stack = self.value.take(&mut work, before.stack, edge).ok()?;
            observer = self.kernel.automaton.call(observer, func);
            if observer != self.kernel.automaton.error() {
                observer = self.kernel.automaton.enter(observer, block.entry);
            }
            if observer == self.kernel.automaton.error() {
                return None;
            }
        }
        let values = self.value.enter_block(&work, stack, block);
        let entry = Rc::new(Entry { stack, observer, values });
        self.blocks.last = Some((*before, entry.clone()));
        Some(entry)
    }

    /// Keeps what the precision tracks and what is live.
    fn adjust(&mut self, work: &mut Work, (stack, loc): (StackId, LocId), precision: &ValuePrecision) {
        let tracked = precision.at(loc);
        let (value, adjustment) = (&self.value, &self.adjustment);
        work.retain(|cell| {
            let info = &value.cells.cells[cell];
            let is_tracked = (tracked.is_full() || tracked.cell(info)) && !adjustment.is_dropped(info.key);
            is_tracked && value.is_live(stack, loc, cell)
        });
    }

    fn expanded(&mut self, entry: &Entry, within: &Composite) -> (Work, StackId) {
        let mut work = Work::default();
        self.store.load(within.value, &mut work);
        self.value.expand_block(&entry.values, &work, within.stack)
    }
}

fn unexpected() -> AnalysisError {
    AnalysisError::Failed(outcome::StopReason::Internal { detail: "a block was left that was not entered".into() })
}

impl Reducer for CompositeCpa<'_> {
    type Context = Vec<(Option<LocId>, KeyId)>;

    const PATHS: PathStyle = PathStyle::Flat;

    fn block_at(&self, state: &Composite) -> Option<BlockId> {
        self.blocks.partition.at(state.loc)
    }

    fn context(&self, block: BlockId, precision: &ValuePrecision) -> Self::Context {
        let program = self.value.program;
        let block = &self.blocks.partition.blocks[block];
        precision.restricted(
            |key| matters(&self.value.cells, self.value.program, block, key),
            |loc| {
                let func = program.locs[loc].func;
                func == block.func || block.funcs.binary_search(&func).is_ok()
            },
        )
    }

    fn is_entry(&self, block: BlockId, state: &Composite) -> bool {
        let block = &self.blocks.partition.blocks[block];
        let in_own_frame = self.value.stacks.frame(state.stack).caller.is_none();
        in_own_frame && matches!(block.kind, BlockKind::Loop(_)) && block.entry == state.loc
    }

    fn is_recursive(&self, block: BlockId) -> bool {
        self.blocks.partition.blocks[block].is_recursive
    }

    fn dissolve(&mut self, block: BlockId) -> bool {
        // Without blocks, the stacks of recursive functions have no end.
        if self.is_recursive(block) || !self.blocks.partition.is_entered(block) {
            return false;
        }
        let partition = Rc::make_mut(&mut self.blocks.partition);
        partition.dissolve(block);
        if let Some(plain) = &self.blocks.plain {
            self.locations = plain.clone();
            self.locations.add_heads(&partition.borders());
        }
        self.blocks.last = None;
        self.forget_places();
        true
    }

    fn calls_of(&self, state: &Composite) -> Vec<EdgeId> {
        self.value.stacks.calls(state.stack)
    }

    fn entering(&self, before: &Composite) -> Vec<EdgeId> {
        let block = self.block_at(before).map(|block| self.blocks.partition.blocks[block].kind);
        match block {
            Some(BlockKind::Function(_)) => self.value.program.locs[before.loc].out.clone(),
            Some(BlockKind::Loop(_)) | None => Vec::new(),
        }
    }

    fn reduce(
        &mut self,
        before: &Composite,
        block: BlockId,
        precision: &ValuePrecision,
    ) -> Result<Option<Composite>, AnalysisError> {
        let Some(entry) = self.enter(before, block) else { return Ok(None) };
        let Block { func, entry: loc, .. } = self.blocks.partition.blocks[block];
        let stack = self.value.root_of(func);
        let mut work = entry.values.seen.clone();
        self.adjust(&mut work, (stack, loc), precision);
        let (value, strategy) = (self.store.intern(&work), self.strategies.current());
        Ok(Some(Composite { loc, stack, value, observer: entry.observer, strategy }))
    }

    fn enters_alike(&mut self, block: BlockId, before: &Composite, other: &Composite) -> Result<bool, AnalysisError> {
        let entry = self.enter(before, block).ok_or_else(unexpected)?;
        let other = self.enter(other, block).ok_or_else(unexpected)?;
        Ok(entry.observer == other.observer && entry.values.seen == other.values.seen)
    }

    fn is_exit(&self, block: BlockId, state: &Composite) -> bool {
        let block = &self.blocks.partition.blocks[block];
        let in_own_frame = self.value.stacks.frame(state.stack).caller.is_none();
        in_own_frame && block.is_exit(self.value.program, state.loc)
    }

    fn expand(&mut self, before: &Composite, block: BlockId, within: &Composite) -> Result<Composite, AnalysisError> {
        let entry = self.enter(before, block).ok_or_else(unexpected)?;
        let (work, stack) = self.expanded(&entry, within);
        Ok(Composite { stack, value: self.store.intern(&work), ..*within })
    }

    fn leave(
        &mut self,
        before: &Composite,
        block: BlockId,
        exit: &Composite,
        precision: &ValuePrecision,
        out: &mut Vec<Successor<Composite>>,
    ) -> Result<(), AnalysisError> {
        let entry = self.enter(before, block).ok_or_else(unexpected)?;
        let (mut work, stack) = self.expanded(&entry, exit);
        debug_assert!(stack == entry.stack);
        let (mut stack, mut loc, mut observer) = (stack, exit.loc, exit.observer);
        if let BlockKind::Function(_) = self.blocks.partition.blocks[block].kind {
            let Some((caller, call)) = self.value.leave(&mut work, stack) else { return Ok(()) };
            (stack, loc) = (caller, self.value.program.edges[call].dst);
            observer = self.kernel.automaton.enter(observer, loc);
        }
        let target = (observer == self.kernel.automaton.error()).then_some(Target::Violation);
        self.adjust(&mut work, (stack, loc), precision);
        let (value, strategy) = (self.store.intern(&work), self.strategies.current());
        out.push(Successor { state: Composite { loc, stack, value, observer, strategy }, choice: 0, target });
        Ok(())
    }

    fn recall(
        &mut self,
        block: Option<BlockId>,
        entry: &Composite,
        context: Option<&Self::Context>,
        precision: &ValuePrecision,
    ) -> Result<(), AnalysisError> {
        self.recall_block(block, entry, context.map_or(&[], |context| &context[..]), precision)
    }

    fn forget_recalled(&mut self, asking: Recalling) -> bool {
        self.forget(asking)
    }

    fn keep(
        &mut self,
        block: Option<BlockId>,
        entry: &Composite,
        context: Option<&Self::Context>,
        graph: &[Successors<Composite>],
    ) {
        self.keep_block(block, entry, context.map_or(&[], |context| &context[..]), graph);
    }
}

/// Whether a block's exploration may depend on a key being tracked.
fn matters(cells: &Cells, program: &cfa::Program, block: &Block, key: KeyId) -> bool {
    let owner_is_in =
        |var: cfa::VarId| program.vars[var].func.is_some_and(|owner| block.funcs.binary_search(&owner).is_ok());
    match cells.key_of(key) {
        Key::Register(var) => owner_is_in(var) || block.touches_register(var),
        Key::Memory(object, _) | Key::Whole(object) => {
            block.touches_object(object) || matches!(object, Object::Var(var) if owner_is_in(var))
        }
    }
}

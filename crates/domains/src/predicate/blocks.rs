//! Blocks of the predicate analysis: procedures, each explored on its own from every entry state that is met [beyer18bam, Sect. 2.2].
//!
//! A block is entered where a procedure begins on a stack with callers. Its entry state is the abstraction there over the procedure's own
//! parameters and global variables, on a stack of its own ([`super::procedure`]). An exit is seen from outside as a relation
//! between what held at the entry and what holds at the return; together with the state before the block it makes the
//! states behind the block, so that what the block does not touch is known as before.

use super::block::ENTERED;
use super::predicates::PredicatePrecision;
use super::{PredicateCpa, PredicateState};
use analysis::{AnalysisError, Cpa, PathStyle, Reducer, Successor};
use base::Id;
use cfa::blocks::BlockId;
use cfa::{EdgeId, FuncId};

/// Where calls whose stack is abstracted get the exits of their procedures from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Exits {
    /// From the graph of the whole program.
    #[default]
    InGraph,
    /// From the block abstraction for the state at the call.
    InBlocks,
}

/// The block that a procedure is.
pub fn block_of(func: FuncId) -> BlockId {
    Id::from_index(func.index())
}

/// The procedure that is a block.
pub fn procedure_of(block: BlockId) -> FuncId {
    Id::from_index(block.index())
}

impl PredicateCpa<'_, '_> {
    /// The same where procedures are blocks.
    pub fn with_blocks(mut self) -> Self {
        self.exits = Exits::InBlocks;
        self
    }
}

impl Reducer for PredicateCpa<'_, '_> {
    type Context = Vec<(u32, u32)>;

    const PATHS: PathStyle = PathStyle::Nested;

    fn block_at(&self, state: &PredicateState) -> Option<BlockId> {
        let func = self.enc.program.locs[state.loc].func;
        self.is_abstract_call(state.start().at).then(|| block_of(func))
    }

    fn context(&self, block: BlockId, precision: &PredicatePrecision) -> Self::Context {
        let program = self.enc.program;
        let procedure = self.generics.procedure(procedure_of(block));
        let is_in = |func: FuncId| procedure.is_none_or(|procedure| procedure.funcs.binary_search(&func).is_ok());
        precision.within(is_in, |loc| program.locs[loc].func)
    }

    fn is_entry(&self, _: BlockId, _: &PredicateState) -> bool {
        // Blocks are entered on stacks with callers, and their own have none.
        false
    }

    fn is_recursive(&self, block: BlockId) -> bool {
        self.generics.procedure(procedure_of(block)).is_some_and(|procedure| procedure.recursive)
    }

    fn entering(&self, _: &PredicateState) -> Vec<EdgeId> {
        Vec::new()
    }

    fn entering_choice(&mut self, before: &PredicateState) -> Result<u32, AnalysisError> {
        let block = self.block(before.start(), before.strategy)?;
        Ok(self.choice(&block.ends[ENTERED]))
    }

    fn reduce(
        &mut self,
        before: &PredicateState,
        _: BlockId,
        precision: &PredicatePrecision,
    ) -> Result<Option<PredicateState>, AnalysisError> {
        let mut out = Vec::new();
        self.transfer(before, precision, &mut out)?;
        Ok(out.pop().map(|successor| successor.state))
    }

    fn is_exit(&self, block: BlockId, state: &PredicateState) -> bool {
        self.returning(state) == Some(procedure_of(block))
    }

    fn expand(
        &mut self,
        _: &PredicateState,
        _: BlockId,
        within: &PredicateState,
    ) -> Result<PredicateState, AnalysisError> {
        Ok(*within)
    }

    fn leave(
        &mut self,
        before: &PredicateState,
        _: BlockId,
        exit: &PredicateState,
        precision: &PredicatePrecision,
        out: &mut Vec<Successor<PredicateState>>,
    ) -> Result<(), AnalysisError> {
        self.transfer_over(before, exit, precision, out)
    }
}

impl PredicateCpa<'_, '_> {
    /// The procedure that ends in a state with a stack of its own.
    pub(super) fn returning(&self, state: &PredicateState) -> Option<FuncId> {
        self.is_exit(state.start().at).then(|| self.enc.program.locs[state.loc].func)
    }
}

//! The operations that block-abstraction memoisation asks of the analysis that it wraps [beyer18bam, Sect. 2.2].
//!
//! A block is explored from a *reduced* entry state, which says only what matters to the block, in names that do not depend on
//! where it was entered. What is found there is *expanded* again: together with what the block does not touch it holds where
//! the block was entered. For every state `before` that enters a block,
//!
//! * each run of `before` enters the block in a concrete state of `reduce(before)`, read with the block's names;
//! * each run that gets on to a state `within` of the block is, seen from outside, in a state of `expand(before, within)`;
//! * each run that leaves the block at `exit` goes on in a state of `leave(before, exit)`.

use crate::cpa::{AnalysisError, Cpa, Successor};
use cfa::EdgeId;
use cfa::blocks::BlockId;
use std::hash::Hash;

/// How refiners see error paths through blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathStyle {
    /// As a line of states as they are outside of all blocks.
    Flat,
    /// As states of the blocks that they belong to: a block that is passed is a path of its own from its entry state, on which the node
    /// behind the block rests ([`crate::Arg::rests_on`]).
    Nested,
}

/// An analysis with operators for blocks.
pub trait Reducer: Cpa {
    /// The part of a precision that matters to a block.
    type Context: Clone + Eq + Hash;

    /// How refiners see error paths.
    const PATHS: PathStyle;

    /// The block that runs enter at a state.
    fn block_at(&self, state: &Self::State) -> Option<BlockId>;

    /// The part of a precision that matters to a block: where it is equal, the block is explored in the same way.
    fn context(&self, block: BlockId, precision: &Self::Precision) -> Self::Context;

    /// Whether a state is at the entry of a block that it is a state of, so that runs do not enter it there.
    fn is_entry(&self, block: BlockId, state: &Self::State) -> bool;

    /// Whether runs may come to a block again while they are in it.
    fn is_recursive(&self, block: BlockId) -> bool;

    /// From now on runs go through a block as through any other part of the program; whether they can. States may have other successors then, so
    /// nothing that was explored fits any more.
    fn dissolve(&mut self, block: BlockId) -> bool {
        let _ = block;
        false
    }

    /// The calls that lead from the bottom of a state's stack to its top frame, the first one first: its location stack [somorjai23].
    fn calls_of(&self, state: &Self::State) -> Vec<EdgeId> {
        let _ = state;
        Vec::new()
    }

    /// The edges between a state and the entry of the block that runs enter there.
    fn entering(&self, before: &Self::State) -> Vec<EdgeId>;

    /// The number of the entry of a block among the successors of a state, if [`Reducer::PATHS`] are nested.
    ///
    /// # Errors
    /// As for [`Reducer::reduce`].
    fn entering_choice(&mut self, before: &Self::State) -> Result<u32, AnalysisError> {
        let _ = before;
        Ok(0)
    }

    /// The entry state of the block that runs enter at `before`; `None` if the block can't take them over, so that their
    /// successors are those of [`Cpa::transfer`].
    ///
    /// # Errors
    /// When the run has to end, or the domain can't go on.
    fn reduce(
        &mut self,
        before: &Self::State,
        block: BlockId,
        precision: &Self::Precision,
    ) -> Result<Option<Self::State>, AnalysisError>;

    /// Whether a block that is entered at either state begins in the same way, so that its states can be expanded from both.
    ///
    /// # Errors
    /// As for [`Reducer::reduce`].
    fn enters_alike(
        &mut self,
        block: BlockId,
        before: &Self::State,
        other: &Self::State,
    ) -> Result<bool, AnalysisError> {
        let _ = block;
        Ok(before == other)
    }

    /// Whether runs leave the block at a state of it.
    fn is_exit(&self, block: BlockId, state: &Self::State) -> bool;

    /// A state of the block that was entered at `before`, as it is outside.
    ///
    /// # Errors
    /// As for [`Reducer::reduce`].
    fn expand(
        &mut self,
        before: &Self::State,
        block: BlockId,
        within: &Self::State,
    ) -> Result<Self::State, AnalysisError>;

    /// Appends the states after the block for one of its exits, adjusted to the precision.
    ///
    /// # Errors
    /// As for [`Reducer::reduce`].
    fn leave(
        &mut self,
        before: &Self::State,
        block: BlockId,
        exit: &Self::State,
        precision: &Self::Precision,
        out: &mut Vec<Successor<Self::State>>,
    ) -> Result<(), AnalysisError>;

    /// A block (none: the whole program) is about to be explored from an entry state: what an earlier run knows of it may be used
    /// in place of [`Cpa::transfer`].
    ///
    /// # Errors
    /// As for [`Reducer::reduce`].
    fn recall(
        &mut self,
        block: Option<BlockId>,
        entry: &Self::State,
        context: Option<&Self::Context>,
        precision: &Self::Precision,
    ) -> Result<(), AnalysisError> {
        let _ = (block, entry, context, precision);
        Ok(())
    }

    /// Forgets what earlier runs know, because the precision has changed; whether anything of it was used.
    fn forget_recalled(&mut self, _: Recalling) -> bool {
        false
    }

    /// Keeps a complete graph of a block for later runs, as the successors of its states.
    fn keep(
        &mut self,
        block: Option<BlockId>,
        entry: &Self::State,
        context: Option<&Self::Context>,
        graph: &[Successors<Self::State>],
    ) {
        let _ = (block, entry, context, graph);
    }
}

/// Whether earlier runs may be asked again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recalling {
    /// They may: other precisions have other answers.
    GoesOn,
    /// They may not: what they say is too coarse.
    Ends,
}

/// A state with its successors and their numbers.
pub type Successors<S> = (S, Vec<(u32, S)>);

//! The product of explicit values and predicates [beyer08; loewe13, Sect. III-F].
//!
//! The value part is [`crate::composite`], and the graph has its nodes. Blocks of the predicate part are those of
//! [`crate::predicate`], from one loop head to the next ones; a node in between remembers where its block began ([`past`]). When a
//! block ends, its formula is asked together with the predicates and values at its start and the values at its end. So runs
//! that have met again share a node, however many paths lead there, and a block is encoded once for all values.
//!
//! A block is asked only where the precision says so. Without predicates the product is the value part, and no block is even
//! encoded.
//!
//! All states of a graph take the same strategies for loops, those that are current, because a block and the nodes within have to
//! agree.
//!
//! Runs of a block that end in what the predicate part does not model are targets as soon as the block is asked, because its
//! formula is silent on them.

pub mod facts;
pub mod past;
pub mod precision;

use crate::composite::{Composite, CompositeCpa};
use crate::predicate::PredicateCpa;
use crate::predicate::block::{At, Block, End, Start};
use crate::value::assignment::AssignmentId;
use analysis::{AnalysisError, Cpa, Rank, Successor, Target};
use cfa::{EdgeId, LocId};
use past::{Origin, Past, PastId, Pasts};
use precision::ValuePredicatePrecision;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;
use std::rc::Rc;
use step::Point;
use step::StackId;

/// An abstract state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ValuePredicateState {
    /// Location, stack, observer, and values.
    pub values: Composite,
    /// What predicates say.
    pub past: PastId,
}

/// Successors that blocks have and the value part has not are numbered from here.
const FROM_BLOCK: u32 = 1 << 31;

/// Whether a successor's number is that of the end of a block, which is then returned.
pub fn end_of_block(choice: u32) -> Option<u32> {
    choice.checked_sub(FROM_BLOCK)
}

/// The product analysis.
pub struct ValuePredicateCpa<'p, 'b> {
    /// The value part.
    pub values: CompositeCpa<'p>,
    /// The predicate part.
    pub predicates: PredicateCpa<'p, 'b>,
    /// What predicates say of states.
    pub pasts: Pasts,
    /// From stacks of the value part to those of the predicate part.
    stacks: FxHashMap<StackId, StackId>,
    /// Variables of terms.
    mentioned: FxHashMap<TermId, Rc<FxHashSet<TermId>>>,
    successors: Vec<Successor<Composite>>,
}

impl<'p, 'b> ValuePredicateCpa<'p, 'b> {
    /// The product of two analyses of one program; blocks end at loop heads and recursive functions.
    pub fn new(values: CompositeCpa<'p>, predicates: PredicateCpa<'p, 'b>) -> Self {
        let pasts = Pasts::new(predicates.bdds.tru());
        Self {
            values,
            predicates,
            pasts,
            stacks: FxHashMap::default(),
            mentioned: FxHashMap::default(),
            successors: Vec::new(),
        }
    }

    /// Takes the strategies that are left to the predicate part; all states have to be explored again.
    pub fn reselect(&mut self) {
        self.values.strategies = self.predicates.strategies.clone();
    }

    /// Whether blocks end where the state is.
    pub fn is_point(&self, state: &ValuePredicateState) -> bool {
        self.values.locations.point(state.values.loc) == Point::Head
    }

    /// The state as the predicate part knows it.
    pub fn at(&mut self, state: &Composite) -> At {
        At { loc: state.loc, stack: self.stack(state.stack), observer: state.observer }
    }

    /// What a state's successors have behind them.
    fn behind(&self, from: &ValuePredicateState, precision: &ValuePredicatePrecision) -> Past {
        match self.pasts.get(from.past) {
            Past::Point { start, abstraction } => {
                let origin = Origin { values: from.values.value, abstraction };
                Past::Within { start, origin: precision.is_asked(start.at.loc).then_some(origin) }
            }
            past => past,
        }
    }

    /// The successor of the value part at a point: `None` if no run reaches it.
    fn arrive(
        &mut self,
        block: &Block,
        origin: Option<Origin>,
        state: Composite,
        precision: &ValuePredicatePrecision,
    ) -> Result<Option<Past>, AnalysisError> {
        let at = self.at(&state);
        let Some(end) = block.find(at, None) else { return Ok(None) };
        let abstraction = match origin {
            None => self.predicates.bdds.tru(),
            Some(origin) => {
                let preds = self.predicates.applicable(&precision.predicates, block, end);
                match self.ask(block, end, origin, Some(state.value), preds)? {
                    Some(abstraction) => abstraction,
                    None => return Ok(None),
                }
            }
        };
        Ok(Some(Past::Point { start: Start { at, shape: Some(block.ends[end].shape) }, abstraction }))
    }

    /// The abstraction at the end of a block, where these values are known.
    fn ask(
        &mut self,
        block: &Block,
        end: usize,
        origin: Origin,
        values: Option<AssignmentId>,
        preds: Rc<[crate::predicate::predicates::PredId]>,
    ) -> Result<Option<crate::predicate::bdd::BddId>, AnalysisError> {
        let at_start = self.facts(origin.values, None);
        let at_end = values.map(|values| self.facts(values, None)).unwrap_or_default();
        let Some(also) = self.restriction(block, end, origin.abstraction, &preds, (&at_start, &at_end)) else {
            return Ok(None);
        };
        self.predicates.abstract_end(block, end, origin.abstraction, also, preds)
    }

    /// Whether runs from the origin may reach an end that is a target.
    fn may_end(&mut self, block: &Block, end: usize, origin: Option<Origin>) -> Result<bool, AnalysisError> {
        match origin {
            None => Ok(true),
            Some(origin) => Ok(self.ask(block, end, origin, None, Rc::from([]))?.is_some()),
        }
    }

    /// Appends the ends of a block that the predicate part does not model.
    fn push_unmodelled(
        &mut self,
        block: &Block,
        origin: Option<Origin>,
        from: &ValuePredicateState,
        out: &mut Vec<Successor<ValuePredicateState>>,
    ) -> Result<(), AnalysisError> {
        for (index, end) in block.ends.iter().enumerate() {
            if let Some(Target::Unmodelled(_)) = end.target
                && self.may_end(block, index, origin)?
            {
                let choice = FROM_BLOCK + self.predicates.choice(end);
                let values = Composite { loc: end.at.loc, ..from.values };
                out.push(Successor { state: ValuePredicateState { values, ..*from }, choice, target: end.target });
            }
        }
        Ok(())
    }
}

impl Block {
    /// The end at a point.
    pub fn find(&self, at: At, unmodelled: Option<EdgeId>) -> Option<usize> {
        self.ends.iter().position(|end| end.key() == (at, unmodelled) && end.target != Some(Target::Violation))
    }

    /// The end that all violations are.
    pub fn violation(&self) -> Option<usize> {
        self.ends.iter().position(|end: &End| end.target == Some(Target::Violation))
    }
}

impl Cpa for ValuePredicateCpa<'_, '_> {
    type State = ValuePredicateState;
    type Precision = ValuePredicatePrecision;
    /// Values, and the past without its predicates.
    type Key = ValuePredicateState;

    fn initial(&mut self, precision: &ValuePredicatePrecision) -> ValuePredicateState {
        let values = self.values.initial(&precision.values);
        if !precision.uses_predicates() {
            return ValuePredicateState { values, past: self.pasts.unused() };
        }
        let start = Start { at: self.at(&values), shape: None };
        let past = self.pasts.intern(Past::Point { start, abstraction: self.predicates.bdds.tru() });
        ValuePredicateState { values, past }
    }

    fn loc(&self, state: &ValuePredicateState) -> LocId {
        state.values.loc
    }

    fn transfer(
        &mut self,
        from: &ValuePredicateState,
        precision: &ValuePredicatePrecision,
        out: &mut Vec<Successor<ValuePredicateState>>,
    ) -> Result<(), AnalysisError> {
        let mut found = std::mem::take(&mut self.successors);
        found.clear();
        self.values.transfer(&from.values, &precision.values, &mut found)?;
        let behind = self.behind(from, precision);
        let Past::Within { start, origin } = behind else {
            let past = self.pasts.unused();
            let with_past = |s: Successor<Composite>| {
                let state = ValuePredicateState { values: s.state, past };
                Successor { state, choice: s.choice, target: s.target }
            };
            out.extend(found.drain(..).map(with_past));
            self.successors = found;
            return Ok(());
        };
        let block = self.predicates.block(start, self.predicates.strategies.current())?;
        let within = self.pasts.intern(behind);
        let leaves_point = matches!(self.pasts.get(from.past), Past::Point { .. });
        let mut is_silent = leaves_point && origin.is_some();
        for Successor { state: values, choice, target } in found.drain(..) {
            let past = match target {
                None if self.values.locations.point(values.loc) == Point::Head => {
                    match self.arrive(&block, origin, values, precision)? {
                        Some(past) => self.pasts.intern(past),
                        None => {
                            // The encoding has no such end, whatever holds at the start.
                            is_silent |= origin.is_none();
                            continue;
                        }
                    }
                }
                None => within,
                Some(Target::Violation) => match block.violation() {
                    Some(end) if self.may_end(&block, end, origin)? => within,
                    Some(_) => continue,
                    None => {
                        is_silent |= origin.is_none();
                        continue;
                    }
                },
                Some(Target::Unmodelled(edge)) => {
                    let at = self.at(&values);
                    match block.find(at, Some(edge)) {
                        Some(end) if !self.may_end(&block, end, origin)? => continue,
                        _ => within,
                    }
                }
            };
            out.push(Successor { state: ValuePredicateState { values, past }, choice, target });
        }
        self.successors = found;
        if is_silent {
            self.push_unmodelled(&block, origin, from, out)?;
        }
        Ok(())
    }

    fn path(&mut self, from: &ValuePredicateState, choice: u32) -> Result<Vec<EdgeId>, AnalysisError> {
        let Some(end) = end_of_block(choice) else { return self.values.path(&from.values, choice) };
        let (Past::Point { start, .. } | Past::Within { start, .. }) = self.pasts.get(from.past) else {
            return Ok(Vec::new());
        };
        let block = self.predicates.block(start, self.predicates.strategies.current())?;
        Ok(self.predicates.end_of(&block, end).map_or(Vec::new(), |end| block.any_path(end as u32)))
    }

    fn leq(&mut self, lower: &ValuePredicateState, upper: &ValuePredicateState) -> Result<bool, AnalysisError> {
        if !self.values.leq(&lower.values, &upper.values)?
            || self.pasts.group(lower.past) != self.pasts.group(upper.past)
        {
            return Ok(false);
        }
        match (self.pasts.get(lower.past).abstraction(), self.pasts.get(upper.past).abstraction()) {
            (Some(lower), Some(upper)) => Ok(self.predicates.bdds.implies(lower, upper)?),
            _ => Ok(true),
        }
    }

    fn key(&self, state: &ValuePredicateState) -> ValuePredicateState {
        ValuePredicateState { past: self.pasts.group(state.past), ..*state }
    }

    fn file(&mut self, state: &ValuePredicateState) {
        self.values.file(&state.values);
    }

    fn covering_keys(&mut self, state: &ValuePredicateState, out: &mut Vec<ValuePredicateState>) {
        let past = self.pasts.group(state.past);
        let mut keys = Vec::new();
        self.values.covering_keys(&state.values, &mut keys);
        out.extend(keys.into_iter().map(|values| ValuePredicateState { values, past }));
    }

    fn rank(&self, state: &ValuePredicateState) -> Rank {
        self.values.rank(&state.values)
    }
}

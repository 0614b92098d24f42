//! The product of the shipped domains as a named struct, and its transfer from one abstraction point to the next.
//!
//! A transfer follows all runs of a state until they reach the next points at which the graph has nodes
//! ([`crate::location`]). Within it everything is tracked; the precision decides what the successors keep.

pub mod blocks;
mod learnt;
pub mod recall;

use crate::strategy::{Strategies, StrategyPrecisionId};
use crate::value::ValueDomain;
use crate::value::adjustment::Adjustment;
use crate::value::assignment::{AssignmentId, DomainId, Store, Work};
use crate::value::precision::ValuePrecision;
use analysis::{AnalysisError, Cpa, Rank, Successor, Target};
use base::{Budget, Effort, Stop};
use cfa::observer::ObserverState;
use cfa::{EdgeId, ExprId, FuncId, LocId, Observer, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;
use step::{At, Condition, DepthFirst, Domain, End, Kernel, Leaf, Locations, Point, StackId, Trail, Via, depth_first};

/// An abstract state: one component for each domain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Composite {
    /// Location.
    pub loc: LocId,
    /// Call stack.
    pub stack: StackId,
    /// Values.
    pub value: AssignmentId,
    /// Observer of the property.
    pub observer: ObserverState,
    /// Which strategies runs take at loops.
    pub strategy: StrategyPrecisionId,
}

/// What states must agree on to cover one another.
type Partition = (LocId, StackId, ObserverState);

/// The product analysis.
pub struct CompositeCpa<'p> {
    /// The value domain, which keeps the call stacks as well.
    pub value: ValueDomain<'p>,
    /// Where the graph has nodes.
    pub locations: Locations,
    kernel: Kernel<'p>,
    /// Strategies for loops.
    pub strategies: Strategies,
    /// Locations that are joins only because strategies lead to them.
    strategy_joins: FxHashSet<LocId>,
    /// Hash-consed assignments.
    pub store: Store,
    /// What leaves the precision because it takes too many values.
    pub adjustment: Adjustment,
    /// Which cells the reached states of a partition give values to.
    shapes: FxHashMap<Partition, Vec<DomainId>>,
    /// Edges carried out so far.
    pub steps: u64,
    budget: Budget,
    /// The strategies that the states of the current transfer take.
    following: StrategyPrecisionId,
    trail: Trail,
    spare: Vec<Work>,
    /// Blocks that are explored on their own.
    blocks: blocks::Blocks,
    /// What earlier runs know.
    recall: Option<Box<recall::Recall>>,
}

/// Most shapes of a partition that are tried for coverage.
const MAX_SHAPES: usize = 64;
/// What one step along an edge takes.
const STEP: Effort = Effort::thousandths(120);
/// What it takes to carry one value from one abstract state to the next.
const VALUE: Effort = Effort::thousandths(30);
/// What it takes to look at one value for coverage.
const LOOK: Effort = Effort::thousandths(3);

impl<'p> CompositeCpa<'p> {
    /// The product for a program and a property.
    pub fn new(
        value: ValueDomain<'p>,
        locations: Locations,
        observer: &Observer,
        strategies: Strategies,
        budget: &Budget,
    ) -> Self {
        let kernel = Kernel::new(value.program, observer);
        let strategy_joins = strategy_joins(value.program, &strategies);
        Self {
            value,
            locations,
            kernel,
            strategies,
            strategy_joins,
            store: Store::default(),
            adjustment: Adjustment::default(),
            shapes: FxHashMap::default(),
            steps: 0,
            budget: budget.clone(),
            following: StrategyPrecisionId::default(),
            trail: Trail::default(),
            spare: Vec::new(),
            blocks: blocks::Blocks::default(),
            recall: None,
        }
    }

    /// Interns the values of a successor and counts those that are new.
    fn intern(&mut self, from: AssignmentId, work: &Work) -> AssignmentId {
        let known = self.store.len();
        let value = self.store.intern(work);
        self.budget.spend(VALUE * self.store.size(value));
        if self.adjustment.is_on() && self.store.len() > known {
            let mut before = self.store.entries(from).peekable();
            for (cell, val) in self.store.entries(value) {
                while before.next_if(|(other, _)| *other < cell).is_some() {}
                let old = before.peek().filter(|(other, _)| *other == cell).map(|(_, old)| *old);
                self.adjustment.observe(&self.value.cells, cell, old, val);
            }
        }
        value
    }

    fn fresh(&mut self) -> Work {
        self.spare.pop().unwrap_or_default()
    }

    /// Follows all runs of a state to the next nodes. `leaf` gets each end and says whether to go on.
    fn follow(
        &mut self,
        from: &Composite,
        leaf: impl FnMut(&mut Self, &Trail, Leaf<Self>) -> ControlFlow<()>,
    ) -> Result<(), AnalysisError> {
        let mut work = self.fresh();
        self.store.load(from.value, &mut work);
        self.following = from.strategy;
        let at = At { loc: from.loc, stack: from.stack, observer: from.observer };
        let (kernel, mut trail) = (self.kernel.clone(), std::mem::take(&mut self.trail));
        let result = depth_first(&kernel, self, (at, work), &mut trail, leaf);
        self.trail = trail;
        Ok(result?)
    }
}

impl Domain for CompositeCpa<'_> {
    type Stack = StackId;
    type State = Work;
    type Condition = ExprId;

    fn chosen(&self, loc: LocId) -> Option<EdgeId> {
        self.strategies.chosen(self.following, loc)
    }

    fn copy(&mut self, work: &Work) -> Work {
        let mut copy = self.fresh();
        copy.copy_from(work);
        copy
    }

    fn discard(&mut self, work: Work) {
        self.spare.push(work);
    }

    fn condition(
        &mut self,
        work: &mut Work,
        at: At<StackId>,
        _: EdgeId,
        cond: ExprId,
    ) -> Result<Condition<ExprId>, End> {
        let decided = self.value.decide(work, at.stack, cond)?;
        Ok(decided.map_or(Condition::Open(cond), Condition::Decided))
    }

    fn assume(&mut self, work: &mut Work, at: At<StackId>, _: EdgeId, cond: &ExprId, truth: bool) -> Result<(), End> {
        self.value.learn(work, at.stack, *cond, truth)
    }

    fn post(&mut self, work: &mut Work, at: At<StackId>, edge: EdgeId) -> Result<(), End> {
        self.value.post(work, at.stack, edge)
    }

    fn enter(&mut self, work: &mut Work, at: At<StackId>, edge: EdgeId, func: FuncId) -> Result<StackId, End> {
        self.value.call(work, at.stack, edge, func)
    }

    fn leave(&mut self, work: &mut Work, at: At<StackId>) -> Option<(StackId, EdgeId)> {
        self.value.leave(work, at.stack)
    }

    fn ended(&mut self, _: At<StackId>, edge: EdgeId, end: End) {
        if let End::Undefined(_) = end {
            self.value.undefined.insert(edge);
        }
    }
}

impl DepthFirst for CompositeCpa<'_> {
    type Error = Stop;

    fn stops(&self, at: At<StackId>, parted: bool, via: Via) -> bool {
        match self.locations.point(at.loc) {
            Point::Head => true,
            Point::Through => false,
            // After a loop, a node would keep runs waiting that leave the loop as it is, and do not meet those of its strategies.
            Point::Join if parted && self.strategy_joins.contains(&at.loc) => {
                let (Via::Edge(edge) | Via::Return(edge)) = via;
                self.strategies.map().is_added(self.value.program.edges[edge].src)
            }
            Point::Join => parted,
        }
    }

    fn tick(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        self.budget.step(STEP)
    }
}

fn strategy_joins(program: &Program, strategies: &Strategies) -> FxHashSet<LocId> {
    let map = strategies.map();
    if map.choices.is_empty() {
        return FxHashSet::default();
    }
    let own = |edge: &&EdgeId| {
        let edge = &program.edges[**edge];
        !edge.op.ends_path() && !map.is_added(edge.src)
    };
    let candidates = program.locs.iter_enumerated().filter(|(id, _)| !map.is_added(*id));
    candidates.filter(|(_, loc)| loc.inc.iter().filter(own).count() <= 1).map(|(id, _)| id).collect()
}

impl Cpa for CompositeCpa<'_> {
    type State = Composite;
    type Precision = ValuePrecision;
    type Key = Composite;

    /// The root keeps all initial values, whatever the precision: it is one state, and so it never has to be computed again.
    fn initial(&mut self, _: &ValuePrecision) -> Composite {
        let mut work = Work::default();
        self.value.initialise(&mut work);
        let stack = self.value.stacks.root();
        let program = self.value.program;
        let loc = program.functions[program.start].body.map_or(base::Id::from_index(0), |body| body.entry);
        let strategy = self.strategies.current();
        Composite { loc, stack, value: self.store.intern(&work), observer: Observer::INITIAL, strategy }
    }

    fn loc(&self, state: &Composite) -> LocId {
        state.loc
    }

    fn transfer(
        &mut self,
        from: &Composite,
        precision: &ValuePrecision,
        out: &mut Vec<Successor<Composite>>,
    ) -> Result<(), AnalysisError> {
        if let Some(known) = self.recalled(from) {
            out.extend(known.iter().map(|(choice, state)| Successor { state: *state, choice: *choice, target: None }));
            return Ok(());
        }
        let mut choice = 0;
        self.follow(from, |this, _, mut leaf| {
            let At { loc, stack, observer } = leaf.at;
            let tracked = precision.at(loc);
            let (value, adjustment) = (&this.value, &this.adjustment);
            leaf.state.retain(|cell| {
                let info = &value.cells.cells[cell];
                let is_tracked = (tracked.is_full() || tracked.cell(info)) && !adjustment.is_dropped(info.key);
                is_tracked && value.is_live(stack, loc, cell)
            });
            let value = this.intern(from.value, &leaf.state);
            let strategy = this.strategies.current();
            let state = Composite { loc, stack, value, observer, strategy };
            this.spare.push(leaf.state);
            out.push(Successor { state, choice, target: Target::of(leaf.outcome) });
            choice += 1;
            ControlFlow::Continue(())
        })
    }

    fn path(&mut self, from: &Composite, choice: u32) -> Result<Vec<EdgeId>, AnalysisError> {
        let mut edges = Vec::new();
        let mut number = 0;
        self.follow(from, |this, trail, leaf| {
            this.spare.push(leaf.state);
            if number == choice {
                edges = trail.edges_to(leaf.last);
                return ControlFlow::Break(());
            }
            number += 1;
            ControlFlow::Continue(())
        })?;
        Ok(edges)
    }

    fn leq(&mut self, lower: &Composite, upper: &Composite) -> Result<bool, AnalysisError> {
        let partition = |s: &Composite| (s.loc, s.stack, s.observer);
        Ok(partition(lower) == partition(upper) && self.store.leq(lower.value, upper.value))
    }

    /// States cover one another whatever strategies they take: each one's successors cover all of its runs.
    fn key(&self, state: &Composite) -> Composite {
        Composite { strategy: StrategyPrecisionId::default(), ..*state }
    }

    fn reselected(&self, state: &Composite) -> Composite {
        Composite { strategy: self.strategies.current(), ..*state }
    }

    fn file(&mut self, state: &Composite) {
        let domain = self.store.domain(state.value);
        let shapes = self.shapes.entry((state.loc, state.stack, state.observer)).or_default();
        if !shapes.contains(&domain) && shapes.len() < MAX_SHAPES {
            shapes.push(domain);
            // The fewest cells cover the most.
            let store = &self.store;
            shapes.sort_by_key(|d| store.domain_len(*d));
        }
    }

    fn covering_keys(&mut self, state: &Composite, out: &mut Vec<Composite>) {
        let state = &self.key(state);
        out.push(*state);
        let Some(shapes) = self.shapes.get(&(state.loc, state.stack, state.observer)) else { return };
        self.budget.spend(LOOK * self.store.size(state.value) * shapes.len() as u32);
        for shape in shapes {
            if let Some(value) = self.store.project(state.value, *shape)
                && value != state.value
            {
                out.push(Composite { value, ..*state });
            }
        }
    }

    fn rank(&self, state: &Composite) -> Rank {
        Rank { depth: self.value.stacks.frame(state.stack).depth, position: self.locations.position(state.loc) }
    }
}

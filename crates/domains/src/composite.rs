//! The product of the shipped domains as a named struct, and its transfer from one abstraction point to the next.
//!
//! A transfer follows all runs of a state until they reach the next points at which the graph has nodes
//! ([`crate::location`]). Within it everything is tracked; the precision decides what the successors keep.

pub mod blocks;
mod learnt;
pub mod recall;

use crate::automaton::Automaton;
use crate::callstack::StackId;
use crate::location::{Locations, Point};
use crate::strategy::{Strategies, StrategyPrecisionId};
use crate::value::adjustment::Adjustment;
use crate::value::assignment::{AssignmentId, DomainId, Store, Work};
use crate::value::precision::ValuePrecision;
use crate::value::{End, ValueDomain};
use analysis::{AnalysisError, Cpa, Rank, Successor, Target};
use base::Budget;
use cfa::observer::ObserverState;
use cfa::{EdgeId, LocId, Observer, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};

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
    automaton: Automaton,
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
    pending: Vec<Pending>,
    /// Edges followed in the current transfer, each with the one before.
    trail: Vec<(EdgeId, u32)>,
    spare: Vec<Work>,
    /// Blocks that are explored on their own.
    blocks: blocks::Blocks,
    /// What earlier runs know.
    recall: Option<Box<recall::Recall>>,
}

/// Runs that are being followed.
struct Pending {
    loc: LocId,
    stack: StackId,
    observer: ObserverState,
    work: Work,
    /// Whether they have parted from others since the last node.
    parted: bool,
    /// Last entry of the trail.
    last: u32,
    /// Whether `loc` is where the transfer begins.
    at_start: bool,
    /// Set if they end here.
    target: Option<Target>,
}

impl Pending {
    /// The same with other values.
    fn with(&self, work: Work) -> Self {
        let Self { loc, stack, observer, parted, last, target, .. } = *self;
        Self { loc, stack, observer, work, parted, last, at_start: false, target }
    }
}

/// Where followed runs end.
struct Leaf {
    at: Pending,
    target: Option<Target>,
}

/// Begin of the trail.
const START: u32 = u32::MAX;
/// Most shapes of a partition that are tried for coverage.
const MAX_SHAPES: usize = 64;

impl<'p> CompositeCpa<'p> {
    /// The product for a program and a property.
    pub fn new(
        value: ValueDomain<'p>,
        locations: Locations,
        observer: &Observer,
        strategies: Strategies,
        budget: &Budget,
    ) -> Self {
        let automaton = Automaton::new(value.program, observer);
        let strategy_joins = strategy_joins(value.program, &strategies);
        Self {
            value,
            locations,
            automaton,
            strategies,
            strategy_joins,
            store: Store::default(),
            adjustment: Adjustment::default(),
            shapes: FxHashMap::default(),
            steps: 0,
            budget: budget.clone(),
            pending: Vec::new(),
            trail: Vec::new(),
            spare: Vec::new(),
            blocks: blocks::Blocks::default(),
            recall: None,
        }
    }

    /// Interns the values of a successor and counts those that are new.
    fn intern(&mut self, from: AssignmentId, work: &Work) -> AssignmentId {
        let known = self.store.len();
        let value = self.store.intern(work);
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

    /// Follows all runs of a state to the next nodes. `leaf` gets each end with its number and says whether to go on.
    fn follow(
        &mut self,
        from: &Composite,
        mut leaf: impl FnMut(&mut Self, Leaf, u32) -> bool,
    ) -> Result<(), AnalysisError> {
        let mut work = self.fresh();
        self.store.load(from.value, &mut work);
        self.trail.clear();
        let mut pending = std::mem::take(&mut self.pending);
        pending.clear();
        pending.push(Pending {
            loc: from.loc,
            stack: from.stack,
            observer: from.observer,
            work,
            parted: false,
            last: START,
            at_start: true,
            target: None,
        });
        let mut choice = 0;
        let mut result = Ok(());
        while let Some(at) = pending.pop() {
            match self.run(at, from.strategy, &mut pending) {
                Ok(Some(end)) => {
                    let go_on = leaf(self, end, choice);
                    choice += 1;
                    if !go_on {
                        break;
                    }
                }
                Ok(None) => {}
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        while let Some(at) = pending.pop() {
            self.spare.push(at.work);
        }
        self.pending = pending;
        result
    }

    /// Follows runs until they reach a node, end, or part; the other parts are pushed.
    fn run(
        &mut self,
        mut at: Pending,
        strategy: StrategyPrecisionId,
        pending: &mut Vec<Pending>,
    ) -> Result<Option<Leaf>, AnalysisError> {
        let program = self.value.program;
        if let Some(target) = at.target {
            return Ok(Some(Leaf { at, target: Some(target) }));
        }
        loop {
            if !std::mem::take(&mut at.at_start) {
                if at.observer == self.automaton.error() {
                    return Ok(Some(Leaf { at, target: Some(Target::Violation) }));
                }
                let stop = match self.locations.point(at.loc) {
                    Point::Head => true,
                    Point::Join => at.parted && self.is_join(&at),
                    Point::Through => false,
                };
                if stop {
                    return Ok(Some(Leaf { at, target: None }));
                }
            }
            self.steps += 1;
            if self.steps.is_multiple_of(256) {
                self.budget.check()?;
            }
            let func = program.locs[at.loc].func;
            if program.functions[func].body.is_some_and(|body| body.exit == at.loc) {
                let Some((stack, loc)) = self.value.leave(&mut at.work, at.stack) else {
                    self.spare.push(at.work);
                    return Ok(None);
                };
                (at.stack, at.loc) = (stack, loc);
                at.observer = self.automaton.enter(at.observer, loc);
                continue;
            }
            let chosen;
            let out = match self.strategies.edges(program, strategy, at.loc) {
                [edge] => {
                    chosen = [*edge];
                    &chosen[..]
                }
                _ => &program.locs[at.loc].out[..],
            };
            let next = match out {
                [] => None,
                [edge] => self.take(at, *edge),
                [first, second] => self.branch(at, *first, *second, pending),
                _ => self.fork(at, out, pending),
            };
            match next {
                None => return Ok(None),
                Some(Leaf { at: next, target: None }) => at = next,
                Some(leaf) => return Ok(Some(leaf)),
            }
        }
    }

    /// Whether runs that come this way may meet others. After a loop, a node would keep runs waiting that leave the loop as it is.
    fn is_join(&self, at: &Pending) -> bool {
        if self.strategy_joins.is_empty() || !self.strategy_joins.contains(&at.loc) {
            return true;
        }
        let last = self.trail.get(at.last as usize);
        last.is_none_or(|(edge, _)| self.strategies.map().is_added(self.value.program.edges[*edge].src))
    }

    /// Two edges: mostly a condition and its opposite.
    fn branch(&mut self, mut at: Pending, first: EdgeId, second: EdgeId, pending: &mut Vec<Pending>) -> Option<Leaf> {
        let program = self.value.program;
        let (Op::Assume { cond, truth }, Op::Assume { cond: other, truth: not }) =
            (&program.edges[first].op, &program.edges[second].op)
        else {
            return self.fork(at, &[first, second], pending);
        };
        if cond != other || truth == not {
            return self.fork(at, &[first, second], pending);
        }
        let (cond, truth) = (*cond, *truth);
        match self.value.decide(&mut at.work, at.stack, cond) {
            Ok(Some(holds)) => return Some(self.arrive(at, if holds == truth { first } else { second }, None)),
            Ok(None) => {}
            Err(end) => {
                return self.end(at, first, end);
            }
        }
        let mut copy = self.fresh();
        copy.copy_from(&at.work);
        let mut opposite = at.with(copy);
        let one = self.value.learn(&mut at.work, at.stack, cond, truth);
        let other = self.value.learn(&mut opposite.work, opposite.stack, cond, !truth);
        for (edge, result) in [(first, one), (second, other)] {
            if let Err(End::Undefined(_)) = result {
                self.value.undefined.insert(edge);
            }
        }
        match (one, other) {
            (Ok(()), Ok(())) => {
                (at.parted, opposite.parted) = (true, true);
                let second = self.arrive(opposite, second, None);
                pending.push(second.at);
                Some(self.arrive(at, first, None))
            }
            (Ok(()), Err(_)) => {
                self.spare.push(opposite.work);
                Some(self.arrive(at, first, None))
            }
            (Err(_), Ok(())) => {
                self.spare.push(at.work);
                Some(self.arrive(opposite, second, None))
            }
            (Err(end), Err(_)) => {
                self.spare.push(opposite.work);
                self.end(at, first, end)
            }
        }
    }

    /// Any edges.
    fn fork(&mut self, at: Pending, edges: &[EdgeId], pending: &mut Vec<Pending>) -> Option<Leaf> {
        let mut survivors = Vec::new();
        for edge in edges {
            let mut work = self.fresh();
            work.copy_from(&at.work);
            survivors.extend(self.take(at.with(work), *edge));
        }
        self.spare.push(at.work);
        let parted = survivors.len() > 1;
        let mut first = None;
        for mut leaf in survivors.into_iter().rev() {
            leaf.at.parted |= parted;
            if let Some(leaf) = first.replace(leaf) {
                pending.push(Pending { target: leaf.target, ..leaf.at });
            }
        }
        first
    }

    /// Carries out an edge.
    fn take(&mut self, mut at: Pending, edge: EdgeId) -> Option<Leaf> {
        match self.value.step(&mut at.work, at.stack, edge) {
            Ok(stack) => {
                let entered = (stack != at.stack).then_some(stack);
                Some(self.arrive(at, edge, entered))
            }
            Err(end) => self.end(at, edge, end),
        }
    }

    /// Arrives behind an edge, or in the function that it calls.
    fn arrive(&mut self, mut at: Pending, edge: EdgeId, entered: Option<StackId>) -> Leaf {
        let program = self.value.program;
        self.trail.push((edge, at.last));
        at.last = self.trail.len() as u32 - 1;
        let dst = program.edges[edge].dst;
        match &program.edges[edge].op {
            Op::Call { func, .. } => {
                at.observer = self.automaton.call(at.observer, *func);
                if let (Some(stack), Some(body)) = (entered, program.functions[*func].body) {
                    at.stack = stack;
                    at.loc = body.entry;
                    if at.observer != self.automaton.error() {
                        at.observer = self.automaton.enter(at.observer, body.entry);
                    }
                }
            }
            op => {
                if let Op::CallExtern { func, .. } = op {
                    at.observer = self.automaton.call(at.observer, *func);
                }
                at.loc = dst;
                if at.observer != self.automaton.error() {
                    at.observer = self.automaton.enter(at.observer, dst);
                }
            }
        }
        Leaf { at, target: None }
    }

    /// No run goes on behind the edge.
    fn end(&mut self, mut at: Pending, edge: EdgeId, end: End) -> Option<Leaf> {
        if !end.is_excluded() {
            self.trail.push((edge, at.last));
            at.last = self.trail.len() as u32 - 1;
            return Some(Leaf { at, target: Some(Target::Unmodelled(edge)) });
        }
        if let End::Undefined(_) = end {
            self.value.undefined.insert(edge);
        }
        self.spare.push(at.work);
        None
    }

    /// The edges up to an entry of the trail.
    fn edges_to(&self, mut last: u32) -> Vec<EdgeId> {
        let mut edges = Vec::new();
        while let Some((edge, before)) = self.trail.get(last as usize) {
            edges.push(*edge);
            last = *before;
        }
        edges.reverse();
        edges
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
        self.follow(from, |this, Leaf { mut at, target }, choice| {
            let tracked = precision.at(at.loc);
            let (value, adjustment) = (&this.value, &this.adjustment);
            let (stack, loc) = (at.stack, at.loc);
            at.work.retain(|cell| {
                let info = &value.cells.cells[cell];
                let is_tracked = (tracked.is_full() || tracked.cell(info)) && !adjustment.is_dropped(info.key);
                is_tracked && value.is_live(stack, loc, cell)
            });
            let value = this.intern(from.value, &at.work);
            let strategy = this.strategies.current();
            let state = Composite { loc: at.loc, stack: at.stack, value, observer: at.observer, strategy };
            this.spare.push(at.work);
            out.push(Successor { state, choice, target });
            true
        })
    }

    fn path(&mut self, from: &Composite, choice: u32) -> Result<Vec<EdgeId>, AnalysisError> {
        let mut edges = Vec::new();
        self.follow(from, |this, leaf, number| {
            if number == choice {
                edges = this.edges_to(leaf.at.last);
            }
            this.spare.push(leaf.at.work);
            number != choice
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

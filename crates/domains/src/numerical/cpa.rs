//! The analysis as a configurable program analysis: one state for each location, call stack and observer state.

use super::cell::{Call, Place, Scope};
use super::number::{is_tracked, number};
use super::state::{Bottom, Numerical};
use analysis::{AnalysisError, Cpa, Merged, Rank, Successor, Target};
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::live::Live;
use cfa::observer::ObserverState;
use cfa::points_to::PointsTo;
use cfa::{EdgeId, ExprId, ExprKind, FuncId, LocId, Observer, Program};
use encode::{FrameSlots, Slots};
use outcome::StopReason;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;
use step::{
    At, Callstacks, Condition, DepthFirst, Domain, End, Kernel, Leaf, Locations, Outcome, Point, StackId, Trail, Via,
    depth_first,
};

/// An abstract state at a place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reached<S> {
    /// Location.
    pub loc: LocId,
    /// Call stack.
    pub stack: StackId,
    /// Observer of the property.
    pub observer: ObserverState,
    /// What is known of numbers.
    pub state: Rc<S>,
}

/// What states must agree on to be joined.
pub type NumericalKey = (LocId, StackId, ObserverState);

/// The analysis.
pub struct NumericalCpa<'p, S: Numerical> {
    kernel: Kernel<'p>,
    plan: S::Plan,
    points_to: &'p PointsTo,
    locations: Locations,
    /// Call stacks.
    pub stacks: Callstacks,
    calls: CallGraph,
    live: Live,
    slots: Slots,
    /// Where bounds that grow stop for a while, ascending.
    thresholds: Vec<i128>,
    merges: FxHashMap<NumericalKey, u32>,
    /// Why the analysis can't go on.
    failed: Option<StopReason>,
    /// Edges at which all runs of some state met undefined behaviour.
    pub undefined: BTreeSet<EdgeId>,
    /// Edges by which some state violated the property; `None` for a violation right behind a return.
    pub violations: BTreeSet<Option<EdgeId>>,
    budget: Budget,
    /// Edges carried out so far.
    pub steps: u64,
}

/// Joins at a head before bounds are widened.
const DELAY: u32 = 2;
/// Deepest call stack with recursive functions.
const MAX_RECURSION: u32 = 100;
/// Most thresholds.
const MAX_THRESHOLDS: usize = 100;

impl<'p, S: Numerical> NumericalCpa<'p, S> {
    /// The analysis of a program for a property.
    pub fn new(
        program: &'p Program,
        points_to: &'p PointsTo,
        (plan, locations, calls): (S::Plan, Locations, CallGraph),
        observer: &Observer,
        budget: &Budget,
    ) -> Self {
        Self {
            kernel: Kernel::new(program, observer),
            plan,
            points_to,
            locations,
            stacks: Callstacks::new(program),
            calls,
            live: encode::live_or_size(program),
            slots: Slots::new(program),
            thresholds: thresholds(program),
            merges: FxHashMap::default(),
            failed: None,
            undefined: BTreeSet::new(),
            violations: BTreeSet::new(),
            budget: budget.clone(),
            steps: 0,
        }
    }

    fn scope(&self, stack: StackId) -> Scope<'p> {
        Scope { program: self.kernel.program, stack, root: self.stacks.root() }
    }

    /// Follows all runs of a state to the next nodes.
    fn follow(
        &mut self,
        from: &Reached<S>,
        leaf: impl FnMut(&mut Self, &Trail, Leaf<Self>) -> ControlFlow<()>,
    ) -> Result<(), AnalysisError> {
        let at = At { loc: from.loc, stack: from.stack, observer: from.observer };
        let (kernel, mut state) = (self.kernel.clone(), (*from.state).clone());
        match state.close() {
            Ok(()) => depth_first(&kernel, self, (at, state), &mut Trail::default(), leaf),
            Err(Bottom) => Ok(()),
        }
    }

    /// What is still read of a state.
    fn keep_live(&self, at: At<StackId>, state: &mut S) {
        let (stack, loc, program) = (at.stack, at.loc, self.kernel.program);
        state.retain(|cell| match cell.place {
            Place::Register(s, var) if s == stack && !program.vars[var].is_global() => {
                self.live.is_live(loc, self.slots.slot(program, FrameSlots(0), var))
            }
            _ => true,
        });
    }
}

impl<S: Numerical> Domain for NumericalCpa<'_, S> {
    type Stack = StackId;
    type State = S;
    type Condition = ExprId;

    fn copy(&mut self, state: &S) -> S {
        state.clone()
    }

    fn condition(&mut self, _: &mut S, _: At<StackId>, _: EdgeId, cond: ExprId) -> Result<Condition<ExprId>, End> {
        Ok(Condition::Open(cond))
    }

    fn assume(&mut self, state: &mut S, at: At<StackId>, _: EdgeId, cond: &ExprId, truth: bool) -> Result<(), End> {
        Ok(state.assume(self.scope(at.stack), *cond, truth)?)
    }

    fn post(&mut self, state: &mut S, at: At<StackId>, edge: EdgeId) -> Result<(), End> {
        state.post(self.scope(at.stack), self.points_to, &self.kernel.program.edges[edge].op)
    }

    fn enter(&mut self, state: &mut S, at: At<StackId>, edge: EdgeId, func: FuncId) -> Result<StackId, End> {
        let (callee, _) = self.stacks.push(at.stack, edge, func);
        let limit = MAX_RECURSION;
        if self.calls.is_recursive(func) && self.stacks.frame(callee).depth > limit {
            self.failed = Some(StopReason::StackDepth { limit });
        }
        state.enter(&self.plan, Call { caller: self.scope(at.stack), callee: self.scope(callee), edge, func })?;
        Ok(callee)
    }

    fn ended(&mut self, _: At<StackId>, edge: EdgeId, end: End) {
        if let End::Undefined(_) = end {
            self.undefined.insert(edge);
        }
    }

    fn leave(&mut self, state: &mut S, at: At<StackId>) -> Option<(StackId, EdgeId)> {
        let frame = self.stacks.frame(at.stack);
        let (func, (caller, edge)) = (frame.func, frame.caller?);
        let call = Call { caller: self.scope(caller), callee: self.scope(at.stack), edge, func };
        // Where no run goes on, it is as if the program ended.
        state.leave(call).ok().map(|()| (caller, edge))
    }
}

impl<S: Numerical> DepthFirst for NumericalCpa<'_, S> {
    type Error = AnalysisError;

    fn stops(&self, at: At<StackId>, _: bool, _: Via) -> bool {
        self.locations.point(at.loc) != Point::Through
    }

    fn tick(&mut self) -> Result<(), AnalysisError> {
        if let Some(reason) = self.failed.take() {
            return Err(AnalysisError::Failed(reason));
        }
        self.steps += 1;
        Ok(self.budget.step(S::STEP)?)
    }
}

/// Constants of the program and their neighbours, ascending.
pub fn thresholds(program: &Program) -> Vec<i128> {
    let mut found = BTreeSet::from([-1, 0, 1]);
    for id in program.exprs.ids() {
        if let cfa::Expr { kind: ExprKind::Const(value), ty } = program.exprs.get(id)
            && is_tracked(ty)
            && found.len() < MAX_THRESHOLDS
        {
            let n = number(value, ty);
            found.extend([n - 1, n, n + 1]);
        }
    }
    found.into_iter().collect()
}

impl<S: Numerical> Cpa for NumericalCpa<'_, S> {
    type State = Reached<S>;
    type Precision = ();
    type Key = NumericalKey;

    const MERGES: bool = true;

    fn initial(&mut self, (): &()) -> Reached<S> {
        let stack = self.stacks.root();
        let state = S::initial(&self.plan, self.scope(stack));
        let loc = self.kernel.program.functions[self.kernel.program.start]
            .body
            .map_or(base::Id::from_index(0), |body| body.entry);
        Reached { loc, stack, observer: Observer::INITIAL, state: Rc::new(state) }
    }

    fn loc(&self, state: &Reached<S>) -> LocId {
        state.loc
    }

    fn transfer(
        &mut self,
        from: &Reached<S>,
        (): &(),
        out: &mut Vec<Successor<Reached<S>>>,
    ) -> Result<(), AnalysisError> {
        let mut choice = 0;
        self.follow(from, |this, trail, Leaf { at, outcome, last, mut state, .. }| {
            match outcome {
                Outcome::Arrived => this.keep_live(at, &mut state),
                Outcome::Violated => drop(this.violations.insert(trail.edge(last))),
                Outcome::Unmodelled(_) => {}
            }
            let state = Reached { loc: at.loc, stack: at.stack, observer: at.observer, state: Rc::new(state) };
            out.push(Successor { state, choice, target: Target::of(outcome) });
            choice += 1;
            ControlFlow::Continue(())
        })
    }

    fn path(&mut self, from: &Reached<S>, choice: u32) -> Result<Vec<EdgeId>, AnalysisError> {
        let mut edges = Vec::new();
        let mut number = 0;
        self.follow(from, |_, trail, leaf| {
            if number == choice {
                edges = trail.edges_to(leaf.last);
                return ControlFlow::Break(());
            }
            number += 1;
            ControlFlow::Continue(())
        })?;
        Ok(edges)
    }

    fn merge(&mut self, new: &Reached<S>, old: &Reached<S>) -> Merged<Reached<S>> {
        if new.state.leq(&old.state) {
            return Merged::Sep;
        }
        let joined = old.state.join(&new.state);
        let key = self.key(old);
        let state = if self.locations.point(old.loc) == Point::Head {
            let merges = self.merges.entry(key).or_insert(0);
            *merges += 1;
            if *merges > DELAY { old.state.widen(&joined, &self.thresholds) } else { joined }
        } else {
            joined
        };
        Merged::Into(Reached { state: Rc::new(state), ..old.clone() })
    }

    fn leq(&mut self, lower: &Reached<S>, upper: &Reached<S>) -> Result<bool, AnalysisError> {
        Ok(self.key(lower) == self.key(upper) && lower.state.leq(&upper.state))
    }

    fn key(&self, state: &Reached<S>) -> NumericalKey {
        (state.loc, state.stack, state.observer)
    }

    fn covering_keys(&mut self, state: &Reached<S>, out: &mut Vec<NumericalKey>) {
        out.push(self.key(state));
    }

    fn rank(&self, state: &Reached<S>) -> Rank {
        Rank { depth: self.stacks.frame(state.stack).depth, position: self.locations.position(state.loc) }
    }
}

//! The analysis as a configurable program analysis: one state for each location, call stack and observer state.

use super::env::Env;
use super::eval::Scope;
use super::post::{assign, drop_frame, initialise, post};
use crate::interval::env::Place;
use crate::interval::number::number;
use analysis::{AnalysisError, Cpa, Merged, Rank, Successor, Target};
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::live::Live;
use cfa::observer::ObserverState;
use cfa::points_to::PointsTo;
use cfa::{EdgeId, ExprId, ExprKind, FuncId, LocId, Observer, Op, Program};
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

/// An abstract state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IntervalState {
    /// Location.
    pub loc: LocId,
    /// Call stack.
    pub stack: StackId,
    /// Observer of the property.
    pub observer: ObserverState,
    /// Numbers.
    pub env: Rc<Env>,
}

/// What states must agree on to be joined.
pub type IntervalKey = (LocId, StackId, ObserverState);

/// The analysis.
pub struct IntervalCpa<'p> {
    kernel: Kernel<'p>,
    points_to: &'p PointsTo,
    locations: Locations,
    /// Call stacks.
    pub stacks: Callstacks,
    calls: CallGraph,
    live: Live,
    slots: Slots,
    /// Where bounds that grow stop for a while, ascending.
    thresholds: Vec<i128>,
    merges: FxHashMap<IntervalKey, u32>,
    /// Why the analysis can't go on.
    failed: Option<StopReason>,
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

impl<'p> IntervalCpa<'p> {
    /// The analysis of a program for a property.
    pub fn new(
        program: &'p Program,
        points_to: &'p PointsTo,
        (locations, calls): (Locations, CallGraph),
        observer: &Observer,
        budget: &Budget,
    ) -> Self {
        let slots = Slots::new(program);
        let slot = |var| slots.slot(program, FrameSlots(0), var);
        let live = Live::new(program, slot, |func| slots.frame_size(func) as usize);
        Self {
            kernel: Kernel::new(program, observer),
            points_to,
            locations,
            stacks: Callstacks::new(program),
            calls,
            live,
            slots,
            thresholds: thresholds(program),
            merges: FxHashMap::default(),
            failed: None,
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
        from: &IntervalState,
        leaf: impl FnMut(&mut Self, &Trail, Leaf<Self>) -> ControlFlow<()>,
    ) -> Result<(), AnalysisError> {
        let at = At { loc: from.loc, stack: from.stack, observer: from.observer };
        let (kernel, env) = (self.kernel.clone(), (*from.env).clone());
        depth_first(&kernel, self, (at, env), &mut Trail::default(), leaf)
    }

    /// What is still read of a state.
    fn keep_live(&self, at: At<StackId>, env: &mut Env) {
        let (stack, loc, program) = (at.stack, at.loc, self.kernel.program);
        env.retain(|cell| match cell.place {
            Place::Register(s, var) if s == stack && !program.vars[var].is_global() => {
                self.live.is_live(loc, self.slots.slot(program, FrameSlots(0), var))
            }
            _ => true,
        });
    }
}

impl Domain for IntervalCpa<'_> {
    type Stack = StackId;
    type State = Env;
    type Condition = ExprId;

    fn copy(&mut self, env: &Env) -> Env {
        env.clone()
    }

    fn condition(&mut self, _: &mut Env, _: At<StackId>, _: EdgeId, cond: ExprId) -> Result<Condition<ExprId>, End> {
        Ok(Condition::Open(cond))
    }

    fn assume(&mut self, env: &mut Env, at: At<StackId>, _: EdgeId, cond: &ExprId, truth: bool) -> Result<(), End> {
        Ok(self.scope(at.stack).assume(env, *cond, truth)?)
    }

    fn post(&mut self, env: &mut Env, at: At<StackId>, edge: EdgeId) -> Result<(), End> {
        post(self.scope(at.stack), self.points_to, env, &self.kernel.program.edges[edge].op)
    }

    fn enter(&mut self, env: &mut Env, at: At<StackId>, edge: EdgeId, func: FuncId) -> Result<StackId, End> {
        let program = self.kernel.program;
        let (callee, _) = self.stacks.push(at.stack, edge, func);
        let limit = MAX_RECURSION;
        if self.calls.is_recursive(func) && self.stacks.frame(callee).depth > limit {
            self.failed = Some(StopReason::StackDepth { limit });
        }
        let (caller, inner) = (self.scope(at.stack), self.scope(callee));
        if let Op::Call { args, .. } = &program.edges[edge].op {
            for (param, arg) in program.functions[func].params.iter().zip(args) {
                assign(caller, env, inner.register(*param), *arg);
            }
        }
        Ok(callee)
    }

    fn leave(&mut self, env: &mut Env, at: At<StackId>) -> Option<(StackId, EdgeId)> {
        let program = self.kernel.program;
        let frame = self.stacks.frame(at.stack);
        let (caller, call) = frame.caller?;
        let (inner, outer) = (self.scope(at.stack), self.scope(caller));
        if let Op::Call { dst: Some(dst), .. } = &program.edges[call].op
            && let Some(dst) = outer.register(*dst)
        {
            match program.functions[frame.func].ret.and_then(|ret| inner.register(ret)) {
                Some(ret) if ret.ty == dst.ty => {
                    let num = env.get(ret);
                    env.assign_sum(dst, ret, 0, num);
                }
                _ => env.forget(dst),
            }
        }
        drop_frame(env, at.stack, inner);
        Some((caller, call))
    }
}

impl DepthFirst for IntervalCpa<'_> {
    type Error = AnalysisError;

    fn stops(&self, at: At<StackId>, _: bool, _: Via) -> bool {
        self.locations.point(at.loc) != Point::Through
    }

    fn tick(&mut self) -> Result<(), AnalysisError> {
        if let Some(reason) = self.failed.take() {
            return Err(AnalysisError::Failed(reason));
        }
        self.steps += 1;
        Ok(self.budget.check()?)
    }
}

/// Constants of the program and their neighbours, ascending.
pub(super) fn thresholds(program: &Program) -> Vec<i128> {
    let mut found = BTreeSet::from([-1, 0, 1]);
    for id in program.exprs.ids() {
        if let cfa::Expr { kind: ExprKind::Const(value), ty } = program.exprs.get(id)
            && super::number::is_tracked(ty)
            && found.len() < MAX_THRESHOLDS
        {
            let n = number(value, ty);
            found.extend([n - 1, n, n + 1]);
        }
    }
    found.into_iter().collect()
}

impl Cpa for IntervalCpa<'_> {
    type State = IntervalState;
    type Precision = ();
    type Key = IntervalKey;

    const MERGES: bool = true;

    fn initial(&mut self, (): &()) -> IntervalState {
        let stack = self.stacks.root();
        let mut env = Env::default();
        initialise(self.scope(stack), &mut env);
        let loc = self.kernel.program.functions[self.kernel.program.start]
            .body
            .map_or(base::Id::from_index(0), |body| body.entry);
        IntervalState { loc, stack, observer: Observer::INITIAL, env: Rc::new(env) }
    }

    fn loc(&self, state: &IntervalState) -> LocId {
        state.loc
    }

    fn transfer(
        &mut self,
        from: &IntervalState,
        (): &(),
        out: &mut Vec<Successor<IntervalState>>,
    ) -> Result<(), AnalysisError> {
        let mut choice = 0;
        self.follow(from, |this, _, Leaf { at, outcome, state: mut env, .. }| {
            if outcome == Outcome::Arrived {
                this.keep_live(at, &mut env);
            }
            let state = IntervalState { loc: at.loc, stack: at.stack, observer: at.observer, env: Rc::new(env) };
            out.push(Successor { state, choice, target: Target::of(outcome) });
            choice += 1;
            ControlFlow::Continue(())
        })
    }

    fn path(&mut self, from: &IntervalState, choice: u32) -> Result<Vec<EdgeId>, AnalysisError> {
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

    fn merge(&mut self, new: &IntervalState, old: &IntervalState) -> Merged<IntervalState> {
        if new.env.leq(&old.env) {
            return Merged::Sep;
        }
        let joined = old.env.join(&new.env);
        let key = self.key(old);
        let env = if self.locations.point(old.loc) == Point::Head {
            let merges = self.merges.entry(key).or_insert(0);
            *merges += 1;
            if *merges > DELAY { old.env.widen(&joined, &self.thresholds) } else { joined }
        } else {
            joined
        };
        Merged::Into(IntervalState { env: Rc::new(env), ..old.clone() })
    }

    fn leq(&mut self, lower: &IntervalState, upper: &IntervalState) -> Result<bool, AnalysisError> {
        Ok(self.key(lower) == self.key(upper) && lower.env.leq(&upper.env))
    }

    fn key(&self, state: &IntervalState) -> IntervalKey {
        (state.loc, state.stack, state.observer)
    }

    fn covering_keys(&mut self, state: &IntervalState, out: &mut Vec<IntervalKey>) {
        out.push(self.key(state));
    }

    fn rank(&self, state: &IntervalState) -> Rank {
        Rank { depth: self.stacks.frame(state.stack).depth, position: self.locations.position(state.loc) }
    }
}

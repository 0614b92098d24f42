//! The analysis as a configurable program analysis: one state for each location, call stack and observer state.

use super::env::Env;
use super::eval::Scope;
use super::post::{End, assign, drop_frame, initialise, post};
use crate::automaton::Automaton;
use crate::callstack::{Callstacks, StackId};
use crate::interval::env::Place;
use crate::interval::number::number;
use crate::location::{Locations, Point};
use analysis::{AnalysisError, Cpa, Merged, Rank, Successor, Target};
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::live::Live;
use cfa::observer::ObserverState;
use cfa::points_to::PointsTo;
use cfa::{EdgeId, ExprKind, LocId, Observer, Op, Program};
use encode::{FrameSlots, Slots};
use outcome::StopReason;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

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
    program: &'p Program,
    points_to: &'p PointsTo,
    locations: Locations,
    automaton: Automaton,
    /// Call stacks.
    pub stacks: Callstacks,
    calls: CallGraph,
    live: Live,
    slots: Slots,
    /// Where bounds that grow stop for a while, ascending.
    thresholds: Vec<i128>,
    merges: FxHashMap<IntervalKey, u32>,
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

/// Runs that are being followed.
struct Pending {
    loc: LocId,
    stack: StackId,
    observer: ObserverState,
    env: Env,
    trail: Vec<EdgeId>,
}

/// Where followed runs end.
struct Leaf {
    at: Pending,
    target: Option<Target>,
}

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
            program,
            points_to,
            locations,
            automaton: Automaton::new(program, observer),
            stacks: Callstacks::new(program),
            calls,
            live,
            slots,
            thresholds: thresholds(program),
            merges: FxHashMap::default(),
            budget: budget.clone(),
            steps: 0,
        }
    }

    fn scope(&self, stack: StackId) -> Scope<'p> {
        Scope { program: self.program, stack, root: self.stacks.root() }
    }

    /// Follows all runs of a state to the next nodes.
    fn follow(&mut self, from: &IntervalState) -> Result<Vec<Leaf>, AnalysisError> {
        let IntervalState { loc, stack, observer, env } = from.clone();
        let mut pending = vec![Pending { loc, stack, observer, env: (*env).clone(), trail: Vec::new() }];
        let mut leaves = Vec::new();
        while let Some(at) = pending.pop() {
            self.expand(at, &mut pending, &mut leaves)?;
        }
        Ok(leaves)
    }

    fn expand(&mut self, at: Pending, pending: &mut Vec<Pending>, leaves: &mut Vec<Leaf>) -> Result<(), AnalysisError> {
        let program = self.program;
        let func = program.locs[at.loc].func;
        if program.functions[func].body.is_some_and(|body| body.exit == at.loc) {
            if let Some(next) = self.leave(at) {
                self.arrive(next, pending, leaves);
            }
            return Ok(());
        }
        for edge in &program.locs[at.loc].out {
            self.steps += 1;
            if self.steps.is_multiple_of(64) {
                self.budget.check()?;
            }
            let op = &program.edges[*edge].op;
            let mut env = at.env.clone();
            let mut trail = at.trail.clone();
            trail.push(*edge);
            let result = post(self.scope(at.stack), self.points_to, &mut env, op);
            let mut next =
                Pending { loc: program.edges[*edge].dst, stack: at.stack, observer: at.observer, env, trail };
            match result {
                Err(End::Fine) => continue,
                Err(End::Unmodelled) => {
                    leaves.push(Leaf { at: next, target: Some(Target::Unmodelled(*edge)) });
                    continue;
                }
                Ok(()) => {}
            }
            match op {
                Op::Call { func, .. } => {
                    next.observer = self.automaton.call(next.observer, *func);
                    self.enter(&mut next, *edge)?;
                }
                Op::CallExtern { func, .. } => next.observer = self.automaton.call(next.observer, *func),
                _ => {}
            }
            if next.observer != self.automaton.error() {
                next.observer = self.automaton.enter(next.observer, next.loc);
            }
            self.arrive(next, pending, leaves);
        }
        Ok(())
    }

    /// Enters the function that an edge calls.
    fn enter(&mut self, at: &mut Pending, edge: EdgeId) -> Result<(), AnalysisError> {
        let program = self.program;
        let Op::Call { func, args, .. } = &program.edges[edge].op else { return Ok(()) };
        let Some(body) = program.functions[*func].body else { return Ok(()) };
        let (callee, _) = self.stacks.push(at.stack, edge, *func);
        let limit = MAX_RECURSION;
        if self.calls.is_recursive(*func) && self.stacks.frame(callee).depth > limit {
            return Err(AnalysisError::Failed(StopReason::StackDepth { limit }));
        }
        let (caller, inner) = (self.scope(at.stack), self.scope(callee));
        for (param, arg) in program.functions[*func].params.iter().zip(args) {
            assign(caller, &mut at.env, inner.register(*param), *arg);
        }
        (at.stack, at.loc) = (callee, body.entry);
        Ok(())
    }

    /// Leaves a function; `None` when the start function ends.
    fn leave(&mut self, mut at: Pending) -> Option<Pending> {
        let program = self.program;
        let frame = self.stacks.frame(at.stack);
        let (caller, edge) = frame.caller?;
        let (inner, outer) = (self.scope(at.stack), self.scope(caller));
        if let Op::Call { dst: Some(dst), .. } = &program.edges[edge].op
            && let Some(dst) = outer.register(*dst)
        {
            match program.functions[frame.func].ret.and_then(|ret| inner.register(ret)) {
                Some(ret) if ret.ty == dst.ty => {
                    let num = at.env.get(ret);
                    at.env.assign_sum(dst, ret, 0, num);
                }
                _ => at.env.forget(dst),
            }
        }
        drop_frame(&mut at.env, at.stack, inner);
        at.stack = caller;
        at.loc = program.edges[edge].dst;
        at.observer = self.automaton.enter(at.observer, at.loc);
        Some(at)
    }

    /// At a node, an end, or on the way.
    fn arrive(&self, at: Pending, pending: &mut Vec<Pending>, leaves: &mut Vec<Leaf>) {
        if at.observer == self.automaton.error() {
            leaves.push(Leaf { at, target: Some(Target::Violation) });
        } else if self.locations.point(at.loc) == Point::Through {
            pending.push(at);
        } else {
            leaves.push(Leaf { at, target: None });
        }
    }

    /// What is still read of a state.
    fn keep_live(&self, at: &mut Pending) {
        let (stack, loc, program) = (at.stack, at.loc, self.program);
        at.env.retain(|cell| match cell.place {
            Place::Register(s, var) if s == stack && !program.vars[var].is_global() => {
                self.live.is_live(loc, self.slots.slot(program, FrameSlots(0), var))
            }
            _ => true,
        });
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
        let loc = self.program.functions[self.program.start].body.map_or(base::Id::from_index(0), |body| body.entry);
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
        for (choice, Leaf { mut at, target }) in self.follow(from)?.into_iter().enumerate() {
            if target.is_none() {
                self.keep_live(&mut at);
            }
            let Pending { loc, stack, observer, env, .. } = at;
            let state = IntervalState { loc, stack, observer, env: Rc::new(env) };
            out.push(Successor { state, choice: choice as u32, target });
        }
        Ok(())
    }

    fn path(&mut self, from: &IntervalState, choice: u32) -> Result<Vec<EdgeId>, AnalysisError> {
        let leaves = self.follow(from)?;
        Ok(leaves.into_iter().nth(choice as usize).map_or(Vec::new(), |leaf| leaf.at.trail))
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

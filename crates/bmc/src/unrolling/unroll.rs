//! Unrolls a program up to a bound into one merged symbolic execution.
//!
//! Locations are taken in the order of their keys ([`crate::unrolling::key`]); states that meet at one key are joined, so the number of
//! states grows with the unrolled program and not with its paths; runs that only failing allocations tell apart stay apart
//! ([`crate::unrolling::fork`]). What goes beyond the bound is cut and remembered: if
//! no run reaches a cut, the bound covers the whole program (the *unwinding assertions* hold).

use crate::unrolling::fork::{Fork, Forks};
use crate::unrolling::key::{Frame, FrameId, Key, LoopCount, enter, exclude_exit, key};
use crate::unrolling::prune::Pruner;
use crate::unrolling::recurrence::Visits;
use base::{Budget, Id, IdVec, Stop};
use cfa::loops::Wto;
use cfa::{EdgeId, ExprId, FuncId, LocId, Observer, Op, Program};
use domains::strategy::Strategies;
use encode::{Dead, Encoder, FrameSlots, GuardId, State, join_states};
use rustc_hash::FxHashMap;
use smt::TermId;
use step::{At, Condition, Domain, End, InOrder, Kernel, Moved, Outcome, Via, in_order};

/// Frames are nested at most this deeply; deeper ones count as cut.
const MAX_DEPTH: u32 = 20_000;

/// Iterations of a loop after which it is asked, each time that they have doubled, whether a run gets to it.
const LONG: u32 = 256;

/// Limits of one unrolling.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// How often the back edge of a loop is taken, and how often a function is entered again below itself, not counting
    /// iterations that constants decide.
    pub unwind: u32,
    /// Edges after which iterations that constants decide count as well.
    pub free_steps: u64,
}

/// What an unrolling found.
#[derive(Default)]
pub struct Unrolled {
    /// Guards under which the error is reached, with the edge that reaches it.
    pub errors: Vec<(GuardId, EdgeId)>,
    /// Guards of runs that go on beyond the bound.
    pub cuts: Vec<GuardId>,
    /// Guards of runs that choose strategies of loops, in the order of the keys.
    pub chosen: Vec<(GuardId, EdgeId)>,
    /// States at the heads of loops.
    pub visits: Visits,
    /// Edges executed.
    pub steps: u64,
    /// States joined.
    pub joins: u64,
    /// Questions whether a call is feasible.
    pub pruning_queries: u64,
    /// Greatest number of iterations of a loop, or of nested frames of one function.
    pub deepest: u32,
}

/// A state at the head of a loop.
struct Mark {
    state: State,
    observer: u8,
    iteration: u32,
    objects: usize,
}

/// Runs on their way.
pub struct Pending {
    state: State,
    loops: Vec<LoopCount>,
    fork: Fork,
}

/// The exploration.
pub struct Unroller<'a, 'p> {
    enc: &'a mut Encoder<'p>,
    wto: &'a Wto,
    strategies: &'a Strategies,
    bound: Bound,
    pruner: Pruner<'a>,
    budget: &'a Budget,
    frames: IdVec<FrameId, Frame>,
    next_slot: u32,
    /// Branches that no run of the current step takes.
    blocked: Vec<EdgeId>,
    /// States at heads of loops that later ones are compared with.
    marks: FxHashMap<(FrameId, LocId, Option<u32>), Mark>,
    forks: Forks,
    found: Unrolled,
}

impl<'a, 'p> Unroller<'a, 'p> {
    /// An exploration of the encoder's program.
    pub fn new(
        enc: &'a mut Encoder<'p>,
        wto: &'a Wto,
        strategies: &'a Strategies,
        bound: Bound,
        pruner: Pruner<'a>,
        budget: &'a Budget,
    ) -> Self {
        let next_slot = enc.slots.globals.next_multiple_of(16);
        let forks = Forks::new(enc.program);
        Self {
            enc,
            wto,
            strategies,
            bound,
            pruner,
            budget,
            blocked: Vec::new(),
            frames: IdVec::new(),
            next_slot,
            marks: FxHashMap::default(),
            forks,
            found: Unrolled::default(),
        }
    }

    fn program(&self) -> &'p Program {
        self.enc.program
    }

    /// Explores everything within the bound.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn run(mut self, observer: &Observer) -> Result<Unrolled, Stop> {
        let program = self.program();
        let Some(body) = program.functions[program.start].body else { return Ok(self.found) };
        let state = self.enc.initial_state();
        let stack = self.push_frame(program.start, None, Vec::new(), state.guard);
        let loops = enter(self.wto, &[], body.entry, state.guard);
        let at = At { loc: body.entry, stack, observer: Observer::INITIAL };
        let kernel = Kernel::new(program, observer);
        in_order(&kernel, &mut self, (at, Pending { state, loops, fork: Fork::default() }))?;
        self.found.pruning_queries = self.pruner.asked;
        Ok(self.found)
    }

    fn push_frame(
        &mut self,
        func: FuncId,
        caller: Option<(FrameId, EdgeId, Vec<LoopCount>)>,
        prefix: Key,
        guard: GuardId,
    ) -> FrameId {
        let slots = FrameSlots(self.next_slot);
        self.next_slot += self.enc.slots.frame_size(func);
        let depth = caller.as_ref().map_or(0, |(frame, ..)| self.frames[*frame].depth + 1);
        self.frames.push(Frame { func, slots, caller, prefix, depth, counted: 0, entry_guard: guard })
    }

    /// Whether all runs are back in a state that they were in, so that they stay in the loop for ever; found by comparing with the state at the last power of
    /// two [brent80].
    fn is_endless(&mut self, at: At<FrameId>, (state, fork): (&State, Fork), iteration: u32) -> bool {
        let place = (at.stack, at.loc, fork.number());
        if let Some(mark) = self.marks.get(&place).filter(|mark| mark.iteration < iteration) {
            let mut same = mark.observer == at.observer
                && mark.state.guard == state.guard
                && mark.state.external == state.external
                && mark.objects == self.enc.objects.len();
            if same {
                mark.state.slots.for_each_difference(&state.slots, |_, _, _| same = false);
            }
            if same {
                mark.state.memory.for_each_difference(&state.memory, |_, _, _| same = false);
            }
            if same {
                return true;
            }
            if mark.state.guard == state.guard && !iteration.is_power_of_two() {
                return false;
            }
        }
        let objects = self.enc.objects.len();
        let mark = Mark { state: state.clone(), observer: at.observer, iteration, objects };
        self.marks.insert(place, mark);
        false
    }

    /// Remembers the state at a loop's head.
    fn record(&mut self, at: At<FrameId>, pending: &Pending, counted: u32) {
        let frame = &self.frames[at.stack];
        let mut place = key(self.wto, frame, &pending.loops, at.loc, None);
        // The loop's own iteration is no part of the place.
        let own = place.len() - 2;
        place.remove(own);
        place.extend(pending.fork.number());
        self.found.visits.record(self.enc, ((place, at.observer), at.loc, frame.slots), &pending.state, counted);
    }

    /// Counts iterations at a back edge and enters loops at another; `None` if the run is cut.
    fn pass(&mut self, edge: EdgeId, mut pending: Pending) -> Option<Pending> {
        let program = self.program();
        let dst = program.edges[edge].dst;
        if self.wto.is_back_edge(program, edge) {
            let i = pending.loops.iter().position(|l| l.head == dst)?;
            pending.loops.truncate(i + 1);
            let l = &mut pending.loops[i];
            l.iteration += 1;
            let free = l.exit_excluded && l.start == pending.state.guard && self.found.steps < self.bound.free_steps;
            if !free {
                l.counted += 1;
            }
            if l.counted > self.bound.unwind {
                self.found.cuts.push(pending.state.guard);
                return None;
            }
        } else {
            pending.loops = enter(self.wto, &pending.loops, dst, pending.state.guard);
        }
        Some(pending)
    }

    /// Runs have entered a function; `None` if they are cut or can't exist.
    fn called(&mut self, caller: FrameId, at: At<FrameId>, mut pending: Pending) -> Option<Pending> {
        let guard = pending.state.guard;
        let counted = self.recursion(caller, self.frames[at.stack].func, guard);
        // The tree of recursive calls doubles with each level, unless infeasible ones are left out.
        if counted > 0 && self.pruner.never(self.enc, guard) {
            return None;
        }
        if counted > self.bound.unwind || self.frames[caller].depth >= MAX_DEPTH {
            self.found.cuts.push(guard);
            return None;
        }
        let frame = &mut self.frames[at.stack];
        (frame.counted, frame.entry_guard) = (counted, guard);
        if let Some((.., loops)) = &mut frame.caller {
            *loops = std::mem::take(&mut pending.loops);
        }
        pending.loops = enter(self.wto, &[], at.loc, guard);
        Some(pending)
    }

    /// How many nested calls of `func` count against the bound when it is called once more.
    fn recursion(&mut self, caller: FrameId, func: FuncId, guard: GuardId) -> u32 {
        let mut at = Some(caller);
        while let Some(frame) = at {
            let frame = &self.frames[frame];
            if frame.func == func {
                self.found.deepest = self.found.deepest.max(frame.counted + 1);
                let free = frame.entry_guard == guard && self.found.steps < self.bound.free_steps;
                return frame.counted + u32::from(!free);
            }
            at = frame.caller.as_ref().map(|(caller, ..)| *caller);
        }
        0
    }
}

impl Domain for Unroller<'_, '_> {
    type Stack = FrameId;
    type State = Pending;
    type Condition = TermId;

    fn chosen(&self, loc: LocId) -> Option<EdgeId> {
        self.strategies.chosen(self.strategies.current(), loc)
    }

    fn copy(&mut self, pending: &Pending) -> Pending {
        Pending { state: pending.state.clone(), loops: pending.loops.clone(), fork: pending.fork }
    }

    fn condition(
        &mut self,
        pending: &mut Pending,
        at: At<FrameId>,
        edge: EdgeId,
        cond: ExprId,
    ) -> Result<Condition<TermId>, End> {
        self.enc.edge = edge;
        let value = self.enc.eval(&mut pending.state, self.frames[at.stack].slots, cond);
        value.map(Condition::Open).map_err(|Dead| End::Blocked)
    }

    fn assume(
        &mut self,
        pending: &mut Pending,
        _: At<FrameId>,
        edge: EdgeId,
        value: &TermId,
        truth: bool,
    ) -> Result<(), End> {
        self.enc.assume_value(&mut pending.state, edge, *value, truth).map_err(|Dead| End::Blocked)
    }

    fn post(&mut self, pending: &mut Pending, at: At<FrameId>, edge: EdgeId) -> Result<(), End> {
        self.enc.execute(&mut pending.state, self.frames[at.stack].slots, edge).map_err(|Dead| End::Blocked)
    }

    fn enter(&mut self, pending: &mut Pending, at: At<FrameId>, edge: EdgeId, func: FuncId) -> Result<FrameId, End> {
        let mut prefix = key(self.wto, &self.frames[at.stack], &pending.loops, at.loc, None);
        // Several calls may leave one location (of functions that are called through pointers): each has its own frame.
        prefix.push(edge.index() as u32);
        let callee = self.push_frame(func, Some((at.stack, edge, Vec::new())), prefix, pending.state.guard);
        let (outer, inner) = (self.frames[at.stack].slots, self.frames[callee].slots);
        self.enc.enter(&mut pending.state, edge, outer, inner).map_err(|Dead| End::Blocked)?;
        Ok(callee)
    }

    fn leave(&mut self, pending: &mut Pending, at: At<FrameId>) -> Option<(FrameId, EdgeId)> {
        let (caller, call, loops) = self.frames[at.stack].caller.clone()?;
        let (inner, outer) = (self.frames[at.stack].slots, self.frames[caller].slots);
        self.enc.leave(&mut pending.state, call, inner, outer);
        pending.loops = loops;
        Some((caller, call))
    }

    fn ended(&mut self, _: At<FrameId>, edge: EdgeId, _: End) {
        if let Op::Assume { .. } = self.program().edges[edge].op {
            self.blocked.push(edge);
        }
    }
}

impl InOrder for Unroller<'_, '_> {
    type Key = Key;
    type Error = Stop;

    fn key(&self, at: At<FrameId>, pending: &Pending) -> Key {
        key(self.wto, &self.frames[at.stack], &pending.loops, at.loc, pending.fork.number())
    }

    fn join(&mut self, pending: Vec<Pending>) -> Option<Pending> {
        let joins = &mut self.found.joins;
        join_states(
            self.enc,
            pending,
            |pending| pending.state.guard,
            |enc, a, b| {
                *joins += 1;
                let fork = a.fork.joined(b.fork);
                Pending { state: enc.join(a.state, b.state), loops: join_loops(a.loops, &b.loops), fork }
            },
        )
    }

    fn visit(&mut self, at: At<FrameId>, mut pending: Pending) -> Result<Option<Pending>, Stop> {
        self.budget.spend(self.enc.terms.effort());
        self.budget.check()?;
        self.found.steps += self.chosen(at.loc).map_or(self.program().locs[at.loc].out.len(), |_| 1) as u64;
        if self.wto.is_head(at.loc)
            && let Some(l) = pending.loops.last_mut()
        {
            l.start = pending.state.guard;
            l.exit_excluded = false;
            self.found.deepest = self.found.deepest.max(l.iteration);
            let (counted, iteration) = (l.counted, l.iteration);
            self.record(at, &pending, counted);
            if self.is_endless(at, (&pending.state, pending.fork), iteration) {
                return Ok(None);
            }
            // Constants may let a loop go on for ever where no run gets to it.
            let is_long = iteration >= LONG && iteration.is_power_of_two();
            if is_long && self.pruner.never(self.enc, pending.state.guard) {
                return Ok(None);
            }
        }
        Ok(Some(pending))
    }

    fn arrived(&mut self, moved: Vec<Moved<Self>>) -> Vec<(At<FrameId>, Pending)> {
        let program = self.program();
        let blocked = std::mem::take(&mut self.blocked);
        let mut open = Vec::with_capacity(moved.len());
        let ways = moved.len();
        for Moved { from, via, at, outcome, state: mut pending } in moved {
            let (Via::Edge(edge) | Via::Return(edge)) = via;
            if ways > 1 {
                let may_part = self.found.steps < self.bound.free_steps;
                pending.fork = self.forks.parted(program, pending.fork, edge, may_part);
            }
            if outcome == Outcome::Violated {
                self.found.errors.push((pending.state.guard, edge));
                continue;
            }
            for edge in &blocked {
                exclude_exit(self.wto, program, &mut pending.loops, program.edges[*edge].dst);
            }
            if self.strategies.chooses(edge) {
                self.found.chosen.push((pending.state.guard, edge));
            }
            let is_call = matches!(via, Via::Edge(_)) && at.stack != from.stack;
            let pending = if is_call { self.called(from.stack, at, pending) } else { self.pass(edge, pending) };
            open.extend(pending.map(|pending| (at, pending)));
        }
        open
    }

    fn is_straight(&self, from: At<FrameId>, to: At<FrameId>) -> bool {
        from.stack == to.stack && self.program().locs[to.loc].inc.len() == 1 && !self.wto.is_head(to.loc)
    }
}

fn join_loops(mut a: Vec<LoopCount>, b: &[LoopCount]) -> Vec<LoopCount> {
    for (x, y) in a.iter_mut().zip(b) {
        x.counted = x.counted.max(y.counted);
        x.exit_excluded |= y.exit_excluded;
    }
    a
}

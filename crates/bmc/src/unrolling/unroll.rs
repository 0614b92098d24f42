//! Unrolls a program up to a bound into one merged symbolic execution.
//!
//! Locations are taken in the order of their keys ([`crate::unrolling::key`]); states that meet at one key are joined, so the number of
//! states grows with the unrolled program and not with its paths. What goes beyond the bound is cut and remembered: if
//! no run reaches a cut, the bound covers the whole program (the *unwinding assertions* hold).

use crate::unrolling::key::{Frame, Key, LoopCount, enter, exclude_exit, key};
use crate::unrolling::nearest::join_nearest;
use crate::unrolling::prune::Pruner;
use crate::unrolling::recurrence::Visits;
use base::{Budget, Id, IdVec, Stop, new_id};
use cfa::loops::Wto;
use cfa::{EdgeId, FuncId, LocId, Observer, Op, Program};
use domains::strategy::Strategies;
use encode::{Dead, Encoder, FrameSlots, GuardId, State};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

new_id! {
    /// A call that is being explored.
    pub struct FrameId;
}

/// Frames are nested at most this deeply; deeper ones count as cut.
const MAX_DEPTH: u32 = 20_000;

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

struct Pending {
    state: State,
    observer: u8,
    loops: Vec<LoopCount>,
}

/// The exploration.
pub struct Unroller<'a, 'p> {
    enc: &'a mut Encoder<'p>,
    wto: &'a Wto,
    observer: &'a Observer,
    strategies: &'a Strategies,
    bound: Bound,
    pruner: Pruner<'a>,
    queue: BTreeMap<Key, (FrameId, LocId, Vec<Pending>)>,
    frames: IdVec<FrameId, Frame>,
    next_slot: u32,
    /// States at heads of loops that later ones are compared with.
    marks: FxHashMap<(FrameId, LocId), Mark>,
    found: Unrolled,
}

impl<'a, 'p> Unroller<'a, 'p> {
    /// An exploration of the encoder's program.
    pub fn new(
        enc: &'a mut Encoder<'p>,
        wto: &'a Wto,
        observer: &'a Observer,
        strategies: &'a Strategies,
        bound: Bound,
        pruner: Pruner<'a>,
    ) -> Self {
        let next_slot = enc.slots.globals.next_multiple_of(16);
        Self {
            enc,
            wto,
            observer,
            strategies,
            bound,
            pruner,
            queue: BTreeMap::new(),
            frames: IdVec::new(),
            next_slot,
            marks: FxHashMap::default(),
            found: Unrolled::default(),
        }
    }

    fn program(&self) -> &'p Program {
        self.enc.program
    }

    /// Explores everything within the bound.
    pub fn run(mut self, budget: &Budget) -> Result<Unrolled, Stop> {
        let start = self.program().start;
        let Some(body) = self.program().functions[start].body else { return Ok(self.found) };
        let state = self.enc.initial_state();
        let frame = self.push_frame(start, None, Vec::new(), state.guard);
        let loops = enter(self.wto, &[], body.entry, state.guard);
        self.enqueue(frame, body.entry, Pending { state, observer: Observer::INITIAL, loops });
        while let Some((_, (frame, loc, pending))) = self.queue.pop_first() {
            budget.check()?;
            for pending in self.join_all(pending) {
                self.follow(frame, loc, pending, budget)?;
            }
        }
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

    fn enqueue(&mut self, frame: FrameId, loc: LocId, pending: Pending) {
        let key = key(self.wto, &self.frames[frame], &pending.loops, loc);
        self.queue.entry(key).or_insert_with(|| (frame, loc, Vec::new())).2.push(pending);
    }

    /// Joins the states that met at one key, those with the most recent common past first; one remains for each observer state.
    fn join_all(&mut self, mut pending: Vec<Pending>) -> Vec<Pending> {
        if pending.len() < 2 {
            return pending;
        }
        pending.sort_by_key(|p| p.observer);
        let nearness = |enc: &Encoder<'p>, a: &Pending, b: &Pending| {
            (a.observer == b.observer).then(|| {
                let ancestor = enc.guards.ancestor(a.state.guard, b.state.guard);
                enc.guards.depth(ancestor)
            })
        };
        let joins = &mut self.found.joins;
        // The last of the nearest pairs comes first: conditions of a chain of branches cancel from its end.
        join_nearest(self.enc, pending, nearness, |enc, a, b| {
            *joins += 1;
            let loops = join_loops(a.loops, &b.loops);
            Pending { state: enc.join(a.state, b.state), observer: a.observer, loops }
        })
    }

    /// Goes on from one state, along straight lines without a detour over the queue.
    fn follow(&mut self, frame: FrameId, mut loc: LocId, mut at: Pending, budget: &Budget) -> Result<(), Stop> {
        loop {
            if self.wto.is_head(loc)
                && let Some(l) = at.loops.last_mut()
            {
                l.start = at.state.guard;
                l.exit_excluded = false;
                self.found.deepest = self.found.deepest.max(l.iteration);
                let (counted, iteration) = (l.counted, l.iteration);
                self.visit(frame, loc, &at, counted);
                if self.is_endless(frame, loc, &at, iteration) {
                    return Ok(());
                }
            }
            let program = self.program();
            let function = &program.functions[program.locs[loc].func];
            if function.body.is_some_and(|body| body.exit == loc) {
                self.leave(frame, at);
                return Ok(());
            }
            let strategies = self.strategies;
            let out = strategies.edges(program, strategies.current(), loc);
            let Some(condition) = self.condition(frame, out, &mut at.state) else { return Ok(()) };
            let mut next = None;
            let mut survivors = Vec::new();
            let mut loops = std::mem::take(&mut at.loops);
            for (i, edge) in out.iter().enumerate() {
                self.found.steps += 1;
                if self.found.steps.is_multiple_of(256) {
                    budget.check()?;
                }
                let state = if i + 1 == out.len() {
                    std::mem::replace(&mut at.state, placeholder(self.enc))
                } else {
                    at.state.clone()
                };
                let taken = match (condition, &program.edges[*edge].op) {
                    (Some((shared, term)), Op::Assume { cond, truth }) if *cond == shared => {
                        self.branch(*edge, state, at.observer, term, *truth, &mut loops)
                    }
                    _ => self.take(frame, *edge, state, at.observer, &mut loops),
                };
                if let Some((state, _)) = taken.as_ref().filter(|_| strategies.chooses(*edge)) {
                    self.found.chosen.push((state.guard, *edge));
                }
                if let Some(state) = taken {
                    survivors.push((*edge, state));
                }
            }
            for (edge, (state, observer)) in survivors {
                let dst = program.edges[edge].dst;
                if let Op::Call { func, .. } = program.edges[edge].op {
                    self.call(frame, loc, edge, func, Pending { state, observer, loops: loops.clone() });
                    continue;
                }
                let Some(pending) = self.arrive(edge, Pending { state, observer, loops: loops.clone() }) else {
                    continue;
                };
                let straight = program.locs[dst].inc.len() == 1 && !self.wto.is_head(dst);
                if straight && out.len() == 1 {
                    next = Some((dst, pending));
                } else {
                    self.enqueue(frame, dst, pending);
                }
            }
            match next {
                Some((dst, pending)) => (loc, at) = (dst, pending),
                None => return Ok(()),
            }
        }
    }

    /// Whether all runs are back in a state that they were in, so that they stay in the loop for ever; found by comparing with the state at the last power of
    /// two [brent80].
    fn is_endless(&mut self, frame: FrameId, head: LocId, at: &Pending, iteration: u32) -> bool {
        let state = &at.state;
        if let Some(mark) = self.marks.get(&(frame, head)).filter(|mark| mark.iteration < iteration) {
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
        self.marks.insert((frame, head), mark);
        false
    }

    /// Remembers the state at a loop's head.
    fn visit(&mut self, frame: FrameId, head: LocId, at: &Pending, counted: u32) {
        let frame = &self.frames[frame];
        let mut place = key(self.wto, frame, &at.loops, head);
        // The loop's own iteration is no part of the place.
        let own = place.len() - 2;
        place.remove(own);
        self.found.visits.record(self.enc, ((place, at.observer), head, frame.slots), &at.state, counted);
    }

    /// The value of the condition that all branches share: evaluated once, so that what it leaves open is the same for all.
    /// `None` if its evaluation ends all runs, `Some(None)` if there is none.
    #[allow(clippy::option_option)]
    fn condition(
        &mut self,
        frame: FrameId,
        out: &[EdgeId],
        state: &mut State,
    ) -> Option<Option<(cfa::ExprId, smt::TermId)>> {
        let [first, _, ..] = out else { return Some(None) };
        let Op::Assume { cond, .. } = self.program().edges[*first].op else { return Some(None) };
        self.enc.edge = *first;
        let slots = self.frames[frame].slots;
        let Ok(term) = self.enc.eval(state, slots, cond) else {
            self.enc.dead.insert(*first);
            return None;
        };
        Some(Some((cond, term)))
    }

    /// Takes a branch whose condition has this value.
    fn branch(
        &mut self,
        edge: EdgeId,
        mut state: State,
        observer: u8,
        condition: smt::TermId,
        truth: bool,
        loops: &mut [LoopCount],
    ) -> Option<(State, u8)> {
        let literal = if truth { condition } else { self.enc.terms.not(condition) };
        self.enc.passed.insert(edge);
        if let Err(Dead) = self.enc.assume(&mut state, literal) {
            exclude_exit(self.wto, self.program(), loops, self.program().edges[edge].dst);
            return None;
        }
        self.observe(edge, state, observer)
    }

    fn observe(&mut self, edge: EdgeId, state: State, observer: u8) -> Option<(State, u8)> {
        let observer = self.observer.step(self.program(), observer, edge);
        if observer == self.observer.error {
            self.found.errors.push((state.guard, edge));
            return None;
        }
        Some((state, observer))
    }

    /// Executes an edge; `None` if no run takes it or the error is reached.
    fn take(
        &mut self,
        frame: FrameId,
        edge: EdgeId,
        mut state: State,
        observer: u8,
        loops: &mut [LoopCount],
    ) -> Option<(State, u8)> {
        let program = self.program();
        let slots = self.frames[frame].slots;
        if let Err(Dead) = self.enc.execute(&mut state, slots, edge) {
            if let Op::Assume { .. } = program.edges[edge].op {
                exclude_exit(self.wto, program, loops, program.edges[edge].dst);
            }
            return None;
        }
        self.observe(edge, state, observer)
    }

    /// Counts iterations at a back edge and enters loops at another; `None` if the run is cut.
    fn arrive(&mut self, edge: EdgeId, mut pending: Pending) -> Option<Pending> {
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

    fn call(&mut self, caller: FrameId, loc: LocId, edge: EdgeId, func: FuncId, mut pending: Pending) {
        let program = self.program();
        let (Op::Call { args, .. }, Some(body)) = (&program.edges[edge].op, program.functions[func].body) else {
            return;
        };
        let slots = self.frames[caller].slots;
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            match self.enc.eval(&mut pending.state, slots, *arg) {
                Ok(value) => values.push(value),
                Err(Dead) => return,
            }
        }
        let guard = pending.state.guard;
        let counted = self.recursion(caller, func, guard);
        // The tree of recursive calls doubles with each level, unless infeasible ones are left out.
        if counted > 0 && self.pruner.never(self.enc, guard) {
            return;
        }
        if counted > self.bound.unwind || self.frames[caller].depth >= MAX_DEPTH {
            self.found.cuts.push(guard);
            return;
        }
        let mut prefix = key(self.wto, &self.frames[caller], &pending.loops, loc);
        // Several calls may leave one location (resolved pointers): each has its own frame.
        prefix.push(edge.index() as u32);
        let frame = self.push_frame(func, Some((caller, edge, pending.loops)), prefix, guard);
        self.frames[frame].counted = counted;
        for (param, value) in program.functions[func].params.iter().zip(values) {
            self.enc.assign(&mut pending.state, self.frames[frame].slots, *param, value);
        }
        let loops = enter(self.wto, &[], body.entry, guard);
        self.enqueue(frame, body.entry, Pending { state: pending.state, observer: pending.observer, loops });
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

    /// Returns to the caller.
    fn leave(&mut self, frame: FrameId, mut pending: Pending) {
        let program = self.program();
        let Some((caller, edge, loops)) = self.frames[frame].caller.clone() else { return };
        let (func, slots) = (self.frames[frame].func, self.frames[frame].slots);
        let Op::Call { dst, .. } = &program.edges[edge].op else { return };
        let result = match (dst, program.functions[func].ret) {
            (Some(dst), Some(ret)) => Some((*dst, self.enc.register(&mut pending.state, slots, ret))),
            _ => None,
        };
        let size = self.enc.slots.frame_size(func);
        self.enc.drop_frame(&mut pending.state, slots, size);
        if let Some((dst, value)) = result {
            self.enc.assign(&mut pending.state, self.frames[caller].slots, dst, value);
        }
        pending.loops = loops;
        if let Some(pending) = self.arrive(edge, pending) {
            self.enqueue(caller, program.edges[edge].dst, pending);
        }
    }
}

/// What is left where a state was moved out.
fn placeholder(enc: &Encoder) -> State {
    State { guard: enc.guards.root(), slots: Default::default(), memory: Default::default(), external: enc.external }
}

fn join_loops(mut a: Vec<LoopCount>, b: &[LoopCount]) -> Vec<LoopCount> {
    for (x, y) in a.iter_mut().zip(b) {
        x.counted = x.counted.max(y.counted);
        x.exit_excluded |= y.exit_excluded;
    }
    a
}

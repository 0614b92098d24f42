//! Symbolic execution from one *cut point* to the next: the steps of the induction.
//!
//! A cut point is the head of a loop with the calls that led there and the observer's state. A *step* is a run from one cut point to
//! the next one that it meets; it has no loops, and since there is no recursion each call stack has registers of its own, so
//! states that meet at one location with one stack in one step are joined. Two explorations are made of that:
//!
//! * [`Explorer::arbitrary`] follows the program from its start and forgets at each head, when the loop is entered, what the loop may
//!   modify. What it finds at a head describes every state that a run can have there; see [`crate::kinduction`].
//! * [`Explorer::steps`] follows runs from such a state for a number of steps, loops included, and keeps the steps apart.

use crate::kinduction::effects::{Effects, LoopEffects};
use base::{Budget, Id, Stop};
use cfa::loops::Wto;
use cfa::observer::ObserverState;
use cfa::{EdgeId, LocId, Observer, Op, Program, Storage, VarId};
use domains::callstack::{Callstacks, StackId};
use encode::memory::contents::{Bytes, Contents};
use encode::memory::object::Rest;
use encode::state::Shared;
use encode::{Dead, Encoder, FrameSlots, GuardId, ObjectKind, State};
use rustc_hash::FxHashMap;
use smt::{Sort, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A place at which steps begin and end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cut {
    /// Calls that led there.
    pub stack: StackId,
    /// Head of a loop.
    pub head: LocId,
    /// State of the observer.
    pub observer: ObserverState,
}

/// A state at a cut point.
#[derive(Clone)]
pub struct AtCut {
    /// Where.
    pub cut: Cut,
    /// Number of steps made.
    pub step: u32,
    /// What holds there.
    pub state: State,
}

/// What an exploration found.
#[derive(Default)]
pub struct Found {
    /// Guards of runs that violate the property, or meet what is not modelled, by the step in which they do, from 0.
    pub bad: Vec<Vec<GuardId>>,
    /// States at cut points, in the order of their steps.
    pub arrivals: Vec<AtCut>,
    /// Edges on which runs trap.
    pub traps: BTreeSet<EdgeId>,
}

/// Cut points from which no run goes bad in exactly the given step.
pub type Safe = BTreeSet<(Cut, u32)>;

/// Orders places so that those that lead to others within a step come first.
type Key = (u32, Vec<u32>);
type Queue = BTreeMap<Key, (StackId, LocId, Vec<(ObserverState, State)>)>;

/// How loops are followed.
#[derive(Clone, Copy)]
enum Mode<'m> {
    /// Their effects are forgotten, and back edges end.
    Forget(&'m Effects),
    /// For so many steps, but not from where runs are known not to go bad in the last one.
    Steps(u32, &'m Safe),
}

/// Symbolic execution with registers for each call stack.
pub struct Explorer<'a, 'p> {
    /// Shared by all explorations.
    pub enc: Encoder<'p>,
    /// Call stacks.
    pub stacks: Callstacks,
    wto: &'a Wto,
    observer: &'a Observer,
    slots: FxHashMap<StackId, FrameSlots>,
    next_slot: u32,
    budget: &'a Budget,
    edges: u64,
}

impl<'a, 'p> Explorer<'a, 'p> {
    /// An explorer of the encoder's program.
    pub fn new(enc: Encoder<'p>, wto: &'a Wto, observer: &'a Observer, budget: &'a Budget) -> Self {
        let stacks = Callstacks::new(enc.program);
        let next_slot = enc.slots.globals.next_multiple_of(16);
        let slots = FxHashMap::default();
        let mut this = Self { enc, stacks, wto, observer, slots, next_slot, budget, edges: 0 };
        let root = this.stacks.root();
        this.add_frame(root);
        this
    }

    fn program(&self) -> &'p Program {
        self.enc.program
    }

    fn add_frame(&mut self, stack: StackId) {
        let func = self.stacks.frame(stack).func;
        self.slots.insert(stack, FrameSlots(self.next_slot));
        self.next_slot += self.enc.slots.frame_size(func);
    }

    /// Where the registers of a stack's top frame are.
    pub fn frame(&self, stack: StackId) -> FrameSlots {
        self.slots.get(&stack).copied().unwrap_or(FrameSlots(self.next_slot))
    }

    /// The first step of the program, and what every run satisfies at each cut point.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn arbitrary(&mut self, effects: &Effects) -> Result<Vec<AtCut>, Stop> {
        let found = self.run(None, Mode::Forget(effects))?;
        Ok(found.arrivals)
    }

    /// The first step from the start of the program: its states at cut points.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn first_step(&mut self) -> Result<Found, Stop> {
        self.run(None, Mode::Steps(1, &Safe::new()))
    }

    /// Follows runs from a state for so many steps.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn steps(&mut self, from: &AtCut, count: u32, safe: &Safe) -> Result<Found, Stop> {
        self.run(Some(from), Mode::Steps(count, safe))
    }

    fn key(&self, step: u32, stack: StackId, loc: LocId) -> Key {
        let mut key = Vec::new();
        let program = self.program();
        for call in self.stacks.calls(stack) {
            key.push(self.wto.pos(program.edges[call].src));
            key.push(call.index() as u32);
        }
        key.push(self.wto.pos(loc));
        (step, key)
    }

    fn enqueue(&self, queue: &mut Queue, step: u32, (stack, loc): (StackId, LocId), entry: (ObserverState, State)) {
        queue.entry(self.key(step, stack, loc)).or_insert_with(|| (stack, loc, Vec::new())).2.push(entry);
    }

    fn run(&mut self, from: Option<&AtCut>, mode: Mode<'_>) -> Result<Found, Stop> {
        let program = self.program();
        let mut found = Found::default();
        let mut queue = Queue::new();
        self.enc.endings.clear();
        match from {
            Some(at) => {
                let place = (at.cut.stack, at.cut.head);
                self.enqueue(&mut queue, 0, place, (at.cut.observer, at.state.clone()));
            }
            None => {
                let Some(body) = program.functions[program.start].body else { return Ok(found) };
                let state = self.enc.initial_state();
                let step = u32::from(self.wto.is_head(body.entry) && matches!(mode, Mode::Steps(..)));
                self.enqueue(&mut queue, step, (self.stacks.root(), body.entry), (Observer::INITIAL, state));
            }
        }
        let mut at_start = from.is_some();
        while let Some(((step, _), (stack, loc, pending))) = queue.pop_first() {
            self.budget.check()?;
            let is_start = std::mem::take(&mut at_start);
            for (observer, mut state) in self.join_all(pending) {
                if self.wto.is_head(loc) && !is_start {
                    let cut = Cut { stack, head: loc, observer };
                    match mode {
                        Mode::Forget(effects) => {
                            if let Some(effects) = effects.of(loc) {
                                self.forget(&mut state, stack, effects);
                            }
                            found.arrivals.push(AtCut { cut, step, state: state.clone() });
                        }
                        Mode::Steps(count, safe) => {
                            found.arrivals.push(AtCut { cut, step, state: state.clone() });
                            if step >= count || safe.contains(&(cut, count - step)) {
                                continue;
                            }
                        }
                    }
                }
                self.follow(&mut queue, &mut found, mode, (step, stack, loc), (observer, state))?;
            }
            self.collect_endings(&mut found, step);
        }
        Ok(found)
    }

    /// Runs that end in another way than by trapping count as bad.
    fn collect_endings(&mut self, found: &mut Found, step: u32) {
        for ending in self.enc.endings.drain(..) {
            if ending.kind.is_excluded() {
                found.traps.insert(ending.edge);
            } else {
                bad(found, step, ending.guard);
            }
        }
    }

    /// Carries out the edges that leave a location.
    fn follow(
        &mut self,
        queue: &mut Queue,
        found: &mut Found,
        mode: Mode<'_>,
        (step, stack, loc): (u32, StackId, LocId),
        (observer, mut state): (ObserverState, State),
    ) -> Result<(), Stop> {
        let program = self.program();
        let frame = self.frame(stack);
        if program.functions[program.locs[loc].func].body.is_some_and(|body| body.exit == loc) {
            self.leave(queue, mode, (step, stack), (observer, state));
            return Ok(());
        }
        let out = &program.locs[loc].out;
        // A condition that branches share is evaluated once, so that what it leaves open is the same for all of them.
        let shared = match (&out[..], out.first().map(|edge| &program.edges[*edge].op)) {
            ([first, _, ..], Some(Op::Assume { cond, .. })) => {
                self.enc.edge = *first;
                match self.enc.eval(&mut state, frame, *cond) {
                    Ok(term) => Some((*cond, term)),
                    Err(Dead) => return Ok(()),
                }
            }
            _ => None,
        };
        for edge in out {
            self.edges += 1;
            if self.edges.is_multiple_of(256) {
                self.budget.check()?;
            }
            let mut state = state.clone();
            let taken = match (shared, &program.edges[*edge].op) {
                (Some((cond, term)), Op::Assume { cond: own, truth }) if cond == *own => {
                    let literal = if *truth { term } else { self.enc.terms.not(term) };
                    self.enc.assume(&mut state, literal)
                }
                _ => self.enc.execute(&mut state, frame, *edge),
            };
            if taken.is_err() {
                continue;
            }
            let observer = self.observer.step(program, observer, *edge);
            if observer == self.observer.error {
                bad(found, step, state.guard);
                continue;
            }
            match &program.edges[*edge].op {
                Op::Call { .. } => self.call(queue, mode, (step, stack), *edge, (observer, state)),
                op if op.ends_path() => {}
                _ => self.arrive(queue, mode, (step, stack), *edge, (observer, state)),
            }
        }
        Ok(())
    }

    /// Behind an edge, within its function.
    fn arrive(
        &self,
        queue: &mut Queue,
        mode: Mode<'_>,
        (step, stack): (u32, StackId),
        edge: EdgeId,
        entry: (ObserverState, State),
    ) {
        let dst = self.program().edges[edge].dst;
        let step = match mode {
            Mode::Forget(_) if self.wto.is_back_edge(self.program(), edge) => return,
            Mode::Forget(_) => step,
            Mode::Steps(..) => step + u32::from(self.wto.is_head(dst)),
        };
        self.enqueue(queue, step, (stack, dst), entry);
    }

    fn call(
        &mut self,
        queue: &mut Queue,
        mode: Mode<'_>,
        (step, stack): (u32, StackId),
        edge: EdgeId,
        (observer, mut state): (ObserverState, State),
    ) {
        let program = self.program();
        let Op::Call { func, args, .. } = &program.edges[edge].op else { return };
        let Some(body) = program.functions[*func].body else { return };
        let frame = self.frame(stack);
        let mut values = Vec::with_capacity(args.len());
        self.enc.edge = edge;
        for arg in args {
            match self.enc.eval(&mut state, frame, *arg) {
                Ok(value) => values.push(value),
                Err(Dead) => return,
            }
        }
        let (callee, is_new) = self.stacks.push(stack, edge, *func);
        if is_new {
            self.add_frame(callee);
        }
        let slots = self.frame(callee);
        for (param, value) in program.functions[*func].params.iter().zip(values) {
            self.enc.assign(&mut state, slots, *param, value);
        }
        let counts = matches!(mode, Mode::Steps(..)) && self.wto.is_head(body.entry);
        self.enqueue(queue, step + u32::from(counts), (callee, body.entry), (observer, state));
    }

    fn leave(
        &mut self,
        queue: &mut Queue,
        mode: Mode<'_>,
        (step, stack): (u32, StackId),
        (observer, mut state): (ObserverState, State),
    ) {
        let program = self.program();
        let top = self.stacks.frame(stack);
        let Some((caller, edge)) = top.caller else { return };
        let slots = self.frame(stack);
        let Op::Call { dst, .. } = &program.edges[edge].op else { return };
        let result = match (dst, program.functions[top.func].ret) {
            (Some(dst), Some(ret)) => Some((*dst, self.enc.register(&mut state, slots, ret))),
            _ => None,
        };
        let size = self.enc.slots.frame_size(top.func);
        self.enc.drop_frame(&mut state, slots, size);
        if let Some((dst, value)) = result {
            let slots = self.frame(caller);
            self.enc.assign(&mut state, slots, dst, value);
        }
        self.arrive(queue, mode, (step, caller), edge, (observer, state));
    }

    /// Joins the states that met, those with the most recent common past first; one remains for each observer state.
    fn join_all(&mut self, mut pending: Vec<(ObserverState, State)>) -> Vec<(ObserverState, State)> {
        pending.sort_by_key(|p| p.0);
        while let Some((_, i)) = (1..pending.len())
            .filter(|i| pending[i - 1].0 == pending[*i].0)
            .map(|i| {
                let ancestor = self.enc.guards.ancestor(pending[i - 1].1.guard, pending[i].1.guard);
                (self.enc.guards.depth(ancestor), i)
            })
            .max()
        {
            let (_, b) = pending.remove(i);
            let (observer, a) = pending.remove(i - 1);
            let joined = self.enc.join(a, b);
            pending.insert(i - 1, (observer, joined));
        }
        pending
    }

    /// Forgets what a loop may modify.
    fn forget(&mut self, state: &mut State, stack: StackId, effects: &LoopEffects) {
        let program = self.program();
        let frame = self.frame(stack);
        for var in &effects.registers {
            if let Some(ty) = program.vars[*var].register() {
                let sort = self.enc.sort(ty);
                let value = self.enc.terms.fresh_var(&program.vars[*var].name, sort);
                self.enc.assign(state, frame, *var, value);
            }
        }
        let objects: Vec<_> = self.enc.objects.ids().collect();
        for object in objects {
            let kind = self.enc.objects.get(object).kind;
            let exists = self.enc.global_of(kind) || state.memory.get(object.index() as u32).is_some();
            let may_end = effects.frees && matches!(kind, ObjectKind::Heap(_));
            if exists && (may_end || effects.modifies(kind)) {
                let old = self.enc.contents(state, object);
                let bytes = match &old.bytes {
                    Bytes::Cells(_) => Bytes::Cells(Default::default()),
                    Bytes::Array(array) => {
                        let sort = self.enc.terms.sort(*array);
                        Bytes::Array(self.enc.terms.fresh_var("memory", sort))
                    }
                };
                let dead = if may_end { self.enc.terms.fresh_var("freed", Sort::Bool) } else { old.dead };
                let contents = Contents { bytes, rest: Rest::Arbitrary, dead };
                state.memory.insert(object.index() as u32, Shared(Rc::new(contents)));
            }
        }
        if effects.modifies_external() {
            let sort = self.enc.terms.sort(state.external);
            state.external = self.enc.terms.fresh_var("external", sort);
        }
        for var in &effects.declared {
            self.redeclare(state, frame, *var);
        }
    }

    /// The instance of a variable that an earlier iteration declared; the one from before the loop, if there is one, may still be it.
    fn redeclare(&mut self, state: &mut State, frame: FrameSlots, var: VarId) {
        let Storage::Memory { size, align } = self.program().vars[var].storage else { return };
        let before: Option<TermId> = state.slots.get(self.enc.slots.slot(self.program(), frame, var)).copied();
        let size = self.enc.terms.bv(self.program().pointer_bits(), u128::from(size));
        let made = self.enc.allocate(state, size, align, ObjectKind::Local(var), Rest::Arbitrary);
        let Ok((_, mut address)) = made else { return };
        if let Some(before) = before {
            let kept = self.enc.terms.fresh_var("kept", Sort::Bool);
            address = self.enc.terms.ite(kept, before, address);
        }
        self.enc.assign(state, frame, var, address);
    }
}

fn bad(found: &mut Found, step: u32, guard: GuardId) {
    let step = step as usize;
    if found.bad.len() <= step {
        found.bad.resize(step + 1, Vec::new());
    }
    found.bad[step].push(guard);
}

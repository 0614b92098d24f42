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
use cfa::points_to;
use cfa::{EdgeId, ExprId, FuncId, LocId, Observer, Program, Storage, VarId};
use encode::memory::contents::{Bytes, Contents};
use encode::memory::object::{ObjId, Object, Rest};
use encode::state::Shared;
use encode::{Dead, Encoder, FrameSlots, GuardId, ObjectKind, State, join_states};
use rustc_hash::FxHashMap;
use smt::{Sort, TermId};
use std::collections::BTreeSet;
use std::rc::Rc;
use step::{At, Callstacks, Condition, Domain, End, InOrder, Kernel, Moved, Outcome, StackId, Via, in_order};

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

/// How loops are followed.
#[derive(Clone, Copy)]
enum Mode<'m> {
    /// Their effects are forgotten, and back edges end.
    Forget(&'m Effects),
    /// For so many steps, but not from where runs are known not to go bad in the last one.
    Steps(u32, &'m Safe),
}

/// Runs on their way.
struct Pending {
    step: u32,
    state: State,
}

/// One exploration.
struct Walk<'w, 'a, 'p> {
    explorer: &'w mut Explorer<'a, 'p>,
    mode: Mode<'w>,
    /// Whether the runs are still where they began, at a cut point that they do not count.
    at_start: bool,
    /// The step of the runs that go on at the moment.
    step: u32,
    found: Found,
}

/// Symbolic execution with registers for each call stack.
pub struct Explorer<'a, 'p> {
    /// Shared by all explorations.
    pub enc: Encoder<'p>,
    /// Call stacks.
    pub stacks: Callstacks,
    wto: &'a Wto,
    kernel: Kernel<'p>,
    slots: FxHashMap<StackId, FrameSlots>,
    next_slot: u32,
    budget: &'a Budget,
    /// Guards of runs that no exploration follows on, because the encoding has no room for a block.
    pub lost: Vec<GuardId>,
}

impl<'a, 'p> Explorer<'a, 'p> {
    /// An explorer of the encoder's program.
    pub fn new(mut enc: Encoder<'p>, wto: &'a Wto, observer: &Observer, budget: &'a Budget) -> Self {
        // What is shown of an arrival is assumed of the arbitrary state there, which other explorations reach.
        enc.objects.share_addresses();
        let stacks = Callstacks::new(enc.program);
        let next_slot = enc.slots.globals.next_multiple_of(16);
        let slots = FxHashMap::default();
        let kernel = Kernel::new(enc.program, observer);
        let mut this = Self { enc, stacks, wto, kernel, slots, next_slot, budget, lost: Vec::new() };
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

    /// The only instance of an object in a state.
    pub fn instance(&self, state: &State, object: points_to::Object) -> Option<&Object> {
        let table = &self.enc.objects;
        let exists = |id: &ObjId| {
            let kind = table.get(*id).kind;
            points_to::Object::from(kind) == object
                && (self.enc.global_of(kind) || state.memory.get(id.index() as u32).is_some())
        };
        let mut instances = table.ids().filter(exists);
        instances.next().filter(|_| instances.next().is_none()).map(|id| table.get(id))
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

    fn run(&mut self, from: Option<&AtCut>, mode: Mode<'_>) -> Result<Found, Stop> {
        let program = self.program();
        self.enc.endings.clear();
        let (at, mut pending) = match from {
            Some(from) => {
                let Cut { stack, head: loc, observer } = from.cut;
                (At { loc, stack, observer }, Pending { step: 0, state: from.state.clone() })
            }
            None => {
                let Some(body) = program.functions[program.start].body else { return Ok(Found::default()) };
                let step = u32::from(self.wto.is_head(body.entry) && matches!(mode, Mode::Steps(..)));
                let at = At { loc: body.entry, stack: self.stacks.root(), observer: Observer::INITIAL };
                (at, Pending { step, state: self.enc.initial_state() })
            }
        };
        // The states of one exploration never meet those of another.
        let memory = &pending.state.memory;
        let exists = |object: ObjId| memory.get(object.index() as u32).is_some();
        pending.state.layout = self.enc.objects.fork(pending.state.layout, exists);
        let kernel = self.kernel.clone();
        let mut walk = Walk { explorer: self, mode, at_start: from.is_some(), step: 0, found: Found::default() };
        in_order(&kernel, &mut walk, (at, pending))?;
        Ok(walk.found)
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
        self.enc.objects.set_frame(frame.0);
        let made = self.enc.allocate(state, size, align, ObjectKind::Local(var), Rest::Arbitrary);
        let Ok((_, mut address)) = made else { return };
        if let Some(before) = before {
            let kept = self.enc.terms.fresh_var("kept", Sort::Bool);
            address = self.enc.terms.ite(kept, before, address);
        }
        self.enc.assign(state, frame, var, address);
    }
}

impl Walk<'_, '_, '_> {
    /// Runs that end in another way than by trapping count as bad.
    fn collect_endings(&mut self) {
        for ending in std::mem::take(&mut self.explorer.enc.endings) {
            if ending.kind.is_excluded() {
                self.found.traps.insert(ending.edge);
            } else {
                bad(&mut self.found, self.step, ending.guard);
            }
            if ending.kind.is_for_want_of_room() {
                self.explorer.lost.push(ending.guard);
            }
        }
    }
}

impl Domain for Walk<'_, '_, '_> {
    type Stack = StackId;
    type State = Pending;
    type Condition = TermId;

    fn copy(&mut self, pending: &Pending) -> Pending {
        Pending { step: pending.step, state: pending.state.clone() }
    }

    // What a run leaves open in a condition that branches share is the same for all of them.
    fn condition(
        &mut self,
        pending: &mut Pending,
        at: At<StackId>,
        edge: EdgeId,
        cond: ExprId,
    ) -> Result<Condition<TermId>, End> {
        let frame = self.explorer.frame(at.stack);
        self.explorer.enc.edge = edge;
        self.explorer.enc.eval(&mut pending.state, frame, cond).map(Condition::Open).map_err(|Dead| End::Blocked)
    }

    fn assume(
        &mut self,
        pending: &mut Pending,
        _: At<StackId>,
        edge: EdgeId,
        value: &TermId,
        truth: bool,
    ) -> Result<(), End> {
        self.explorer.enc.assume_value(&mut pending.state, edge, *value, truth).map_err(|Dead| End::Blocked)
    }

    fn post(&mut self, pending: &mut Pending, at: At<StackId>, edge: EdgeId) -> Result<(), End> {
        let frame = self.explorer.frame(at.stack);
        self.explorer.enc.objects.set_frame(frame.0);
        self.explorer.enc.execute(&mut pending.state, frame, edge).map_err(|Dead| End::Blocked)
    }

    fn enter(&mut self, pending: &mut Pending, at: At<StackId>, edge: EdgeId, func: FuncId) -> Result<StackId, End> {
        let (callee, is_new) = self.explorer.stacks.push(at.stack, edge, func);
        if is_new {
            self.explorer.add_frame(callee);
        }
        let (outer, inner) = (self.explorer.frame(at.stack), self.explorer.frame(callee));
        self.explorer.enc.objects.set_frame(inner.0);
        self.explorer.enc.enter(&mut pending.state, edge, outer, inner).map_err(|Dead| End::Blocked)?;
        Ok(callee)
    }

    fn leave(&mut self, pending: &mut Pending, at: At<StackId>) -> Option<(StackId, EdgeId)> {
        let (caller, call) = self.explorer.stacks.frame(at.stack).caller?;
        let (inner, outer) = (self.explorer.frame(at.stack), self.explorer.frame(caller));
        self.explorer.enc.leave(&mut pending.state, call, inner, outer);
        Some((caller, call))
    }
}

impl InOrder for Walk<'_, '_, '_> {
    /// The step, then the positions of the calls on the stack and of the location.
    type Key = (u32, Vec<u32>);
    type Error = Stop;

    fn key(&self, at: At<StackId>, pending: &Pending) -> Self::Key {
        let Explorer { wto, stacks, .. } = &*self.explorer;
        let mut key = Vec::new();
        for call in stacks.calls(at.stack) {
            key.extend([wto.pos(self.explorer.program().edges[call].src), call.index() as u32]);
        }
        key.push(wto.pos(at.loc));
        (pending.step, key)
    }

    fn join(&mut self, pending: Vec<Pending>) -> Option<Pending> {
        let guard = |pending: &Pending| pending.state.guard;
        let join = |enc: &mut Encoder<'_>, a: Pending, b: Pending| Pending { state: enc.join(a.state, b.state), ..a };
        join_states(&mut self.explorer.enc, pending, guard, join)
    }

    fn visit(&mut self, at: At<StackId>, mut pending: Pending) -> Result<Option<Pending>, Stop> {
        let effort = self.explorer.enc.terms.effort();
        self.explorer.budget.spend(effort);
        self.explorer.budget.check()?;
        self.step = pending.step;
        if std::mem::take(&mut self.at_start) || !self.explorer.wto.is_head(at.loc) {
            return Ok(Some(pending));
        }
        let cut = Cut { stack: at.stack, head: at.loc, observer: at.observer };
        if let Mode::Forget(effects) = self.mode
            && let Some(effects) = effects.of(at.loc)
        {
            self.explorer.forget(&mut pending.state, at.stack, effects);
        }
        let step = pending.step;
        self.found.arrivals.push(AtCut { cut, step, state: pending.state.clone() });
        let goes_on = match self.mode {
            Mode::Forget(_) => true,
            Mode::Steps(count, safe) => step < count && !safe.contains(&(cut, count - step)),
        };
        Ok(goes_on.then_some(pending))
    }

    fn arrived(&mut self, moved: Vec<Moved<Self>>) -> Vec<(At<StackId>, Pending)> {
        self.collect_endings();
        let (wto, program) = (self.explorer.wto, self.explorer.program());
        let mut open = Vec::new();
        for Moved { from, via, at, outcome, mut state } in moved {
            let is_back = match via {
                Via::Edge(edge) => at.stack == from.stack && wto.is_back_edge(program, edge),
                Via::Return(call) => wto.is_back_edge(program, call),
            };
            match self.mode {
                _ if outcome == Outcome::Violated => bad(&mut self.found, state.step, state.state.guard),
                Mode::Forget(_) if is_back => {}
                Mode::Forget(_) => open.push((at, state)),
                Mode::Steps(..) => {
                    state.step += u32::from(wto.is_head(at.loc));
                    open.push((at, state));
                }
            }
        }
        open
    }

    fn is_straight(&self, from: At<StackId>, to: At<StackId>) -> bool {
        let explorer = &self.explorer;
        from.stack == to.stack && explorer.program().locs[to.loc].inc.len() == 1 && !explorer.wto.is_head(to.loc)
    }
}

fn bad(found: &mut Found, step: u32, guard: GuardId) {
    let step = step as usize;
    if found.bad.len() <= step {
        found.bad.resize(step + 1, Vec::new());
    }
    found.bad[step].push(guard);
}

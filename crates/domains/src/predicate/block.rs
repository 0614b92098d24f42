//! Blocks: all runs from one abstraction point to the next ones, merged into one formula for each end.
//!
//! A block begins in a generic state ([`super::generic`]), so it depends only on where it begins and on the shape of the state; it is
//! encoded once and used for every abstract state there. Locations are taken in the order of their *keys*: the positions of the
//! calls on the stack, then the location's own position in the weak topological order. Keys grow along every edge within a
//! block, because only edges to abstraction points go backwards; so states meet, and are joined, before anybody goes on from there.
//!
//! A call whose stack is abstracted is a block of its own kind ([`Call`]).

use super::generic::Generics;
use super::points::Points;
use super::shape::ShapeId;
use crate::automaton::Automaton;
use crate::callstack::StackId;
use crate::strategy::{Strategies, StrategyPrecisionId};
use analysis::{AnalysisError, Target};
use base::{Budget, Id};
use cfa::observer::ObserverState;
use cfa::{EdgeId, FuncId, LocId, Op, VarId};
use encode::canon::Place;
use encode::{Dead, Encoder, EndingKind, FrameSlots, State};
use rustc_hash::FxHashMap;
use smt::TermId;
use std::collections::BTreeMap;

/// A point of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct At {
    /// Location.
    pub loc: LocId,
    /// Call stack.
    pub stack: StackId,
    /// State of the observer.
    pub observer: ObserverState,
}

/// Where a block begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Start {
    /// The point.
    pub at: At,
    /// The shape of the states; none at the start of the program, where everything has its initial value.
    pub shape: Option<ShapeId>,
}

/// An end of a block.
pub struct End {
    /// Where.
    pub at: At,
    /// Set if the end violates the property or leads to what is not modelled.
    pub target: Option<Target>,
    /// The state, unless this is a target.
    pub state: Option<State>,
    /// Its shape.
    pub shape: ShapeId,
    /// Condition under which the block ends here.
    pub guard: TermId,
}

/// What identifies an end of a block, however the block is encoded.
pub type EndKey = (At, Option<EdgeId>);

impl End {
    /// See [`EndKey`]. Violations have an observer's state of their own.
    pub fn key(&self) -> EndKey {
        end_key(self.at, self.target)
    }
}

fn end_key(at: At, target: Option<Target>) -> EndKey {
    match target {
        Some(Target::Unmodelled(edge)) => (at, Some(edge)),
        _ => (at, None),
    }
}

/// A step within a block.
#[derive(Clone, Copy, Debug)]
struct Taken {
    from: At,
    /// None for a return.
    edge: Option<EdgeId>,
    /// Condition under which it is taken.
    guard: TermId,
    to: To,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum To {
    At(At),
    End(u32),
}

/// What the block of a call is beside its ends, if the stack below the procedure is abstracted. Its first end is the entry of
/// the procedure on a detached stack; the others come after a return, and everything that the call may change
/// holds variables of the block's own there.
#[derive(Clone, Debug)]
pub struct Call {
    /// The procedure.
    pub func: FuncId,
    /// The detached stack.
    pub inside: StackId,
    /// What canonical variables at the procedure's exit, on the detached stack, are in this block.
    pub at_exit: Vec<(TermId, TermId)>,
}

/// The end of a call's block at which the procedure is entered.
pub const ENTERED: usize = 0;

/// Identifies a block: where it begins, and its number among the blocks there.
pub type BlockId = (Start, u32);

/// A block.
pub struct Block {
    /// Where it begins.
    pub start: Start,
    variant: u32,
    /// The strategies that were chosen in it: locations and edges.
    pub chosen: Vec<(LocId, EdgeId)>,
    /// Its ends, in an order that only depends on the program.
    pub ends: Vec<End>,
    /// Steps in the order of their execution.
    taken: Vec<Taken>,
    /// Undefined behaviour that ends runs: edges and conditions.
    pub undefined: Vec<(EdgeId, TermId)>,
    /// Why runs end at targets that are not modelled.
    pub unmodelled: Vec<(EdgeId, EndingKind)>,
    /// Set if it is a call.
    pub call: Option<Call>,
}

impl Block {
    /// See [`BlockId`].
    pub fn id(&self) -> BlockId {
        (self.start, self.variant)
    }

    /// The edges of some path to an end.
    pub fn any_path(&self, end: u32) -> Vec<EdgeId> {
        let mut edges = Vec::new();
        let mut to = To::End(end);
        for taken in self.taken.iter().rev() {
            if taken.to == to {
                edges.extend(taken.edge);
                to = To::At(taken.from);
            }
        }
        edges.reverse();
        edges
    }

    /// The edges of the path to an end whose conditions hold.
    pub fn path(&self, end: u32, mut holds: impl FnMut(TermId) -> bool) -> Option<Vec<EdgeId>> {
        let mut from: FxHashMap<At, Vec<&Taken>> = FxHashMap::default();
        for taken in &self.taken {
            from.entry(taken.from).or_default().push(taken);
        }
        let mut edges = Vec::new();
        let mut at = self.start.at;
        for _ in 0..=self.taken.len() {
            // The block of a call has two steps from its start: one enters the procedure, the other is the whole call.
            let elsewhere = |taken: &&&Taken| matches!(taken.to, To::End(other) if other != end && self.call.is_some());
            let taken = from.get(&at)?.iter().filter(|taken| !elsewhere(taken)).find(|taken| holds(taken.guard))?;
            edges.extend(taken.edge);
            match taken.to {
                To::At(next) => at = next,
                To::End(reached) => return (reached == end).then_some(edges),
            }
        }
        None
    }

    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.taken.len()
    }
}

type Key = Vec<u32>;

/// What a block that begins at the entry of a procedure is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// A block like others.
    Follow,
    /// A [`Call`].
    Abstract,
}

/// Encodes one block.
pub struct Encoding<'e, 'p> {
    enc: &'e mut Encoder<'p>,
    generics: &'e mut Generics<'p>,
    points: &'e Points,
    automaton: &'e Automaton,
    budget: &'e Budget,
    queue: BTreeMap<Key, BTreeMap<At, Vec<State>>>,
    ends: BTreeMap<EndKey, u32>,
    found: Vec<Collected>,
    taken: Vec<Taken>,
    chosen: Vec<(LocId, EdgeId)>,
    undefined: Vec<(EdgeId, TermId)>,
    unmodelled: Vec<(EdgeId, EndingKind)>,
    call: Option<Call>,
    steps: u64,
}

/// What arrived at an end.
struct Collected {
    at: At,
    target: Option<Target>,
    states: Vec<State>,
    guards: Vec<TermId>,
}

impl<'e, 'p> Encoding<'e, 'p> {
    /// A block's encoding.
    pub fn new(
        enc: &'e mut Encoder<'p>,
        generics: &'e mut Generics<'p>,
        points: &'e Points,
        automaton: &'e Automaton,
        budget: &'e Budget,
    ) -> Self {
        Self {
            enc,
            generics,
            points,
            automaton,
            budget,
            queue: BTreeMap::new(),
            ends: BTreeMap::new(),
            found: Vec::new(),
            taken: Vec::new(),
            chosen: Vec::new(),
            undefined: Vec::new(),
            unmodelled: Vec::new(),
            call: None,
            steps: 0,
        }
    }

    /// Encodes the block.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn run(
        mut self,
        start: Start,
        variant: u32,
        strategies: (&Strategies, StrategyPrecisionId),
        calls: Calls,
    ) -> Result<Block, AnalysisError> {
        let At { loc, stack, .. } = start.at;
        let state = match start.shape {
            None => self.enc.initial_state(),
            Some(shape) => self.generics.state(self.enc, stack, loc, shape),
        };
        match calls {
            Calls::Abstract => self.abstract_call(start.at, state),
            Calls::Follow => self.follow(start.at, state, strategies)?,
        }
        while let Some((_, waiting)) = self.queue.pop_first() {
            self.budget.check()?;
            for (at, states) in waiting {
                if let Some(state) = join_all(self.enc, states) {
                    self.follow(at, state, strategies)?;
                }
            }
        }
        self.enc.forget_log();
        let mut ends = Vec::with_capacity(self.found.len());
        for collected in std::mem::take(&mut self.found) {
            let Collected { at, target, states, guards } = collected;
            let guard = self.enc.terms.or_all(&guards);
            let state = join_all(self.enc, states);
            let (shape, guard) = match &state {
                Some(state) => {
                    (self.generics.shape_of(self.enc, state, at.stack, at.loc), self.enc.guards.formula(state.guard))
                }
                None => (self.generics.shapes.initial(), guard),
            };
            ends.push(End { at, target, state, shape, guard });
        }
        let mut chosen = self.chosen;
        chosen.sort_unstable();
        chosen.dedup();
        let (taken, undefined, unmodelled, call) = (self.taken, self.undefined, self.unmodelled, self.call);
        Ok(Block { start, variant, chosen, ends, taken, undefined, unmodelled, call })
    }

    /// The block of a call whose stack is abstracted; runs have evaluated the arguments.
    fn abstract_call(&mut self, at: At, mut state: State) {
        let program = self.enc.program;
        let func = program.locs[at.loc].func;
        let (Some(body), Some(procedure)) = (program.functions[func].body, self.generics.procedure(func).cloned())
        else {
            return;
        };
        let inside = self.generics.detach(self.enc, func);
        let (outer, inner) = (self.generics.frame(at.stack), self.generics.frame(inside));
        let slot = |enc: &Encoder<'_>, frame, var| enc.slots.slot(program, frame, var);
        let entered = self.entered(&state, &program.functions[func].params, (outer, inner));
        let tru = self.enc.terms.tru();
        let end = self.end(At { stack: inside, ..at }, None);
        self.found[end as usize].states.push(entered);
        self.taken.push(Taken { from: at, edge: None, guard: tru, to: To::End(end) });
        // What holds at the exit: what was there at the entry, as far as the call keeps it.
        let mut at_exit = Vec::new();
        let mut before: Vec<(u32, VarId)> = self.generics.entry_values(self.enc, inside);
        before.extend(procedure.kept.iter().map(|var| (slot(self.enc, inner, *var), *var)));
        for (named, var) in before {
            let Some(ty) = program.vars[var].register() else { continue };
            let sort = self.enc.sort(ty);
            let variable = self.enc.canonical(Place::Slot(named), sort);
            let value = self.enc.output(&mut state, Place::Slot(slot(self.enc, outer, var)), sort);
            at_exit.push((variable, value));
        }
        for var in procedure.changed.iter().chain(&program.functions[func].ret) {
            let Some(ty) = program.vars[*var].register() else { continue };
            let sort = self.enc.sort(ty);
            let variable = self.enc.canonical(Place::Slot(slot(self.enc, inner, *var)), sort);
            let value = self.enc.terms.fresh_var(&program.vars[*var].name, sort);
            state.slots.insert(slot(self.enc, outer, *var), value);
            at_exit.push((variable, value));
        }
        self.call = Some(Call { func, inside, at_exit });
        let at_end = At { loc: body.exit, ..at };
        self.taken.push(Taken { from: at, edge: None, guard: tru, to: To::At(at_end) });
        self.leave(at_end, state);
    }

    /// The state at the entry of a procedure without what only its callers have.
    fn entered(&mut self, state: &State, params: &[VarId], (outer, inner): (FrameSlots, FrameSlots)) -> State {
        let program = self.enc.program;
        let mut entered = state.clone();
        entered.slots.remove_range(self.enc.slots.globals, u32::MAX - 1);
        for param in params {
            let slot = |frame| self.enc.slots.slot(program, frame, *param);
            if let Some(value) = state.slots.get(slot(outer)) {
                entered.slots.insert(slot(inner), *value);
            }
        }
        let mut others = Vec::new();
        state.memory.for_each(|index, _| {
            let object: encode::ObjId = Id::from_index(index as usize);
            if !self.enc.global_of(self.enc.objects.get(object).kind) {
                others.push(index);
            }
        });
        others.into_iter().for_each(|index| entered.memory.remove(index));
        entered
    }

    fn key(&self, at: At) -> Key {
        let program = self.enc.program;
        let mut key = Vec::new();
        for call in self.generics.stacks.calls(at.stack) {
            key.extend([self.points.position(program.edges[call].src), call.index() as u32]);
        }
        key.push(self.points.position(at.loc));
        key
    }

    /// Goes on from one state, along straight lines without a detour over the queue.
    fn follow(
        &mut self,
        mut at: At,
        mut state: State,
        (strategies, precision): (&Strategies, StrategyPrecisionId),
    ) -> Result<(), AnalysisError> {
        let program = self.enc.program;
        loop {
            let func = program.locs[at.loc].func;
            if program.functions[func].body.is_some_and(|body| body.exit == at.loc) {
                self.leave(at, state);
                return Ok(());
            }
            let out = strategies.edges(program, precision, at.loc);
            if let [edge] = out
                && strategies.chooses(*edge)
            {
                self.chosen.push((at.loc, *edge));
            }
            if let Some(canon) = &mut self.enc.canon {
                canon.stack = at.stack.index() as u32;
            }
            let Some(condition) = self.condition(at, out, &mut state) else { return Ok(()) };
            let mut next = None;
            for (i, edge) in out.iter().enumerate() {
                self.steps += 1;
                if self.steps.is_multiple_of(256) {
                    self.budget.check()?;
                }
                let mut here = if i + 1 == out.len() {
                    std::mem::replace(&mut state, placeholder(self.enc))
                } else {
                    state.clone()
                };
                if let Some(canon) = &mut self.enc.canon {
                    canon.stack = at.stack.index() as u32;
                }
                let survives = match (condition, &program.edges[*edge].op) {
                    (Some((shared, term)), Op::Assume { cond, truth }) if *cond == shared => {
                        let literal = if *truth { term } else { self.enc.terms.not(term) };
                        self.enc.passed.insert(*edge);
                        self.enc.assume(&mut here, literal)
                    }
                    _ => {
                        let frame = self.generics.frame(at.stack);
                        let result = self.enc.execute(&mut here, frame, *edge);
                        self.note_endings(at, *edge);
                        result
                    }
                };
                if survives.is_err() {
                    continue;
                }
                if let Some((to, arrived)) = self.arrive(at, *edge, here) {
                    let straight = out.len() == 1 && program.locs[to.loc].inc.len() == 1 && to.stack == at.stack;
                    if straight {
                        next = Some((to, arrived));
                    } else {
                        self.enqueue(to, arrived);
                    }
                }
            }
            match next {
                Some((to, arrived)) => (at, state) = (to, arrived),
                None => return Ok(()),
            }
        }
    }

    /// The value of the condition that all branches share; `None` if its evaluation ends all runs.
    #[allow(clippy::option_option)]
    fn condition(&mut self, at: At, out: &[EdgeId], state: &mut State) -> Option<Option<(cfa::ExprId, TermId)>> {
        let [first, _, ..] = out else { return Some(None) };
        let Op::Assume { cond, .. } = self.enc.program.edges[*first].op else { return Some(None) };
        self.enc.edge = *first;
        let frame = self.generics.frame(at.stack);
        let term = self.enc.eval(state, frame, cond);
        self.note_endings(at, *first);
        Some(Some((cond, term.ok()?)))
    }

    /// Makes ends of the paths that have just ended for reasons that matter.
    fn note_endings(&mut self, at: At, edge: EdgeId) {
        if self.enc.endings.is_empty() {
            return;
        }
        for ending in std::mem::take(&mut self.enc.endings) {
            let guard = self.enc.guards.formula(ending.guard);
            if ending.kind.is_excluded() {
                self.undefined.push((edge, guard));
                continue;
            }
            self.unmodelled.push((edge, ending.kind));
            let end = self.end(at, Some(Target::Unmodelled(edge)));
            self.found[end as usize].guards.push(guard);
            self.taken.push(Taken { from: at, edge: Some(edge), guard, to: To::End(end) });
        }
    }

    /// The number of an end.
    fn end(&mut self, at: At, target: Option<Target>) -> u32 {
        let key = end_key(at, target);
        let found = &mut self.found;
        *self.ends.entry(key).or_insert_with(|| {
            found.push(Collected { at, target, states: Vec::new(), guards: Vec::new() });
            found.len() as u32 - 1
        })
    }

    /// Arrives behind an edge, in the function that it calls, or at an end.
    fn arrive(&mut self, from: At, edge: EdgeId, mut state: State) -> Option<(At, State)> {
        let program = self.enc.program;
        let mut to = At { loc: program.edges[edge].dst, ..from };
        match &program.edges[edge].op {
            Op::Call { func, args, .. } => {
                to.observer = self.automaton.call(to.observer, *func);
                if to.observer == self.automaton.error() {
                    return self.settle(from, Some(edge), to, state);
                }
                let body = program.functions[*func].body?;
                let frame = self.generics.frame(from.stack);
                let mut values = Vec::with_capacity(args.len());
                self.enc.edge = edge;
                for arg in args {
                    let value = self.enc.eval(&mut state, frame, *arg);
                    self.note_endings(from, edge);
                    match value {
                        Ok(value) => values.push(value),
                        Err(Dead) => return None,
                    }
                }
                to.stack = self.generics.push(self.enc, from.stack, edge, *func);
                let callee = self.generics.frame(to.stack);
                for (param, value) in program.functions[*func].params.iter().zip(values) {
                    self.enc.assign(&mut state, callee, *param, value);
                }
                to.loc = body.entry;
            }
            Op::CallExtern { func, .. } => to.observer = self.automaton.call(to.observer, *func),
            _ => {}
        }
        if to.observer != self.automaton.error() {
            to.observer = self.automaton.enter(to.observer, to.loc);
        }
        self.settle(from, Some(edge), to, state)
    }

    /// Records a step; what does not end there goes on.
    fn settle(&mut self, from: At, edge: Option<EdgeId>, to: At, state: State) -> Option<(At, State)> {
        let guard = self.enc.guards.formula(state.guard);
        if to.observer == self.automaton.error() {
            let at = At { loc: self.violation(), stack: self.generics.stacks.root(), observer: to.observer };
            let end = self.end(at, Some(Target::Violation));
            self.found[end as usize].guards.push(guard);
            self.taken.push(Taken { from, edge, guard, to: To::End(end) });
            return None;
        }
        if self.points.is_point(to.loc) {
            let end = self.end(to, None);
            self.found[end as usize].states.push(state);
            self.taken.push(Taken { from, edge, guard, to: To::End(end) });
            return None;
        }
        self.taken.push(Taken { from, edge, guard, to: To::At(to) });
        Some((to, state))
    }

    /// All violations of a block are one end, at the entry of the program.
    fn violation(&self) -> LocId {
        let program = self.enc.program;
        program.functions[program.start].body.map_or(Id::from_index(0), |body| body.entry)
    }

    /// Returns to the caller.
    fn leave(&mut self, at: At, mut state: State) {
        let program = self.enc.program;
        let top = self.generics.stacks.frame(at.stack);
        let Some((below, call)) = top.caller else { return };
        let slots = self.generics.frame(at.stack);
        let result = match (&program.edges[call].op, program.functions[top.func].ret) {
            (Op::Call { dst: Some(dst), .. }, Some(ret)) => Some((*dst, self.enc.register(&mut state, slots, ret))),
            _ => None,
        };
        let size = self.enc.slots.frame_size(top.func);
        self.enc.drop_frame(&mut state, slots, size);
        self.enc.drop_objects(&mut state, at.stack.index() as u32);
        if let Some((dst, value)) = result {
            self.enc.assign(&mut state, self.generics.frame(below), dst, value);
        }
        let loc = program.edges[call].dst;
        let to = At { loc, stack: below, observer: self.automaton.enter(at.observer, loc) };
        if let Some((to, state)) = self.settle(at, None, to, state) {
            self.enqueue(to, state);
        }
    }

    fn enqueue(&mut self, at: At, state: State) {
        let key = self.key(at);
        self.queue.entry(key).or_default().entry(at).or_default().push(state);
    }
}

/// What is left where a state was moved out.
fn placeholder(enc: &Encoder<'_>) -> State {
    State { guard: enc.guards.root(), slots: Default::default(), memory: Default::default(), external: enc.external }
}

/// Joins states, those with the most recent common past first.
fn join_all(enc: &mut Encoder<'_>, mut states: Vec<State>) -> Option<State> {
    let nearness = |enc: &Encoder<'_>, a: &State, b: &State| {
        let ancestor = enc.guards.ancestor(a.guard, b.guard);
        enc.guards.depth(ancestor)
    };
    let mut near: Vec<u32> = states.windows(2).map(|w| nearness(enc, &w[0], &w[1])).collect();
    // The last of the nearest pairs: conditions of a chain of branches cancel from its end.
    while let Some((i, _)) = near.iter().copied().enumerate().max_by_key(|(i, n)| (*n, *i)) {
        let b = states.remove(i + 1);
        near.remove(i);
        let a = std::mem::replace(&mut states[i], placeholder(enc));
        states[i] = enc.join(a, b);
        if i > 0 {
            near[i - 1] = nearness(enc, &states[i - 1], &states[i]);
        }
        if i < near.len() {
            near[i] = nearness(enc, &states[i], &states[i + 1]);
        }
    }
    states.pop()
}

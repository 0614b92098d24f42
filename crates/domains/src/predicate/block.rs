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
use crate::strategy::{Strategies, StrategyPrecisionId};
use analysis::{AnalysisError, Target};
use base::{Budget, Id, Stop};
use cfa::{EdgeId, ExprId, FuncId, LocId, VarId};
use encode::canon::Place;
use encode::{Dead, Encoder, EndingKind, FrameSlots, State, join_states};
use rustc_hash::FxHashMap;
use smt::TermId;
use std::collections::BTreeMap;
use step::{Condition, Domain, InOrder, Kernel, Moved, Outcome, StackId, Via, in_order};

/// A point of a run.
pub type At = step::At<StackId>;

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
    budget: &'e Budget,
    strategies: (&'e Strategies, StrategyPrecisionId),
    ends: BTreeMap<EndKey, u32>,
    found: Vec<Collected>,
    taken: Vec<Taken>,
    chosen: Vec<(LocId, EdgeId)>,
    undefined: Vec<(EdgeId, TermId)>,
    unmodelled: Vec<(EdgeId, EndingKind)>,
    call: Option<Call>,
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
        strategies: (&'e Strategies, StrategyPrecisionId),
        budget: &'e Budget,
    ) -> Self {
        Self {
            enc,
            generics,
            points,
            budget,
            strategies,
            ends: BTreeMap::new(),
            found: Vec::new(),
            taken: Vec::new(),
            chosen: Vec::new(),
            undefined: Vec::new(),
            unmodelled: Vec::new(),
            call: None,
        }
    }

    /// Encodes the block.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn run(
        mut self,
        kernel: &Kernel<'p>,
        start: Start,
        variant: u32,
        calls: Calls,
    ) -> Result<Block, AnalysisError> {
        let At { loc, stack, .. } = start.at;
        let state = match start.shape {
            None => self.enc.initial_state(),
            Some(shape) => self.generics.state(self.enc, stack, loc, shape),
        };
        let begin = match calls {
            Calls::Abstract => self.abstract_call(start.at, state),
            Calls::Follow => Some((start.at, state)),
        };
        if let Some(begin) = begin {
            in_order(kernel, &mut self, begin)?;
        }
        self.enc.forget_log();
        let mut ends = Vec::with_capacity(self.found.len());
        for collected in std::mem::take(&mut self.found) {
            let Collected { at, target, states, guards } = collected;
            let guard = self.enc.terms.or_all(&guards);
            let state = self.join(states);
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

    /// The block of a call whose stack is abstracted; runs have evaluated the arguments. Gives back what returns from the
    /// procedure.
    fn abstract_call(&mut self, at: At, mut state: State) -> Option<(At, State)> {
        let program = self.enc.program;
        let func = program.locs[at.loc].func;
        let body = program.functions[func].body?;
        let procedure = self.generics.procedure(func).cloned()?;
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
        Some((at_end, state))
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

    /// All violations of a block are one end, at the entry of the program.
    fn violation(&self) -> LocId {
        let program = self.enc.program;
        program.functions[program.start].body.map_or(Id::from_index(0), |body| body.entry)
    }

    /// Addresses of objects are named after the stack that runs are on.
    fn on(&mut self, stack: StackId) -> FrameSlots {
        if let Some(canon) = &mut self.enc.canon {
            canon.stack = stack.index() as u32;
        }
        self.generics.frame(stack)
    }
}

impl Domain for Encoding<'_, '_> {
    type Stack = StackId;
    type State = State;
    type Condition = TermId;

    fn chosen(&self, loc: LocId) -> Option<EdgeId> {
        self.strategies.0.chosen(self.strategies.1, loc)
    }

    fn copy(&mut self, state: &State) -> State {
        state.clone()
    }

    fn condition(
        &mut self,
        state: &mut State,
        at: At,
        edge: EdgeId,
        cond: ExprId,
    ) -> Result<Condition<TermId>, step::End> {
        let frame = self.on(at.stack);
        self.enc.edge = edge;
        let value = self.enc.eval(state, frame, cond);
        self.note_endings(at, edge);
        value.map(Condition::Open).map_err(|Dead| step::End::Blocked)
    }

    fn assume(&mut self, state: &mut State, _: At, edge: EdgeId, value: &TermId, truth: bool) -> Result<(), step::End> {
        self.enc.assume_value(state, edge, *value, truth).map_err(|Dead| step::End::Blocked)
    }

    fn post(&mut self, state: &mut State, at: At, edge: EdgeId) -> Result<(), step::End> {
        let frame = self.on(at.stack);
        let done = self.enc.execute(state, frame, edge);
        self.note_endings(at, edge);
        done.map_err(|Dead| step::End::Blocked)
    }

    fn enter(&mut self, state: &mut State, at: At, edge: EdgeId, func: FuncId) -> Result<StackId, step::End> {
        let outer = self.on(at.stack);
        let callee = self.generics.push(self.enc, at.stack, edge, func);
        let inner = self.generics.frame(callee);
        let done = self.enc.enter(state, edge, outer, inner);
        self.note_endings(at, edge);
        done.map(|()| callee).map_err(|Dead| step::End::Blocked)
    }

    fn leave(&mut self, state: &mut State, at: At) -> Option<(StackId, EdgeId)> {
        let (below, call) = self.generics.stacks.frame(at.stack).caller?;
        let (inner, outer) = (self.generics.frame(at.stack), self.generics.frame(below));
        self.enc.leave(state, call, inner, outer);
        self.enc.drop_objects(state, at.stack.index() as u32);
        Some((below, call))
    }
}

impl InOrder for Encoding<'_, '_> {
    type Key = Vec<u32>;
    type Error = Stop;

    fn key(&self, at: At, _: &State) -> Vec<u32> {
        let program = self.enc.program;
        let mut key = Vec::new();
        for call in self.generics.stacks.calls(at.stack) {
            key.extend([self.points.position(program.edges[call].src), call.index() as u32]);
        }
        key.push(self.points.position(at.loc));
        key
    }

    fn join(&mut self, states: Vec<State>) -> Option<State> {
        join_states(self.enc, states, |state| state.guard, |enc, a, b| enc.join(a, b))
    }

    fn visit(&mut self, at: At, state: State) -> Result<Option<State>, Stop> {
        self.budget.check()?;
        self.chosen.extend(Domain::chosen(self, at.loc).map(|edge| (at.loc, edge)));
        Ok(Some(state))
    }

    fn arrived(&mut self, moved: Vec<Moved<Self>>) -> Vec<(At, State)> {
        let mut open = Vec::with_capacity(moved.len());
        for Moved { from, via, at, outcome, state } in moved {
            let edge = match via {
                Via::Edge(edge) => Some(edge),
                Via::Return(_) => None,
            };
            let guard = self.enc.guards.formula(state.guard);
            let to = if outcome == Outcome::Violated {
                let at = At { loc: self.violation(), stack: self.generics.stacks.root(), observer: at.observer };
                let end = self.end(at, Some(Target::Violation));
                self.found[end as usize].guards.push(guard);
                To::End(end)
            } else if self.points.is_point(at.loc) {
                let end = self.end(at, None);
                self.found[end as usize].states.push(state);
                To::End(end)
            } else {
                open.push((at, state));
                To::At(at)
            };
            self.taken.push(Taken { from, edge, guard, to });
        }
        open
    }

    fn is_straight(&self, from: At, to: At) -> bool {
        from.stack == to.stack && self.enc.program.locs[to.loc].inc.len() == 1
    }
}

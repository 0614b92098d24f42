//! One step: from the runs at a location to those behind its edges.

use crate::automaton::Automaton;
use cfa::observer::ObserverState;
use cfa::{EdgeId, ExprId, FuncId, LocId, Observer, Op, Program, Undefined, UnsupportedId};
use std::rc::Rc;

/// Where a run is, and what the observer of the property has seen of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct At<S> {
    /// Location.
    pub loc: LocId,
    /// Call stack.
    pub stack: S,
    /// State of the observer.
    pub observer: ObserverState,
}

/// Why no run of a state gets past an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// An assumption fails, or the program ends.
    Blocked,
    /// Undefined behaviour; the policy of the program says what becomes of it.
    Undefined(Undefined),
    /// The operation is not modelled.
    Unmodelled(Option<UnsupportedId>),
}

impl End {
    /// Whether nothing that matters can happen behind it.
    pub fn is_excluded(self) -> bool {
        match self {
            End::Blocked => true,
            End::Undefined(what) => what.is_excluded(),
            End::Unmodelled(_) => false,
        }
    }
}

/// What is known of a condition that the branches of a location share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition<C> {
    /// It has this value in all runs of the state.
    Decided(bool),
    /// Its value, for [`Domain::assume`].
    Open(C),
}

/// What a kernel asks of an analysis about its states. A state stands for a set of runs at one location.
pub trait Domain {
    /// A call stack, as far as the domain tells them apart.
    type Stack: Copy;
    /// A state.
    type State;
    /// The value of a condition.
    type Condition;

    /// The only edge that is taken at a location, where a strategy was chosen there.
    fn chosen(&self, _loc: LocId) -> Option<EdgeId> {
        None
    }

    /// A copy of a state.
    fn copy(&mut self, state: &Self::State) -> Self::State;

    /// Takes back a state that nobody needs any more.
    fn discard(&mut self, _state: Self::State) {}

    /// Evaluates the condition that the branches of a location share; `edge` is the first of them.
    ///
    /// # Errors
    /// If no run gets past its evaluation.
    fn condition(
        &mut self,
        state: &mut Self::State,
        at: At<Self::Stack>,
        edge: EdgeId,
        condition: ExprId,
    ) -> Result<Condition<Self::Condition>, End>;

    /// Keeps the runs for which the condition has a truth value.
    ///
    /// # Errors
    /// If there are none.
    fn assume(
        &mut self,
        state: &mut Self::State,
        at: At<Self::Stack>,
        edge: EdgeId,
        condition: &Self::Condition,
        truth: bool,
    ) -> Result<(), End>;

    /// The strongest postcondition of an operation that stays in its frame.
    ///
    /// # Errors
    /// If no run gets past it.
    fn post(&mut self, state: &mut Self::State, at: At<Self::Stack>, edge: EdgeId) -> Result<(), End>;

    /// Evaluates the arguments of a call and enters the function: the stack there.
    ///
    /// # Errors
    /// If no run gets past the arguments.
    fn enter(
        &mut self,
        state: &mut Self::State,
        at: At<Self::Stack>,
        edge: EdgeId,
        func: FuncId,
    ) -> Result<Self::Stack, End>;

    /// Leaves the function on top: the stack below and the call that returns; `None` if the start function ends.
    fn leave(&mut self, state: &mut Self::State, at: At<Self::Stack>) -> Option<(Self::Stack, EdgeId)>;

    /// Called for each edge that no run of some state gets past.
    fn ended(&mut self, _at: At<Self::Stack>, _edge: EdgeId, _end: End) {}
}

/// How runs came to where they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Via {
    /// Along an edge, or into the function that it calls.
    Edge(EdgeId),
    /// By the return from this call.
    Return(EdgeId),
}

/// What a step led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Runs go on.
    Arrived,
    /// The property is violated.
    Violated,
    /// What follows is not known: runs are still before the edge.
    Unmodelled(EdgeId),
}

/// Runs after a step.
pub struct Moved<D: Domain + ?Sized> {
    /// Where they were.
    pub from: At<D::Stack>,
    /// How they moved.
    pub via: Via,
    /// Where they are.
    pub at: At<D::Stack>,
    /// What the step led to.
    pub outcome: Outcome,
    /// The runs.
    pub state: D::State,
}

/// What all steps through a program have in common.
#[derive(Clone)]
pub struct Kernel<'p> {
    /// The program.
    pub program: &'p Program,
    /// The observer of the property.
    pub automaton: Rc<Automaton>,
}

impl<'p> Kernel<'p> {
    /// The kernel for a program and a property.
    pub fn new(program: &'p Program, observer: &Observer) -> Self {
        Self { program, automaton: Rc::new(Automaton::new(program, observer)) }
    }

    /// Takes all edges out of the location where the runs are, or returns from its function. What is not blocked is added to
    /// `moved`, in the order of the edges.
    pub fn step<D: Domain + ?Sized>(
        &self,
        domain: &mut D,
        at: At<D::Stack>,
        mut state: D::State,
        moved: &mut Vec<Moved<D>>,
    ) {
        let program = self.program;
        let func = program.locs[at.loc].func;
        if program.functions[func].body.is_some_and(|body| body.exit == at.loc) {
            moved.extend(self.leave(domain, at, state));
            return;
        }
        let chosen;
        let edges = match domain.chosen(at.loc) {
            Some(edge) => {
                chosen = [edge];
                &chosen[..]
            }
            None => &program.locs[at.loc].out[..],
        };
        let shared = match self.shared_condition(edges) {
            None => None,
            Some(condition) => match domain.condition(&mut state, at, edges[0], condition) {
                Ok(value) => Some((condition, value)),
                Err(end) => {
                    moved.extend(self.end(domain, at, edges[0], end, state));
                    return;
                }
            },
        };
        let is_taken = |edge: EdgeId| match (&shared, &program.edges[edge].op) {
            (Some((shared, Condition::Decided(value))), Op::Assume { cond, truth }) if cond == shared => truth == value,
            _ => true,
        };
        let Some(last) = edges.iter().rposition(|edge| is_taken(*edge)) else {
            domain.discard(state);
            return;
        };
        for edge in edges[..last].iter().filter(|edge| is_taken(**edge)) {
            let copy = domain.copy(&state);
            moved.extend(self.take(domain, at, *edge, &shared, copy));
        }
        moved.extend(self.take(domain, at, edges[last], &shared, state));
    }

    /// Takes one edge.
    pub fn along<D: Domain + ?Sized>(
        &self,
        domain: &mut D,
        at: At<D::Stack>,
        edge: EdgeId,
        state: D::State,
    ) -> Option<Moved<D>> {
        self.take(domain, at, edge, &None, state)
    }

    /// Returns from the function on top; `None` if it is the start function.
    pub fn leave<D: Domain + ?Sized>(
        &self,
        domain: &mut D,
        from: At<D::Stack>,
        mut state: D::State,
    ) -> Option<Moved<D>> {
        let Some((stack, call)) = domain.leave(&mut state, from) else {
            domain.discard(state);
            return None;
        };
        let at = At { loc: self.program.edges[call].dst, stack, observer: from.observer };
        Some(self.settle(from, Via::Return(call), at, state))
    }

    /// The condition of the first edge, if it is one of several.
    fn shared_condition(&self, edges: &[EdgeId]) -> Option<ExprId> {
        let [first, _, ..] = edges else { return None };
        match self.program.edges[*first].op {
            Op::Assume { cond, .. } => Some(cond),
            _ => None,
        }
    }

    fn take<D: Domain + ?Sized>(
        &self,
        domain: &mut D,
        from: At<D::Stack>,
        edge: EdgeId,
        shared: &Option<(ExprId, Condition<D::Condition>)>,
        mut state: D::State,
    ) -> Option<Moved<D>> {
        let program = self.program;
        let mut at = At { loc: program.edges[edge].dst, ..from };
        let done = match (&program.edges[edge].op, shared) {
            (Op::Assume { cond, truth }, Some((shared, value))) if cond == shared => match value {
                Condition::Decided(_) => Ok(()),
                Condition::Open(value) => domain.assume(&mut state, from, edge, value, *truth),
            },
            (Op::Call { func, .. }, _) => match program.functions[*func].body {
                Some(body) => domain.enter(&mut state, from, edge, *func).map(|stack| {
                    (at.stack, at.loc) = (stack, body.entry);
                }),
                None => Err(End::Unmodelled(None)),
            },
            _ => domain.post(&mut state, from, edge),
        };
        if let Err(end) = done {
            return self.end(domain, from, edge, end, state);
        }
        if let Op::Call { func, .. } | Op::CallExtern { func, .. } = &program.edges[edge].op {
            at.observer = self.automaton.call(at.observer, *func);
        }
        Some(self.settle(from, Via::Edge(edge), at, state))
    }

    /// Runs enter a location.
    fn settle<D: Domain + ?Sized>(
        &self,
        from: At<D::Stack>,
        via: Via,
        mut at: At<D::Stack>,
        state: D::State,
    ) -> Moved<D> {
        if at.observer != self.automaton.error() {
            at.observer = self.automaton.enter(at.observer, at.loc);
        }
        let outcome = if at.observer == self.automaton.error() { Outcome::Violated } else { Outcome::Arrived };
        Moved { from, via, at, outcome, state }
    }

    /// No run goes on behind the edge.
    fn end<D: Domain + ?Sized>(
        &self,
        domain: &mut D,
        at: At<D::Stack>,
        edge: EdgeId,
        end: End,
        state: D::State,
    ) -> Option<Moved<D>> {
        domain.ended(at, edge, end);
        if end.is_excluded() {
            domain.discard(state);
            return None;
        }
        Some(Moved { from: at, via: Via::Edge(edge), at, outcome: Outcome::Unmodelled(edge), state })
    }
}

//! Observer automata: what a property forbids, as an automaton that reads edges.

use crate::op::Op;
use crate::program::{EdgeId, LocId, Program};
use base::Name;

/// State of an observer; 0 is the initial one.
pub type ObserverState = u8;

/// What a transition reacts to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// A call of the function with this name, with or without a body.
    Call(Name),
    /// Entering a location that carries this label.
    Label(Name),
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Source state.
    pub from: ObserverState,
    /// What is observed.
    pub on: Pattern,
    /// Target state.
    pub to: ObserverState,
}

/// A deterministic automaton over the edges of a run; where no transition fits, it stays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observer {
    /// The property in the user's words, such as `G ! call(reach_error())`.
    pub property: Name,
    /// Transitions; the first that fits is taken.
    pub transitions: Vec<Transition>,
    /// State whose entry violates the property.
    pub error: ObserverState,
}

impl Observer {
    /// Initial state.
    pub const INITIAL: ObserverState = 0;

    /// The observer that forbids each of the patterns.
    pub fn never(property: impl Into<Name>, patterns: impl IntoIterator<Item = Pattern>) -> Self {
        let transitions = patterns.into_iter().map(|on| Transition { from: 0, on, to: 1 }).collect();
        Self { property: property.into(), transitions, error: 1 }
    }

    /// Whether some state has a transition to the error for what is observed.
    pub fn forbids(&self, on: &Pattern) -> bool {
        self.transitions.iter().any(|t| t.to == self.error && t.on == *on)
    }

    /// Whether an edge calls a function that is forbidden to be called.
    pub fn forbids_call(&self, program: &Program, edge: EdgeId) -> bool {
        let (Op::Call { func, .. } | Op::CallExtern { func, .. }) = program.edges[edge].op else { return false };
        self.forbids(&Pattern::Call(program.functions[func].name.clone()))
    }

    /// The forbidden labels that a location carries.
    pub fn forbidden_labels<'a>(&'a self, program: &'a Program, loc: LocId) -> impl Iterator<Item = &'a Name> {
        program.locs[loc].labels.iter().filter(|label| self.forbids(&Pattern::Label((*label).clone())))
    }

    /// The edges of a program that change the initial state.
    pub fn breaking<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = EdgeId> + 'a {
        let attached = program.locs.iter().flat_map(|loc| &loc.out).copied();
        attached.filter(|edge| self.step(program, Self::INITIAL, *edge) != Self::INITIAL)
    }

    /// The state after taking `edge` in `state`. Calls count when they are made, labels when their location is entered.
    pub fn step(&self, program: &Program, state: ObserverState, edge: EdgeId) -> ObserverState {
        let edge = &program.edges[edge];
        let called = match &edge.op {
            Op::Call { func, .. } | Op::CallExtern { func, .. } => Some(&program.functions[*func].name),
            _ => None,
        };
        let labels = if edge.op.ends_path() { &[][..] } else { &program.locs[edge.dst].labels[..] };
        self.transitions
            .iter()
            .find(|t| {
                t.from == state
                    && match &t.on {
                        Pattern::Call(name) => called == Some(name),
                        Pattern::Label(name) => labels.contains(name),
                    }
            })
            .map_or(state, |t| t.to)
    }
}

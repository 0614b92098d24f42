//! Observer automata as a component of abstract states: which transitions a call or a location fires, found without names.
//!
//! A call is observed when it is made; the labels of a location when it is entered, after a return as well.

use cfa::observer::ObserverState;
use cfa::{FuncId, LocId, Observer, Pattern, Program};
use rustc_hash::FxHashMap;

/// Source and target of a transition.
type Step = (ObserverState, ObserverState);

/// An observer, compiled for one program.
#[derive(Clone, Debug)]
pub struct Automaton {
    calls: FxHashMap<FuncId, Vec<Step>>,
    labels: FxHashMap<LocId, Vec<Step>>,
    error: ObserverState,
}

impl Automaton {
    /// Finds the functions and locations that the observer reacts to.
    pub fn new(program: &Program, observer: &Observer) -> Self {
        let mut this = Self { calls: FxHashMap::default(), labels: FxHashMap::default(), error: observer.error };
        for t in &observer.transitions {
            match &t.on {
                Pattern::Call(name) => {
                    for (id, _) in program.functions.iter_enumerated().filter(|(_, f)| f.name == *name) {
                        this.calls.entry(id).or_default().push((t.from, t.to));
                    }
                }
                Pattern::Label(name) => {
                    for (id, _) in program.locs.iter_enumerated().filter(|(_, l)| l.labels.contains(name)) {
                        this.labels.entry(id).or_default().push((t.from, t.to));
                    }
                }
            }
        }
        this
    }

    /// The state whose entry violates the property.
    pub fn error(&self) -> ObserverState {
        self.error
    }

    /// The state after a call.
    #[inline]
    pub fn call(&self, state: ObserverState, func: FuncId) -> ObserverState {
        fire(self.calls.get(&func), state)
    }

    /// The state after entering a location.
    #[inline]
    pub fn enter(&self, state: ObserverState, loc: LocId) -> ObserverState {
        if self.labels.is_empty() { state } else { fire(self.labels.get(&loc), state) }
    }
}

fn fire(steps: Option<&Vec<Step>>, state: ObserverState) -> ObserverState {
    let step = steps.and_then(|steps| steps.iter().find(|(from, _)| *from == state));
    step.map_or(state, |(_, to)| *to)
}

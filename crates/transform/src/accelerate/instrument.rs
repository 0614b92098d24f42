//! Step 6, completed: inlines a trace automaton into the automata of the program with an integer variable `g` [kroening15, Sect. 5].
//!
//! An edge whose letter leads to an accepting state vanishes; others set `g`. Which states are possible at a location is computed first, so an
//! edge that changes nothing stays as it is, and one that leads to one state needs no test.

use crate::accelerate::automaton::{StateId, TraceAutomaton};
use crate::accelerate::origins::Origins;
use crate::edges::{detach, move_source, redirect};
use crate::exprs::Exprs;
use base::Span;
use cfa::{BinOp, Edge, EdgeId, ExprId, ExprKind, LocId, Op, Program, Scalar, Storage, Var, VarId, VarKind};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Type of `g`.
const TYPE: Scalar = Scalar::Int { bits: 32, signed: false };

/// What the automaton of a function is put into.
pub struct Instrumentation<'a> {
    /// The program.
    pub program: &'a mut Program,
    /// Where its edges come from.
    pub origins: &'a mut Origins,
    /// The automaton.
    pub automaton: &'a TraceAutomaton,
    /// Edges that leave the state as it is.
    pub neutral: &'a FxHashSet<EdgeId>,
    /// The variable with the state.
    pub g: VarId,
}

/// The variable `g`: global, initially 0.
pub fn add_state_variable(program: &mut Program) -> VarId {
    let start = &program.functions[program.start];
    let (ctype, span) = (start.ret_ctype, start.span);
    program.vars.push(Var {
        name: "g".into(),
        func: None,
        storage: Storage::Register(TYPE),
        kind: VarKind::Temp,
        ctype,
        init: None,
        span,
    })
}

impl Instrumentation<'_> {
    fn step(&self, state: StateId, edge: EdgeId) -> Option<StateId> {
        if let Op::Call { .. } = self.program.edges[edge].op {
            return Some(0);
        }
        if self.neutral.contains(&edge) { Some(state) } else { self.automaton.step(state, edge) }
    }

    /// The states that runs can have at each location of the function that `entry` belongs to.
    fn possible(&self, entry: LocId) -> BTreeMap<LocId, BTreeSet<StateId>> {
        let mut possible: BTreeMap<LocId, BTreeSet<StateId>> = BTreeMap::new();
        let mut work = vec![(entry, 0)];
        while let Some((loc, state)) = work.pop() {
            if !possible.entry(loc).or_default().insert(state) {
                continue;
            }
            for edge in &self.program.locs[loc].out {
                if let Some(next) = self.step(state, *edge) {
                    work.push((self.program.edges[*edge].dst, next));
                }
            }
        }
        possible
    }

    /// Instruments the function with this entry.
    pub fn inline(&mut self, entry: LocId) {
        let possible = self.possible(entry);
        let out = |loc: LocId| self.program.locs[loc].out.iter().copied();
        let edges: Vec<EdgeId> = possible.keys().copied().flat_map(out).collect();
        for edge in edges {
            let mut effect = Effect::default();
            for state in &possible[&self.program.edges[edge].src] {
                match self.step(*state, edge) {
                    Some(next) => effect.before.entry(next).or_default().push(*state),
                    None => effect.is_forbidden = true,
                }
            }
            if !self.program.edges[edge].op.ends_path() && !effect.is_none() {
                self.rewrite(edge, effect);
            }
        }
    }

    /// Lets an edge test and set `g`. The tests come behind its operation, which they do not depend on; a call is made in state 0.
    fn rewrite(&mut self, edge: EdgeId, effect: Effect) {
        let Edge { src, dst, span, .. } = self.program.edges[edge];
        let func = self.program.locs[src].func;
        if let Op::Call { .. } = self.program.edges[edge].op {
            let middle = self.program.add_loc(func);
            move_source(self.program, edge, middle);
            self.set(src, middle, 0, span);
            return;
        }
        if effect.before.is_empty() {
            detach(self.program, edge);
            return;
        }
        let mut at = self.program.add_loc(func);
        redirect(self.program, edge, at);
        let mut groups = effect.before.into_iter().peekable();
        while let Some((next, from)) = groups.next() {
            let mut here = at;
            if groups.peek().is_some() || effect.is_forbidden {
                let cond = self.is_among(&from);
                let (yes, no) = (self.program.add_loc(func), self.program.add_loc(func));
                self.origins.add_edge(self.program, at, yes, Op::Assume { cond, truth: true }, span);
                self.origins.add_edge(self.program, at, no, Op::Assume { cond, truth: false }, span);
                (here, at) = (yes, no);
            }
            if from.iter().all(|state| *state == next) {
                self.origins.add_edge(self.program, here, dst, Op::Skip, span);
            } else {
                self.set(here, dst, next, span);
            }
        }
        if let (true, Some(body)) = (effect.is_forbidden, self.program.functions[func].body) {
            // A forbidden trace ends.
            self.origins.add_edge(self.program, at, body.exit, Op::Halt, span);
        }
    }

    fn set(&mut self, src: LocId, dst: LocId, state: StateId, span: Span) {
        let value = Exprs::of(self.program).number(u128::from(state), TYPE);
        self.origins.add_edge(self.program, src, dst, Op::Assign { dst: self.g, src: value }, span);
    }

    /// `g` is one of the states.
    fn is_among(&mut self, states: &[StateId]) -> ExprId {
        let g = self.program.exprs.add(ExprKind::Var(self.g), TYPE);
        let e = Exprs::of(self.program);
        let equal = |state: &StateId| e.binary(BinOp::Eq, g, e.number(u128::from(*state), TYPE));
        states.iter().map(equal).reduce(|any, equal| e.or(any, equal)).unwrap_or_else(|| e.truth(false))
    }
}

/// What an edge does to the state.
#[derive(Default)]
struct Effect {
    /// States before, by the state after.
    before: BTreeMap<StateId, Vec<StateId>>,
    /// Whether it is forbidden in other states.
    is_forbidden: bool,
}

impl Effect {
    fn is_none(&self) -> bool {
        !self.is_forbidden && self.before.iter().all(|(next, before)| before.iter().all(|state| state == next))
    }
}

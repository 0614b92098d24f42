//! Inlines a trace automaton into the automata of the program with an integer variable `g` [kroening15, Sect. 5].
//!
//! An edge whose letter leads to an accepting state vanishes; others set `g`. Which states are possible at a location is computed first, so an
//! edge that changes nothing stays as it is, and one that leads to one state needs no test.

use crate::accelerate::automaton::{StateId, TraceAutomaton};
use crate::accelerate::exprs::{binary, constant, or};
use crate::accelerate::origins::{Origin, Origins};
use base::{IdVec, Span};
use cfa::{BinOp, EdgeId, ExprId, ExprKind, LocId, Op, Program, Scalar, Storage, Var, VarId, VarKind};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Type of `g`.
const TYPE: Scalar = Scalar::Int { bits: 32, signed: false };

/// The automaton of a function, and the edges that it does not read.
pub struct Instrumentation<'a> {
    /// The automaton.
    pub automaton: &'a TraceAutomaton,
    /// Edges that leave the state as it is.
    pub neutral: &'a FxHashSet<EdgeId>,
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
    fn step(&self, program: &Program, state: StateId, edge: EdgeId) -> Option<StateId> {
        if let Op::Call { .. } = program.edges[edge].op {
            return Some(0);
        }
        if self.neutral.contains(&edge) { Some(state) } else { self.automaton.step(state, edge) }
    }

    /// The states that runs can have at each location of the function that `entry` belongs to.
    fn possible(&self, program: &Program, entry: LocId) -> BTreeMap<LocId, BTreeSet<StateId>> {
        let mut possible: BTreeMap<LocId, BTreeSet<StateId>> = BTreeMap::new();
        let mut work = vec![(entry, 0)];
        while let Some((loc, state)) = work.pop() {
            if !possible.entry(loc).or_default().insert(state) {
                continue;
            }
            for edge in &program.locs[loc].out {
                if let Some(next) = self.step(program, state, *edge) {
                    work.push((program.edges[*edge].dst, next));
                }
            }
        }
        possible
    }

    /// Instruments the function with this entry. Returns how many edges were added.
    pub fn inline(&self, program: &mut Program, entry: LocId, g: VarId, origins: &mut Origins) -> usize {
        let possible = self.possible(program, entry);
        let before = program.edges.len();
        let edges: Vec<EdgeId> = possible.keys().flat_map(|loc| program.locs[*loc].out.iter().copied()).collect();
        for edge in edges {
            let states = &possible[&program.edges[edge].src];
            // States before, by the state after.
            let mut groups: BTreeMap<StateId, BTreeSet<StateId>> = BTreeMap::new();
            let mut forbidden = false;
            for state in states {
                match self.step(program, *state, edge) {
                    Some(next) => {
                        groups.entry(next).or_default().insert(*state);
                    }
                    None => forbidden = true,
                }
            }
            let unchanged = groups.iter().all(|(next, from)| from.iter().all(|state| state == next));
            if program.edges[edge].op.ends_path() || unchanged && !forbidden {
                continue;
            }
            rewrite(program, edge, (groups, forbidden), g, origins);
        }
        program.edges.len() - before
    }
}

/// Lets an edge test and set `g`. The tests come behind its operation, which they do not depend on; a call is made in state 0.
fn rewrite(
    program: &mut Program,
    edge: EdgeId,
    (groups, forbidden): (BTreeMap<StateId, BTreeSet<StateId>>, bool),
    g: VarId,
    origins: &mut Origins,
) {
    let (src, dst, span) = (program.edges[edge].src, program.edges[edge].dst, program.edges[edge].span);
    let func = program.locs[src].func;
    if let Op::Call { .. } = program.edges[edge].op {
        let middle = program.add_loc(func);
        move_source(program, edge, middle);
        set(program, (src, middle), 0, g, span, origins);
        return;
    }
    if groups.is_empty() {
        program.locs[src].out.retain(|e| *e != edge);
        program.locs[dst].inc.retain(|e| *e != edge);
        return;
    }
    let mut at = program.add_loc(func);
    move_target(program, edge, at);
    let count = groups.len();
    for (i, (next, from)) in groups.into_iter().enumerate() {
        let is_last = i + 1 == count && !forbidden;
        let mut here = at;
        if !is_last {
            let test = member(program, g, &from);
            let (yes, no) = (program.add_loc(func), program.add_loc(func));
            let taken = program.add_edge(at, yes, Op::Assume { cond: test, truth: true }, span);
            let other = program.add_edge(at, no, Op::Assume { cond: test, truth: false }, span);
            origins.set(taken, Origin::Made);
            origins.set(other, Origin::Made);
            (here, at) = (yes, no);
        }
        if from.iter().all(|state| *state == next) {
            let skip = program.add_edge(here, dst, Op::Skip, span);
            origins.set(skip, Origin::Made);
        } else {
            set(program, (here, dst), next, g, span, origins);
        }
    }
    if forbidden {
        // A forbidden trace ends.
        if let Some(body) = program.functions[func].body {
            let halt = program.add_edge(at, body.exit, Op::Halt, span);
            origins.set(halt, Origin::Made);
        }
    }
}

fn set(program: &mut Program, (src, dst): (LocId, LocId), state: StateId, g: VarId, span: Span, origins: &mut Origins) {
    let pointer = program.pointer_bits();
    let src_expr = constant(&mut program.exprs, u128::from(state), TYPE, pointer);
    let edge = program.add_edge(src, dst, Op::Assign { dst: g, src: src_expr }, span);
    origins.set(edge, Origin::Made);
}

/// `g` is one of the states.
fn member(program: &mut Program, g: VarId, states: &BTreeSet<StateId>) -> ExprId {
    let pointer = program.pointer_bits();
    let pool = &mut program.exprs;
    let value = pool.add(ExprKind::Var(g), TYPE);
    let mut any = None;
    for state in states {
        let state = constant(pool, u128::from(*state), TYPE, pointer);
        let equal = binary(pool, BinOp::Eq, value, state);
        any = Some(match any {
            None => equal,
            Some(any) => or(pool, any, equal),
        });
    }
    any.unwrap_or(value)
}

/// Lets an edge begin at another location.
pub fn move_source(program: &mut Program, edge: EdgeId, loc: LocId) {
    let old = std::mem::replace(&mut program.edges[edge].src, loc);
    program.locs[old].out.retain(|e| *e != edge);
    program.locs[loc].out.push(edge);
}

/// Lets an edge end at another location.
pub fn move_target(program: &mut Program, edge: EdgeId, loc: LocId) {
    let old = std::mem::replace(&mut program.edges[edge].dst, loc);
    program.locs[old].inc.retain(|e| *e != edge);
    program.locs[loc].inc.push(edge);
}

/// Locations of the program by id, for marks.
pub fn marks<T: Clone>(program: &Program, value: T) -> IdVec<LocId, T> {
    IdVec::from_elem(value, program.locs.len())
}

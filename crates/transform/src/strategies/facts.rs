//! Facts about a loop that the strategies need: what it may modify and how that is havocked, and what of it the property watches.
//!
//! Havocking assigns arbitrary values to the registers that the loop may modify and that are read again, and arbitrary bytes to the
//! memory objects that it may modify. That needs a name for each object, and exactly one instance of it that lives at α: globals, and
//! locals of the loop's function that are declared on every way to the loop. Loops that allocate or free memory, that modify an object of another frame,
//! memory of the heap or of external code, or that move a property's observer without violating the property, get no strategy.

use super::{Refusal, Source};
use base::{Id, IdVec, Span};
use cfa::callgraph::CallGraph;
use cfa::loop_structure::{Loop, LoopId, LoopStructure, Shape};
use cfa::observer::ObserverState;
use cfa::op::Op;
use cfa::points_to::{Object, PointsTo};
use cfa::program::{EdgeId, FuncId, LocId, Program, Storage, VarId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Larger objects are not havocked.
const MAX_OBJECT: u64 = 1 << 12;

/// What one edge does to the property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watched {
    /// Nothing.
    No,
    /// It violates it, or is not modelled; what is called may.
    Violates,
    /// It changes the state of the observer otherwise.
    Moves,
}

/// Facts about all functions of a program.
pub struct Facts<'a> {
    /// What was analysed.
    pub source: Source<'a>,
    calls: &'a CallGraph,
    structure: &'a LoopStructure,
    /// What calling the function does to the property.
    functions: IdVec<FuncId, Watched>,
    states: Vec<ObserverState>,
}

/// A part of the state that is havocked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Havocked {
    /// A register.
    Register(VarId),
    /// A memory variable of so many bytes.
    Memory(VarId, u64),
}

/// Facts about a loop.
pub struct LoopFacts<'a> {
    /// The program without strategies.
    pub program: &'a Program,
    /// Its number.
    pub id: LoopId,
    /// The loop.
    pub l: &'a Loop,
    /// All loops.
    pub structure: &'a LoopStructure,
    /// What an arbitrary head state may have changed.
    pub havocked: Vec<Havocked>,
    /// Whether a round may violate the property, or meet something that is not modelled.
    pub violates: bool,
    /// Where it is in the source.
    pub span: Span,
}

impl<'a> Facts<'a> {
    /// Analyses a program.
    pub fn new(source: Source<'a>, calls: &'a CallGraph, structure: &'a LoopStructure) -> Self {
        let program = source.program;
        let transitions = &source.observer.transitions;
        let states: BTreeSet<ObserverState> =
            transitions.iter().map(|t| t.from).filter(|q| *q != source.observer.error).collect();
        let functions = IdVec::from_elem(Watched::No, program.functions.len());
        let mut facts = Self { source, calls, structure, functions, states: states.into_iter().collect() };
        let mut edges: IdVec<FuncId, Vec<EdgeId>> = IdVec::from_elem(Vec::new(), program.functions.len());
        for loc in &program.locs {
            edges[loc.func].extend(&loc.out);
        }
        // Callees first; within recursion until nothing changes.
        let mut changed = true;
        while changed {
            changed = false;
            for func in calls.bottom_up() {
                let watched = edges[*func].iter().map(|e| facts.watched(program, *e));
                let worst = watched.fold(facts.functions[*func], worse);
                changed |= worst != std::mem::replace(&mut facts.functions[*func], worst);
            }
        }
        facts
    }

    /// What an edge of the program, or of one made of it, does to the property.
    pub fn watched(&self, program: &Program, edge: EdgeId) -> Watched {
        let op = &program.edges[edge].op;
        if matches!(op, Op::Unsupported(_)) {
            return Watched::Violates;
        }
        let mut result = Watched::No;
        for state in &self.states {
            let next = self.source.observer.step(program, *state, edge);
            if next == self.source.observer.error {
                result = worse(result, Watched::Violates);
            } else if next != *state {
                result = worse(result, Watched::Moves);
            }
        }
        match op {
            Op::Call { func, .. } => worse(result, self.functions.get(*func).copied().unwrap_or(Watched::No)),
            Op::CallPtr { .. } => worse(result, Watched::Violates),
            _ => result,
        }
    }

    /// Whether the edge itself, not what it calls, moves the observer or is not modelled.
    pub fn steps(&self, program: &Program, edge: EdgeId) -> bool {
        let observer = self.source.observer;
        matches!(program.edges[edge].op, Op::Unsupported(_))
            || self.states.iter().any(|state| observer.step(program, *state, edge) != *state)
    }

    /// Whether calling the function may violate the property.
    pub fn may_violate(&self, func: FuncId) -> bool {
        self.functions.get(func).is_some_and(|w| *w != Watched::No)
    }

    /// Facts about a loop.
    ///
    /// # Errors
    /// Why it can't have any strategy.
    pub fn of_loop(&self, id: LoopId) -> Result<LoopFacts<'a>, Refusal> {
        let program = self.source.program;
        let l = &self.structure.loops[id];
        if l.shape == Shape::Irreducible {
            return Err(Refusal("it is entered at several places"));
        }
        if l.entries.is_empty() && program.functions[l.func].body.is_none_or(|body| body.entry != l.head) {
            return Err(Refusal("it can't be reached"));
        }
        let mut violates = false;
        for edge in l.edges.iter().chain(&l.exits) {
            match self.watched(program, *edge) {
                Watched::No => {}
                Watched::Violates => violates = true,
                Watched::Moves => return Err(Refusal("the property watches it")),
            }
            match program.edges[*edge].op {
                Op::Alloc { .. } | Op::Realloc { .. } | Op::Free { .. } => {
                    return Err(Refusal("it allocates or frees memory"));
                }
                Op::CallPtr { .. } => return Err(Refusal("it calls unknown functions")),
                _ => {}
            }
        }
        // A label of the head would be watched on the way in, before any strategy begins.
        let watched_entry = |e: &EdgeId| self.watched(program, *e) != Watched::No;
        if l.entries.iter().any(watched_entry) {
            return Err(Refusal("the property watches its head"));
        }
        let mut havocked: Vec<Havocked> = l.carried.iter().map(|var| Havocked::Register(*var)).collect();
        for var in self.modified_objects(l)? {
            match program.vars[var].storage {
                Storage::Memory { size, .. } if size <= MAX_OBJECT => havocked.push(Havocked::Memory(var, size)),
                _ => return Err(Refusal("it modifies a large object")),
            }
        }
        let span = loop_span(program, l);
        Ok(LoopFacts { program, id, l, structure: self.structure, havocked, violates, span })
    }

    /// Memory variables that live at the loop's head and may be modified by it.
    fn modified_objects(&self, l: &Loop) -> Result<BTreeSet<VarId>, Refusal> {
        let program = self.source.program;
        let points_to: &PointsTo = self.source.points_to;
        let mut found = BTreeSet::new();
        for region in &l.modified.regions {
            for object in points_to.objects(*region) {
                let Object::Var(var) = object else {
                    return Err(Refusal("it modifies memory of the heap or of other code"));
                };
                match program.vars[*var].func {
                    None => {
                        found.insert(*var);
                    }
                    Some(func) if func == l.func && !self.calls.is_recursive(func) => match self.lives_at(l, *var) {
                        Lives::Always => {
                            found.insert(*var);
                        }
                        Lives::Never => {}
                        Lives::Sometimes => return Err(Refusal("it modifies an object that may not be there yet")),
                    },
                    // Objects of functions that are not on the call stack come and go within a round.
                    Some(func) if func != l.func && !self.calls.reachable(func)[l.func] => {}
                    Some(_) => return Err(Refusal("it modifies an object of another frame")),
                }
            }
        }
        Ok(found)
    }

    /// Whether a local memory variable of the loop's function has an instance when the loop is entered, and in each of its rounds the
    /// same one.
    fn lives_at(&self, l: &Loop, var: VarId) -> Lives {
        let program = self.source.program;
        let touches = |edge: &EdgeId| match &program.edges[*edge].op {
            Op::Declare { var: v } | Op::EndScope { var: v } => *v == var,
            _ => false,
        };
        let within = l.edges.iter().any(touches);
        let Some(body) = program.functions[l.func].body else { return Lives::Sometimes };
        // Bits: 1 for "may be dead", 2 for "may live".
        let mut at: rustc_hash::FxHashMap<LocId, u8> = rustc_hash::FxHashMap::default();
        at.insert(body.entry, 1);
        let mut work = vec![body.entry];
        while let Some(loc) = work.pop() {
            let here = at[&loc];
            for edge in &program.locs[loc].out {
                let e = &program.edges[*edge];
                if e.op.ends_path() {
                    continue;
                }
                let after = match &e.op {
                    Op::Declare { var: v } if *v == var => 2,
                    Op::EndScope { var: v } if *v == var => 1,
                    _ => here,
                };
                let known = at.entry(e.dst).or_insert(0);
                if *known | after != *known {
                    *known |= after;
                    work.push(e.dst);
                }
            }
        }
        match (at.get(&l.head), within) {
            (Some(2), false) => Lives::Always,
            (Some(1), _) => Lives::Never,
            _ => Lives::Sometimes,
        }
    }
}

enum Lives {
    Always,
    Never,
    Sometimes,
}

fn worse(a: Watched, b: Watched) -> Watched {
    match (a, b) {
        (Watched::Moves, _) | (_, Watched::Moves) => Watched::Moves,
        (Watched::Violates, _) | (_, Watched::Violates) => Watched::Violates,
        _ => Watched::No,
    }
}

/// The text of the loop's condition, or where else its first round begins.
pub fn loop_span(program: &Program, l: &Loop) -> Span {
    let outs = &program.locs[l.head].out;
    let known = |e: &&EdgeId| program.edges[**e].span != Span::NONE;
    outs.iter().chain(&l.entries).find(known).map_or(Span::NONE, |e| program.edges[*e].span)
}

impl LoopFacts<'_> {
    /// Locations from which a round only tests conditions: they and the edges out of them change nothing. Empty if the head does more.
    /// `members` are the loop's locations in `program`, `stop` are locations that never count.
    pub fn tests(
        &self,
        program: &Program,
        facts: &Facts<'_>,
        members: &FxHashSet<LocId>,
        stop: impl Fn(LocId) -> bool,
    ) -> Vec<LocId> {
        let head = self.l.head;
        let mut found = Vec::new();
        let mut work = vec![head];
        while let Some(loc) = work.pop() {
            let only_tests = |e: &EdgeId| {
                matches!(program.edges[*e].op, Op::Assume { .. } | Op::Skip)
                    && facts.watched(program, *e) == Watched::No
            };
            let outs = &program.locs[loc].out;
            let is_tree = loc == head || program.locs[loc].inc.len() == 1;
            if stop(loc) || !is_tree || outs.is_empty() || !outs.iter().all(only_tests) {
                continue;
            }
            found.push(loc);
            for edge in outs {
                let dst = program.edges[*edge].dst;
                if dst != head && members.contains(&dst) && !found.contains(&dst) {
                    work.push(dst);
                }
            }
        }
        found.sort_by_key(|loc| loc.index());
        found
    }
}

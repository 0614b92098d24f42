//! Local variables whose addresses may still be kept when they come to life again, in the next round of a loop or the next call.
//!
//! To C, each time makes an object of its own, and an address of an earlier one leads nowhere (C11 6.2.4p2). Where states name an object by its
//! variable, they can't tell these objects apart.

use crate::callgraph::CallGraph;
use crate::loops::Wto;
use crate::op::Op;
use crate::points_to::{Object, PointsTo};
use crate::program::{EdgeId, FuncId, LocId, Program, VarId};
use base::IdVec;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What may keep an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Keepers {
    /// These registers of the same frame, or global ones, which are as wide as a pointer.
    Registers(BTreeSet<VarId>),
    /// Anything.
    Any,
}

impl Keepers {
    fn join(&mut self, other: Keepers) {
        match (self, other) {
            (Keepers::Registers(known), Keepers::Registers(more)) => known.extend(more),
            (this, _) => *this = Keepers::Any,
        }
    }
}

/// The variables with what keeps their addresses, as far as the analysis of pointers can't show that nothing does. `is_live` says whether a
/// register may still be read from a location on.
pub fn lingering(
    program: &Program,
    points_to: &PointsTo,
    is_live: impl Fn(LocId, VarId) -> bool,
) -> FxHashMap<VarId, Keepers> {
    kept_where(program, points_to, |repeated, edge, _| repeated.is_repeated(program, edge), is_live)
}

/// Those of some local variables whose addresses may still be kept when their lives have ended.
pub fn kept(
    program: &Program,
    points_to: &PointsTo,
    vars: &BTreeSet<VarId>,
    is_live: impl Fn(LocId, VarId) -> bool,
) -> BTreeSet<VarId> {
    kept_where(program, points_to, |_, _, var| vars.contains(&var), is_live).into_keys().collect()
}

/// The variables, of those that are meant where an edge declares them, with what keeps their addresses.
fn kept_where(
    program: &Program,
    points_to: &PointsTo,
    is_meant: impl Fn(&Repeated, EdgeId, VarId) -> bool,
    is_live: impl Fn(LocId, VarId) -> bool,
) -> FxHashMap<VarId, Keepers> {
    let repeated = Repeated::new(program, points_to);
    let declares = |id: &EdgeId| matches!(program.edges[*id].op, Op::Declare { .. });
    let edges: Vec<EdgeId> = program.locs.iter().flat_map(|loc| &loc.out).copied().filter(declares).collect();
    let mut found: FxHashMap<VarId, Keepers> = FxHashMap::default();
    for edge in &edges {
        let Op::Declare { var } = program.edges[*edge].op else { continue };
        if is_meant(&repeated, *edge, var) {
            let keepers = keepers(program, points_to, (&repeated, &edges), (*edge, var), &is_live);
            found.entry(var).or_insert(Keepers::Registers(BTreeSet::new())).join(keepers);
        }
    }
    found.retain(|_, keepers| *keepers != Keepers::Registers(BTreeSet::new()));
    found
}

/// What may keep an address in the variable when an edge declares it.
fn keepers(
    program: &Program,
    points_to: &PointsTo,
    (repeated, edges): (&Repeated, &[EdgeId]),
    (edge, var): (EdgeId, VarId),
    is_live: &impl Fn(LocId, VarId) -> bool,
) -> Keepers {
    let func = program.locs[program.edges[edge].src].func;
    let calls = repeated.calls_of(program, func);
    let calls_in = |of: FuncId| calls.iter().filter(move |call| program.locs[program.edges[**call].src].func == of);
    let mut registers = BTreeSet::new();
    for (register, info) in program.vars.iter_enumerated() {
        let Some(ty) = info.register().filter(|_| points_to.may_lead_to(register, var)) else { continue };
        let is_kept = match info.func {
            None => true,
            Some(of) if of == func => is_live(program.edges[edge].dst, register),
            Some(of) if calls_in(of).any(|call| is_live(program.edges[*call].dst, register)) => return Keepers::Any,
            Some(_) => false,
        };
        if is_kept && (ty.is_float() || ty.bits(program.pointer_bits()) != program.pointer_bits()) {
            return Keepers::Any;
        }
        registers.extend(is_kept.then_some(register));
    }
    let head = repeated.loops.innermost(program.edges[edge].src);
    // An object that comes to life in the same round, or call, holds nothing of earlier ones.
    let is_new = |other: VarId| {
        let mut declared = edges.iter().filter(|id| program.edges[**id].op == Op::Declare { var: other });
        declared.all(|id| head.is_none_or(|head| repeated.loops.contains(head, program.edges[*id].src)))
    };
    let in_memory = |object: &Object| match *object {
        Object::Var(other) if other == var => false,
        Object::Var(other) => match program.vars[other].func {
            None => true,
            Some(of) if of == func => !is_new(other),
            Some(of) => calls_in(of).next().is_some(),
        },
        Object::Alloc(_) => true,
        Object::Function(_) | Object::External => false,
    };
    if points_to.keepers(var).iter().any(in_memory) { Keepers::Any } else { Keepers::Registers(registers) }
}

/// What runs more than once.
struct Repeated {
    loops: Wto,
    graph: CallGraph,
    functions: IdVec<FuncId, bool>,
}

impl Repeated {
    fn new(program: &Program, points_to: &PointsTo) -> Self {
        let graph = CallGraph::new(program, Some(points_to));
        let loops = Wto::new(program);
        let mut functions = IdVec::from_elem(false, program.functions.len());
        // Callers come first.
        for func in graph.bottom_up().iter().rev() {
            let is_repeated = |call: &EdgeId| {
                let src = program.edges[*call].src;
                loops.innermost(src).is_some() || functions[program.locs[src].func]
            };
            let sites = graph.call_sites(*func);
            functions[*func] = graph.is_recursive(*func) || sites.len() > 1 || sites.iter().any(is_repeated);
        }
        Self { loops, graph, functions }
    }

    fn is_repeated(&self, program: &Program, edge: EdgeId) -> bool {
        let src = program.edges[edge].src;
        self.functions[program.locs[src].func] || self.loops.innermost(src).is_some()
    }

    /// The edges of other functions that go on when a function has run.
    fn calls_of(&self, program: &Program, func: FuncId) -> Vec<EdgeId> {
        let (mut calls, mut waiting) = (Vec::new(), vec![func]);
        let mut seen = FxHashSet::from_iter([func]);
        while let Some(callee) = waiting.pop() {
            for call in self.graph.call_sites(callee) {
                let caller = program.locs[program.edges[*call].src].func;
                calls.push(*call);
                waiting.extend(seen.insert(caller).then_some(caller));
            }
        }
        calls
    }
}

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
use rustc_hash::FxHashSet;

/// The variables, as far as the analysis of pointers can't show that nothing keeps their addresses. `is_live` says whether a register may still
/// be read from a location on.
pub fn lingering(program: &Program, points_to: &PointsTo, is_live: impl Fn(LocId, VarId) -> bool) -> FxHashSet<VarId> {
    let repeated = Repeated::new(program, points_to);
    let declares = |id: &EdgeId| matches!(program.edges[*id].op, Op::Declare { .. });
    let edges: Vec<EdgeId> = program.locs.iter().flat_map(|loc| &loc.out).copied().filter(declares).collect();
    let mut found = FxHashSet::default();
    for edge in &edges {
        let Op::Declare { var } = program.edges[*edge].op else { continue };
        if !found.contains(&var)
            && repeated.is_repeated(program, *edge)
            && is_kept(program, points_to, (&repeated, &edges), (*edge, var), &is_live)
        {
            found.insert(var);
        }
    }
    found
}

/// Whether an address in the variable may be kept when an edge declares it.
fn is_kept(
    program: &Program,
    points_to: &PointsTo,
    (repeated, edges): (&Repeated, &[EdgeId]),
    (edge, var): (EdgeId, VarId),
    is_live: &impl Fn(LocId, VarId) -> bool,
) -> bool {
    let func = program.locs[program.edges[edge].src].func;
    let calls = repeated.calls_of(program, func);
    let calls_in = |of: FuncId| calls.iter().filter(move |call| program.locs[program.edges[**call].src].func == of);
    let in_register = |(register, info): (VarId, &crate::program::Var)| {
        info.register().is_some()
            && points_to.may_lead_to(register, var)
            && match info.func {
                None => true,
                Some(of) if of == func => is_live(program.edges[edge].dst, register),
                Some(of) => calls_in(of).any(|call| is_live(program.edges[*call].dst, register)),
            }
    };
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
    program.vars.iter_enumerated().any(in_register) || points_to.keepers(var).iter().any(in_memory)
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

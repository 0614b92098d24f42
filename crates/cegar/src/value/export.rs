//! The abstract reachability graph of the value analysis as a proof checker reads it.

use analysis::{AnalysisError, Arg, Cpa, NodeId, Status};
use cfa::LocId;
use domains::composite::{Composite, CompositeCpa};
use domains::value::cells::{ObjId, ObjectName, Place};
use domains::value::number::Known;
use proof::graph::{Fact, FactPlace, FactValue, Next, ObjectRef, ProofGraph, ProofNode};
use rustc_hash::FxHashMap;
use step::StackId;

/// All nodes, the root first.
///
/// # Errors
/// When the budget ends.
pub fn export(cpa: &mut CompositeCpa<'_>, arg: &Arg<Composite>) -> Result<ProofGraph, AnalysisError> {
    export_values(cpa, arg, |state| *state)
}

/// The same for the values in the states of another analysis, as far as they alone prove anything; choices are those of the values.
///
/// # Errors
/// When the budget ends.
pub fn export_values<S>(
    cpa: &mut CompositeCpa<'_>,
    arg: &Arg<S>,
    values: impl Fn(&S) -> Composite,
) -> Result<ProofGraph, AnalysisError> {
    let root = arg.root();
    let mut order: Vec<NodeId> = root.into_iter().chain(arg.ids().filter(|id| Some(*id) != root)).collect();
    order.dedup();
    let numbers: FxHashMap<NodeId, usize> = order.iter().enumerate().map(|(i, id)| (*id, i)).collect();
    let mut graph = ProofGraph::default();
    graph.strategies.lists = cpa.strategies.selections().to_vec();
    for id in &order {
        let state = values(arg.state(*id));
        graph.strategies.of_node.push(state.strategy.index());
        let next = match (arg.status(*id), arg.covered_by(*id).and_then(|upper| numbers.get(&upper))) {
            (Status::Covered, Some(upper)) => Next::Covered(*upper),
            (Status::Expanded, _) => {
                let mut lists = Vec::new();
                let mut children: Vec<NodeId> = arg.children(*id).collect();
                children.sort_by_key(|child| arg.node(*child).choice);
                for child in children {
                    lists.push((cpa.path(&state, arg.node(child).choice)?, numbers[&child]));
                }
                Next::Along(lists)
            }
            (Status::Target, _) => Next::Refuted,
            _ => Next::Open,
        };
        graph.nodes.push(ProofNode { next, ..describe(cpa, &state) });
    }
    Ok(graph)
}

/// The nodes at some locations that no other node covers, without edges; `values` are those in the states of an analysis.
pub fn at_locations<S>(
    cpa: &CompositeCpa<'_>,
    arg: &Arg<S>,
    values: impl Fn(&S) -> Composite,
    wanted: impl Fn(LocId) -> bool,
) -> ProofGraph {
    let mut graph = ProofGraph::default();
    for id in arg.ids().filter(|id| wanted(values(arg.state(*id)).loc) && arg.status(*id) != Status::Covered) {
        graph.nodes.push(describe(cpa, &values(arg.state(id))));
    }
    graph
}

/// The node of a state, without edges.
pub fn describe(cpa: &CompositeCpa<'_>, state: &Composite) -> ProofNode {
    ProofNode {
        loc: state.loc,
        bottom: None,
        calls: cpa.value.stacks.calls(state.stack),
        observer: state.observer,
        facts: facts(cpa, state),
        formulas: Vec::new(),
        objects: Vec::new(),
        next: Next::Open,
    }
}

/// An object as proofs refer to it.
pub fn object_ref(cpa: &CompositeCpa<'_>, obj: ObjId) -> ObjectRef {
    match cpa.value.cells.objects[obj].name {
        ObjectName::Global(var) => ObjectRef::Global(var),
        ObjectName::Local(stack, var) => ObjectRef::Local { frame: cpa.value.stacks.frame(stack).depth, var },
        ObjectName::Heap(edge, count, size) | ObjectName::Stack(_, edge, count, size) => {
            ObjectRef::Made(edge, count, size)
        }
        ObjectName::Outer(origin, count) => ObjectRef::Outer(origin, count),
    }
}

fn facts(cpa: &CompositeCpa<'_>, state: &Composite) -> Vec<Fact> {
    let depth = |stack: StackId| cpa.value.stacks.frame(stack).depth;
    let object = |obj: ObjId| object_ref(cpa, obj);
    let fact = |(cell, val)| {
        let place = match cpa.value.cells.cells[cell].place {
            Place::Register(None, var) => FactPlace::Global(var),
            Place::Register(Some(stack), var) => FactPlace::Local { frame: depth(stack), var },
            Place::Memory { obj, offset, bytes } => FactPlace::Memory { object: object(obj), offset, bytes },
        };
        let value = match cpa.value.values.get(val) {
            Known::Num(n) => FactValue::Bits(n),
            Known::Ptr(obj, offset) => FactValue::Address(object(obj), offset),
        };
        Fact { place, value }
    };
    cpa.store.entries(state.value).map(fact).collect()
}

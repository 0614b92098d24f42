//! The abstract reachability graph of the value analysis as plain data.

use crate::refinement_loop::Answer;
use analysis::{Arg, Cpa, NodeId, Status};
use domains::composite::{Composite, CompositeCpa};
use domains::value::precision::ValuePrecision;
use outcome::ArgView;
use outcome::arg_view::{ArgEdge, ArgNode, NodeKind};
use rustc_hash::FxHashMap;

/// Most nodes of a proof that are shown.
pub(crate) const MAX_NODES: usize = 20_000;
/// Most nodes of any other graph.
const MAX_OPEN_NODES: usize = 5000;

/// Nodes in the order of a depth-first search, with what their states say; those of an error path first.
pub fn view(
    cpa: &mut CompositeCpa<'_>,
    arg: &Arg<Composite>,
    precision: &ValuePrecision,
    error_path: &[NodeId],
    answer: &Answer,
) -> ArgView {
    let most = if matches!(answer, Answer::Proved) { MAX_NODES } else { MAX_OPEN_NODES };
    let mut order: Vec<NodeId> = Vec::new();
    let mut numbers: FxHashMap<NodeId, u32> = FxHashMap::default();
    let mut stack: Vec<NodeId> = arg.root().into_iter().collect();
    while let Some(id) = stack.pop() {
        if order.len() >= most {
            break;
        }
        numbers.insert(id, order.len() as u32);
        order.push(id);
        let mut children: Vec<NodeId> = arg.children(id).collect();
        children.sort_by_key(|child| (error_path.contains(child), std::cmp::Reverse(arg.node(*child).choice)));
        stack.extend(children);
    }
    let error_path = error_path.iter().filter_map(|node| numbers.get(node).copied()).collect();
    let mut view = ArgView { truncated: order.len() < arg.len(), error_path, ..ArgView::default() };
    for id in &order {
        view.nodes.push(node(cpa, arg, precision, *id, &numbers));
        let mut children: Vec<NodeId> = arg.children(*id).filter(|child| numbers.contains_key(child)).collect();
        children.sort_by_key(|child| arg.node(*child).choice);
        for child in children {
            let edges = cpa.path(arg.state(*id), arg.node(child).choice).unwrap_or_default();
            let program = cpa.value.program;
            let text = edges.iter().map(|e| cfa::display::op(program, &program.edges[*e].op)).collect();
            view.edges.push(ArgEdge { from: numbers[id], to: numbers[&child], edges, text, through: None });
        }
    }
    view
}

/// A node as plain data.
pub(crate) fn node(
    cpa: &CompositeCpa<'_>,
    arg: &Arg<Composite>,
    precision: &ValuePrecision,
    id: NodeId,
    numbers: &FxHashMap<NodeId, u32>,
) -> ArgNode {
    let state = arg.state(id);
    let program = cpa.value.program;
    let location = &program.locs[state.loc];
    let edge = location.out.first().or(location.inc.first());
    ArgNode {
        loc: state.loc,
        place: edge.and_then(|e| program.source.place(program.edges[*e].span.lo)),
        function: program.functions[location.func].name.clone(),
        depth: cpa.value.stacks.frame(state.stack).depth,
        state: cpa.store.entries(state.value).map(|(cell, val)| cpa.value.show(cell, val)).collect(),
        holds: Vec::new(),
        precision: precision.at(state.loc).keys().into_iter().map(|key| cpa.value.show_key(key)).collect(),
        kind: match arg.status(id) {
            Status::Expanded => NodeKind::Expanded,
            Status::Covered => NodeKind::Covered,
            Status::Target => NodeKind::Target,
            Status::Waiting | Status::Removed => NodeKind::Open,
        },
        covered_by: arg.covered_by(id).and_then(|id| numbers.get(&id).copied()),
        enters: None,
    }
}

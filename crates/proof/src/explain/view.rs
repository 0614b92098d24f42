//! A proof graph as plain data for reports.

use super::invariants::claims;
use super::names::Vocabulary;
use crate::graph::{Next, ProofGraph};
use analysis::NodeId;
use cfa::{EdgeId, Program};
use outcome::ArgView;
use outcome::Extent;
use outcome::arg_view::{ArgEdge, ArgNode, NodeKind};
use rustc_hash::FxHashMap;

/// Most nodes that are shown.
const MAX_NODES: usize = 5000;

/// Marks an error path; `order` says which node of the exploration each of the graph is.
pub fn mark(view: &mut ArgView, order: &[NodeId], error_path: &[NodeId]) {
    let numbers: FxHashMap<NodeId, u32> = order.iter().zip(0..).map(|(node, number)| (*node, number)).collect();
    let shown = view.nodes.len() as u32;
    let on_path = error_path.iter().filter_map(|node| numbers.get(node).copied()).filter(|number| *number < shown);
    view.error_path = on_path.collect();
    let target = error_path.last().and_then(|node| numbers.get(node)).and_then(|n| view.nodes.get_mut(*n as usize));
    if let Some(target) = target {
        target.kind = NodeKind::Target;
    }
}

/// The graph, with what its nodes claim as C where that can be written; `path` gives edges of the program from one node to another.
pub fn view(program: &Program, graph: &ProofGraph, mut path: impl FnMut(usize, usize) -> Vec<EdgeId>) -> ArgView {
    let vocabulary = Vocabulary::new(program, graph);
    let mut view = ArgView { truncated: graph.nodes.len() > MAX_NODES, ..ArgView::default() };
    for (index, node) in graph.nodes.iter().enumerate().take(MAX_NODES) {
        let location = &program.locs[node.loc];
        let edge = location.out.first().or(location.inc.first());
        let (mut holds, extent) = claims(&vocabulary, program, graph, node);
        if extent == Extent::Part {
            holds.push("...".to_owned());
        }
        let (kind, covered_by) = match &node.next {
            Next::Covered(upper) => (NodeKind::Covered, Some(*upper as u32)),
            Next::Open | Next::Refuted => (NodeKind::Open, None),
            Next::Along(_) | Next::Reach(_) | Next::Call { .. } | Next::Enter(_) | Next::Leave => {
                (NodeKind::Expanded, None)
            }
        };
        view.nodes.push(ArgNode {
            loc: node.loc,
            place: edge.and_then(|e| program.source.place(program.edges[*e].span.lo)),
            function: program.functions[location.func].name.clone(),
            depth: node.calls.len() as u32,
            state: Vec::new(),
            holds,
            precision: Vec::new(),
            kind,
            covered_by: covered_by.filter(|upper| (*upper as usize) < MAX_NODES),
            enters: None,
        });
        let targets: Vec<usize> = match &node.next {
            Next::Along(lists) => lists.iter().map(|(_, target)| *target).collect(),
            Next::Reach(targets) => targets.clone(),
            Next::Call { entered, returned } => entered.iter().chain(returned).copied().collect(),
            Next::Enter(entering) => entering.after.iter().map(|(_, target)| *target).collect(),
            Next::Covered(_) | Next::Leave | Next::Open | Next::Refuted => Vec::new(),
        };
        for target in targets.into_iter().filter(|target| *target < MAX_NODES) {
            let edges = path(index, target);
            let text = edges.iter().map(|e| cfa::display::op(program, &program.edges[*e].op)).collect();
            view.edges.push(ArgEdge { from: index as u32, to: target as u32, edges, text, through: None });
        }
    }
    view
}

//! The graphs of all block abstractions that a run uses as plain data, linked by reference.

use super::abstraction::AbstractionId;
use super::abstractions::Abstractions;
use crate::value::view::MAX_NODES;
use analysis::{Arg, NodeId, Reducer};
use base::Id;
use cfa::{EdgeId, Program};
use outcome::ArgView;
use outcome::arg_view::{ArgEdge, ArgNode};
use rustc_hash::FxHashMap;

/// Numbers of the nodes of a graph.
pub type Numbers = FxHashMap<NodeId, u32>;

/// Makes a node of a graph plain.
pub type Plain<'a, C, S> = dyn FnMut(&mut C, &Arg<S>, NodeId, &Numbers) -> ArgNode + 'a;

/// All graphs, that of the whole program first; `node` makes a node of a graph plain.
pub fn view<C: Reducer>(
    program: &Program,
    cpa: &mut C,
    abstractions: &Abstractions<C>,
    node: &mut Plain<'_, C, C::State>,
) -> ArgView {
    let mut view = ArgView::default();
    let mut places: FxHashMap<(AbstractionId, NodeId), u32> = FxHashMap::default();
    let mut shown: Vec<(AbstractionId, Vec<NodeId>)> = Vec::new();
    for abstraction in abstractions.reachable() {
        let Some(arg) = abstractions.arg(abstraction) else { continue };
        let mut order = in_depth(arg);
        let room = MAX_NODES - places.len();
        if order.len() > room {
            view.truncated = true;
            order.truncate(room);
        }
        for node in &order {
            places.insert((abstraction, *node), places.len() as u32);
        }
        shown.push((abstraction, order));
        if view.truncated {
            break;
        }
    }
    for (abstraction, order) in shown {
        let Some(arg) = abstractions.arg(abstraction) else { continue };
        let place = |node: NodeId| places.get(&(abstraction, node)).copied();
        let numbers: Numbers = order.iter().filter_map(|node| Some((*node, place(*node)?))).collect();
        for id in order {
            let mut plain = node(cpa, arg, id, &numbers);
            let state = arg.state(id).clone();
            let entered = abstractions.get(abstraction).and_then(|a| a.entered.get(&id)).copied();
            let root = |inner: AbstractionId| {
                let node = abstractions.arg(inner)?.root()?;
                places.get(&(inner, node)).copied()
            };
            plain.enters = entered.and_then(root);
            view.nodes.push(plain);
            for child in sorted_children(arg, id) {
                let Some(to) = numbers.get(&child).copied() else { continue };
                let choice = arg.node(child).choice;
                let (edges, through): (Vec<EdgeId>, Option<u32>) = match abstractions.link(choice) {
                    Some(link) => (cpa.entering(&state), places.get(&(link.abstraction, link.node)).copied()),
                    None => (cpa.path(&state, choice).unwrap_or_default(), None),
                };
                let text = edges.iter().map(|e| cfa::display::op(program, &program.edges[*e].op)).collect();
                view.edges.push(ArgEdge { from: numbers[&id], to, edges, text, through });
            }
        }
    }
    view
}

fn sorted_children<S>(arg: &Arg<S>, id: NodeId) -> Vec<NodeId> {
    let mut children: Vec<NodeId> = arg.children(id).collect();
    children.sort_by_key(|child| (arg.node(*child).choice, child.index()));
    children
}

/// The nodes in the order of a depth-first search, the root first.
fn in_depth<S>(arg: &Arg<S>) -> Vec<NodeId> {
    let mut order = Vec::new();
    let mut stack: Vec<NodeId> = arg.root().into_iter().collect();
    while let Some(id) = stack.pop() {
        order.push(id);
        stack.extend(sorted_children(arg, id).into_iter().rev());
    }
    order
}

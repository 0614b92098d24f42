//! Laws of graphs, on those of explorations: what operations make of them keeps the states that runs have shown.

use crate::contains::contains;
use crate::explore::Explored;
use crate::state::State;
use shape::graph::Graph;
use shape::object::{Lengths, Object};
use shape::value::{ObjectId, Side, Val};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most graphs of a place that are compared with each other.
const MOST_COMPARED: usize = 24;

/// Most states of a place.
const MOST_STATES: usize = 40;

/// Checks all graphs, and pairs of those at the same place.
pub fn check(explored: &Explored) {
    for (place, graphs) in &explored.graphs {
        let states = explored.states.get(place).map_or(&[][..], |states| states);
        let states = &states[..states.len().min(MOST_STATES)];
        let inside: Vec<BTreeSet<usize>> = graphs.iter().map(|graph| members(graph, states)).collect();
        for (graph, inside) in graphs.iter().zip(&inside) {
            is_well_formed(graph);
            comparison(graph);
            folding(graph, states, inside);
            unfolding(graph, states, inside);
        }
        let known: Vec<_> = graphs.iter().zip(&inside).take(MOST_COMPARED).collect();
        for lower in &known {
            for upper in &known {
                pair(*lower, *upper, states);
            }
        }
    }
}

/// The states that a graph has, by their numbers.
fn members(graph: &Graph, states: &[State]) -> BTreeSet<usize> {
    (0..states.len()).filter(|n| contains(graph, &states[*n])).collect()
}

/// Objects of nodes are reached from their nodes, and what belongs to them, alone.
fn is_well_formed(graph: &Graph) {
    let owners = |id: ObjectId| {
        let mut owners = vec![id];
        while let Some(owner) = graph.object(owners[owners.len() - 1]).owner {
            assert!(graph.object(owner).segment.is_some(), "a single object owns nothing: {graph:#?}");
            owners.push(owner);
        }
        owners
    };
    for field in graph.registers.values() {
        let leads = graph.leads_to(field.val);
        assert!(leads.is_none_or(|to| owners(to.object).len() == 1 && to.side != Side::Own), "{graph:#?}");
    }
    let unknowns = |object: &Object| -> Vec<Val> {
        object.fields.values().map(|field| field.val).filter(|val| matches!(val, Val::Unknown(_))).collect()
    };
    let (each, single): (Vec<&Object>, Vec<&Object>) = graph
        .objects
        .values()
        .map(|object| &**object)
        .partition(|object| object.segment.is_some() || object.owner.is_some());
    let shared: Vec<Val> =
        single.into_iter().flat_map(unknowns).chain(graph.registers.values().map(|f| f.val)).collect();
    assert!(
        each.into_iter().flat_map(unknowns).all(|val| !shared.contains(&val)),
        "each node has its values: {graph:#?}"
    );
    for (id, object) in &graph.objects {
        assert!(object.segment.is_some() || !object.lengths.has(Lengths::MORE), "{id:?} of {graph:#?}");
        assert!(object.owner.is_some() || !object.lengths.has(Lengths::EMPTY), "{id:?} of {graph:#?}");
        let from = owners(*id);
        for (_, to) in object.addresses() {
            let target = owners(to.object);
            // What owns the target, and for the node itself the target, owns the object or is it.
            let wanted = if to.side == Side::Own { &target[..] } else { &target[1..] };
            assert!(wanted.iter().all(|owner| from.contains(owner)), "{id:?} leads to {to:?} in {graph:#?}");
        }
    }
}

/// Inclusion and canonical numbers.
fn comparison(graph: &Graph) {
    let canonical = graph.canonical();
    assert!(graph.leq(graph), "not below itself: {graph:#?}");
    assert!(graph.leq(&canonical) && canonical.leq(graph), "numbers matter: {graph:#?}");
    assert_eq!(canonical, canonical.canonical());
    assert_eq!(canonical.skeleton(), canonical.canonical().skeleton());
}

/// Folding loses no state.
fn folding(graph: &Graph, states: &[State], inside: &BTreeSet<usize>) {
    let mut folded = graph.clone();
    folded.fold();
    is_well_formed(&folded);
    demand(&folded, states, inside, "folding", graph);
    let mut again = folded.clone();
    again.fold();
    assert_eq!(folded.canonical(), again.canonical(), "folding is not done at once");
}

/// Unfolding a list neither loses states nor adds some, and folding what it made loses none.
pub fn unfolding(graph: &Graph, states: &[State], inside: &BTreeSet<usize>) {
    let is_list = |id: &ObjectId| graph.object(*id).segment.is_some() && graph.object(*id).owner.is_none();
    for id in graph.objects.keys().filter(|id| is_list(id)) {
        for side in [Side::First, Side::Last] {
            let mut parts = Vec::new();
            for part in graph.unfold(*id, side) {
                // First it may only be known that there are more nodes than one.
                match part.objects.get(id).is_some_and(|object| object.lengths == Lengths::MORE)
                    && graph.object(*id).lengths.has(Lengths::ONE)
                {
                    true => parts.extend(part.unfold(*id, side)),
                    false => parts.push(part),
                }
            }
            let of_parts: Vec<_> = parts.iter().map(|part| members(part, states)).collect();
            let all: BTreeSet<usize> = of_parts.iter().flatten().copied().collect();
            assert_eq!(&all, inside, "{id:?} unfolded at {side:?}: {graph:#?}\n{parts:#?}");
            for part in &parts {
                is_well_formed(part);
                let mut folded = part.clone();
                folded.fold();
                demand(&folded, states, &members(part, states), "folding what was unfolded", part);
            }
        }
    }
}

/// Inclusion means what it says, and joins have all of both.
fn pair(lower: (&Rc<Graph>, &BTreeSet<usize>), upper: (&Rc<Graph>, &BTreeSet<usize>), states: &[State]) {
    if lower.0.leq(upper.0) {
        demand(upper.0, states, lower.1, "inclusion", lower.0);
    }
    for thresholds in [None, Some(&[0, 10, 100][..])] {
        let Some(joined) = upper.0.join(lower.0, thresholds) else { continue };
        is_well_formed(&joined);
        for graph in [lower, upper] {
            assert!(graph.0.leq(&joined), "a join is not above {:#?}: {joined:#?}", graph.0);
            demand(&joined, states, graph.1, "joining", graph.0);
        }
    }
}

/// The graph has these states, which another one has.
#[track_caller]
fn demand(graph: &Graph, states: &[State], wanted: &BTreeSet<usize>, what: &str, before: &Graph) {
    for n in wanted {
        assert!(contains(graph, &states[*n]), "{what} of {before:#?} loses, as {graph:#?}: {:#?}", states[*n]);
    }
}

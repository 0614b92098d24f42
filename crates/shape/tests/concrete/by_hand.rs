//! Graphs and states made by hand: what the test takes a graph to stand for, and unfoldings that programs hardly meet.

use crate::contains::contains;
use crate::laws;
use crate::state::{Block, State};
use base::Id;
use cfa::{Scalar, Value, VarId};
use interp::ObjectKind;
use shape::graph::{Graph, Register};
use shape::object::{Field, Kind, Lengths, Object, Segment};
use shape::value::{Address, ObjectId, Side, Val};
use std::collections::BTreeSet;
use step::StackId;

const BITS: u32 = 64;
/// Links, and what nodes have besides, in bytes from their beginning.
const NEXT: i64 = 0;
const OTHER: i64 = 8;

fn register() -> Register {
    (StackId::from_index(0), VarId::from_index(0))
}

fn pointer(val: Val) -> Field {
    Field { ty: Scalar::Ptr, val }
}

fn to(object: ObjectId, side: Side) -> Val {
    Val::Address(Address { object, side, offset: 0 })
}

/// A list of nodes with two words, which ends with null; `prev` tells whether the second one leads back.
fn list(lengths: Lengths, prev: Option<i64>) -> Object {
    let mut object = Object::new(Kind::Heap, domains::numerical::Num::single(16), base::ByteOrder::Little);
    object.write(NEXT, pointer(Val::ZERO), BITS);
    object.write(OTHER, pointer(Val::ZERO), BITS);
    (object.segment, object.lengths) = (Some(Segment::list(NEXT, prev, 0)), lengths);
    object
}

/// A graph with a list, to whose first node the register leads.
fn graph_of(object: Object) -> (Graph, ObjectId) {
    let mut graph = Graph::new(BITS);
    let id = graph.add(object);
    graph.registers.insert(register(), pointer(to(id, Side::First)));
    (graph, id)
}

/// A state in which the register leads to the first of some blocks of two words each, which are addresses of blocks, or null.
fn state(blocks: &[[Option<usize>; 2]]) -> State {
    let address = |n: usize| 0x10000 + 0x100 * n as u64;
    let mut state = State::default();
    state.registers.insert(register(), Value(address(0).into()));
    for (n, words) in blocks.iter().enumerate() {
        let bytes = words.iter().flat_map(|word| word.map_or(0, address).to_le_bytes()).collect();
        state.blocks.insert(address(n), Block { kind: ObjectKind::Heap(n as u32 + 1), bytes });
    }
    state
}

/// A list with so many nodes, and with addresses of the nodes before.
fn chain(len: usize, has_prev: bool) -> State {
    let blocks: Vec<_> =
        (0..len).map(|n| [(n + 1 < len).then_some(n + 1), n.checked_sub(1).filter(|_| has_prev)]).collect();
    state(&blocks)
}

#[test]
fn lists_have_their_lengths() {
    let lengths = [(Lengths::ONE, [true, false, false]), (Lengths::MORE, [false, true, true])];
    for (lengths, expected) in lengths {
        let (graph, _) = graph_of(list(lengths, None));
        for (len, expected) in (1..).zip(expected) {
            assert_eq!(contains(&graph, &chain(len, false)), expected, "{lengths:?} of {len}");
        }
    }
}

#[test]
fn nodes_lead_back() {
    let (graph, _) = graph_of(list(Lengths::MORE, Some(OTHER)));
    assert!(contains(&graph, &chain(3, true)));
    assert!(!contains(&graph, &chain(3, false)), "links back are missing");
    assert!(!contains(&graph, &state(&[[Some(1), None], [Some(2), Some(0)], [None, Some(0)]])), "one leads too far");
    assert!(!contains(&graph, &state(&[[Some(1), Some(1)], [None, Some(0)]])), "the first one leads back");
}

#[test]
fn blocks_are_known_unless_some_were_lost() {
    let (mut graph, _) = graph_of(list(Lengths::MORE, None));
    let more = state(&[[Some(1), None], [None, None], [None, None]]);
    assert!(!contains(&graph, &more));
    graph.lost = true;
    assert!(contains(&graph, &more));
}

#[test]
fn the_same_symbol_is_the_same_value() {
    let (mut graph, id) = graph_of(list(Lengths::ONE, None));
    let symbol = graph.any(Scalar::Ptr);
    if let Some(object) = graph.object_mut(id) {
        object.segment = None;
        object.write(NEXT, pointer(symbol), BITS);
        object.write(OTHER, pointer(symbol), BITS);
    }
    assert!(contains(&graph, &state(&[[Some(0), Some(0)]])));
    assert!(!contains(&graph, &state(&[[Some(0), None]])));
}

/// Lists whose nodes have lists, which may be empty.
fn nested() -> Graph {
    let any = Lengths::ONE.or(Lengths::MORE);
    let (mut graph, outer) = graph_of(list(any, None));
    let inner = graph.add(Object { owner: Some(outer), ..list(any.or(Lengths::EMPTY), None) });
    if let Some(object) = graph.object_mut(outer) {
        object.write(OTHER, pointer(to(inner, Side::First)), BITS);
    }
    graph
}

#[test]
fn each_node_owns_its_list() {
    let two = [[Some(1), Some(2)], [None, Some(3)], [None, None], [Some(4), None], [None, None]];
    assert!(contains(&nested(), &state(&two)));
    let shared = [[Some(1), Some(2)], [None, Some(2)], [None, None]];
    assert!(!contains(&nested(), &state(&shared)));
}

/// That a list has one node leaves open whether the node owns another one.
#[test]
fn one_node_may_own_no_node() {
    let states =
        [state(&[[None, None]]), state(&[[None, Some(1)], [None, None]]), state(&[[Some(1), None], [None, None]])];
    let graph = nested();
    let all: BTreeSet<usize> = (0..states.len()).collect();
    assert!(states.iter().all(|state| contains(&graph, state)));
    laws::unfolding(&graph, &states, &all);
}

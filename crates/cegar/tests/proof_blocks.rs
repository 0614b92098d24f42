//! The checker of proofs accepts graphs of blocks that are linked by reference, and none that was tampered with; both ways of refinement
//! find them.

mod common;

use base::Budget;
use cegar::bam::export::export;
use cegar::bam::{BamConfig, BamRefinement, Holes, run};
use cegar::refinement_loop::Answer;
use cegar::value::Scope;
use cegar::value::refiner::ValueRefiner;
use cfa::blocks::{BlockChoice, BlockKind, Partition};
use cfa::callgraph::CallGraph;
use cfa::{BinOp, HavocSource, Op, Scalar, VarId};
use common::{Case, with_task};
use domains::composite::CompositeCpa;
use domains::strategy::Strategies;
use domains::value::ValueDomain;
use domains::value::precision::ValuePrecision;
use outcome::Silent;
use proof::check::Checked;
use proof::graph::{Entering, Fact, FactPlace, FactValue, Next, ProofGraph};
use step::{Blocks, Locations};

/// `int g = 0; void f() { if (*) g = 1 - g; else g = 1 - g; } main() { loop { f(); if (g != 1) error(); f(); if (g != 0) error(); } }`
fn toggled_by_calls() -> (Case, VarId) {
    let mut c = Case::new();
    let g = c.b.reg(None, "g", Scalar::INT);
    let f = c.b.func("f", &[]);
    let choice = c.b.reg(Some(f), "choice", Scalar::INT);
    let (entry, exit) = (c.b.entry(f), c.b.exit(f));
    let [test, one_way, other_way] = [0; 3].map(|_| c.b.loc(f));
    c.b.edge(entry, test, Op::Havoc { dst: choice, source: HavocSource::Environment });
    let zero = c.cmp(BinOp::Eq, choice, 0);
    c.b.branch(test, zero, one_way, other_way);
    let (one, value) = (c.b.int(1), c.b.var(g));
    let flipped = c.b.bin(BinOp::Sub, one, value);
    for way in [one_way, other_way] {
        c.b.edge(way, exit, Op::Assign { dst: g, src: flipped });
    }
    c.loop_of_checks(f, g);
    (c, g)
}

/// The graph that proves a program, changed by `tamper`, as the checker sees it.
fn checked((choice, refinement): (BlockChoice, BamRefinement), tamper: impl FnOnce(&mut ProofGraph, VarId)) -> Checked {
    let (case, g) = toggled_by_calls();
    with_task(&case.b.program, &|_| Err(outcome::StopReason::Interrupted), |task, points_to| {
        let budget = Budget::unlimited();
        let calls = CallGraph::new(task.program, Some(points_to));
        let locations = Locations::new(task.program, task.wto, &calls, Blocks::Joins);
        let partition = Partition::new(task.program, task.wto, &calls, points_to, choice);
        let domain = ValueDomain::new(task.program, points_to);
        let cpa = CompositeCpa::new(domain, locations, task.observer, Strategies::default(), &budget);
        let mut cpa = cpa.with_blocks(partition);
        let mut refiner = ValueRefiner::new(task, &budget).without_graph();
        let config = BamConfig { refinement, holes: Holes::Filled, ..BamConfig::default() };
        let precision = ValuePrecision::empty(Scope::Variable);
        let explored = run(&mut cpa, &mut refiner, precision, config, &budget, &Silent);
        assert!(matches!(explored.answer, Answer::Proved));
        let mut graph = export(&mut cpa, &explored.abstractions, &budget).expect("there is no limit");
        tamper(&mut graph, g);
        proof::check::check(task, &graph, &budget).expect("there is no limit")
    })
}

const FUNCTIONS: (BlockChoice, BamRefinement) = (BlockChoice::Functions, BamRefinement::CopyOnWrite);
const BOTH: (BlockChoice, BamRefinement) = (BlockChoice::Both, BamRefinement::CopyOnWrite);

#[track_caller]
fn rejects(settings: (BlockChoice, BamRefinement), why: &str, tamper: impl FnOnce(&mut ProofGraph, VarId)) {
    match checked(settings, tamper) {
        Checked::Rejected { why: found, .. } => assert!(found.contains(why), "{found}"),
        Checked::Proof { .. } => panic!("accepted"),
    }
}

/// The node of the whole program, or of a block, that enters a block of this kind.
fn entering(graph: &mut ProofGraph, wanted: impl Fn(BlockKind) -> bool) -> (usize, &mut Entering) {
    let kinds: Vec<BlockKind> = graph.blocks.iter().map(|block| block.kind).collect();
    let found = graph.nodes.iter_mut().enumerate().find_map(|(i, node)| match &mut node.next {
        Next::Enter(entering) if wanted(kinds[entering.block]) => Some((i, &mut **entering)),
        _ => None,
    });
    found.expect("a block is entered")
}

fn is_function(kind: BlockKind) -> bool {
    matches!(kind, BlockKind::Function(_))
}

fn is_loop(kind: BlockKind) -> bool {
    matches!(kind, BlockKind::Loop(_))
}

#[test]
fn graphs_of_blocks_are_proofs() {
    for choice in [BlockChoice::Functions, BlockChoice::Loops, BlockChoice::Both] {
        for refinement in [BamRefinement::InPlace, BamRefinement::CopyOnWrite] {
            let mut blocks = 0;
            let checked = checked((choice, refinement), |graph, _| blocks = graph.blocks.len());
            assert!(matches!(checked, Checked::Proof { .. }), "{choice:?} {refinement:?}: {checked:?}");
            // The function is entered with two values; where the loop is a block, its head is no entrance of the function.
            let expected = match choice {
                BlockChoice::Functions => 2,
                BlockChoice::Loops => 1,
                BlockChoice::Both => 2,
                BlockChoice::Recursive => 0,
            };
            assert_eq!(blocks, expected, "{choice:?} {refinement:?}");
        }
    }
}

#[test]
fn what_follows_a_block() {
    for (settings, kind) in [(FUNCTIONS, is_function as fn(BlockKind) -> bool), (BOTH, is_loop)] {
        rejects(settings, "nothing follows", |graph, _| entering(graph, kind).1.after.clear());
    }
    rejects(FUNCTIONS, "", |graph, g| {
        let after = entering(graph, is_function).1.after[0].1;
        for fact in graph.nodes[after].facts.iter_mut().filter(|fact| fact.place == FactPlace::Global(g)) {
            fact.value = FactValue::Bits(7);
        }
    });
}

#[test]
fn roots_and_exits() {
    // More is said at the root than at the entrance.
    rejects(FUNCTIONS, "not implied", |graph, g| {
        let block = entering(graph, is_function).1.block;
        let root = graph.blocks[block].root;
        let fact = Fact { place: FactPlace::Global(g), value: FactValue::Bits(9) };
        graph.nodes[root].facts = vec![fact];
    });
    // More is said at an exit than holds there.
    rejects(FUNCTIONS, "not implied", |graph, g| {
        let block = entering(graph, is_function).1.block;
        let exit = graph.exits_of(block).next().expect("an exit");
        graph.nodes[exit].facts = vec![Fact { place: FactPlace::Global(g), value: FactValue::Bits(9) }];
    });
    // Nothing is said at an exit: what was known before the block is known no more.
    rejects(FUNCTIONS, "not implied", |graph, _| {
        let block = entering(graph, is_function).1.block;
        let exits: Vec<usize> = graph.exits_of(block).collect();
        exits.into_iter().for_each(|exit| graph.nodes[exit].facts.clear());
    });
    // An exit that is none.
    for settings in [FUNCTIONS, BOTH] {
        rejects(settings, "", |graph, _| {
            let block = entering(graph, |_| true).1.block;
            let root = graph.blocks[block].root;
            graph.nodes[root].next = Next::Leave;
        });
    }
    rejects(FUNCTIONS, "the whole program is left", |graph, _| graph.nodes[1].next = Next::Leave);
}

#[test]
fn other_blocks() {
    // The abstraction for the other value.
    rejects(FUNCTIONS, "", |graph, _| {
        let (_, entering) = entering(graph, is_function);
        entering.block = 1 - entering.block;
    });
    rejects(FUNCTIONS, "does not exist", |graph, _| entering(graph, is_function).1.block = 77);
    rejects(BOTH, "", |graph, _| {
        let function = graph.blocks.iter().position(|block| is_function(block.kind)).expect("a function");
        entering(graph, is_loop).1.block = function;
    });
    // A loop whose root enters the loop again makes no step.
    rejects(BOTH, "makes no step", |graph, _| {
        let (at, entering) = entering(graph, is_loop);
        let (block, next) = (entering.block, graph.nodes[at].next.clone());
        let root = graph.blocks[block].root;
        graph.nodes[root].next = next;
    });
    // Nodes of other graphs.
    rejects(FUNCTIONS, "", |graph, _| {
        let inner = graph.blocks[0].nodes.clone();
        let lists = graph.nodes.iter_mut().take(inner.start).find_map(|node| match &mut node.next {
            Next::Along(lists) if !lists.is_empty() => Some(lists),
            _ => None,
        });
        lists.expect("edges")[0].1 = inner.start;
    });
}

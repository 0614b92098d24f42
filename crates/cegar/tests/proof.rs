//! The checker of proofs accepts the graphs of the value analysis, and no graph that was tampered with.

mod common;

use base::Budget;
use cegar::refinement_loop::{self, Answer, CegarConfig};
use cegar::value::Scope;
use cegar::value::export::export;
use cegar::value::refiner::ValueRefiner;
use cfa::callgraph::CallGraph;
use cfa::{BinOp, HavocSource, Op, VarId};
use common::{Case, figure_1, figure_2, with_task};
use domains::composite::CompositeCpa;
use domains::strategy::Strategies;
use domains::value::ValueDomain;
use domains::value::precision::ValuePrecision;
use outcome::Silent;
use proof::check::Checked;
use proof::graph::{Fact, FactPlace, FactValue, Next, ProofGraph, ProofNode};
use step::{Blocks, Locations};

/// The graph that proves a program, changed by `tamper`, as the checker sees it.
fn checked(case: &Case, blocks: Blocks, tamper: impl FnOnce(&mut ProofGraph)) -> Checked {
    let is_proved = |answer: &Answer| assert!(matches!(answer, Answer::Proved));
    explored(case, blocks, is_proved, tamper)
}

/// The same for the graph that is left when exploration ends with an answer.
fn explored(
    case: &Case,
    blocks: Blocks,
    expect: impl FnOnce(&Answer),
    tamper: impl FnOnce(&mut ProofGraph),
) -> Checked {
    with_task(&case.b.program, &|_| Err(outcome::StopReason::Interrupted), |task, points_to| {
        let budget = Budget::unlimited();
        let calls = CallGraph::new(task.program, Some(points_to));
        let locations = Locations::new(task.program, task.wto, &calls, blocks);
        let domain = ValueDomain::new(task.program, points_to);
        let mut cpa = CompositeCpa::new(domain, locations, task.observer, Strategies::default(), &budget);
        let mut refiner = ValueRefiner::new(task, &budget);
        let precision = ValuePrecision::empty(Scope::Variable);
        let config = CegarConfig::default();
        let explored = refinement_loop::run(&mut cpa, &mut refiner, precision, config, &budget, &Silent);
        expect(&explored.answer);
        let mut graph = export(&mut cpa, &explored.exploration.arg).expect("there is no limit");
        tamper(&mut graph);
        proof::check::check(task, &graph, &budget).expect("there is no limit")
    })
}

#[track_caller]
fn rejects(case: &Case, why: &str, tamper: impl Fn(&mut ProofGraph)) {
    match checked(case, Blocks::Joins, &tamper) {
        Checked::Rejected { why: found, .. } => assert!(found.contains(why), "{found}"),
        Checked::Proof { .. } => panic!("accepted"),
    }
}

/// `int x = 0; loop { x = 1 - x; if (x > 1) error(); }`
fn toggle() -> Case {
    let mut c = Case::new();
    let x = c.int("x");
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let [head, test, on] = [0; 3].map(|_| c.b.loc(c.main));
    let init = c.set(x, 0);
    c.b.edge(entry, head, init);
    let (one, vx) = (c.b.int(1), c.b.var(x));
    let flipped = c.b.bin(BinOp::Sub, one, vx);
    c.b.edge(head, test, Op::Assign { dst: x, src: flipped });
    let large = c.cmp(BinOp::Gt, x, 1);
    c.check(test, large, on);
    let y = c.int("y");
    let back = c.b.loc(c.main);
    c.b.edge(on, back, Op::Havoc { dst: y, source: HavocSource::Environment });
    let zero = c.cmp(BinOp::Eq, y, 0);
    c.b.branch(back, zero, exit, head);
    c
}

fn node_with_facts(graph: &ProofGraph) -> usize {
    graph.nodes.iter().skip(1).position(|n| !n.facts.is_empty()).expect("something is tracked") + 1
}

fn covered(graph: &ProofGraph) -> usize {
    graph.nodes.iter().position(|n| matches!(n.next, Next::Covered(_))).expect("a loop is closed")
}

#[test]
fn graphs_of_the_analysis_are_proofs() {
    for case in [figure_1(), figure_2(), toggle()] {
        for blocks in [Blocks::Joins, Blocks::Locations] {
            let checked = checked(&case, blocks, |_| {});
            assert!(matches!(checked, Checked::Proof { .. }), "{checked:?}");
        }
    }
}

/// `int y = input(), z = y; if (z OP y) error();`
fn related(op: BinOp) -> Case {
    let mut c = Case::new();
    let (y, z) = (c.int("y"), c.int("z"));
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let [copy, test, on] = [0; 3].map(|_| c.b.loc(c.main));
    c.b.edge(entry, copy, Op::Havoc { dst: y, source: HavocSource::Environment });
    let source = c.b.var(y);
    c.b.edge(copy, test, Op::Assign { dst: z, src: source });
    let (vz, vy) = (c.b.var(z), c.b.var(y));
    let bad = c.b.bin(op, vz, vy);
    c.check(test, bad, on);
    c.b.edge(on, exit, Op::Skip);
    c
}

#[test]
fn nodes_that_no_run_gets_to() {
    let is_open = |answer: &Answer| assert!(matches!(answer, Answer::Unknown(_)));
    // Values relate nothing, so the error stays in the graph, and unwinding shows that no run gets there.
    let proved = explored(&related(BinOp::Ne), Blocks::Joins, is_open, |graph| {
        assert!(graph.nodes.iter().any(|node| matches!(node.next, Next::Refuted)));
    });
    assert!(matches!(proved, Checked::Proof { .. }), "{proved:?}");
    let rejected = explored(&related(BinOp::Eq), Blocks::Joins, is_open, |_| {});
    assert!(matches!(&rejected, Checked::Rejected { why, .. } if why.contains("out of reach")), "{rejected:?}");
    // That runs do not get somewhere is no reason to follow them no further.
    let case = toggle();
    let mut expanded = Vec::new();
    checked(&case, Blocks::Joins, |graph| {
        let is_expanded = |i: &usize| matches!(&graph.nodes[*i].next, Next::Along(lists) if !lists.is_empty());
        expanded = (0..graph.nodes.len()).filter(is_expanded).collect();
    });
    for node in expanded {
        rejects(&case, "", |graph| graph.nodes[node].next = Next::Refuted);
    }
}

/// Numbers of the edges of a graph: node and place in its list.
fn edges(graph: &ProofGraph) -> Vec<(usize, usize, usize)> {
    let mut edges = Vec::new();
    for (i, node) in graph.nodes.iter().enumerate() {
        if let Next::Along(lists) = &node.next {
            edges.extend(lists.iter().enumerate().map(|(k, (_, target))| (i, k, *target)));
        }
    }
    edges
}

#[test]
fn dropped_edges() {
    for case in [figure_1(), toggle()] {
        let mut all = Vec::new();
        // Runs that soon end without an error need no edge; those that get to the loop do.
        let loops = |graph: &ProofGraph, target: usize| {
            let goes_on = |n: &ProofNode| matches!(&n.next, Next::Along(lists) if !lists.is_empty());
            graph.nodes.iter().any(|n| n.loc == graph.nodes[target].loc && goes_on(n))
        };
        checked(&case, Blocks::Joins, |graph| all = edges(graph).into_iter().filter(|e| loops(graph, e.2)).collect());
        assert!(!all.is_empty());
        for (node, place, _) in all {
            rejects(&case, "is not in the graph", |graph| {
                if let Next::Along(lists) = &mut graph.nodes[node].next {
                    lists.remove(place);
                }
            });
        }
    }
    rejects(&toggle(), "was not expanded", |graph| graph.nodes[1].next = Next::Open);
}

#[test]
fn edges_that_lead_elsewhere() {
    let case = toggle();
    let mut all = Vec::new();
    checked(&case, Blocks::Joins, |graph| all = edges(graph));
    for (node, place, target) in all {
        rejects(&case, "", |graph| {
            if let Next::Along(lists) = &mut graph.nodes[node].next {
                lists[place].1 = node;
            }
        });
        rejects(&case, "", |graph| {
            let facts = graph.nodes[target].facts.clone();
            let other = graph.nodes.iter().position(|n| n.facts != facts).expect("values differ");
            if let Next::Along(lists) = &mut graph.nodes[node].next {
                lists[place].1 = other;
            }
        });
    }
}

#[test]
fn weakened_and_changed_states() {
    for case in [figure_1(), toggle()] {
        // Without its facts, a node has runs to the error.
        rejects(&case, "", |graph| graph.nodes.iter_mut().skip(1).for_each(|node| node.facts.clear()));
        // Other facts are not implied.
        rejects(&case, "not implied", |graph| {
            let at = node_with_facts(graph);
            graph.nodes[at].facts[0].value = FactValue::Bits(77);
        });
    }
    // More facts are not implied, either.
    rejects(&figure_2(), "not implied", |graph| {
        let var: VarId = base::Id::from_index(1);
        let fact = Fact { place: FactPlace::Local { frame: 1, var }, value: FactValue::Bits(3) };
        graph.nodes[1].facts.push(fact);
    });
    rejects(&figure_2(), "not implied", |graph| {
        let var: VarId = base::Id::from_index(0);
        graph.nodes[0].facts.push(Fact { place: FactPlace::Local { frame: 0, var }, value: FactValue::Bits(3) });
    });
}

#[test]
fn wrong_coverage() {
    let case = toggle();
    rejects(&case, "", |graph| {
        let at = covered(graph);
        graph.nodes[at].next = Next::Covered(0);
    });
    rejects(&case, "not expanded", |graph| {
        // A node that covers itself is never expanded.
        let at = covered(graph);
        graph.nodes[at].next = Next::Covered(at);
    });
    rejects(&case, "", |graph| {
        // Covered by the state with the other value.
        let at = covered(graph);
        let (loc, facts) = (graph.nodes[at].loc, graph.nodes[at].facts.clone());
        let other =
            graph.nodes.iter().position(|n| n.loc == loc && n.facts != facts && matches!(n.next, Next::Along(_)));
        graph.nodes[at].next = Next::Covered(other.expect("there are two values"));
    });
    rejects(&case, "does not exist", |graph| {
        let at = covered(graph);
        graph.nodes[at].next = Next::Covered(graph.nodes.len() + 7);
    });
}

#[test]
fn other_roots() {
    rejects(&figure_1(), "not the start", |graph| graph.nodes[0].loc = graph.nodes[1].loc);
    rejects(&figure_1(), "", |graph| graph.nodes.swap(0, 1));
}

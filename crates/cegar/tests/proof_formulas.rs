//! The checker of proofs accepts the graphs of the predicate analysis, and no graph that was tampered with.

mod common;

use base::Budget;
use cegar::predicate::export::export;
use cegar::predicate::refiner::PredicateRefiner;
use cegar::predicate::{Abstraction, BlockEnds, PredicateScope};
use cegar::refinement_loop::{self, Answer, CegarConfig};
use cfa::callgraph::CallGraph;
use cfa::procedures::Procedures;
use cfa::{AllocKind, BinOp, HavocSource, Op, Scalar};
use common::{Case, figure_1, figure_2, with_task};
use domains::predicate::PredicateCpa;
use domains::predicate::points::Points;
use domains::predicate::predicates::PredicatePrecision;
use domains::strategy::Strategies;
use encode::Encoder;
use outcome::Silent;
use proof::check::Checked;
use proof::graph::{Fact, FactPlace, FactValue, FormulaPlace, Next, ProofGraph, ProofNode};
use refine::formula::chain::Chain;
use refine::formula::newton::{Core, Live, Newton, NewtonOptions};
use refine::formula::{Direction, SequenceEngine};
use smt::Sort;
use smt_z3::{Mode, Z3Backend, Z3Solver};
use task::Task;

/// The graph that proves a program, changed by `tamper`, as the checker sees it.
fn checked(case: &Case, blocks: BlockEnds, tamper: impl FnOnce(&mut ProofGraph)) -> Checked {
    with_task(&case.b.program, &|_| Err(outcome::StopReason::Interrupted), |shy, points_to| {
        let task = Task {
            solver: &|| Box::new(Z3Solver::new(Mode::OneShot)),
            incremental: &|| Box::new(Z3Solver::new(Mode::Incremental)),
            ..*shy
        };
        let budget = Budget::unlimited();
        let enc = Encoder::new(task.program, Box::new(|_, _| true)).expect("the program is small");
        let (calls, none) = (CallGraph::new(task.program, Some(points_to)), Procedures::none());
        let points = Points::new(task.program, task.wto, &calls, &none, blocks);
        let kind = Abstraction::default();
        let mut cpa = PredicateCpa::new(
            enc,
            points_to,
            (points, none),
            (task.observer, Strategies::default()),
            &Z3Backend,
            kind,
            &budget,
        );
        let newton = |direction| -> Box<dyn SequenceEngine> {
            Box::new(Newton::new(NewtonOptions { direction, core: Core::Conjuncts, live: Live::On }))
        };
        let engines = vec![newton(Direction::Forward), newton(Direction::Backward)];
        let mut refiner = PredicateRefiner::new(&task, &Z3Backend, Chain::new(engines), &budget);
        let precision = PredicatePrecision::empty(PredicateScope::Location);
        let explored =
            refinement_loop::run(&mut cpa, &mut refiner, precision, CegarConfig::default(), &budget, &Silent);
        assert!(matches!(explored.answer, Answer::Proved));
        let mut graph = export(&mut cpa, &explored.exploration.arg).expect("there is no limit");
        tamper(&mut graph);
        proof::check::check(&task, &graph, &budget).expect("there is no limit")
    })
}

#[track_caller]
fn rejects(case: &Case, why: &str, tamper: impl Fn(&mut ProofGraph)) {
    match checked(case, BlockEnds::Loops, &tamper) {
        Checked::Rejected { why: found, .. } => assert!(found.contains(why), "{found}"),
        Checked::Proof { .. } => panic!("accepted"),
    }
}

/// `int x = 0, n; if (n < 0) return; while (x < n) x = x + 1; if (x != n) error();`
fn counted() -> Case {
    let mut c = Case::new();
    let [x, n] = ["x", "n"].map(|name| c.int(name));
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let [begun, head, body, done] = [0; 4].map(|_| c.b.loc(c.main));
    let (zero, any) = (c.set(x, 0), Op::Havoc { dst: n, source: HavocSource::Environment });
    c.b.chain(entry, begun, [zero, any]);
    let negative = c.cmp(BinOp::Lt, n, 0);
    c.b.branch(begun, negative, exit, head);
    let (vx, vn) = (c.b.var(x), c.b.var(n));
    let below = c.b.bin(BinOp::Lt, vx, vn);
    c.b.branch(head, below, body, done);
    let step = c.add(x, 1);
    c.b.edge(body, head, step);
    let differs = c.b.bin(BinOp::Ne, vx, vn);
    c.check(done, differs, exit);
    c
}

/// `int *p = malloc(4); *p = 0; loop { *p = 1 - *p; if (*p > 1) error(); }`
fn toggled_memory() -> Case {
    let mut c = Case::new();
    let p = c.b.reg(Some(c.main), "p", Scalar::Ptr);
    let y = c.int("y");
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let [head, test, on] = [0; 3].map(|_| c.b.loc(c.main));
    let size = c.b.constant(4, Scalar::Int { bits: 64, signed: false });
    let (vp, zero, one) = (c.b.var(p), c.b.int(0), c.b.int(1));
    let made = Op::Alloc { dst: p, size, align: cfa::layout::ALLOCATED, kind: AllocKind::Heap };
    c.b.chain(entry, head, [made, Op::Store { addr: vp, value: zero }]);
    let held = c.b.load(vp, Scalar::INT);
    let flipped = c.b.bin(BinOp::Sub, one, held);
    c.b.edge(head, test, Op::Store { addr: vp, value: flipped });
    let large = c.b.bin(BinOp::Gt, held, one);
    c.check(test, large, on);
    let back = c.b.loc(c.main);
    c.b.edge(on, back, Op::Havoc { dst: y, source: HavocSource::Environment });
    let stop = c.cmp(BinOp::Eq, y, 0);
    c.b.branch(back, stop, exit, head);
    c
}

fn covered(graph: &ProofGraph) -> usize {
    graph.nodes.iter().position(|n| matches!(n.next, Next::Covered(_))).expect("a loop is closed")
}

fn is_expanded(node: &ProofNode) -> bool {
    matches!(&node.next, Next::Reach(targets) if !targets.is_empty())
}

#[test]
fn graphs_of_the_analysis_are_proofs() {
    for case in [figure_1(), figure_2(), counted(), toggled_memory()] {
        for blocks in [BlockEnds::Loops, BlockEnds::LoopsAndJoins, BlockEnds::LoopsAndFunctions, BlockEnds::Edges] {
            let checked = checked(&case, blocks, |_| {});
            assert!(matches!(checked, Checked::Proof { .. }), "{blocks:?}: {checked:?}");
        }
    }
}

#[test]
fn weakened_formulas() {
    for case in [counted(), toggled_memory()] {
        // Each formula is needed: without it some implication fails.
        let mut with_formulas = Vec::new();
        checked(&case, BlockEnds::Loops, |graph| {
            let nodes = graph.nodes.iter().enumerate();
            with_formulas.extend(nodes.filter(|(_, n)| !n.formulas.is_empty() && is_expanded(n)).map(|(i, _)| i));
        });
        assert!(!with_formulas.is_empty());
        for node in with_formulas {
            rejects(&case, "", |graph| graph.nodes[node].formulas.clear());
        }
        rejects(&case, "violated", |graph| graph.nodes.iter_mut().for_each(|node| node.formulas.clear()));
    }
}

#[test]
fn strengthened_formulas() {
    for case in [counted(), toggled_memory()] {
        rejects(&case, "not implied", |graph| {
            let at = graph.nodes.iter().position(|n| !n.formulas.is_empty()).expect("something is claimed");
            let formula = graph.nodes[at].formulas[0];
            graph.nodes[at].formulas[0] = graph.formulas.terms.not(formula);
        });
        rejects(&case, "not implied", |graph| {
            let fals = graph.formulas.terms.fals();
            graph.nodes[1].formulas.push(fals);
        });
        rejects(&case, "facts of the root", |graph| {
            let fals = graph.formulas.terms.fals();
            graph.nodes[0].formulas.push(fals);
        });
    }
}

#[test]
fn dropped_edges_and_points() {
    for case in [counted(), toggled_memory()] {
        let mut all = Vec::new();
        checked(&case, BlockEnds::Loops, |graph| {
            for (i, node) in graph.nodes.iter().enumerate() {
                if let Next::Reach(targets) = &node.next {
                    all.extend((0..targets.len()).map(|k| (i, k)));
                }
            }
        });
        assert!(!all.is_empty());
        for (node, place) in all {
            rejects(&case, "not in the graph", |graph| {
                if let Next::Reach(targets) = &mut graph.nodes[node].next {
                    targets.remove(place);
                }
            });
        }
        rejects(&case, "without meeting a point", |graph| graph.points.clear());
        rejects(&case, "was not expanded", |graph| {
            let at = graph.nodes.iter().skip(1).position(is_expanded).expect("there is a loop") + 1;
            graph.nodes[at].next = Next::Open;
        });
    }
}

#[test]
fn wrong_coverage() {
    for case in [counted(), toggled_memory()] {
        rejects(&case, "not expanded", |graph| {
            let at = covered(graph);
            graph.nodes[at].next = Next::Covered(at);
        });
        rejects(&case, "", |graph| {
            let at = covered(graph);
            graph.nodes[at].next = Next::Covered(0);
        });
        rejects(&case, "does not exist", |graph| {
            let at = covered(graph);
            graph.nodes[at].next = Next::Covered(graph.nodes.len() + 7);
        });
        // What covers claims more than what is covered.
        rejects(&case, "", |graph| {
            let at = covered(graph);
            graph.nodes[at].formulas.clear();
        });
    }
}

#[test]
fn claims_about_memory() {
    let case = toggled_memory();
    rejects(&case, "does not know", |graph| graph.nodes.iter_mut().for_each(|node| node.objects.clear()));
    rejects(&case, "not implied", |graph| {
        for node in &mut graph.nodes {
            node.objects.iter_mut().for_each(|(_, dead)| *dead = Some(true));
        }
    });
    rejects(&case, "overlap", |graph| {
        let object = graph.objects[0].clone();
        graph.objects.push(object);
    });
    // The pointer is known because the shape says so.
    rejects(&case, "", |graph| graph.nodes.iter_mut().for_each(|node| node.facts.clear()));
    rejects(&case, "not implied", |graph| {
        let at = graph.nodes.iter().position(|n| !n.facts.is_empty()).expect("a pointer is known");
        graph.nodes[at].facts[0].value = FactValue::Bits(16);
    });
}

#[test]
fn meaningless_claims() {
    let case = counted();
    rejects(&case, "frame that does not exist", |graph| {
        let place = FactPlace::Local { frame: 9, var: base::Id::from_index(0) };
        graph.nodes[1].facts.push(Fact { place, value: FactValue::Bits(0) });
    });
    rejects(&case, "means nothing", |graph| {
        let var = graph.formulas.terms.fresh_var("ghost", Sort::Bool);
        graph.nodes[1].formulas.push(var);
    });
    rejects(&case, "something else", |graph| {
        let place = FormulaPlace::Holds(FactPlace::Local { frame: 1, var: base::Id::from_index(0) });
        let var = graph.formulas.var(place, Sort::Bool);
        graph.nodes[1].formulas.push(var);
    });
}

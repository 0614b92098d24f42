//! The checker of proofs accepts graphs with formulas that are linked by reference, one for each block abstraction, and none that was
//! tampered with; both ways of refinement find them.

mod common;

use base::Budget;
use cegar::bam::predicate::export;
use cegar::bam::{BamConfig, BamRefinement, Holes, run};
use cegar::predicate::refiner::PredicateRefiner;
use cegar::predicate::{Abstraction, BlockEnds, PredicateScope};
use cegar::refinement_loop::Answer;
use cfa::callgraph::CallGraph;
use cfa::procedures::Procedures;
use cfa::{BinOp, HavocSource, Op, Scalar};
use common::{Case, with_task};
use domains::predicate::PredicateCpa;
use domains::predicate::points::Points;
use domains::predicate::predicates::PredicatePrecision;
use domains::strategy::Strategies;
use encode::Encoder;
use outcome::Silent;
use proof::check::Checked;
use proof::graph::{Next, ProofGraph};
use refine::formula::binary::Binary;
use refine::formula::chain::Chain;
use refine::formula::newton::{Core, Live, Newton, NewtonOptions};
use refine::formula::{Direction, SequenceEngine};
use smt_z3::{Mode, Z3Backend, Z3Solver};
use task::Task;

/// `int g = 0; void f() { while (*) {} g = 1 - g; } main() { loop { f(); if (g != 1) error(); f(); if (g != 0) error(); } }`
fn toggled_by_calls() -> Case {
    let mut c = Case::new();
    let g = c.b.reg(None, "g", Scalar::INT);
    let f = c.b.func("f", &[]);
    let choice = c.b.reg(Some(f), "choice", Scalar::INT);
    let (entry, exit) = (c.b.entry(f), c.b.exit(f));
    let [head, test, done] = [0; 3].map(|_| c.b.loc(f));
    c.b.edge(entry, head, Op::Skip);
    c.b.edge(head, test, Op::Havoc { dst: choice, source: HavocSource::Environment });
    let zero = c.cmp(BinOp::Eq, choice, 0);
    c.b.branch(test, zero, done, head);
    let (one, value) = (c.b.int(1), c.b.var(g));
    let flipped = c.b.bin(BinOp::Sub, one, value);
    c.b.edge(done, exit, Op::Assign { dst: g, src: flipped });
    c.loop_of_checks(f, g);
    c
}

/// The graph that proves the program, changed by `tamper`, as the checker sees it.
fn checked(refinement: BamRefinement, tamper: impl FnOnce(&mut ProofGraph)) -> Checked {
    let case = toggled_by_calls();
    with_task(&case.b.program, &|_| Err(outcome::StopReason::Interrupted), |shy, points_to| {
        let task = Task {
            solver: &|| Box::new(Z3Solver::new(Mode::OneShot)),
            incremental: &|| Box::new(Z3Solver::new(Mode::Incremental)),
            ..*shy
        };
        let budget = Budget::unlimited();
        let enc = Encoder::new(task.program, Box::new(|_, _| true)).expect("the program is small");
        let calls = CallGraph::new(task.program, Some(points_to));
        let procedures = Procedures::blocks(task.program, task.wto, &calls, points_to);
        assert_eq!(procedures.len(), 1);
        let points = Points::new(task.program, task.wto, &calls, &procedures, BlockEnds::Loops);
        let (points, property) = ((points, procedures), (task.observer, Strategies::default()));
        let kind = Abstraction::default();
        let cpa = PredicateCpa::new(enc, points_to, points, property, &Z3Backend, kind, &budget);
        let mut cpa = cpa.with_blocks();
        let newton = |direction| -> Box<dyn SequenceEngine> {
            Box::new(Newton::new(NewtonOptions { direction, core: Core::Conjuncts, live: Live::On }))
        };
        let binary: Box<dyn SequenceEngine> = Box::new(Binary::new(Direction::Backward));
        let engines = vec![binary, newton(Direction::Forward), newton(Direction::Backward)];
        let mut refiner = PredicateRefiner::new(&task, &Z3Backend, Chain::new(engines), &budget);
        let precision = PredicatePrecision::empty(PredicateScope::Location);
        let config = BamConfig { refinement, holes: Holes::Filled, ..BamConfig::default() };
        let explored = run(&mut cpa, &mut refiner, precision, config, &budget, &Silent);
        assert!(matches!(explored.answer, Answer::Proved));
        let mut graph = export(&mut cpa, &explored.abstractions, &budget).expect("there is no limit");
        tamper(&mut graph);
        proof::check::check(&task, &graph, &budget).expect("there is no limit")
    })
}

#[track_caller]
fn rejects(why: &str, tamper: impl FnOnce(&mut ProofGraph)) {
    match checked(BamRefinement::CopyOnWrite, tamper) {
        Checked::Rejected { why: found, .. } => assert!(found.contains(why), "{found}"),
        Checked::Proof { .. } => panic!("accepted"),
    }
}

/// Nodes that enter blocks, with the roots of these.
fn calls(graph: &ProofGraph) -> Vec<(usize, usize)> {
    let entered = |(i, node): (usize, &_)| match node {
        Next::Call { entered: Some(root), .. } => Some((i, *root)),
        _ => None,
    };
    graph.nodes.iter().map(|node| &node.next).enumerate().filter_map(entered).collect()
}

#[test]
fn graphs_of_blocks_are_proofs() {
    for refinement in [BamRefinement::InPlace, BamRefinement::CopyOnWrite] {
        let mut graph = ProofGraph::default();
        let checked = checked(refinement, |found| graph = found.clone());
        assert!(matches!(checked, Checked::Proof { .. }), "{refinement:?}: {checked:?}");
        let mut roots: Vec<usize> = calls(&graph).into_iter().map(|(_, root)| root).collect();
        roots.sort_unstable();
        roots.dedup();
        assert!(!roots.is_empty() && roots.iter().all(|root| graph.blocks.iter().any(|block| block.root == *root)));
    }
}

#[test]
fn a_call_that_enters_nothing_is_rejected() {
    rejects("are not implied", |graph| {
        let (node, _) = calls(graph)[0];
        if let Next::Call { entered, .. } = &mut graph.nodes[node].next {
            *entered = None;
        }
    });
}

#[test]
fn an_exit_that_says_nothing_is_rejected() {
    // Whatever is missed first behind the call.
    rejects("", |graph| {
        let first = graph.blocks[0].root;
        graph.nodes[first..].iter_mut().for_each(|node| node.formulas.clear());
    });
}

#[test]
fn a_block_that_ends_early_is_rejected() {
    rejects("leave the block", |graph| graph.blocks[0].nodes.end -= 1);
}

#[test]
fn a_block_whose_exit_is_not_reached_is_rejected() {
    rejects("a point is reached that is not in the graph", |graph| {
        let block = graph.blocks[0].clone();
        for node in &mut graph.nodes[block.nodes] {
            if let Next::Reach(targets) = &mut node.next {
                targets.clear();
            }
        }
    });
}

//! The value analysis on programs made by hand: the examples of the paper, and what must not be concluded.

mod common;

use analysis::{AnalysisError, Arg};
use base::Budget;
use cegar::refinement_loop::{self, Answer, CegarConfig, ErrorPath, Refinement, Refiner};
use cegar::value::{Graph, Order, Prefixes, PruneStrategy, Scope, Tracking, ValueConfig, Wanted};
use cfa::callgraph::CallGraph;
use cfa::{BinOp, ExprId, ExprKind, HavocSource, Op, Scalar, UnOp};
use common::{Case, figure_1, figure_2, with_task};
use domains::composite::{Composite, CompositeCpa};
use domains::strategy::Strategies;
use domains::value::ValueDomain;
use domains::value::precision::ValuePrecision;
use outcome::{Silent, StatValue, Statistics, StopReason};
use step::{Blocks, Locations};

/// The verdict on a program with a path that is feasible for values, when the solver decides nothing.
const FEASIBLE: &str = "unknown (solver gave up)";

fn refined(scope: Scope, blocks: Blocks) -> ValueConfig {
    ValueConfig { scope, blocks, wanted: Wanted { graph: Graph::Keep, ..Wanted::default() }, ..ValueConfig::default() }
}

fn count(stats: &Statistics, name: &str) -> u64 {
    match stats.values.iter().find(|(n, _)| *n == name) {
        Some((_, StatValue::Count(n))) => *n,
        _ => panic!("no count {name}"),
    }
}

/// Checks the verdict under all configurations.
#[track_caller]
fn check(case: &Case, expected: &str) {
    for tracking in [Tracking::Refined, Tracking::Everything] {
        for scope in [Scope::Variable, Scope::Location] {
            for blocks in [Blocks::Joins, Blocks::Locations] {
                for order in [Order::Bfs, Order::Dfs, Order::ReversePostorder, Order::CallDepth] {
                    for prune in [PruneStrategy::Lazy, PruneStrategy::Restart] {
                        for prefixes in [Prefixes::Best, Prefixes::First] {
                            let cegar = CegarConfig { order, prune, ..CegarConfig::default() };
                            let config =
                                ValueConfig { tracking, scope, blocks, cegar, prefixes, ..ValueConfig::default() };
                            let outcome = case.run(&config);
                            assert_eq!(outcome.verdict.to_string(), expected, "{config:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn figure_1_is_proved_without_unrolling() {
    let c = figure_1();
    for blocks in [Blocks::Joins, Blocks::Locations] {
        for scope in [Scope::Variable, Scope::Location] {
            let outcome = c.run(&refined(scope, blocks));
            assert_eq!(outcome.verdict.to_string(), "true");
            // With a precision for each location, the way out by the second condition is refined on its own.
            let both = blocks == Blocks::Locations && scope == Scope::Location;
            assert_eq!(count(&outcome.stats, "cegar.refinements"), 1 + u64::from(both), "{:?}", outcome.stats);
            let Some(graph) = &outcome.graph else {
                panic!("a proof is a graph");
            };
            // Each location once, and a second time where a branch joins or the loop closes.
            assert!(graph.nodes.len() <= 2 * c.b.program.locs.len(), "{}", graph.nodes.len());
            // Only `flag` is tracked.
            for node in &graph.nodes {
                assert!(node.precision.iter().all(|name| name == "flag"), "{:?}", node.precision);
            }
        }
    }
}

#[test]
fn figure_2_needs_one_refinement_with_scoped_precision() {
    let c = figure_2();
    for (scope, refinements) in [(Scope::Variable, 1), (Scope::Location, 2)] {
        let outcome = c.run(&refined(scope, Blocks::Locations));
        assert_eq!(outcome.verdict.to_string(), "true");
        assert_eq!(count(&outcome.stats, "cegar.refinements"), refinements, "{scope:?}");
        let Some(graph) = &outcome.graph else { panic!("a proof is a graph") };
        for node in &graph.nodes {
            assert!(node.precision.iter().all(|name| name == "a"), "{:?}", node.precision);
        }
    }
}

#[test]
fn figure_2_in_all_configurations() {
    check(&figure_2(), "true");
}

/// `int x = n; loop { if (x == limit) break; x += step; } if (x != 10) error();`
fn counting(n: i64, step: i64) -> Case {
    let mut c = Case::new();
    let x = c.int("x");
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let [head, body, done] = [0; 3].map(|_| c.b.loc(c.main));
    let init = c.set(x, n);
    c.b.edge(entry, head, init);
    let less = c.cmp(BinOp::Lt, x, 10);
    c.b.branch(head, less, body, done);
    let add = c.add(x, step);
    c.b.edge(body, head, add);
    let differs = c.cmp(BinOp::Ne, x, 10);
    c.check(done, differs, exit);
    c
}

#[test]
fn loops() {
    check(&counting(0, 1), "true");
    check(&counting(0, 2), "true");
    check(&counting(0, 3), "false(unreach-call)");
    check(&counting(20, 1), "false(unreach-call)");
}

/// A function that adds one to its parameter, called twice with different arguments.
#[test]
fn calls_are_told_apart() {
    let mut c = Case::new();
    let [x, y] = ["x", "y"].map(|name| c.int(name));
    let inc = c.b.func("inc", &[Scalar::INT]);
    let ret = c.b.ret(inc, Scalar::INT);
    let param = c.b.program.functions[inc].params[0];
    let (entry, exit) = (c.b.entry(inc), c.b.exit(inc));
    let (p, one) = (c.b.var(param), c.b.int(1));
    let sum = c.b.bin(BinOp::Add, p, one);
    c.b.edge(entry, exit, Op::Assign { dst: ret, src: sum });
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let [after, second] = [0; 2].map(|_| c.b.loc(c.main));
    let (three, five) = (c.b.int(3), c.b.int(5));
    let (first_call, second_call) = (c.b.call_to(Some(x), inc, &[three]), c.b.call_to(Some(y), inc, &[five]));
    c.b.chain(entry, after, [first_call, second_call]);
    let wrong_x = c.cmp(BinOp::Ne, x, 4);
    c.check(after, wrong_x, second);
    let wrong_y = c.cmp(BinOp::Ne, y, 6);
    c.check(second, wrong_y, exit);
    check(&c, "true");
}

/// Two globals in memory; a pointer to one of them or to either of them is written through.
fn pointers(either: bool, checked: usize) -> Case {
    let mut c = Case::new();
    let objects = [c.b.mem(None, "m0", 4), c.b.mem(None, "m1", 4)];
    let p = c.b.reg(Some(c.main), "p", Scalar::Ptr);
    let n = c.int("n");
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let [fork, other, joined, after] = [0; 4].map(|_| c.b.loc(c.main));
    let addrs = objects.map(|object| c.b.addr(object));
    let one = c.b.int(1);
    let init = addrs.map(|addr| Op::Store { addr, value: one });
    let first = Op::Assign { dst: p, src: addrs[0] };
    let havoc = Op::Havoc { dst: n, source: HavocSource::Environment };
    c.b.chain(entry, fork, init.into_iter().chain([first, havoc]));
    let zero = c.cmp(BinOp::Eq, n, 0);
    c.b.branch(fork, zero, joined, other);
    let second = Op::Assign { dst: p, src: if either { addrs[1] } else { addrs[0] } };
    c.b.edge(other, joined, second);
    let (vp, two) = (c.b.var(p), c.b.int(2));
    c.b.edge(joined, after, Op::Store { addr: vp, value: two });
    let value = c.b.load(addrs[checked], Scalar::INT);
    let differs = c.b.bin(BinOp::Ne, value, one);
    c.check(after, differs, exit);
    c
}

#[test]
fn writes_through_pointers() {
    check(&pointers(false, 1), "true");
    check(&pointers(false, 0), FEASIBLE);
    check(&pointers(true, 0), FEASIBLE);
    check(&pointers(true, 1), FEASIBLE);
}

/// What assumptions teach: through conversions, sums and negations.
#[test]
fn assumptions_teach() {
    type Make = fn(&mut Case, ExprId) -> ExprId;
    let conditions: [(Make, i64); 6] = [
        (
            |c, x| {
                let n = c.b.int(5);
                c.b.bin(BinOp::Eq, x, n)
            },
            5,
        ),
        (
            |c, x| {
                let n = c.b.int(5);
                let ne = c.b.bin(BinOp::Ne, x, n);
                c.b.program.exprs.add(ExprKind::Unary(UnOp::Not, ne), Scalar::Bool)
            },
            5,
        ),
        (
            |c, x| {
                let wide = c.b.cast(x, Scalar::Int { bits: 64, signed: true });
                let n = c.b.constant(-7, Scalar::Int { bits: 64, signed: true });
                c.b.bin(BinOp::Eq, wide, n)
            },
            -7,
        ),
        (
            |c, x| {
                let (one, n) = (c.b.int(1), c.b.int(4));
                let sum = c.b.bin(BinOp::Sub, x, one);
                c.b.bin(BinOp::Eq, n, sum)
            },
            5,
        ),
        (
            |c, x| {
                let n = c.b.constant(i64::from(i32::MIN), Scalar::INT);
                c.b.bin(BinOp::Le, x, n)
            },
            i64::from(i32::MIN),
        ),
        (
            |c, x| {
                let (n, m) = (c.b.int(5), c.b.int(9));
                let is = c.b.bin(BinOp::Eq, x, n);
                let less = c.b.bin(BinOp::Lt, x, m);
                c.b.bin(BinOp::And, is, less)
            },
            5,
        ),
    ];
    for (make, value) in conditions {
        for expected in [value, value + 1] {
            let mut c = Case::new();
            let x = c.int("x");
            let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
            let [fork, then] = [0; 2].map(|_| c.b.loc(c.main));
            c.b.edge(entry, fork, Op::Havoc { dst: x, source: HavocSource::Environment });
            let vx = c.b.var(x);
            let cond = make(&mut c, vx);
            c.b.branch(fork, cond, then, exit);
            let differs = c.cmp(BinOp::Ne, x, expected);
            c.check(then, differs, exit);
            check(&c, if expected == value { "true" } else { FEASIBLE });
        }
    }
}

#[test]
fn unmodelled_constructs_prevent_true() {
    let mut c = Case::new();
    let x = c.int("x");
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let [fork, strange, fine] = [0; 3].map(|_| c.b.loc(c.main));
    let init = c.set(x, 1);
    c.b.edge(entry, fork, init);
    let one = c.cmp(BinOp::Eq, x, 1);
    c.b.branch(fork, one, fine, strange);
    c.b.edge(fine, exit, Op::Skip);
    let id = c.b.program.unsupported.push(cfa::Unsupported {
        construct: "setjmp".into(),
        detail: String::new(),
        span: base::Span::NONE,
    });
    c.b.end(strange, Op::Unsupported(id));
    // Not reachable: refinement excludes it.
    check(&c, "true");
    let mut c = Case::new();
    let entry = c.b.entry(c.main);
    let id = c.b.program.unsupported.push(cfa::Unsupported {
        construct: "setjmp".into(),
        detail: String::new(),
        span: base::Span::NONE,
    });
    c.b.end(entry, Op::Unsupported(id));
    check(&c, "unknown (unsupported: setjmp)");
}

/// Each refinement is a row of the statistics; without a precision to refine there is none.
#[test]
fn iterations_are_counted() {
    let c = figure_2();
    let refined = c.run(&refined(Scope::Location, Blocks::Locations));
    let labels: Vec<&str> = refined.stats.iterations.iter().map(|i| i.label.as_str()).collect();
    assert_eq!(labels, ["refinement 1", "refinement 2"]);
    for iteration in &refined.stats.iterations {
        let count = |name: &str| iteration.values.iter().find(|(n, _)| *n == name).map(|(_, value)| value.clone());
        assert_eq!(count("prefixes"), Some(StatValue::Count(1)));
        assert!(matches!(count("path"), Some(StatValue::Count(4..=9))), "{iteration:?}");
        assert!(matches!(count("new"), Some(StatValue::Count(1..))), "{iteration:?}");
    }
    let plain = c.run(&ValueConfig { tracking: Tracking::Everything, ..ValueConfig::default() });
    assert_eq!(plain.verdict.to_string(), "true");
    assert!(plain.stats.iterations.is_empty());
    assert_eq!(count(&plain.stats, "cegar.refinements"), 0);
}

/// A refiner that refutes every path and refines nothing.
struct Idle;

impl Refiner<CompositeCpa<'_>> for Idle {
    fn refine(
        &mut self,
        _: &mut CompositeCpa<'_>,
        _: &Arg<Composite>,
        _: &mut ValuePrecision,
        path: &ErrorPath,
    ) -> Result<Refinement, AnalysisError> {
        Ok(Refinement::Spurious {
            pivot: path.nodes[1],
            others: Vec::new(),
            stale: false,
            by: "nothing",
            values: Vec::new(),
        })
    }
}

#[test]
fn a_path_that_comes_back_ends_the_run() {
    let c = figure_1();
    for prune in [PruneStrategy::Lazy, PruneStrategy::Restart] {
        with_task(&c.b.program, &|_| Err(outcome::StopReason::Interrupted), |task, points_to| {
            let budget = Budget::unlimited();
            let calls = CallGraph::new(task.program, Some(points_to));
            let locations = Locations::new(task.program, task.wto, &calls, Blocks::Joins);
            let domain = ValueDomain::new(task.program, points_to);
            let mut cpa = CompositeCpa::new(domain, locations, task.observer, Strategies::default(), &budget);
            let config = CegarConfig { prune, ..CegarConfig::default() };
            let precision = ValuePrecision::empty(Scope::Variable);
            let explored = refinement_loop::run(&mut cpa, &mut Idle, precision, config, &budget, &Silent);
            assert!(matches!(explored.answer, Answer::Unknown(StopReason::NoProgress)));
            assert_eq!(count(&explored.stats, "cegar.refinements"), 3);
        });
    }
}

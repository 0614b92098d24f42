//! Refinement of strategy precisions: Fig. 5 of [beyer22] on the program of its Fig. 4, with the havoc strategy alone.

mod common;

use base::Budget;
use cegar::value::{Graph, ValueConfig, Wanted, run};
use cfa::loops::Wto;
use cfa::points_to::PointsTo;
use cfa::regions::Regions;
use cfa::{BinOp, Observer, Pattern};
use common::{Case, Shy};
use outcome::{Outcome, Silent, StatValue, Statistics};
use std::sync::Arc;
use step::Blocks;
use task::Task;
use transform::strategies::{self, Limits, Source, Strategy};

/// `i = j = 0; while (i != 3) { i++; j++; } if (CHECKED OP N) error();`
fn counting(checked: &str, op: BinOp, n: i64) -> Case {
    let mut c = Case::new();
    let [i, j] = ["i", "j"].map(|name| c.int(name));
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let [head, body, done] = [0; 3].map(|_| c.b.loc(c.main));
    let inits = [c.set(i, 0), c.set(j, 0)];
    c.b.chain(entry, head, inits);
    let differs = c.cmp(BinOp::Ne, i, 3);
    c.b.branch(head, differs, body, done);
    let adds = [c.add(i, 1), c.add(j, 1)];
    c.b.chain(body, head, adds);
    let bad = c.cmp(op, if checked == "i" { i } else { j }, n);
    c.check(done, bad, exit);
    c
}

/// Runs the refined value analysis with the havoc strategy.
fn with_havoc(case: &Case, replay: common::Replay<'_>) -> Outcome {
    let program = &case.b.program;
    let (wto, points_to) = (Wto::new(program), PointsTo::new(program));
    let regions = Regions::new(program, &points_to);
    let observer = Observer::never("error", [Pattern::Call("error".into())]);
    let source = Source { program, wto: &wto, points_to: &points_to, regions: &regions, observer: &observer };
    let havoc: Vec<_> = strategies::all().into_iter().filter(|s| s.strategy() == Strategy::Havoc).collect();
    let augmented = strategies::augment(source, &havoc, Limits::default()).expect("the strategy applies");
    let program = &augmented.program;
    let (wto, points_to) = (Wto::new(program), PointsTo::new(program));
    let task = Task {
        program,
        wto: &wto,
        strategies: &Arc::new(augmented.map),
        observer: &observer,
        solver: &|| Box::new(Shy),
        incremental: &|| Box::new(Shy),
        may_point_to: &|_, _| true,
        replay,
        to_undefined: &|_| None,
    };
    let config = ValueConfig {
        blocks: Blocks::Locations,
        wanted: Wanted { graph: Graph::Keep, ..Wanted::default() },
        ..ValueConfig::default()
    };
    run(&task, &points_to, &config, &Budget::unlimited(), &Silent)
}

/// A count; what did not happen is not listed.
fn count(stats: &Statistics, name: &str) -> u64 {
    match stats.values.iter().find(|(n, _)| *n == name) {
        Some((_, StatValue::Count(n))) => *n,
        _ => 0,
    }
}

/// Values of variables in the graph of a proof.
fn values(outcome: &Outcome) -> Vec<String> {
    let Some(graph) = &outcome.graph else { panic!("a proof is a graph") };
    graph.nodes.iter().flat_map(|node| &node.state).map(|(_, value)| value.clone()).collect()
}

fn no_replay(_: interp::Scripted) -> Result<outcome::Counterexample, outcome::StopReason> {
    Err(outcome::StopReason::Interrupted)
}

/// Fig. 5a: the havoc strategy alone is enough where the way out of the loop implies the property.
#[test]
fn havoc_is_kept_where_it_is_enough() {
    let outcome = with_havoc(&counting("i", BinOp::Ne, 3), &no_replay);
    assert_eq!(outcome.verdict.to_string(), "true");
    assert_eq!(count(&outcome.stats, "cegar.strategies_refused"), 0);
    let values = values(&outcome);
    assert!(!values.iter().any(|value| value == "1" || value == "2"), "the loop is not unrolled: {values:?}");
}

/// Fig. 5a to 5d: the error path through the strategy takes it from the precision (b), the loop as it is is explored (c), and
/// the wrapped refinement refutes what it finds there (d).
#[test]
fn the_pivot_loses_the_strategy_and_then_the_wrapped_refiner_decides() {
    let outcome = with_havoc(&counting("j", BinOp::Ne, 3), &no_replay);
    assert_eq!(outcome.verdict.to_string(), "true");
    assert_eq!(count(&outcome.stats, "cegar.strategies_refused"), 1);
    assert!(count(&outcome.stats, "cegar.refinements") > 0);
    // Now each iteration is explored.
    let values = values(&outcome);
    for i in ["0", "1", "2", "3"] {
        assert!(values.iter().any(|value| value == i), "{values:?}");
    }
}

/// Where no strategy is left, an error path is one of the program.
#[test]
fn without_strategies_an_error_path_is_real() {
    let replay = |_| {
        Ok(outcome::Counterexample {
            property: "error".into(),
            violated: outcome::Property::UnreachCall,
            steps: Vec::new(),
            inputs: Vec::new(),
        })
    };
    let outcome = with_havoc(&counting("i", BinOp::Eq, 3), &replay);
    assert_eq!(count(&outcome.stats, "cegar.strategies_refused"), 1);
    assert_eq!(outcome.verdict.to_string(), "false(unreach-call)");
}

//! Explicit values with abstraction of the call stack: which calls are popped, which are not, and what that costs.

mod common;

use base::Budget;
use cegar::bam::value::{STACKS, run};
use cegar::refinement_loop::CegarConfig;
use cegar::value::{Order, StackAbstraction, ValueConfig};
use cfa::{BinOp, ExprId, FuncId, HavocSource, Op, Scalar, VarId};
use common::{Case, with_task};
use outcome::{Outcome, Silent, StatValue};

fn config(order: Order) -> ValueConfig {
    let cegar = CegarConfig { order, ..CegarConfig::default() };
    ValueConfig { cegar, stacks: StackAbstraction::On, ..ValueConfig::default() }
}

const ORDERS: [Order; 3] = [Order::Bfs, Order::Dfs, Order::ReversePostorder];

/// A number among the statistics, if it was counted.
fn count(outcome: &Outcome, name: &str) -> Option<u64> {
    outcome.stats.values.iter().find(|(n, _)| *n == name).and_then(|(_, value)| match value {
        StatValue::Count(n) => Some(*n),
        _ => None,
    })
}

/// `void f(int n) { if (n != 0) f(n - 1); else g = result; }`
fn recursive(c: &mut Case, g: VarId, result: i64) -> FuncId {
    let f = c.b.func("f", &[Scalar::INT]);
    let n = c.b.program.functions[f].params[0];
    let (entry, exit) = (c.b.entry(f), c.b.exit(f));
    let [last, inner] = [0; 2].map(|_| c.b.loc(f));
    let zero = c.cmp(BinOp::Eq, n, 0);
    c.b.branch(entry, zero, last, inner);
    let set = c.set(g, result);
    c.b.edge(last, exit, set);
    let less = less(c, n);
    let call = c.b.call(f, &[less]);
    c.b.edge(inner, exit, call);
    f
}

fn less(c: &mut Case, n: VarId) -> ExprId {
    let (n, one) = (c.b.var(n), c.b.int(1));
    c.b.bin(BinOp::Sub, n, one)
}

/// `g = 1; f(any number); if (g != 1) error();` where `f` sets `g`.
fn called_with_any_number(result: i64) -> Case {
    let mut c = Case::new();
    let g = c.b.reg(None, "g", Scalar::INT);
    let f = recursive(&mut c, g, result);
    let y = c.int("y");
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let [called, returned] = [0; 2].map(|_| c.b.loc(c.main));
    let before = c.b.loc(c.main);
    let set = c.set(g, 1);
    c.b.edge(entry, before, set);
    c.b.edge(before, called, Op::Havoc { dst: y, source: HavocSource::Environment });
    let argument = c.b.var(y);
    let call = c.b.call(f, &[argument]);
    c.b.edge(called, returned, call);
    let differs = c.cmp(BinOp::Ne, g, 1);
    c.check(returned, differs, exit);
    c
}

#[test]
fn instances_at_any_depth_are_covered() {
    for order in ORDERS {
        let outcome = called_with_any_number(1).run(&config(order));
        assert_eq!(outcome.verdict.to_string(), "true", "{order:?}");
        // The inner call begins with the values of the outer one, so there is one instance, and nothing is lost by the pop.
        assert!(count(&outcome, "stack.pops").is_some_and(|n| n > 0), "{order:?}: {:?}", outcome.stats);
        assert_eq!(count(&outcome, "stack.followed"), Some(0), "{order:?}");
        assert!(count(&outcome, "bam.in_use").is_some_and(|n| n <= 3), "{order:?}: {:?}", outcome.stats);
    }
}

#[test]
fn what_a_popped_call_returns_is_bounded_by_exits_only() {
    let case = called_with_any_number(2);
    for order in ORDERS {
        let outcome = with_task(&case.b.program, &|_| Err(outcome::StopReason::Interrupted), |task, points_to| {
            run(task, points_to, &config(order), STACKS, None, &Budget::unlimited(), &Silent)
        });
        // The path is there, and it is feasible for values; the solver decides nothing.
        assert_eq!(outcome.verdict.to_string(), "unknown (solver gave up)", "{order:?}");
    }
}

/// `f(any number); g = 0; f(2); if (g != 1) error(); g = 0; f(any number); g = 0; f(3); if (g != 1) error();` with
/// `void f(int n) { if (n == 0) g = 1; else if (n == 1 || n == 2 || n == 3) f(n - 1); else g = 2; }`
fn covered_by_more_than_it_does() -> Case {
    let mut c = Case::new();
    let g = c.b.reg(None, "g", Scalar::INT);
    let f = c.b.func("f", &[Scalar::INT]);
    let n = c.b.program.functions[f].params[0];
    let (entry, exit) = (c.b.entry(f), c.b.exit(f));
    let [last, inner, other] = [0; 3].map(|_| c.b.loc(f));
    let mut at = entry;
    for (number, then) in [(0, last), (1, inner), (2, inner), (3, inner)] {
        let is = c.cmp(BinOp::Eq, n, number);
        let otherwise = if number == 3 { other } else { c.b.loc(f) };
        c.b.branch(at, is, then, otherwise);
        at = otherwise;
    }
    let (one, two) = (c.set(g, 1), c.set(g, 2));
    c.b.edge(last, exit, one);
    c.b.edge(other, exit, two);
    let argument = less(&mut c, n);
    let call = c.b.call(f, &[argument]);
    c.b.edge(inner, exit, call);
    let y = c.int("y");
    let mut at = c.b.entry(c.main);
    for number in [2, 3] {
        let [reset, chosen, first, second, returned, next] = [0; 6].map(|_| c.b.loc(c.main));
        let zero = c.set(g, 0);
        c.b.edge(at, reset, zero.clone());
        c.b.edge(reset, chosen, Op::Havoc { dst: y, source: HavocSource::Environment });
        let (any, known) = (c.b.var(y), c.b.int(number));
        let (call_any, call_known) = (c.b.call(f, &[any]), c.b.call(f, &[known]));
        c.b.edge(chosen, first, call_any);
        c.b.edge(first, second, zero);
        c.b.edge(second, returned, call_known);
        let differs = c.cmp(BinOp::Ne, g, 1);
        c.check(returned, differs, next);
        at = next;
    }
    let exit = c.b.exit(c.main);
    c.b.edge(at, exit, Op::Skip);
    c
}

#[test]
fn impossible_pops_join_the_stack_precision() {
    for order in ORDERS {
        let outcome = covered_by_more_than_it_does().run(&config(order));
        assert_eq!(outcome.verdict.to_string(), "true", "{order:?}: {:?}", outcome.stats);
        assert!(count(&outcome, "stack.abstract_pops").is_some_and(|n| n > 0), "{order:?}: {:?}", outcome.stats);
        assert!(count(&outcome, "stack.followed").is_some_and(|n| n > 0), "{order:?}: {:?}", outcome.stats);
    }
}

#[test]
fn nothing_is_done_where_nothing_is_recursive() {
    let mut c = Case::new();
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let x = c.int("x");
    let at = c.b.loc(c.main);
    let set = c.set(x, 1);
    c.b.edge(entry, at, set);
    let differs = c.cmp(BinOp::Ne, x, 1);
    c.check(at, differs, exit);
    let [with, without] = [StackAbstraction::On, StackAbstraction::Off]
        .map(|stacks| c.run(&ValueConfig { stacks, ..ValueConfig::default() }));
    assert_eq!(with.verdict.to_string(), "true");
    assert_eq!((count(&with, "stack.pops"), count(&with, "bam.blocks")), (None, None));
    for name in ["value.steps", "arg.nodes", "arg.successors", "cegar.refinements"] {
        assert_eq!(count(&with, name), count(&without, name), "{name}");
    }
}

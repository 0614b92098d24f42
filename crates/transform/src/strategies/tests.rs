//! Tests of augmentation: the figures of the paper, nests, and bounds. Runs are compared in `interp`'s tests.

use super::*;
use cfa::build::Builder;
use cfa::expr::BinOp;
use cfa::observer::Pattern;
use cfa::op::HavocSource;
use cfa::value::Scalar;

fn augmented(program: &Program, limits: Limits) -> Option<Augmented> {
    let (points_to, wto) = (PointsTo::new(program), Wto::new(program));
    let regions = Regions::new(program, &points_to);
    let observer = Observer::never("error", [Pattern::Call("error".into())]);
    let source = Source { program, wto: &wto, points_to: &points_to, regions: &regions, observer: &observer };
    augment(source, &all(), limits)
}

/// Fig. 4: `i = 0; while (i < N) i = i + 1; if (i < N) error()`, with a call of `error` in the loop for Fig. 3.
fn figure(error_inside: bool) -> Program {
    let mut b = Builder::new();
    let f = b.program.start;
    let [i, n] = ["i", "N"].map(|name| b.reg(Some(f), name, Scalar::INT));
    let error = b.extern_func("error");
    let (entry, exit) = (b.entry(f), b.exit(f));
    let (head, body, end, bad) = (b.loc(f), b.loc(f), b.loc(f), b.loc(f));
    let (vi, vn, zero, one) = (b.var(i), b.var(n), b.int(0), b.int(1));
    let (less, next, call) = (b.bin(BinOp::Lt, vi, vn), b.bin(BinOp::Add, vi, one), b.call(error, &[]));
    let havoc = Op::Havoc { dst: n, source: HavocSource::Environment };
    b.chain(entry, head, [havoc, Op::Assign { dst: i, src: zero }]);
    b.branch(head, less, body, end);
    if error_inside {
        let on = b.loc(f);
        b.branch(body, less, on, bad);
        b.edge(on, head, Op::Assign { dst: i, src: next });
        b.edge(bad, on, call);
        b.edge(end, exit, Op::Skip);
    } else {
        b.edge(body, head, Op::Assign { dst: i, src: next });
        b.branch(end, less, bad, exit);
        b.edge(bad, exit, call);
    }
    b.program
}

/// The operations on the way through a strategy's body, in the order of the search.
fn operations(original: &Program, augmented: &Augmented, strategy: Strategy) -> Vec<String> {
    let program = &augmented.program;
    let choice = augmented.map.choices.iter().next().expect("one loop");
    let Some(enter) = choice.edge(strategy) else { return Vec::new() };
    let (mut work, mut seen, mut ops) = (vec![program.edges[enter].dst], Vec::new(), Vec::new());
    while let Some(loc) = work.pop() {
        if seen.contains(&loc) || loc.index() < original.locs.len() {
            continue;
        }
        seen.push(loc);
        for edge in &program.locs[loc].out {
            ops.push(cfa::display::op(program, &program.edges[*edge].op));
            work.push(program.edges[*edge].dst);
        }
    }
    ops
}

#[test]
fn figure_2() {
    let program = figure(false);
    let found = augmented(&program, Limits::default()).expect("all strategies apply");
    let choice = found.map.choices.iter().next().expect("one loop");
    let names: Vec<Strategy> = choice.enter.iter().map(|(s, _)| *s).collect();
    assert_eq!(names, Strategy::ABSTRACT_FIRST);
    assert_eq!(found.map.choice_at(choice.at).map(|c| found.map.choices[c].head), Some(choice.head));
    for (strategy, edge) in &choice.enter {
        assert_eq!(found.map.strategy_at(found.program.edges[*edge].dst), *strategy);
        assert_eq!(found.map.chosen_by(*edge).map(|(_, s)| s), Some(*strategy));
    }
    assert_eq!(found.map.strategy_at(choice.at), Strategy::Base);
    // Fig. 4: if (i < N) { havoc i; assume !(i < N) }
    let havoc = operations(&program, &found, Strategy::Havoc);
    assert_eq!(havoc, ["[i < N]", "[!(i < N)]", "havoc i", "skip", "[!(i < N)]"]);
    let naive = operations(&program, &found, Strategy::Naive);
    assert_eq!(naive, ["[i < N]", "[!(i < N)]", "havoc i", "skip", "[i < N]", "i = i + 1", "[!(i < N)]"]);
    let constant = operations(&program, &found, Strategy::Constant);
    assert!(constant.iter().any(|op| op.starts_with("i = i + ")), "{constant:?}");
}

#[test]
fn figure_3_keeps_violations() {
    let program = figure(true);
    let found = augmented(&program, Limits::default()).expect("strategies apply");
    let choice = found.map.choices.iter().next().expect("one loop");
    assert_eq!(choice.edge(Strategy::Constant), None);
    for strategy in [Strategy::Havoc, Strategy::Naive, Strategy::Output] {
        let ops = operations(&program, &found, strategy);
        assert!(ops.iter().any(|op| op.contains("error")), "{strategy:?}: {ops:?}");
    }
}

#[test]
fn nested_loops_in_all_combinations_up_to_a_bound() {
    // while (i < N) { j = 0; while (j < N) j++; i++; }
    let mut b = Builder::new();
    let f = b.program.start;
    let [i, j, n] = ["i", "j", "N"].map(|name| b.reg(None, name, Scalar::INT));
    let (entry, exit) = (b.entry(f), b.exit(f));
    let (outer, between, inner, body, last) = (b.loc(f), b.loc(f), b.loc(f), b.loc(f), b.loc(f));
    let (vi, vj, vn, zero, one) = (b.var(i), b.var(j), b.var(n), b.int(0), b.int(1));
    let (i_less, j_less) = (b.bin(BinOp::Lt, vi, vn), b.bin(BinOp::Lt, vj, vn));
    let (next_i, next_j) = (b.bin(BinOp::Add, vi, one), b.bin(BinOp::Add, vj, one));
    b.edge(entry, outer, Op::Skip);
    b.branch(outer, i_less, between, exit);
    b.edge(between, inner, Op::Assign { dst: j, src: zero });
    b.branch(inner, j_less, body, last);
    b.edge(body, inner, Op::Assign { dst: j, src: next_j });
    b.edge(last, outer, Op::Assign { dst: i, src: next_i });
    let found = augmented(&b.program, Limits::default()).expect("strategies apply");
    let of_head = |head| found.map.choices.iter().filter(|c| c.head == head).count();
    assert_eq!(of_head(outer), 1);
    // The loop itself, and a copy for each round that is executed as a whole: one for naive, two for output.
    assert_eq!((of_head(inner), found.map.omitted), (4, 0));
    let bounded = augmented(&b.program, Limits { body: 400, added: 30 }).expect("some apply");
    assert!(bounded.map.omitted > 0 && bounded.program.locs.len() < b.program.locs.len() + 60);
}

#[test]
fn what_cannot_be_bounded_gets_no_strategy() {
    // while (i < N) { p = malloc(4); i++ }, and a loop that stores through a pointer to the heap.
    for stores in [false, true] {
        let mut b = Builder::new();
        let f = b.program.start;
        let [i, n] = ["i", "N"].map(|name| b.reg(Some(f), name, Scalar::INT));
        let p = b.reg(Some(f), "p", Scalar::Ptr);
        let (entry, exit) = (b.entry(f), b.exit(f));
        let (head, body) = (b.loc(f), b.loc(f));
        let size = b.constant(4, Scalar::Int { bits: 64, signed: false });
        let (vi, vn, vp, one) = (b.var(i), b.var(n), b.var(p), b.int(1));
        let (less, next) = (b.bin(BinOp::Lt, vi, vn), b.bin(BinOp::Add, vi, one));
        let alloc = Op::Alloc { dst: p, size, align: cfa::layout::ALLOCATED, kind: cfa::op::AllocKind::Heap };
        b.edge(entry, head, if stores { alloc.clone() } else { Op::Skip });
        b.branch(head, less, body, exit);
        let effect = if stores { Op::Store { addr: vp, value: one } } else { alloc };
        b.chain(body, head, [effect, Op::Assign { dst: i, src: next }]);
        assert!(augmented(&b.program, Limits::default()).is_none());
    }
}

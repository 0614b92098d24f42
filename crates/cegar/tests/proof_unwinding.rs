//! The checker of proofs by unwinding accepts bounds that cover all runs, and no smaller ones.

mod common;

use base::Budget;
use cfa::{BinOp, HavocSource, Op};
use common::{Case, with_task};
use proof::check::{Checked, check_unwinding};
use smt_z3::{Mode, Z3Solver};
use task::Task;

/// What the checker says of a bound.
fn checked(case: &Case, unwind: u32) -> Checked {
    with_task(&case.b.program, &|_| Err(outcome::StopReason::Interrupted), |shy, _| {
        let task = Task {
            solver: &|| Box::new(Z3Solver::new(Mode::OneShot)),
            incremental: &|| Box::new(Z3Solver::new(Mode::Incremental)),
            ..*shy
        };
        check_unwinding(&task, (unwind, Vec::new()), &Budget::unlimited()).expect("there is no limit")
    })
}

#[track_caller]
fn rejects(case: &Case, unwind: u32, why: &str) {
    match checked(case, unwind) {
        Checked::Rejected { why: found, .. } => assert_eq!(found, why),
        Checked::Proof { .. } => panic!("accepted"),
    }
}

/// `int x = 0, y = 0, n; if (n < 0 || n > 3) return; while (x < n) x = x + 1; while (y < 10) y = y + 1; if (x > most) error();`
fn two_loops(most: i64) -> Case {
    let mut c = Case::new();
    let [x, y, n] = ["x", "y", "n"].map(|name| c.int(name));
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let [begun, low, head, body, second, again, done] = [0; 7].map(|_| c.b.loc(c.main));
    let [zero_x, zero_y] = [x, y].map(|var| c.set(var, 0));
    c.b.chain(entry, begun, [zero_x, zero_y, Op::Havoc { dst: n, source: HavocSource::Environment }]);
    let [negative, large] = [(BinOp::Lt, 0), (BinOp::Gt, 3)].map(|(op, bound)| c.cmp(op, n, bound));
    c.b.branch(begun, negative, exit, low);
    c.b.branch(low, large, exit, head);
    let (vx, vn) = (c.b.var(x), c.b.var(n));
    let below = c.b.bin(BinOp::Lt, vx, vn);
    c.b.branch(head, below, body, second);
    let step = c.add(x, 1);
    c.b.edge(body, head, step);
    let below = c.cmp(BinOp::Lt, y, 10);
    c.b.branch(second, below, again, done);
    let step = c.add(y, 1);
    c.b.edge(again, second, step);
    let beyond = c.cmp(BinOp::Gt, x, most);
    c.check(done, beyond, exit);
    c
}

#[test]
fn iterations_that_constants_decide_do_not_count() {
    assert!(matches!(checked(&two_loops(3), 3), Checked::Proof { .. }));
}

#[test]
fn a_bound_that_does_not_cover_all_runs_is_no_proof() {
    rejects(&two_loops(3), 2, "runs go on beyond the bound");
}

#[test]
fn a_violation_within_the_bound_is_no_proof() {
    rejects(&two_loops(2), 3, "the property is violated");
}

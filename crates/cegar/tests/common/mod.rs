//! What the tests of this crate share: small programs made by hand, and a solver that decides nothing.
#![allow(dead_code)] // Each test uses a part.

use base::Budget;
use cegar::stack_abstraction::run;
use cegar::value::ValueConfig;
use cfa::build::Builder;
use cfa::loops::Wto;
use cfa::points_to::PointsTo;
use cfa::{BinOp, ExprId, HavocSource, Observer, Op, Pattern, Program, Scalar, VarId};
use outcome::{Counterexample, Outcome, Silent};
use smt::{Model, SatResult, SmtError, Solver, TermId, Terms, UnknownReason};
use task::Task;

/// A program under construction, with `error()` as the error.
pub struct Case {
    pub b: Builder,
    pub error: cfa::FuncId,
    pub main: cfa::FuncId,
}

impl Case {
    pub fn new() -> Self {
        let mut b = Builder::new();
        let error = b.extern_func("error");
        let main = b.func("main", &[]);
        let (entry, exit) = (b.entry(b.program.start), b.exit(b.program.start));
        let call = b.call(main, &[]);
        b.edge(entry, exit, call);
        Self { b, error, main }
    }

    /// `loop { f(); if (g != 1) error(); f(); if (g != 0) error(); }` as the body of `main`.
    pub fn loop_of_checks(&mut self, f: cfa::FuncId, g: VarId) {
        let (entry, exit) = (self.b.entry(self.main), self.b.exit(self.main));
        let [head, first, second, third, back] = [0; 5].map(|_| self.b.loc(self.main));
        let y = self.int("y");
        self.b.edge(entry, head, Op::Havoc { dst: y, source: HavocSource::Environment });
        let call = self.b.call(f, &[]);
        self.b.edge(head, first, call.clone());
        let not_one = self.cmp(BinOp::Ne, g, 1);
        self.check(first, not_one, second);
        self.b.edge(second, third, call);
        let not_zero = self.cmp(BinOp::Ne, g, 0);
        self.check(third, not_zero, back);
        let done = self.cmp(BinOp::Eq, y, 0);
        self.b.branch(back, done, exit, head);
    }

    pub fn int(&mut self, name: &str) -> VarId {
        self.b.reg(Some(self.main), name, Scalar::INT)
    }

    pub fn set(&mut self, var: VarId, n: i64) -> Op {
        let src = self.b.int(n);
        Op::Assign { dst: var, src }
    }

    pub fn cmp(&mut self, op: BinOp, var: VarId, n: i64) -> ExprId {
        let (var, n) = (self.b.var(var), self.b.int(n));
        self.b.bin(op, var, n)
    }

    pub fn add(&mut self, var: VarId, n: i64) -> Op {
        let (x, n) = (self.b.var(var), self.b.int(n));
        let src = self.b.bin(BinOp::Add, x, n);
        Op::Assign { dst: var, src }
    }

    /// `if (cond) error();` and on to `next`.
    pub fn check(&mut self, at: cfa::LocId, cond: ExprId, next: cfa::LocId) {
        let bad = self.b.loc(self.main);
        self.b.branch(at, cond, bad, next);
        let call = self.b.call(self.error, &[]);
        self.b.edge(bad, next, call);
    }

    pub fn run(&self, config: &ValueConfig) -> Outcome {
        let program = &self.b.program;
        let replay = |_| {
            Ok(Counterexample {
                property: "error".into(),
                violated: outcome::Property::UnreachCall,
                steps: Vec::new(),
                inputs: Vec::new(),
            })
        };
        analyse(program, config, &replay)
    }
}

/// A solver that decides nothing: what constants do not decide remains open.
pub struct Shy;

impl Solver for Shy {
    fn assert(&mut self, _: &Terms, _: TermId) -> Result<(), SmtError> {
        Ok(())
    }

    fn check(&mut self, _: &Terms, _: &[TermId]) -> Result<SatResult, SmtError> {
        Ok(SatResult::Unknown(UnknownReason::Incomplete("shy".into())))
    }

    fn push(&mut self) -> Result<(), SmtError> {
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SmtError> {
        Ok(())
    }

    fn model(&mut self, _: &Terms) -> Result<Model, SmtError> {
        Err(SmtError::NotAvailable("model"))
    }

    fn unsat_core(&mut self, _: &Terms) -> Result<Vec<TermId>, SmtError> {
        Err(SmtError::NotAvailable("core"))
    }

    fn set_budget(&mut self, _: &Budget) {}

    fn set_query_limit(&mut self, _: Option<base::Effort>) {}
}

pub type Replay<'a> = &'a dyn Fn(interp::Scripted) -> Result<Counterexample, outcome::StopReason>;

/// Runs the value analysis.
pub fn analyse(program: &Program, config: &ValueConfig, replay: Replay<'_>) -> Outcome {
    with_task(program, replay, |task, points_to| run(task, points_to, config, &Budget::unlimited(), &Silent))
}

/// Calls `f` with the task of a program.
pub fn with_task<T>(program: &Program, replay: Replay<'_>, f: impl FnOnce(&Task<'_, '_>, &PointsTo) -> T) -> T {
    let points_to = PointsTo::new(program);
    let wto = Wto::new(program);
    let observer = Observer::never("error", [Pattern::Call("error".into())]);
    let task = Task {
        program,
        wto: &wto,
        strategies: &std::sync::Arc::default(),
        observer: &observer,
        solver: &|| Box::new(Shy),
        incremental: &|| Box::new(Shy),
        may_point_to: &|_, _| true,
        replay,
        to_undefined: &|_| None,
    };
    f(&task, &points_to)
}

/// Fig. 1 of [loewe13].
pub fn figure_1() -> Case {
    let mut c = Case::new();
    let [x, flag, ticks, result] = ["x", "flag", "ticks", "result"].map(|name| c.int(name));
    let system_call = c.b.extern_func("system_call");
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let [head, called, second, done] = [0; 4].map(|_| c.b.loc(c.main));
    let havoc = Op::Havoc { dst: x, source: HavocSource::Environment };
    let (flag_0, ticks_0) = (c.set(flag, 0), c.set(ticks, 0));
    c.b.chain(entry, head, [havoc, flag_0, ticks_0]);
    let (step, call) = (c.add(ticks, 1), c.b.call_to(Some(result), system_call, &[]));
    c.b.chain(head, called, [step, call]);
    let zero = c.cmp(BinOp::Eq, result, 0);
    c.b.branch(called, zero, done, second);
    let (vticks, vx) = (c.b.var(ticks), c.b.var(x));
    let late = c.b.bin(BinOp::Gt, vticks, vx);
    c.b.branch(second, late, done, head);
    let positive = c.cmp(BinOp::Gt, flag, 0);
    c.check(done, positive, exit);
    c
}

/// As the text on Fig. 2 of [loewe13] says: `a` matters on two branches.
pub fn figure_2() -> Case {
    let mut c = Case::new();
    let [a, b] = ["a", "b"].map(|name| c.int(name));
    let (entry, exit) = (c.b.entry(c.main), c.b.exit(c.main));
    let [fork, left, right, merged] = [0; 4].map(|_| c.b.loc(c.main));
    let (a_0, havoc_b) = (c.set(a, 0), Op::Havoc { dst: b, source: HavocSource::Environment });
    c.b.chain(entry, fork, [a_0, havoc_b]);
    let zero = c.cmp(BinOp::Eq, b, 0);
    c.b.branch(fork, zero, left, right);
    let one = c.cmp(BinOp::Eq, a, 1);
    c.check(left, one, merged);
    let two = c.cmp(BinOp::Eq, a, 2);
    c.check(right, two, merged);
    c.b.edge(merged, exit, Op::Skip);
    c
}

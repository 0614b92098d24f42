//! Runs of small programs: what the tests share.

mod outside;
mod runs;
mod undefined;

use crate::testing::{Builder, INT};
use crate::*;
use base::Budget;
use cfa::observer::Observer;
use cfa::{BinOp, EdgeId, ExprId, Op, Program, Undefined, Value};

/// Runs a program and returns how it ended and what it printed.
fn run_with<O: Observe>(
    program: &Program,
    inputs: &mut dyn Inputs,
    observer: Option<&Observer>,
    config: &Config,
    observe: &mut O,
) -> (Run, String) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let budget = Budget::unlimited();
    let mut env = Env { inputs, output: &mut output, errors: &mut errors, budget: &budget, observe };
    let run = run(program, observer, config, &mut env);
    (run, String::from_utf8(output).unwrap())
}

fn outcome(program: &Program) -> Outcome {
    run_with(program, &mut ListInputs::default(), None, &Config::default(), &mut ()).0.outcome
}

#[track_caller]
fn check_undefined(b: &Builder, what: Undefined, edge: EdgeId, detail: &str) {
    assert_eq!(outcome(&b.program), Outcome::Undefined { what, edge, detail: detail.into() });
}

#[track_caller]
fn check_exit(b: &Builder) {
    assert_eq!(outcome(&b.program), Outcome::Exited { status: None });
}

/// Appends: `abort` with undefined behaviour `Unreachable` unless the condition holds.
fn require(b: &mut Builder, cond: ExprId) {
    let other = b.branch(cond);
    let on = std::mem::replace(&mut b.at, other);
    let exit = b.exit();
    b.op_to(Op::Undefined(Undefined::Unreachable), exit);
    b.at = on;
}

fn require_eq(b: &mut Builder, x: ExprId, y: ExprId) {
    let eq = b.binary(BinOp::Eq, x, y);
    require(b, eq);
}

/// Collects what the listener is told, as text.
#[derive(Default)]
struct Log(Vec<String>);

impl Observe for Log {
    fn step(&mut self, step: &Step<'_>, state: &Interpreter<'_>) {
        let name = |v: cfa::VarId| state.program().vars[v].name.to_string();
        let func = |f: cfa::FuncId| state.program().functions[f].name.to_string();
        let result = |r: Option<(cfa::VarId, Value)>| r.map_or(String::new(), |(v, x)| format!("{}={}", name(v), x.0));
        let text = match step.effect {
            Effect::None => return,
            Effect::Assign { var, value } => format!("{}={}", name(var), value.0),
            Effect::Write { address, bytes, .. } => format!("{}:={bytes:?}", state.describe_place(address, None)),
            Effect::Call { func: f } => format!("call {}", func(f)),
            Effect::Return { func: f, result: r } => format!("return {} {}", func(f), result(r)),
            Effect::Extern { func: f, args, result: r } => format!("extern {}/{} {}", func(f), args.len(), result(r)),
            Effect::Allocate { object, .. } => format!("new {}", describe::object_name(state.program(), object.kind)),
            Effect::Outside { detail } => format!("outside {detail}"),
            Effect::Free { address } => format!("free {}", state.describe(address, None)),
        };
        self.0.push(format!("{}:{text}", step.depth));
    }
}

/// int work() { int i = 0, s = 0; while (i < n) { s += i * 3 ^ i; i++; } return s; }
fn loop_program(n: i64) -> Builder {
    let mut b = Builder::new();
    let work = b.function("work", &[], Some(INT));
    let result = b.local("result", INT);
    b.op(Op::Call { func: work, args: [].into(), dst: Some(result) });
    let value = b.get(result);
    b.ret(Some(value));
    b.begin(work);
    let (i, s) = (b.local("i", INT), b.local("s", INT));
    let zero = b.int(0);
    b.set(i, zero);
    b.set(s, zero);
    let head = b.at;
    let (iv, sv, n, three, one) = (b.get(i), b.get(s), b.int(n), b.int(3), b.int(1));
    let cond = b.binary(BinOp::Lt, iv, n);
    let done = b.branch(cond);
    let product = b.binary(BinOp::Mul, iv, three);
    let mixed = b.binary(BinOp::BitXor, product, iv);
    let sum = b.binary(BinOp::Add, sv, mixed);
    b.set(s, sum);
    let next = b.binary(BinOp::Add, iv, one);
    b.op_to(Op::Assign { dst: i, src: next }, head);
    b.at = done;
    b.ret(Some(sv));
    b
}

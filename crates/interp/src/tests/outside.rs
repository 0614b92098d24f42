//! What a run exchanges with the outside: inputs, observers, listeners, output.

use super::*;
use crate::testing::{Builder, DOUBLE, INT};
use crate::*;
use base::Budget;
use cfa::observer::{Observer, Pattern};
use cfa::{AllocKind, BinOp, HavocSource, Op, Program, Scalar, Storage, Undefined, Value, layout};

/// x = nondet(); havoc y; alloc p; external memory; havoc memory: all from the script, error if all are as told.
#[test]
fn replay() {
    let mut b = Builder::new();
    let (nondet, error) = (b.external("nondet"), b.external("reach_error"));
    let unsigned = Scalar::Int { bits: 8, signed: false };
    let (x, y, p, q) =
        (b.local("x", unsigned), b.local("y", INT), b.local("p", Scalar::Ptr), b.local("q", Scalar::Ptr));
    let a = b.memory("a", 4);
    let first = b.op(Op::CallExtern { func: nondet, args: [].into(), dst: Some(x) });
    let second = b.op(Op::Havoc { dst: y, source: HavocSource::Uninitialised });
    let size = b.constant(4, Scalar::Int { bits: 64, signed: false });
    let third = b.op(Op::Alloc { dst: p, size, align: cfa::layout::ALLOCATED, kind: AllocKind::Heap });
    let fourth = b.op(Op::CallExtern { func: nondet, args: [].into(), dst: Some(q) });
    let fifth = b.op(Op::Declare { var: a });
    let (pv, qv, av) = (b.get(p), b.get(q), b.addr(a));
    let external = layout::external_range(b.program.machine).start + 64;
    let cells = [(av, 0x0403_0201), (pv, 0x0000_0908), (qv, 0x0700)];
    for (at, expected) in cells {
        let (v, expected) = (b.load(at, INT), b.int(expected));
        require_eq(&mut b, v, expected);
    }
    let sixth = b.op(Op::MemHavoc { dst: qv, len: cfa::Reach::Bytes(2), source: HavocSource::Asm });
    let (v, expected) = (b.load(qv, INT), b.int(0x0605));
    require_eq(&mut b, v, expected);
    let (xv, yv) = (b.get(x), b.get(y));
    let (five, minus) = (b.constant(5, unsigned), b.int(-1));
    require_eq(&mut b, xv, five);
    require_eq(&mut b, yv, minus);
    let (place, where_) = (b.constant(0x2000_0000_0000, Scalar::Ptr), pv);
    require_eq(&mut b, where_, place);
    let call = b.op(Op::CallExtern { func: error, args: [].into(), dst: None });
    b.halt();
    let mut script = Scripted::default();
    script.push_value(first, Value(0x105));
    script.push_value(second, Value(u128::MAX));
    script.push_allocation(third, 0x2000_0000_0000);
    script.push_bytes(third, vec![8, 9]);
    script.push_value(fourth, Value(external.into()));
    script.push_bytes(fifth, vec![1, 2, 3, 4, 5]);
    script.push_bytes(sixth, vec![5, 6]);
    script.external.insert(external + 1, 7);
    let observer = Observer::never("G ! call(reach_error())", [Pattern::Call("reach_error".into())]);
    let mut log = Log::default();
    let result = |script: &Scripted, log: &mut Log| {
        run_with(&b.program, &mut script.clone(), Some(&observer), &Config::default(), log).0.outcome
    };
    assert_eq!(result(&script, &mut log), Outcome::Violation { edge: call });
    let expected = [
        "0:call main",
        "1:extern nondet/0 x=5",
        "1:y=4294967295",
        "1:new heap#1",
        "1:extern nondet/0 q=123145302310976",
        "1:new a",
        "1:*external+0x40:=[5, 6]",
        "1:extern reach_error/0 ",
    ];
    assert_eq!(log.0, expected);
    script.push_value(second, Value(0));
    script.values.get_mut(&first).unwrap()[0] = Value(4);
    assert!(matches!(result(&script, &mut log), Outcome::Undefined { what: Undefined::Unreachable, .. }));
}

#[test]
fn listeners_hear_of_everything() {
    let mut b = Builder::new();
    let f = b.function("f", &[("n", INT)], Some(INT));
    let a = b.memory("a", 8);
    let (r, p) = (b.local("r", INT), b.local("p", Scalar::Ptr));
    b.op(Op::Declare { var: a });
    let (base, three) = (b.addr(a), b.int(3));
    let at = b.offset(base, 4);
    b.op(Op::Store { addr: at, value: three });
    b.op(Op::Call { func: f, args: [three].into(), dst: Some(r) });
    let size = b.constant(2, Scalar::Int { bits: 64, signed: false });
    b.op(Op::Alloc { dst: p, size, align: cfa::layout::ALLOCATED, kind: AllocKind::HeapZeroed });
    let (pv, more) = (b.get(p), b.constant(4, Scalar::Int { bits: 64, signed: false }));
    b.op(Op::Realloc { dst: p, ptr: pv, size: more });
    b.op(Op::Free { ptr: pv, kind: AllocKind::Heap });
    b.op(Op::EndScope { var: a });
    b.halt();
    b.begin(f);
    let n = b.program.functions[f].params[0];
    let nv = b.get(n);
    let sum = b.binary(BinOp::Add, nv, nv);
    b.ret(Some(sum));
    let mut log = Log::default();
    run_with(&b.program, &mut ListInputs::default(), None, &Config::default(), &mut log);
    let expected = [
        "0:call main",
        "1:new a",
        "1:a+4:=[3, 0, 0, 0]",
        "1:call f",
        "2:ret=6",
        "1:return f r=6",
        "1:new heap#1",
        "1:new heap#2",
        "1:free heap#1 (dead)",
        "1:free heap#2 (dead)",
        "1:free &a (dead)",
    ];
    assert_eq!(log.0, expected);
}

#[test]
fn observers_see_calls_and_labels() {
    let mut b = Builder::new();
    let f = b.function("f", &[], None);
    b.op(Op::Skip);
    let call = b.op(Op::Call { func: f, args: [].into(), dst: None });
    let labelled = b.at;
    b.program.locs[labelled].labels.push("ERROR".into());
    b.halt();
    b.begin(f);
    let exit = b.exit();
    let (zero, one) = (b.int(0), b.int(1));
    let never = b.binary(BinOp::Eq, zero, one);
    let leave = b.op_to(Op::Assume { cond: never, truth: false }, exit);
    let label = Observer::never("G ! label(ERROR)", [Pattern::Label("ERROR".into())]);
    let called = Observer::never("G ! call(f())", [Pattern::Call("f".into())]);
    let result = |program: &Program, observer| {
        run_with(program, &mut ListInputs::default(), Some(observer), &Config::default(), &mut ()).0.outcome
    };
    assert_eq!(result(&b.program, &label), Outcome::Violation { edge: call });
    assert_eq!(result(&b.program, &called), Outcome::Violation { edge: call });
    // A call that doesn't return doesn't reach the label behind it.
    b.program.edges[leave].op = Op::Assume { cond: never, truth: true };
    assert_eq!(result(&b.program, &label), Outcome::Blocked);
    assert_eq!(result(&b.program, &called), Outcome::Violation { edge: call });
}

#[test]
fn output_is_printed_when_the_library_runs() {
    let mut b = Builder::new();
    let printf = b.external("printf");
    let puts = b.external("puts");
    let fprintf = b.external("fprintf");
    let (stderr, stdout, stream) = (b.external("stderr"), b.external("stdout"), b.local("stream", Scalar::Ptr));
    let n = b.local("n", INT);
    let (format, minus, pi) = (b.string("%d %.3f %s\n"), b.int(-5), b.constant(7.14159f64.to_bits().into(), DOUBLE));
    let text = b.string("text");
    b.op(Op::CallExtern { func: printf, args: [format, minus, pi, text].into(), dst: Some(n) });
    let (nv, len) = (b.get(n), b.int(14));
    require_eq(&mut b, nv, len);
    let short = b.string("<%d>");
    b.op(Op::CallExtern { func: puts, args: [text].into(), dst: None });
    for func in [stderr, stdout] {
        b.op(Op::CallExtern { func, args: [].into(), dst: Some(stream) });
        let stream = b.get(stream);
        b.op(Op::CallExtern { func: fprintf, args: [stream, short, nv].into(), dst: None });
    }
    b.halt();
    let config = Config { library: Library::Execute, ..Config::default() };
    let (run, output) = run_with(&b.program, &mut ListInputs::default(), None, &config, &mut ());
    assert_eq!(output, "-5 7.142 text\ntext\n<14>");
    assert_eq!(run.outcome, Outcome::Exited { status: None });
    // Under replay, nothing is printed, and results are inputs.
    let mut inputs = ListInputs::new([Value(14)]);
    let (run, output) = run_with(&b.program, &mut inputs, None, &Config::default(), &mut ());
    assert_eq!((run.outcome, output.as_str()), (Outcome::Exited { status: None }, ""));
}

#[test]
fn single_edges_can_be_carried_out() {
    let mut b = Builder::new();
    let (x, g) = (b.local("x", INT), b.var(None, "g", Storage::Memory { size: 4, align: 4 }));
    let (xv, ga) = (b.get(x), b.addr(g));
    let v = b.load(ga, INT);
    let sum = b.binary(BinOp::Add, xv, v);
    let edge = b.set(x, sum);
    let cond = b.binary(BinOp::Lt, xv, v);
    let blocked = b.op(Op::Assume { cond, truth: true });
    let mut interpreter = Interpreter::new(&b.program, None, &Config::default()).unwrap();
    interpreter.set_register(x, Value(1));
    assert_eq!(interpreter.register(x), None, "the frame at hand is another one's");
    interpreter.enter_function(b.func).unwrap();
    let (mut out, mut err, budget, mut inputs) = (Vec::new(), Vec::new(), Budget::unlimited(), ListInputs::default());
    let mut env = Env { inputs: &mut inputs, output: &mut out, errors: &mut err, budget: &budget, observe: &mut () };
    interpreter.set_register(x, Value(40));
    let address = interpreter.address_of(g).unwrap();
    assert!(interpreter.set_bytes(address, &[2, 0, 0, 0]));
    assert!(!interpreter.set_bytes(address, &[0; 5]));
    assert_eq!(interpreter.execute(edge, &mut env), Ok(()));
    assert_eq!(interpreter.register(x), Some(Value(42)));
    assert_eq!(interpreter.execute(blocked, &mut env), Err(Outcome::Blocked));
    assert_eq!(interpreter.bytes_at(address, 4), Some(vec![2, 0, 0, 0]));
}

#[test]
fn random_runs_repeat() {
    let mut b = Builder::new();
    let (nondet, printf) = (b.external("nondet"), b.external("printf"));
    let format = b.string("%d ");
    for i in 0..20 {
        let x = b.local(&format!("x{i}"), INT);
        b.op(Op::CallExtern { func: nondet, args: [].into(), dst: Some(x) });
        let xv = b.get(x);
        b.op(Op::CallExtern { func: printf, args: [format, xv].into(), dst: None });
    }
    b.halt();
    let config = Config { library: Library::Execute, ..Config::default() };
    let text = |seed| run_with(&b.program, &mut RandomInputs::new(seed), None, &config, &mut ()).1;
    assert_eq!(text(1), text(1));
    assert_ne!(text(1), text(2));
    assert!(b.edge_count() > 40);
}

//! Runs of small programs.

use crate::testing::{Builder, DOUBLE, INT, LONG};
use crate::*;
use base::{Budget, Stop};
use cfa::observer::{Observer, Pattern};
use cfa::{
    AllocKind, BinOp, EdgeId, ExprId, ExprKind, FloatFormat, HavocSource, Init, InitValue, Op, Program, Scalar,
    Storage, UnOp, Undefined, Value, eval, layout,
};

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
            Effect::Free { address } => format!("free {}", state.describe(address, None)),
        };
        self.0.push(format!("{}:{text}", step.depth));
    }
}

/// int main() { int i = 0, s = 0; while (i < n) { s += i * 3 ^ i; i++; } return s; }
fn loop_program(n: i64) -> Builder {
    let mut b = Builder::new();
    let main = b.function("main", &[], Some(INT));
    let result = b.local("result", INT);
    b.op(Op::Call { func: main, args: [].into(), dst: Some(result) });
    b.halt();
    b.begin(main);
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

#[test]
fn loops_and_status() {
    let expected = (0..1000i32).fold(0i32, |s, i| s.wrapping_add(i.wrapping_mul(3) ^ i));
    assert_eq!(outcome(&loop_program(1000).program), Outcome::Exited { status: Some(expected) });
}

#[test]
#[ignore = "measures speed"]
fn speed() {
    let b = loop_program(20_000_000);
    let start = std::time::Instant::now();
    let (run, _) = run_with(&b.program, &mut ListInputs::default(), None, &Config::default(), &mut ());
    let seconds = start.elapsed().as_secs_f64();
    panic!("{:.1} M edges a second", run.steps as f64 / seconds / 1e6);
}

#[test]
fn limits() {
    let b = loop_program(1_000_000);
    let config = Config { step_limit: Some(5000), ..Config::default() };
    let (run, _) = run_with(&b.program, &mut ListInputs::default(), None, &config, &mut ());
    assert_eq!(run.outcome, Outcome::StepLimit);
    assert!(run.steps <= 5000 && run.steps > 4900);
    let budget = Budget::unlimited();
    budget.stop(Stop::Timeout);
    let (mut a, mut c, mut inputs) = (Vec::new(), Vec::new(), ListInputs::default());
    let mut env = Env { inputs: &mut inputs, output: &mut a, errors: &mut c, budget: &budget, observe: &mut () };
    assert_eq!(run_of(&b, &mut env), Outcome::Stopped(Stop::Timeout));
}

fn run_of(b: &Builder, env: &mut Env<'_, ()>) -> Outcome {
    run(&b.program, None, &Config::default(), env).outcome
}

/// long down(long n) { return n == 0 ? 0 : 1 + down(n - 1); }
fn recursion(depth: i64) -> Builder {
    let mut b = Builder::new();
    let down = b.function("down", &[("n", LONG)], Some(LONG));
    let result = b.local("result", LONG);
    let n = b.long(depth);
    b.op(Op::Call { func: down, args: [n].into(), dst: Some(result) });
    let r = b.get(result);
    require_eq(&mut b, r, n);
    b.halt();
    b.begin(down);
    let param = b.program.functions[down].params[0];
    let (pv, zero, one, t) = (b.get(param), b.long(0), b.long(1), b.local("t", LONG));
    let cond = b.binary(BinOp::Ne, pv, zero);
    let base = b.branch(cond);
    let less = b.binary(BinOp::Sub, pv, one);
    b.op(Op::Call { func: down, args: [less].into(), dst: Some(t) });
    let tv = b.get(t);
    let more = b.binary(BinOp::Add, tv, one);
    b.ret(Some(more));
    b.at = base;
    b.ret(Some(zero));
    b
}

#[test]
fn deep_recursion() {
    // The start function returns what `down` returned, so there is a status.
    let end = Outcome::Exited { status: Some(1_000_000) };
    assert_eq!(outcome(&recursion(1_000_000).program), end);
    let config = Config { memory_limit: 1 << 27, ..Config::default() };
    let endless = recursion(i64::MAX);
    let (run, _) = run_with(&endless.program, &mut ListInputs::default(), None, &config, &mut ());
    assert_eq!(run.outcome, Outcome::Stopped(Stop::Memory));
}

#[test]
fn deep_expressions() {
    let mut b = Builder::new();
    let x = b.local("x", INT);
    let one = b.int(1);
    b.set(x, one);
    let mut e = b.get(x);
    for _ in 0..200_000 {
        e = b.binary(BinOp::Add, e, one);
    }
    // A DAG whose tree has 2^100 leaves.
    let mut d = b.get(x);
    for _ in 0..100 {
        d = b.binary(BinOp::Mul, d, d);
    }
    let (n, sum) = (b.int(200_001), b.binary(BinOp::Mul, e, d));
    require_eq(&mut b, sum, n);
    b.halt();
    check_exit(&b);
}

/// Every operator, width and cast: what the code computes is what `cfa::eval` says.
#[test]
fn code_computes_what_eval_says() {
    let types: Vec<Scalar> = [8, 16, 32, 64, 128]
        .into_iter()
        .flat_map(|bits| [Scalar::Int { bits, signed: true }, Scalar::Int { bits, signed: false }])
        .chain([Scalar::Bool, Scalar::Ptr])
        .chain([FloatFormat::F32, FloatFormat::F64, FloatFormat::F80, FloatFormat::F128].map(Scalar::Float))
        .collect();
    let ops = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::Div,
        BinOp::Rem,
        BinOp::Shl,
        BinOp::Shr,
        BinOp::BitAnd,
        BinOp::BitOr,
        BinOp::BitXor,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::Lt,
        BinOp::Le,
        BinOp::Gt,
        BinOp::Ge,
        BinOp::And,
        BinOp::Or,
    ];
    let mut random = RandomInputs::new(7);
    let mut b = Builder::new();
    let mut expected = Vec::new();
    let mut roots = Vec::new();
    for &ty in &types {
        let bits = ty.bits(64);
        for round in 0..40 {
            let any = |random: &mut RandomInputs| {
                let wide = u128::from(random.draw()) << 64 | u128::from(random.draw());
                let shift = random.draw() % u64::from(bits);
                match ty {
                    Scalar::Float(format) => eval::float_from_f64(format, (random.draw() % 2000) as f64 / 8.0 - 125.0),
                    _ if round % 3 == 0 => Value::truncated(wide, bits),
                    _ if round % 3 == 1 => Value::truncated((wide as i128 >> (127 - shift)) as u128, bits),
                    _ => Value::truncated((1u128 << shift).wrapping_sub(u128::from(wide % 3 == 0)), bits),
                }
            };
            let (x, y) = (any(&mut random), any(&mut random));
            // Through registers, so that every operand is variable.
            let (xv, yv) = (b.local("x", ty), b.local("y", ty));
            let (xc, yc) = (b.constant(x.0, ty), b.constant(y.0, ty));
            b.set(xv, xc);
            b.set(yv, yc);
            let (xe, ye) = (b.get(xv), b.get(yv));
            let mut case = |b: &mut Builder, kind: ExprKind, ty: Scalar, value: Option<Value>| {
                let Some(value) = value else { return };
                let (root, var) = (b.expr(kind, ty), b.local("r", ty));
                b.set(var, root);
                roots.push((var, format!("{kind:?} {:?} {ty:?}: {x:x?} {y:x?}", b.program.exprs.ty(xe))));
                expected.push(value);
            };
            for op in ops {
                let value = eval::eval_binary(op, ty, x, y, 64);
                let result = if op.is_comparison() { Scalar::Bool } else { ty };
                case(&mut b, ExprKind::Binary(op, xe, ye), result, value);
            }
            for op in [UnOp::Neg, UnOp::BitNot, UnOp::Not] {
                if (op == UnOp::Not) == (ty == Scalar::Bool) {
                    case(&mut b, ExprKind::Unary(op, xe), ty, eval::eval_unary(op, ty, x, 64));
                }
            }
            for &to in &types {
                case(&mut b, ExprKind::Cast(xe), to, eval::eval_cast(ty, to, x, 64));
            }
            if ty == Scalar::Bool {
                case(&mut b, ExprKind::Ite(xe, ye, xe), ty, Some(if x.0 != 0 { y } else { x }));
            }
        }
    }
    let end = b.halt();
    struct Last(EdgeId, Vec<Value>, Vec<cfa::VarId>);
    impl Observe for Last {
        fn step(&mut self, step: &Step<'_>, state: &Interpreter<'_>) {
            if step.edge == self.0 {
                self.1 = self.2.iter().map(|v| state.register(*v).unwrap()).collect();
            }
        }
    }
    let mut last = Last(end, Vec::new(), roots.iter().map(|(v, _)| *v).collect());
    run_with(&b.program, &mut ListInputs::default(), None, &Config::default(), &mut last);
    assert_eq!(last.1.len(), expected.len());
    assert!(expected.len() > 10_000);
    for ((got, expected), (_, case)) in last.1.iter().zip(&expected).zip(&roots) {
        assert_eq!(got, expected, "{case}");
    }
}

#[test]
fn memory_and_bounds() {
    let mut b = Builder::new();
    let a = b.memory("a", 40);
    b.op(Op::Declare { var: a });
    let base = b.addr(a);
    for i in 0..10 {
        let (at, value) = (b.offset(base, 4 * i), b.int(i * 11));
        b.op(Op::Store { addr: at, value });
    }
    let at = b.offset(base, 13);
    let (unaligned, expected) = (b.load(at, INT), b.int(44 << 24));
    require_eq(&mut b, unaligned, expected);
    let (half, six) = (b.offset(base, 20), b.offset(base, 24));
    b.op(Op::MemCopy { dst: six, src: half, len: 16 });
    let last = b.offset(base, 36);
    let (moved, expected) = (b.load(last, INT), b.int(88));
    require_eq(&mut b, moved, expected);
    let byte = b.int(0x1ff);
    b.op(Op::MemSet { dst: base, byte, len: 4 });
    let (first, expected) = (b.load(base, INT), b.int(-1));
    require_eq(&mut b, first, expected);
    let x = b.local("x", INT);
    let beyond = b.offset(base, 40);
    let read = b.load(beyond, INT);
    let edge = b.set(x, read);
    b.halt();
    check_undefined(&b, Undefined::InvalidAccess, edge, "read of 4 bytes at offset 40 of `a` (40 bytes)");
}

#[test]
fn f80_moves_ten_bytes() {
    let mut b = Builder::new();
    let (a, ty) = (b.memory("a", 16), Scalar::Float(FloatFormat::F80));
    b.op(Op::Declare { var: a });
    let base = b.addr(a);
    let (minus, two) = (b.int(-1), b.constant(eval::float_from_f64(FloatFormat::F80, 2.0).0, ty));
    b.op(Op::MemSet { dst: base, byte: minus, len: 16 });
    b.op(Op::Store { addr: base, value: two });
    let read = b.load(base, ty);
    require_eq(&mut b, read, two);
    let (at, byte) = (b.offset(base, 10), Scalar::Int { bits: 8, signed: false });
    let (padding, ff) = (b.load(at, byte), b.constant(255, byte));
    require_eq(&mut b, padding, ff);
    b.halt();
    check_exit(&b);
}

/// Each scenario ends in undefined behaviour at its last edge.
#[test]
fn undefined_behaviour() {
    type Scenario = fn(&mut Builder) -> EdgeId;
    fn heap(b: &mut Builder, size: i64) -> ExprId {
        let p = b.local("p", Scalar::Ptr);
        let size = b.constant(size as u128, Scalar::Int { bits: 64, signed: false });
        b.op(Op::Alloc { dst: p, size, kind: AllocKind::Heap });
        b.get(p)
    }
    let scenarios: &[(Scenario, Undefined, &str)] = &[
        (
            |b| {
                let p = heap(b, 8);
                b.op(Op::Free { ptr: p });
                let v = b.int(1);
                b.op(Op::Store { addr: p, value: v })
            },
            Undefined::InvalidAccess,
            "write of 4 bytes at offset 0 of `heap#1`, which is freed",
        ),
        (
            |b| {
                let p = heap(b, 8);
                b.op(Op::Free { ptr: p });
                b.op(Op::Free { ptr: p })
            },
            Undefined::InvalidFree,
            "`heap#1` was freed before",
        ),
        (
            |b| {
                let p = heap(b, 8);
                let q = b.offset(p, 4);
                b.op(Op::Free { ptr: q })
            },
            Undefined::InvalidFree,
            "`heap#1+4` is not the begin of a heap object",
        ),
        (
            |b| {
                let a = b.memory("a", 4);
                b.op(Op::Declare { var: a });
                let p = b.local("p", Scalar::Ptr);
                let addr = b.addr(a);
                b.set(p, addr);
                b.op(Op::EndScope { var: a });
                let (p, x) = (b.get(p), b.local("x", INT));
                let v = b.load(p, INT);
                b.set(x, v)
            },
            Undefined::InvalidAccess,
            "read of 4 bytes at offset 0 of `a`, which is no longer alive",
        ),
        (
            |b| {
                let null = b.constant(0, Scalar::Ptr);
                let v = b.long(0);
                b.op(Op::Store { addr: null, value: v })
            },
            Undefined::InvalidAccess,
            "write of 8 bytes through a null pointer",
        ),
        (
            |b| {
                let p = heap(b, 8);
                let q = b.offset(p, -1);
                let v = b.constant(0, Scalar::Int { bits: 8, signed: false });
                b.op(Op::Store { addr: q, value: v })
            },
            Undefined::InvalidAccess,
            "write of 1 byte 1 bytes before `heap#1`",
        ),
        (
            |b| {
                let (p, q) = (heap(b, 8), heap(b, 6));
                b.op(Op::MemCopy { dst: p, src: q, len: 7 })
            },
            Undefined::InvalidAccess,
            "read of 7 bytes at offset 0 of `heap#2` (6 bytes)",
        ),
        (
            |b| {
                let p = b.local("p", Scalar::Ptr);
                let size = b.constant(u128::from(u64::MAX), Scalar::Int { bits: 64, signed: false });
                b.op(Op::Alloc { dst: p, size, kind: AllocKind::Heap })
            },
            Undefined::InvalidSize,
            "object of 18446744073709551615 bytes",
        ),
        (
            |b| {
                let callee = b.constant(0x1234, Scalar::Ptr);
                b.op(Op::CallPtr { callee, args: [].into(), dst: None, ty_key: 0 })
            },
            Undefined::InvalidCall,
            "call of `0x1234`",
        ),
    ];
    for (scenario, what, detail) in scenarios {
        let mut b = Builder::new();
        let edge = scenario(&mut b);
        b.halt();
        check_undefined(&b, *what, edge, detail);
    }
}

#[test]
fn locals_die_on_return_and_stack_objects_too() {
    for alloca in [None, Some(AllocKind::Stack)] {
        let mut b = Builder::new();
        let f = b.function("f", &[], Some(Scalar::Ptr));
        let p = b.local("p", Scalar::Ptr);
        b.op(Op::Call { func: f, args: [].into(), dst: Some(p) });
        let pv = b.get(p);
        let (x, v) = (b.local("x", INT), b.load(pv, INT));
        let edge = b.set(x, v);
        b.halt();
        b.begin(f);
        let addr = match alloca {
            None => {
                let a = b.memory("a", 4);
                b.op(Op::Declare { var: a });
                b.op(Op::Declare { var: a });
                b.addr(a)
            }
            Some(kind) => {
                let (q, size) = (b.local("q", Scalar::Ptr), b.constant(4, Scalar::Int { bits: 64, signed: false }));
                b.op(Op::Alloc { dst: q, size, kind });
                b.get(q)
            }
        };
        b.ret(Some(addr));
        let name = if alloca.is_some() { "alloca#1" } else { "a" };
        let detail = format!("read of 4 bytes at offset 0 of `{name}`, which is no longer alive");
        check_undefined(&b, Undefined::InvalidAccess, edge, &detail);
    }
}

#[test]
fn each_frame_and_each_declaration_has_its_own_instance() {
    let mut b = Builder::new();
    let a = b.memory("a", 4);
    let (p, q) = (b.local("p", Scalar::Ptr), b.local("q", Scalar::Ptr));
    for var in [p, q] {
        b.op(Op::Declare { var: a });
        let addr = b.addr(a);
        b.set(var, addr);
    }
    let (pv, qv) = (b.get(p), b.get(q));
    let differ = b.binary(BinOp::Ne, pv, qv);
    require(&mut b, differ);
    let one = b.int(1);
    b.op(Op::Store { addr: qv, value: one });
    let edge = b.op(Op::Store { addr: pv, value: one });
    b.halt();
    check_undefined(
        &b,
        Undefined::InvalidAccess,
        edge,
        "write of 4 bytes at offset 0 of `a`, which is no longer alive",
    );
}

#[test]
fn globals_have_their_initial_content() {
    let mut b = Builder::new();
    let f = b.external("f");
    let g = b.var(None, "g", Storage::Memory { size: 40, align: 8 });
    let r = b.var(None, "r", Storage::Register(LONG));
    b.program.vars[r].init =
        Some(Box::new(Init { cells: vec![(0, LONG, InitValue::Scalar(Value(9)))], bytes: Vec::new() }));
    let cells = vec![
        (0, INT, InitValue::Scalar(Value(7))),
        (8, Scalar::Ptr, InitValue::Address(g, 4)),
        (16, Scalar::Ptr, InitValue::Function(f)),
    ];
    b.program.vars[g].init = Some(Box::new(Init { cells, bytes: vec![(24, b"abc\0".as_slice().into())] }));
    let (base, seven, zero) = (b.addr(g), b.int(7), b.int(0));
    for (offset, expected) in [(0, seven), (4, zero)] {
        let at = b.offset(base, offset);
        let v = b.load(at, INT);
        require_eq(&mut b, v, expected);
    }
    let at = b.offset(base, 8);
    let (p, four) = (b.load(at, Scalar::Ptr), b.offset(base, 4));
    require_eq(&mut b, p, four);
    let at = b.offset(base, 16);
    let (p, address) = (b.load(at, Scalar::Ptr), b.expr(ExprKind::FuncAddr(f), Scalar::Ptr));
    require_eq(&mut b, p, address);
    let at = b.offset(base, 24);
    let (text, expected) = (b.load(at, INT), b.int(i64::from(u32::from_le_bytes(*b"abc\0"))));
    require_eq(&mut b, text, expected);
    let (rv, nine) = (b.get(r), b.long(9));
    require_eq(&mut b, rv, nine);
    b.halt();
    check_exit(&b);
}

#[test]
fn calls_through_pointers() {
    let mut b = Builder::new();
    let f = b.function("f", &[("x", INT)], Some(INT));
    let nondet = b.external("nondet");
    let (y, p, two) = (b.local("y", INT), b.local("p", Scalar::Ptr), b.int(2));
    for (func, expected) in [(f, 4), (nondet, 33)] {
        let addr = b.expr(ExprKind::FuncAddr(func), Scalar::Ptr);
        b.set(p, addr);
        let callee = b.get(p);
        b.op(Op::CallPtr { callee, args: [two].into(), dst: Some(y), ty_key: 0 });
        let (yv, expected) = (b.get(y), b.int(expected));
        require_eq(&mut b, yv, expected);
    }
    let callee = b.get(p);
    let edge = b.op(Op::CallPtr { callee, args: [two].into(), dst: Some(y), ty_key: 1 });
    b.halt();
    b.begin(f);
    let x = b.program.functions[f].params[0];
    let xv = b.get(x);
    let double = b.binary(BinOp::Add, xv, xv);
    b.ret(Some(double));
    let mut inputs = ListInputs::new([Value(33)]);
    let (run, _) = run_with(&b.program, &mut inputs, None, &Config::default(), &mut ());
    let detail = "call of `&nondet`".into();
    assert_eq!(run.outcome, Outcome::Undefined { what: Undefined::InvalidCall, edge, detail });
}

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
    let third = b.op(Op::Alloc { dst: p, size, kind: AllocKind::Heap });
    let fourth = b.op(Op::CallExtern { func: nondet, args: [].into(), dst: Some(q) });
    let fifth = b.op(Op::Declare { var: a });
    let (pv, qv, av) = (b.get(p), b.get(q), b.addr(a));
    let external = layout::external_range(b.program.machine).start + 64;
    let cells = [(av, 0x0403_0201), (pv, 0x0000_0908), (qv, 0x0700)];
    for (at, expected) in cells {
        let (v, expected) = (b.load(at, INT), b.int(expected));
        require_eq(&mut b, v, expected);
    }
    let sixth = b.op(Op::MemHavoc { dst: qv, len: 2, source: HavocSource::Asm });
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
        "0:extern nondet/0 x=5",
        "0:y=4294967295",
        "0:new heap#1",
        "0:extern nondet/0 q=123145302310976",
        "0:new a",
        "0:*external+0x40:=[5, 6]",
        "0:extern reach_error/0 ",
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
    b.op(Op::Alloc { dst: p, size, kind: AllocKind::HeapZeroed });
    let (pv, more) = (b.get(p), b.constant(4, Scalar::Int { bits: 64, signed: false }));
    b.op(Op::Realloc { dst: p, ptr: pv, size: more });
    b.op(Op::Free { ptr: pv });
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
        "0:new a",
        "0:a+4:=[3, 0, 0, 0]",
        "0:call f",
        "1:ret=6",
        "0:return f r=6",
        "0:new heap#1",
        "0:new heap#2",
        "0:free heap#2 (dead)",
        "0:free &a (dead)",
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
fn several_edges() {
    let mut b = Builder::new();
    let (x, nondet) = (b.local("x", INT), b.external("nondet"));
    b.op(Op::CallExtern { func: nondet, args: [].into(), dst: Some(x) });
    let from = b.at;
    let xv = b.get(x);
    for n in 0..3 {
        b.at = from;
        let v = b.int(n);
        let cond = b.binary(BinOp::Eq, xv, v);
        b.op(Op::Assume { cond, truth: true });
        let exit = b.exit();
        b.set(x, v);
        b.op_to(if n == 2 { Op::Undefined(Undefined::Unreachable) } else { Op::Halt }, exit);
    }
    let result = |v| {
        let mut inputs = ListInputs::new([Value(v)]);
        run_with(&b.program, &mut inputs, None, &Config::default(), &mut ()).0.outcome
    };
    assert_eq!(result(0), Outcome::Exited { status: None });
    assert!(matches!(result(2), Outcome::Undefined { what: Undefined::Unreachable, .. }));
    assert_eq!(result(3), Outcome::Blocked);
}

#[test]
fn output_is_printed_when_the_library_runs() {
    let mut b = Builder::new();
    let printf = b.external("printf");
    let puts = b.external("puts");
    let sprintf = b.external("sprintf");
    let fprintf = b.external("fprintf");
    let stderr = b.var(None, "stderr", Storage::Register(Scalar::Ptr));
    let stdout = b.var(None, "stdout", Storage::Register(Scalar::Ptr));
    let buffer = b.memory("buffer", 8);
    b.op(Op::Declare { var: buffer });
    let n = b.local("n", INT);
    let (format, minus, pi) = (b.string("%d %.3f %s\n"), b.int(-5), b.constant(7.14159f64.to_bits().into(), DOUBLE));
    let text = b.string("text");
    b.op(Op::CallExtern { func: printf, args: [format, minus, pi, text].into(), dst: Some(n) });
    let (nv, len) = (b.get(n), b.int(14));
    require_eq(&mut b, nv, len);
    let (short, addr) = (b.string("<%d>"), b.addr(buffer));
    b.op(Op::CallExtern { func: sprintf, args: [addr, short, minus].into(), dst: None });
    b.op(Op::CallExtern { func: puts, args: [addr].into(), dst: None });
    for stream in [stderr, stdout] {
        let stream = b.get(stream);
        b.op(Op::CallExtern { func: fprintf, args: [stream, short, nv].into(), dst: None });
    }
    let long = b.string("%010d");
    let edge = b.op(Op::CallExtern { func: sprintf, args: [addr, long, minus].into(), dst: None });
    b.halt();
    let config = Config { library: Library::Execute, ..Config::default() };
    let (run, output) = run_with(&b.program, &mut ListInputs::default(), None, &config, &mut ());
    assert_eq!(output, "-5 7.142 text\n<-5>\n<14>");
    let detail = "write of 11 bytes at offset 0 of `buffer` (8 bytes)".to_string();
    assert_eq!(run.outcome, Outcome::Undefined { what: Undefined::InvalidAccess, edge, detail });
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

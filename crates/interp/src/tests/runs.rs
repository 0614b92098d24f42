//! Control, calls, expressions, initial content.

use super::*;
use crate::testing::{Builder, INT, LONG};
use crate::*;
use base::{Budget, Stop};
use cfa::{BinOp, EdgeId, ExprKind, FloatFormat, Init, InitValue, Op, Scalar, Storage, UnOp, Undefined, Value, eval};

#[test]
fn loops_and_status() {
    let expected = (0..1000i32).fold(0i32, |s, i| s.wrapping_add(i.wrapping_mul(3) ^ i));
    assert_eq!(outcome(&loop_program(1000).program), Outcome::Exited { status: Some(expected) });
}

/// Fills an array in memory over and over through a function: int f(int *p, int i) { p[i % 1000] += i; return p[i % 1000]; }
fn memory_program(n: i64) -> Builder {
    let mut b = Builder::new();
    let f = b.function("f", &[("p", Scalar::Ptr), ("i", INT)], Some(INT));
    let (a, i, r) = (b.memory("a", 4000), b.local("i", INT), b.local("r", INT));
    b.op(Op::Declare { var: a });
    let (zero, n, one, base, iv) = (b.int(0), b.int(n), b.int(1), b.addr(a), b.get(i));
    b.set(i, zero);
    let head = b.at;
    let cond = b.binary(BinOp::Lt, iv, n);
    let done = b.branch(cond);
    b.op(Op::Call { func: f, args: [base, iv].into(), dst: Some(r) });
    let next = b.binary(BinOp::Add, iv, one);
    b.op_to(Op::Assign { dst: i, src: next }, head);
    b.at = done;
    b.halt();
    b.begin(f);
    let [p, i] = b.program.functions[f].params[..] else { panic!() };
    let (pv, iv, thousand, four) = (b.get(p), b.get(i), b.int(1000), b.long(4));
    let index = b.binary(BinOp::Rem, iv, thousand);
    let index = b.expr(ExprKind::Cast(index), LONG);
    let offset = b.binary(BinOp::Mul, index, four);
    let at = b.expr(ExprKind::PtrAdd(pv, offset), Scalar::Ptr);
    let old = b.load(at, INT);
    let value = b.binary(BinOp::Add, old, iv);
    b.op(Op::Store { addr: at, value });
    b.ret(Some(old));
    b
}

#[test]
#[ignore = "measures speed"]
fn speed() {
    for (what, b) in [("arithmetic", loop_program(20_000_000)), ("memory and calls", memory_program(5_000_000))] {
        let start = std::time::Instant::now();
        let (run, _) = run_with(&b.program, &mut ListInputs::default(), None, &Config::default(), &mut ());
        assert!(matches!(run.outcome, Outcome::Exited { .. }));
        let rate = run.steps as f64 / start.elapsed().as_secs_f64() / 1e6;
        assert!(rate > 5.0, "{what}: {rate:.1} M edges a second");
    }
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
    check_exit(&recursion(1_000_000));
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
    let ops = BinOp::ALL;
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
fn globals_have_their_initial_content() {
    let mut b = Builder::new();
    let f = b.external("f");
    let g = b.var(None, "g", Storage::Memory { size: 40, align: 8 });
    let r = b.var(None, "r", Storage::Register(LONG));
    b.program.vars[r].init =
        Some(Box::new(Init { cells: vec![(0, LONG, InitValue::Scalar(Value(9)))], ..Init::default() }));
    let cells = vec![
        (0, INT, InitValue::Scalar(Value(7))),
        (8, Scalar::Ptr, InitValue::Address(g, 4)),
        (16, Scalar::Ptr, InitValue::Function(f)),
    ];
    b.program.vars[g].init =
        Some(Box::new(Init { cells, bytes: vec![(24, b"abc\0".as_slice().into())], ..Init::default() }));
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

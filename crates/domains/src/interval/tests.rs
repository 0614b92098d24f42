//! Numbers and states against what programs compute: laws of the lattice, and soundness of each operator and operation.

use super::env::{Cell, Env, Place};
use super::eval::Scope;
use super::number::{Num, number, range};
use super::post::post;
use base::Id;
use cfa::build::Builder;
use cfa::eval::{eval_binary, eval_cast, eval_unary};
use cfa::points_to::PointsTo;
use cfa::{BinOp, ExprId, ExprKind, HavocSource, Op, Program, Scalar, UnOp, Value, VarId};
use proptest::prelude::*;
use std::collections::BTreeMap;
use step::StackId;

const TYPES: [Scalar; 5] = [
    Scalar::Int { bits: 8, signed: true },
    Scalar::Int { bits: 8, signed: false },
    Scalar::Int { bits: 16, signed: true },
    Scalar::INT,
    Scalar::Int { bits: 64, signed: false },
];

const ARITHMETIC: [BinOp; 10] = [
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
];

const COMPARISONS: [BinOp; 6] = [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge];

fn bits(v: i128, ty: Scalar) -> Value {
    Value::truncated(v as u128, ty.bits(64))
}

/// Numbers of a type that are near its corners, or near zero, mostly.
fn member(ty: Scalar) -> impl Strategy<Value = i128> {
    let (lo, hi) = range(ty);
    prop_oneof![
        (-20i128..20).prop_map(move |v| v.clamp(lo, hi)),
        0..20i128,
        (0..4i128).prop_map(move |v| hi - v),
        (0..4i128).prop_map(move |v| lo + v),
        lo..=hi
    ]
}

/// A set with some of its members.
type Members = (Num, Vec<i128>);

fn set(ty: Scalar) -> impl Strategy<Value = Members> {
    (prop::collection::vec(member(ty), 1..4), 0..3u8).prop_map(move |(members, loose)| {
        let mut num = members.iter().map(|v| Num::single(*v)).reduce(Num::join).expect("not empty");
        if loose == 1 {
            num = Num::single(members[0]).widen(num, &[-1, 0, 1, 10, 100], ty);
        } else if loose == 2 {
            num = Num::interval(num.lo, num.hi).expect("not empty");
        }
        (num, members)
    })
}

fn typed() -> impl Strategy<Value = (Scalar, Members, Members)> {
    (0..TYPES.len()).prop_flat_map(|t| (Just(TYPES[t]), set(TYPES[t]), set(TYPES[t])))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn lattice((ty, (a, xs), (b, ys)) in typed()) {
        let joined = a.join(b);
        prop_assert!(a.leq(joined) && b.leq(joined) && a.leq(a) && a.leq(Num::top(ty)));
        prop_assert_eq!(joined, b.join(a));
        prop_assert!(xs.iter().all(|x| a.contains(*x) && joined.contains(*x)));
        prop_assert!(ys.iter().all(|y| joined.contains(*y)));
        let widened = a.widen(b, &[-1, 0, 1, 10, 100], ty);
        prop_assert!(joined.leq(widened));
        prop_assert_eq!(widened.widen(widened, &[-1, 0, 1, 10, 100], ty), widened);
        let common: Vec<i128> = xs.iter().chain(&ys).copied().filter(|v| a.contains(*v) && b.contains(*v)).collect();
        match a.meet(b) {
            Some(met) => prop_assert!(common.iter().all(|v| met.contains(*v))),
            None => prop_assert!(common.is_empty()),
        }
        if a.leq(b) {
            prop_assert!(xs.iter().all(|x| b.contains(*x)));
        }
        let without = a.without(xs[0]);
        prop_assert!(xs.iter().all(|x| *x == xs[0] || without.is_some_and(|w| w.contains(*x))));
    }

    #[test]
    fn operators((ty, (a, xs), (b, ys)) in typed()) {
        for op in ARITHMETIC {
            let result = Num::binary(op, ty, a, b).unwrap_or(Num::top(ty));
            for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
                if matches!(op, BinOp::Shl | BinOp::Shr) && y < 0 {
                    continue;
                }
                if let Some(v) = eval_binary(op, ty, bits(x, ty), bits(y, ty), 64) {
                    prop_assert!(result.contains(number(v, ty)), "{:?} {:?}: {} {} not in {:?} of {:?} {:?}", op, ty, x, y, result, a, b);
                }
            }
        }
        for op in COMPARISONS {
            if let Some(holds) = Num::compare(op, a, b) {
                for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
                    prop_assert_eq!(eval_binary(op, ty, bits(x, ty), bits(y, ty), 64), Some(Value::from(holds)));
                }
            }
        }
        for to in TYPES {
            let result = a.fit(to);
            for x in &xs {
                let cast = eval_cast(ty, to, bits(*x, ty), 64).expect("of integers");
                prop_assert!(result.contains(number(cast, to)), "{} from {:?} to {:?}: {:?} of {:?}", x, ty, to, result, a);
            }
        }
    }
}

/// Registers, some pairs of one type.
const REGISTERS: usize = 6;

struct Case {
    program: Program,
    vars: Vec<VarId>,
    ops: Vec<Op>,
}

/// Numbers that decide what a generated program is.
struct Choices<'a> {
    rest: &'a [u8],
}

impl Choices<'_> {
    fn next(&mut self, below: usize) -> usize {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                usize::from(*first) % below
            }
            None => 0,
        }
    }
}

fn expr(b: &mut Builder, vars: &[VarId], ty: Scalar, depth: u32, c: &mut Choices<'_>) -> ExprId {
    match if depth == 0 { c.next(2) } else { c.next(7) } {
        0 => {
            let v = [0, 1, 2, 3, 7, 100, -1, -128][c.next(8)];
            b.program.exprs.add(ExprKind::Const(bits(v, ty)), ty)
        }
        1 => {
            let var = vars[c.next(vars.len())];
            let from = b.program.vars[var].register().expect("register");
            let e = b.program.exprs.add(ExprKind::Var(var), from);
            if from == ty { e } else { b.program.exprs.add(ExprKind::Cast(e), ty) }
        }
        2 => {
            let from = TYPES[c.next(TYPES.len())];
            let e = expr(b, vars, from, depth - 1, c);
            b.program.exprs.add(ExprKind::Cast(e), ty)
        }
        3 => {
            let e = expr(b, vars, ty, depth - 1, c);
            b.program.exprs.add(ExprKind::Unary([UnOp::Neg, UnOp::BitNot][c.next(2)], e), ty)
        }
        4 => {
            let (x, y) = (expr(b, vars, ty, depth - 1, c), expr(b, vars, ty, depth - 1, c));
            let cond = cond(b, vars, depth - 1, c);
            b.program.exprs.add(ExprKind::Ite(cond, x, y), ty)
        }
        _ => {
            let (x, y) = (expr(b, vars, ty, depth - 1, c), expr(b, vars, ty, depth - 1, c));
            let op = ARITHMETIC[[0, 0, 1, 1, 2, 3, 4, 7, 8, 9][c.next(10)]];
            b.program.exprs.add(ExprKind::Binary(op, x, y), ty)
        }
    }
}

fn cond(b: &mut Builder, vars: &[VarId], depth: u32, c: &mut Choices<'_>) -> ExprId {
    match if depth == 0 { 0 } else { c.next(6) } {
        0..=2 => {
            let ty = TYPES[c.next(TYPES.len())];
            let (x, y) = (expr(b, vars, ty, depth.min(1), c), expr(b, vars, ty, depth.min(1), c));
            b.program.exprs.add(ExprKind::Binary(COMPARISONS[c.next(6)], x, y), Scalar::Bool)
        }
        3 => {
            let x = cond(b, vars, depth - 1, c);
            b.program.exprs.add(ExprKind::Unary(UnOp::Not, x), Scalar::Bool)
        }
        _ => {
            let (x, y) = (cond(b, vars, depth - 1, c), cond(b, vars, depth - 1, c));
            b.program.exprs.add(ExprKind::Binary([BinOp::And, BinOp::Or][c.next(2)], x, y), Scalar::Bool)
        }
    }
}

fn case(choices: &[u8]) -> Case {
    let mut c = Choices { rest: choices };
    let mut b = Builder::new();
    let main = b.func("main", &[]);
    let vars: Vec<VarId> = (0..REGISTERS).map(|i| b.reg(Some(main), "r", TYPES[[0, 0, 1, 3, 3, 4][i]])).collect();
    let mut ops = Vec::new();
    while !c.rest.is_empty() {
        let dst = vars[c.next(REGISTERS)];
        let ty = b.program.vars[dst].register().expect("register");
        let var = |b: &mut Builder, v: VarId| b.program.exprs.add(ExprKind::Var(v), ty);
        let like: Vec<VarId> = vars.iter().copied().filter(|v| b.program.vars[*v].register() == Some(ty)).collect();
        let other = like[c.next(like.len())];
        ops.push(match c.next(10) {
            // Sums and comparisons of registers of one type, which relate them.
            5..=7 => {
                let x = var(&mut b, if c.next(2) == 0 { dst } else { other });
                let k = b.program.exprs.add(ExprKind::Const(bits([1, 2, -1, 3][c.next(4)], ty)), ty);
                Op::Assign { dst, src: b.program.exprs.add(ExprKind::Binary(BinOp::Add, x, k), ty) }
            }
            8 | 9 => {
                let (x, y) = (var(&mut b, dst), var(&mut b, other));
                let op = COMPARISONS[c.next(6)];
                Op::Assume { cond: b.program.exprs.add(ExprKind::Binary(op, x, y), Scalar::Bool), truth: true }
            }
            0 => Op::Havoc { dst, source: HavocSource::Environment },
            1 | 2 => Op::Assign { dst, src: expr(&mut b, &vars, ty, 2, &mut c) },
            _ => Op::Assume { cond: cond(&mut b, &vars, 2, &mut c), truth: c.next(2) == 0 },
        });
    }
    Case { program: b.program, vars, ops }
}

type Run = BTreeMap<VarId, Value>;

fn eval(program: &Program, run: &Run, e: ExprId) -> Option<Value> {
    let cfa::Expr { kind, ty } = program.exprs.get(e);
    match kind {
        ExprKind::Const(v) => Some(v),
        ExprKind::Var(var) => run.get(&var).copied(),
        ExprKind::Cast(a) => eval_cast(program.exprs.ty(a), ty, eval(program, run, a)?, 64),
        ExprKind::Unary(op, a) => eval_unary(op, ty, eval(program, run, a)?, 64),
        ExprKind::Binary(op, a, b) => {
            eval_binary(op, program.exprs.ty(a), eval(program, run, a)?, eval(program, run, b)?, 64)
        }
        ExprKind::Ite(c, a, b) => {
            let (c, a, b) = (eval(program, run, c)?, eval(program, run, a)?, eval(program, run, b)?);
            Some(if c.0 != 0 { a } else { b })
        }
        _ => None,
    }
}

/// Carries out an operation; `None` where the run ends, or the semantics leaves a result open.
fn step(program: &Program, run: &mut Run, op: &Op, arbitrary: i128) -> Option<()> {
    match op {
        Op::Assign { dst, src } => {
            let v = eval(program, run, *src)?;
            run.insert(*dst, v);
        }
        Op::Havoc { dst, .. } => {
            let ty = program.vars[*dst].register()?;
            run.insert(*dst, bits(arbitrary, ty));
        }
        Op::Assume { cond, truth } => {
            if (eval(program, run, *cond)?.0 != 0) != *truth {
                return None;
            }
        }
        _ => return None,
    }
    Some(())
}

fn satisfies(program: &Program, run: &Run, env: &Env, scope: Scope<'_>) -> Result<(), String> {
    let value = |cell: Cell| match cell.place {
        Place::Register(_, var) => number(run[&var], cell.ty),
        Place::Memory(..) => unreachable!("no memory here"),
    };
    for var in run.keys() {
        let cell = scope.register(*var).expect("tracked");
        if !env.get(cell).contains(value(cell)) {
            return Err(format!("{:?} = {} is not in {:?}", program.vars[*var].name, value(cell), env.get(cell)));
        }
    }
    for ((x, y), bound) in env.differences() {
        if value(x) - value(y) > bound {
            return Err(format!("{} - {} > {bound}", value(x), value(y)));
        }
    }
    Ok(())
}

fn start(case: &Case, seed: &[i128]) -> Run {
    let ty = |var: VarId| case.program.vars[var].register().expect("register");
    case.vars.iter().zip(seed).map(|(var, v)| (*var, bits(*v, ty(*var)))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// What runs do is within what the analysis says, and so are joins and widenings of the states on the way.
    #[test]
    fn operations(
        choices in prop::collection::vec(any::<u8>(), 1..120),
        seeds in prop::collection::vec(prop::collection::vec(member(Scalar::Int { bits: 16, signed: true }), REGISTERS), 3),
    ) {
        let case = case(&choices);
        let points_to = PointsTo::new(&case.program);
        let root = StackId::from_index(0);
        let scope = Scope { program: &case.program, stack: root, root };
        let mut env = Env::default();
        let mut runs: Vec<Run> = seeds.iter().map(|seed| start(&case, seed)).collect();
        let mut seen: Option<(Env, Vec<Run>)> = None;
        for (i, op) in case.ops.iter().enumerate() {
            // The first run takes every branch, so that one goes on.
            let op = &match (op, runs.first()) {
                (Op::Assume { cond, .. }, Some(run)) => {
                    let truth = eval(&case.program, run, *cond).is_some_and(|v| v.0 != 0);
                    Op::Assume { cond: *cond, truth }
                }
                (other, _) => other.clone(),
            };
            runs = runs
                .into_iter()
                .filter_map(|mut run| step(&case.program, &mut run, op, seeds[i % seeds.len()][0]).map(|()| run))
                .collect();
            if post(scope, &points_to, &mut env, op).is_err() {
                prop_assert!(runs.is_empty(), "a run goes on after {op:?}");
                return Ok(());
            }
            for run in &runs {
                if let Err(why) = satisfies(&case.program, run, &env, scope) {
                    prop_assert!(false, "after {op:?}: {why}\n{:?}", case.program.exprs);
                }
            }
            if let Some((old, old_runs)) = &seen {
                let joined = old.join(&env);
                let widened = old.widen(&joined, &[-1, 0, 1, 100]);
                prop_assert!(old.leq(&joined) && env.leq(&joined) && joined.leq(&widened) && env.leq(&env));
                prop_assert_eq!(&widened.widen(&widened.join(&env), &[-1, 0, 1, 100]).leq(&widened), &true);
                for run in runs.iter().chain(old_runs) {
                    prop_assert_eq!(satisfies(&case.program, run, &joined, scope), Ok(()));
                    prop_assert_eq!(satisfies(&case.program, run, &widened, scope), Ok(()));
                }
            }
            if i % 3 == 0 {
                seen = Some((env.clone(), runs.clone()));
            }
        }
    }
}

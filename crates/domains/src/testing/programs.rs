//! Random programs, and what their runs do by [`cfa::eval`].

use crate::numerical::number::range;
use cfa::build::Builder;
use cfa::eval::{eval_binary, eval_cast, eval_unary};
use cfa::points_to::PointsTo;
use cfa::{BinOp, EdgeId, ExprId, ExprKind, HavocSource, Op, Program, Scalar, UnOp, Value, VarId};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Types of registers and expressions.
pub const TYPES: [Scalar; 5] = [
    Scalar::Int { bits: 8, signed: true },
    Scalar::Int { bits: 8, signed: false },
    Scalar::Int { bits: 16, signed: true },
    Scalar::INT,
    Scalar::Int { bits: 64, signed: false },
];

/// Operators with results of the operands' type.
pub const ARITHMETIC: &[BinOp] = BinOp::ALL.split_at(10).0;

/// Operators with truth values.
pub const COMPARISONS: &[BinOp] = BinOp::ALL.split_at(16).0.split_at(10).1;

/// The value of a type that a number is.
pub fn bits(v: i128, ty: Scalar) -> Value {
    Value::truncated(v as u128, ty.bits(64))
}

/// Numbers of a type that are near its corners, or near zero, mostly.
pub fn member(ty: Scalar) -> impl Strategy<Value = i128> {
    let (lo, hi) = range(ty);
    prop_oneof![
        (-20i128..20).prop_map(move |v| v.clamp(lo, hi)),
        0..20i128,
        (0..4i128).prop_map(move |v| hi - v),
        (0..4i128).prop_map(move |v| lo + v),
        lo..=hi
    ]
}

/// Registers, some pairs of one type.
pub const REGISTERS: usize = 6;

/// A program of one function whose operations follow one another, in a loop without an end.
pub struct Case {
    /// The program.
    pub program: Program,
    /// What pointers to it there are.
    pub points_to: PointsTo,
    /// The registers.
    pub vars: Vec<VarId>,
    /// The edges, in order: one, or those of both truth values of a condition.
    pub steps: Vec<Vec<EdgeId>>,
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

/// The program that these choices make.
pub fn case(choices: &[u8]) -> Case {
    let mut c = Choices { rest: choices };
    let mut b = Builder::new();
    let main = b.func("main", &[]);
    b.program.start = main;
    let vars: Vec<VarId> = (0..REGISTERS).map(|i| b.reg(Some(main), "r", TYPES[[0, 0, 1, 3, 3, 4][i]])).collect();
    let (mut at, mut steps) = (b.entry(main), Vec::new());
    while !c.rest.is_empty() {
        let next = b.loc(main);
        let op = operation(&mut b, &vars, &mut c);
        steps.push(match op {
            Op::Assume { cond, .. } => {
                let (holds, fails) = b.branch(at, cond, next, next);
                vec![holds, fails]
            }
            op => vec![b.edge(at, next, op)],
        });
        at = next;
    }
    let entry = b.entry(main);
    b.edge(at, entry, Op::Skip);
    let points_to = PointsTo::new(&b.program);
    Case { program: b.program, points_to, vars, steps }
}

fn operation(b: &mut Builder, vars: &[VarId], c: &mut Choices<'_>) -> Op {
    let dst = vars[c.next(REGISTERS)];
    let ty = b.program.vars[dst].register().expect("register");
    let like: Vec<VarId> = vars.iter().copied().filter(|v| b.program.vars[*v].register() == Some(ty)).collect();
    let other = like[c.next(like.len())];
    match c.next(13) {
        // Sums and comparisons of registers of one type, which relate them.
        5..=7 => {
            let x = b.var(if c.next(2) == 0 { dst } else { other });
            let k = b.constant([1, 2, -1, 3][c.next(4)], ty);
            Op::Assign { dst, src: b.bin(BinOp::Add, x, k) }
        }
        8 | 9 => {
            let (x, y) = (b.var(dst), b.var(other));
            Op::Assume { cond: b.bin(COMPARISONS[c.next(6)], x, y), truth: true }
        }
        10 => {
            let (x, y) = (b.var(like[c.next(like.len())]), b.var(other));
            Op::Assign { dst, src: b.bin([BinOp::Add, BinOp::Sub][c.next(2)], x, y) }
        }
        // Sums that do not wrap around.
        11 | 12 => {
            let (x, y) = (b.var(vars[c.next(REGISTERS)]), b.var(vars[c.next(REGISTERS)]));
            let wide = Scalar::Int { bits: 64, signed: true };
            let (x, y) = (b.cast(x, wide), b.cast(y, wide));
            let sum = b.bin([BinOp::Add, BinOp::Sub][c.next(2)], x, y);
            let k = b.constant([0, 1, -1, 10, 100][c.next(5)], wide);
            Op::Assume { cond: b.bin(COMPARISONS[c.next(6)], sum, k), truth: true }
        }
        0 => Op::Havoc { dst, source: HavocSource::Environment },
        1 | 2 => Op::Assign { dst, src: expr(b, vars, ty, 2, c) },
        _ => Op::Assume { cond: cond(b, vars, 2, c), truth: true },
    }
}

/// Values of the registers.
pub type Run = BTreeMap<VarId, Value>;

/// What an expression evaluates to.
pub fn eval(program: &Program, run: &Run, e: ExprId) -> Option<Value> {
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
pub fn step(program: &Program, run: &mut Run, op: &Op, arbitrary: i128) -> Option<()> {
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

/// A run whose registers have these numbers, cut to their types.
pub fn start(case: &Case, seed: &[i128]) -> Run {
    let ty = |var: VarId| case.program.vars[var].register().expect("register");
    case.vars.iter().zip(seed).map(|(var, v)| (*var, bits(*v, ty(*var)))).collect()
}

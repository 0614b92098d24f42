//! Cuts calls of recursive procedures at marks: a call is taken by what its contract says, or its body is followed once from any state in
//! which it may be entered.
//!
//! Marks are calls of a function without a body, in the procedure whose contract it is; see [`Way`]. Where what the contract requires is asserted
//! before the marks, and what it ensures is asserted behind the body and assumed behind the effect, the result has an error if and
//! only if the contracts are not inductive or do not suffice. For take a run of the program to the first violation, and the calls that
//! it is in then. The calls that it has come back from fit their contracts, so their effects lead there. Of the calls of one procedure that
//! it is in, only the last one matters: it was entered in a state that fits what is required, and the state in which the first one was
//! entered differs from that one in what a call may change only. So it is enough to follow the body once for each procedure, and a
//! run whose body was left by its return needs no further look.

use crate::cut_loops::{Mark, arbitrary};
use crate::edges::{detach, redirect};
use crate::registers::zero_variable;
use cfa::expr::{BinOp, ExprKind};
use cfa::op::{HavocSource, Op};
use cfa::procedures::{Procedure, Procedures};
use cfa::program::{EdgeId, FuncId, Program, VarId};
use cfa::value::{Scalar, Value};

/// Name of the variables that tell whether the body of a procedure is followed already, followed by the number of the contract.
pub const FOLLOWED: &str = "__hone_followed_";

/// The meaning of a mark. The argument of its call is four times the number of the contract, plus this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Its result tells whether the call is taken by its contract.
    Past = 0,
    /// The call has any effect.
    Effect = 1,
    /// The body is entered in any state.
    Enter = 2,
    /// The body was left.
    Left = 3,
}

/// Cuts the calls of procedures with marks whose contract is `wanted`, and lets the others go through their bodies. Marks
/// disappear. The procedures are those of the program before other passes changed it. The result tells one mark for each contract.
pub fn cut_calls(
    program: &mut Program,
    procedures: &Procedures,
    marker: FuncId,
    wanted: impl Fn(u32) -> bool,
) -> Vec<Mark> {
    let attached: Vec<EdgeId> = program.locs.iter().flat_map(|l| l.out.iter().copied()).collect();
    let mut marks: Vec<Mark> = Vec::new();
    let mut followed: Vec<(u32, VarId)> = Vec::new();
    for edge in attached {
        let Op::CallExtern { func, args, dst } = &program.edges[edge].op else { continue };
        if *func != marker {
            continue;
        }
        let dst = *dst;
        let argument = args.first().and_then(|arg| program.exprs.as_const(*arg)).map_or(u32::MAX, |v| v.0 as u32);
        let (number, way) = (argument / 4, [Way::Past, Way::Effect, Way::Enter, Way::Left][argument as usize % 4]);
        let func = program.locs[program.edges[edge].src].func;
        let procedure = procedures.get(func);
        let kept = match procedure {
            Some(_) if wanted(number) => None,
            None if wanted(number) => Some("it works on memory, or does not call itself"),
            _ => Some(""),
        };
        if marks.iter().all(|mark| mark.number != number) {
            marks.push(Mark { number, kept });
        }
        let ops = match procedure.filter(|_| kept.is_none()) {
            Some(procedure) => {
                let flag = match followed.iter().find(|(other, _)| *other == number) {
                    Some((_, flag)) => *flag,
                    None => {
                        let flag = zero_variable(program, &format!("{FOLLOWED}{number}"));
                        followed.push((number, flag));
                        flag
                    }
                };
                cut(program, func, procedure, way, (flag, dst))
            }
            None => {
                let zero = program.exprs.add(ExprKind::Const(Value(0)), Scalar::INT);
                dst.map(|dst| Op::Assign { dst, src: zero }).into_iter().collect()
            }
        };
        replace(program, edge, ops);
    }
    marks.sort_by_key(|mark| mark.number);
    marks
}

/// What is done in place of a mark.
fn cut(
    program: &mut Program,
    func: FuncId,
    procedure: &Procedure,
    way: Way,
    (flag, dst): (VarId, Option<VarId>),
) -> Vec<Op> {
    match way {
        Way::Past => dst.map(|dst| Op::Havoc { dst, source: HavocSource::Environment }).into_iter().collect(),
        Way::Effect => procedure.lost.iter().flat_map(|var| arbitrary(program, *var)).collect(),
        Way::Enter => {
            let [zero, one] = [0, 1].map(|n| program.exprs.add(ExprKind::Const(Value(n)), Scalar::INT));
            let value = program.exprs.add(ExprKind::Var(flag), Scalar::INT);
            let cond = program.exprs.add(ExprKind::Binary(BinOp::Eq, value, zero), Scalar::Bool);
            let mut ops = vec![Op::Assume { cond, truth: true }, Op::Assign { dst: flag, src: one }];
            let params = program.functions[func].params.clone();
            for var in params.iter().chain(&procedure.changed) {
                ops.extend(arbitrary(program, *var));
            }
            ops
        }
        Way::Left => vec![Op::Halt],
    }
}

/// Puts operations in place of that of an edge.
fn replace(program: &mut Program, edge: EdgeId, ops: Vec<Op>) {
    let func = program.locs[program.edges[edge].src].func;
    let span = program.edges[edge].span;
    if let [Op::Halt] = ops[..] {
        // Where a run ends, the edge leads to the function's exit.
        let Some(exit) = program.functions[func].body.map(|body| body.exit) else { return };
        let src = program.edges[edge].src;
        detach(program, edge);
        program.add_edge(src, exit, Op::Halt, span);
        return;
    }
    let mut ops = ops.into_iter();
    program.edges[edge].op = ops.next().unwrap_or(Op::Skip);
    let mut at = edge;
    for op in ops {
        let dst = program.edges[at].dst;
        let between = program.add_loc(func);
        redirect(program, at, between);
        at = program.add_edge(between, dst, op, span);
    }
}

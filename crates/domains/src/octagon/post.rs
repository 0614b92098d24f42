//! What operations, calls and returns do to abstract states.

use super::packs::Packs;
use super::state::Octagons;
use super::sum::Sum;
use crate::interval::env::{Cell, Place};
use crate::interval::eval::Scope;
use crate::interval::number::Num;
use crate::interval::post as numbers;
use cfa::points_to::PointsTo;
use cfa::{EdgeId, ExprId, Op};
use step::End;

/// A call: the frames on both sides.
#[derive(Clone, Copy)]
pub struct Call<'p> {
    /// The frame that calls.
    pub caller: Scope<'p>,
    /// The frame that is entered.
    pub callee: Scope<'p>,
    /// The edge.
    pub edge: EdgeId,
}

/// The state at the entry of the start function.
pub fn initialise(scope: Scope<'_>, packs: &Packs, state: &mut Octagons) {
    numbers::initialise(scope, &mut state.env);
    packs.of_frame(scope, scope.program.start).for_each(|pack| state.track(pack));
}

/// Carries out an operation that stays in its frame.
///
/// # Errors
/// If no run goes on.
pub fn post(scope: Scope<'_>, points_to: &PointsTo, state: &mut Octagons, op: &Op) -> Result<(), End> {
    match op {
        Op::Assume { cond, truth } => state.assume(scope, *cond, *truth)?,
        Op::Assign { dst, src } => {
            if let Some(cell) = scope.register(*dst) {
                assign(scope, state, cell, *src)?;
            }
        }
        _ => {
            numbers::post(scope, points_to, &mut state.env, op)?;
            // A call assigns when it returns.
            let assigned = op.assigned().filter(|_| !matches!(op, Op::Call { .. }));
            if let Some(cell) = assigned.and_then(|dst| scope.register(dst)) {
                state.forget_relations(cell)?;
            }
        }
    }
    Ok(())
}

/// Sets a cell, which may be one of another frame, to the value of an expression of its type.
fn assign(scope: Scope<'_>, state: &mut Octagons, cell: Cell, src: ExprId) -> Result<(), End> {
    let sum = state.sum(scope, src);
    let (lo, hi) = state.bounds(&sum);
    numbers::assign(scope, &mut state.env, Some(cell), src);
    set(state, cell, &sum, Num::interval(lo, hi))
}

/// Lets the packs of a cell know of its new value, the sum, and the numbers know of its bounds.
fn set(state: &mut Octagons, cell: Cell, sum: &Sum, bounds: Option<Num>) -> Result<(), End> {
    state.replace(cell, sum)?;
    if let Some(bounds) = bounds {
        state.env.meet(cell, bounds)?;
    }
    Ok(state.settle([cell].into())?)
}

/// Enters a function: its parameters are assigned, and its registers are related from now on.
///
/// # Errors
/// If no run goes on.
pub fn enter(packs: &Packs, state: &mut Octagons, call: Call<'_>) -> Result<(), End> {
    let program = call.caller.program;
    let Op::Call { func, args, .. } = &program.edges[call.edge].op else { return Ok(()) };
    if let Some(pack) = packs.of_call(call) {
        state.track(pack);
    }
    for (param, arg) in program.functions[*func].params.iter().zip(args) {
        if let Some(cell) = call.callee.register(*param) {
            assign(call.caller, state, cell, *arg)?;
        }
    }
    packs.of_frame(call.callee, *func).for_each(|pack| state.track(pack));
    Ok(())
}

/// Leaves a function: its result is assigned, and its registers end.
///
/// # Errors
/// If no run goes on.
pub fn leave(state: &mut Octagons, call: Call<'_>) -> Result<(), End> {
    let program = call.caller.program;
    if let Op::Call { func, dst: Some(dst), .. } = &program.edges[call.edge].op
        && let Some(dst) = call.caller.register(*dst)
    {
        let ret = program.functions[*func].ret.and_then(|ret| call.callee.register(ret));
        match ret.filter(|ret| ret.ty == dst.ty) {
            Some(ret) => {
                let num = state.env.get(ret);
                state.env.assign_sum(dst, ret, 0, num);
                set(state, dst, &Sum::of_cell(ret), Some(num))?;
            }
            None => {
                state.env.forget(dst);
                state.forget_relations(dst)?;
            }
        }
    }
    let ended = call.callee.stack;
    Ok(state.end(|cell| match cell.place {
        Place::Register(stack, _) | Place::Memory(stack, ..) => stack != ended,
    })?)
}

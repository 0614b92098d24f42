//! What operations, calls and returns do to abstract states.

use super::packs::Packs;
use super::state::Octagons;
use super::sum::Sum;
use crate::interval::post as numbers;
use crate::numerical::{Bottom, Call, Cell, Num, Scope};
use cfa::points_to::PointsTo;
use cfa::{ExprId, Op};
use step::End;

/// The state at the entry of the start function.
pub fn initial(packs: &Packs, scope: Scope<'_>) -> Octagons {
    let mut state = Octagons::default();
    numbers::initialise(scope, &mut state.env);
    packs.of_frame(scope, scope.program.start).for_each(|pack| state.track(pack));
    state
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
fn assign(scope: Scope<'_>, state: &mut Octagons, cell: Cell, src: ExprId) -> Result<(), Bottom> {
    let sum = state.sum(scope, src);
    let (lo, hi) = state.bounds(&sum);
    numbers::assign(scope, &mut state.env, Some(cell), src);
    set(state, cell, &sum, Num::interval(lo, hi))
}

/// Lets the packs of a cell know of its new value, the sum, and the numbers know of its bounds.
fn set(state: &mut Octagons, cell: Cell, sum: &Sum, bounds: Option<Num>) -> Result<(), Bottom> {
    state.replace(cell, sum)?;
    if let Some(bounds) = bounds {
        state.env.meet(cell, bounds)?;
    }
    state.settle([cell].into())
}

/// Enters a function: its parameters are assigned, and its registers are related from now on.
///
/// # Errors
/// If no run goes on.
pub fn enter(packs: &Packs, state: &mut Octagons, call: Call<'_>) -> Result<(), Bottom> {
    if let Some(pack) = packs.of_call(call) {
        state.track(pack);
    }
    for (param, arg) in call.parameters() {
        assign(call.caller, state, param, arg)?;
    }
    packs.of_frame(call.callee, call.func).for_each(|pack| state.track(pack));
    Ok(())
}

/// Leaves a function: its result is assigned, and its registers end.
///
/// # Errors
/// If no run goes on.
pub fn leave(state: &mut Octagons, call: Call<'_>) -> Result<(), Bottom> {
    match call.result() {
        Some((dst, Some(ret))) => {
            let num = state.env.get(ret);
            state.env.assign_sum(dst, ret, 0, num);
            set(state, dst, &Sum::of_cell(ret), Some(num))?;
        }
        Some((dst, None)) => {
            state.env.forget(dst);
            state.forget_relations(dst)?;
        }
        None => {}
    }
    state.end(|cell| call.outlives(cell))
}

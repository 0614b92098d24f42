//! Abstract successors of operations, calls and returns.

use super::env::Env;
use super::eval::Form;
use crate::numerical::number::{is_tracked, number};
use crate::numerical::{Call, Cell, Num, Place, Scope};
use cfa::points_to::{Object, PointsTo};
use cfa::{ExprId, InitValue, Op, Program, Reach, Storage, Undefined, VarId};
use step::End;

/// Largest object whose cells have numbers.
const MAX_OBJECT: u64 = 4096;

/// Initial numbers of globals.
pub fn initialise(scope: Scope<'_>, env: &mut Env) {
    let program = scope.program;
    for (id, var) in program.vars.iter_enumerated().filter(|(_, var)| var.is_global()) {
        let cells = var.init.as_deref().map_or(&[][..], |init| &init.cells[..]);
        match var.storage {
            Storage::Register(_) => {
                let Some(cell) = scope.register(id) else { continue };
                match cells.first() {
                    None => env.set(cell, Num::single(0)),
                    Some((_, ty, InitValue::Scalar(value))) if *ty == cell.ty => {
                        env.set(cell, Num::single(number(*value, cell.ty)));
                    }
                    Some(_) => {}
                }
            }
            Storage::Memory { size, .. } if size <= MAX_OBJECT => {
                for (offset, ty, value) in cells {
                    if let InitValue::Scalar(value) = value
                        && is_tracked(*ty)
                    {
                        let cell = Cell { place: Place::Memory(scope.root, id, *offset), ty: *ty };
                        env.set(cell, Num::single(number(*value, *ty)));
                    }
                }
            }
            Storage::Memory { .. } => {}
        }
    }
    zeros(scope, env);
}

/// Cells of globals that the program reads at a fixed place and that no initialiser mentions are zero.
fn zeros(scope: Scope<'_>, env: &mut Env) {
    let program = scope.program;
    let mut found = Vec::new();
    for id in program.exprs.ids() {
        let cfa::Expr { kind, ty } = program.exprs.get(id);
        if let cfa::ExprKind::Load(addr) = kind
            && let Some((_, var, offset)) = scope.static_address(addr)
            && program.vars[var].is_global()
            && let Some(cell) = scope.memory(addr, ty)
            && let Storage::Memory { size, .. } = program.vars[var].storage
        {
            let bytes = u64::from(ty.access_bytes(program.pointer_bits()));
            let end = offset.saturating_add(bytes);
            let mentions = |init: &cfa::Init| {
                init.cells
                    .iter()
                    .any(|(at, ty, _)| *at < end && at + u64::from(ty.access_bytes(program.pointer_bits())) > offset)
                    || init.bytes.iter().any(|(at, content)| *at < end && at + content.len() as u64 > offset)
            };
            if size <= MAX_OBJECT && end <= size && !program.vars[var].init.as_deref().is_some_and(mentions) {
                found.push(cell);
            }
        }
    }
    found.into_iter().for_each(|cell| env.set(cell, Num::single(0)));
}

/// Carries out an operation that stays in its frame.
///
/// # Errors
/// If no run goes on.
pub fn post(scope: Scope<'_>, points_to: &PointsTo, env: &mut Env, op: &Op) -> Result<(), End> {
    match op {
        Op::Skip | Op::Call { .. } | Op::Free { .. } => {}
        Op::Assign { dst, src } => assign(scope, env, scope.register(*dst), *src),
        Op::Havoc { dst, .. } => forget_register(scope, env, *dst),
        Op::CallExtern { dst, .. } => dst.iter().for_each(|dst| forget_register(scope, env, *dst)),
        Op::Assume { cond, truth } => scope.assume(env, *cond, *truth)?,
        Op::Store { addr, value } => store(scope, points_to, env, *addr, *value)?,
        Op::MemCopy { dst, len, .. } | Op::MemSet { dst, len, .. } => {
            forget_range(scope, points_to, env, *dst, (*len).into());
        }
        Op::MemHavoc { dst, len, .. } => forget_range(scope, points_to, env, *dst, *len),
        Op::Alloc { dst, .. } | Op::Realloc { dst, .. } => forget_register(scope, env, *dst),
        Op::Declare { var } | Op::EndScope { var } => forget_variable(scope, env, *var),
        Op::CallPtr { .. } | Op::Repeat(_) => return Err(End::Unmodelled(None)),
        Op::Unsupported(what) => return Err(End::Unmodelled(Some(*what))),
        Op::Undefined(what) => return Err(End::Undefined(*what)),
        Op::Halt => return Err(End::Blocked),
    }
    Ok(())
}

/// Sets a cell, which may be one of another frame, to the value of an expression.
pub fn assign(scope: Scope<'_>, env: &mut Env, cell: Option<Cell>, src: ExprId) {
    let Some(cell) = cell else { return };
    let num = scope.eval(env, src);
    match scope.linear(env, src) {
        Some(Form { cell: Some(other), by }) if scope.program.exprs.ty(src) == cell.ty => {
            env.assign_sum(cell, other, by, num);
        }
        _ => env.set(cell, num),
    }
}

fn forget_register(scope: Scope<'_>, env: &mut Env, var: VarId) {
    if let Some(cell) = scope.register(var) {
        env.forget(cell);
    }
}

fn forget_variable(scope: Scope<'_>, env: &mut Env, var: VarId) {
    env.retain(|cell| !matches!(cell.place, Place::Memory(stack, v, _) if v == var && stack == scope.stack));
}

fn bytes(program: &Program, cell: &Cell) -> u64 {
    u64::from(cell.ty.access_bytes(program.pointer_bits()))
}

fn store(scope: Scope<'_>, points_to: &PointsTo, env: &mut Env, addr: ExprId, value: ExprId) -> Result<(), End> {
    let program = scope.program;
    let ty = program.exprs.ty(value);
    let num = scope.eval(env, value);
    let len = u64::from(ty.access_bytes(program.pointer_bits()));
    let target = scope.memory(addr, ty);
    let form = scope.linear(env, value);
    forget_range(scope, points_to, env, addr, len.into());
    if let Some((_, var, offset)) = scope.static_address(addr)
        && let Storage::Memory { size, .. } = program.vars[var].storage
        && offset.saturating_add(len) > size
    {
        return Err(End::Undefined(Undefined::OutsideWrite));
    }
    let Some(cell) = target else { return Ok(()) };
    let Place::Memory(_, var, offset) = cell.place else { return Ok(()) };
    if offset.saturating_add(len) > MAX_OBJECT {
        return Ok(());
    }
    match form {
        // What the write may have changed has no relation to the value.
        Some(Form { cell: Some(other), by }) if !matches!(other.place, Place::Memory(_, v, _) if v == var) => {
            env.assign_sum(cell, other, by, num);
        }
        _ => env.set(cell, num),
    }
    Ok(())
}

/// Forgets what a write may change.
fn forget_range(scope: Scope<'_>, points_to: &PointsTo, env: &mut Env, addr: ExprId, len: Reach) {
    let program = scope.program;
    if let (Some((stack, var, offset)), Reach::Bytes(len)) = (scope.static_address(addr), len) {
        env.retain(|cell| match cell.place {
            Place::Memory(s, v, at) if v == var && s == stack => {
                at.saturating_add(bytes(program, cell)) <= offset || offset.saturating_add(len) <= at
            }
            _ => true,
        });
        return;
    }
    let objects = points_to.objects(points_to.class_of_address(addr));
    env.retain(|cell| match cell.place {
        Place::Memory(_, var, _) => objects.binary_search(&Object::Var(var)).is_err(),
        Place::Register(..) => true,
    });
}

/// Enters a function: its parameters are assigned.
pub fn enter(env: &mut Env, call: Call<'_>) {
    for (param, arg) in call.parameters() {
        assign(call.caller, env, Some(param), arg);
    }
}

/// Leaves a function: its result is assigned, and its frame ends.
pub fn leave(env: &mut Env, call: Call<'_>) {
    match call.result() {
        Some((dst, Some(ret))) => {
            let num = env.get(ret);
            env.assign_sum(dst, ret, 0, num);
        }
        Some((dst, None)) => env.forget(dst),
        None => {}
    }
    env.retain(|cell| call.outlives(cell));
}

//! Step 3, completed: under-approximating accelerators of looping paths, made of closed forms and bounds [kroening15, Def. 3].
//!
//! A path may have several: one that executes some conditions iteration by iteration, or some for fixed values of a register by which
//! others grow. Nothing here is trusted: see [`super::check`].

use crate::accelerate::bounds::bound;
use crate::accelerate::closed::{ClosedForms, Span, closed_forms};
use crate::accelerate::moving::{Moving, repeated};
use crate::accelerate::path::{Input, LoopPath};
use crate::accelerate::slopes::Failure;
use crate::exprs::{Exprs, Map, mentions};
use cfa::{BinOp, ExprId, Program, Repeat, Scalar, VarId};
use std::collections::BTreeMap;

/// How conditions without a bound are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unbounded {
    /// They fail.
    Fail,
    /// Iteration by iteration, with the accesses at moving places.
    Iterate,
}

/// An accelerator of a path.
#[derive(Clone, Debug)]
pub struct Accelerator {
    /// The path, and the closed forms of what it changes.
    pub closed: ClosedForms,
    /// Condition on the values at the head, the count and the inputs.
    pub bound: ExprId,
    /// The part of it that says nothing of inputs.
    pub range: ExprId,
    /// Whether the bound is a conjunction of conditions on all iterations.
    pub is_conjunctive: bool,
    /// New values, all computed from the old ones. Registers that are not read any more are left out.
    pub updates: BTreeMap<VarId, ExprId>,
    /// What is repeated iteration by iteration.
    pub repeat: Option<Repeat>,
    /// Conditions of the path that are told there.
    pub iterated: Vec<ExprId>,
    /// Inputs that differ from iteration to iteration; they occur in the repeated part only.
    pub each: Vec<Input>,
}

/// The accelerators of a path. `is_live` tells which registers may be read later.
pub fn accelerators(program: &mut Program, path: &LoopPath, is_live: &dyn Fn(VarId) -> bool) -> Vec<Accelerator> {
    let Some(closed) = closed_forms(program, path.clone()) else { return Vec::new() };
    let failure = match accelerator(program, closed.clone(), Unbounded::Fail, is_live) {
        Ok(accelerator) => return vec![accelerator],
        Err(failure) => failure,
    };
    let mut found: Vec<Accelerator> =
        accelerator(program, closed, Unbounded::Iterate, is_live).ok().into_iter().collect();
    if let Failure::Symbolic(var) = failure {
        for value in [1, -1] {
            let special = specialise(program, path, var, value).and_then(|path| closed_forms(program, path));
            found.extend(special.and_then(|closed| accelerator(program, closed, Unbounded::Fail, is_live).ok()));
        }
    }
    found
}

/// The accelerator of a path, if its conditions have bounds.
///
/// # Errors
/// Why there is none.
pub fn accelerator(
    program: &mut Program,
    closed: ClosedForms,
    unbounded: Unbounded,
    is_live: &dyn Fn(VarId) -> bool,
) -> Result<Accelerator, Failure> {
    let e = Exprs::of(program);
    let path = &closed.path;
    let few = e.at_most(closed.n, closed.number(&e, closed.limit()));
    let mut bound = e.and(e.binary(BinOp::Ne, closed.n, closed.number(&e, 0)), few);
    bound = e.and(bound, path.assumed.unwrap_or(e.truth(true)));
    let (mut range, mut is_conjunctive, mut require) = (bound, true, Vec::new());
    for guard in &path.guards {
        let here = match (self::bound(&e, &closed, *guard, Span::Whole), unbounded) {
            (Ok(here), _) => here,
            (Err(failure), Unbounded::Fail) => return Err(failure),
            (Err(_), Unbounded::Iterate) => {
                require.push(*guard);
                continue;
            }
        };
        bound = e.and(bound, here.holds);
        is_conjunctive &= here.is_conjunctive;
        require.extend(here.iterated);
        if !mentions(&e.pool(), here.holds, |var| path.is_input(var) || closed.early.contains(&var)) {
            range = e.and(range, here.holds);
        }
    }
    let mut updates = BTreeMap::new();
    for var in path.updates.keys().copied().filter(|var| is_live(*var)) {
        let value = closed.after(&e, var, closed.n, Span::Whole).ok_or(Failure::Form)?;
        if path.reads_written(&e.pool(), value) {
            return Err(Failure::Form);
        }
        updates.insert(var, value);
    }
    let iterated = require.iter().map(|literal| literal.cond).collect();
    let Moving { repeat, each, within } = repeated(program, &closed, &require)?;
    let e = Exprs::of(program);
    (bound, range) = (e.and(bound, within), e.and(range, within));
    let is_each = |var: VarId| each.iter().any(|input: &Input| input.var == var);
    if updates.values().chain([&bound]).any(|told| mentions(&e.pool(), *told, is_each)) {
        return Err(Failure::Form);
    }
    Ok(Accelerator { closed, bound, range, is_conjunctive, updates, repeat, iterated, each })
}

/// The path where a register has a fixed value.
fn specialise(program: &mut Program, path: &LoopPath, var: VarId, value: i128) -> Option<LoopPath> {
    let e = Exprs::of(program);
    let ty = e.register(var).filter(|ty: &Scalar| ty.is_int())?;
    let value = e.number(value as u128, ty);
    let map = Map::from_iter([(var, value)]);
    let mut special = path.clone();
    special.guards.iter_mut().for_each(|guard| *guard = e.substitute_in(*guard, &map));
    special.updates.values_mut().for_each(|update| *update = e.substitute(*update, &map));
    for write in &mut special.writes {
        write.addr = e.substitute(write.addr, &map);
        write.value = e.substitute(write.value, &map);
    }
    special.assumed = Some(e.binary(BinOp::Eq, e.var(var)?, value));
    Some(special)
}

#[cfg(test)]
mod tests;

//! Step 4, for the trace automata: which paths an accelerator makes redundant beside its own, and which orders of accelerations.
//!
//! With the names of [`super::check`]:
//!
//! * **Absorption**: `G'(x,l') ⇒ B(x,1) ∧ f'(x,l') = F(x,1)` for suitable inputs: the other path is superfluous.
//! * **Commutation**: between other accelerations of the loop, two accelerations may change places.

use crate::accelerate::accelerator::Accelerator;
use crate::accelerate::check::{chosen, closed, count, guard, iterate, name_registers};
use crate::accelerate::oracle::{Env, Oracle};
use base::Stop;
use cfa::VarId;
use smt::query::Answer;
use smt::{TermId, Value};
use std::collections::BTreeSet;

/// Whether one iteration of the other's path is what the accelerator does with one iteration and suitable inputs.
///
/// # Errors
/// When the run has to end.
pub fn absorbs(oracle: &mut Oracle<'_>, acc: &Accelerator, other: &Accelerator) -> Result<bool, Stop> {
    // What the other's description assumes does not hold on all of its path.
    let is_whole = [acc, other].iter().all(|one| one.closed.path.assumed.is_none() && one.repeat.is_none())
        && other.closed.path.has_unique_passes();
    if !is_whole || !acc.updates.keys().eq(other.updates.keys()) {
        return Ok(false);
    }
    let mut x = Env::default();
    name_registers(oracle, acc, &mut x);
    name_registers(oracle, other, &mut x);
    let one = count(oracle, acc, 1);
    x.insert(acc.closed.count, one);
    let guard = guard(oracle, other, &mut x);
    let effect = iterate(oracle, other, &mut x);
    // Inputs with which the accelerator can be taken at all.
    let possible = oracle.term(acc.bound, &mut x);
    let Answer::Model(model) = oracle.ask(possible)? else { return Ok(false) };
    for var in chosen(acc) {
        let terms = &mut oracle.enc.terms;
        let value = match model.value(terms, x[&var]) {
            Value::Bv { width, value } => terms.bv(width, value),
            Value::Bool(value) => terms.bool_const(value),
            _ => return Ok(false),
        };
        x.insert(var, value);
    }
    let mut claim = oracle.term(acc.bound, &mut x);
    let closed = closed(oracle, acc, &mut x);
    for var in acc.updates.keys() {
        let same = oracle.enc.terms.eq(closed[var], effect[var]);
        claim = oracle.enc.terms.and(claim, same);
    }
    oracle.holds(guard, claim)
}

/// Whether all accelerations may change places that are between others.
///
/// # Errors
/// When the run has to end.
pub fn all_commute(oracle: &mut Oracle<'_>, all: &[&Accelerator]) -> Result<bool, Stop> {
    for first in all {
        for (i, b) in all.iter().enumerate() {
            for (j, a) in all.iter().enumerate() {
                for last in all.iter().filter(|_| i != j) {
                    if !commute(oracle, [*first, *b, *a, *last])? {
                        return Ok(false);
                    }
                }
            }
        }
    }
    Ok(true)
}

/// What the environment chooses for an acceleration.
struct Chosen {
    count: TermId,
    early: Vec<TermId>,
    last: Vec<TermId>,
}

/// Whether of four accelerations in a row the second and the third may change places, with their last inputs exchanged accordingly.
fn commute(oracle: &mut Oracle<'_>, row: [&Accelerator; 4]) -> Result<bool, Stop> {
    let edges = |acc: &Accelerator| acc.closed.path.inputs.iter().map(|input| input.edge).collect::<Vec<_>>();
    if row.iter().any(|acc| edges(acc) != edges(row[0]) || acc.repeat.is_some()) {
        return Ok(false);
    }
    let mut start = Env::default();
    for acc in row {
        name_registers(oracle, acc, &mut start);
    }
    // Counts and inputs of the four, each with its own.
    let chosen = row.map(|acc| Chosen {
        early: acc.closed.early.iter().map(|var| oracle.fresh(*var)).collect(),
        last: acc.closed.path.inputs.iter().map(|input| oracle.fresh(input.var)).collect(),
        count: oracle.fresh(acc.closed.count),
    });
    let mut run = |order: [Turn; 4]| run(oracle, row, &chosen, order, &start);
    let turn = |acc, last| Turn { acc, last };
    let (assumed, there) = run([turn(0, 0), turn(1, 1), turn(2, 2), turn(3, 3)]);
    let (claimed, also) = run([turn(0, 1), turn(2, 0), turn(1, 2), turn(3, 3)]);
    let mut same = claimed;
    let registers: BTreeSet<VarId> = row.iter().flat_map(|acc| acc.closed.path.updates.keys().copied()).collect();
    let live = |var: &VarId| row.iter().all(|acc| !acc.closed.path.changes(*var) || acc.updates.contains_key(var));
    for var in registers.iter().filter(|var| live(var)) {
        let equal = oracle.enc.terms.eq(there[var], also[var]);
        same = oracle.enc.terms.and(same, equal);
    }
    oracle.holds(assumed, same)
}

/// An acceleration of a row.
#[derive(Clone, Copy)]
struct Turn {
    /// Its place in the row, which has its count and early inputs.
    acc: usize,
    /// The place in the row that has its last inputs.
    last: usize,
}

/// Accelerations in some order: that they are possible, and what registers are then.
fn run(
    oracle: &mut Oracle<'_>,
    row: [&Accelerator; 4],
    chosen: &[Chosen; 4],
    order: [Turn; 4],
    start: &Env,
) -> (TermId, Env) {
    let mut state = start.clone();
    let mut all = oracle.enc.terms.tru();
    for Turn { acc, last } in order {
        let (acc, own, last) = (row[acc], &chosen[acc], &chosen[last].last);
        state.insert(acc.closed.count, own.count);
        state.extend(acc.closed.early.iter().copied().zip(own.early.iter().copied()));
        state.extend(acc.closed.path.inputs.iter().map(|input| input.var).zip(last.iter().copied()));
        let bound = oracle.term(acc.bound, &mut state);
        all = oracle.enc.terms.and(all, bound);
        let after = closed(oracle, acc, &mut state);
        state.extend(after);
    }
    (all, state)
}

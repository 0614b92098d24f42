//! Values that diverge: a register that counts in a loop takes another value in each round. Where values end the loop, it is followed
//! like that. Where they don't, each round is another path that only predicates refute, and together with the register's values
//! they refute that round only. So these registers are left to predicates.

use cfa::{EdgeId, ExprKind, Op, VarId};
use domains::composite::{Composite, CompositeCpa};
use domains::value::cells::{CellId, Key, KeyId};
use domains::value::number::Val;
use domains::value::trace::PathTrace;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use task::Task;

/// So many values on a path that values do not refute may be chance.
const ROUNDS: usize = 4;

/// Leaves registers to predicates that diverge along a path, which predicates have refuted; `points` are its states where blocks
/// begin. Returns how many.
pub fn leave_to_predicates(
    cpa: &mut CompositeCpa<'_>,
    task: &Task<'_, '_>,
    path: &[EdgeId],
    points: impl Iterator<Item = Composite>,
) -> usize {
    let mut taken: BTreeMap<CellId, FxHashSet<Val>> = BTreeMap::new();
    for state in points {
        for (cell, val) in cpa.store.entries(state.value) {
            taken.entry(cell).or_default().insert(val);
        }
    }
    let diverging: BTreeMap<VarId, KeyId> = taken
        .into_iter()
        .filter(|(_, vals)| vals.len() > ROUNDS)
        .filter_map(|(cell, _)| register(cpa, cell))
        .filter(|(var, _)| cpa.value.is_accumulator(*var))
        .collect();
    if diverging.is_empty() {
        return 0;
    }
    let trace = PathTrace::follow(&mut cpa.value, &cpa.locations, path);
    let known: FxHashSet<VarId> =
        trace.last_values().into_iter().filter_map(|(cell, _)| register(cpa, cell)).map(|(var, _)| var).collect();
    let mut ends_by_values = BTreeSet::new();
    let mut goes_on = false;
    for edge in path {
        let Op::Assume { cond, .. } = task.program.edges[*edge].op else { continue };
        if task.wto.innermost(task.program.edges[*edge].src).is_none() {
            continue;
        }
        let mut compared = BTreeSet::new();
        let mut is_known = true;
        task.program.exprs.walk(cond, |_, e| match e.kind {
            ExprKind::Var(var) if diverging.contains_key(&var) => {
                compared.insert(var);
            }
            ExprKind::Var(var) => is_known &= known.contains(&var),
            ExprKind::Load(_) => is_known = false,
            _ => {}
        });
        goes_on |= !compared.is_empty() && !is_known;
        if is_known {
            ends_by_values.extend(compared);
        }
    }
    if !goes_on && !ends_by_values.is_empty() {
        return 0;
    }
    let leaving = diverging.into_iter().filter(|(var, _)| !ends_by_values.contains(var));
    leaving.filter(|(_, key)| cpa.adjustment.leave(*key)).count()
}

/// The register of a cell.
fn register(cpa: &CompositeCpa<'_>, cell: CellId) -> Option<(VarId, KeyId)> {
    let key = cpa.value.cells.cells[cell].key;
    match cpa.value.cells.key_of(key) {
        Key::Register(var) => Some((var, key)),
        Key::Memory(..) | Key::Whole(_) => None,
    }
}

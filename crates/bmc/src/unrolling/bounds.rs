//! Which bound comes behind one that was too small, and which one covers all runs.

use super::prune::Pruner;
use super::unroll::{Bound, Unroller};
use base::{Budget, Effort, Stop};
use cfa::Program;
use domains::strategy::Strategies;
use task::Task;

/// Effort to look for a bound that covers all runs: what can be unwound at once.
const COVERING: Effort = Effort::thousands(100);
/// The largest bound that is looked at, and the most edges that an unrolling to it may have.
const COVERING_BOUND: u32 = 256;
const COVERING_STEPS: u64 = 10_000;
/// The most terms that it may have.
const COVERING_TERMS: usize = 20_000;

/// The second bound of programs with contracts: their loops are those of quantifiers, and leave nothing to be found before they have ended.
const CONTRACTS_BOUND: u32 = 260;

/// The next bound; `None` behind the last one.
pub(super) fn next(program: &Program, unwind: u32) -> Option<u32> {
    match unwind {
        ..CONTRACTS_BOUND if program.has_contracts => Some(CONTRACTS_BOUND),
        _ => unwind.checked_mul(2),
    }
}

/// The least power of two to which all loops can be unwound so that none goes on, as far as simplification shows it; `None` if that takes more
/// than a moment.
///
/// # Errors
/// When the run has to end.
pub(super) fn covering(task: &Task<'_, '_>, strategies: &Strategies, budget: &Budget) -> Result<Option<u32>, Stop> {
    let moment = budget.within(COVERING);
    let mut unwind = 1;
    while unwind <= COVERING_BOUND {
        let Ok(mut enc) = task.encoder() else { return Ok(None) };
        let bound = Bound { unwind, free_steps: COVERING_STEPS };
        let pruner = Pruner::new(task.incremental, &moment);
        match Unroller::new(&mut enc, task.wto, strategies, bound, pruner, &moment).run(task.observer) {
            Ok(found) if found.cuts.is_empty() => return Ok(Some(unwind)),
            Ok(found) if found.steps > COVERING_STEPS || enc.terms.len() > COVERING_TERMS => return Ok(None),
            Ok(_) => unwind *= 2,
            Err(_) => {
                budget.check()?;
                return Ok(None);
            }
        }
    }
    Ok(None)
}

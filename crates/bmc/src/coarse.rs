//! What becomes of an analysis that is never refined, and whose domain can't exclude some target.

use crate::residual;
use crate::unrolling::Unwind;
use analysis::{Cpa, Reachability, Target, edges_to_targets};
use base::{Budget, Effort};
use outcome::{Outcome, StopReason, Verdict};
use task::Task;

/// Most effort for the search.
const MAX_EFFORT: Effort = Effort::thousands(2_000);

/// The outcome for a domain with this name, which can't exclude a target.
pub fn outcome(task: &Task<'_, '_>, domain: &'static str, target: Target) -> Outcome {
    let edge = match target {
        Target::Unmodelled(edge) => Some(edge),
        Target::Violation => None,
    };
    let place = edge.and_then(|edge| task.program.source.place(task.program.edges[edge].span.lo));
    Outcome::unknown(StopReason::TooCoarse { domain, place })
}

/// A violation instead of the outcome `coarse`, if there is one in what the exploration leaves open; it may not have ended yet.
pub fn search<C: Cpa<Precision = ()>>(
    task: &Task<'_, '_>,
    (cpa, reachability): (&mut C, &mut Reachability<C>),
    coarse: Outcome,
    budget: &Budget,
) -> Outcome {
    let limited = budget.within(MAX_EFFORT);
    // Where this ends too early, there are violations that are not looked for.
    while let Ok(Some(_)) = reachability.explore(cpa, &(), &limited) {}
    let Ok(edges) = edges_to_targets(cpa, &reachability.arg) else { return coarse };
    let found = residual::search(task, &edges, Unwind::Doubling, &limited);
    match found.verdict {
        Verdict::False(_) => found,
        _ => budget.stopped().map_or(coarse, |stop| Outcome::unknown(StopReason::from_stop(stop, budget))),
    }
}

//! What becomes of an analysis that is never refined, and whose domain can't exclude some target.

use crate::residual::{self, Search};
use crate::unrolling::Unwind;
use analysis::{Cpa, Reachability, Target, edges_to_targets};
use base::{Budget, Effort};
use outcome::{Outcome, StopReason, Verdict};
use task::Task;

/// Most effort for the search.
const MAX_EFFORT: Effort = Effort::thousands(2_000);

/// The outcome for a domain with this name: a violation, if there is one in what the exploration leaves open. It may not have ended yet;
/// `target` is one that it met.
pub fn outcome<C: Cpa<Precision = ()>>(
    task: &Task<'_, '_>,
    domain: &'static str,
    (cpa, reachability, target): (&mut C, &mut Reachability<C>, Target),
    search: Search,
    budget: &Budget,
) -> Outcome {
    let edge = match target {
        Target::Unmodelled(edge) => Some(edge),
        Target::Violation => None,
    };
    let place = edge.and_then(|edge| task.program.source.place(task.program.edges[edge].span.lo));
    let coarse = Outcome::unknown(StopReason::TooCoarse { domain, place });
    if search == Search::None {
        return coarse;
    }
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

//! Shapes as a verifier: the property holds if no graph leads to a violation, or to what is not modelled. Each proof is checked.

use crate::branch::branchings;
use crate::check::check;
use crate::cpa::ShapeCpa;
use analysis::{Order, Reachability};
use base::Budget;
use bmc::coarse;
use bmc::residual::Search;
use cfa::callgraph::CallGraph;
use cfa::points_to::PointsTo;
use outcome::progress::Event;
use outcome::{Evidence, Outcome, Progress, StopReason, Verdict};
use step::{Blocks, Locations};
use task::{Task, excluded};

/// Verifies with the analysis alone.
pub fn run(
    task: &Task<'_, '_>,
    points_to: &PointsTo,
    search: Search,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    progress.event(Event::Phase("shapes"));
    let calls = CallGraph::new(task.program, Some(points_to));
    let locations = Locations::new(task.program, task.wto, &calls, Blocks::Joins);
    let branchings = branchings(task.program, task.wto, points_to);
    let mut cpa = ShapeCpa::new(task.program, (locations, calls), branchings, task.observer, budget);
    let mut reachability = Reachability::new(Order::ReversePostorder);
    let found = reachability.explore(&mut cpa, &(), budget);
    let mut outcome = match found {
        Err(error) => Outcome::unknown(error.reason(budget)),
        Ok(None) => match check(&mut cpa, &reachability.arg) {
            Ok(Ok(())) => {
                let evidence = Evidence::Abstraction { nodes: reachability.arg.ids().count() as u64 };
                let assumptions = excluded::assumptions(task.program, cpa.undefined.iter().copied());
                Outcome { assumptions, ..Outcome::new(Verdict::True, evidence) }
            }
            Ok(Err(why)) => Outcome::unknown(StopReason::ProofRejected { why }),
            Err(error) => Outcome::unknown(error.reason(budget)),
        },
        Ok(Some((_, target))) => {
            let coarse = coarse::outcome(task, "shape", target);
            match search {
                Search::None => coarse,
                Search::Bounded => coarse::search(task, (&mut cpa, &mut reachability), coarse, budget),
            }
        }
    };
    outcome.stats.count("shape.steps", cpa.steps);
    outcome.stats.count("shape.graphs", reachability.arg.ids().count() as u64);
    outcome
}

//! A numerical domain alone as a verifier: the property holds if no state leads to a violation, or to what is not modelled.

use crate::coarse;
use crate::kinduction::check::{Checked, check_states};
use crate::kinduction::facts::Reg;
use crate::kinduction::known::facts_of;
use crate::kinduction::tell::{Case, tell};
use crate::narrowing::{States, analyse, begin};
use crate::partial;
use crate::residual::Search;
use analysis::{Order, Reachability, Target};
use base::Budget;
use cfa::LocId;
use cfa::points_to::PointsTo;
use domains::numerical::{Cell, Numerical, Place};
use outcome::progress::Event;
use outcome::{Evidence, Invariant, Outcome, Progress, StopReason, Verdict};
use std::collections::BTreeMap;
use task::evidence::ProofCheck;
use task::{Task, excluded};

/// Verifies with the analysis alone.
pub fn run<S: Numerical>(
    task: &Task<'_, '_>,
    points_to: &PointsTo,
    (proof, search): (ProofCheck, Search),
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    progress.event(Event::Phase("bounds"));
    let found: States<S> = match analyse(task, points_to, budget) {
        Ok(found) => found,
        Err(error) => return Outcome::unknown(error.reason(budget)),
    };
    let mut outcome = match found.targets.first() {
        None => {
            let checked = match proof {
                ProofCheck::Skip => Ok(Checked::Proof),
                ProofCheck::Demand => check_states(task, points_to, &found, budget),
            };
            let nodes = found.states.len() as u64;
            match checked {
                Ok(Checked::Proof) => {
                    let evidence = Evidence::Abstraction { nodes };
                    let assumptions = excluded::assumptions(task.program, found.undefined.iter().copied());
                    let invariants = told(&found, task);
                    Outcome { invariants, assumptions, ..Outcome::new(Verdict::True, evidence) }
                }
                Ok(Checked::Rejected(why)) => Outcome::unknown(StopReason::ProofRejected { why }),
                Err(stop) => Outcome::unknown(StopReason::from_stop(stop, budget)),
            }
        }
        Some(first) => {
            let unmodelled = found.targets.iter().find(|target| matches!(target, Target::Unmodelled(_)));
            let coarse = coarse::outcome(task, S::NAME, *unmodelled.unwrap_or(first));
            let partial = partial::proof(task, points_to, &found, proof, budget);
            let outcome = match search {
                Search::None => coarse,
                Search::Bounded => {
                    // What narrowing leaves is no graph.
                    let mut cpa = begin::<S>(task, points_to, budget);
                    let mut reachability = Reachability::new(Order::ReversePostorder);
                    coarse::search(task, (&mut cpa, &mut reachability), coarse, budget)
                }
            };
            Outcome { partial, ..outcome }
        }
    };
    outcome.stats.append(found.stats);
    outcome
}

/// What holds at heads of loops, in the user's words.
fn told<S: Numerical>(found: &States<S>, task: &Task<'_, '_>) -> Vec<Invariant> {
    let mut cases: BTreeMap<LocId, Vec<Case>> = BTreeMap::new();
    for ((calls, loc, _), state) in found.states.iter().filter(|((_, loc, _), _)| task.wto.is_head(*loc)) {
        let reg = |cell: Cell| match cell.place {
            Place::Register(stack, var) => {
                let own = task.program.vars[var].is_global() || found.stacks.get(&stack) == Some(calls);
                own.then_some(Reg::register(stack, var))
            }
            Place::Memory(..) => None,
        };
        let (facts, more) = facts_of(&**state, reg);
        cases.entry(*loc).or_default().push(Case { facts, more });
    }
    tell(task.program, cases)
}

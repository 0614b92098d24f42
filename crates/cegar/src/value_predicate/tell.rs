//! Turns a graph of the product that proves the property into evidence: it is checked, shown, and written as loop invariants.

use super::export::{export, points, uses_predicates};
use crate::predicate::tell::{Told, Wanted};
use crate::value::export::at_locations;
use analysis::{Arg, NodeId};
use base::Budget;
use cfa::EdgeId;
use domains::value_predicate::past::Past;
use domains::value_predicate::{ValuePredicateCpa, ValuePredicateState};
use outcome::{ArgView, Progress, Statistics};
use proof::evidence::{MAX_FOR_INVARIANTS, confirm};
use proof::explain::invariants::invariants;
use proof::explain::view::{mark, view};
use proof::graph::{Next, ProofGraph};
use task::Task;
use task::evidence::{Graph, Invariants, ProofCheck};

/// Checks and tells a proof.
pub fn tell(
    task: &Task<'_, '_>,
    cpa: &mut ValuePredicateCpa<'_, '_>,
    arg: &Arg<ValuePredicateState>,
    wanted: Wanted,
    (budget, progress): (&Budget, &dyn Progress),
    stats: &mut Statistics,
) -> Told {
    let mut told = Told::default();
    if wanted.proof == ProofCheck::Demand {
        told.rejected = confirm(task, || export(cpa, arg), budget, progress, stats);
    }
    if told.rejected.is_some() {
        return told;
    }
    if wanted.invariants == Invariants::List && arg.len() <= MAX_FOR_INVARIANTS {
        let values = |state: &ValuePredicateState| state.values;
        let graph = match uses_predicates(cpa, arg) {
            true => export(cpa, arg),
            false => Ok(at_locations(&cpa.values, arg, values, |loc| task.wto.is_head(loc))),
        };
        told.invariants = graph.map_or(Vec::new(), |graph| invariants(task.program, task.wto, &graph));
    }
    if wanted.graph == Graph::Keep {
        told.graph = export(cpa, arg).ok().map(|graph| Box::new(show(task, cpa, arg, &graph)));
    }
    told
}

/// The graph for reports, where it is no proof; none if the budget has ended.
pub fn explored(
    task: &Task<'_, '_>,
    cpa: &mut ValuePredicateCpa<'_, '_>,
    arg: &Arg<ValuePredicateState>,
    error_path: &[NodeId],
    budget: &Budget,
) -> Option<Box<ArgView>> {
    budget.check().ok()?;
    let graph = export(cpa, arg).ok()?;
    let points = points(cpa, arg);
    let mut shown = show(task, cpa, arg, &graph);
    mark(&mut shown, &points, error_path);
    Some(Box::new(shown))
}

/// The graph for reports.
fn show(
    task: &Task<'_, '_>,
    cpa: &mut ValuePredicateCpa<'_, '_>,
    arg: &Arg<ValuePredicateState>,
    graph: &ProofGraph,
) -> ArgView {
    let points = points(cpa, arg);
    view(task.program, graph, |from, to| match &graph.nodes[from].next {
        Next::Along(lists) => lists.iter().find(|(_, next)| *next == to).map_or(Vec::new(), |(edges, _)| edges.clone()),
        Next::Reach(_) => path(cpa, arg, points[from], points[to]),
        Next::Covered(_) | Next::Call { .. } | Next::Enter(_) | Next::Leave | Next::Open | Next::Refuted => Vec::new(),
    })
}

/// The edges of some path of a block from one node to another one.
fn path(cpa: &mut ValuePredicateCpa<'_, '_>, arg: &Arg<ValuePredicateState>, from: NodeId, to: NodeId) -> Vec<EdgeId> {
    let Past::Point { start, .. } = cpa.pasts.get(arg.state(from).past) else { return Vec::new() };
    let at = cpa.at(&arg.state(to).values);
    let Ok(block) = cpa.predicates.block(start, cpa.predicates.strategies.current()) else { return Vec::new() };
    block.find(at, None).map_or(Vec::new(), |end| block.any_path(end as u32))
}

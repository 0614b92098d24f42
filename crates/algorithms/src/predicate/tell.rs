//! What becomes of a graph over blocks that proves the property: it is checked, shown, and told as loop invariants.

use super::export::{Described, export_with, order};
use crate::bmc::Task;
use crate::evidence::{Graph, Invariants, MAX_FOR_INVARIANTS, ProofCheck, confirm};
use crate::explain::invariants::invariants;
use crate::explain::view::{mark, view};
use crate::proof::graph::ProofGraph;
use analysis::{Arg, NodeId};
use base::Budget;
use domains::predicate::PredicateCpa;
use outcome::{ArgView, Invariant, Progress, Statistics, StopReason};

/// What is wanted of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Whether the graph is part of the outcome.
    pub graph: Graph,
    /// Whether the proof is checked again.
    pub proof: ProofCheck,
    /// Whether loop invariants are part of the outcome.
    pub invariants: Invariants,
}

/// What became of it.
#[derive(Default)]
pub struct Told {
    /// Why it is no proof, if it was checked.
    pub rejected: Option<StopReason>,
    /// The graph for reports.
    pub graph: Option<Box<ArgView>>,
    /// The loop invariants.
    pub invariants: Vec<Invariant>,
}

/// Says where a state is, and what holds there.
pub type Describe<'d, 'p, 'b, S> = dyn Fn(&mut PredicateCpa<'p, 'b>, &S) -> Described + 'd;

/// Checks and tells a proof; `describe` says where a node is and what holds there.
pub fn tell<'p, 'b, S>(
    task: &Task<'_, 'p>,
    cpa: &mut PredicateCpa<'p, 'b>,
    arg: &Arg<S>,
    wanted: Wanted,
    describe: &Describe<'_, 'p, 'b, S>,
    (budget, progress): (&Budget, &dyn Progress),
    stats: &mut Statistics,
) -> Told {
    let mut told = Told::default();
    let lists = wanted.invariants == Invariants::List && arg.len() <= MAX_FOR_INVARIANTS;
    if wanted.proof == ProofCheck::Demand {
        told.rejected = confirm(task, || export_with(cpa, arg, describe), budget, progress, stats);
    }
    if told.rejected.is_some() || !lists && wanted.graph == Graph::Omit {
        return told;
    }
    let Ok(graph) = export_with(cpa, arg, describe) else { return told };
    if lists {
        told.invariants = invariants(task.program, task.wto, &graph);
    }
    if wanted.graph == Graph::Keep {
        told.graph = Some(Box::new(show(task, cpa, arg, describe, &graph)));
    }
    told
}

/// The graph for reports, where it is no proof; none if the budget has ended.
pub fn explored<'p, 'b, S>(
    task: &Task<'_, 'p>,
    cpa: &mut PredicateCpa<'p, 'b>,
    arg: &Arg<S>,
    describe: &Describe<'_, 'p, 'b, S>,
    error_path: &[NodeId],
    budget: &Budget,
) -> Option<Box<ArgView>> {
    budget.check().ok()?;
    let graph = export_with(cpa, arg, describe).ok()?;
    let mut shown = show(task, cpa, arg, describe, &graph);
    mark(&mut shown, &order(arg), error_path);
    Some(Box::new(shown))
}

/// The graph for reports.
fn show<'p, 'b, S>(
    task: &Task<'_, 'p>,
    cpa: &mut PredicateCpa<'p, 'b>,
    arg: &Arg<S>,
    describe: &Describe<'_, 'p, 'b, S>,
    graph: &ProofGraph,
) -> ArgView {
    let order = order(arg);
    view(task.program, graph, |from: usize, to: usize| {
        let (start, strategy, _) = describe(cpa, arg.state(order[from]));
        let Ok(block) = cpa.block(start, strategy) else { return Vec::new() };
        let end = cpa.end_of(&block, arg.node(order[to]).choice);
        end.map_or(Vec::new(), |end| block.any_path(end as u32))
    })
}

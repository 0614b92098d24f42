//! Looks for a violation in the neighbourhood of error paths that are infeasible, although the values do not show it.
//!
//! The edges of such a path make a *path program*, loops included, which is much smaller than the program. Bounded model
//! checking of it finds what needs another number of iterations or another combination of the same branches [loewe13,
//! Sect. III-F, "Precise Counterexample Check"]. When there are more such paths, all edges join it that the graph still
//! needs to get to an error.

use crate::bmc::{self, BmcConfig, Task, Unwind};
use analysis::{AnalysisError, Arg, Cpa, NodeId, Status};
use base::Budget;
use cfa::loops::Wto;
use cfa::strategies::Strategy;
use cfa::{EdgeId, Program};
use domains::composite::{Composite, CompositeCpa};
use outcome::{Counterexample, Evidence, Silent, Verdict};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Searches the program that consists of some of the edges; a counterexample was replayed on the whole program.
pub fn hunt(task: &Task<'_, '_>, edges: &FxHashSet<EdgeId>, budget: &Budget) -> Option<Box<Counterexample>> {
    let exact = |edge: &EdgeId| task.strategies.chosen_by(*edge).is_none_or(|(_, s)| s == Strategy::Base);
    let edges: FxHashSet<EdgeId> = edges.iter().copied().filter(exact).collect();
    let program = restrict(task.program, &edges);
    let wto = Wto::new(&program);
    let task = Task {
        program: &program,
        wto: &wto,
        observer: task.observer,
        strategies: &Arc::default(),
        solver: task.solver,
        incremental: task.incremental,
        may_point_to: task.may_point_to,
        replay: task.replay,
    };
    let outcome = bmc::run(&task, &BmcConfig { unwind: Unwind::Doubling, origins: None }, budget, &Silent);
    match (outcome.verdict, outcome.evidence) {
        (Verdict::False(_), Evidence::Counterexample(found)) => Some(found),
        _ => None,
    }
}

/// The edges of all paths of the graph to targets and to nodes that were not expanded.
///
/// # Errors
/// When the budget ends.
pub fn edges_to_targets(cpa: &mut CompositeCpa<'_>, arg: &Arg<Composite>) -> Result<FxHashSet<EdgeId>, AnalysisError> {
    let mut work: Vec<NodeId> =
        arg.ids().filter(|id| matches!(arg.status(*id), Status::Target | Status::Waiting)).collect();
    let mut seen: FxHashSet<NodeId> = work.iter().copied().collect();
    let mut edges = FxHashSet::default();
    while let Some(id) = work.pop() {
        if let Some(parent) = arg.parent(id) {
            edges.extend(cpa.path(arg.state(parent), arg.node(id).choice)?);
            if seen.insert(parent) {
                work.push(parent);
            }
        }
        work.extend(arg.covers(id).filter(|lower| seen.insert(*lower)));
    }
    Ok(edges)
}

/// The program with these edges only.
fn restrict(program: &Program, edges: &FxHashSet<EdgeId>) -> Program {
    let mut program = program.clone();
    for loc in program.locs.iter_mut() {
        loc.out.retain(|edge| edges.contains(edge));
        loc.inc.retain(|edge| edges.contains(edge));
    }
    program
}

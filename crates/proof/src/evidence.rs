//! Turns the graph that proves an answer into evidence: it is checked, and kept for the report.

use crate::check::{self, Checked};
use crate::graph::ProofGraph;
use analysis::AnalysisError;
use base::Budget;
use outcome::{Event, Progress, Statistics, StopReason};
use std::time::Instant;
use task::Task;

/// Larger graphs are not searched for invariants.
pub const MAX_FOR_INVARIANTS: usize = 5000;

/// Checks the graph that `export` makes; a reason if it is not confirmed.
pub fn confirm(
    task: &Task<'_, '_>,
    export: impl FnOnce() -> Result<ProofGraph, AnalysisError>,
    budget: &Budget,
    progress: &dyn Progress,
    stats: &mut Statistics,
) -> Option<StopReason> {
    progress.event(Event::Phase("check proof"));
    let began = Instant::now();
    let graph = export();
    let nodes = graph.as_ref().map_or(0, |graph| graph.nodes.len());
    let checked = graph.and_then(|graph| check::check(task, &graph, budget));
    stats.time("proof.time", began.elapsed());
    match checked {
        Ok(Checked::Proof { queries }) => {
            stats.count("proof.queries", queries);
            None
        }
        Ok(Checked::Rejected { node, why }) => {
            Some(StopReason::ProofRejected { why: format!("{why}, node {node} of {nodes}") })
        }
        Err(error) => Some(error.reason(budget)),
    }
}

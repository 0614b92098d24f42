//! Turns the graph that proves an answer into evidence: it is checked, and kept for the report.

use crate::check::{self, Checked};
use crate::graph::ProofGraph;
use analysis::AnalysisError;
use base::Budget;
use cfa::EdgeId;
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
    let checked = || {
        let graph = export()?;
        Ok((check::check(task, &graph, budget)?, graph.nodes.len()))
    };
    judge(checked, budget, progress, stats)
}

/// Checks that unwinding every loop and recursion so often covers all runs, with what was selected at the choices of strategies; a reason if that
/// is not confirmed.
pub fn confirm_unwinding(
    task: &Task<'_, '_>,
    (unwind, selected): (u32, Vec<EdgeId>),
    budget: &Budget,
    progress: &dyn Progress,
    stats: &mut Statistics,
) -> Option<StopReason> {
    judge(|| Ok((check::check_unwinding(task, (unwind, selected), budget)?, 1)), budget, progress, stats)
}

/// What a check of a graph of so many nodes comes to.
fn judge(
    checked: impl FnOnce() -> Result<(Checked, usize), AnalysisError>,
    budget: &Budget,
    progress: &dyn Progress,
    stats: &mut Statistics,
) -> Option<StopReason> {
    progress.event(Event::Phase("check proof"));
    let began = Instant::now();
    let checked = checked();
    stats.time("proof.time", began.elapsed());
    match checked {
        Ok((Checked::Proof { queries }, _)) => {
            stats.count("proof.queries", queries);
            None
        }
        Ok((Checked::Rejected { node, why }, nodes)) => {
            Some(StopReason::ProofRejected { why: format!("{why}, node {node} of {nodes}") })
        }
        Err(error) => Some(error.reason(budget)),
    }
}

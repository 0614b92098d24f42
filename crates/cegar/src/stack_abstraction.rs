//! Value analysis of programs with recursion: first with abstracted call stacks ([`crate::bam::stacks`]), then following calls.

use crate::bam;
use crate::value::{self, StackAbstraction, ValueConfig};
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::points_to::PointsTo;
use outcome::{Event, Outcome, Progress, StopReason, Verdict};
use task::Task;

/// Runs the value analysis; `points_to` is of the task's program.
pub fn run(
    task: &Task<'_, '_>,
    points_to: &PointsTo,
    config: &ValueConfig,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    // Blocks have no strategies for loops.
    let abstracts_stacks = config.stacks == StackAbstraction::On && task.strategies.choices.is_empty();
    if abstracts_stacks && CallGraph::new(task.program, Some(points_to)).reaches_recursion(task.program.start) {
        // Following calls, which sees each way through a procedure on its own, may know more, and gets half of the time.
        let own = budget.remaining().map_or_else(|| budget.clone(), |left| budget.within(left / 2));
        let outcome = bam::value::run(task, points_to, config, bam::value::STACKS, None, &own, progress);
        let is_final = match &outcome.verdict {
            Verdict::True | Verdict::False(_) => true,
            Verdict::Unknown(StopReason::ProofRejected { .. } | StopReason::Internal { .. }) => true,
            Verdict::Unknown(_) => budget.check().is_err(),
        };
        if is_final {
            return outcome;
        }
        progress.event(Event::Info("abstract call stacks do not help: following calls".into()));
    }
    value::run(task, points_to, config, budget, progress)
}

//! What states prove that lead to some violations: no run takes the other edges that break the property.

use crate::kinduction::check::{Checked, check_states};
use crate::narrowing::States;
use analysis::Target;
use base::Budget;
use cfa::loops::Wto;
use cfa::points_to::PointsTo;
use cfa::{EdgeId, Observer};
use domains::numerical::Numerical;
use outcome::PartialProof;
use std::collections::BTreeSet;
use task::evidence::ProofCheck;
use task::{Task, excluded};
use transform::end_runs::end_runs;

/// What states prove of a program, if they cover all of its runs.
pub fn proof<S: Numerical>(
    task: &Task<'_, '_>,
    points_to: &PointsTo,
    found: &States<S>,
    check: ProofCheck,
    budget: &Budget,
) -> Option<PartialProof> {
    if !found.targets.iter().all(|target| matches!(target, Target::Violation)) {
        return None;
    }
    let open: BTreeSet<EdgeId> = found.violations.iter().copied().collect::<Option<_>>()?;
    let edges: BTreeSet<EdgeId> = task.observer.breaking(task.program).filter(|edge| !open.contains(edge)).collect();
    if edges.is_empty() || !is_broken_by_one_edge(task.observer) {
        return None;
    }
    if check == ProofCheck::Demand {
        let mut program = task.program.clone();
        end_runs(&mut program, task.observer, &Vec::from_iter(open));
        let wto = Wto::new(&program);
        let checked = check_states(&task.of_part(&program, &wto), points_to, found, budget);
        checked.ok().filter(|checked| *checked == Checked::Proof)?;
    }
    Some(PartialProof { edges, assumptions: excluded::assumptions(task.program, found.undefined.iter().copied()) })
}

/// Whether each event that the observer reacts to breaks the property, wherever it is; otherwise runs may take such an edge and go on.
fn is_broken_by_one_edge(observer: &Observer) -> bool {
    observer.transitions.iter().all(|t| (t.from, t.to) == (Observer::INITIAL, observer.error))
}

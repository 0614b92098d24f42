//! Steps the observer of the property along the runs of a check.

use cfa::observer::ObserverState;
use cfa::{EdgeId, LocId, Op, Pattern};
use task::Task;

/// Location and observer behind an edge; calls enter their function.
pub(super) fn behind(task: &Task<'_, '_>, observer: ObserverState, edge: EdgeId) -> (LocId, ObserverState) {
    let program = task.program;
    let (mut loc, mut observer) = (program.edges[edge].dst, observer);
    if let Op::Call { func, .. } | Op::CallExtern { func, .. } = &program.edges[edge].op {
        let function = &program.functions[*func];
        if let (Op::Call { .. }, Some(body)) = (&program.edges[edge].op, function.body) {
            loc = body.entry;
        }
        observer = step(task, observer, |on| matches!(on, Pattern::Call(name) if *name == function.name));
    }
    if observer != task.observer.error {
        observer = labels(task, observer, loc);
    }
    (loc, observer)
}

/// The observer at a location.
pub(super) fn labels(task: &Task<'_, '_>, observer: ObserverState, loc: LocId) -> ObserverState {
    let labels = &task.program.locs[loc].labels;
    step(task, observer, |on| matches!(on, Pattern::Label(name) if labels.contains(name)))
}

fn step(task: &Task<'_, '_>, state: ObserverState, fits: impl Fn(&Pattern) -> bool) -> ObserverState {
    let fired = task.observer.transitions.iter().find(|t| t.from == state && fits(&t.on));
    fired.map_or(state, |t| t.to)
}

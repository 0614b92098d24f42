//! What a run violates, in words: which event, and what is wrong with the operands of a check.

use crate::fault::Fault;
use crate::lives::Lives;
use cfa::assertion::{asserted, is_failure};
use cfa::{Check, EdgeId, Observer, Op, Program};
use interp::Interpreter;

/// Characters of an asserted expression, or of an operation.
const MAX_TEXT: usize = 120;

/// The violation that a run has come to and where, in the words of counterexamples.
pub fn violation(
    program: &Program,
    observer: &Observer,
    edge: EdgeId,
    state: &Interpreter<'_>,
    lives: &Lives<'_>,
) -> String {
    let what = fault_at(program, observer, edge, state, lives);
    lives.now(edge).map_or(what.clone(), |place| format!("{what} at {place}"))
}

fn fault_at(
    program: &Program,
    observer: &Observer,
    edge: EdgeId,
    state: &Interpreter<'_>,
    lives: &Lives<'_>,
) -> String {
    // A branch leads to a check, directly or through a location without other ways in.
    let branch = match program.locs[program.edges[edge].src].inc[..] {
        [only] if !matches!(program.edges[edge].op, Op::Assume { .. }) => only,
        _ => edge,
    };
    let fault = Fault::at(state, branch, &|object| lives.words(object));
    event_with(program, observer, edge, fault.as_ref().map(|fault| (branch, fault)))
}

/// Which event a run meets that takes this edge, and what is wrong there by the branch that it took last.
pub(crate) fn event_with(
    program: &Program,
    observer: &Observer,
    edge: EdgeId,
    last: Option<(EdgeId, &Fault)>,
) -> String {
    let what = event(program, observer, edge);
    let Some(check) = check_at(program, observer, edge) else { return what };
    let text = || program.source.quote(program.edges[edge].span, MAX_TEXT);
    let operation = check.is_of_operation().then(text).filter(|text| !text.is_empty());
    // A branch of the user's comes from another text.
    let is_of_check = |branch: EdgeId| program.edges[branch].span == program.edges[edge].span;
    let fault = last.filter(|(branch, _)| is_of_check(*branch)).map(|(_, fault)| fault);
    match fault.and_then(|fault| fault.words(operation.as_deref())).or(operation) {
        Some(words) => format!("{what}: {words}"),
        None => what,
    }
}

/// A text that is not too long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// The kind of check that a run breaks which ends with this edge.
pub(crate) fn check_at(program: &Program, observer: &Observer, edge: EdgeId) -> Option<Check> {
    observer.forbidden_labels(program, program.edges[edge].dst).find_map(|label| Check::of_label(label))
}

/// Which event a run meets that takes this edge, such as `reach_error() is called`.
pub(crate) fn event(program: &Program, observer: &Observer, edge_id: EdgeId) -> String {
    let edge = &program.edges[edge_id];
    if let Op::Call { func, .. } | Op::CallExtern { func, .. } = &edge.op
        && observer.forbids_call(program, edge_id)
    {
        return match &*program.functions[*func].name {
            name if is_failure(name) => match asserted(program, edge_id) {
                Some(text) => format!("an assertion fails: {}", shortened(&text)),
                None => "an assertion fails".to_owned(),
            },
            name => format!("{name}() is called"),
        };
    }
    if let Some(check) = check_at(program, observer, edge_id) {
        return check.words().fault.to_owned();
    }
    let label = observer.forbidden_labels(program, edge.dst).next();
    label.map_or_else(|| "the property is violated".to_owned(), |label| format!("label {label} is reached"))
}

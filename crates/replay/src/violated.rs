//! What a run violates, in words: which event, and what is wrong with the operands of a check.

use crate::lives::Lives;
use crate::operands;
use base::Name;
use cfa::assertion::{asserted, is_failure};
use cfa::{Check, EdgeId, Observer, Op, Pattern, Program};
use interp::Interpreter;

/// Characters of an asserted expression.
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
    let what = event(program, observer, edge);
    if check_at(program, observer, edge).is_none() {
        return what;
    }
    // A branch leads to a check, directly or through a location without other ways in.
    let cond = |edge: EdgeId| match program.edges[edge].op {
        Op::Assume { cond, .. } => Some(cond),
        _ => None,
    };
    let before = match program.locs[program.edges[edge].src].inc[..] {
        [only] => cond(only),
        _ => None,
    };
    let fault = cond(edge).or(before).and_then(|cond| operands::fault(state, cond, &|object| lives.words(object)));
    fault.map_or(what.clone(), |fault| format!("{what}: {fault}"))
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
    let labels = program.locs[program.edges[edge].dst].labels.iter();
    let forbidden = |label: &Name| observer.transitions.iter().any(|t| t.on == Pattern::Label(label.clone()));
    labels.filter(|label| forbidden(label)).find_map(|label| Check::of_label(label))
}

/// Which event a run meets that takes this edge, such as `reach_error() is called`.
pub(crate) fn event(program: &Program, observer: &Observer, edge_id: EdgeId) -> String {
    let forbidden = |pattern: &Pattern| observer.transitions.iter().any(|t| t.to == observer.error && &t.on == pattern);
    let edge = &program.edges[edge_id];
    if let Op::Call { func, .. } | Op::CallExtern { func, .. } = &edge.op {
        let name = &program.functions[*func].name;
        if forbidden(&Pattern::Call(name.clone())) {
            return match &**name {
                name if is_failure(name) => match asserted(program, edge_id) {
                    Some(text) => format!("an assertion fails: {}", shortened(&text)),
                    None => "an assertion fails".to_owned(),
                },
                name => format!("{name}() is called"),
            };
        }
    }
    if let Some(check) = check_at(program, observer, edge_id) {
        return check.words().fault.to_owned();
    }
    let label = program.locs[edge.dst].labels.iter().find(|label| forbidden(&Pattern::Label((*label).clone())));
    label.map_or_else(|| "the property is violated".to_owned(), |label| format!("label {label} is reached"))
}

//! A proof is checked by what it claims: its graphs hold the initial one, and all that follow. How they were found does not count.

use crate::cpa::{Key, Reached, ShapeCpa};
use analysis::{AnalysisError, Arg, Cpa, Status};
use rustc_hash::FxHashMap;

/// Whether the graphs of all nodes are closed under successors, none of which is a target; `Err` inside says where not.
///
/// # Errors
/// When the budget ends.
pub fn check(cpa: &mut ShapeCpa<'_>, arg: &Arg<Reached>) -> Result<Result<(), String>, AnalysisError> {
    let mut graphs: FxHashMap<Key, Vec<&Reached>> = FxHashMap::default();
    let expanded: Vec<&Reached> =
        arg.ids().filter(|node| arg.status(*node) == Status::Expanded).map(|node| arg.state(node)).collect();
    for state in &expanded {
        graphs.entry(cpa.key(state)).or_default().push(state);
    }
    let is_held = |cpa: &ShapeCpa<'_>, state: &Reached| {
        graphs.get(&cpa.key(state)).into_iter().flatten().any(|upper| state.graph.leq(&upper.graph))
    };
    let initial = cpa.initial(&());
    if !is_held(cpa, &initial) {
        return Ok(Err("the initial state is in no graph".into()));
    }
    let mut out = Vec::new();
    for (node, state) in expanded.iter().enumerate() {
        let of = || format!("graph {node} of {}", expanded.len());
        cpa.transfer(state, &(), &mut out)?;
        for successor in out.drain(..) {
            if successor.target.is_some() {
                return Ok(Err(format!("a run from {} reaches the error", of())));
            }
            if !is_held(cpa, &successor.state) {
                return Ok(Err(format!("a run from {} leaves all graphs", of())));
            }
        }
    }
    Ok(Ok(()))
}

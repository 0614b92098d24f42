//! Undefined behaviour that a proof leaves out, and lists ([`cfa::Undefined::is_excluded`]).

use cfa::{EdgeId, Program};
use outcome::{Assumption, AssumptionKind};

/// What a proof takes for granted if runs may meet undefined behaviour on these edges.
pub fn assumption(program: &Program, edges: impl IntoIterator<Item = EdgeId>) -> Option<Assumption> {
    let mut places: Vec<_> =
        edges.into_iter().filter_map(|edge| program.source.place(program.edges[edge].span.lo)).collect();
    places.dedup();
    let text = "runs that meet undefined behaviour end there; what a machine does afterwards is not covered".to_owned();
    (!places.is_empty()).then_some(Assumption { kind: AssumptionKind::UndefinedBehaviour, text, places })
}

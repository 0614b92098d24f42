//! Undefined behaviour that a proof leaves out, and lists ([`cfa::Undefined::is_excluded`]).

use cfa::{EdgeId, Op, Program, Undefined};
use outcome::{Assumption, AssumptionKind};

const ENDS: &str = "runs that meet undefined behaviour end there; what a machine does afterwards is not covered";
const LARGE: &str = "no more memory than is modelled is allocated at once";

/// What a proof takes for granted if runs may meet undefined behaviour on these edges.
pub fn assumptions(program: &Program, edges: impl IntoIterator<Item = EdgeId>) -> Vec<Assumption> {
    let is_large = |edge: &EdgeId| program.edges[*edge].op == Op::Undefined(Undefined::LargeAllocation);
    let (large, others): (Vec<_>, Vec<_>) = edges.into_iter().partition(is_large);
    let lists = [(AssumptionKind::UndefinedBehaviour, ENDS, others), (AssumptionKind::Other, LARGE, large)];
    let mut found = Vec::new();
    for (kind, text, edges) in lists {
        let mut places: Vec<_> =
            edges.into_iter().filter_map(|edge| program.source.place(program.edges[edge].span.lo)).collect();
        places.dedup();
        if !places.is_empty() {
            found.push(Assumption { kind, text: text.to_owned(), places });
        }
    }
    found
}

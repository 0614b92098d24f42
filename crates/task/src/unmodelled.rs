//! Why nothing is known of what happens after an edge.

use cfa::{EdgeId, Op, Program, Undefined, Unsupported};
use encode::EndingKind;
use outcome::StopReason;

/// The reason, for runs that end this way at an edge.
pub fn reason(program: &Program, edge: EdgeId, kind: EndingKind) -> StopReason {
    let place = program.source.place(program.edges[edge].span.lo);
    match kind {
        EndingKind::Construct(id) => {
            let mut reason = construct(program, &program.unsupported[id]);
            if let StopReason::Unsupported { place: known, .. } = &mut reason {
                *known = known.take().or(place);
            }
            reason
        }
        EndingKind::Unsupported(what) => {
            StopReason::Unsupported { construct: what.into(), detail: String::new(), place }
        }
        EndingKind::Undefined(what) => StopReason::Undefined { what: cfa::display::undefined(what).to_owned(), place },
    }
}

/// The reason, for a construct that is not modelled.
pub fn construct(program: &Program, unsupported: &Unsupported) -> StopReason {
    StopReason::Unsupported {
        construct: unsupported.construct.clone(),
        detail: unsupported.detail.clone(),
        place: program.source.place(unsupported.span.lo),
    }
}

/// The reason, for an edge of which only the operation is known.
pub fn operation(program: &Program, edge: EdgeId) -> StopReason {
    let kind = match &program.edges[edge].op {
        Op::Unsupported(id) => EndingKind::Construct(*id),
        Op::CallPtr { .. } => EndingKind::Unsupported("call through an unresolved pointer"),
        Op::Undefined(what) => EndingKind::Undefined(*what),
        _ => EndingKind::Undefined(Undefined::OutsideWrite),
    };
    reason(program, edge, kind)
}

//! What every algorithm needs of a program beyond its automata: resolved calls, points-to classes, memory regions.

use base::Span;
use cfa::pass::resolve_calls::resolve_calls;
use cfa::pass::simplify_graph::simplify_graph;
use cfa::points_to::PointsTo;
use cfa::regions::Regions;
use cfa::{AllocKind, ExprId, Op, Program};
use encode::ObjectKind;
use outcome::{Assumption, AssumptionKind, Statistics};
use std::time::Instant;

/// A program ready for analysis.
pub struct Prepared {
    /// The program; every call names its function.
    pub program: Program,
    /// What its pointers may point to.
    pub points_to: PointsTo,
    /// The partition of its memory.
    pub regions: Regions,
    /// What call resolution assumed.
    pub assumptions: Vec<Assumption>,
}

const FROM_OUTSIDE: &str = "a call through a pointer from outside returns any value and changes nothing else";
const NEVER_FAILS: &str = "memory allocation never fails";
/// Slices drop `free`, and values are tracked for live objects only.
const NOT_WRITTEN_AFTER: &str = "memory is not written to after it was freed";

/// Adds what is assumed at some places, if there are any.
fn assume(list: &mut Vec<Assumption>, program: &Program, kind: AssumptionKind, text: &str, spans: &[Span]) {
    if spans.is_empty() {
        return;
    }
    let mut places: Vec<_> = spans.iter().filter_map(|span| program.source.place(span.lo)).collect();
    places.retain(|place| !place.file.starts_with('<'));
    places.dedup();
    list.push(Assumption { kind, text: text.to_owned(), places });
}

/// Where operations of a kind are, in order.
fn spans(program: &Program, wanted: impl Fn(&Op) -> bool) -> Vec<Span> {
    let linked = program.locs.iter().flat_map(|loc| &loc.out).map(|edge| &program.edges[*edge]);
    let mut spans: Vec<Span> = linked.filter(|edge| wanted(&edge.op)).map(|edge| edge.span).collect();
    spans.sort();
    spans
}

/// Resolves calls through pointers, drops what can't be reached, and analyses pointers.
pub fn prepare(mut program: Program, stats: &mut Statistics) -> Prepared {
    let began = Instant::now();
    let before = PointsTo::new(&program);
    let resolved = resolve_calls(&mut program, &before);
    simplify_graph(&mut program);
    let points_to = PointsTo::new(&program);
    let regions = Regions::new(&program, &points_to);
    stats.time("prepare.time", began.elapsed());
    let mut assumptions = Vec::new();
    assume(&mut assumptions, &program, AssumptionKind::ExternalFunction, FROM_OUTSIDE, &resolved.assumed);
    let allocations = spans(&program, |op| match op {
        Op::Alloc { kind, .. } => *kind != AllocKind::Stack,
        Op::Realloc { .. } => true,
        _ => false,
    });
    assume(&mut assumptions, &program, AssumptionKind::Other, NEVER_FAILS, &allocations);
    let frees = spans(&program, |op| matches!(op, Op::Free { .. } | Op::Realloc { .. }));
    assume(&mut assumptions, &program, AssumptionKind::UndefinedBehaviour, NOT_WRITTEN_AFTER, &frees);
    Prepared { program, points_to, regions, assumptions }
}

/// Whether a pointer of unknown origin, the value of `expr`, may point into an object of this kind.
pub fn may_point_to(points_to: &PointsTo, expr: ExprId, kind: ObjectKind) -> bool {
    let object = match kind {
        ObjectKind::Global(var) | ObjectKind::Local(var) => cfa::points_to::Object::Var(var),
        ObjectKind::Heap(edge) | ObjectKind::Stack(edge) => cfa::points_to::Object::Alloc(edge),
    };
    points_to.objects(points_to.class_of_address(expr)).binary_search(&object).is_ok()
}

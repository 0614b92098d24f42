//! What answers rest on because of how programs are modelled, whichever analysis gives them.

use base::{Name, Span};
use cfa::backward::can_reach;
use cfa::library::{ASSEMBLER, chooses_locale};
use cfa::loops::Wto;
use cfa::points_to::{ClassId, PointsTo};
use cfa::{AllocKind, Check, Edge, EdgeId, FuncId, HavocSource, Observer, Op, Program};
use clib::library;
use outcome::{Assumption, AssumptionKind};
use std::collections::{BTreeMap, BTreeSet};

const FROM_OUTSIDE: &str = "a call through a pointer from outside returns any value and changes nothing else";
const ASSEMBLER_GIVES: &str = "inline assembler gives any value, also one that no machine computes";
const C_LOCALE: &str =
    "functions that look at bytes, or at numbers in texts, do it as in the C locale, whatever is chosen here";
const NEVER_FAILS: &str = "memory allocation never fails";
const NOT_LOST_BEFORE: &str = "no heap block is lost before runs that never end come here";
/// Slices drop `free`, and values are tracked for live objects only.
const NOT_WRITTEN_AFTER: &str = "memory is not written to after it was freed here";

/// What is assumed of memory and of calls through pointers; `from_outside` are those that functions outside may have given.
pub fn assumptions(program: &Program, points_to: &PointsTo, from_outside: &[Span]) -> Vec<Assumption> {
    let is_allocation = |op: &Op| match op {
        Op::Alloc { kind, .. } => *kind != AllocKind::Stack,
        Op::Realloc { .. } => true,
        _ => false,
    };
    let never_fails = |id: EdgeId| !program.allocation_may_fail && is_allocation(&program.edges[id].op);
    let spans = |is_meant: &dyn Fn(EdgeId) -> bool| -> Vec<Span> {
        live(program).filter(|id| is_meant(*id)).map(|id| program.edges[id].span).collect()
    };
    let lists = [
        (AssumptionKind::ExternalFunction, FROM_OUTSIDE, from_outside.to_vec()),
        (AssumptionKind::ExternalFunction, ASSEMBLER_GIVES, spans(&|id| is_from_assembler(program, id))),
        (AssumptionKind::Other, C_LOCALE, spans(&|id| is_call_of(program, id, chooses_locale))),
        (AssumptionKind::Other, NEVER_FAILS, spans(&never_fails)),
        (AssumptionKind::UndefinedBehaviour, NOT_WRITTEN_AFTER, freed_before_writes(program, points_to)),
        (AssumptionKind::Other, NOT_LOST_BEFORE, endless(program)),
    ];
    let lists = lists.into_iter().filter_map(|(kind, text, spans)| assumed(program, kind, text.to_owned(), spans));
    lists.chain(as_told(program)).collect()
}

/// Whether an edge calls a function without a body that has such a name.
fn is_call_of(program: &Program, edge: EdgeId, is_meant: fn(&str) -> bool) -> bool {
    matches!(program.edges[edge].op, Op::CallExtern { func, .. } if is_meant(&program.functions[func].name))
}

/// Whether an edge gets a value from inline assembler.
fn is_from_assembler(program: &Program, edge: EdgeId) -> bool {
    match program.edges[edge].op {
        Op::Havoc { source, .. } => source == HavocSource::Asm,
        Op::CallExtern { func, dst, .. } => dst.is_some() && &*program.functions[func].name == ASSEMBLER,
        _ => false,
    }
}

/// What lowering was told to take for granted.
fn as_told(program: &Program) -> impl Iterator<Item = Assumption> {
    let mut texts: BTreeMap<&Name, Vec<Span>> = BTreeMap::new();
    for (text, span) in &program.assumed {
        texts.entry(text).or_default().push(*span);
    }
    let kind = AssumptionKind::Other;
    texts.into_iter().filter_map(move |(text, spans)| assumed(program, kind, text.to_string(), spans))
}

/// What is assumed of functions without a body, except for those of C's library and those that violate the property. What the start
/// function calls stands for values that the program is given.
pub fn external_functions(program: &Program, observer: &Observer) -> Vec<Assumption> {
    let mut calls: BTreeMap<FuncId, Vec<Span>> = BTreeMap::new();
    for id in live(program) {
        if let Op::CallExtern { func, .. } = program.edges[id].op
            && program.locs[program.edges[id].src].func != program.start
            && !library::is_known(&program.functions[func].name)
            && observer.step(program, Observer::INITIAL, id) == Observer::INITIAL
        {
            calls.entry(func).or_default().push(program.edges[id].span);
        }
    }
    let text = |func: FuncId| {
        let name = &program.functions[func].name;
        // What begins like this belongs to tools and compilers.
        let hint = if name.starts_with("__") { "" } else { " (add its file?)" };
        let does = if program.outside_writes {
            "it returns any value, and may write to what its pointer arguments lead to, but to nothing else"
        } else {
            "it returns any value and changes nothing else"
        };
        format!("`{name}` has no body{hint}: {does}")
    };
    let kind = AssumptionKind::ExternalFunction;
    let mut list: Vec<_> =
        calls.into_iter().filter_map(|(func, spans)| assumed(program, kind, text(func), spans)).collect();
    list.sort_by(|a, b| a.places.cmp(&b.places));
    list
}

/// Edges that runs can take, as far as the automata tell.
fn live(program: &Program) -> impl Iterator<Item = EdgeId> {
    program.locs.iter().flat_map(|loc| &loc.out).copied()
}

/// An assumption, unless it is about no place of the user's text.
fn assumed(program: &Program, kind: AssumptionKind, text: String, mut spans: Vec<Span>) -> Option<Assumption> {
    spans.sort();
    let mut places: Vec<_> = spans.iter().filter_map(|span| program.source.place(span.lo)).collect();
    places.retain(|place| !place.file.starts_with('<'));
    places.dedup();
    (!places.is_empty()).then_some(Assumption { kind, text, places })
}

/// Where no run gets to its end any more, if what is lost is looked for there.
fn endless(program: &Program) -> Vec<Span> {
    if !program.checks.contains(&Check::Leak)
        || !live(program).any(|id| matches!(program.edges[id].op, Op::Alloc { .. }))
    {
        return Vec::new();
    }
    // Where a check fails, a run ends that breaks the property.
    let is_fault = |id: EdgeId| {
        let labels = &program.locs[program.edges[id].src].labels;
        labels.iter().any(|label| Check::of_label(label).is_some())
    };
    let ends = can_reach(program, |id| program.edges[id].op.ends_path() && !is_fault(id));
    let loops = Wto::new(program);
    let is_endless = |edge: &&Edge| !ends[edge.src] && loops.innermost(edge.src).is_some();
    live(program).map(|id| &program.edges[id]).filter(is_endless).map(|edge| edge.span).collect()
}

/// Where memory is freed that may be written to afterwards.
fn freed_before_writes(program: &Program, points_to: &PointsTo) -> Vec<Span> {
    if program.checks.contains(&Check::Memory) {
        return Vec::new();
    }
    let mut frees: BTreeMap<BTreeSet<ClassId>, Vec<EdgeId>> = BTreeMap::new();
    for id in live(program) {
        if let Op::Free { ptr, kind: AllocKind::Heap } | Op::Realloc { ptr, .. } = program.edges[id].op {
            let classes = points_to.classes_of_objects(ptr).into_iter().collect();
            frees.entry(classes).or_default().push(id);
        }
    }
    let mut spans = Vec::new();
    for (classes, edges) in frees {
        let writes = |id: EdgeId| match &program.edges[id].op {
            Op::Store { addr, .. } => classes.contains(&points_to.class_of_address(*addr)),
            Op::MemCopy { dst, .. } | Op::MemSet { dst, .. } | Op::MemHavoc { dst, .. } => {
                points_to.classes_of_objects(*dst).iter().any(|class| classes.contains(class))
            }
            _ => false,
        };
        let is_before_write = can_reach(program, writes);
        let freed = edges.into_iter().map(|id| &program.edges[id]).filter(|edge| is_before_write[edge.dst]);
        spans.extend(freed.map(|edge| edge.span));
    }
    spans
}

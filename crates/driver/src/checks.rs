//! The checks of a program: the places where a run may break the property, and what became of them where one answer is given for all.

use base::{Name, Span};
use cfa::assertion::asserted;
use cfa::{Check, EdgeId, FuncId, Observer, Op, Program};
use outcome::{CheckResult, Counterexample, Evidence, Outcome, PartialProof, Property, Status, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// Characters of source text that a check quotes.
const MAX_TEXT: usize = 80;

/// A check.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The edges at which runs break it; empty where the automata have none left, because no run gets there.
    pub edges: Vec<EdgeId>,
    /// What it is called, without what became of it.
    described: CheckResult,
}

impl Place {
    /// The check with what became of it.
    pub fn with(&self, status: Status) -> CheckResult {
        CheckResult { status, ..self.described.clone() }
    }

    /// Whether a partial proof says that no run breaks it.
    pub fn is_in(&self, partial: &PartialProof) -> bool {
        self.edges.iter().all(|edge| partial.edges.contains(edge))
    }
}

/// What tells checks apart: the place in the user's text, or the function of the library that has it; and the kind.
type Key = (Span, Option<FuncId>, usize);

/// The checks of a program, in the order of its text. Those of a function of the library are one.
pub(crate) fn of(program: &Program, observer: &Observer) -> Vec<Place> {
    let mut found: BTreeMap<Key, Vec<EdgeId>> = BTreeMap::new();
    for edge in observer.breaking(program) {
        let func = program.locs[program.edges[edge].src].func;
        let span = program.edges[edge].span;
        let property = property_at(program, edge);
        let rank = Property::all().position(|other| other == property).unwrap_or(0);
        let key = if is_of_user(program, span) { (span, None, rank) } else { (Span::NONE, Some(func), rank) };
        found.entry(key).or_default().push(edge);
    }
    let mut places: Vec<Place> =
        found.into_iter().map(|((_, library, _), edges)| place(program, edges, library)).collect();
    places.sort_by(|a, b| order(&a.described).cmp(&order(&b.described)));
    places
}

/// By place; what has none comes last.
fn order(check: &CheckResult) -> (bool, &Option<base::Place>, usize) {
    let rank = Property::all().position(|other| other == check.property).unwrap_or(0);
    (check.place.is_none(), &check.place, rank)
}

/// The same checks in a program of which a part was left out since.
pub(crate) fn that_are_left(mut places: Vec<Place>, program: &Program) -> Vec<Place> {
    let attached: BTreeSet<EdgeId> = program.locs.iter().flat_map(|loc| &loc.out).copied().collect();
    places.iter_mut().for_each(|place| place.edges.retain(|edge| attached.contains(edge)));
    places
}

/// What a run breaks that takes this edge.
fn property_at(program: &Program, edge: EdgeId) -> Property {
    let labels = program.locs[program.edges[edge].dst].labels.iter();
    let is_call = matches!(program.edges[edge].op, Op::Call { .. } | Op::CallExtern { .. });
    let check = labels.filter(|_| !is_call).find_map(|label| Check::of_label(label));
    check.map_or(Property::UnreachCall, Property::Check)
}

fn is_of_user(program: &Program, span: Span) -> bool {
    span != Span::NONE && program.source.place(span.lo).is_some_and(|place| !place.file.starts_with('<'))
}

/// A check at these edges, of the function of the library if it is in one.
fn place(program: &Program, edges: Vec<EdgeId>, library: Option<FuncId>) -> Place {
    let first = edges[0];
    let property = property_at(program, first);
    let func = program.locs[program.edges[first].src].func;
    let mut function = program.functions[func].name.clone();
    let mut span = program.edges[first].span;
    let mut text = asserted(program, first).unwrap_or_default();
    if let Some(library) = library {
        let calls = calls(program, library);
        text = format!("{}()", program.functions[library].name);
        if calls.len() > 1 {
            text += &format!(", called here and at {} more places", calls.len() - 1);
        }
        if let Some(call) = calls.first() {
            span = program.edges[*call].span;
            function = program.functions[program.locs[program.edges[*call].src].func].name.clone();
        }
    } else if text.is_empty() {
        text = program.source.quote(span, MAX_TEXT);
    }
    if func == program.start && library.is_none() {
        function = Name::from("");
    }
    let place = program.source.place(span.lo).filter(|_| is_of_user(program, span));
    Place { edges, described: CheckResult { property, place, function, text, status: Status::Open } }
}

/// The calls by the user's code through which runs come to a function of the library, in the order of the text.
fn calls(program: &Program, library: FuncId) -> Vec<EdgeId> {
    let (mut wanted, mut found) = (vec![library], Vec::new());
    let mut next = 0;
    while let Some(callee) = wanted.get(next).copied() {
        next += 1;
        for edge in program.locs.iter().flat_map(|loc| &loc.out).copied() {
            if !matches!(program.edges[edge].op, Op::Call { func, .. } if func == callee) {
                continue;
            }
            let caller = program.locs[program.edges[edge].src].func;
            if is_of_user(program, program.edges[edge].span) {
                found.push(edge);
            } else if !wanted.contains(&caller) {
                wanted.push(caller);
            }
        }
    }
    found.sort_by_key(|edge| program.edges[*edge].span);
    found
}

/// The check that a run breaks.
pub(crate) fn violated_by(places: &[Place], run: &Counterexample) -> Option<usize> {
    let edge = run.steps.last()?.edge;
    places.iter().position(|place| place.edges.contains(&edge))
}

/// What became of each check where one analysis was asked about all of them.
pub(crate) fn of_outcome(places: &[Place], outcome: &Outcome) -> Vec<CheckResult> {
    let violated = match &outcome.evidence {
        Evidence::Counterexample(run) => violated_by(places, run).map(|at| (at, run)),
        _ => None,
    };
    let status = |(at, place): (usize, &Place)| match (&outcome.verdict, violated) {
        _ if place.edges.is_empty() => Status::Unreachable,
        (Verdict::True, _) => Status::Proved,
        (Verdict::False(_), Some((broken, run))) if broken == at => Status::Violated(run.clone()),
        _ if outcome.partial.as_ref().is_some_and(|partial| place.is_in(partial)) => Status::Proved,
        (Verdict::Unknown(reason), _) => Status::Unknown(reason.clone()),
        (Verdict::False(_), _) => Status::Open,
    };
    places.iter().enumerate().map(|one| one.1.with(status(one))).collect()
}

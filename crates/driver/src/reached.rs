//! Whether a proof says anything: a program without a place where a check could fail, or without a run that gets to one, is proved whatever it does.

use crate::assemble;
use crate::config;
use crate::prepare::{Prepared, prepare};
use crate::trial;
use base::{Budget, Effort, Span};
use cfa::{AllocKind, Check, EdgeId, LocId, Observer, Op, Pattern, Program};
use outcome::{Outcome, Silent, Statistics, Vacuity, Verdict};
use std::collections::BTreeSet;

/// Where a check is decided.
const DECIDED: &str = "check-is-decided";
/// What answers the question whether a run gets to a check.
const ANALYSIS: &str = "k-induction";
/// Most effort for the question whether a run gets to a check.
const EFFORT: Effort = Effort::thousands(2_000);

/// What makes a proof say nothing, if that can be found out. Where the user wrote assertions, they are what matters.
pub fn vacuity(prepared: &Prepared, observer: &Observer, budget: &Budget) -> Option<Vacuity> {
    let (assertions, others) = places(&prepared.program, observer);
    let (places, unreached) = match (assertions.is_empty(), others.is_empty()) {
        (true, true) => return Some(Vacuity::NothingChecked),
        (true, false) => (others, Vacuity::NoRun),
        (false, _) => (assertions, Vacuity::NoAssertion),
    };
    let program = labelled(&prepared.program, places);
    let reached = Observer::never("a check is decided", [Pattern::Label(DECIDED.into())]);
    if trial::reaches(&program, &reached) {
        return None;
    }
    let prepared = prepare(program, &mut Statistics::default());
    let share = budget.within(budget.remaining().map_or(EFFORT, |left| EFFORT.min(left)));
    let config = config::preset(Some(ANALYSIS)).ok()?;
    let Outcome { verdict, .. } = assemble::run(&prepared, &reached, &config, &share, &Silent);
    (verdict == Verdict::True).then_some(unreached)
}

/// Where assertions are decided, and where other checks are.
fn places(program: &Program, observer: &Observer) -> (BTreeSet<LocId>, BTreeSet<LocId>) {
    let is_allocation = |op: &Op| matches!(op, Op::Alloc { kind, .. } if *kind != AllocKind::Stack);
    let edges = || program.locs.iter().flat_map(|loc| &loc.out).copied();
    let allocates = edges().any(|edge| is_allocation(&program.edges[edge].op));
    let (mut assertions, mut others) = (BTreeSet::new(), BTreeSet::new());
    for edge in edges().filter(|edge| observer.step(program, Observer::INITIAL, *edge) != Observer::INITIAL) {
        let mut labels = program.locs[program.edges[edge].dst].labels.iter();
        match labels.find_map(|label| Check::of_label(label)) {
            None => assertions.extend(decided_at(program, edge)),
            // At the end, blocks are counted first.
            Some(Check::Leak | Check::Cleanup) if allocates => {
                let counted = |at: LocId| program.locs[at].inc.first().map_or(at, |before| program.edges[*before].src);
                others.extend(decided_at(program, edge).into_iter().map(counted));
            }
            Some(Check::Leak | Check::Cleanup) => {}
            Some(_) => others.extend(decided_at(program, edge)),
        }
    }
    (assertions, others)
}

/// The branches that lead to a violation alone, or the violation. A condition with several parts has a branch for each of them.
fn decided_at(program: &Program, violation: EdgeId) -> Vec<LocId> {
    let (mut found, mut open) = (Vec::new(), vec![violation]);
    while let Some(edge) = open.pop() {
        let at = program.edges[edge].src;
        let before = program.locs[at].inc.as_slice();
        let is_branched_to = |before: &EdgeId| matches!(program.edges[*before].op, Op::Assume { .. });
        match &program.edges[edge].op {
            Op::Assume { .. } => found.push(at),
            _ if program.locs[at].out.len() == 1 && (before.len() == 1 || before.iter().any(is_branched_to)) => {
                open.extend(before.iter().filter(|edge| before.len() == 1 || is_branched_to(edge)));
            }
            _ => found.push(at),
        }
    }
    found
}

/// The program with a label at each of the places.
fn labelled(program: &Program, places: BTreeSet<LocId>) -> Program {
    let mut labelled = program.clone();
    for place in places {
        // Labels count where a location is entered, and the first one of a program never is.
        let next = labelled.split(place);
        labelled.add_edge(place, next, Op::Skip, Span::NONE);
        labelled.locs[next].labels.push(DECIDED.into());
    }
    labelled
}

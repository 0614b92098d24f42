//! Whether a proof says anything: a program without a place where a check could fail, or without a run that gets to one, is proved whatever it does.

use crate::assemble;
use crate::config;
use crate::prepare::{Prepared, prepare};
use crate::trial;
use base::{Budget, Effort, Id, Span};
use cfa::{AllocKind, Check, EdgeId, LocId, Observer, Op, Pattern, Program};
use outcome::{Counterexample, Evidence, Outcome, Silent, Statistics, Vacuity, Verdict};
use std::collections::BTreeSet;

/// Where a check is decided.
const DECIDED: &str = "check-is-decided";
/// What answers the question whether a run gets to a check.
const ANALYSIS: &str = "k-induction";
/// Most effort for the question whether a run gets to a check.
const EFFORT: Effort = Effort::thousands(4_000);

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

/// For each check, given by the edges at which runs break it, whether it is known that no run gets to it. Runs that are tried, and those that
/// an analysis finds, rule out what they pass.
pub fn unreached(prepared: &Prepared, observer: &Observer, checks: &[Vec<EdgeId>], budget: &Budget) -> Vec<bool> {
    let written = prepared.written();
    let decided =
        |edges: &Vec<EdgeId>| edges.iter().flat_map(|edge| asked_at(written, *edge)).collect::<BTreeSet<LocId>>();
    let places: Vec<BTreeSet<LocId>> = checks.iter().map(decided).collect();
    let passed = trial::passed(written, observer);
    let mut open: Vec<usize> = (0..checks.len()).filter(|check| places[*check].is_disjoint(&passed)).collect();
    let mut unreached = vec![false; checks.len()];
    let Ok(config) = config::preset(Some(ANALYSIS)) else { return unreached };
    let spent = budget.spent();
    while !open.is_empty() && budget.check().is_ok() {
        let left = EFFORT.without(budget.spent().without(spent));
        let all: BTreeSet<LocId> = open.iter().flat_map(|check| places[*check].iter().copied()).collect();
        let asked = prepare(labelled(written, all.clone()), &mut Statistics::default());
        let question = Observer::never("a check is decided", [Pattern::Label(DECIDED.into())]);
        let (inner, _hook) = budget.inner();
        let Outcome { verdict, evidence, .. } = assemble::run(&asked, &question, &config, &inner.within(left), &Silent);
        budget.spend(inner.spent());
        match (verdict, evidence) {
            (Verdict::True, _) => {
                open.iter().for_each(|check| unreached[*check] = true);
                break;
            }
            (Verdict::False(_), Evidence::Counterexample(run)) => {
                let before = open.len();
                let at = passed_by(written, &run, &all);
                open.retain(|check| places[*check].is_disjoint(&at));
                if open.len() == before {
                    break;
                }
            }
            _ => break,
        }
    }
    unreached
}

/// Where a run of the program with labels passes, as far as its steps tell, in the program without.
fn passed_by(program: &Program, run: &Counterexample, labelled: &BTreeSet<LocId>) -> BTreeSet<LocId> {
    let edges = run.steps.iter().filter_map(|step| program.edges.get(step.edge));
    let mut passed: BTreeSet<LocId> = edges.map(|edge| edge.src).collect();
    if let Some(last) = run.steps.last() {
        // The edge to a label may be one that came with it; these were added in the order of the places.
        passed.extend(match program.edges.get(last.edge) {
            Some(edge) => Some(edge.dst),
            None => labelled.iter().nth(last.edge.index() - program.edges.len()).copied(),
        });
    }
    passed
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
            Some(Check::Leak | Check::Cleanup) if !allocates => {}
            Some(_) => others.extend(asked_at(program, edge)),
        }
    }
    (assertions, others)
}

/// Where it is asked whether a check holds: blocks are counted before one of them can be missing.
fn asked_at(program: &Program, violation: EdgeId) -> BTreeSet<LocId> {
    let decided = decided_at(program, violation);
    let mut labels = program.locs[program.edges[violation].dst].labels.iter();
    match labels.find_map(|label| Check::of_label(label)) {
        Some(Check::Leak | Check::Cleanup) => {
            let counted = |at: LocId| program.locs[at].inc.first().map_or(at, |before| program.edges[*before].src);
            decided.into_iter().map(counted).collect()
        }
        _ => decided,
    }
}

/// The branches that lead to a violation alone, or the violation where there are none. Several do so for `assert(a && b)`.
fn decided_at(program: &Program, violation: EdgeId) -> BTreeSet<LocId> {
    let (mut found, mut seen, mut waiting) = (BTreeSet::new(), BTreeSet::new(), vec![violation]);
    while let Some(edge) = waiting.pop() {
        let at = program.edges[edge].src;
        let goes_on = program.locs[at].out.len() == 1 && !program.locs[at].inc.is_empty();
        if matches!(program.edges[edge].op, Op::Assume { .. }) || !goes_on {
            found.insert(at);
            found.extend(operands_before(program, at));
        } else if seen.insert(at) {
            waiting.extend(&program.locs[at].inc);
        }
    }
    found
}

/// Where the operands in front of the last one of a condition are decided: `assert(a || b)` is reached where `a` is asked.
fn operands_before(program: &Program, last: LocId) -> BTreeSet<LocId> {
    let (mut found, mut waiting) = (BTreeSet::new(), vec![last]);
    while let Some(at) = waiting.pop() {
        let Some(own) = condition_at(program, at) else { continue };
        for before in program.locs[at].inc.iter().map(|edge| &program.edges[*edge]) {
            let is_operand = condition_at(program, before.src).is_some_and(|first| {
                let between = program.source.text().get(first.hi as usize..own.lo as usize).unwrap_or_default();
                ["||", "&&"].iter().any(|operator| between.contains(operator))
                    && between.chars().all(|c| c.is_whitespace() || "|&()!".contains(c))
            });
            if is_operand && found.insert(before.src) {
                waiting.push(before.src);
            }
        }
    }
    found
}

/// Where the text has the condition that is decided at a location.
fn condition_at(program: &Program, at: LocId) -> Option<Span> {
    let edge = &program.edges[*program.locs[at].out.first()?];
    matches!(edge.op, Op::Assume { .. }).then_some(edge.span)
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

//! Violation witnesses: confirmed by a run of the original program that follows them to the violation.

use super::{Validated, Validator, Validity, Woven};
use crate::assemble;
use crate::failure::Failure;
use crate::frontend;
use crate::prepare::{Prepared, prepare};
use ::witness::model::{Segment, WaypointKind};
use ::witness::weave::{Mode, PROGRESS, VIOLATED};
use base::Budget;
use cfa::{Observer, Pattern};
use outcome::{Evidence, Outcome, Statistics, Verdict};
use transform::guard_errors::{Guard, Labels, guard_errors};
use transform::prune_counter::prune_counter;

impl Validator<'_> {
    /// Whether a run follows the segments to the violation.
    pub(super) fn violation(&self, segments: &[Segment]) -> Result<Validated, Failure> {
        let original = prepare(frontend::load(&self.case.job, self.progress)?.program, &mut Statistics::default());
        let mut undecided = None;
        let mut stats = Statistics::default();
        let mut never_strictly = false;
        for mode in [Mode::Strict, Mode::Lenient] {
            let stage = match mode {
                Mode::Strict => self.stage(60),
                Mode::Lenient if never_strictly => self.short(),
                Mode::Lenient => self.stage(70),
            };
            let outcome = self.follow(segments, mode, None, &stage, Some(&original))?;
            stats = outcome.stats;
            match (outcome.verdict, outcome.evidence) {
                (Verdict::False(property), Evidence::Counterexample(cex)) => {
                    let confirmed = Validity::Confirmed(Verdict::False(property));
                    return Ok(Validated { run: Some(*cex), stats, ..Validated::new(confirmed) });
                }
                (Verdict::Unknown(reason), _) => undecided = Some(reason),
                _ if mode == Mode::Lenient => undecided = None,
                _ => never_strictly = true,
            }
            if self.budget.check().is_err() {
                break;
            }
        }
        if let Some(reason) = undecided.clone().filter(|_| !never_strictly) {
            return Ok(Validated { stats, ..Validated::new(Validity::Unknown(reason)) });
        }
        let mode = if never_strictly { Mode::Strict } else { Mode::Lenient };
        let why = match self.first_missed(segments, mode) {
            Some(at) => {
                let position = &segments[at].follow.at;
                let column = position.column.map_or(String::new(), |column| format!(":{column}"));
                let what = describe(&segments[at].follow.kind);
                format!(
                    "no run passes waypoint {} of {}, {what} at line {}{column}",
                    at + 1,
                    segments.len(),
                    position.line
                )
            }
            None => "no run follows it to the violation".to_owned(),
        };
        // What was searched to a bound refutes nothing.
        if let Some(reason) = undecided {
            let notes =
                vec![format!("{why}, if runs pass each waypoint when they meet it first; no other run was found")];
            return Ok(Validated { stats, notes, ..Validated::new(Validity::Unknown(reason)) });
        }
        Ok(Validated { stats, ..Validated::new(Validity::Refuted(why)) })
    }

    /// Searches a run that follows the segments; with `until`, one that passes so many of them, whatever comes then.
    fn follow(
        &self,
        segments: &[Segment],
        mode: Mode,
        until: Option<usize>,
        budget: &Budget,
        original: Option<&Prepared>,
    ) -> Result<Outcome, Failure> {
        let observer = &self.case.job.property.observer;
        let labels: Vec<&str> = observer
            .transitions
            .iter()
            .filter_map(|t| match &t.on {
                Pattern::Label(label) => Some(&**label),
                Pattern::Call(_) => None,
            })
            .collect();
        let n = segments.len();
        let Woven { mut program, result: label, .. } = self.woven(|weaver| {
            weaver.violation(&segments[..until.unwrap_or(n)], mode, until)?;
            Ok(weaver.target_label(segments, &labels))
        })?;
        let counter = program.vars.iter_enumerated().find(|(_, var)| &*var.name == PROGRESS).map(|(id, _)| id);
        let Some(counter) = counter else {
            // No function that can be called has a waypoint.
            return Ok(Outcome::new(Verdict::True, Evidence::None));
        };
        let searched = match until {
            Some(_) => Observer::never(observer.property.clone(), [Pattern::Call(VIOLATED.into())]),
            None => {
                let label = label.map(|(function, label)| (function, label, n as u32 - 1));
                // Where an operation breaks a check, the target is the statement around it.
                let labels =
                    if self.case.job.property.checks().is_empty() { Labels::Only(label) } else { Labels::AsCalls };
                guard_errors(&mut program, observer, &Guard { counter, calls_at: n as u32, labels });
                observer.clone()
            }
        };
        if mode == Mode::Lenient {
            prune_counter(&mut program, &searched, counter, n as u32);
        }
        let prepared = prepare(program, &mut Statistics::default());
        let replay = |script| match original {
            None => replay::replay(prepared.written(), &searched, script, budget),
            Some(original) => {
                let (_, tape) = replay::record_tape(prepared.written(), &searched, script, budget)?;
                replay::replay_tape(original.written(), observer, tape, budget)
            }
        };
        Ok(assemble::run_with(&prepared, &searched, &self.runs, budget, self.progress, &replay))
    }

    /// The first segment that no run passes behind the ones before it; `None` if that could not be found out.
    fn first_missed(&self, segments: &[Segment], mode: Mode) -> Option<usize> {
        let budget = self.short();
        let passes = |count: usize| {
            let outcome = self.follow(segments, mode, Some(count), &budget, None).ok()?;
            match outcome.verdict {
                Verdict::True => Some(false),
                Verdict::False(_) => Some(true),
                Verdict::Unknown(_) => None,
            }
        };
        // So many can be passed; so many can't.
        let (mut can, mut cannot) = (0, segments.len());
        while cannot - can > 1 {
            let middle = can.midpoint(cannot);
            if passes(middle)? { can = middle } else { cannot = middle }
        }
        // The target itself is passed by the violation only.
        Some(can)
    }
}

/// A waypoint in words.
fn describe(kind: &WaypointKind) -> String {
    match kind {
        WaypointKind::Assumption(c) => format!("assumption `{}`", c.text),
        WaypointKind::Branch(truth) => format!("branching `{truth}`"),
        WaypointKind::Case(value) => format!("branching `{value}`"),
        WaypointKind::Default => "branching `default`".to_owned(),
        WaypointKind::Enter => "function_enter".to_owned(),
        WaypointKind::Return(Some(c)) => format!("function_return `{}`", c.text),
        WaypointKind::Return(None) => "function_return".to_owned(),
        WaypointKind::Target => "target".to_owned(),
    }
}

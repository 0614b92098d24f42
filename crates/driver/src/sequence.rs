//! Several algorithms for one program: one after another, and in lanes at the same time.
//!
//! Stages without a lane run first and alone, in their order. The others form lanes: stages of a lane run in their order, lanes at
//! the same time, and the first answer stops the others. Where there are fewer threads than lanes, all stages run in their order.
//! The last stage has all the time that is left; others have a share of the effort that is usual in it.

use crate::assemble::Subject;
use crate::config::{Config, Programs, Stage};
use crate::stack::on_stack_beside;
use base::{Budget, Effort, Stop};
use outcome::{Counterexample, Event, Outcome, Statistics, StopReason, Verdict};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

/// Runs stages until one answers. The statistics are those of the stage that ends the run, and the times of all.
pub(crate) fn run(subject: &Subject<'_>, stages: &[Stage], config: &Config, budget: &Budget) -> Outcome {
    let recursive = subject.is_recursive();
    let fits = |stage: &&Stage| recursive || stage.programs == Programs::All;
    let stages: Vec<&Stage> = stages.iter().filter(fits).collect();
    let lanes = lanes(&stages);
    let parallel = lanes.len() > 1 && config.threads.get() >= lanes.len();
    let first: Vec<&Stage> = stages.iter().copied().filter(|stage| !parallel || stage.lane.is_none()).collect();
    let last = if parallel { Last::HasItsShare } else { Last::HasTheRest };
    let begin = in_order(subject, &first, last, config, budget);
    if parallel && begin.is_open() && budget.check().is_ok() {
        side_by_side(subject, &lanes, begin, config, budget)
    } else {
        begin.finish(budget)
    }
}

/// The stages of each lane.
fn lanes<'a>(stages: &[&'a Stage]) -> Vec<Vec<&'a Stage>> {
    let mut numbers: Vec<u32> = stages.iter().filter_map(|stage| stage.lane).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let of = |lane: u32| stages.iter().copied().filter(move |stage| stage.lane == Some(lane)).collect();
    numbers.into_iter().map(of).collect()
}

/// What the last of some stages may take.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    HasTheRest,
    HasItsShare,
}

/// What some stages came to.
#[derive(Default)]
struct Ran {
    /// What ended them; `None` if none has begun.
    outcome: Option<Outcome>,
    /// Its stage.
    name: &'static str,
    /// A run to undefined behaviour that one of the others found.
    run: Option<Box<Counterexample>>,
    /// The others, with what ended them.
    others: Vec<(&'static str, StopReason)>,
    times: Statistics,
}

impl Ran {
    fn is_open(&self) -> bool {
        !matches!(&self.outcome, Some(Outcome { verdict: Verdict::True | Verdict::False(_), .. }))
    }

    /// Makes what ended them a note, because something else comes after.
    fn go_on(&mut self) {
        if let Some(Outcome { verdict: Verdict::Unknown(reason), run, .. }) = self.outcome.take() {
            self.run = self.run.take().or(run);
            self.others.push((self.name, reason));
        }
    }

    fn finish(mut self, budget: &Budget) -> Outcome {
        let none = || Outcome::unknown(StopReason::Internal { detail: "a part of Hone failed".to_owned() });
        let open = self.is_open();
        let mut outcome = self.outcome.unwrap_or_else(none);
        let gave_up =
            matches!(outcome.verdict, Verdict::Unknown(StopReason::TooCoarse { .. } | StopReason::NoProgress));
        // What gives up at the very end of the time is not why there is no answer.
        if let (true, Err(stop)) = (gave_up, budget.check()) {
            let limit = Verdict::Unknown(StopReason::from_stop(stop, budget));
            if let Verdict::Unknown(reason) = std::mem::replace(&mut outcome.verdict, limit) {
                self.others.push((std::mem::take(&mut self.name), reason));
            }
        }
        outcome.stats.append(self.times);
        if let (None, Verdict::Unknown(StopReason::Undefined { .. })) = (&outcome.run, &outcome.verdict) {
            outcome.run = self.run;
        }
        outcome.analysis = Some(self.name).filter(|name| !name.is_empty());
        if open {
            notes(self.others, self.name, &outcome.verdict).into_iter().fold(outcome, Outcome::note)
        } else {
            outcome
        }
    }
}

/// What ended the other stages: one note for each reason. Of an analysis that ran more than once, the last run counts, and of the
/// one whose reason the verdict tells, none.
fn notes(others: Vec<(&'static str, StopReason)>, told: &str, verdict: &Verdict) -> Vec<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (i, (name, reason)) in others.iter().enumerate() {
        if *name == told || others[i + 1..].iter().any(|(later, _)| later == name) {
            continue;
        }
        let reason = reason.to_string();
        match groups.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(name),
            None => groups.push((reason, vec![name])),
        }
    }
    let note = |(reason, names): (String, Vec<&str>)| {
        let names = match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => names.concat(),
        };
        match verdict {
            Verdict::Unknown(own) if own.to_string() == reason => format!("{names} stopped for the same reason"),
            _ => format!("{names} did not decide it: {reason}"),
        }
    };
    groups.into_iter().map(note).collect()
}

/// Runs stages one after another until one answers.
fn in_order(subject: &Subject<'_>, stages: &[&Stage], last: Last, config: &Config, budget: &Budget) -> Ran {
    let mut ran = Ran::default();
    for (i, stage) in stages.iter().enumerate() {
        ran.go_on();
        let began = Instant::now();
        let share = budget.remaining().map(|left| left.percent(stage.share.min(100)));
        let all = last == Last::HasTheRest && i + 1 == stages.len();
        let limit = share.into_iter().chain(stage.at_most.map(Effort::usual_in)).min().filter(|_| !all);
        let limited = limit.map(|effort| budget.within(effort));
        subject.progress.event(Event::Info(format!("{} begins", stage.name)));
        let outcome = subject.run_one(&stage.algorithm, config, limited.as_ref().unwrap_or(budget));
        subject.progress.event(Event::Info(format!("{}: {}", stage.name, outcome.verdict)));
        ran.times.time(stage.name, began.elapsed());
        (ran.outcome, ran.name) = (Some(outcome), stage.name);
        if !ran.is_open() || budget.check().is_err() {
            break;
        }
    }
    ran
}

/// Runs lanes at the same time until one answers, after what `begin` has come to.
fn side_by_side(
    subject: &Subject<'_>,
    lanes: &[Vec<&Stage>],
    mut begin: Ran,
    config: &Config,
    budget: &Budget,
) -> Outcome {
    let winner: Mutex<Option<usize>> = Mutex::default();
    let run_lane = |(number, lane): (usize, &Vec<&Stage>)| {
        let own = budget.beside();
        let began = own.spent();
        let ran = in_order(subject, lane, Last::HasTheRest, config, &own);
        budget.spend(own.spent().without(began));
        if !ran.is_open() {
            let mut winner = winner.lock().unwrap_or_else(PoisonError::into_inner);
            if winner.is_none() {
                *winner = Some(number);
                ran.outcome.iter().for_each(|outcome| subject.announce(outcome));
                budget.stop(Stop::Interrupted);
            }
        }
        ran
    };
    let mut all: Vec<Ran> = thread::scope(|scope| {
        let run_lane = &run_lane;
        let start = |lane| scope.spawn(move || on_stack_beside(|| run_lane(lane)));
        let threads: Vec<_> = lanes.iter().enumerate().map(start).collect();
        // What panicked has told so.
        threads.into_iter().map(|thread| thread.join().ok().flatten().unwrap_or_default()).collect()
    });
    let verdicts = |wanted: fn(&Verdict) -> bool| all.iter().flat_map(|ran| &ran.outcome).any(|o| wanted(&o.verdict));
    if verdicts(|verdict| *verdict == Verdict::True) && verdicts(|verdict| matches!(verdict, Verdict::False(_))) {
        let names: Vec<&str> = all.iter().map(|ran| ran.name).collect();
        let detail = format!("{} contradict each other", names.join(" and "));
        return Outcome::unknown(StopReason::Internal { detail });
    }
    let chosen = winner.into_inner().unwrap_or_else(PoisonError::into_inner).unwrap_or(all.len() - 1);
    let mut result = all.remove(chosen);
    begin.go_on();
    for mut other in all {
        other.go_on();
        begin.times.append(other.times);
        begin.others.append(&mut other.others);
        begin.run = begin.run.or(other.run);
    }
    begin.times.append(std::mem::take(&mut result.times));
    begin.others.append(&mut result.others);
    begin.run = begin.run.or(result.run);
    Ran { outcome: result.outcome, name: result.name, ..begin }.finish(budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_for_each_reason() {
        let coarse = || StopReason::TooCoarse { domain: "value", place: None };
        let limit = || StopReason::Timeout { limit: None };
        let others =
            vec![("a", limit()), ("b", coarse()), ("a", coarse()), ("c", StopReason::NoProgress), ("d", limit())];
        let told = notes(others, "d", &Verdict::Unknown(StopReason::NoProgress));
        assert_eq!(told, ["b and a did not decide it: value domain too coarse", "c stopped for the same reason"]);
    }
}

//! Runs the stages of a sequence: one after another, and in lanes at the same time.
//!
//! Stages without a lane run first and alone, in their order. The others form lanes: stages of a lane run in their order, lanes at
//! the same time, and the first answer stops the others. Where there are fewer threads than lanes, all stages run in their order, and
//! lanes whose turn is still to come have equal parts of the time.
//! The last stage has all the time that is left; others have a share of it. What a stage proves without an answer is left out of the program
//! that those behind it are given ([`Narrowed`]).

use crate::config::{Condition, Limit, Stage};
use crate::narrowed::{Narrowed, with_proved};
use crate::options::Analysis;
use crate::stack::on_stack_beside;
use crate::subject::Subject;
use base::{Budget, Effort, Stop};
use outcome::{Counterexample, Event, Outcome, Statistics, StopReason, Verdict};
use std::cell::LazyCell;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

/// Whether what a stage came to ends the sequence.
pub(crate) type IsAnswer<'a> = &'a (dyn Fn(&Stage, &Outcome) -> bool + Sync);

/// Runs stages until one answers. The statistics are those of the stage that ends the run, and the times of all.
pub(crate) fn run(subject: &Subject<'_>, stages: &[Stage], is_answer: IsAnswer<'_>, budget: &Budget) -> Outcome {
    let (lanes, front): (Vec<&Stage>, Vec<&Stage>) = stages.iter().partition(|stage| stage.lane.is_some());
    let last = if lanes.is_empty() { Last::HasTheRest } else { Last::HasItsShare };
    let mut begin = in_order(subject, &fitting(subject, front), is_answer, last, budget);
    if begin.answered || lanes.is_empty() || budget.check().is_err() {
        return begin.finish(budget);
    }
    let narrowed = begin.narrowed.take();
    let subject = &narrowed.as_ref().map_or(*subject, |narrowed| narrowed.of(subject));
    let stages = fitting(subject, lanes);
    let lanes = by_lane(&stages);
    if lanes.is_empty() {
        return begin.finish(budget);
    }
    let threads = subject.config.options.threads.or_else(|| thread::available_parallelism().ok());
    if lanes.len() > 1 && threads.map_or(1, NonZeroUsize::get) >= lanes.len() {
        side_by_side(subject, &lanes, is_answer, begin, budget)
    } else {
        begin.followed_by(in_order(subject, &stages, is_answer, Last::HasTheRest, budget)).finish(budget)
    }
}

/// The stages whose conditions hold.
fn fitting<'a>(subject: &Subject<'_>, stages: Vec<&'a Stage>) -> Vec<&'a Stage> {
    let recursive = subject.is_recursive();
    let has_contracts = subject.sliced.has_contracts;
    let has_moving_accesses = LazyCell::new(|| subject.has_moving_accesses());
    let fits = |stage: &&Stage| {
        stage.when.iter().all(|condition| match condition {
            Condition::Recursion => recursive,
            Condition::Contracts => has_contracts,
            Condition::NoRecursion => !recursive,
            Condition::AllocatingLoops => subject.has_allocating_loops(),
            Condition::MovingAccesses => *has_moving_accesses,
            Condition::NoMovingAccesses => !*has_moving_accesses,
            Condition::SeveralChecks => subject.has_several_checks(),
            Condition::OneCheck => !subject.has_several_checks(),
        })
    };
    stages.into_iter().filter(fits).collect()
}

/// The stages of each lane.
fn by_lane<'a>(stages: &[&'a Stage]) -> Vec<Vec<&'a Stage>> {
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
    /// Whether that is an answer.
    answered: bool,
    /// Its stage.
    name: &'static str,
    /// Whether it only tried runs, looked at bounds for a moment, or could do nothing for this program: that is no reason that anybody needs
    /// to know.
    was_trial: bool,
    /// A run to undefined behaviour that one of the others found.
    run: Option<Box<Counterexample>>,
    /// The others, with what ended them.
    others: Vec<(&'static str, StopReason)>,
    times: Statistics,
    /// What the last of them has left of the program.
    narrowed: Option<Narrowed>,
}

impl Ran {
    /// Makes what ended them a note, because something else comes after.
    fn go_on(&mut self) {
        if let Some(Outcome { verdict: Verdict::Unknown(reason), run, .. }) = self.outcome.take() {
            self.run = self.run.take().or(run);
            if !self.was_trial {
                self.others.push((self.name, reason));
            }
        }
    }

    /// These stages and others behind them.
    fn followed_by(mut self, next: Ran) -> Ran {
        self.go_on();
        self.times.append(next.times);
        self.others.extend(next.others);
        Ran { run: self.run.or(next.run), others: self.others, times: self.times, ..next }
    }

    fn finish(mut self, budget: &Budget) -> Outcome {
        let none = || Outcome::unknown(StopReason::Internal { detail: "a part of Hone failed".to_owned() });
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
        if !self.answered {
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

/// The effort of the first of some stages, if it has not all that is left.
fn effort(stages: &[&Stage], last: Last, budget: &Budget) -> Option<Effort> {
    let (stage, others) = stages.split_first()?;
    let mut waiting: Vec<u32> =
        others.iter().filter_map(|other| other.lane).filter(|lane| Some(*lane) != stage.lane).collect();
    waiting.sort_unstable();
    waiting.dedup();
    let beside = if stage.lane.is_some() { waiting.len() as u32 } else { 0 };
    let is_last = !others.iter().any(|other| stage.lane.is_none() || other.lane == stage.lane);
    let part = || budget.remaining().map(|left| left / (beside + 1));
    let effort = |limit: &Limit| match limit {
        Limit::Share(_) if is_last && last == Last::HasTheRest => None,
        Limit::Share(percent) => part().map(|part| part.percent(*percent)),
        Limit::Amount(effort) => Some(*effort),
    };
    let own = stage.limits.iter().filter_map(effort);
    own.chain(part().filter(|_| beside > 0)).min()
}

/// Runs stages one after another until one answers.
fn in_order(subject: &Subject<'_>, stages: &[&Stage], is_answer: IsAnswer<'_>, last: Last, budget: &Budget) -> Ran {
    let mut ran = Ran::default();
    for (i, stage) in stages.iter().enumerate() {
        ran.go_on();
        let began = Instant::now();
        let limited = effort(&stages[i..], last, budget).map_or_else(|| budget.clone(), |effort| budget.within(effort));
        let subject = ran.narrowed.as_ref().map_or(*subject, |narrowed| narrowed.of(subject));
        subject.progress.event(Event::Info(format!("{} begins", stage.name)));
        let mut outcome = with_proved(subject.run(&stage.part, &limited), subject.proved);
        outcome.analysis = Some(stage.name);
        subject.progress.event(Event::Info(format!("{}: {}", stage.name, outcome.verdict)));
        ran.times.time(stage.name, began.elapsed());
        ran.answered = is_answer(stage, &outcome);
        let does_not_apply = matches!(outcome.verdict, Verdict::Unknown(StopReason::NotApplicable { .. }));
        ran.was_trial = matches!(stage.part.analysis, Analysis::Testing | Analysis::Octagon) || does_not_apply;
        if let (false, Some(proved)) = (ran.answered, &outcome.partial)
            && Some(proved) != subject.proved
        {
            subject.announce_proved(proved);
            ran.narrowed = Some(Narrowed::new(&subject, proved));
        }
        (ran.outcome, ran.name) = (Some(outcome), stage.name);
        if ran.answered || budget.check().is_err() {
            break;
        }
    }
    ran
}

/// Runs lanes at the same time until one answers, after what `begin` has come to.
fn side_by_side(
    subject: &Subject<'_>,
    lanes: &[Vec<&Stage>],
    is_answer: IsAnswer<'_>,
    begin: Ran,
    budget: &Budget,
) -> Outcome {
    let winner: Mutex<Option<usize>> = Mutex::default();
    let run_lane = |(number, lane): (usize, &Vec<&Stage>)| {
        let own = budget.beside();
        let began = own.spent();
        let ran = in_order(subject, lane, is_answer, Last::HasTheRest, &own);
        budget.spend(own.spent().without(began));
        if ran.answered {
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
    let result = all.remove(chosen);
    all.into_iter().fold(begin, Ran::followed_by).followed_by(result).finish(budget)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{self, Plan};
    use std::collections::BTreeMap;
    use std::time::Duration;

    #[test]
    fn lanes_that_run_one_after_another_share_the_time() {
        let Plan::Sequence(stages) = config::preset(None).expect("the default").plan else { panic!("a sequence") };
        let stages: Vec<&Stage> = stages.iter().filter(|stage| stage.when.is_empty()).collect();
        let budget = Budget::new(Some(Duration::from_secs(60)), None);
        let whole = budget.remaining().expect("a limit");
        let mut spent = BTreeMap::<_, Effort>::new();
        for i in 0..stages.len() {
            let part = effort(&stages[i..], Last::HasTheRest, &budget).or(budget.remaining()).expect("a limit");
            budget.spend(part);
            let lane = spent.entry(stages[i].lane).or_default();
            *lane = lane.plus(part);
        }
        assert!(spent[&Some(1)] > whole.percent(35) && spent[&Some(2)] > whole.percent(35), "{spent:?}");
    }

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

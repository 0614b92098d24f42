//! Checks one program within its limits.

use crate::assemble;
use crate::cache::Cache;
use crate::config::Config;
use crate::failure::Failure;
use crate::frontend::{self, Loaded};
use crate::job::Job;
use crate::kept;
use crate::limits::{Interrupts, Limits, Watchdog};
use crate::prepare::prepare;
use crate::stack::on_large_stack;
use base::{Diagnostic, Stop};
use cfa::Program;
use outcome::{Event, Outcome, Progress, StopReason};
use std::sync::{Arc, Mutex};

/// A program with the answer.
#[derive(Debug)]
pub struct Checked {
    /// The automata; missing after an internal error.
    pub program: Option<Program>,
    /// Warnings and remarks of the front end.
    pub notes: Vec<Diagnostic>,
    /// The answer.
    pub outcome: Outcome,
}

/// Prints an outcome and ends the process, when a run can't be stopped otherwise.
pub type LastWords = Box<dyn Fn(Outcome) + Send>;

/// Checks a job.
///
/// # Errors
/// If the program text is no C program with the entry function, or the folder of the cache can't be used.
pub fn check(
    job: &Job,
    config: &Config,
    limits: Limits,
    interrupts: &Interrupts,
    progress: &dyn Progress,
    last_words: LastWords,
) -> Result<Checked, Failure> {
    let cache = config.cache.as_deref().map(Cache::open).transpose()?.map(Arc::new);
    let budget = limits.budget();
    let known = Arc::new(Mutex::new(Known::default()));
    let tracker = Tracker { known: known.clone(), next: progress };
    let overrun = {
        let budget = budget.clone();
        let known = known.clone();
        move |stop: Stop| last_words(stopped(stop, &budget, &known))
    };
    let watchdog = Watchdog::start(budget.clone(), interrupts.clone(), Box::new(overrun));
    let result: Option<Result<Checked, Failure>> = on_large_stack(|| {
        let Loaded { program, notes, mut stats } = frontend::load(job, &tracker)?;
        let prepared = prepare(program, &mut stats);
        let mut outcome = match budget.check() {
            Ok(()) => match &cache {
                None => assemble::run(&prepared, &job.property.observer, config, &budget, &tracker),
                Some(cache) => kept::run(&prepared, job, config, cache, &budget, &tracker),
            },
            Err(stop) => stopped(stop, &budget, &known),
        };
        let rest = std::mem::replace(&mut outcome.stats, stats);
        outcome.stats.append(rest);
        Ok(Checked { program: Some(prepared.program), notes, outcome })
    });
    let mut checked = result.unwrap_or_else(|| {
        let reason = StopReason::Internal { detail: "a part of Hone failed".to_owned() };
        Ok(Checked { program: None, notes: Vec::new(), outcome: Outcome::unknown(reason) })
    })?;
    checked.outcome.stats.time("time", budget.elapsed());
    checked.outcome.stats.bytes("memory.peak", watchdog.peak_memory());
    Ok(checked)
}

/// Builds the automata of a job, within its limits.
///
/// # Errors
/// If the program text is no C program with the entry function.
pub fn load(job: &Job, progress: &dyn Progress) -> Result<Loaded, Failure> {
    on_large_stack(|| frontend::load(job, progress)).unwrap_or_else(|| {
        let message = format!("{}: internal error in the front end", job.input.name);
        Err(Failure::new(Diagnostic::error("E0099", None, message).help("please report this with the program")))
    })
}

/// What is known of a run that does not come back by itself.
#[derive(Default)]
struct Known {
    phase: Option<&'static str>,
    bound: Option<u32>,
    last: Option<String>,
    answer: Option<Outcome>,
}

/// The outcome of a run that was stopped from outside.
fn stopped(stop: Stop, budget: &base::Budget, known: &Mutex<Known>) -> Outcome {
    let mut outcome = Outcome::unknown(StopReason::from_stop(stop, budget));
    if let Ok(mut known) = known.lock() {
        if let Some(answer) = known.answer.take() {
            return answer;
        }
        if let Some(last) = &known.last {
            outcome = outcome.note(last.clone());
        }
        if let Some(phase) = known.phase {
            let bound = known.bound.map_or(String::new(), |bound| format!(", unwinding {bound} times"));
            outcome = outcome.note(format!("stopped in phase `{phase}`{bound}"));
        }
    }
    outcome.stats.time("time", budget.elapsed());
    outcome
}

/// Remembers what a run tells, and passes it on.
struct Tracker<'a> {
    known: Arc<Mutex<Known>>,
    next: &'a dyn Progress,
}

impl Progress for Tracker<'_> {
    fn event(&self, event: Event) {
        if let Ok(mut known) = self.known.lock() {
            match &event {
                Event::Answered(outcome) => known.answer = Some((**outcome).clone()),
                Event::Phase(phase) => known.phase = Some(phase),
                Event::Bound(bound) => known.bound = Some(*bound),
                Event::Info(text) => known.last = Some(text.clone()),
            }
        }
        self.next.event(event);
    }
}

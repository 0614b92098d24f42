//! Checks one program within its limits.

use crate::assemble;
use crate::cache::Cache;
use crate::checks::{self, Place};
use crate::config::{Config, Invariants};
use crate::every_check;
use crate::failure::Failure;
use crate::frontend::{self, Loaded};
use crate::invariants;
use crate::job::Job;
use crate::kept;
use crate::limits::{GRACE, Interrupts, Limits, Watchdog};
use crate::prepare::{Prepared, resolve};
use crate::reached;
use crate::stack::on_large_stack;
use crate::text_form::Switch;
use base::{Budget, Diagnostic, Effort, Stop};
use cfa::{Observer, Program};
use outcome::{Event, Outcome, PartialProof, Progress, Statistics, StopReason, Verdict};
use std::sync::{Arc, Mutex};
use std::time::Duration;

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

/// How long analyses that another one has overtaken may take to come back, where files are to be written.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long it may take to find out that a proof says nothing.
const WARNING: Duration = Duration::from_secs(3);

/// Most effort for invariants that suffice alone.
const INVARIANTS: Effort = Effort::thousands(5_000);

/// Tells an outcome, of the program if that is known, and ends the process: when a run can't be stopped otherwise.
pub type LastWords = Box<dyn Fn(Outcome, Option<&Program>) + Send>;

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
    refuse_contradiction(config)?;
    let cache = config.options.cache.as_deref().map(Cache::open).transpose()?.map(Arc::new);
    let budget = limits.budget();
    let last_words = Arc::new(Mutex::new(last_words));
    let known = Arc::new(Mutex::new(Known::default()));
    let tracker = Tracker { known: known.clone(), next: progress };
    let overrun = {
        let budget = budget.clone();
        let (known, last_words) = (known.clone(), last_words.clone());
        move |stop: Stop| {
            let outcome = stopped(stop, &budget, &known);
            // Where memory is short, what is known must do without pictures of it.
            let program = known.lock().ok().and_then(|mut known| known.program.take()).filter(|_| stop != Stop::Memory);
            say(&last_words, outcome, program.as_ref());
        }
    };
    let watchdog = Watchdog::start(budget.clone(), interrupts.clone(), patience(config), Box::new(overrun));
    let result: Option<Result<Checked, Failure>> = on_large_stack(|| {
        let Loaded { program, notes, mut stats } = frontend::load(job, &tracker)?;
        let observer = &job.property.observer;
        let resolved = resolve(program);
        let places = checks::of(&resolved.program, observer);
        let prepared = resolved.prepare(&mut stats);
        let places = checks::that_are_left(places, prepared.written());
        if let Ok(mut known) = known.lock() {
            known.stats = stats.clone();
            // Files show it, whatever becomes of the run.
            known.program = (config.invariants == Invariants::Sufficing).then(|| prepared.program.clone());
            known.places.clone_from(&places);
        }
        let each = config.options.every_check == Some(Switch::On);
        let mut outcome = match (budget.check(), &cache) {
            (Err(stop), _) => Outcome { stats: Statistics::default(), ..stopped(stop, &budget, &known) },
            (Ok(()), _) if each => decide_each(&prepared, observer, &places, config, &budget, &tracker),
            (Ok(()), None) => assemble::run(&prepared, observer, config, &budget, &tracker),
            (Ok(()), Some(cache)) => kept::run(&prepared, job, config, cache, &budget, &tracker),
        };
        if !each {
            outcome.checks = checks::of_outcome(&places, &outcome);
        } else if !job.warns {
            outcome.vacuity = None;
        }
        if outcome.verdict == Verdict::True && job.warns && !each {
            tracker.event(Event::Answered(Box::new(outcome.clone())));
            let left = limits.after(budget.elapsed());
            let budget = Limits { time: Some(left.time.map_or(WARNING, |left| left.min(WARNING))), ..left }.budget();
            outcome.vacuity = reached::vacuity(&prepared, observer, &budget);
        }
        let rest = std::mem::replace(&mut outcome.stats, stats);
        outcome.stats.append(rest);
        Ok(Checked { program: Some(prepared.program), notes, outcome })
    });
    let mut checked = result.unwrap_or_else(|| {
        let reason = StopReason::Internal { detail: "a part of Hone failed".to_owned() };
        Ok(Checked { program: None, notes: Vec::new(), outcome: Outcome::unknown(reason) })
    })?;
    let mut memory = watchdog.peak_memory();
    drop(watchdog);
    if config.invariants == Invariants::Sufficing && checked.outcome.verdict == Verdict::True {
        let peak =
            complete(job, config, &limits.after(budget.elapsed()), interrupts, progress, &last_words, &mut checked);
        memory = memory.max(peak);
    }
    given_up(&budget, &mut checked.outcome);
    checked.outcome.stats.count("effort", budget.spent().count());
    checked.outcome.stats.time("time", budget.elapsed());
    checked.outcome.stats.bytes("memory.peak", memory);
    Ok(checked)
}

/// Options that do not go together.
fn refuse_contradiction(config: &Config) -> Result<(), Failure> {
    if config.options.cache.is_some() && config.options.every_check == Some(Switch::On) {
        let message = "`--every-check` and `--cache` do not go together";
        let help = "leave out `--cache`, or give `--every-check=off`";
        return Err(Failure::new(Diagnostic::error("E0033", None, message).help(help)));
    }
    Ok(())
}

/// Decides each check on its own. What one analysis tells of its answer is not the answer of the whole, so it goes no further.
fn decide_each(
    prepared: &Prepared,
    observer: &Observer,
    places: &[Place],
    config: &Config,
    budget: &Budget,
    tracker: &Tracker<'_>,
) -> Outcome {
    let ask = |prepared: &Prepared, effort: Option<Effort>, proved: &every_check::Proved<'_>| {
        let quiet = Unanswered { next: tracker, proved };
        let (inner, _hook) = budget.inner();
        let share = effort.map_or_else(|| inner.clone(), |effort| inner.within(effort));
        let outcome = assemble::run(prepared, observer, config, &share, &quiet);
        budget.spend(inner.spent());
        outcome
    };
    let tell = |outcome: Outcome| tracker.event(Event::Answered(Box::new(outcome)));
    every_check::decide((prepared, observer), places, &ask, (budget, &tell))
}

/// Completes the invariants of a proof in what is left of the time, and tells the memory that this took. The budget of the
/// proof has ended with it, so this has one of its own.
fn complete(
    job: &Job,
    config: &Config,
    limits: &Limits,
    interrupts: &Interrupts,
    progress: &dyn Progress,
    last_words: &Arc<Mutex<LastWords>>,
    checked: &mut Checked,
) -> u64 {
    let Some(program) = &checked.program else { return 0 };
    // The rest is for the files.
    let budget = Limits { time: limits.time.map(|left| left / 4 * 3), ..*limits }.budget();
    let (proved, proved_of, last_words) = (checked.outcome.clone(), program.clone(), last_words.clone());
    let overrun = move |_| say(&last_words, proved.clone(), Some(&proved_of));
    let watchdog = Watchdog::start(budget.clone(), interrupts.clone(), GRACE, Box::new(overrun));
    let mut outcome = checked.outcome.clone();
    let completed = on_large_stack(|| {
        let share = budget.within(budget.remaining().map_or(INVARIANTS, |left| INVARIANTS.min(left / 2)));
        invariants::complete(job, config, program, &mut outcome, &share, progress);
        outcome
    });
    if let Some(completed) = completed {
        checked.outcome = completed;
        given_up(&budget, &mut checked.outcome);
    }
    watchdog.peak_memory()
}

/// Adds what a run has given up to the statistics.
fn given_up(budget: &Budget, outcome: &mut Outcome) {
    for (name, count) in budget.given_up() {
        outcome.stats.count(name, count);
    }
}

/// Files need the automata, so they are worth waiting for.
fn patience(config: &Config) -> Duration {
    match config.invariants {
        Invariants::AsProved => GRACE,
        Invariants::Sufficing => PATIENCE,
    }
}

/// Tells an outcome, from whichever watchdog.
fn say(last_words: &Mutex<LastWords>, outcome: Outcome, program: Option<&Program>) {
    if let Ok(say) = last_words.lock() {
        say(outcome, program);
    }
}

/// Builds the automata of a job, within its limits.
///
/// # Errors
/// If the program text is no C program with the entry function.
pub fn load(job: &Job, progress: &dyn Progress) -> Result<Loaded, Failure> {
    on_large_stack(|| frontend::load(job, progress)).unwrap_or_else(|| {
        let message = format!("{}: internal error in the front end", job.name());
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
    proved: Option<PartialProof>,
    /// Of the front end.
    stats: Statistics,
    program: Option<Program>,
    places: Vec<Place>,
}

impl Known {
    /// Adds to an outcome without an answer what is proved nevertheless, and what the run was doing.
    fn add_to(&mut self, outcome: &mut Outcome) {
        if let Some(proved) = self.proved.take() {
            outcome.assumptions.clone_from(&proved.assumptions);
            outcome.partial = Some(proved);
        }
        if let Some(phase) = self.phase {
            let bound = self.bound.map_or(String::new(), |bound| format!(" at unwinding bound {bound}"));
            let last = self.last.as_ref().map_or(String::new(), |last| format!("; last progress: {last}"));
            outcome.notes.push(format!("stopped while {}{bound}{last}", doing(phase)));
        }
    }
}

/// The outcome of a run that was stopped from outside.
fn stopped(stop: Stop, budget: &Budget, known: &Mutex<Known>) -> Outcome {
    let mut outcome = Outcome::unknown(StopReason::from_stop(stop, budget));
    if let Ok(mut known) = known.lock() {
        match known.answer.take() {
            Some(answer) => outcome = answer,
            None => known.add_to(&mut outcome),
        }
        if outcome.checks.is_empty() {
            outcome.checks = checks::of_outcome(&known.places, &outcome);
        }
        let rest = std::mem::replace(&mut outcome.stats, std::mem::take(&mut known.stats));
        outcome.stats.append(rest);
    }
    outcome.stats.time("time", budget.elapsed());
    outcome
}

/// What a run does in a phase, in words.
fn doing(phase: &str) -> &str {
    match phase {
        "preprocess" => "running the C preprocessor",
        "parse" => "parsing the program",
        "type check" => "checking types",
        "build automata" => "building automata",
        "unwind" => "unwinding loops",
        "solve" => "solving a formula",
        "replay" => "replaying a run",
        "explore" => "exploring abstract states",
        "refine" => "refining the abstraction",
        "shapes" => "exploring shapes of memory",
        "bounds" => "computing bounds of variables",
        "induction" | "step" => "proving by induction",
        "invariants" => "looking for invariants",
        "accelerate" => "accelerating loops",
        "check proof" => "checking a proof",
        other => other,
    }
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
                Event::Proved(proved) => known.proved = Some((**proved).clone()),
                Event::Phase(phase) => known.phase = Some(phase),
                Event::Bound(bound) => known.bound = Some(*bound),
                Event::Info(text) => known.last = Some(text.clone()),
            }
        }
        self.next.event(event);
    }
}

/// Passes on what a round tells but for its answer; what it proves goes elsewhere.
struct Unanswered<'a> {
    next: &'a dyn Progress,
    proved: &'a every_check::Proved<'a>,
}

impl Progress for Unanswered<'_> {
    fn event(&self, event: Event) {
        match event {
            Event::Answered(_) => {}
            Event::Proved(partial) => (self.proved)(&partial),
            event => self.next.event(event),
        }
    }
}

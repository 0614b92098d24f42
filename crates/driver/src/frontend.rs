//! From program text to automata, with the time that each step takes.

use crate::failure::Failure;
use crate::job::Job;
use base::Diagnostic;
use cfa::{MachineModel, Program};
use cfront::machine_model::Machine;
use cfront::preprocess::Source;
use cfront::{parse, preprocess, sema};
use outcome::{Event, Progress, Statistics};
use std::time::{Duration, Instant};

/// A program as automata.
#[derive(Debug)]
pub struct Loaded {
    /// The automata.
    pub program: Program,
    /// Warnings and remarks of the front end, in source order.
    pub notes: Vec<Diagnostic>,
    /// Sizes and times.
    pub stats: Statistics,
}

/// Builds the automata of a job. Recurses as deeply as the program is nested: call it on a large stack.
///
/// # Errors
/// If the text is no C program with the entry function.
pub fn load(job: &Job, progress: &dyn Progress) -> Result<Loaded, Failure> {
    let mut stats = Statistics::default();
    let machine = match job.machine {
        MachineModel::Ilp32 => Machine::Ilp32,
        MachineModel::Lp64 => Machine::Lp64,
    };
    progress.event(Event::Phase("preprocess"));
    let mut clock = Clock::start();
    let options = preprocess::Options { machine, args: &job.preprocessor_args, path: Some(&job.input.path) };
    let mut source = preprocess::preprocess(&job.input.bytes, &job.input.name, &options)?;
    stats.bytes("frontend.text", source.map.text().len() as u64);
    c2cfa::libc::append_to(&mut source);
    stats.time("frontend.preprocess", clock.lap());

    progress.event(Event::Phase("parse"));
    let unit = parse::parse(&source).map_err(|errors| syntax_errors(errors, &source))?;
    stats.time("frontend.parse", clock.lap());

    progress.event(Event::Phase("type check"));
    let (unit, mut notes) = sema::check(unit, source.map.clone(), machine)
        .map_err(|errors| Failure::in_source(errors, source.map.clone()))?;
    stats.time("frontend.types", clock.lap());

    progress.event(Event::Phase("build automata"));
    let options = c2cfa::LowerOptions { machine: job.machine, entry: job.property.entry.clone() };
    let lowered = c2cfa::lower(unit, &options).map_err(|errors| Failure::in_source(errors, source.map))?;
    notes.extend(lowered.notes);
    let program = lowered.program;
    stats.time("frontend.lower", clock.lap());
    stats.count("cfa.functions", program.functions.iter().filter(|f| f.body.is_some()).count());
    stats.count("cfa.locations", program.locs.len());
    stats.count("cfa.edges", program.edges.len());
    stats.count("cfa.unsupported", program.unsupported.len());
    Ok(Loaded { program, notes, stats })
}

/// Errors at the places that they have without the library: an unclosed brace would swallow it.
pub(crate) fn syntax_errors(errors: Vec<Diagnostic>, source: &Source) -> Failure {
    let text = source.map.user_text();
    let offset = text.len() as u32;
    if errors.iter().all(|error| error.span.is_none_or(|span| span.lo < offset)) {
        return Failure::in_source(errors, source.map.clone());
    }
    let mut alone = source.clone();
    alone.map.remove_appended();
    match parse::parse(&alone) {
        Err(errors) => Failure::in_source(errors, alone.map),
        Ok(_) => Failure::in_source(errors, source.map.clone()),
    }
}

/// Measures consecutive steps.
struct Clock {
    last: Instant,
}

impl Clock {
    fn start() -> Self {
        Self { last: Instant::now() }
    }

    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        let time = now - self.last;
        self.last = now;
        time
    }
}

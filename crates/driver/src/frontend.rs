//! From program text to automata, with the time that each step takes.

use crate::failure::Failure;
use crate::input::Input;
use crate::job::Job;
use base::Diagnostic;
use cfa::{MachineModel, Program};
use cfront::machine_model::Machine;
use cfront::preprocess::Source;
use cfront::{parse, preprocess, sema};
use outcome::{Event, Progress, Statistics};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle, available_parallelism};
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
    progress.event(Event::Phase("preprocess"));
    let mut clock = Clock::start();
    let mut source = source(job)?;
    stats.bytes("frontend.text", source.map.text().len() as u64);
    c2cfa::libc::append_to(&mut source);
    stats.time("frontend.preprocess", clock.lap());

    progress.event(Event::Phase("parse"));
    let unit = parse::parse(&source).map_err(|errors| Failure::in_source(errors, source.map.clone()))?;
    stats.time("frontend.parse", clock.lap());

    progress.event(Event::Phase("type check"));
    let (unit, mut notes) = sema::check(unit, source.map.clone(), machine(job.machine))
        .map_err(|errors| Failure::in_source(errors, source.map.clone()))?;
    stats.time("frontend.types", clock.lap());

    progress.event(Event::Phase("build automata"));
    let options =
        c2cfa::LowerOptions { machine: job.machine, entry: job.property.entry.clone(), checks: job.property.checks() };
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

/// The text of a job's program, its files one behind the other. The C preprocessor may run for several of them at a time.
///
/// # Errors
/// Those of the first file that is no C source text.
pub(crate) fn source(job: &Job) -> Result<Source, Vec<Diagnostic>> {
    let preprocess = |input: &Input| {
        let options = preprocess::Options {
            machine: machine(job.machine),
            args: &job.preprocessor_args,
            path: Some(&input.path),
        };
        preprocess::preprocess(&input.bytes, &input.name, &options)
    };
    let (first, rest) = job.inputs.split_first().unwrap_or((job.main(), &[]));
    let mut source = preprocess(first)?;
    for inputs in rest.chunks(available_parallelism().map_or(1, NonZeroUsize::get)) {
        let next: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = inputs.iter().map(|input| scope.spawn(|| preprocess(input))).collect();
            threads.into_iter().map(ScopedJoinHandle::join).collect()
        });
        for next in next {
            source.join(&next.unwrap_or_else(|panic| resume_unwind(panic))?);
        }
    }
    Ok(source)
}

pub(crate) fn machine(model: MachineModel) -> Machine {
    match model {
        MachineModel::Ilp32 => Machine::Ilp32,
        MachineModel::Lp64 => Machine::Lp64,
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

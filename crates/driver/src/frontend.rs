//! From program text to automata, with the time that each step takes.
//!
//! In a circle with `job` and `sources`: it reads what a job names, and sources are parsed to know what a job needs.

use crate::failure::Failure;
use crate::headers;
use crate::input::Input;
use crate::job::{self, Job};
use base::{ByteOrder, Diagnostic, Name};
use cfa::{MachineModel, Program};
use cfront::sema;
use outcome::{Event, Progress, Statistics};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};
use syntax::ast::TranslationUnit;
use syntax::machine_model::{Abi, Machine};
use syntax::preprocess::Source;
use syntax::removal::Removal;
use syntax::{parse, preprocess, stubs};

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
    clib::libc::append_to(&mut source);
    stats.time("frontend.preprocess", clock.lap());

    progress.event(Event::Phase("parse"));
    let (unit, mut notes) = parse(job, &source)?;
    stats.time("frontend.parse", clock.lap());

    progress.event(Event::Phase("type check"));
    let (unit, warnings) = sema::check_contracts(unit, source.map.clone(), abi(job), &job.contracts)
        .map_err(|errors| Failure::in_source(errors, source.map.clone()))?;
    notes.extend(warnings);
    stats.time("frontend.types", clock.lap());

    progress.event(Event::Phase("build automata"));
    let lowered = c2cfa::lower(unit, &job.lower_options()).map_err(|errors| Failure::in_source(errors, source.map))?;
    notes.extend(lowered.notes);
    notes.extend(job.notes.iter().cloned());
    let program = lowered.program;
    stats.time("frontend.lower", clock.lap());
    stats.count("cfa.functions", program.functions.iter().filter(|f| f.body.is_some()).count());
    stats.count("cfa.locations", program.locs.len());
    stats.count("cfa.edges", program.edges.len());
    stats.count("cfa.unsupported", program.unsupported.len());
    Ok(Loaded { program, notes, stats })
}

/// The syntax tree of a job's program, in which stubs stand for what other files define and bodies that are left out are missing, and warnings.
///
/// # Errors
/// If the text is no C program.
pub(crate) fn parse(job: &Job, source: &Source) -> Result<(TranslationUnit, Vec<Diagnostic>), Failure> {
    let mut unit = parse::parse(source).map_err(|errors| Failure::in_source(errors, source.map.clone()))?;
    if job.stubs > 0 {
        stubs::prefer(&mut unit, job.stubs);
    }
    let is_stub = job.inputs.iter().map(job::is_of_proof).collect();
    let missing = Removal { functions: &job.remove_bodies, is_stub }.remove_bodies(&mut unit, &source.map);
    let warning = |name: Name| {
        let message = format!("--remove-body {name}: no file but those of the proof itself defines this function");
        Diagnostic::warning("W0003", None, message)
    };
    Ok((unit, missing.into_iter().map(warning).collect()))
}

/// The text of a job's program, its files one behind the other. The C preprocessor may run for several of them at a time.
///
/// # Errors
/// Those of the first file that is no C source text.
pub(crate) fn source(job: &Job) -> Result<Source, Vec<Diagnostic>> {
    let next = AtomicUsize::new(0);
    // Each thread takes the next file when it is done with one.
    let preprocess = || {
        let mut sources = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(input) = job.inputs.get(number) else { return sources };
            let source = preprocessed(job, input, job.preprocessor_args[number].as_slice());
            if source.is_err() {
                next.store(job.inputs.len(), Ordering::Relaxed);
            }
            sources.push((number, source));
        }
    };
    let threads = available_parallelism().map_or(1, NonZeroUsize::get).min(job.inputs.len());
    let mut sources: Vec<(usize, Result<Source, _>)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(preprocess)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    sources.sort_unstable_by_key(|(number, _)| *number);
    let sources: Vec<Source> = sources.into_iter().map(|(_, source)| source).collect::<Result<_, _>>()?;
    let mut sources = sources.into_iter();
    let mut source = sources.next().unwrap_or_else(|| preprocess::source_from_text("", ""));
    for next in sources {
        source.join(&next);
    }
    Ok(source)
}

/// The text of one file, with arguments of its own for the C preprocessor. Where the system or the compiler has no headers for the machine,
/// Hone's own are used.
///
/// # Errors
/// If it is no C source text.
pub(crate) fn preprocessed(job: &Job, input: &Input, args: &[String]) -> Result<Source, Vec<Diagnostic>> {
    let is_for_machine = preprocess::is_compiler_for(&job.compiler, machine(job), job.byte_order);
    let without_system = args.iter().any(|arg| arg == "-nostdinc") || !is_for_machine;
    let mut options = preprocess::Options {
        compiler: &job.compiler,
        machine: machine(job),
        byte_order: job.byte_order,
        args,
        // A text that lies in no file has no path.
        path: Some(input.path.as_path()).filter(|path| !path.as_os_str().is_empty()),
        headers: None,
        annotations: job.annotations,
    };
    let preprocess = |options: &preprocess::Options<'_>| preprocess::preprocess(&input.bytes, &input.name, options);
    let first = if without_system { None } else { Some(preprocess(&options)) };
    match first {
        Some(Ok(source)) => Ok(source),
        Some(Err(errors)) if !errors.iter().any(preprocess::is_about_headers) => Err(errors),
        first => {
            let folder = headers::folder();
            options.headers = folder.as_deref();
            if !is_for_machine && folder.is_none() {
                let message = format!("there is no folder for headers for the data model {}", job.data_model());
                let help = "set HOME or XDG_CACHE_HOME to a folder that can be written";
                return Err(vec![Diagnostic::error("E0103", None, message).help(help)]);
            }
            let again = if folder.is_some() || first.is_none() { preprocess(&options) } else { Err(Vec::new()) };
            // What is missing with Hone's headers was missing with the system's, whose message says where it was looked for.
            again.map_err(|errors| first.and_then(Result::err).unwrap_or(errors))
        }
    }
}

/// How types are represented in a job's program.
pub(crate) fn abi(job: &Job) -> Abi {
    Abi { byte_order: job.byte_order, qualifiers: job.environment.needs_qualifiers(), ..job.types.abi(machine(job)) }
}

fn machine(job: &Job) -> Machine {
    match job.machine {
        // No big-endian machine is i386.
        MachineModel::Ilp32 if job.byte_order == ByteOrder::Big => Machine::Aligned32,
        MachineModel::Ilp32 => Machine::Ilp32,
        MachineModel::Lp64 => Machine::Lp64,
        MachineModel::Llp64 => Machine::Llp64,
        MachineModel::Lp32 => Machine::Lp32,
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

//! `hone check`: one program after the other, a report for each.

use crate::args::{CheckArgs, ReportFormat};
use crate::diagnostics::{self, Style};
use crate::exit_code::ExitCode;
use crate::files;
use crate::output;
use crate::progress::ProgressLine;
use crate::project;
use crate::resolve;
use base::Diagnostic;
use cfa::Program;
use driver::run::Checked;
use driver::witness::Made;
use driver::{Config, Failure, Interrupts, Job, Limits, job, limits};
use outcome::{Outcome, StatValue, Verdict};
use report::Subject;
use report::json::{self, Layout};
use report::sarif;
use report::text::{self, Detail, Stats};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use witness::Content;

/// Time that is worth a note.
const LONG: Duration = Duration::from_secs(1);

/// Checks every program; `given` are the options of the command with their values, for reports.
///
/// # Errors
/// If the options or files don't fit. What is wrong with a program is shown here, and the next one's turn comes.
pub fn run(args: &CheckArgs, verbose: u8, given: Vec<(String, String)>) -> Result<ExitCode, Failure> {
    project::refuse_options(args)?;
    let config = resolve::config(args)?;
    let options: Vec<_> = given.into_iter().chain(config.settings()).collect();
    let interrupts = Interrupts::install();
    let mut code = ExitCode::True;
    let programs = job::programs(&args.files)?;
    for (index, files) in programs.iter().enumerate() {
        let reporter = Reporter::new(args, &options, verbose, (index, programs.len()));
        let result = check(args, &config, files, &interrupts, reporter).unwrap_or_else(|failure| {
            output::failure(&failure);
            ExitCode::Usage
        });
        code = code.join(result);
        if interrupts.seen() {
            break;
        }
    }
    Ok(code)
}

fn check(
    args: &CheckArgs,
    config: &Config,
    files: &[PathBuf],
    interrupts: &Interrupts,
    reporter: Reporter,
) -> Result<ExitCode, Failure> {
    let job = Job::read(files, args.property.as_deref(), &resolve::source(&args.source))?;
    let subject = resolve::subject(&job, config);
    reporter.prepare()?;
    let progress = ProgressLine::start(&subject.file);
    let last_words = {
        let (subject, reporter, job) = (subject.clone(), reporter.clone(), job.clone());
        let none = Rest { limits: Limits { time: Some(Duration::ZERO), memory: None }, interrupts: interrupts.clone() };
        let is_shown = progress.is_shown();
        move |outcome: Outcome, program: Option<&Program>| {
            // The progress line is left as it is: its thread may hold locks.
            if is_shown {
                output::stderr("\n");
            }
            let program = program.map(|program| (program, &job));
            let code = reporter.report(&subject, &outcome, program, &none).unwrap_or(ExitCode::Usage);
            limits::exit_now(i32::from(code.number()));
        }
    };
    let limits = resolve::limits(&args.limits);
    let began = Instant::now();
    let result = driver::run::check(&job, config, limits, interrupts, &progress, Box::new(last_words));
    progress.clear();
    let Checked { program, notes, outcome } = result?;
    // Who forgets a header has not checked what it declares, such as `assert`; who misspells a function has not left it out.
    let is_shown = |note: &&Diagnostic| {
        reporter.detail == Detail::Full || note.code == "W0003" || (note.code == "W0201" && note.help.is_some())
    };
    let notes: Vec<Diagnostic> = notes.iter().filter(is_shown).cloned().collect();
    output::diagnostics(&notes, program.as_ref().map(|program| &program.source));
    let rest = Rest { limits: limits.after(began.elapsed()), interrupts: interrupts.clone() };
    reporter.report(&subject, &outcome, program.as_ref().map(|program| (program, &job)), &rest)
}

/// What files may take.
struct Rest {
    limits: Limits,
    interrupts: Interrupts,
}

/// Knows how and where outcomes are shown.
#[derive(Clone)]
struct Reporter {
    format: ReportFormat,
    layout: Layout,
    detail: Detail,
    stats: Stats,
    folder: Option<PathBuf>,
    witness: Option<PathBuf>,
    options: Vec<(String, String)>,
}

impl Reporter {
    fn new(args: &CheckArgs, options: &[(String, String)], verbose: u8, (index, programs): (usize, usize)) -> Self {
        let several = programs > 1;
        Self {
            format: args.format,
            layout: if several { Layout::Line } else { Layout::Pretty },
            detail: if verbose > 0 { Detail::Full } else { Detail::Screenful },
            stats: if args.stats { Stats::Show } else { Stats::Hide },
            folder: args
                .output
                .as_ref()
                .map(|folder| if several { folder.join((index + 1).to_string()) } else { folder.clone() }),
            witness: args.witness.clone().filter(|_| index == 0),
            options: options.to_vec(),
        }
    }

    /// Makes sure that what is asked for can be written, before the work of a long run.
    fn prepare(&self) -> Result<(), Failure> {
        self.folder.as_deref().map_or(Ok(()), files::prepare_folder)?;
        self.witness.as_deref().map_or(Ok(()), files::prepare_witness)
    }

    /// Writes the files first, so that they are complete when the verdict is read.
    fn report(
        &self,
        subject: &Subject,
        outcome: &Outcome,
        program: Option<(&Program, &Job)>,
        rest: &Rest,
    ) -> Result<ExitCode, Failure> {
        let mut trouble = None;
        let wanted = program.filter(|_| self.folder.is_some() || self.witness.is_some());
        let made = wanted.and_then(|(program, job)| {
            limits::keeping(&rest.limits, &rest.interrupts, |budget| {
                driver::witness::make(job, &subject.config, program, outcome, budget)
            })
        });
        let outcome = &notes_on_files(outcome, made.as_ref());
        if let Some(folder) = &self.folder {
            trouble = files::write_all(folder, subject, outcome, program, made.as_ref(), &self.options).err();
        }
        if let (Some(path), Some(made)) = (&self.witness, &made) {
            trouble = files::write_witness(path, made).err().or(trouble);
        }
        output::stdout(&match self.format {
            ReportFormat::Human => text::render(subject, outcome, self.detail, self.stats),
            ReportFormat::Json => json::render(subject, outcome, self.layout),
            ReportFormat::Sarif => sarif::render(subject, outcome),
        });
        if let Some(failure) = trouble {
            for diagnostic in &failure.diagnostics {
                output::stderr(&diagnostics::render(diagnostic, None, Style::of_stderr()));
            }
            // The verdict stands, but who wants files would miss them.
            return Ok(ExitCode::Usage);
        }
        Ok(ExitCode::from(&outcome.verdict))
    }
}

/// The outcome with notes on what the files cost, and what they do not say.
fn notes_on_files(outcome: &Outcome, made: Option<&Made>) -> Outcome {
    let mut outcome = outcome.clone();
    let time = outcome.stats.values.iter().find_map(|(name, value)| match value {
        StatValue::Time(time) if *name == "invariants.time" => Some(*time),
        _ => None,
    });
    if let Some(time) = time.filter(|time| *time >= LONG) {
        let time = text::duration(time);
        outcome.notes.push(format!(
            "after the proof, {time} went into invariants for the witness: --output and --witness ask for one"
        ));
    }
    let is_empty = matches!(made.map(|made| &made.content), Some(Content::Invariants(claims))
        if claims.invariants.is_empty() && claims.contracts.is_empty());
    if is_empty && outcome.verdict == Verdict::True {
        outcome
            .notes
            .push("the witness states no invariants: who checks it has to prove the program without".to_owned());
    }
    outcome
}

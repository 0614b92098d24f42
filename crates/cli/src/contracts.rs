//! `hone contracts`: proves a program, and writes what the proof tells of loops and functions into its text.

use crate::args::ContractsArgs;
use crate::exit_code::ExitCode;
use crate::files;
use crate::output;
use crate::progress::ProgressLine;
use crate::resolve;
use cfa::Program;
use driver::contracts::{Annotated, Style, annotate};
use driver::loops::diff;
use driver::run::Checked;
use driver::{Failure, Interrupts, Job, config, limits};
use outcome::{Outcome, Verdict};
use report::text::{self, Detail, Stats};
use std::time::Instant;

/// Checks a program; after a proof, prints the changes as a patch, or writes the changed files.
///
/// # Errors
/// If a file can't be read or written, or an option does not fit.
pub fn run(args: &ContractsArgs) -> Result<ExitCode, Failure> {
    let mut config = config::preset(args.config.as_deref())?;
    for (option, value) in &args.options.0 {
        config.set(option, value)?;
    }
    let recheck = config.clone();
    config.invariants = config::Invariants::Sufficing;
    let job = Job::read(&args.files, args.property.as_deref(), &resolve::source(&args.source))?;
    if let Some(folder) = &args.output {
        files::prepare_folder(folder)?;
    }
    let subject = resolve::subject(&job, &config);
    let (interrupts, limits) = (Interrupts::install(), resolve::limits(&args.limits));
    let began = Instant::now();
    let progress = ProgressLine::start(&subject.file);
    let last_words = {
        let subject = subject.clone();
        move |outcome: Outcome, _: Option<&Program>| {
            output::stdout(&text::render(&subject, &outcome, Detail::Screenful, Stats::Hide));
            if outcome.verdict == Verdict::True {
                output::stderr("no contracts are written: a limit was reached before they were known\n");
            }
            limits::exit_now(i32::from(ExitCode::from(&outcome.verdict).number()));
        }
    };
    let checked = driver::run::check(&job, &config, limits, &interrupts, &progress, Box::new(last_words));
    progress.clear();
    let Checked { program, outcome, .. } = checked?;
    let (Some(program), Verdict::True) = (&program, &outcome.verdict) else {
        output::stdout(&text::render(&subject, &outcome, Detail::Screenful, Stats::Hide));
        return Ok(ExitCode::from(&outcome.verdict));
    };
    let annotated = limits::keeping(&limits.after(began.elapsed()), &interrupts, |budget| {
        annotate(&job, &recheck, (program, &outcome), args.style, budget)
    });
    write(args, &job, &annotated)?;
    output::stderr(&summary(&subject.file, args.style, &annotated));
    Ok(ExitCode::True)
}

/// The changes.
fn write(args: &ContractsArgs, job: &Job, annotated: &Annotated) -> Result<(), Failure> {
    for changed in &annotated.changed {
        let input = &job.inputs[changed.file];
        match &args.output {
            Some(folder) => {
                let name =
                    input.path.file_name().map_or_else(|| input.name.clone(), |n| n.to_string_lossy().into_owned());
                let is_taken = |other: &driver::input::Input| other.path.file_name() == input.path.file_name();
                // Files of one name in several folders are told apart by their numbers.
                let name = match job.inputs[..changed.file].iter().any(is_taken) {
                    true => format!("{}-{name}", changed.file + 1),
                    false => name,
                };
                files::write_one(folder, &name, &changed.new)?;
            }
            None => output::stdout(&diff::unified(&input.name, &changed.old, &changed.new)),
        }
    }
    Ok(())
}

fn summary(file: &str, style: Style, annotated: &Annotated) -> String {
    let Annotated { functions, has_loops, written, left_out, .. } = annotated;
    let clauses = |n: usize| if n == 1 { "1 clause".to_owned() } else { format!("{n} clauses") };
    let mut options = Vec::new();
    if style == Style::Acsl {
        options.push("--acsl".to_owned());
    }
    if *has_loops {
        options.push("--loop-contracts".to_owned());
    }
    options.extend(functions.iter().map(|function| format!("--check-contract {function}")));
    let how = match written {
        0 => String::new(),
        _ => format!("; checked with {}", options.join(" ")),
    };
    format!("{file}: proved; {} written, {left_out} left out{how}\n", clauses(*written))
}

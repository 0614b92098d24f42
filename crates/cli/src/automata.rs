//! `hone cfa`: shows automata.

use crate::args::{CfaArgs, CfaFormat};
use crate::exit_code::ExitCode;
use crate::output;
use crate::resolve;
use base::Diagnostic;
use driver::frontend::Loaded;
use driver::text_form::Switch;
use driver::{Failure, Job};
use outcome::Silent;

/// Shows the automata of a program.
///
/// # Errors
/// If the program can't be read, or has no such function.
pub fn run(args: &CfaArgs) -> Result<ExitCode, Failure> {
    let job = Job::read(&args.files, None, &resolve::unchecked(&args.source))?;
    let Loaded { mut program, stats, .. } = driver::run::load(&job, &Silent)?;
    if args.loop_abstraction == Switch::On {
        program = driver::loops::with_strategies(program, &job.property.observer);
    }
    let function = match &args.function {
        None => None,
        Some(name) => {
            let shown = program.function_named(name).filter(|id| program.functions[*id].body.is_some());
            if shown.is_none() {
                let message = format!("{} has no function `{name}` that can be reached", job.name());
                return Err(Failure::new(Diagnostic::error("E0051", None, message).help(candidates(&program))));
            }
            shown
        }
    };
    if args.stats {
        output::stdout(&report::text::statistics(&stats));
        return Ok(ExitCode::True);
    }
    output::stdout(&match args.format {
        CfaFormat::Dot => report::cfa::dot::render(&program, function),
        CfaFormat::Json => report::cfa::json::render(&program, function),
        CfaFormat::Text => report::cfa::text::render(&program, function),
    });
    Ok(ExitCode::True)
}

fn candidates(program: &cfa::Program) -> String {
    const SHOWN: usize = 10;
    let functions = program.functions.iter_enumerated().filter(|(id, f)| f.body.is_some() && *id != program.start);
    let names: Vec<&str> = functions.map(|(_, f)| &*f.name).collect();
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    format!("functions that can be reached: {}{more}", names[..names.len().min(SHOWN)].join(", "))
}

//! `hone run`: executes a program; stdout is the program's only.

use crate::args::RunArgs;
use crate::exit_code::ExitCode;
use crate::output;
use crate::resolve;
use driver::execute::{Ending, InputChoice, execute};
use driver::{Failure, Interrupts, Job};
use std::io::{BufWriter, Write};

/// Runs a program.
///
/// # Errors
/// If the program can't be read.
pub fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let job = Job::read(&args.files, None, &resolve::source(&args.source))?;
    let choice = if args.inputs.is_empty() {
        InputChoice::Random(args.seed.unwrap_or(0))
    } else {
        InputChoice::List(args.inputs.clone())
    };
    let mut stdout = BufWriter::new(std::io::stdout());
    let mut stderr = std::io::stderr();
    let limits = resolve::limits(&args.limits);
    let executed = execute(&job, &choice, limits, &Interrupts::install(), &mut stdout, &mut stderr)?;
    // A reader that went away is no error.
    let _ = stdout.flush();
    output::stderr(&format!("note: {}\n", executed.text));
    Ok(match executed.ending {
        Ending::Normal => ExitCode::True,
        Ending::Violation => ExitCode::False,
        Ending::Other => ExitCode::Unknown,
    })
}

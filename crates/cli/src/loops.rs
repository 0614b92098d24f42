//! `hone loops`: what strategies make of the loops of a file, without verification.

use crate::args::LoopsArgs;
use crate::exit_code::ExitCode;
use crate::files;
use crate::output;
use crate::resolve;
use driver::loops::diff;
use driver::{Failure, Job};
use std::fmt::Write;

/// Lists the loops with the strategies that apply, or writes a patch for each of them.
///
/// # Errors
/// If the file can't be read, or the folder can't be written.
pub fn run(args: &LoopsArgs) -> Result<ExitCode, Failure> {
    let job = Job::read(std::slice::from_ref(&args.file), args.property.as_deref(), &resolve::unchecked(&args.source))?;
    if let Some(mode) = args.instrument {
        let instrumented = driver::instrument::instrument(&job, mode)?;
        output::stderr(&report::text::statistics(&instrumented.statistics));
        output::stdout(&report::cfa::c::render(&instrumented.program));
        return Ok(ExitCode::True);
    }
    let found = driver::loops::loops(&job)?;
    let name = job.main().path.file_name().map_or_else(|| job.name(), |n| n.to_string_lossy().into_owned());
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
    let mut list = String::new();
    for l in &found.loops {
        let _ = writeln!(list, "loop {} at {}:{}", l.number, job.name(), l.line);
        for (strategy, text) in &l.strategies {
            let _ = match (text, &args.patches) {
                (Err(why), _) => writeln!(list, "  {:<9} no: {why}", strategy.name()),
                (Ok(_), None) => writeln!(list, "  {:<9} applies", strategy.name()),
                (Ok(text), Some(folder)) => {
                    let patch = format!("{stem}-loop-{}-{}.patch", l.number, strategy.name());
                    files::write_one(folder, &patch, &diff::unified(&name, &found.text, text))?;
                    writeln!(list, "  {:<9} {patch}", strategy.name())
                }
            };
        }
    }
    output::stdout(&list);
    Ok(ExitCode::True)
}

//! `hone`: parses the arguments, runs a command, prints what it returns. The only crate that writes to stdout and stderr.

mod args;
mod automata;
mod cflags;
mod check;
mod contracts;
mod diagnostics;
mod environment;
mod execute;
mod exit_code;
mod files;
mod log;
mod loops;
mod options;
mod output;
mod panics;
mod progress;
mod project;
mod resolve;
mod shard;
mod validate;

use clap::{CommandFactory, FromArgMatches};
use exit_code::ExitCode;

fn main() -> std::process::ExitCode {
    panics::install();
    let mut command = args::Args::command();
    let matches = match cflags::translated(std::env::args_os()) {
        Ok(args) => command.try_get_matches_from_mut(args).unwrap_or_else(|error| error.exit()),
        Err(failure) => {
            output::failure(&failure);
            return ExitCode::Usage.into();
        }
    };
    let args = args::Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    log::install(args.verbose);
    let code = match &args.command {
        args::Command::Check(check) if project::is_asked(check) => {
            project::run(check, &options::passed_on(&command, &matches))
        }
        args::Command::Check(check) => check::run(check, args.verbose, options::given(&command, &matches)),
        args::Command::Validate(validate) => validate::run(validate, args.verbose),
        args::Command::Run(run) => execute::run(run),
        args::Command::Cfa(cfa) => automata::run(cfa),
        args::Command::Loops(loops) => loops::run(loops),
        args::Command::Contracts(contracts) => contracts::run(contracts),
        args::Command::List(list) => project::list(list),
        args::Command::Init(init) => project::init(init),
    };
    code.unwrap_or_else(|failure| {
        output::failure(&failure);
        ExitCode::Usage
    })
    .into()
}

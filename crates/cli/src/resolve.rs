//! From what was typed to what `driver` wants.

use crate::args::{CheckArgs, LimitArgs, SourceArgs};
use driver::{Config, Failure, Limits, SourceOptions, config};

/// How sources are read.
pub fn source(args: &SourceArgs) -> SourceOptions {
    let defines = args.define.iter().map(|define| format!("-D{define}"));
    let includes = args.include.iter().map(|folder| format!("-I{folder}"));
    SourceOptions {
        machine: args.data_model,
        entry: args.entry.clone(),
        checks: args.checks.clone(),
        preprocessor_args: defines.chain(includes).collect(),
    }
}

/// Limits of a run.
pub fn limits(args: &LimitArgs) -> Limits {
    Limits { time: args.timeout, memory: Some(args.memory) }
}

/// The configuration.
///
/// # Errors
/// If there is none of this name, or an option does not fit it.
pub fn config(args: &CheckArgs) -> Result<Config, Failure> {
    let mut config = config::preset(args.config.as_deref())?;
    for (option, value) in &args.options.0 {
        config.set(option, value)?;
    }
    if args.output.is_some() {
        config.graph = config::Graph::Keep;
    }
    if args.output.is_some() || args.witness.is_some() {
        config.invariants = config::Invariants::Sufficing;
    }
    Ok(config)
}

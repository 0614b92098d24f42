//! From what was typed to what `driver` wants.

use crate::args::{CheckArgs, LimitArgs, ReportFormat, SourceArgs};
use driver::job::{Allocation, Annotations, Contracts};
use driver::property::CheckKind;
use driver::text_form::Switch;
use driver::{Config, Failure, Job, Limits, SourceOptions, config};
use report::Subject;

/// How sources are read.
pub fn source(args: &SourceArgs) -> SourceOptions {
    let names = |texts: &[String]| texts.iter().map(|name| name.as_str().into()).collect();
    SourceOptions {
        machine: args.data_model,
        byte_order: args.endianness,
        entry: args.entry.clone(),
        checks: args.checks.clone(),
        allocation: args.malloc,
        flags: args.cflag.clone(),
        compiler: args.cc.clone(),
        compile_commands: args.compile_commands.clone(),
        target: args.target.clone(),
        stubs: args.stub.clone(),
        sources: args.sources.clone(),
        environment: args.environment.environment(),
        remove_bodies: names(&args.remove_body),
        contracts: Contracts {
            checked: names(&args.check_contract),
            used: names(&args.use_contract),
            loops: args.loop_contracts,
        },
        annotations: if args.acsl { Annotations::Read } else { Annotations::Ignored },
    }
}

/// What a report is about.
pub fn subject(job: &Job, config: &Config) -> Subject {
    Subject {
        file: job.name(),
        files: job.inputs.iter().map(|input| input.name.clone()).collect(),
        property: job.property.observer.property.to_string(),
        question: job.property.question(),
        data_model: job.data_model(),
        config: config.name.clone(),
    }
}

/// The same for what shows a program: it has no explicit checks unless they are asked for.
pub fn unchecked(args: &SourceArgs) -> SourceOptions {
    let mut options = source(args);
    if options.checks.is_empty() {
        options.checks = vec![CheckKind::Assertions];
        options.allocation = options.allocation.or(Some(Allocation::NeverFails));
    }
    options
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
    let is_set = config.options.every_check.is_some();
    if args.format == ReportFormat::Sarif && !is_set && config.options.cache.is_none() {
        config.options.every_check = Some(Switch::On);
    }
    if args.output.is_some() {
        config.graph = config::Graph::Keep;
    }
    if args.output.is_some() || args.witness.is_some() {
        config.invariants = config::Invariants::Sufficing;
    }
    Ok(config)
}

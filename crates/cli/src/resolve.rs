//! From what was typed to what `driver` wants.

use crate::args::{BamRefinement, CheckArgs, DataModel, LimitArgs, Order, SourceArgs, Switch};
use cfa::MachineModel;
use driver::{Config, Failure, Limits, SourceOptions, bam, config};

/// How sources are read.
pub fn source(args: &SourceArgs) -> SourceOptions {
    let defines = args.define.iter().map(|define| format!("-D{define}"));
    let includes = args.include.iter().map(|folder| format!("-I{folder}"));
    SourceOptions {
        machine: args.data_model.map(|model| match model {
            DataModel::Ilp32 => MachineModel::Ilp32,
            DataModel::Lp64 => MachineModel::Lp64,
        }),
        entry: args.entry.clone(),
        preprocessor_args: defines.chain(includes).collect(),
    }
}

/// Whether something is on.
pub fn switch(switch: Switch) -> config::Switch {
    match switch {
        Switch::On => config::Switch::On,
        Switch::Off => config::Switch::Off,
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
    if let Some(bound) = args.unwind {
        config.set_unwind(bound);
    }
    if let Some(order) = args.order {
        config.set_order(match order {
            Order::Bfs => config::Order::Bfs,
            Order::Dfs => config::Order::Dfs,
            Order::Rpo => config::Order::Rpo,
        });
    }
    if let Some(switch) = args.loop_abstraction {
        config.set_loop_abstraction(self::switch(switch));
    }
    if let Some(switch) = args.stack_abstraction {
        config.set_stack_abstraction(self::switch(switch));
    }
    if let Some(refinement) = args.bam_refinement {
        config.set_bam_refinement(match refinement {
            BamRefinement::InPlace => bam::BamRefinement::InPlace,
            BamRefinement::CopyOnWrite => bam::BamRefinement::CopyOnWrite,
        });
    }
    if let Some(folder) = &args.cache {
        config.set_cache(folder.clone())?;
    }
    if let Some(threads) = args.threads {
        config.threads = threads;
    }
    if args.check_proof {
        config.check_proof = config::ProofCheck::Demand;
    }
    if args.output.is_some() {
        config.graph = config::Graph::Keep;
    }
    if args.output.is_some() || args.witness.is_some() {
        config.invariants = config::Invariants::Sufficing;
    }
    Ok(config)
}

/// Options with their values, as reports list them; those that were not given, with their defaults where they matter.
pub fn options(args: &CheckArgs, config: &Config) -> Vec<(String, String)> {
    let mut options = vec![("--config", config.name.clone())];
    let mut add = |name, value: Option<String>| options.extend(value.map(|value| (name, value)));
    let switch = |switch| if switch == Switch::On { "on" } else { "off" }.to_owned();
    let order = |order| match order {
        Order::Bfs => "bfs".to_owned(),
        Order::Dfs => "dfs".to_owned(),
        Order::Rpo => "rpo".to_owned(),
    };
    add("--property", args.property.as_ref().map(|path| path.display().to_string()));
    add("--entry", args.source.entry.clone());
    for define in &args.source.define {
        add("-D", Some(define.clone()));
    }
    for folder in &args.source.include {
        add("-I", Some(folder.clone()));
    }
    add("--unwind", args.unwind.map(|bound| bound.to_string()));
    add("--order", args.order.map(order));
    add("--loop-abstraction", args.loop_abstraction.map(switch));
    add("--cache", args.cache.as_ref().map(|path| path.display().to_string()));
    add("--check-proof", args.check_proof.then(|| "yes".to_owned()));
    add("--timeout", Some(args.limits.timeout.map_or_else(|| "none".to_owned(), report::text::duration)));
    add("--memory", Some(report::text::bytes(args.limits.memory)));
    options.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

//! From what was typed to what `driver` wants.

use crate::args::{CheckArgs, DataModel, LimitArgs, Order, SourceArgs, Switch};
use cfa::MachineModel;
use driver::{Config, Failure, Limits, SourceOptions, config};

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
/// If there is none of this name.
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
    if args.check_proof {
        config.check_proof = config::ProofCheck::Demand;
    }
    if args.output.is_some() {
        config.graph = config::Graph::Keep;
    }
    Ok(config)
}

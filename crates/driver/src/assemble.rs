//! From a configuration to the algorithm with its concrete types: one exhaustive `match`.

use crate::config::{Algorithm, Config};
use base::Budget;
use cfa::{Observer, Program};
use outcome::{Outcome, Progress, StopReason};

/// Runs what `config` says.
pub fn run(
    program: &Program,
    observer: &Observer,
    config: &Config,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let _ = (program, observer, budget, progress);
    match &config.algorithm {
        Algorithm::Bmc(_) => Outcome::unknown(StopReason::NotApplicable { why: "no algorithm yet".to_owned() }),
    }
}

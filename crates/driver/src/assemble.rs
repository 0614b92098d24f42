//! Runs a configuration on a program: one analysis, or a sequence of them.

use crate::config::{Config, Plan};
use crate::prepare::Prepared;
use crate::sequence;
use crate::subject::{Replay, Subject, settled};
use base::Budget;
use cegar::bam::kept::Kept;
use cfa::Observer;
use outcome::{Outcome, Progress, Statistics, Verdict};
use std::time::Instant;
use transform::slice::slice;

/// Runs what `config` says.
pub fn run(
    prepared: &Prepared,
    observer: &Observer,
    config: &Config,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let replay = |script| replay::replay(prepared.written(), observer, script, budget);
    run_with(prepared, observer, config, budget, progress, &replay)
}

/// As [`run`], with a replay of the caller's.
pub fn run_with(
    prepared: &Prepared,
    observer: &Observer,
    config: &Config,
    budget: &Budget,
    progress: &dyn Progress,
    replay: Replay<'_>,
) -> Outcome {
    run_kept((prepared, observer), config, None, budget, progress, replay)
}

/// As [`run_with`], with what other runs have left.
pub fn run_kept(
    (prepared, observer): (&Prepared, &Observer),
    config: &Config,
    kept: Option<&Kept>,
    budget: &Budget,
    progress: &dyn Progress,
    replay: Replay<'_>,
) -> Outcome {
    let mut stats = Statistics::default();
    let began = Instant::now();
    let sliced = slice(&prepared.program, &prepared.points_to, &prepared.regions, observer);
    stats.count("slice.removed", sliced.removed);
    stats.time("slice.time", began.elapsed());
    let subject = Subject { prepared, sliced: &sliced.program, observer, config, progress, replay, kept, proved: None };
    let mut outcome = match &config.plan {
        Plan::Single(part) => subject.run(part, budget),
        Plan::Sequence(stages) => {
            let is_answer = |_: &_, outcome: &Outcome| !matches!(outcome.verdict, Verdict::Unknown(_));
            sequence::run(&subject, stages, &is_answer, budget)
        }
    };
    stats.append(std::mem::take(&mut outcome.stats));
    outcome.stats = stats;
    settled(prepared, observer, outcome)
}

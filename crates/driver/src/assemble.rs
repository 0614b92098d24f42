//! Runs a configuration on a program: one analysis, or a sequence of them.

use crate::config::{Config, Plan};
use crate::options::Analysis;
use crate::prepare::Prepared;
use crate::sequence;
use crate::settings;
use crate::subject::{Replay, Subject, settled};
use base::Budget;
use cegar::bam::kept::Kept;
use cfa::{EdgeId, Observer};
use outcome::{Evidence, Outcome, Progress, Silent, Statistics, Verdict};
use std::collections::BTreeSet;
use std::time::Instant;
use task::evidence::ProofCheck;
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
    let subject = Subject { prepared, sliced: &sliced.program, observer, config, progress, replay, kept };
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

/// What a sequence shows by octagons alone, in the share of its stage: a proof for all edges but these, which may break the property. `None`
/// where there is no such stage, where it shows nothing, and where it is a proof for all.
pub fn partial_proof(
    prepared: &Prepared,
    observer: &Observer,
    config: &Config,
    budget: &Budget,
) -> Option<(Outcome, BTreeSet<EdgeId>)> {
    let Plan::Sequence(stages) = &config.plan else { return None };
    let stage = stages.iter().find(|stage| stage.part.analysis == Analysis::Octagon)?;
    if settings::wanted(config).proof == ProofCheck::Demand {
        return None;
    }
    let sliced = slice(&prepared.program, &prepared.points_to, &prepared.regions, observer).program;
    let replay = |script| replay::replay(prepared.written(), observer, script, budget);
    let (progress, replay): (_, Replay<'_>) = (&Silent, &replay);
    let subject = Subject { prepared, sliced: &sliced, observer, config, progress, replay, kept: None };
    let limited = budget.within(sequence::limit(stage, budget)?);
    let (open, assumptions) = subject.not_excluded(&limited)?;
    if open.is_empty() {
        // An analysis that is asked about all has more to tell of a whole proof.
        return None;
    }
    let outcome = Outcome { assumptions, ..Outcome::new(Verdict::True, Evidence::Abstraction { nodes: 0 }) };
    let outcome = settled(prepared, observer, outcome);
    (outcome.verdict == Verdict::True).then_some((outcome, open))
}

//! A run with a cache: what stands for it, and counterexamples of earlier runs.
//!
//! A verdict is never kept. Of a violation the inputs are: they are replayed on the program as it is now, and what the replay shows is told.
//! Of a proof the block abstractions are, with which the analysis builds its graph again (`cegar::bam::kept`).

use crate::assemble;
use crate::assumed;
use crate::cache::Cache;
use crate::config::Config;
use crate::job::Job;
use crate::prepare::Prepared;
use base::Budget;
use base::bytes::{Digest, Writer};
use cegar::bam::kept::Kept;
use outcome::{Evidence, Outcome, Progress, Statistics, Verdict};
use replay::tape::Tape;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Largest recording of inputs that is kept, in bytes.
const MAX_TAPE: usize = 1 << 20;

/// Checks a program with the help of earlier runs.
pub(crate) fn run(
    prepared: &Prepared,
    job: &Job,
    config: &Config,
    cache: &Arc<Cache>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let kept = kept(prepared, job, config, cache.clone());
    let mut outcome = match again(prepared, job, &kept, budget) {
        Some(outcome) => outcome,
        None => anew(prepared, job, config, &kept, budget, progress),
    };
    cache.add_statistics(&mut outcome.stats);
    outcome
}

/// What stands for a run.
fn kept(prepared: &Prepared, job: &Job, config: &Config, cache: Arc<Cache>) -> Kept {
    let mut w = Writer::default();
    w.digest(&cache.build());
    w.text(&format!("{:?}", config.plan));
    w.text(&format!("{:?} {:?} {:?} {:?}", job.property.observer, job.machine, job.byte_order, job.environment));
    w.number(cfa::computed::may_change(&prepared.program));
    let settings = w.address();
    w.text(&job.property.entry);
    w.text(prepared.program.source.text());
    Kept { store: cache, settings, run: w.address() }
}

/// Where the inputs of a violation are kept.
fn place_of_inputs(kept: &Kept) -> Digest {
    let mut w = Writer::default();
    w.text("inputs");
    w.digest(&kept.run);
    w.address()
}

/// The violation that an earlier run found, if it is one.
fn again(prepared: &Prepared, job: &Job, kept: &Kept, budget: &Budget) -> Option<Outcome> {
    let began = Instant::now();
    let place = place_of_inputs(kept);
    let bytes = kept.store.get(&place)?;
    let replayed = Tape::from_bytes(&bytes)
        .and_then(|tape| replay::replay_tape(prepared.written(), &job.property.observer, tape, budget).ok());
    let Some(counterexample) = replayed else {
        kept.store.reject(&place);
        return None;
    };
    kept.store.used(&place);
    let verdict = Verdict::False(counterexample.violated);
    let mut outcome = Outcome::new(verdict, Evidence::Counterexample(Box::new(counterexample)));
    outcome.assumptions.extend(assumed::external_functions(&prepared.program, &job.property.observer));
    outcome.assumptions.extend(prepared.assumptions.iter().cloned());
    let mut stats = Statistics::default();
    stats.time("cache.replay", began.elapsed());
    outcome.stats = stats;
    Some(outcome)
}

/// An analysis that keeps what it finds.
fn anew(
    prepared: &Prepared,
    job: &Job,
    config: &Config,
    kept: &Kept,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let observer = &job.property.observer;
    let last: Mutex<Option<Tape>> = Mutex::new(None);
    let replay = |script| {
        let (counterexample, tape) = replay::record_tape(prepared.written(), observer, script, budget)?;
        if let Ok(mut last) = last.lock() {
            *last = Some(tape);
        }
        Ok(counterexample)
    };
    let outcome = assemble::run_kept((prepared, observer), config, Some(kept), budget, progress, &replay);
    let tape = last.into_inner().ok().flatten();
    if let (Verdict::False(_), Some(tape)) = (&outcome.verdict, tape) {
        let bytes = tape.to_bytes();
        if bytes.len() <= MAX_TAPE {
            kept.store.put(&place_of_inputs(kept), &bytes);
        }
    }
    outcome
}

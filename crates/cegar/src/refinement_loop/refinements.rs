//! The refinements of a run: how many there were, which paths they refuted, and the table of iterations in the statistics.

use super::fingerprint;
use outcome::{Event, Iteration, Progress, StatValue, Statistics};
use refine::prune::PruneStrategy;
use rustc_hash::FxHashMap;
use std::time::Instant;

/// Most iterations that statistics list.
const MAX_ITERATIONS: usize = 500;

/// The refinements of a run.
#[derive(Default)]
pub(crate) struct Refinements {
    /// How many there were.
    pub count: u64,
    /// How often each path was refuted in each way.
    seen: FxHashMap<u64, u32>,
    iterations: Vec<Iteration>,
}

impl Refinements {
    /// What is explored again after a path was refuted by a part of the precision: everything if it came back, and `None`, no progress,
    /// if it came back after that.
    pub fn strategy(&mut self, path: u64, by: &str, first: PruneStrategy) -> Option<PruneStrategy> {
        let times = self.seen.entry(fingerprint(path, by)).or_default();
        *times += 1;
        match *times {
            1 => Some(first),
            2 => Some(PruneStrategy::Restart),
            _ => None,
        }
    }

    /// Paths may have to be refuted again.
    pub fn forget_paths(&mut self) {
        self.seen.clear();
    }

    /// Lists the last refinement; `size` says how large the explored part is.
    pub fn list(
        &mut self,
        mut values: Vec<(&'static str, StatValue)>,
        began: Instant,
        progress: &dyn Progress,
        size: &str,
    ) {
        if self.iterations.len() < MAX_ITERATIONS {
            values.push(("time", StatValue::Time(began.elapsed())));
            self.iterations.push(Iteration { label: format!("refinement {}", self.count), values });
        }
        progress.event(Event::Info(format!("{} refinements, {size}", self.count)));
    }

    /// Moves the table of iterations to the statistics.
    pub fn add_iterations(&mut self, stats: &mut Statistics) {
        stats.iterations = std::mem::take(&mut self.iterations);
    }
}

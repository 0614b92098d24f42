//! Limits of one run: asked once a step, obeyed by everybody.
//!
//! A [`Budget`] is shared by all threads of a run. It only *holds* the decision to stop: a watchdog (in `driver`) measures
//! time and memory and calls [`Budget::stop`], so that [`Budget::check`] costs two atomic operations.
//!
//! The whole run is limited by wall time, which is what users wait for. Parts of it are limited by [`Effort`], so that they do the
//! same on a slow or busy machine, as long as the whole run has time for it. What a part gives up for want of effort is counted.

use crate::effort::Effort;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Why a run has to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Stop {
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// The user asked to stop (Ctrl-C), or another analysis has answered.
    Interrupted,
}

/// What is interrupted when the run stops, such as a solver in the middle of a query.
type Hook = Box<dyn Fn() + Send>;

struct Shared {
    /// 0: go on; otherwise a `Stop` plus one.
    state: AtomicU8,
    hooks: Mutex<Vec<(u64, Hook)>>,
    given_up: Mutex<BTreeMap<&'static str, u64>>,
}

/// Handle to the limits of a run; clones share them.
#[derive(Clone)]
pub struct Budget {
    shared: Arc<Shared>,
    start: Instant,
    deadline: Option<Instant>,
    /// Thousandths of units of effort that this run, or this lane of it, has spent.
    spent: Arc<AtomicU64>,
    /// How much will be spent when the part of the run ends that only this handle and its clones are for.
    end: Option<Effort>,
    /// Bytes of resident memory.
    memory: Option<u64>,
}

/// What one step of an exploration takes.
const STEP: Effort = Effort::units(1);
/// However much was spent, this part of what is usual in the time of the whole run is taken to be left, in percent: only the watchdog
/// knows when the run ends.
const LEAST_LEFT: u32 = 10;

impl Budget {
    /// A budget that starts now. `memory` is in bytes.
    pub fn new(time: Option<Duration>, memory: Option<u64>) -> Self {
        let start = Instant::now();
        let (state, hooks, given_up) = (AtomicU8::new(0), Mutex::default(), Mutex::default());
        let shared = Arc::new(Shared { state, hooks, given_up });
        let deadline = time.and_then(|t| start.checked_add(t));
        Self { shared, start, deadline, spent: Arc::default(), end: None, memory }
    }

    /// The budget of a part of the run that has to end when `effort` more was spent; it ends with the part around it at the latest.
    pub fn within(&self, effort: Effort) -> Self {
        Self { end: Some(self.end_within(effort)), ..self.clone() }
    }

    /// The budget of a lane that runs at the same time as others, and counts its own effort.
    pub fn beside(&self) -> Self {
        Self { spent: Arc::new(AtomicU64::new(self.spent().in_thousandths())), ..self.clone() }
    }

    /// The budget of a run inside of this one, and what lets it end with this one as long as it is kept. Who stops the inner run, such as
    /// an analysis that has answered, does not stop this one. Effort counts for both when the inner run has ended ([`Budget::spend`]).
    pub fn inner(&self) -> (Self, StopHook) {
        let left = self.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let inner = Self::new(left, self.memory);
        let (outer, told) = (self.clone(), inner.clone());
        let pass_on = move || {
            if let Some(reason) = outer.stopped() {
                told.stop(reason);
            }
        };
        let hook = self.on_stop(Box::new(pass_on.clone()));
        // It may have been stopped just before the hook was there.
        pass_on();
        (inner, hook)
    }

    /// A budget without limits.
    pub fn unlimited() -> Self {
        Self::new(None, None)
    }

    /// Counts a step; `Err` when the run has to end.
    #[inline]
    pub fn check(&self) -> Result<(), Stop> {
        self.step(STEP)
    }

    /// As [`Budget::check`], for a step that takes `effort`.
    #[inline]
    pub fn step(&self, effort: Effort) -> Result<(), Stop> {
        self.spend(effort);
        match self.shared.state.load(Ordering::Relaxed) {
            0 if self.end.is_some_and(|end| self.spent() >= end) => Err(Stop::Timeout),
            0 => Ok(()),
            state => Err(decode(state)),
        }
    }

    /// Counts what something took besides the steps for which the budget is asked.
    #[inline]
    pub fn spend(&self, effort: Effort) {
        self.spent.fetch_add(effort.in_thousandths(), Ordering::Relaxed);
    }

    /// What was spent so far.
    #[inline]
    pub fn spent(&self) -> Effort {
        Effort::thousandths(self.spent.load(Ordering::Relaxed))
    }

    /// Counts that something was given up although the run goes on; the name is that of the statistic.
    pub fn give_up(&self, name: &'static str) {
        *self.shared.given_up.lock().unwrap_or_else(PoisonError::into_inner).entry(name).or_default() += 1;
    }

    /// What was given up so far, by name.
    pub fn given_up(&self) -> BTreeMap<&'static str, u64> {
        self.shared.given_up.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Why the whole run was told to stop, if it was.
    pub fn stopped(&self) -> Option<Stop> {
        match self.shared.state.load(Ordering::Relaxed) {
            0 => None,
            state => Some(decode(state)),
        }
    }

    /// Asks everybody to stop; the first reason stays.
    pub fn stop(&self, reason: Stop) {
        let code = match reason {
            Stop::Timeout => 1,
            Stop::Memory => 2,
            Stop::Interrupted => 3,
        };
        let _ = self.shared.state.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
        for (_, hook) in self.shared.hooks.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            hook();
        }
    }

    /// Calls `hook` when the run is stopped, until the returned guard is dropped.
    pub fn on_stop(&self, hook: Hook) -> StopHook {
        let mut hooks = self.shared.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        let id = hooks.last().map_or(0, |(id, _)| id + 1);
        hooks.push((id, hook));
        StopHook { shared: self.shared.clone(), id }
    }

    /// Time since the budget was made.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// When the whole run has to end.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// What the whole run may take.
    pub fn time_limit(&self) -> Option<Duration> {
        self.deadline.map(|end| end.saturating_duration_since(self.start))
    }

    /// Limit of resident memory in bytes.
    pub fn memory_limit(&self) -> Option<u64> {
        self.memory
    }

    /// Effort left; `None` without a limit. Of a whole run, it is what is usual in its time.
    pub fn remaining(&self) -> Option<Effort> {
        let usual = self.time_limit().map(Effort::usual_in);
        let whole = usual.map(|usual| usual.without(self.spent()).max(usual.percent(LEAST_LEFT)));
        whole.into_iter().chain(self.left()).min()
    }

    /// Effort left of the part of the run that this is the budget of; `None` for the whole run.
    pub fn left(&self) -> Option<Effort> {
        self.end.map(|end| end.without(self.spent()))
    }

    /// How much will be spent when something ends that may take `limit` from now on.
    pub fn end_within(&self, limit: Effort) -> Effort {
        let end = self.spent().plus(limit);
        self.end.map_or(end, |part| part.min(end))
    }
}

fn decode(state: u8) -> Stop {
    match state {
        1 => Stop::Timeout,
        2 => Stop::Memory,
        _ => Stop::Interrupted,
    }
}

/// Keeps a hook of [`Budget::on_stop`] registered.
#[must_use = "the hook is removed when the guard is dropped"]
pub struct StopHook {
    shared: Arc<Shared>,
    id: u64,
}

impl Drop for StopHook {
    fn drop(&mut self) {
        let mut hooks = self.shared.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        let removed = hooks.iter().position(|(id, _)| *id == self.id).map(|at| hooks.remove(at));
        // What the hook owns may take long to go (a solver), and whoever stops the run must not wait for that.
        drop(hooks);
        drop(removed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_reason_stays_and_hooks_run() {
        let budget = Budget::unlimited();
        let ran = Arc::new(AtomicU8::new(0));
        let seen = ran.clone();
        let guard = budget.on_stop(Box::new(move || {
            seen.fetch_add(1, Ordering::Relaxed);
        }));
        assert_eq!(budget.check(), Ok(()));
        budget.clone().stop(Stop::Memory);
        drop(guard);
        budget.stop(Stop::Timeout);
        assert_eq!(budget.check(), Err(Stop::Memory));
        assert_eq!(ran.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_part_ends_before_the_whole() {
        let budget = Budget::new(Some(Duration::from_secs(60)), None);
        let part = budget.within(Effort::ZERO);
        assert_eq!(part.check(), Err(Stop::Timeout));
        assert_eq!(part.remaining(), Some(Effort::ZERO));
        assert_eq!(budget.check(), Ok(()));
        let long = budget.within(Effort::thousands(600_000));
        assert_eq!(long.check(), Ok(()));
        assert!(long.remaining().is_some_and(|left| left < Effort::thousands(60_000)));
        assert_eq!(long.within(Effort::ZERO).within(Effort::thousands(1)).check(), Err(Stop::Timeout));
        budget.stop(Stop::Interrupted);
        assert_eq!(long.check(), Err(Stop::Interrupted));
    }

    #[test]
    fn an_inner_run_ends_with_the_outer_one_and_not_the_other_way_round() {
        let outer = Budget::unlimited();
        let (first, hook) = outer.inner();
        first.stop(Stop::Interrupted);
        assert_eq!((first.check(), outer.check()), (Err(Stop::Interrupted), Ok(())));
        drop(hook);
        let (second, _hook) = outer.inner();
        assert_eq!(second.check(), Ok(()));
        outer.stop(Stop::Timeout);
        assert_eq!(second.check(), Err(Stop::Timeout));
        assert_eq!(outer.inner().0.check(), Err(Stop::Timeout));
    }

    #[test]
    fn effort_counts_for_all_but_lanes_beside() {
        let budget = Budget::unlimited();
        let part = budget.within(STEP * 3);
        assert_eq!((part.check(), budget.check()), (Ok(()), Ok(())));
        let lane = part.beside();
        assert_eq!((part.check(), part.left()), (Err(Stop::Timeout), Some(Effort::ZERO)));
        assert_eq!((lane.left(), lane.spent()), (Some(STEP), STEP * 2));
        assert_eq!(budget.spent(), STEP * 3);
    }

    #[test]
    fn the_whole_never_runs_out_of_effort() {
        let budget = Budget::new(Some(Duration::from_secs(1)), None);
        budget.spend(Effort::MAX / 2);
        assert_eq!((budget.check(), budget.left()), (Ok(()), None));
        assert_eq!(budget.remaining(), Some(Effort::thousands(100)));
    }

    #[test]
    fn what_is_given_up_is_counted() {
        let budget = Budget::unlimited();
        budget.within(Effort::ZERO).give_up("given_up.query");
        budget.give_up("given_up.query");
        assert_eq!(budget.given_up().into_iter().collect::<Vec<_>>(), [("given_up.query", 2)]);
    }
}

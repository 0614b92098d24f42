//! Limits of one run: asked once a step, obeyed by everybody.
//!
//! A [`Budget`] is shared by all threads of a run. It only *holds* the decision to stop: a watchdog (in `driver`) measures
//! time and memory and calls [`Budget::stop`], so that [`Budget::check`] costs one atomic load.
//!
//! The whole run is limited by wall time, which is what users wait for. Parts of it are limited by computing time, so that they
//! do the same on a busy machine, as long as the whole run has time for it.

use crate::cpu::CpuInstant;
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
}

/// Handle to the limits of a run; clones share them.
#[derive(Clone)]
pub struct Budget {
    shared: Arc<Shared>,
    start: Instant,
    deadline: Option<Instant>,
    /// End of a part of the run, which nobody but this handle and its clones keep.
    part: Option<Part>,
    /// Bytes of resident memory.
    memory: Option<u64>,
}

/// A part of a run, which ends when that much was computed.
#[derive(Clone)]
struct Part {
    end: CpuInstant,
    /// Nanoseconds of wall time after the start of the run before which the end can't be reached: one look at that clock is cheap.
    not_before: Arc<AtomicU64>,
}

/// The end of a part is found out this much too late at most.
const TICK: Duration = Duration::from_millis(1);

impl Part {
    /// Whether it is over, in the run that began at `start`.
    fn is_over(&self, start: Instant) -> bool {
        let now = start.elapsed();
        if u128::from(self.not_before.load(Ordering::Relaxed)) > now.as_nanos() {
            return false;
        }
        let left = CpuInstant::now().until(self.end);
        if left.is_zero() {
            return true;
        }
        // A thread computes no faster than time goes by.
        let look = now.saturating_add(left.max(TICK));
        self.not_before.store(u64::try_from(look.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        false
    }
}

impl Budget {
    /// A budget that starts now. `memory` is in bytes.
    pub fn new(time: Option<Duration>, memory: Option<u64>) -> Self {
        let start = Instant::now();
        let shared = Arc::new(Shared { state: AtomicU8::new(0), hooks: Mutex::new(Vec::new()) });
        Self { shared, start, deadline: time.and_then(|t| start.checked_add(t)), part: None, memory }
    }

    /// The budget of a part of the run that has to end after `time` of computing by this thread; it ends with the whole run at the
    /// latest.
    pub fn within(&self, time: Duration) -> Self {
        let end = self.part.iter().map(|part| part.end).chain([CpuInstant::now().after(time)]).min();
        Self { part: end.map(|end| Part { end, not_before: Arc::default() }), ..self.clone() }
    }

    /// A budget without limits.
    pub fn unlimited() -> Self {
        Self::new(None, None)
    }

    /// `Err` when the run has to end.
    #[inline]
    pub fn check(&self) -> Result<(), Stop> {
        match self.shared.state.load(Ordering::Relaxed) {
            0 if self.part.as_ref().is_some_and(|part| part.is_over(self.start)) => Err(Stop::Timeout),
            0 => Ok(()),
            state => Err(decode(state)),
        }
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

    /// Time left to compute; `None` without a limit.
    pub fn remaining(&self) -> Option<Duration> {
        let whole = self.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let part = self.part.as_ref().map(|part| CpuInstant::now().until(part.end));
        whole.into_iter().chain(part).min()
    }

    /// When the part of the run has to end that this is the budget of; `None` for the whole run.
    pub fn end(&self) -> Option<CpuInstant> {
        self.part.as_ref().map(|part| part.end)
    }

    /// When something has to end that may take `limit` from now on.
    pub fn end_within(&self, limit: Duration) -> CpuInstant {
        let end = CpuInstant::now().after(limit);
        self.end().map_or(end, |part| part.min(end))
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
        let part = budget.within(Duration::ZERO);
        assert_eq!(part.check(), Err(Stop::Timeout));
        assert_eq!(part.remaining(), Some(Duration::ZERO));
        assert_eq!(budget.check(), Ok(()));
        let long = budget.within(Duration::from_secs(600));
        assert_eq!(long.check(), Ok(()));
        assert!(long.remaining().is_some_and(|left| left <= Duration::from_secs(60)));
        assert_eq!(long.within(Duration::ZERO).within(Duration::from_secs(1)).check(), Err(Stop::Timeout));
        budget.stop(Stop::Interrupted);
        assert_eq!(long.check(), Err(Stop::Interrupted));
    }
    #[test]
    fn a_part_ends_when_it_was_computed() {
        let part = Budget::unlimited().within(Duration::from_millis(20));
        let began = CpuInstant::now();
        while part.check().is_ok() {
            std::hint::black_box(0);
        }
        let took = began.elapsed();
        assert!(took >= Duration::from_millis(19) && took < Duration::from_millis(200), "{took:?}");
        assert_eq!(part.remaining(), Some(Duration::ZERO));
        assert_eq!(part.check(), Err(Stop::Timeout));
    }
}

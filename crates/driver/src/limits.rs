//! Keeps the limits of a run: a watchdog thread measures time and memory and tells the [`Budget`] to stop.
//!
//! Whoever works asks the budget once a step, so a run usually ends by itself soon after. If it does not within
//! [`GRACE`], or grows beyond the memory limit, the watchdog hands the end of the process to its caller, who prints the
//! verdict: a limit is kept, whatever the run is stuck in.

use base::{Budget, Stop};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two measurements.
const TICK: Duration = Duration::from_millis(5);

/// How long a run may take to come back after it was told to stop.
pub const GRACE: Duration = Duration::from_millis(100);

/// The run is told to stop so much earlier for each page of its memory, because the system takes time to free it when the process ends: little by
/// itself, but four times that on a machine that is busy with other things.
const FREEING: Duration = Duration::from_micros(1);
/// Bytes of a page.
const PAGE: u64 = 4096;

/// The run is told to stop at this share of the memory limit, in percent, so that it ends below the limit.
const MEMORY_TRIP_PERCENT: u64 = 95;

/// The same share of a limit of the address space, beyond which an allocation would end the process. What is asked for at once can be
/// large, so there is more room.
const SPACE_TRIP_PERCENT: u64 = 92;

/// What the user allows; `None` is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Wall time of a file.
    pub time: Option<Duration>,
    /// Resident memory in bytes.
    pub memory: Option<u64>,
}

impl Limits {
    /// A budget that starts now.
    pub fn budget(&self) -> Budget {
        Budget::new(self.time, self.memory)
    }

    /// What is left of them after some time.
    pub fn after(&self, elapsed: Duration) -> Self {
        Self { time: self.time.map(|time| time.saturating_sub(elapsed)), ..*self }
    }
}

/// Calls `work` with a budget that keeps the limits; who works has to ask it.
pub fn keeping<T>(limits: &Limits, interrupts: &Interrupts, work: impl FnOnce(&Budget) -> T) -> T {
    let budget = limits.budget();
    let _watchdog = Watchdog::start(budget.clone(), interrupts.clone(), GRACE, Box::new(|_| {}));
    work(&budget)
}

/// Ctrl-C and SIGTERM as a flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupts {
    seen: Arc<AtomicBool>,
}

impl Interrupts {
    /// Catches the signals from now on: the first sets the flag, the second ends the process at once.
    pub fn install() -> Self {
        let seen = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag unset and sets it. An error means that the system refuses
            // to register; then signals end the process as usual.
            let _ = signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, seen.clone());
            let _ = signal_hook::flag::register(signal, seen.clone());
        }
        Self { seen }
    }

    /// Whether the user asked to stop.
    pub fn seen(&self) -> bool {
        self.seen.load(Ordering::Relaxed)
    }
}

/// Ends the process without running destructors: other threads may still be at work in a solver.
pub fn exit_now(code: i32) -> ! {
    signal_hook::low_level::exit(code)
}

/// Called when a run does not come back; should not return.
pub type Overrun = Box<dyn Fn(Stop) + Send>;

/// Watches one run until it is dropped.
pub struct Watchdog {
    stop: Option<Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
    peak: Arc<AtomicU64>,
}

impl Watchdog {
    /// Watches the run of `budget`. Analyses that are stopped by the answer of another one may take until `patience` to come back.
    pub fn start(budget: Budget, interrupts: Interrupts, patience: Duration, overrun: Overrun) -> Self {
        let (stop, finished) = channel();
        let peak = Arc::new(AtomicU64::new(0));
        let seen = peak.clone();
        let watch = move || watch(&budget, &interrupts, patience, &overrun, &finished, &seen);
        let thread = thread::Builder::new().name("hone-watchdog".to_owned()).spawn(watch).ok();
        Self { stop: Some(stop), thread, peak }
    }

    /// Largest resident memory seen so far, in bytes; 0 where it can't be measured.
    pub fn peak_memory(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic in it was already reported.
            let _ = thread.join();
        }
    }
}

fn watch(
    budget: &Budget,
    interrupts: &Interrupts,
    patience: Duration,
    overrun: &Overrun,
    finished: &Receiver<()>,
    peak: &AtomicU64,
) {
    let mut stopped: Option<(Instant, Stop)> = None;
    let space = address_limit().map_or(u64::MAX, |limit| limit / 100 * SPACE_TRIP_PERCENT);
    loop {
        match finished.recv_timeout(TICK) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
        }
        let Memory { resident: memory, mapped } = memory().unwrap_or_default();
        peak.fetch_max(memory, Ordering::Relaxed);
        let limit = budget.memory_limit().unwrap_or(u64::MAX);
        let freeing = FREEING * u32::try_from(memory / PAGE).unwrap_or(u32::MAX);
        let late = budget.deadline().is_some_and(|deadline| Instant::now() + freeing >= deadline);
        let overtaken = !late && !interrupts.seen() && matches!(stopped, Some((_, Stop::Interrupted)));
        let grace = if overtaken { patience } else { GRACE };
        let reason = if interrupts.seen() {
            Some(Stop::Interrupted)
        } else if late {
            Some(Stop::Timeout)
        } else if memory >= limit / 100 * MEMORY_TRIP_PERCENT || mapped >= space {
            Some(Stop::Memory)
        } else {
            // One of several analyses may have answered.
            budget.stopped()
        };
        match (stopped, reason) {
            (None, Some(reason)) => {
                tracing::debug!(?reason, memory, "limit reached");
                budget.stop(reason);
                stopped = Some((Instant::now(), reason));
            }
            (Some((since, reason)), _) if since.elapsed() >= grace => overrun(reason),
            (Some(_), _) if memory > limit => overrun(Stop::Memory),
            _ => {}
        }
    }
}

/// Resident memory of this process in bytes, where the system tells.
pub fn resident_memory() -> Option<u64> {
    memory().map(|memory| memory.resident)
}

/// Memory of this process in bytes.
#[derive(Clone, Copy, Default)]
struct Memory {
    resident: u64,
    /// Address space.
    mapped: u64,
}

#[allow(clippy::disallowed_methods)] // It reads the kernel's counters, no input.
fn memory() -> Option<Memory> {
    // `status` counts in KiB, whereas `statm` counts in pages of a size that safe code can't ask for.
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let bytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: u64 = line.trim().split(' ').next()?.parse().ok()?;
        Some(kib << 10)
    };
    Some(Memory { resident: bytes("VmRSS:")?, mapped: bytes("VmSize:").unwrap_or(0) })
}

/// The limit of the address space in bytes, if there is one and the system tells.
#[allow(clippy::disallowed_methods)] // As above.
fn address_limit() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a watchdog over `budget`, whose run obeys only if `obeys`.
    fn stopped_after(limits: Limits, interrupts: Interrupts) -> (Option<Stop>, bool) {
        let budget = limits.budget();
        let overran = Arc::new(AtomicBool::new(false));
        let seen = overran.clone();
        let on_overrun: Overrun = Box::new(move |_| seen.store(true, Ordering::Relaxed));
        let watchdog = Watchdog::start(budget.clone(), interrupts, GRACE, on_overrun);
        let begin = Instant::now();
        while !overran.load(Ordering::Relaxed) && begin.elapsed() < Duration::from_millis(900) {
            thread::sleep(TICK);
        }
        drop(watchdog);
        (budget.check().err(), overran.load(Ordering::Relaxed))
    }

    #[test]
    fn time() {
        let limits = Limits { time: Some(Duration::from_millis(20)), memory: None };
        assert_eq!(stopped_after(limits, Interrupts::default()), (Some(Stop::Timeout), true));
    }

    #[test]
    fn memory() {
        let limits = Limits { time: None, memory: Some(1000) };
        assert_eq!(stopped_after(limits, Interrupts::default()), (Some(Stop::Memory), true));
    }

    #[test]
    fn interrupt() {
        let interrupts = Interrupts::default();
        interrupts.seen.store(true, Ordering::Relaxed);
        assert_eq!(stopped_after(Limits::default(), interrupts), (Some(Stop::Interrupted), true));
    }

    #[test]
    fn no_limit() {
        assert_eq!(stopped_after(Limits::default(), Interrupts::default()), (None, false));
    }

    #[test]
    fn memory_is_measured() {
        assert!(resident_memory().is_some_and(|bytes| bytes > 100_000));
    }
}

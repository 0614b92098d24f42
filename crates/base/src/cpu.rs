//! The time that a thread has computed: unlike wall time it does not depend on what else the machine does.
//!
//! Parts of a run are limited by it, so that the same run takes the same decisions on a busy machine. Whatever has a limit works
//! in one thread, and asks there.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// A moment, as the computing time of its thread until then. Moments of different threads can't be compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CpuInstant(Duration);

impl CpuInstant {
    /// This moment of this thread. The system has to be asked, which takes longer than for wall time.
    pub fn now() -> Self {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Self(Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0)))
    }

    /// When a thread has computed that much.
    pub fn at(time: Duration) -> Self {
        Self(time)
    }

    /// What was computed since.
    pub fn elapsed(self) -> Duration {
        self.until(Self::now())
    }

    /// What is computed from here to another moment; nothing if that was before.
    pub fn until(self, later: Self) -> Duration {
        later.0.saturating_sub(self.0)
    }

    /// The moment when that much more has been computed.
    pub fn after(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time() {
        let before = CpuInstant::now();
        let mut number = 1u64;
        while before.elapsed() < Duration::from_millis(5) {
            number = std::hint::black_box(number.wrapping_mul(3));
        }
        let after = CpuInstant::now();
        assert!(before < after);
        assert!(before.until(after) >= Duration::from_millis(5));
        assert_eq!(after.until(before), Duration::ZERO);
        assert_eq!(before.after(before.until(after)), after);
    }
}

//! Ends queries of solvers when their time is over.
//!
//! Z3's own timer measures wall time, and each query waits for its thread, which takes long on a busy machine. Here one thread of
//! the process looks at all running queries now and then, and measures what their threads have computed.

use super::SolverRef;
use base::CpuInstant;
use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use z3_sys::{Z3_context, Z3_solver, Z3_solver_interrupt};

/// Time between two looks.
const TICK: Duration = Duration::from_millis(5);

/// When a query has to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct End {
    /// When the thread that asks has computed so much.
    pub(crate) cpu: Option<CpuInstant>,
    /// At this time.
    pub(crate) wall: Option<Instant>,
}

impl End {
    /// Whether it was reached; `now` is the moment of the thread that asks.
    pub(crate) fn is_over(self, now: impl FnOnce() -> CpuInstant) -> bool {
        self.wall.is_some_and(|end| Instant::now() >= end) || self.cpu.is_some_and(|end| now() >= end)
    }

    /// The same in wall time alone.
    fn without_clock(self) -> Self {
        let left = self.cpu.map(|end| CpuInstant::now().until(end));
        let wall = left.and_then(|left| Instant::now().checked_add(left));
        Self { cpu: None, wall: self.wall.into_iter().chain(wall).min() }
    }
}

/// The clock of a thread, for other threads.
#[derive(Clone, Copy)]
struct ThreadClock(libc::clockid_t);

impl ThreadClock {
    /// That of this thread, where the system has one.
    fn own() -> Option<Self> {
        #[cfg(target_os = "linux")]
        {
            let mut clock = 0;
            // SAFETY: the thread is this one, and the result goes to a variable of its type.
            let error = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &raw mut clock) };
            (error == 0).then_some(Self(clock))
        }
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// What its thread has computed.
    fn now(self) -> CpuInstant {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the result goes to a variable of its type; the clock of a thread that is gone is an error, and leaves it.
        let _ = unsafe { libc::clock_gettime(self.0, &raw mut time) };
        let (seconds, nanoseconds) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
        CpuInstant::at(Duration::new(seconds.unwrap_or(0), nanoseconds.unwrap_or(0)))
    }
}

/// A query that may run now.
struct Query {
    id: u64,
    clock: Option<ThreadClock>,
    context: Z3_context,
    solver: Z3_solver,
    end: End,
}

// SAFETY: the pointers are only used to interrupt, which Z3 allows from other threads.
unsafe impl Send for Query {}

/// The queries of the process that have an end.
#[derive(Default)]
struct Queries {
    running: Vec<Query>,
    next: u64,
}

/// One list for the process, because one thread looks at them.
static QUERIES: Mutex<Queries> = Mutex::new(Queries { running: Vec::new(), next: 0 });

fn queries() -> MutexGuard<'static, Queries> {
    QUERIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While this lives, a solver's query ends in time.
#[must_use = "the query has no end when this is dropped"]
pub(crate) struct Alarm<'a> {
    id: u64,
    solver: PhantomData<&'a SolverRef>,
}

impl<'a> Alarm<'a> {
    /// Ends the query that the solver is asked next.
    pub(crate) fn set(solver: &'a SolverRef, end: End) -> Option<Self> {
        if end == End::default() {
            return None;
        }
        static THREAD: OnceLock<bool> = OnceLock::new();
        // Where the system has no thread left, queries end with the run.
        let started = THREAD.get_or_init(|| thread::Builder::new().name("hone-alarm".into()).spawn(watch).is_ok());
        if !*started {
            return None;
        }
        let clock = ThreadClock::own();
        let end = if clock.is_some() { end } else { end.without_clock() };
        let mut queries = queries();
        let id = queries.next;
        queries.next += 1;
        queries.running.push(Query { id, clock, context: solver.context.raw, solver: solver.raw, end });
        Some(Self { id, solver: PhantomData })
    }
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        queries().running.retain(|query| query.id != self.id);
    }
}

/// Interrupts queries, again and again until they end: Z3 forgets an interrupt that comes before a query has really begun.
fn watch() {
    loop {
        thread::sleep(TICK);
        let is_over = |query: &&Query| query.end.is_over(|| query.clock.map_or(CpuInstant::now(), ThreadClock::now));
        for query in queries().running.iter().filter(is_over) {
            // SAFETY: the solver lives at least as long as the alarm, whose end waits for the lock that we hold.
            unsafe { Z3_solver_interrupt(query.context, query.solver) };
        }
    }
}

//! Ends queries whose work Z3 does not count.
//!
//! Z3 counts resources as it searches and rewrites, but hardly any while it turns sums and products of many variables into bits, which may
//! take minutes. A query that computes several times as long as its resources are worth is interrupted. Then the count would tell
//! how fast the machine is, so the query is taken to have spent as much as it may compute.

use super::{Context, SolverRef};
use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;
use z3_sys::{Z3_context, Z3_interrupt, Z3_solver, Z3_solver_interrupt};

/// Time between two looks.
const TICK: Duration = Duration::from_millis(5);

/// The clock of what a thread has computed, for other threads.
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
    fn now(self) -> Duration {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the result goes to a variable of its type; the clock of a thread that is gone is an error, and leaves it.
        let _ = unsafe { libc::clock_gettime(self.0, &raw mut time) };
        Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
    }
}

/// A query that may run now.
struct Query {
    id: u64,
    clock: ThreadClock,
    end: Duration,
    context: Z3_context,
    /// `None` for another engine of the context.
    solver: Option<Z3_solver>,
    rang: bool,
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

/// While this lives, the query of a solver or of another engine ends in time.
#[must_use = "the query has no end when this is dropped"]
pub(crate) struct Alarm<'a> {
    id: u64,
    engine: PhantomData<&'a Context>,
}

impl<'a> Alarm<'a> {
    /// Ends the query that the solver is asked next when it has computed that long; none where the system has no such clock.
    pub(crate) fn of_solver(solver: &'a SolverRef, computing: Duration) -> Option<Self> {
        Self::set(&solver.context, Some(solver.raw), computing)
    }

    /// As [`Alarm::of_solver`], for any other engine of a context.
    pub(crate) fn of_engine(context: &'a Context, computing: Duration) -> Option<Self> {
        Self::set(context, None, computing)
    }

    fn set(context: &'a Context, solver: Option<Z3_solver>, computing: Duration) -> Option<Self> {
        static THREAD: OnceLock<bool> = OnceLock::new();
        // Where the system has no thread left, queries end with the run.
        let started = THREAD.get_or_init(|| thread::Builder::new().name("hone-alarm".into()).spawn(watch).is_ok());
        let clock = ThreadClock::own().filter(|_| *started)?;
        let end = clock.now().saturating_add(computing);
        let mut queries = queries();
        let id = queries.next;
        queries.next += 1;
        queries.running.push(Query { id, clock, end, context: context.raw, solver, rang: false });
        Some(Self { id, engine: PhantomData })
    }

    /// Whether the query was interrupted.
    pub(crate) fn rang(&self) -> bool {
        queries().running.iter().any(|query| query.id == self.id && query.rang)
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
        for query in queries().running.iter_mut().filter(|query| query.clock.now() >= query.end) {
            query.rang = true;
            // SAFETY: solver and context live at least as long as the alarm, whose end waits for the lock that we hold.
            unsafe {
                match query.solver {
                    Some(solver) => Z3_solver_interrupt(query.context, solver),
                    None => Z3_interrupt(query.context),
                }
            }
        }
    }
}

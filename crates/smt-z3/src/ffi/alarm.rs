//! Ends queries of solvers when their time is over.
//!
//! Z3's own timer measures wall time, and each query waits for its thread, which takes long on a busy machine. Here one thread of
//! the process looks at all running queries now and then, and measures what was computed.

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
    /// When so much has been computed.
    pub(crate) cpu: Option<CpuInstant>,
    /// At this time.
    pub(crate) wall: Option<Instant>,
}

impl End {
    /// Whether it was reached.
    pub(crate) fn is_over(self) -> bool {
        self.wall.is_some_and(|end| Instant::now() >= end) || self.cpu.is_some_and(|end| CpuInstant::now() >= end)
    }
}

/// A query that may run now.
struct Query {
    id: u64,
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

/// One list for the process, because computing time is the process's.
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
        let mut queries = queries();
        let id = queries.next;
        queries.next += 1;
        queries.running.push(Query { id, context: solver.context.raw, solver: solver.raw, end });
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
        for query in queries().running.iter().filter(|query| query.end.is_over()) {
            // SAFETY: the solver lives at least as long as the alarm, whose end waits for the lock that we hold.
            unsafe { Z3_solver_interrupt(query.context, query.solver) };
        }
    }
}

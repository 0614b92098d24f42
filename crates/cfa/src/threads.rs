//! Threads, as lowering leaves them: each runs where it is created, to its end or not at all.
//!
//! That says all there is to say of threads that share no memory with what runs beside them. Whether they do is seen when pointers are
//! known (`transform::guard_threads`), which also carries out what is left as calls of the functions that are named here.
//!
//! In a circle with `expr`, `op`, `program` and `repeat`: it names variables and functions of the program that it belongs to.

use crate::program::{FuncId, VarId};

/// Waits for a thread; gives what its function returned.
pub const JOIN: &str = "<join>";

/// Ends the function of a thread with a value.
pub const EXIT: &str = "<thread exit>";

/// Threads of a program.
#[derive(Clone, Debug)]
pub struct Threads {
    /// Where they are created; a thread's identifier ends in its place in this list.
    pub sites: Vec<ThreadSite>,
    /// Number of mutexes that are locked.
    pub locked: VarId,
    /// Number of threads that were created.
    pub created: VarId,
    /// `errno`, which each thread has its own of: lowering puts it back where a thread ends.
    pub errno: Option<VarId>,
}

/// A place where threads are created. All variables are global registers.
#[derive(Clone, Debug)]
pub struct ThreadSite {
    /// What they run.
    pub function: FuncId,
    /// Number of those that nobody has waited for.
    pub alive: VarId,
    /// Identifier of the one that was created last.
    pub last: VarId,
    /// What its function returned.
    pub result: VarId,
}

/// Bits of an identifier that say where the thread was created.
pub const SITE: u32 = 0x7fff;

/// The bit of an identifier that says that the thread has not run.
pub const WAITING: u32 = 0x8000;

/// What the number of a thread is multiplied by in its identifier.
pub const NUMBER: u32 = 0x10000;

//! Functions that begin threads, end them, and wait for them.

/// The construct that stands for threads that are not modelled.
pub const THREAD: &str = "thread";

/// What threads do to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadOperation {
    Create,
    Join,
    Exit,
}

impl ThreadOperation {
    /// With fewer arguments it is an unknown function.
    pub fn least_arguments(self) -> usize {
        match self {
            ThreadOperation::Create => 4,
            ThreadOperation::Join => 2,
            ThreadOperation::Exit => 1,
        }
    }
}

/// The operation with this name.
pub(super) fn named(name: &str) -> Option<ThreadOperation> {
    Some(match name {
        "pthread_create" => ThreadOperation::Create,
        "pthread_join" => ThreadOperation::Join,
        "pthread_exit" | "thrd_exit" => ThreadOperation::Exit,
        _ => return None,
    })
}

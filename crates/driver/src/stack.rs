//! Runs work that recurses over the program on a thread with a large stack.

use std::sync::Mutex;
use std::thread;

/// Name of the thread, by which a panic hook knows that somebody waits for it.
const NAME: &str = "hone-work";

/// Sizes of the stack in bytes, tried in order: only the pages that are used take memory, but a limit of the address space
/// can forbid the larger ones.
const SIZES: [usize; 3] = [1 << 30, 1 << 28, 1 << 26];

/// The same for threads that run beside others: a limit of the address space counts all of them.
const SIZES_BESIDE: [usize; 2] = [1 << 28, 1 << 26];

/// Whether a panic of the thread of this name is caught by [`on_large_stack`].
pub fn is_caught(thread: Option<&str>) -> bool {
    thread == Some(NAME)
}

/// Runs `work` on a thread of its own. `None` if it panicked (the panic hook has told why) or no thread could be made.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    on_stack(&SIZES, work)
}

/// As [`on_large_stack`], for work that runs at the same time as other work.
pub fn on_stack_beside<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    on_stack(&SIZES_BESIDE, work)
}

fn on_stack<T: Send>(sizes: &[usize], work: impl FnOnce() -> T + Send) -> Option<T> {
    let mut result = None;
    // A closure that could not be given to a thread is lost, so the work stays here until a thread takes it.
    let shared = Mutex::new((Some(work), &mut result));
    let shared = &shared;
    thread::scope(|scope| {
        for &size in sizes {
            let run = move || {
                let Ok(mut job) = shared.lock() else { return };
                if let Some(work) = job.0.take() {
                    *job.1 = Some(work());
                }
            };
            if let Ok(handle) = thread::Builder::new().name(NAME.to_owned()).stack_size(size).spawn_scoped(scope, run) {
                // An error is a panic; then the result stays empty.
                let _ = handle.join();
                return;
            }
        }
    });
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(n: u64) -> u64 {
        if n == 0 { 0 } else { std::hint::black_box(depth(n - 1)) + 1 }
    }

    #[test]
    fn recursion_fits() {
        assert_eq!(on_large_stack(|| depth(1_000_000)), Some(1_000_000));
    }

    #[test]
    fn recursion_fits_beside() {
        assert_eq!(on_stack_beside(|| depth(1_000_000)), Some(1_000_000));
    }

    #[test]
    fn a_panic_is_none() {
        assert_eq!(on_large_stack(|| -> u32 { panic!("on purpose") }), None);
    }
}

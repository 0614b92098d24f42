//! Contexts that are used again.
//!
//! Making and deleting a context takes milliseconds, more than most queries. A context whose queries all had answers is as good as new
//! when its terms are gone; it waits for the next solver of its thread.

use super::Context;
use smt::SmtError;
use std::cell::RefCell;
use std::sync::Arc;

/// Most contexts that wait in one thread.
const MAX_WAITING: usize = 16;
/// A context that had more terms keeps too much memory.
const MAX_TERMS: usize = 100_000;

thread_local! {
    static WAITING: RefCell<Vec<Arc<Context>>> = const { RefCell::new(Vec::new()) };
}

/// A context without terms.
pub(crate) fn take() -> Result<Arc<Context>, SmtError> {
    match WAITING.with_borrow_mut(Vec::pop) {
        Some(context) => Ok(context),
        None => Context::new(),
    }
}

/// Gives a context back that was never interrupted and had no error; nothing of it is used any more.
pub(crate) fn give_back(mut context: Arc<Context>) {
    // Whoever still interrupts it has a reference.
    let Some(inner) = Arc::get_mut(&mut context) else { return };
    if inner.terms() > MAX_TERMS {
        return;
    }
    inner.clear();
    // A thread that ends has no pool any more.
    let _ = WAITING.try_with(|waiting| {
        let mut waiting = waiting.borrow_mut();
        if waiting.len() < MAX_WAITING {
            waiting.push(context);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new() -> Arc<Context> {
        take().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn a_context_comes_back_without_terms() {
        let context = new();
        let sort = context.bool_sort().unwrap_or_else(|error| panic!("{error}"));
        assert!(context.constant(1, sort).is_ok());
        let address = Arc::as_ptr(&context);
        give_back(context);
        let mut again = new();
        assert_eq!(Arc::as_ptr(&again), address);
        assert_eq!(Arc::get_mut(&mut again).map(Context::terms), Some(0));
    }

    #[test]
    fn a_context_that_may_be_interrupted_does_not_come_back() {
        let context = new();
        let interrupts = context.clone();
        give_back(context);
        assert_ne!(Arc::as_ptr(&new()), Arc::as_ptr(&interrupts));
    }
}

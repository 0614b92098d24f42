//! What fuzzing does with an input. The fuzzer calls it, and so does a test of `driver`, with inputs that once were a problem.
//!
//! A target panics where Hone does, and where what it computes contradicts itself.

mod frontend;
mod tasks;
mod terms;
mod witnesses;

use base::{Diagnostic, SourceMap, Span};
use driver::stack::on_large_stack;

/// The targets.
pub const NAMES: [&str; 4] = ["frontend", "tasks", "witnesses", "terms"];

/// Gives an input to a target.
///
/// # Panics
/// If there is no such target, or the input shows a defect.
pub fn run(name: &str, bytes: &[u8]) {
    let target: fn(&[u8]) = match name {
        "frontend" => frontend::run,
        "tasks" => tasks::run,
        "witnesses" => witnesses::run,
        "terms" => terms::run,
        _ => panic!("no target `{name}`"),
    };
    // As the product does it; a panic was told by the hook.
    assert!(on_large_stack(|| target(bytes)).is_some(), "target {name} panicked");
}

/// Checks that diagnostics can be shown: they say something, and their places are in the text.
fn check_diagnostics(diagnostics: &[Diagnostic], source: &SourceMap) {
    for diagnostic in diagnostics {
        assert!(!diagnostic.message.is_empty(), "{diagnostic:?} says nothing");
        let related = diagnostic.related.iter().map(|(span, _)| *span);
        for span in diagnostic.span.into_iter().chain(related).filter(|span| *span != Span::NONE) {
            let text = source.text().get(span.lo as usize..span.hi as usize);
            assert!(text.is_some(), "the place of {diagnostic:?} is not in the text");
            assert!(source.place(span.lo).is_some(), "{diagnostic:?} has no place");
        }
    }
}

/// The same for a failure.
fn check_failure(failure: &driver::Failure) {
    assert!(!failure.diagnostics.is_empty(), "a failure without a reason");
    if let Some(source) = &failure.source {
        check_diagnostics(&failure.diagnostics, source);
    }
}

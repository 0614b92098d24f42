//! Files that say what is to be checked: task definitions (`.yml`) and properties (`.prp`).

use super::check_failure;
use driver::input::Input;
use driver::{property, task};

/// Takes bytes for a task definition, and for a property.
pub fn run(bytes: &[u8]) {
    // In a folder that does not exist, so that the properties that it names don't either.
    let path = "/nonexistent/fuzz.yml";
    let input = Input { path: path.into(), name: path.to_owned(), bytes: bytes.to_vec() };
    if let Err(failure) = task::parse(&input) {
        check_failure(&failure);
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(property) = property::parse(text)
    {
        assert!(!property.entry.is_empty() && !property.observer.transitions.is_empty(), "{property:?}");
        assert!(property.question().starts_with("whether "), "{property:?}");
    }
}

//! Writing to stdout and stderr. A reader that went away is no error.

use crate::diagnostics::{self, Style};
use base::{Diagnostic, SourceMap};
use driver::Failure;
use std::io::Write;

/// Writes to stdout at once.
pub fn stdout(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes to stderr.
pub fn stderr(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Shows why a run could not begin.
pub fn failure(failure: &Failure) {
    diagnostics(&failure.diagnostics, failure.source.as_deref());
}

/// Shows diagnostics.
pub fn diagnostics(diagnostics: &[Diagnostic], source: Option<&SourceMap>) {
    let style = Style::of_stderr();
    for diagnostic in diagnostics {
        stderr(&diagnostics::render(diagnostic, source, style));
    }
}

//! Input that can't be used: diagnostics together with the text that they point into.

use base::{Diagnostic, SourceMap};

/// Why a run could not begin. It ends with exit code 2.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What is wrong; not empty.
    pub diagnostics: Vec<Diagnostic>,
    /// The text that the spans point into, if they have any.
    pub source: Option<Box<SourceMap>>,
}

impl Failure {
    /// A failure without a place in a text.
    pub fn new(diagnostic: Diagnostic) -> Self {
        Self { diagnostics: vec![diagnostic], source: None }
    }

    /// A failure at places of `source`.
    pub fn in_source(diagnostics: Vec<Diagnostic>, source: SourceMap) -> Self {
        Self { diagnostics, source: Some(Box::new(source)) }
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self { diagnostics, source: None }
    }
}

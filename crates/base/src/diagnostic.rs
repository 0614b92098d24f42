//! Diagnostics as data; only the command line renders them.

use crate::Span;

/// How bad a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The input can't be read; the run ends with exit code 2.
    Error,
    /// The run goes on, but the user should know.
    Warning,
    /// For information.
    Note,
}

/// One message about the input, with its place and a hint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Stable code such as `E0103`.
    pub code: &'static str,
    /// Error, warning or note.
    pub severity: Severity,
    /// Where in the translation unit text; `None` for messages about a file or an option.
    pub span: Option<Span>,
    /// What is wrong, one sentence without a full stop, lower case.
    pub message: String,
    /// What the caret points at; may be empty.
    pub label: String,
    /// What the user can do about it.
    pub help: Option<String>,
    /// Further places with an explanation ("first declared here").
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            span: span.into(),
            message: message.into(),
            label: String::new(),
            help: None,
            related: Vec::new(),
        }
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// Sets the text at the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Sets the hint.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a further place.
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push((span, message.into()));
        self
    }
}

//! Renders diagnostics in rustc's style.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use base::{Diagnostic, Severity, SourceMap, Span};
use std::io::IsTerminal;

/// Characters of a source line that are shown around the place; generated code has lines of megabytes.
const WINDOW: usize = 160;

/// Whether escape codes are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// No escape codes.
    Plain,
    /// With colours.
    Colour,
}

impl Style {
    /// What stderr shows.
    pub fn of_stderr() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        if wanted && std::io::stderr().is_terminal() { Style::Colour } else { Style::Plain }
    }
}

/// Renders one diagnostic, with a line end.
pub fn render(diagnostic: &Diagnostic, source: Option<&SourceMap>, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let message = printable(&diagnostic.message);
    let label = printable(&diagnostic.label);
    let excerpts: Vec<(Excerpt, String)> = diagnostic
        .related
        .iter()
        .filter_map(|(span, text)| Some((excerpt(source?, *span)?, printable(text))))
        .collect();
    let main = diagnostic.span.and_then(|span| excerpt(source?, span));
    let mut report: Vec<Group<'_>> = Vec::new();
    let mut group = level
        .primary_title(message.as_str())
        .id(diagnostic.code)
        .elements([] as [Snippet<'_, annotate_snippets::Annotation<'_>>; 0]);
    if let Some(main) = &main {
        let mut annotation = AnnotationKind::Primary.span(main.range.clone());
        if !label.is_empty() {
            annotation = annotation.label(label.as_str());
        }
        group = group.element(snippet(main).annotation(annotation));
    }
    let help = diagnostic.help.as_deref().map(printable);
    if main.is_some()
        && let Some(help) = &help
    {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    report.push(group);
    for (related, text) in &excerpts {
        let annotation = AnnotationKind::Primary.span(related.range.clone());
        report.push(Level::NOTE.secondary_title(text.as_str()).element(snippet(related).annotation(annotation)));
    }
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let mut text = renderer.render(&report).to_string() + "\n";
    // The renderer puts an empty line of source before a hint; where there is no source, there is nothing to set apart.
    if main.is_none()
        && let Some(help) = &help
    {
        text += &format!("  = help: {help}\n");
    }
    text
}

/// The source line of a place, cut to a window.
struct Excerpt {
    file: String,
    line: usize,
    text: String,
    /// Bytes of `text`.
    range: std::ops::Range<usize>,
}

fn snippet(excerpt: &Excerpt) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
    Snippet::source(excerpt.text.as_str()).path(excerpt.file.as_str()).line_start(excerpt.line)
}

fn excerpt(source: &SourceMap, span: Span) -> Option<Excerpt> {
    let place = source.place(span.lo)?;
    let (start, line) = source.line_at(span.lo);
    let lo = (span.lo.saturating_sub(start) as usize).min(line.len());
    let hi = (span.hi.saturating_sub(start) as usize).clamp(lo, line.len());
    let from = floor(line, lo.saturating_sub(WINDOW / 2));
    let to = floor(line, (from + WINDOW).min(line.len()));
    let (lo, hi) = (floor(line, lo.min(to)), floor(line, hi.min(to)));
    // Tabs and control characters would move the caret.
    let clean = |text: &str| -> String { text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect() };
    let before = clean(&line[from..lo]);
    let inside = clean(&line[lo..hi]);
    let text = format!("{before}{inside}{}", clean(&line[hi..to]));
    let range = before.len()..before.len() + inside.len();
    Some(Excerpt { file: place.file.to_string(), line: place.line as usize, text, range })
}

/// The largest character boundary up to `at`.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Text without control characters, which hostile file names and programs could smuggle into a terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> SourceMap {
        SourceMap::new("dir/a.c".into(), "int x;\n\tint main(void) { return y; }\nint z;\n".into(), Vec::new())
    }

    #[test]
    fn error_with_place_and_hint() {
        let diagnostic = Diagnostic::error("E0203", Span::new(32, 33), "`y` is not declared")
            .label("not found in this scope")
            .help("did you mean `x`?");
        insta::assert_snapshot!(render(&diagnostic, Some(&source()), Style::Plain));
    }

    #[test]
    fn related_places() {
        let diagnostic = Diagnostic::error("E0204", Span::new(41, 42), "`z` is declared twice")
            .related(Span::new(4, 5), "first declared here")
            .help("remove one");
        insta::assert_snapshot!(render(&diagnostic, Some(&source()), Style::Plain));
    }

    #[test]
    fn message_without_place() {
        let diagnostic = Diagnostic::error("E0001", None, "a.c: no such file").help("check the path");
        insta::assert_snapshot!(render(&diagnostic, None, Style::Plain));
    }

    #[track_caller]
    fn check_any_span(text: &str) {
        let map = SourceMap::new("a.c".into(), text.into(), Vec::new());
        for lo in 0..=text.len() as u32 {
            for hi in [lo, lo + 1, text.len() as u32, u32::MAX] {
                if hi >= lo {
                    render(&Diagnostic::error("E", Span::new(lo, hi), "m").label("l"), Some(&map), Style::Plain);
                }
            }
        }
        render(&Diagnostic::error("E", Span::NONE, "m"), Some(&map), Style::Plain);
    }

    #[test]
    fn no_span_panics() {
        check_any_span("");
        check_any_span("\n");
        check_any_span("äöü\n\u{7}\t日本語");
        check_any_span(&"é".repeat(300));
    }
}

//! Correctness witnesses: invariants at positions of the program's file.

use crate::model::{Constraint, Invariant, InvariantKind, Position};
use crate::sites::{SiteKind, Sites};
use base::{SourceMap, Span};

/// Something that was proved to hold at a place of the text: at the head of a loop, or before a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proved {
    /// A place in the statement; for a loop in its first word or its condition.
    pub span: Span,
    /// What holds there, an expression of C without effects.
    pub text: String,
}

/// The invariants at positions of the file; what lies elsewhere (in headers, in library code) is left out.
pub fn invariants(sites: &Sites, map: &SourceMap, proved: &[Proved]) -> Vec<Invariant> {
    let mut found: Vec<Invariant> = Vec::new();
    for Proved { span, text } in proved {
        let around = sites.statement_around(*span);
        let site = sites
            .at(SiteKind::Loop, span.lo)
            .or_else(|| sites.at(SiteKind::Statement, span.lo))
            .or_else(|| sites.condition_around(*span).and_then(|c| sites.at(SiteKind::Loop, c.keyword)))
            .or_else(|| around.and_then(|s| sites.at(SiteKind::Loop, s.lo)))
            .or_else(|| around.and_then(|s| sites.at(SiteKind::Statement, s.lo)));
        let Some(site) = site else { continue };
        let Some((line, column)) = sites.position(map, site.offset) else { continue };
        let kind = if site.kind == SiteKind::Loop { InvariantKind::Loop } else { InvariantKind::Location };
        let at = Position { line, column: Some(column), function: Some(site.function.to_string()) };
        found.push(Invariant { kind, at, value: Constraint::new(text.as_str()), span: Span::NONE });
    }
    found.sort_by(|a, b| (&a.at, a.kind, &a.value.text).cmp(&(&b.at, b.kind, &b.value.text)));
    found.dedup();
    found
}

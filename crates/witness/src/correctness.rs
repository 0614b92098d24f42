//! Correctness witnesses: what was proved, as invariants at positions of the program's file.

use crate::model::{Constraint, Invariant, InvariantKind, Position};
use crate::sites::{SiteKind, Sites};
use base::{SourceMap, Span};

/// The invariants at positions of the file. What lies elsewhere (in headers, in library code), and what is no expression in C, is left out.
pub fn invariants(sites: &Sites, map: &SourceMap, proved: &[outcome::Invariant]) -> Vec<Invariant> {
    let mut found: Vec<Invariant> = Vec::new();
    for outcome::Invariant { place, text, .. } in proved {
        let (Some(text), Some(site)) = (text, sites.at_place(map, place)) else { continue };
        let (line, column) = site.position;
        let kind = if site.kind == SiteKind::Loop { InvariantKind::Loop } else { InvariantKind::Location };
        let at = Position { line, column: Some(column), function: Some(site.function.to_string()) };
        found.push(Invariant { kind, at, value: Constraint::new(text.as_str()), span: Span::NONE });
    }
    found.sort_by(|a, b| (&a.at, a.kind, &a.value.text).cmp(&(&b.at, b.kind, &b.value.text)));
    found.dedup();
    found
}

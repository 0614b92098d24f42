//! Correctness witnesses: what was proved, as invariants and contracts at positions of the program's file.

use crate::model::{Constraint, Contract, Dialect, Invariant, InvariantKind};
use crate::sites::{SiteKind, Sites};
use base::{SourceMap, Span};

/// The invariants at positions of the file. What lies elsewhere (in headers, in library code), and what is no expression in C, is left out.
pub fn invariants(sites: &Sites, map: &SourceMap, proved: &[outcome::Invariant]) -> Vec<Invariant> {
    let mut found: Vec<Invariant> = Vec::new();
    for outcome::Invariant { place, text, .. } in proved {
        let (Some(text), Some(site)) = (text, sites.at_place(map, place)) else { continue };
        let kind = if site.kind == SiteKind::Loop { InvariantKind::Loop } else { InvariantKind::Location };
        let at = sites.position_of(site);
        found.push(Invariant { kind, at, value: Constraint::new(text.as_str()), span: Span::NONE });
    }
    found.sort_by(|a, b| (&a.at, a.kind, &a.value.text).cmp(&(&b.at, b.kind, &b.value.text)));
    found.dedup();
    found
}

/// The contracts of functions that the file defines.
pub fn contracts(sites: &Sites, proved: &[outcome::Contract]) -> Vec<Contract> {
    let mut found = Vec::new();
    for outcome::Contract { function, requires, ensures, .. } in proved {
        let Some(site) = sites.function(function).filter(|_| requires.is_some() || ensures.is_some()) else { continue };
        let at = sites.position_of(site);
        let constraint = |text: &Option<String>| text.as_deref().map(Constraint::new);
        let (requires, ensures) = (constraint(requires), constraint(ensures));
        found.push(Contract { at, requires, ensures, dialect: Dialect::C, span: Span::NONE });
    }
    found.sort_by(|a, b| a.at.cmp(&b.at));
    found
}

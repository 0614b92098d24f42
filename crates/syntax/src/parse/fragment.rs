//! Expressions that stand beside a translation unit: in a part of the text that was appended to it.
//!
//! They see the typedef names of all files, and their names get symbols of the unit, so that they can be put into its tree.

use base::{Diagnostic, Span};

use super::Parser;
use super::scope::Class;
use crate::ast::{Expr, ExternalItem, Storage, TranslationUnit};
use crate::lex::{Tok, Tokens, lex};
use crate::preprocess::Source;

/// Parses the expression in `part` of the text of `source`, which holds `unit` as well.
///
/// # Errors
/// If it is no expression; the diagnostics have places in `part`.
pub fn expression(source: &Source, unit: &mut TranslationUnit, part: Span) -> Result<Expr, Vec<Diagnostic>> {
    let Tokens { tokens, names, errors, .. } = lex(source.map.text(), part, std::mem::take(&mut unit.names), &[]);
    if !errors.is_empty() {
        unit.names = names;
        return Err(errors);
    }
    let mut parser = Parser::new(source, source.units[0].encoding, tokens, names);
    for item in &unit.items {
        let ExternalItem::Declaration(declaration) = item else { continue };
        if declaration.specs.storage == Some(Storage::Typedef) {
            for name in declaration.declarators.iter().filter_map(|d| d.declarator.name) {
                parser.scopes.declare(name.name, Class::Typedef);
            }
        }
    }
    let parsed = parser.expression();
    if parsed.is_ok() && parser.kind() != Tok::Eof {
        let span = parser.span();
        let _ = parser.fail(Diagnostic::error("E0123", span, "the expression ends before this").label("unexpected"));
    }
    let Parser { names, errors, .. } = parser;
    unit.names = names;
    match parsed {
        Ok(e) if errors.is_empty() => Ok(e),
        _ => Err(errors),
    }
}

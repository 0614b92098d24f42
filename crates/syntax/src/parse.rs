//! The parser: recursive descent with precedence climbing over the tokens of [`crate::lex`].
//!
//! C needs to know which names are typedefs; [`scope`] keeps them. Every recursion goes through [`Parser::enter`], so
//! that neither the parser nor a recursive consumer of the tree can overflow a stack that is large enough for
//! [`MAX_DEPTH`] levels. After an error, parsing goes on behind the external declaration, to find further ones.

mod acsl;
mod assembler;
mod contract;
mod declaration;
mod declarator;
#[cfg(test)]
mod dump;
mod error;
mod expression;
pub mod fragment;
mod initializer;
mod literal;
mod primary;
mod record;
mod scope;
mod specifier;
mod statement;
#[cfg(test)]
mod tests;

use base::{Diagnostic, Span};

use crate::ast::{ExternalItem, TranslationUnit};
use crate::intern::Interner;
use crate::lex::{Tok, Token, keywords, lex};
use crate::preprocess::{Encoding, Source};
use acsl::Acsl;
use scope::Scopes;

/// Largest depth of the syntax tree: nested parentheses, operands, blocks, initialisers and so on.
///
/// Parsing takes below 2 KiB of stack for one level, so that 64 MiB suffice for the parser; consumers that take up to
/// 50 KiB for a level fit into the 1 GiB that the front end's thread has.
pub const MAX_DEPTH: u32 = 20_000;

/// So many errors are reported at most.
pub const MAX_ERRORS: usize = 20;

/// Parses all translation units of a program.
///
/// # Errors
/// Between one and [`MAX_ERRORS`] diagnostics, in source order.
pub fn parse(source: &Source) -> Result<TranslationUnit, Vec<Diagnostic>> {
    let mut names = keywords();
    let (mut items, mut errors) = (Vec::new(), Vec::new());
    let mut asks_for_types = false;
    for unit in &source.units {
        let tokens = lex(source.map.text(), unit.span, names, &source.annotations);
        errors.extend(tokens.errors);
        if !errors.is_empty() {
            names = tokens.names;
            continue;
        }
        items.push(ExternalItem::File(unit.span));
        let mut parser = Parser::new(source, unit.encoding, tokens.tokens, tokens.names);
        parser.acsl = Acsl::new(tokens.annotations);
        parser.translation_unit(&mut items);
        let pragmas =
            source.pragmas.iter().filter(|pragma| unit.span.lo <= pragma.span.lo && pragma.span.hi <= unit.span.hi);
        items.extend(pragmas.cloned().map(ExternalItem::Pragma));
        errors.append(&mut parser.errors);
        names = parser.names;
        asks_for_types |= parser.asks_for_types;
    }
    errors.truncate(MAX_ERRORS);
    if errors.is_empty() {
        Ok(TranslationUnit { names, items, unchecked: source.unchecked.clone(), asks_for_types })
    } else {
        Err(errors)
    }
}

/// Parsing can't go on here; the diagnostic is already in [`Parser::errors`].
#[derive(Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'a> {
    text: &'a str,
    encoding: Encoding,
    packs: &'a [(u32, Option<u32>)],
    tokens: Vec<Token>,
    /// Index of the current token; never behind the first `Eof`.
    pos: usize,
    names: Interner,
    scopes: Scopes,
    acsl: Acsl,
    errors: Vec<Diagnostic>,
    /// Levels from the root to what is being parsed.
    depth: u32,
    /// Depth of the deepest leaf since somebody lowered it. Who puts a node above a finished tree (left-associative
    /// operators) adds one.
    peak: u32,
    /// [`TranslationUnit::asks_for_types`], so far.
    asks_for_types: bool,
}

impl<'a> Parser<'a> {
    fn new(source: &'a Source, encoding: Encoding, tokens: Vec<Token>, mut names: Interner) -> Self {
        let scopes = Scopes::new(&mut names);
        Self {
            text: source.map.text(),
            encoding,
            packs: &source.packs,
            tokens,
            pos: 0,
            names,
            scopes,
            acsl: Acsl::default(),
            errors: Vec::new(),
            depth: 0,
            peak: 0,
            asks_for_types: false,
        }
    }

    fn translation_unit(&mut self, items: &mut Vec<ExternalItem>) {
        while self.kind() != Tok::Eof && self.errors.len() < MAX_ERRORS {
            let start = self.pos;
            match self.external_item() {
                Ok(Some(item)) => items.push(item),
                Ok(None) => {}
                Err(Failed) => self.recover(start),
            }
            self.depth = 0;
            self.peak = 0;
        }
        if let (Some(annotation), []) = (self.annotations_of_file().first(), self.errors.as_slice()) {
            self.misplaced(annotation.span, "no function follows");
        }
    }

    #[inline]
    fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    #[inline]
    fn kind(&self) -> Tok {
        self.tokens[self.pos].kind
    }

    #[inline]
    fn span(&self) -> Span {
        self.tokens[self.pos].span
    }

    /// The token after the next `n`, at most [`crate::lex::LOOKAHEAD`].
    #[inline]
    fn peek(&self, n: usize) -> Token {
        self.tokens[self.pos + n]
    }

    #[inline]
    fn bump(&mut self) -> Token {
        let token = self.tokens[self.pos];
        if token.kind != Tok::Eof {
            self.pos += 1;
        }
        token
    }

    /// Skips the token if it is of this kind.
    #[inline]
    fn eat(&mut self, kind: Tok) -> bool {
        let found = self.kind() == kind;
        if found {
            self.pos += 1;
        }
        found
    }

    /// The span of the token before the current one.
    #[inline]
    fn last_span(&self) -> Span {
        match self.pos.checked_sub(1) {
            Some(last) => self.tokens[last].span,
            None => Span::new(0, 0),
        }
    }

    /// From `lo` to the last consumed token.
    #[inline]
    fn since(&self, lo: u32) -> Span {
        Span::new(lo, self.last_span().hi.max(lo))
    }

    /// An empty span before the current token.
    fn here(&self) -> Span {
        let lo = self.span().lo;
        Span::new(lo, lo)
    }

    fn snippet(&self, span: Span) -> &'a str {
        &self.text[span.lo as usize..span.hi as usize]
    }

    /// One level down; every recursive function calls it first and [`Self::leave`] at its end.
    #[inline]
    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        self.peak = self.peak.max(self.depth);
        if self.depth > MAX_DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }

    #[inline]
    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Records that a node was put above the tree whose deepest leaf is at [`Self::peak`].
    #[inline]
    fn wrap(&mut self) -> Parsed<()> {
        self.peak += 1;
        if self.peak > MAX_DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }

    fn is_typedef(&self, token: Token) -> bool {
        token.kind == Tok::Ident && self.scopes.is_type(token.name)
    }
}

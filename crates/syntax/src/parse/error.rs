//! Messages about syntax errors, guesses at their causes, and where to go on.

use base::{Diagnostic, Span};

use super::{Failed, MAX_DEPTH, Parsed, Parser};
use crate::lex::{Tok, Token};

/// Words that start declarations in C++ and D but not in C.
const CPP_WORDS: [&str; 11] = [
    "class",
    "namespace",
    "template",
    "using",
    "public",
    "private",
    "protected",
    "virtual",
    "typename",
    "operator",
    "import",
];

/// How a token is called in messages.
pub(super) fn spelling(kind: Tok) -> &'static str {
    match kind {
        Tok::LParen => "`(`",
        Tok::RParen => "`)`",
        Tok::LBracket => "`[`",
        Tok::RBracket => "`]`",
        Tok::LBrace => "`{`",
        Tok::RBrace => "`}`",
        Tok::Semi => "`;`",
        Tok::Comma => "`,`",
        Tok::Colon => "`:`",
        Tok::Ident => "a name",
        Tok::Str => "a string literal",
        Tok::While => "`while`",
        Tok::Dot => "`.`",
        _ => "another token",
    }
}

impl Parser<'_> {
    #[cold]
    pub(super) fn fail(&mut self, diagnostic: Diagnostic) -> Failed {
        self.errors.push(diagnostic);
        Failed
    }

    #[cold]
    pub(super) fn too_deep(&mut self) -> Failed {
        let message = format!("nesting too deep: more than {MAX_DEPTH} levels");
        let help = "split long expressions with variables and deep nesting with functions";
        let span = self.span();
        self.fail(Diagnostic::error("E0122", span, message).help(help))
    }

    /// Consumes a token of this kind.
    #[inline]
    pub(super) fn expect(&mut self, kind: Tok) -> Parsed<Span> {
        let token = self.token();
        if token.kind == kind {
            self.pos += 1;
            return Ok(token.span);
        }
        Err(self.expected(spelling(kind)))
    }

    /// Consumes what closes the bracket at `open`.
    #[inline]
    pub(super) fn expect_closing(&mut self, kind: Tok, open: Span) -> Parsed<Span> {
        let token = self.token();
        if token.kind == kind {
            self.pos += 1;
            return Ok(token.span);
        }
        self.expected(spelling(kind));
        if let Some(error) = self.errors.last_mut() {
            error.related.push((open, "opened here".to_owned()));
        }
        Err(Failed)
    }

    pub(super) fn found(&self, token: Token) -> String {
        if token.kind == Tok::Eof {
            let whole = if self.acsl.is_open { "annotation" } else { "file" };
            return format!("the end of the {whole}");
        }
        let text = self.snippet(token.span);
        match text.char_indices().nth(40) {
            Some((end, _)) => format!("`{}…`", &text[..end]),
            None => format!("`{text}`"),
        }
    }

    /// The current token isn't what the grammar asks for.
    #[cold]
    pub(super) fn expected(&mut self, what: &str) -> Failed {
        let token = self.token();
        let last = self.last_span();
        let found = self.found(token);
        // Something is missing rather than wrong if the line ends before it.
        let missing = self.pos > 0 && self.text[last.hi as usize..token.span.lo as usize].contains('\n');
        let is_end = matches!(what, "`;`" | "`)`" | "`]`" | "`,`");
        let mut error = if (missing && is_end) || token.kind == Tok::Eof {
            let after = self.found(self.tokens[self.pos.saturating_sub(1)]);
            let message = match token.kind {
                Tok::Eof if self.acsl.is_open => format!("expected {what}, but the annotation ends"),
                Tok::Eof => format!("expected {what}, but the file ends"),
                _ => format!("expected {what} after {after}"),
            };
            let width = self.snippet(last).chars().next_back().map_or(0, char::len_utf8);
            let end = Span::new(last.hi - width as u32, last.hi);
            Diagnostic::error("E0120", end, message).label(format!("{what} is missing after this"))
        } else {
            Diagnostic::error("E0120", token.span, format!("expected {what}, found {found}"))
                .label(format!("expected {what}"))
        };
        error.help = self.guess();
        self.fail(error)
    }

    /// A name stands where only a type can.
    #[cold]
    pub(super) fn unknown_type(&mut self, token: Token) -> Failed {
        let name = self.found(token);
        let mut error = Diagnostic::error("E0121", token.span, format!("unknown type name {name}"));
        error.help = self.guess_of(token).or_else(|| Some("declare it with typedef or include its header".to_owned()));
        self.fail(error)
    }

    /// What the current token hints at.
    fn guess(&self) -> Option<String> {
        let token = self.token();
        let before = self.pos.checked_sub(1).map(|i| self.tokens[i]);
        self.guess_of(token).or_else(|| before.and_then(|t| self.guess_of(t))).or_else(|| {
            (token.kind == Tok::Else).then(|| "is there a `;` or a missing `}` before this `else`?".to_owned())
        })
    }

    fn guess_of(&self, token: Token) -> Option<String> {
        let next = if token.span == self.span() { self.peek(1).kind } else { self.kind() };
        let text = self.snippet(token.span);
        if token.kind == Tok::Ident && CPP_WORDS.contains(&text) {
            return Some(format!("`{text}` isn't C; only C is supported"));
        }
        if token.kind == Tok::Ident && text == "constexpr" {
            return Some(
                "`constexpr` of C23 is not read; write `static const`, or `enum { N = 4 };` for a constant".to_owned(),
            );
        }
        if token.kind == Tok::Ident && matches!(text, "typeof_unqual" | "nullptr_t" | "_BitInt") {
            return Some(format!("`{text}` of C23 is not read"));
        }
        if token.kind == Tok::Colon && next == Tok::Colon {
            return Some("`::` is C++; only C is supported".to_owned());
        }
        if token.kind == Tok::Ident && matches!(text, "section" | "global" | "globl" | "text") {
            return Some("this looks like assembler; give a C file".to_owned());
        }
        if token.kind == Tok::Ident && matches!(text, "uint" | "string" | "boolean" | "byte" | "Bool" | "u32" | "u8") {
            return Some(format!("C has no type `{text}`; declare it with typedef or include its header"));
        }
        None
    }

    /// Goes behind the external declaration that starts at the token `start`.
    #[cold]
    pub(super) fn recover(&mut self, start: usize) {
        self.scopes.pop_all();
        let passed = &self.tokens[start..self.pos];
        let count = |kind| passed.iter().filter(|t| t.kind == kind).count();
        let mut open = count(Tok::LBrace).saturating_sub(count(Tok::RBrace));
        loop {
            // Annotations belong to what is passed over.
            self.forget_annotations();
            let token = self.bump();
            match token.kind {
                Tok::Eof => return,
                Tok::LBrace => open += 1,
                Tok::RBrace if open > 1 => open -= 1,
                Tok::RBrace => {
                    self.eat(Tok::Semi);
                    return;
                }
                Tok::Semi if open == 0 => return,
                _ => {}
            }
        }
    }
}

//! The scanner: translation unit text to tokens, all at once.
//!
//! It is driven by a table of byte classes, copies nothing, and interns identifiers; keywords are the first symbols of
//! the interner, so that telling them apart costs one comparison. Constants and strings are decoded by the parser.

mod token;

use base::{Diagnostic, Id, Span};

pub use token::{Tok, Token};

use crate::intern::{Interner, Symbol};
use token::KEYWORDS;

/// What the scanner returns.
#[derive(Debug)]
pub struct Tokens {
    /// Ends in [`LOOKAHEAD`] + 1 tokens `Eof`.
    pub tokens: Vec<Token>,
    /// Keywords and identifiers.
    pub names: Interner,
    /// What isn't a token, at most [`crate::parse::MAX_ERRORS`].
    pub errors: Vec<Diagnostic>,
    /// Annotations between the tokens, in order.
    pub annotations: Vec<Annotation>,
}

/// A comment that is an annotation.
#[derive(Debug)]
pub struct Annotation {
    /// The comment.
    pub span: Span,
    /// Index of the token behind it.
    pub before: usize,
    /// What it says; ends as [`Tokens::tokens`] do. Words may begin with a backslash.
    pub tokens: Vec<Token>,
    /// What isn't a token in it.
    pub errors: Vec<Diagnostic>,
}

/// How many tokens after the current one the parser may look at.
pub const LOOKAHEAD: usize = 3;

/// Classes of bytes, by what a token that starts with them can be.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Blank,
    /// Letters, `_`, `$` and everything beyond ASCII.
    Letter,
    Digit,
    Quote,
    Punct,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match b as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Class::Blank,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80..=0xff => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'"' | b'\'' => Class::Quote,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b';' | b',' | b'?' | b'~' | b':' | b'.' => Class::Punct,
            b'+' | b'-' | b'*' | b'/' | b'%' | b'=' | b'!' | b'<' | b'>' | b'&' | b'|' | b'^' => Class::Punct,
            _ => Class::Other,
        };
        b += 1;
    }
    table
};

fn is_word(byte: u8) -> bool {
    matches!(CLASSES[byte as usize], Class::Letter | Class::Digit)
}

/// An interner that knows the keywords.
pub fn keywords() -> Interner {
    let mut names = Interner::new();
    for (word, _) in KEYWORDS {
        names.intern(word);
    }
    names
}

/// Splits a part of `text` into tokens; names get symbols in `names`, which began as [`keywords`]. Comments and directives are already
/// blanked by [`crate::preprocess`], but for `annotations`, which are sorted.
pub fn lex(text: &str, part: Span, names: Interner, annotations: &[Span]) -> Tokens {
    let text = text.get(..part.hi as usize).unwrap_or(text);
    let pos = part.lo as usize;
    // C has about one token in five bytes.
    let tokens = Vec::with_capacity((text.len() - pos.min(text.len())) / 5 + 16);
    let mut lexer = Lexer { bytes: text.as_bytes(), text, pos, tokens, names, errors: Vec::new(), mode: Mode::Program };
    let mut found = Vec::new();
    for span in annotations.iter().filter(|span| part.lo <= span.lo && span.hi <= part.hi) {
        lexer.run(span.lo as usize);
        let before = lexer.tokens.len();
        found.push(lexer.annotation(*span, before));
    }
    lexer.run(text.len());
    lexer.end();
    let Lexer { tokens, names, errors, .. } = lexer;
    Tokens { tokens, names, errors, annotations: found }
}

/// What is being scanned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Program,
    /// Words may begin with a backslash, `@` is a blank, and two dots end a number.
    Annotation,
}

struct Lexer<'a> {
    bytes: &'a [u8],
    text: &'a str,
    pos: usize,
    tokens: Vec<Token>,
    names: Interner,
    errors: Vec<Diagnostic>,
    mode: Mode,
}

impl Lexer<'_> {
    /// Scans what begins before an offset.
    fn run(&mut self, end: usize) {
        while self.pos < end {
            let Some(byte) = self.bytes.get(self.pos).copied() else { return };
            let lo = self.pos;
            if self.mode == Mode::Annotation && self.of_annotation(lo, byte) {
                continue;
            }
            match CLASSES[byte as usize] {
                Class::Blank => self.pos += 1,
                Class::Letter => self.word(lo),
                Class::Digit => self.number(lo),
                Class::Punct if byte == b'.' && self.at(1).is_ascii_digit() => self.number(lo),
                Class::Punct => self.punctuator(lo, byte),
                Class::Quote => self.quoted(lo, lo),
                Class::Other => self.other(lo, byte),
            }
            if self.errors.len() >= crate::parse::MAX_ERRORS {
                break;
            }
        }
    }

    fn end(&mut self) {
        for _ in 0..=LOOKAHEAD {
            self.pos = self.bytes.len();
            self.push(Tok::Eof, self.pos);
        }
    }

    /// The tokens of a comment.
    fn annotation(&mut self, span: Span, before: usize) -> Annotation {
        let outer = (std::mem::take(&mut self.tokens), std::mem::take(&mut self.errors), self.bytes);
        let is_block = self.bytes.get(span.lo as usize + 1) == Some(&b'*');
        let end = span.hi as usize - if is_block { 2 } else { 0 };
        // No token goes on behind the comment.
        self.bytes = &self.bytes[..end];
        self.mode = Mode::Annotation;
        self.pos = (span.lo as usize + 3).min(end);
        self.run(end);
        self.end();
        self.mode = Mode::Program;
        let (tokens, errors) =
            (std::mem::replace(&mut self.tokens, outer.0), std::mem::replace(&mut self.errors, outer.1));
        self.bytes = outer.2;
        self.pos = span.hi as usize;
        Annotation { span, before, tokens, errors }
    }

    /// Takes what only annotations have.
    fn of_annotation(&mut self, lo: usize, byte: u8) -> bool {
        match byte {
            b'@' => self.pos += 1,
            b'/' if self.at(1) == b'/' => {
                let rest = &self.bytes[lo..];
                self.pos += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
            }
            b'.' if self.at(1) == b'.' && self.at(2) != b'.' => {
                for at in [lo, lo + 1] {
                    self.pos = at + 1;
                    self.push(Tok::Dot, at);
                }
            }
            b'\\' if self.at(1) == b'\n' || self.at(1) == b'\r' => self.pos += 1,
            b'\\' if matches!(CLASSES[self.at(1) as usize], Class::Letter) => {
                self.pos += 1;
                self.skip_word();
                let name = self.names.intern(&self.text[lo..self.pos]);
                self.push_named(Tok::Ident, lo, name);
            }
            _ => return false,
        }
        true
    }

    #[inline]
    fn at(&self, offset: usize) -> u8 {
        self.bytes.get(self.pos + offset).copied().unwrap_or(0)
    }

    #[inline]
    fn push(&mut self, kind: Tok, lo: usize) {
        self.push_named(kind, lo, Symbol::from_index(0));
    }

    #[inline]
    fn push_named(&mut self, kind: Tok, lo: usize, name: Symbol) {
        self.tokens.push(Token { kind, span: Span::new(lo as u32, self.pos as u32), name });
    }

    fn error(&mut self, lo: usize, message: &str, help: &str) {
        let span = Span::new(lo as u32, self.pos as u32);
        self.errors.push(Diagnostic::error("E0110", span, message).help(help));
    }

    #[inline]
    fn skip_word(&mut self) {
        while self.pos < self.bytes.len() && is_word(self.bytes[self.pos]) {
            self.pos += 1;
        }
    }

    fn word(&mut self, lo: usize) {
        self.skip_word();
        let word = &self.text[lo..self.pos];
        if matches!(self.at(0), b'"' | b'\'') && matches!(word, "L" | "u" | "U" | "u8") {
            return self.quoted(lo, self.pos);
        }
        let name = self.names.intern(word);
        let kind = KEYWORDS.get(name.index()).map_or(Tok::Ident, |(_, kind)| *kind);
        self.push_named(kind, lo, name);
    }

    fn number(&mut self, lo: usize) {
        let hex = self.at(0) == b'0' && matches!(self.at(1), b'x' | b'X');
        while self.pos < self.bytes.len() {
            let byte = self.bytes[self.pos];
            if byte == b'.' && self.at(1) == b'.' && self.mode == Mode::Annotation {
                break;
            }
            let exponent = if hex { matches!(byte, b'p' | b'P') } else { matches!(byte, b'e' | b'E') };
            if exponent && matches!(self.at(1), b'+' | b'-') {
                self.pos += 2;
            } else if is_word(byte) || byte == b'.' || (byte == b'\'' && is_word(self.at(1))) {
                // A quote separates digits (C23).
                self.pos += 1;
            } else {
                break;
            }
        }
        self.push(Tok::Number, lo);
    }

    /// A string or character constant whose prefix starts at `lo` and whose quote is at `open`.
    fn quoted(&mut self, lo: usize, open: usize) {
        let quote = self.bytes[open];
        self.pos = open + 1;
        loop {
            match self.bytes.get(self.pos).copied() {
                Some(b) if b == quote => break,
                Some(b'\\') => self.pos += 2,
                None | Some(b'\n') => {
                    self.pos = self.pos.min(self.bytes.len());
                    let what = if quote == b'"' { "string literal" } else { "character constant" };
                    let help = format!("close it with {} on the same line", quote as char);
                    return self.error(lo, &format!("unterminated {what}"), &help);
                }
                Some(_) => self.pos += 1,
            }
        }
        self.pos += 1;
        self.push(if quote == b'"' { Tok::Str } else { Tok::Char }, lo);
    }

    fn punctuator(&mut self, lo: usize, byte: u8) {
        let (kind, len) = match (byte, self.at(1), self.at(2)) {
            (b'(', _, _) => (Tok::LParen, 1),
            (b')', _, _) => (Tok::RParen, 1),
            (b'[', _, _) => (Tok::LBracket, 1),
            (b']', _, _) => (Tok::RBracket, 1),
            (b'{', _, _) => (Tok::LBrace, 1),
            (b'}', _, _) => (Tok::RBrace, 1),
            (b';', _, _) => (Tok::Semi, 1),
            (b',', _, _) => (Tok::Comma, 1),
            (b'?', _, _) => (Tok::Question, 1),
            (b'~', _, _) => (Tok::Tilde, 1),
            (b':', b'>', _) => (Tok::RBracket, 2),
            (b':', _, _) => (Tok::Colon, 1),
            (b'.', b'.', b'.') => (Tok::Ellipsis, 3),
            (b'.', _, _) => (Tok::Dot, 1),
            (b'+', b'+', _) => (Tok::PlusPlus, 2),
            (b'+', b'=', _) => (Tok::PlusEq, 2),
            (b'+', _, _) => (Tok::Plus, 1),
            (b'-', b'>', _) => (Tok::Arrow, 2),
            (b'-', b'-', _) => (Tok::MinusMinus, 2),
            (b'-', b'=', _) => (Tok::MinusEq, 2),
            (b'-', _, _) => (Tok::Minus, 1),
            (b'*', b'=', _) => (Tok::StarEq, 2),
            (b'*', _, _) => (Tok::Star, 1),
            (b'/', b'*', _) => {
                self.pos = lo + 2;
                self.error(lo, "unterminated comment", "close it with */");
                self.pos = self.bytes.len();
                return;
            }
            (b'/', b'=', _) => (Tok::SlashEq, 2),
            (b'/', _, _) => (Tok::Slash, 1),
            (b'%', b'=', _) => (Tok::PercentEq, 2),
            (b'%', b'>', _) => (Tok::RBrace, 2),
            (b'%', _, _) => (Tok::Percent, 1),
            (b'=', b'=', _) => (Tok::EqEq, 2),
            (b'=', _, _) => (Tok::Eq, 1),
            (b'!', b'=', _) => (Tok::NotEq, 2),
            (b'!', _, _) => (Tok::Not, 1),
            (b'<', b'<', b'=') => (Tok::ShlEq, 3),
            (b'<', b'<', _) => (Tok::Shl, 2),
            (b'<', b'=', _) => (Tok::Le, 2),
            (b'<', b':', _) => (Tok::LBracket, 2),
            (b'<', b'%', _) => (Tok::LBrace, 2),
            (b'<', _, _) => (Tok::Lt, 1),
            (b'>', b'>', b'=') => (Tok::ShrEq, 3),
            (b'>', b'>', _) => (Tok::Shr, 2),
            (b'>', b'=', _) => (Tok::Ge, 2),
            (b'>', _, _) => (Tok::Gt, 1),
            (b'&', b'&', _) => (Tok::AndAnd, 2),
            (b'&', b'=', _) => (Tok::AndEq, 2),
            (b'&', _, _) => (Tok::And, 1),
            (b'|', b'|', _) => (Tok::OrOr, 2),
            (b'|', b'=', _) => (Tok::OrEq, 2),
            (b'|', _, _) => (Tok::Or, 1),
            (b'^', b'=', _) => (Tok::CaretEq, 2),
            _ => (Tok::Caret, 1),
        };
        self.pos = lo + len;
        self.push(kind, lo);
    }

    fn other(&mut self, lo: usize, byte: u8) {
        self.pos += 1;
        let spliced = byte == b'\\' && matches!(self.at(0), b'\n' | b'\r');
        if !spliced {
            let help = match byte {
                b'#' => "directives stand alone on their line",
                b'@' | b'`' => "is this a C source text?",
                _ => "remove it",
            };
            self.error(lo, &format!("stray `{}` in the program", byte.escape_ascii()), help);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(Tok, &str)]) {
        let lexed = lex(text, Span::new(0, text.len() as u32), keywords(), &[]);
        assert_eq!(lexed.errors, [], "{text}");
        let found = lexed.tokens.iter().map(|t| (t.kind, &text[t.span.lo as usize..t.span.hi as usize]));
        let found: Vec<_> = found.take_while(|(kind, _)| *kind != Tok::Eof).collect();
        assert_eq!(found, expected, "{text}");
        assert_eq!(lexed.tokens.len(), expected.len() + LOOKAHEAD + 1);
    }

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        let errors: Vec<_> = lex(text, Span::new(0, text.len() as u32), keywords(), &[])
            .errors
            .iter()
            .map(|e| format!("{:?}: {}", e.span.map(|s| (s.lo, s.hi)).unwrap_or_default(), e.message))
            .collect();
        assert_eq!(errors.join("; "), expected, "{text}");
    }

    #[test]
    fn words_and_keywords() {
        check("int __const$x", &[(Tok::Int, "int"), (Tok::Ident, "__const$x")]);
        check("__const__ é9", &[(Tok::Const, "__const__"), (Tok::Ident, "é9")]);
    }

    #[test]
    fn numbers() {
        check("1e+5+.5", &[(Tok::Number, "1e+5"), (Tok::Plus, "+"), (Tok::Number, ".5")]);
        check("0xe+1", &[(Tok::Number, "0xe"), (Tok::Plus, "+"), (Tok::Number, "1")]);
        check("0x1p-3f", &[(Tok::Number, "0x1p-3f")]);
        check("1'000'f", &[(Tok::Number, "1'000'f")]);
    }

    #[test]
    fn quotes() {
        check(
            r#"L"a\"" u8"" '\'' u"#,
            &[(Tok::Str, r#"L"a\"""#), (Tok::Str, r#"u8"""#), (Tok::Char, r"'\''"), (Tok::Ident, "u")],
        );
    }

    #[test]
    fn longest_punctuators() {
        check("a>>=b", &[(Tok::Ident, "a"), (Tok::ShrEq, ">>="), (Tok::Ident, "b")]);
        check("--->.", &[(Tok::MinusMinus, "--"), (Tok::Arrow, "->"), (Tok::Dot, ".")]);
        check("<::>...", &[(Tok::LBracket, "<:"), (Tok::RBracket, ":>"), (Tok::Ellipsis, "...")]);
        check("a\\\nb", &[(Tok::Ident, "a"), (Tok::Ident, "b")]);
    }

    #[test]
    fn errors() {
        check_error("a \"b\nc", "(2, 4): unterminated string literal");
        check_error("'", "(0, 1): unterminated character constant");
        check_error("'\\", "(0, 2): unterminated character constant");
        check_error("a /* b", "(2, 4): unterminated comment");
        check_error("@ #", "(0, 1): stray `@` in the program; (2, 3): stray `#` in the program");
    }
}

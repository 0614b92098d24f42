//! Blanks comments, line markers and pragmas, in one pass. Comments that are annotations may stay.

use std::collections::HashMap;
use std::ops::Range;

use super::Annotations;
use super::pragma::Pragmas;
use base::source::LineMarker;
use base::{Name, Span};

/// What [`strip`] found.
pub(super) enum Strip {
    /// Only C is left.
    Done {
        /// Of the same length as the input.
        text: String,
        /// Sorted by line.
        markers: Vec<LineMarker>,
        /// What pragmas say.
        pragmas: Box<Pragmas>,
        /// Names that compilers may predefine as macros; none in text that went through a preprocessor.
        macros: Vec<MacroUse>,
        /// Comments that were left as they are. Sorted.
        annotations: Vec<Span>,
    },
    /// This directive needs a preprocessor.
    Directive(String),
}

/// A name that may be a predefined macro, with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MacroUse {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// The file that the user knows.
    pub file: Name,
    /// The line in it.
    pub line: u32,
}

/// Names in the shape of predefined macros that are none.
const NO_MACROS: &[&[u8]] = &[b"__FUNCTION__", b"__PRETTY_FUNCTION__", b"__VERIFIER__"];

/// Predefined macros that don't look like it, such as those of GCC's own dialect.
const ODD_MACROS: &[&[u8]] = &[
    b"__amd64",
    b"__amd64__",
    b"__code_model_small__",
    b"__gnu_linux__",
    b"__i386",
    b"__i386__",
    b"__i686",
    b"__i686__",
    b"__k8",
    b"__k8__",
    b"__linux",
    b"__linux__",
    b"__pic__",
    b"__pie__",
    b"__unix",
    b"__unix__",
    b"__x86_64",
    b"__x86_64__",
    b"_LP64",
    b"_ILP32",
    b"i386",
    b"linux",
    b"unix",
];

/// How predefined macros begin that have no underscores at their end.
const PREFIXES: [&[u8]; 4] = [b"__ATOMIC_", b"__GCC_", b"__GNUC_", b"__GXX_"];

/// Whether compilers may predefine the name as a macro.
fn may_be_predefined(word: &[u8]) -> bool {
    let capital = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    let shaped = word.len() > 4
        && word.starts_with(b"__")
        && (word.ends_with(b"__") || word.ends_with(b"_C") || PREFIXES.iter().any(|prefix| word.starts_with(prefix)))
        && word.iter().all(capital)
        && word.iter().any(u8::is_ascii_uppercase);
    (shaped && !NO_MACROS.contains(&word)) || ODD_MACROS.contains(&word)
}

/// Bytes of a number that are looked at.
const LONGEST_NUMBER: usize = 256;

/// Blanks what isn't C. `text` is UTF-8; `name` names the file until the first marker.
pub(super) fn strip(text: Vec<u8>, name: &str, kept: Annotations) -> Strip {
    let mut stripper = Stripper {
        text,
        pos: 0,
        line: 0,
        file: Name::from(name),
        files: HashMap::new(),
        markers: Vec::new(),
        pragmas: Pragmas::default(),
        preprocessed: name.ends_with(".i"),
        macros: Vec::new(),
        kept,
        annotations: Vec::new(),
    };
    if let Some(directive) = stripper.run() {
        return Strip::Directive(directive);
    }
    // Only whole characters are blanked, so the text is still UTF-8.
    let text = String::from_utf8(std::mem::take(&mut stripper.text))
        .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
    let Stripper { markers, pragmas, macros, annotations, .. } = stripper;
    Strip::Done { text, markers, pragmas: Box::new(pragmas), macros, annotations }
}

struct Stripper {
    text: Vec<u8>,
    pos: usize,
    /// Physical line of `pos`, from 0.
    line: u32,
    /// File of the last marker.
    file: Name,
    files: HashMap<Vec<u8>, Name>,
    markers: Vec<LineMarker>,
    pragmas: Pragmas,
    /// Whether a preprocessor made this text; then no macros are left.
    preprocessed: bool,
    macros: Vec<MacroUse>,
    kept: Annotations,
    annotations: Vec<Span>,
}

impl Stripper {
    /// The name of a directive that only a preprocessor understands.
    fn run(&mut self) -> Option<String> {
        let mut line_start = true;
        while let Some(byte) = self.text.get(self.pos).copied() {
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.pos += 1;
                    line_start = true;
                    continue;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    self.pos += 1;
                    continue;
                }
                b'/' if self.at(1) == b'*' => {
                    if !self.block_comment() {
                        return None;
                    }
                    continue;
                }
                b'/' if self.at(1) == b'/' => {
                    self.line_comment();
                    continue;
                }
                b'\'' if self.separates_digits() => self.pos += 1,
                b'"' | b'\'' => self.quoted(byte),
                b'#' if line_start => {
                    if let Some(directive) = self.directive() {
                        return Some(directive);
                    }
                }
                b'_' | b'i' | b'l' | b'u' if !self.preprocessed => self.word(),
                _ => self.pos += 1,
            }
            line_start = false;
        }
        None
    }

    /// The rest of an identifier that starts like a predefined macro.
    fn word(&mut self) {
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | 0x80..);
        let lo = self.pos;
        let inside = lo > 0 && is_word(&self.text[lo - 1]);
        self.pos += self.text[lo..].iter().take_while(|b| is_word(b)).count();
        if inside || !may_be_predefined(&self.text[lo..self.pos]) {
            return;
        }
        let mut hi = self.pos;
        if self.text[lo..hi].ends_with(b"_C") && self.at(0) == b'(' {
            // The arguments of those there are, such as `__INT64_C(1)`, are single tokens.
            let rest = &self.text[hi..];
            let end = rest.iter().position(|b| matches!(b, b')' | b'\n' | b'"' | b'\'')).filter(|at| rest[*at] == b')');
            hi += end.map_or(0, |at| at + 1);
        }
        let line = self.markers.last().map_or(self.line + 1, |m| m.line.wrapping_add(self.line.wrapping_sub(m.at)));
        self.macros.push(MacroUse { range: lo..hi, file: self.file.clone(), line });
        self.pos = hi;
    }

    /// Whether the quote here stands between digits of a number (C23).
    fn separates_digits(&self) -> bool {
        let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'\'');
        let before = &self.text[..self.pos];
        let len = before.iter().rev().take(LONGEST_NUMBER).take_while(|byte| is_digit(byte)).count();
        let is_number = matches!(before[before.len() - len..].first(), Some(b'0'..=b'9' | b'.'));
        is_number && self.at(1).is_ascii_alphanumeric()
    }

    fn at(&self, offset: usize) -> u8 {
        self.text.get(self.pos + offset).copied().unwrap_or(0)
    }

    /// Blanks `lo..pos` except line ends.
    fn blank(&mut self, lo: usize) {
        for byte in &mut self.text[lo..self.pos] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }

    /// `false` if it isn't closed; then it stays for the scanner to complain.
    fn block_comment(&mut self) -> bool {
        let lo = self.pos;
        let Some(len) = self.text[lo + 2..].windows(2).position(|w| w == b"*/") else { return false };
        self.pos = lo + 2 + len + 2;
        self.line += self.text[lo..self.pos].iter().filter(|b| **b == b'\n').count() as u32;
        self.comment(lo);
        true
    }

    fn line_comment(&mut self) {
        let lo = self.pos;
        self.skip_line();
        self.comment(lo);
    }

    /// What becomes of the comment from `lo` on. `@{` and `@}` are marks of groups for documentation.
    fn comment(&mut self, lo: usize) {
        let inside = &self.text[lo + 2..self.pos];
        let is_annotation = match inside.strip_prefix(b"@") {
            Some(rest) => !matches!(rest.trim_ascii_start().first(), Some(b'{' | b'}')),
            None => false,
        };
        if is_annotation && self.kept == Annotations::Read {
            self.annotations.push(Span::new(lo as u32, self.pos as u32));
        } else {
            self.blank(lo);
        }
    }

    /// To the end of the line, over spliced lines.
    fn skip_line(&mut self) {
        while let Some(byte) = self.text.get(self.pos).copied() {
            if byte == b'\n' {
                let spliced = self.text[..self.pos].ends_with(b"\\") || self.text[..self.pos].ends_with(b"\\\r");
                if !spliced {
                    return;
                }
                self.line += 1;
            }
            self.pos += 1;
        }
    }

    /// Ends at the line end at the latest; the scanner complains about unclosed ones.
    fn quoted(&mut self, quote: u8) {
        self.pos += 1;
        while let Some(byte) = self.text.get(self.pos).copied() {
            match byte {
                b'\n' => return,
                b'\\' => {
                    if self.at(1) == b'\r' && self.at(2) == b'\n' {
                        self.pos += 1;
                    }
                    self.line += u32::from(self.at(1) == b'\n');
                    self.pos = (self.pos + 2).min(self.text.len());
                }
                _ => {
                    self.pos += 1;
                    if byte == quote {
                        return;
                    }
                }
            }
        }
    }

    fn directive(&mut self) -> Option<String> {
        let lo = self.pos;
        self.skip_line();
        let words = &self.text[lo + 1..self.pos];
        let words = words.trim_ascii();
        let len = words.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let (name, rest) = words.split_at(len);
        match name {
            // The null directive.
            b"" if rest.is_empty() || rest.starts_with(b"/") => {}
            b"ident" | b"sccs" => {}
            b"pragma" => {
                let rest = String::from_utf8_lossy(rest).into_owned();
                self.pragmas.read(rest.trim(), Span::new(lo as u32, self.pos as u32));
            }
            b"line" => {
                let rest = rest.trim_ascii_start().to_vec();
                let len = rest.iter().take_while(|b| b.is_ascii_digit()).count();
                if len == 0 {
                    // `#line MACRO`
                    return Some("line".to_owned());
                }
                self.marker(&rest[..len], &rest[len..]);
            }
            [b'0'..=b'9', ..] => {
                let (name, rest) = (name.to_vec(), rest.to_vec());
                self.preprocessed = true;
                self.marker(&name, &rest);
            }
            _ => return Some(String::from_utf8_lossy(name).into_owned()),
        }
        self.blank(lo);
        None
    }

    fn marker(&mut self, number: &[u8], rest: &[u8]) {
        let line =
            number.iter().fold(0u32, |n, b| n.saturating_mul(10).saturating_add(u32::from(b.wrapping_sub(b'0'))));
        let rest = rest.trim_ascii_start();
        if let Some(quoted) = rest.strip_prefix(b"\"") {
            let end = quoted.iter().enumerate().position(|(i, b)| *b == b'"' && (i == 0 || quoted[i - 1] != b'\\'));
            let raw = &quoted[..end.unwrap_or(quoted.len())];
            self.file = match self.files.get(raw) {
                Some(file) => file.clone(),
                None => {
                    let text = String::from_utf8_lossy(raw).replace("\\\"", "\"").replace("\\\\", "\\");
                    let file = Name::from(text);
                    self.files.insert(raw.to_vec(), file.clone());
                    file
                }
            };
        }
        self.markers.push(LineMarker { at: self.line + 1, file: self.file.clone(), line });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(text: &str) -> (String, String) {
        match strip(text.as_bytes().to_vec(), "t.c", Annotations::Ignored) {
            Strip::Done { text, markers, .. } => {
                let markers: Vec<_> = markers.iter().map(|m| format!("{}={}:{}", m.at, m.file, m.line)).collect();
                (text, markers.join(" "))
            }
            Strip::Directive(name) => (format!("#{name}"), String::new()),
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str, markers: &str) {
        let (found, found_markers) = stripped(text);
        assert_eq!(found.trim_end(), expected.trim_end());
        assert_eq!(found_markers, markers);
        assert!(found.starts_with('#') || found.len() == text.len());
    }

    #[test]
    fn comments() {
        check("a/* x\n*/b", "a    \n  b", "");
        check("a// x \\\n y\nb", "a      \n  \nb", "");
        check("a/**/b /*/*/ c", "a    b       c", "");
        check("\"/*\" '//' '\"' /*\"*/ x", "\"/*\" '//' '\"'       x", "");
        check("a /* b", "a /* b", "");
        check("é/*é*/é", "é      é", "");
        check("1'000 /* b */; '1' /* ' */", "1'000        ; '1'", "");
    }

    #[test]
    fn annotations() {
        let text = "/*@ a */ /* b */ //@ c\n/*@{*/ \"/*@ d */\"";
        let Strip::Done { text: found, annotations, .. } = strip(text.as_bytes().to_vec(), "t.c", Annotations::Read)
        else {
            panic!("a directive")
        };
        assert_eq!(found, "/*@ a */         //@ c\n       \"/*@ d */\"");
        assert_eq!(annotations, [Span::new(0, 8), Span::new(17, 22)]);
    }

    #[test]
    fn markers() {
        check("# 3 \"a\\\\b.c\" 2\nx", "              \nx", "1=a\\b.c:3");
        check("#line 7\nx\n  # 9 \"y\"", "       \nx\n", "1=t.c:7 3=y:9");
        check("/*\n*/#line 7 \"é\"\nx", "  \n              \nx", "2=é:7");
        check("\"a\\\nb\"\n# 5\n", "\"a\\\nb\"\n   \n", "3=t.c:5");
    }

    #[test]
    fn directives() {
        check("x\n # define A", "#define", "");
        check("#pragma scalar_storage_order little-endian\nx", &format!("{:42}\nx", ""), "");
        check("#pragma once\n#ident \"x\"\n#\nx", "            \n          \n \nx", "");
        check("\"\\\"\n#include <x>", "#include", "");
        check("x # define", "x # define", "");
        check("#line N", "#line", "");
    }

    #[track_caller]
    fn check_macros(text: &str, expected: &str) {
        let Strip::Done { macros, .. } = strip(text.as_bytes().to_vec(), "t.c", Annotations::Ignored) else {
            panic!("a directive")
        };
        let found: Vec<_> =
            macros.iter().map(|m| format!("{}={}:{}", &text[m.range.clone()], m.file, m.line)).collect();
        assert_eq!(found.join(" "), expected);
    }

    #[test]
    fn macros() {
        check_macros(
            "a = __LINE__;\n#line 9 \"x.c\"\nb = __INT_MAX__ + linux;",
            "__LINE__=t.c:1 __INT_MAX__=x.c:9 linux=x.c:9",
        );
        check_macros(
            "__INT64_C(3)+__INT8_C (4) __attribute__ __FUNCTION__ ____ __ _",
            "__INT64_C(3)=t.c:1 __INT8_C=t.c:1",
        );
        check_macros("__ATOMIC_SEQ_CST + __atomic", "__ATOMIC_SEQ_CST=t.c:1");
        check_macros("/* __LINE__ */ \"__LINE__\" a__LINE__ __LINE__b 1__LINE__ unixes", "");
        check_macros("# 1 \"a.c\"\nint linux = __LINE__;", "");
    }
}

//! Blanks comments, line markers and pragmas, in one pass.

use std::collections::HashMap;

use base::Name;
use base::source::LineMarker;

/// What [`strip`] found.
pub(super) enum Strip {
    /// Only C is left.
    Done {
        /// Of the same length as the input.
        text: String,
        /// Sorted by line.
        markers: Vec<LineMarker>,
        /// See [`super::Source::packs`].
        packs: Vec<(u32, Option<u32>)>,
    },
    /// This directive needs a preprocessor.
    Directive(String),
}

/// Blanks what isn't C. `text` is UTF-8; `name` names the file until the first marker.
pub(super) fn strip(text: Vec<u8>, name: &str) -> Strip {
    let mut stripper = Stripper {
        text,
        pos: 0,
        line: 0,
        file: Name::from(name),
        files: HashMap::new(),
        markers: Vec::new(),
        packs: Vec::new(),
        pack: None,
        pack_stack: Vec::new(),
    };
    if let Some(directive) = stripper.run() {
        return Strip::Directive(directive);
    }
    // Only whole characters are blanked, so the text is still UTF-8.
    let text = String::from_utf8(stripper.text).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
    Strip::Done { text, markers: stripper.markers, packs: stripper.packs }
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
    packs: Vec<(u32, Option<u32>)>,
    pack: Option<u32>,
    pack_stack: Vec<(Option<String>, Option<u32>)>,
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
                b'"' | b'\'' => self.quoted(byte),
                b'#' if line_start => {
                    if let Some(directive) = self.directive() {
                        return Some(directive);
                    }
                }
                _ => self.pos += 1,
            }
            line_start = false;
        }
        None
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
        self.blank(lo);
        true
    }

    fn line_comment(&mut self) {
        let lo = self.pos;
        self.skip_line();
        self.blank(lo);
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
                self.pragma(rest.trim());
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

    /// `#pragma pack(…)`, as GCC and MSVC understand it; other pragmas don't change what a program does.
    fn pragma(&mut self, text: &str) {
        let Some(args) = text.strip_prefix("pack") else { return };
        let Some(args) = args.trim_start().strip_prefix('(').and_then(|a| a.split_once(')')) else { return };
        let mut words = args.0.split(',').map(str::trim).filter(|w| !w.is_empty()).peekable();
        let to_pack = |n: u32| (n > 0).then_some(n);
        match words.peek().copied() {
            None => self.pack = None,
            Some("push") => {
                let mut label = None;
                let old = self.pack;
                for word in words.skip(1) {
                    match word.parse() {
                        Ok(n) => self.pack = to_pack(n),
                        Err(_) => label = Some(word.to_owned()),
                    }
                }
                self.pack_stack.push((label, old));
            }
            Some("pop") => {
                let label = words.nth(1);
                let depth = match label {
                    Some(l) => self.pack_stack.iter().rposition(|(name, _)| name.as_deref() == Some(l)),
                    None => self.pack_stack.len().checked_sub(1),
                };
                if let Some(depth) = depth {
                    self.pack = self.pack_stack[depth].1;
                    self.pack_stack.truncate(depth);
                }
            }
            Some(word) => match word.parse() {
                Ok(n) => self.pack = to_pack(n),
                Err(_) => return,
            },
        }
        self.packs.push((self.pos as u32, self.pack));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(text: &str) -> (String, String, Vec<(u32, Option<u32>)>) {
        match strip(text.as_bytes().to_vec(), "t.c") {
            Strip::Done { text, markers, packs } => {
                let markers: Vec<_> = markers.iter().map(|m| format!("{}={}:{}", m.at, m.file, m.line)).collect();
                (text, markers.join(" "), packs)
            }
            Strip::Directive(name) => (format!("#{name}"), String::new(), Vec::new()),
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str, markers: &str) {
        let (found, found_markers, _) = stripped(text);
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
        check("#pragma once\n#ident \"x\"\n#\nx", "            \n          \n \nx", "");
        check("\"\\\"\n#include <x>", "#include", "");
        check("x # define", "x # define", "");
        check("#line N", "#line", "");
    }

    #[test]
    fn packs() {
        let text = "#pragma pack(push, 1)\n#pragma pack(push, a, 2)\n#pragma pack(pop)\n#pragma pack(pop)\n#pragma pack(4)\n#pragma pack()";
        let packs: Vec<_> = stripped(text).2.iter().map(|(_, n)| *n).collect();
        assert_eq!(packs, [Some(1), Some(2), Some(1), None, Some(4), None]);
    }
}

//! C tokens as HTML, so that source is readable without scripts.

use base::markup::escape;

const KEYWORDS: [&str; 44] = [
    "_Bool",
    "_Static_assert",
    "__extension__",
    "__inline",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "typeof",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "NULL",
    "true",
    "false",
];

/// Marks up the lines of a file, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Highlighter {
    in_comment: bool,
}

impl Highlighter {
    /// The next line as HTML.
    pub fn line(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() * 2);
        let mut rest = text;
        if !self.in_comment && rest.trim_start().starts_with('#') {
            return span("pp", rest);
        }
        while let Some(first) = rest.chars().next() {
            let len = if self.in_comment {
                let len = rest.find("*/").map(|at| at + 2);
                self.in_comment = len.is_none();
                let len = len.unwrap_or(rest.len());
                out.push_str(&span("com", &rest[..len]));
                len
            } else if rest.starts_with("//") {
                out.push_str(&span("com", rest));
                rest.len()
            } else if let Some(body) = rest.strip_prefix("/*") {
                let len = body.find("*/").map(|at| at + 4);
                self.in_comment = len.is_none();
                let len = len.unwrap_or(rest.len());
                out.push_str(&span("com", &rest[..len]));
                len
            } else if first == '"' || first == '\'' {
                let len = literal(rest, first);
                out.push_str(&span("str", &rest[..len]));
                len
            } else if is_word(first) {
                let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let word = &rest[..len];
                if KEYWORDS.contains(&word) {
                    out.push_str(&span("kw", word));
                } else if first.is_ascii_digit() {
                    out.push_str(&span("num", word));
                } else {
                    out.push_str(&escape(word));
                }
                len
            } else {
                out.push_str(&escape(&rest[..first.len_utf8()]));
                first.len_utf8()
            };
            rest = &rest[len..];
        }
        out
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn span(class: &str, text: &str) -> String {
    format!("<span class=\"{class}\">{}</span>", escape(text))
}

/// Length of a string or character constant at the beginning of `text`.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[&str], expected: &[&str]) {
        let mut highlighter = Highlighter::default();
        let html: Vec<String> = lines.iter().map(|line| highlighter.line(line)).collect();
        assert_eq!(html, expected);
    }

    #[test]
    fn tokens() {
        check(
            &["int x = 0x1F; // <a>", "/* a", "b */ c = '\\'' + \"\\\"\";", "#define A"],
            &[
                "<span class=\"kw\">int</span> x = <span class=\"num\">0x1F</span>; <span class=\"com\">// &lt;a&gt;</span>",
                "<span class=\"com\">/* a</span>",
                "<span class=\"com\">b */</span> c = <span class=\"str\">&#39;\\&#39;&#39;</span> + <span class=\"str\">&quot;\\&quot;&quot;</span>;",
                "<span class=\"pp\">#define A</span>",
            ],
        );
    }
}

//! Where clauses are put into the text of a file.

/// A position in a file, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    pub line: u32,
    pub column: u32,
}

/// Where clauses are put in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// In bytes.
    pub offset: usize,
    /// Blanks at the beginning of the line.
    indent: usize,
    /// Whether only these blanks stand before it in its line.
    is_first: bool,
}

/// Clauses at a place.
pub(super) struct Insertion {
    pub place: Place,
    /// Each gets a line.
    pub clauses: Vec<String>,
    /// Whether they are a comment before the place; otherwise they are lines behind it.
    pub in_comment: bool,
}

/// The place before the first word of a loop, which is looked for in its line.
pub(super) fn before_loop(text: &str, at: Position) -> Option<Place> {
    let line = line_of(text, at.line)?;
    let start = line.offset - line.indent;
    let rest = text[start..].lines().next()?;
    let exact = start + rest.char_indices().nth(at.column as usize - 1).map_or(rest.len(), |(at, _)| at);
    let offset = match keyword_at(text, exact) {
        Some(_) => exact,
        None => {
            let mut found = (start..start + rest.len()).filter(|offset| keyword_at(text, *offset).is_some());
            let first = found.next()?;
            found.next().is_none().then_some(first)?
        }
    };
    Some(Place { offset, is_first: offset == line.offset, ..line })
}

/// The place behind the head of a loop: of `do`, behind its condition.
pub(super) fn behind_head(text: &str, at: Position) -> Option<Place> {
    let place = before_loop(text, at)?;
    let keyword = keyword_at(text, place.offset)?;
    let mut next = skip_blank(text, place.offset + keyword.len());
    if keyword == "do" {
        next = skip_blank(text, behind_bracket(text, next, b'{')?);
        if keyword_at(text, next) != Some("while") {
            return None;
        }
        next = skip_blank(text, next + "while".len());
    }
    Some(Place { offset: behind_bracket(text, next, b'(')?, ..place })
}

/// The place at the first word of a line.
pub(super) fn line_of(text: &str, line: u32) -> Option<Place> {
    let start = match line {
        1 => 0,
        line => text.match_indices('\n').nth(line as usize - 2)?.0 + 1,
    };
    let rest = text[start..].lines().next()?;
    let indent = rest.len() - rest.trim_start().len();
    (indent < rest.len()).then_some(Place { offset: start + indent, indent, is_first: true })
}

/// The first word of a loop that stands at an offset.
fn keyword_at(text: &str, offset: usize) -> Option<&'static str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let rest = text.get(offset..)?;
    let keyword = ["for", "while", "do"].into_iter().find(|word| rest.starts_with(word))?;
    let is_whole = !rest[keyword.len()..].starts_with(is_word) && !text[..offset].ends_with(is_word);
    is_whole.then_some(keyword)
}

/// Behind blanks and comments.
fn skip_blank(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        at = match () {
            () if rest.starts_with("/*") => at + rest.find("*/").map_or(rest.len(), |end| end + 2),
            () if rest.starts_with("//") => at + rest.find('\n').unwrap_or(rest.len()),
            () if rest.starts_with(|c: char| c.is_ascii_whitespace()) => at + 1,
            () => return at,
        };
    }
}

/// Behind the bracket that closes the one at an offset.
fn behind_bracket(text: &str, at: usize, open: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.get(at) != Some(&open) {
        return None;
    }
    let close = if open == b'(' { b')' } else { b'}' };
    let (mut at, mut depth) = (at, 0usize);
    loop {
        at = match *bytes.get(at)? {
            b'/' if matches!(bytes.get(at + 1), Some(b'*' | b'/')) => skip_blank(text, at),
            quote @ (b'"' | b'\'') => {
                let mut end = at + 1;
                while *bytes.get(end)? != quote {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                end + 1
            }
            byte if byte == open => {
                depth += 1;
                at + 1
            }
            byte if byte == close && depth == 1 => return Some(at + 1),
            byte => {
                depth -= usize::from(byte == close);
                at + 1
            }
        };
    }
}

/// The parts of an expression that `&&` joins; all of it, if another operator joins them.
pub(super) fn conjuncts(text: &str) -> Vec<String> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' | b'\'' => return vec![text.to_owned()],
            b'?' | b',' if depth == 0 => return vec![text.to_owned()],
            b'|' if depth == 0 && text[at..].starts_with("||") => return vec![text.to_owned()],
            b'&' if depth == 0 && text[at..].starts_with("&&") && at > start => {
                parts.push(text[start..at].trim().to_owned());
                start = at + 2;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim().to_owned());
    parts
}

/// The text with insertions, which are sorted, and the line of each clause with the numbers of its insertion and of itself there.
pub(super) fn inserted<'i>(
    text: &str,
    insertions: impl Iterator<Item = &'i Insertion>,
) -> (String, Vec<(u32, usize, usize)>) {
    let (mut new, mut lines, mut end) = (String::new(), Vec::new(), 0);
    for (number, Insertion { place, clauses, in_comment }) in insertions.enumerate() {
        new += &text[end..place.offset];
        end = place.offset;
        let line_start = text[..place.offset].rfind('\n').map_or(0, |at| at + 1);
        // Of heads that go over several lines, the first line counts.
        let own = &text[line_start..];
        let blanks = own.len() - own.trim_start_matches([' ', '\t']).len();
        let indent = if *in_comment || blanks == place.indent { &own[..blanks] } else { &" ".repeat(place.indent) };
        for (clause, said) in clauses.iter().enumerate() {
            if *in_comment {
                new += if clause == 0 { "/*@ " } else { "  @ " };
            } else {
                new += "\n";
                new += indent;
            }
            lines.push((new.matches('\n').count() as u32 + 1, number, clause));
            new += said;
            if *in_comment {
                new += "\n";
                new += indent;
            }
        }
        if *in_comment {
            new += if place.is_first { "  @*/\n" } else { "  @*/ " };
            if place.is_first {
                new += indent;
            }
        }
    }
    new += &text[end..];
    (new, lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "int f(void) {\n    if (x) while (a(\")\") /* ) */)\n        ;\n    do { y(); } while (b);\n    for (;;) {\n    }\n}\n";

    fn with(place: Option<Place>, in_comment: bool) -> String {
        let clauses = vec!["a".to_owned(), "b".to_owned()];
        let insertion = Insertion { place: place.expect("a place"), clauses, in_comment };
        let (text, lines) = inserted(TEXT, std::iter::once(&insertion));
        for ((line, _, clause), name) in lines.iter().zip(["a", "b"]) {
            let line = text.lines().nth(*line as usize - 1).expect("a line");
            assert!(line.contains(name), "{clause}: {line}");
        }
        text
    }

    #[track_caller]
    fn check(line: u32, column: u32, cbmc: &str, acsl: &str) {
        let at = Position { line, column };
        assert!(with(behind_head(TEXT, at), false).contains(cbmc), "{}", with(behind_head(TEXT, at), false));
        assert!(with(before_loop(TEXT, at), true).contains(acsl), "{}", with(before_loop(TEXT, at), true));
    }

    #[test]
    fn clauses_stand_at_heads() {
        check(2, 12, "/* ) */)\n    a\n    b\n        ;", "if (x) /*@ a\n      @ b\n      @*/ while");
        check(4, 5, "while (b)\n    a\n    b;", "    /*@ a\n      @ b\n      @*/\n    do {");
        check(5, 1, "for (;;)\n    a\n    b {", "    /*@ a\n      @ b\n      @*/\n    for");
        assert_eq!(behind_head(TEXT, Position { line: 1, column: 1 }), None);
    }

    #[test]
    fn parts_of_conjunctions() {
        assert_eq!(conjuncts("a < b && (c || d) && e"), ["a < b", "(c || d)", "e"]);
        assert_eq!(conjuncts("a && b || c"), ["a && b || c"]);
    }
}

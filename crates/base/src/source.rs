//! Source text and the places in it that a user knows.
//!
//! A [`Span`] is a pair of byte offsets into one *translation unit text*: the input after preprocessing. The
//! [`SourceMap`] turns offsets into the file, line and column that `# line` markers give.

use crate::Name;

/// A half-open range of byte offsets into the translation unit text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub lo: u32,
    /// Offset after the last byte.
    pub hi: u32,
}

impl Span {
    /// The span of nothing, for what has no source: `lo == hi == u32::MAX`.
    pub const NONE: Span = Span { lo: u32::MAX, hi: u32::MAX };

    /// A span from `lo` to `hi`.
    pub const fn new(lo: u32, hi: u32) -> Self {
        Self { lo, hi }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        if self == Span::NONE {
            other
        } else if other == Span::NONE {
            self
        } else {
            Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
        }
    }
}

/// A position as the user knows it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Place {
    /// File name as the line marker or the command line gives it.
    pub file: Name,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A line marker: from the physical line `at` on, lines count from `line` in `file`.
#[derive(Clone, Debug)]
pub struct LineMarker {
    /// Index of the first physical line that the marker governs, from 0.
    pub at: u32,
    /// File name that the marker names.
    pub file: Name,
    /// Line number that the marker gives to the physical line `at`.
    pub line: u32,
}

/// The translation unit text with its line table and line markers.
#[derive(Clone, Debug)]
pub struct SourceMap {
    text: String,
    /// Offset of the first byte of each physical line.
    starts: Vec<u32>,
    /// Sorted by `at`.
    markers: Vec<LineMarker>,
    /// The user's files, in the order of their texts; at least one.
    files: Vec<SourceFile>,
    /// Length of the user's text, in front of what [`SourceMap::append`] added.
    user_len: usize,
}

/// A file that the user gave: the main file of a translation unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Its name as the user gave it.
    pub name: Name,
    /// Where its text begins.
    pub lo: u32,
}

impl SourceMap {
    /// A map of `text`; `main_file` names the lines before the first marker. `text` is shorter than 4 GiB.
    pub fn new(main_file: Name, text: String, markers: Vec<LineMarker>) -> Self {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        let user_len = text.len();
        Self { text, starts, markers, files: vec![SourceFile { name: main_file, lo: 0 }], user_len }
    }

    /// Adds the text of another map: the next file of the user's program. Places of both stay.
    pub fn join(&mut self, next: &SourceMap) {
        let (lo, at) = self.begin_file(next.main_file().clone());
        self.markers.extend(next.markers.iter().map(|marker| LineMarker { at: marker.at + at, ..marker.clone() }));
        self.files.extend(next.files.iter().map(|file| SourceFile { name: file.name.clone(), lo: file.lo + lo }));
        self.push(&next.text);
        self.user_len = self.text.len();
    }

    /// Appends text that is not the user's, on lines of its own that belong to `file`; returns its span.
    pub fn append(&mut self, file: Name, text: &str) -> Span {
        let (lo, _) = self.begin_file(file);
        self.push(text);
        Span::new(lo, self.text.len() as u32)
    }

    /// Ends the last line; offset and physical line of the next one, which is the first of `file`.
    fn begin_file(&mut self, file: Name) -> (u32, u32) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.push("\n");
        }
        let lo = self.text.len() as u32;
        let at = self.physical_line(lo) as u32;
        self.markers.push(LineMarker { at, file, line: 1 });
        (lo, at)
    }

    fn push(&mut self, text: &str) {
        let offset = self.text.len() as u32;
        self.starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| offset + i as u32 + 1));
        self.text.push_str(text);
    }

    /// The text without what was appended.
    pub fn user_text(&self) -> &str {
        &self.text[..self.user_len]
    }

    /// The text of one of the user's files, by its number.
    pub fn user_text_of(&self, number: usize) -> &str {
        let lo = self.files.get(number).map_or(self.user_len, |file| file.lo as usize);
        let hi = self.files.get(number + 1).map_or(self.user_len, |file| file.lo as usize);
        &self.text[lo..hi]
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The user's files, in the order of their texts.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The user's first file.
    pub fn main_file(&self) -> &Name {
        &self.files[0].name
    }

    /// The number of the file whose translation unit has `offset`: that of a place in a header is the one that includes it.
    pub fn file_number(&self, offset: u32) -> usize {
        self.files.partition_point(|file| file.lo <= offset).saturating_sub(1)
    }

    /// Text of a span; empty for [`Span::NONE`].
    pub fn snippet(&self, span: Span) -> &str {
        self.text.get(span.lo as usize..span.hi as usize).unwrap_or("")
    }

    /// Text of a span on one line, without parentheses around the whole of it; what is longer than `most` characters is cut.
    pub fn quote(&self, span: Span, most: usize) -> String {
        let words: Vec<&str> = self.snippet(span).split_whitespace().collect();
        let text = words.join(" ");
        let text = without_parentheses(&text);
        match text.char_indices().nth(most) {
            Some((at, _)) => format!("{}...", &text[..at]),
            None => text.to_owned(),
        }
    }

    /// Index of the physical line of `offset`, from 0.
    pub fn physical_line(&self, offset: u32) -> usize {
        self.starts.partition_point(|s| *s <= offset).saturating_sub(1)
    }

    /// Offset of the first byte and text, without line end, of the physical line of `offset`.
    pub fn line_at(&self, offset: u32) -> (u32, &str) {
        let line = self.physical_line(offset);
        let lo = self.starts[line];
        let hi = self.starts.get(line + 1).map_or(self.text.len(), |s| *s as usize);
        (lo, self.text[lo as usize..hi].trim_end_matches(['\n', '\r']))
    }

    /// The place of `offset` by the line markers; `None` for [`Span::NONE`].
    pub fn place(&self, offset: u32) -> Option<Place> {
        if offset as usize > self.text.len() {
            return None;
        }
        let line = self.physical_line(offset) as u32;
        let column = offset - self.starts[line as usize] + 1;
        let next = self.markers.partition_point(|m| m.at <= line);
        Some(match next.checked_sub(1).map(|i| &self.markers[i]) {
            Some(m) => Place { file: m.file.clone(), line: m.line.saturating_add(line - m.at), column },
            None => Place { file: self.main_file().clone(), line: line + 1, column },
        })
    }
}

/// A text without the parentheses around the whole of it.
fn without_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return text };
    let mut depth = 0_i32;
    let is_closed_before = inner.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    if is_closed_before { text } else { without_parentheses(inner.trim()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_move_lines() {
        let marker = LineMarker { at: 1, file: "b.c".into(), line: 10 };
        let map = SourceMap::new("a.i".into(), "x\nyy\nz\n".into(), vec![marker]);
        assert_eq!(map.place(0).map(|p| p.to_string()).as_deref(), Some("a.i:1:1"));
        assert_eq!(map.place(3).map(|p| p.to_string()).as_deref(), Some("b.c:10:2"));
        assert_eq!(map.place(5).map(|p| p.to_string()).as_deref(), Some("b.c:11:1"));
        assert_eq!(map.line_at(3), (2, "yy"));
        assert_eq!(map.place(Span::NONE.lo), None);
    }

    #[test]
    fn appended_text_has_its_own_lines() {
        let mut map = SourceMap::new("a.c".into(), "x\ny".into(), Vec::new());
        map.append("b.c".into(), "z\n w\n");
        assert_eq!(map.text(), "x\ny\nz\n w\n");
        let places: Vec<String> = [2, 4, 7].iter().filter_map(|at| map.place(*at)).map(|p| p.to_string()).collect();
        assert_eq!(places, ["a.c:2:1", "b.c:1:1", "b.c:2:2"]);
        assert_eq!(map.line_at(7), (6, " w"));
    }

    #[test]
    fn joined_files_keep_their_places() {
        let marker = |at, file: &str, line| LineMarker { at, file: file.into(), line };
        let mut map = SourceMap::new("a.i".into(), "x\ny".into(), vec![marker(1, "a.h", 7)]);
        map.join(&SourceMap::new("b.i".into(), "u\nv\n".into(), vec![marker(1, "b.h", 9)]));
        map.append("lib".into(), "z\n");
        assert_eq!((map.text(), map.user_text()), ("x\ny\nu\nv\nz\n", "x\ny\nu\nv\n"));
        let places: Vec<String> =
            [0, 2, 4, 6, 8].iter().filter_map(|at| map.place(*at)).map(|p| p.to_string()).collect();
        assert_eq!(places, ["a.i:1:1", "a.h:7:1", "b.i:1:1", "b.h:9:1", "lib:1:1"]);
        assert_eq!([0, 2, 4, 6].map(|at| map.file_number(at)), [0, 0, 1, 1]);
    }

    #[test]
    fn parentheses_around_an_operation() {
        assert_eq!(without_parentheses("(a + b)"), "a + b");
        assert_eq!(without_parentheses("((a + b) * (c))"), "(a + b) * (c)");
        assert_eq!(without_parentheses("(a) + (b)"), "(a) + (b)");
    }
}

//! The source files of a program, by the names and line numbers that the user knows.

use base::markup::escape;
use base::{Place, SourceMap};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::highlight::Highlighter;

/// Files with more lines are shown only around the lines that matter.
const MAX_LINES: usize = 4000;
/// Lines shown before and after one that matters.
const AROUND: u32 = 30;

/// A file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Its name in places.
    pub name: String,
    /// Number and text of its lines, ascending; may have gaps.
    pub lines: Vec<(u32, String)>,
}

/// The files that `wanted` names, the user's own first. `raw` are the texts of the files that the user named: the text of the
/// map has no comments.
pub fn files(map: &SourceMap, raw: &[String], wanted: &BTreeSet<&str>) -> Vec<SourceFile> {
    let mut files: BTreeMap<(usize, String), BTreeMap<u32, String>> = BTreeMap::new();
    for (number, main) in map.files().iter().enumerate() {
        let own: Vec<&str> = raw.get(number).map_or(Vec::new(), |raw| raw.lines().collect());
        unit(map, number, &own, wanted, &mut files);
        let is_own = map.user_text_of(number).lines().count() == own.len();
        if !is_own && wanted.contains(&*main.name) {
            let lines = (1..).zip(own.iter().map(|line| line.trim_end().to_owned())).collect();
            files.insert((number, main.name.to_string()), lines);
        }
    }
    files.into_iter().map(|((_, name), lines)| SourceFile { name, lines: lines.into_iter().collect() }).collect()
}

/// Adds the lines of a translation unit to their files.
fn unit(
    map: &SourceMap,
    number: usize,
    own: &[&str],
    wanted: &BTreeSet<&str>,
    files: &mut BTreeMap<(usize, String), BTreeMap<u32, String>>,
) {
    let physical: Vec<&str> = map.user_text_of(number).lines().collect();
    let is_own = own.len() == physical.len();
    let mut offset = map.files()[number].lo;
    for (i, text) in physical.iter().enumerate() {
        let place = map.place(offset);
        offset = next_line(map.user_text(), offset);
        let Some(Place { file, line, .. }) = place.filter(|place| wanted.contains(&*place.file)) else { continue };
        let main = map.files().iter().position(|main| main.name == file).unwrap_or(usize::MAX);
        let text = match own.get(i) {
            Some(own) if is_own => own,
            _ => text,
        };
        if is_marker(text) {
            continue;
        }
        let lines = files.entry((main, file.to_string())).or_default();
        let kept = lines.entry(line).or_default();
        if kept.trim().is_empty() {
            *kept = text.trim_end().to_owned();
        }
    }
}

/// Whether the line only says where the next ones come from.
fn is_marker(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix('#').map(|rest| rest.trim_start());
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with("line "))
}

fn next_line(text: &str, offset: u32) -> u32 {
    let rest = text.as_bytes().get(offset as usize..).unwrap_or_default();
    let len = rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |at| at + 1);
    offset + len as u32
}

/// What is shown at a line: text above it, in HTML, and text below.
#[derive(Clone, Default, Debug)]
pub struct Notes {
    /// In front of the line.
    pub above: String,
    /// After it.
    pub below: String,
    /// Whether the error path comes here.
    pub on_path: bool,
    /// What became of the checks of the line, the worst of them; and all of them in words.
    pub checks: Option<(&'static str, String)>,
}

/// The lines of a file with their notes, as HTML; `index` is the file's number, for links.
pub fn render(file: &SourceFile, index: usize, notes: &BTreeMap<u32, Notes>) -> String {
    let all = file.lines.len() <= MAX_LINES;
    let near = |line: u32| notes.range(line.saturating_sub(AROUND)..=line.saturating_add(AROUND)).next().is_some();
    let mut out = String::new();
    let mut highlighter = Highlighter::default();
    let mut last = 0;
    for (line, text) in &file.lines {
        let html = highlighter.line(text);
        if !all && !near(*line) {
            continue;
        }
        if *line > last + 1 {
            let _ = writeln!(out, "<div class=\"gap\">⋯ {} lines</div>", line - last - 1);
        }
        last = *line;
        let nothing = Notes::default();
        let note = notes.get(line).unwrap_or(&nothing);
        out.push_str(&note.above);
        let class = if note.on_path { "ln on-path" } else { "ln" };
        let (mark, title) = match &note.checks {
            Some((word, all)) => (format!(" check-{word}"), format!(" title=\"{}\"", escape(all))),
            None => (String::new(), String::new()),
        };
        let id = anchor(index, *line);
        let _ = writeln!(
            out,
            "<div class=\"{class}{mark}\" id=\"{id}\"{title}><a class=\"no\" href=\"#{id}\">{line}</a><code>{html}</code></div>"
        );
        out.push_str(&note.below);
    }
    out
}

/// Id of a line in the document.
pub fn anchor(file: usize, line: u32) -> String {
    format!("f{file}l{line}")
}

/// The last component of a file's name, escaped.
pub fn short(name: &str) -> String {
    escape(name.rsplit('/').next().unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::source::LineMarker;

    #[test]
    fn comments_come_from_the_file_itself() {
        let map = SourceMap::new("a.c".into(), "int x;      \nint y;\n".into(), Vec::new());
        let files = files(&map, &["int x; // x\nint y;\n".to_owned()], &BTreeSet::from(["a.c"]));
        let lines = vec![(1, "int x; // x".to_owned()), (2, "int y;".to_owned())];
        assert_eq!(files, [SourceFile { name: "a.c".to_owned(), lines }]);
    }

    #[test]
    fn markers_give_names_and_numbers() {
        let marker = |at, file: &str, line| LineMarker { at, file: file.into(), line };
        let markers = vec![marker(1, "h.h", 7), marker(3, "a.c", 2)];
        let map = SourceMap::new("a.c".into(), "\nint h;\n\nint a;\n".into(), markers);
        let raw = "#include \"h.h\"\nint a;\n";
        let found = files(&map, &[raw.to_owned()], &BTreeSet::from(["a.c", "h.h"]));
        let names: Vec<(&str, Vec<u32>)> =
            found.iter().map(|f| (f.name.as_str(), f.lines.iter().map(|(line, _)| *line).collect())).collect();
        assert_eq!(names, [("a.c", vec![1, 2]), ("h.h", vec![7, 8])]);
        assert_eq!(found[0].lines[0].1, "#include \"h.h\"");
    }

    #[test]
    fn long_files_are_shown_in_part() {
        let lines = (1..=10_000).map(|line| (line, format!("x{line};"))).collect();
        let file = SourceFile { name: "a.c".to_owned(), lines };
        let html = render(&file, 0, &BTreeMap::from([(5000, Notes::default())]));
        assert!(html.contains("⋯ 4969 lines") && html.contains("id=\"f0l5000\"") && !html.contains("id=\"f0l1\""));
    }
}

//! Single files: module docs, citations, lengths, and what must not be written.

use super::{Finding, Kind, Source};
use std::collections::BTreeSet;

/// Lines of a file above which its module doc must say why, by naming this number.
const LONG: usize = 500;
/// Lines of a file at most.
const TOO_LONG: usize = 1000;
/// Lines of a function at most.
const LONG_FUNCTION: usize = 80;

/// Checks a file.
pub fn check(source: &Source, known: &BTreeSet<&str>, findings: &mut Vec<Finding>) {
    let Source { name, text, .. } = source;
    let mut say = |kind: Kind, what: String| findings.push(Finding { kind, what: format!("{name}{what}") });
    if !text.starts_with("//!") {
        say(Kind::Other, ": the first line must be a module doc (`//! …`)".to_owned());
    }
    let lines = source.code().lines().count();
    let doc: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
    if lines > TOO_LONG || lines > LONG && !doc.contains(&LONG.to_string()) {
        say(Kind::LongFile, String::new());
    }
    for (function, _) in functions(source.code()).into_iter().filter(|(_, lines)| *lines > LONG_FUNCTION) {
        say(Kind::LongFunction, format!(" {function}"));
    }
    // Assembled here so that this file does not find itself.
    for (word, instead) in [
        (["#[should", "_panic"].concat(), "test the returned error"),
        (["#[igno", "re]"].concat(), "repair the test, delete it, or give the reason"),
        (["to", "do!("].concat(), "return an error"),
        (["unimple", "mented!("].concat(), "return an error"),
    ] {
        if text.contains(&word) {
            say(Kind::Other, format!(": `{word}`: {instead}"));
        }
    }
    for key in citations(text).into_iter().filter(|key| !known.contains(key)) {
        say(Kind::Other, format!(": [{key}] is not in docs/references.bib"));
    }
}

/// The functions of a formatted text, with their numbers of lines.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let rest = line.trim_start();
        let indent = &line[..line.len() - rest.len()];
        let Some(name) = function(rest) else { continue };
        // A closing brace below the first letter ends it; a declaration ends with a semicolon.
        let end = lines[at..].iter().position(|line| {
            let closed = line.strip_prefix(indent).is_some_and(|rest| rest.starts_with('}'));
            closed || line.ends_with(';') && line.len() - line.trim_start().len() <= indent.len()
        });
        let one_line = line.ends_with('}') || line.ends_with(';');
        found.push((name, if one_line { 1 } else { end.map_or(1, |end| end + 1) }));
    }
    found
}

/// The name of the function that a line begins.
fn function(line: &str) -> Option<&str> {
    let mut words = line.split(' ').skip_while(|word| {
        word.starts_with("pub") || matches!(*word, "const" | "unsafe" | "async" | "extern" | "\"C\"")
    });
    if words.next()? != "fn" {
        return None;
    }
    let name = words.next()?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// The keys of a bibliography.
pub fn bibliography_keys(text: &str) -> BTreeSet<&str> {
    let entries = text.lines().filter_map(|line| line.strip_prefix('@')?.split_once('{'));
    entries.map(|(_, rest)| rest.trim_end_matches(',')).collect()
}

/// The keys in brackets in comments, such as those of `[biere99, clarke04]`: a name and two digits.
fn citations(text: &str) -> Vec<&str> {
    let is_key = |key: &&str| {
        let name = key.trim_end_matches(|c: char| c.is_ascii_digit());
        name.len() >= 4 && key.len() == name.len() + 2 && name.bytes().all(|b| b.is_ascii_lowercase())
    };
    let comments = text.lines().map(str::trim_start).filter(|line| line.starts_with("//"));
    let brackets = comments.flat_map(|line| line.split('[').skip(1).filter_map(|rest| Some(rest.split_once(']')?.0)));
    brackets.flat_map(|inside| inside.split(", ")).filter(is_key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[Kind]) {
        let source = Source { name: "a.rs".to_owned(), inner: "a.rs".to_owned(), text: text.to_owned() };
        let mut findings = Vec::new();
        super::check(&source, &BTreeSet::new(), &mut findings);
        assert_eq!(findings.iter().map(|finding| finding.kind).collect::<Vec<_>>(), expected, "{findings:?}");
    }

    #[test]
    fn sources() {
        check("//! Job.\n", &[]);
        check("use x;\n", &[Kind::Other]);
        let lines = "\n".repeat(600);
        check(&format!("//! Job.\n{lines}"), &[Kind::LongFile]);
        check(&format!("//! Job. A table, so it has more than 500 lines.\n{lines}"), &[]);
        check(&format!("//! Job. A table, so it has more than 500 lines.\n{lines}{lines}"), &[Kind::LongFile]);
        check(&format!("//! Job.\nmod tests {{\n{lines}{lines}"), &[]);
        check(&format!("//! Job.\npub(crate) fn f() {{\n{}}}\n", "    x;\n".repeat(79)), &[Kind::LongFunction]);
        check(&format!("//! Job.\nfn f() {{\n{}}}\nfn g();\n", "    x;\n".repeat(78)), &[]);
    }

    #[test]
    fn functions_have_names_and_lengths() {
        let text = "impl X {\n    fn a(\n        x: u8,\n    ) -> u8 {\n        1\n    }\n    pub const fn b() {}\n    fn c(&self);\n}\nfn d() {\n}\n";
        assert_eq!(functions(text), [("a", 5), ("b", 1), ("c", 1), ("d", 2)]);
    }

    #[test]
    fn keys() {
        let text =
            "//! A [biere99], [`crate::u64`], [u64].\n  // b [x] and [clarke04, yang11]; [a b99]\nlet a = [other12];\n";
        assert_eq!(citations(text), ["biere99", "clarke04", "yang11"]);
        let known = bibliography_keys("@article{biere99,\n  title = {x}\n}\n\n@misc{yang11,\n");
        assert_eq!(known.into_iter().collect::<Vec<_>>(), ["biere99", "yang11"]);
    }
}

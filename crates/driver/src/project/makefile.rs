//! The variables of a makefile: assignments, conditionals, included files and the usual functions. Nothing is run.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Deepest nesting of included files and of expansions.
const MAX_DEPTH: u32 = 40;

/// Longest text that a variable expands to, in bytes.
const MAX_LENGTH: usize = 1 << 20;

/// The variables of a makefile in a folder.
pub(super) struct Makefile {
    folder: PathBuf,
    variables: BTreeMap<String, String>,
}

impl Makefile {
    /// Reads a makefile with all that it includes; `text_of` reads a file.
    pub fn read(path: &Path, text_of: &dyn Fn(&Path) -> Option<String>) -> Self {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut makefile = Self { folder, variables: BTreeMap::new() };
        makefile.include(path, text_of, 0);
        makefile
    }

    /// The value of a variable; empty if there is none.
    pub fn value(&self, name: &str) -> String {
        self.expand(self.variables.get(name).map_or("", String::as_str), 0).trim().to_owned()
    }

    fn include(&mut self, path: &Path, text_of: &dyn Fn(&Path) -> Option<String>, depth: u32) {
        let Some(text) = text_of(path).filter(|_| depth < MAX_DEPTH) else { return };
        self.append("MAKEFILE_LIST", &path.to_string_lossy());
        // Of each open conditional: whether its branch is read, and whether one was.
        let mut branches: Vec<(bool, bool)> = Vec::new();
        let mut is_define = false;
        for line in lines(&text) {
            let trimmed = line.trim();
            let (word, rest) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
            match word {
                "endef" => is_define = false,
                _ if is_define => {}
                "ifeq" | "ifneq" | "ifdef" | "ifndef" => {
                    let holds = self.holds(word, rest);
                    branches.push((holds, holds));
                }
                "else" => {
                    let (word, condition) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
                    let holds = word.is_empty() || self.holds(word, condition);
                    if let Some((is_read, was_read)) = branches.last_mut() {
                        *is_read = holds && !*was_read;
                        *was_read |= *is_read;
                    }
                }
                "endif" => drop(branches.pop()),
                _ if branches.iter().any(|(is_read, _)| !is_read) => {}
                "define" => is_define = true,
                "include" | "-include" | "sinclude" => {
                    for file in self.expand(rest, 0).split_whitespace() {
                        self.include(&tidy(&self.folder.join(file)), text_of, depth + 1);
                    }
                }
                "export" | "override" => self.assign(rest),
                _ if !line.starts_with('\t') => self.assign(trimmed),
                _ => {}
            }
        }
    }

    fn holds(&self, word: &str, rest: &str) -> bool {
        let is_defined = || !self.value(&self.expand(rest.trim(), 0)).is_empty();
        match word {
            "ifdef" => is_defined(),
            "ifndef" => !is_defined(),
            _ => {
                let rest = rest.trim();
                let inner = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
                let (a, b) = match inner.map(arguments).as_deref() {
                    Some([a, b]) => (a.clone(), b.clone()),
                    _ => return false,
                };
                let are_equal = self.expand(a.trim(), 0) == self.expand(b.trim(), 0);
                are_equal == (word == "ifeq")
            }
        }
    }

    fn assign(&mut self, line: &str) {
        let Some((left, value)) = line.split_once('=') else { return };
        let (name, kind) = match left.as_bytes().last() {
            Some(b'+' | b'?' | b':') => (left[..left.len() - 1].trim_end_matches(':'), left.as_bytes()[left.len() - 1]),
            _ => (left, b'='),
        };
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() || name.contains([' ', ':', '\t', '"', '\'']) {
            return;
        }
        let name = self.expand(name, 0);
        match kind {
            b'+' => self.append(&name, value),
            b'?' if self.variables.contains_key(&name) => {}
            b':' => drop(self.variables.insert(name, self.expand(value, 0).replace('$', "$$"))),
            _ => drop(self.variables.insert(name, value.to_owned())),
        }
    }

    fn append(&mut self, name: &str, value: &str) {
        let variable = self.variables.entry(name.to_owned()).or_default();
        if !variable.is_empty() && !value.is_empty() {
            variable.push(' ');
        }
        variable.push_str(value);
    }

    fn expand(&self, text: &str, depth: u32) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            out += &rest[..at];
            rest = &rest[at + 1..];
            let Some(open) = rest.chars().next() else { break };
            let close = match open {
                '(' => ')',
                '{' => '}',
                _ => {
                    if open == '$' {
                        out.push('$');
                    }
                    rest = &rest[open.len_utf8()..];
                    continue;
                }
            };
            let end = closing(&rest[1..], open, close).unwrap_or(rest.len() - 1);
            let reference = &rest[1..=end];
            if depth < MAX_DEPTH && out.len() < MAX_LENGTH {
                out += &self.reference(reference, depth + 1);
            }
            rest = rest.get(end + 2..).unwrap_or("");
        }
        out + rest
    }

    /// A variable, or a call of a function.
    fn reference(&self, text: &str, depth: u32) -> String {
        let expand = |text: &str| self.expand(text, depth);
        let Some((function, rest)) = text.split_once(char::is_whitespace) else {
            return expand(self.variables.get(expand(text).as_str()).map_or("", String::as_str));
        };
        let args = arguments(rest);
        let argument = |number: usize| args.get(number).map(|argument| expand(argument)).unwrap_or_default();
        let words = |text: String, f: &dyn Fn(&str) -> Option<String>| {
            text.split_whitespace().filter_map(f).collect::<Vec<_>>().join(" ")
        };
        match function {
            "abspath" | "realpath" => {
                words(argument(0), &|word| Some(tidy(&self.folder.join(word)).to_string_lossy().into_owned()))
            }
            // The only command that has an answer without being run.
            "shell" => match argument(0).trim().strip_prefix("dirname ") {
                Some(path) => path.trim().trim_end_matches('/').rsplit_once('/').map_or(".", |(dir, _)| dir).to_owned(),
                None => String::new(),
            },
            "dir" => words(argument(0), &|word| {
                Some(word.rsplit_once('/').map_or("./".into(), |(dir, _)| format!("{dir}/")))
            }),
            "notdir" => words(argument(0), &|word| Some(word.rsplit('/').next()?.to_owned())),
            "strip" => words(argument(0), &|word| Some(word.to_owned())),
            "addprefix" => words(argument(1), &|word| Some(argument(0) + word)),
            "addsuffix" => words(argument(1), &|word| Some(word.to_owned() + &argument(0))),
            "filter" => words(argument(1), &|word| {
                argument(0).split_whitespace().any(|pattern| stem(pattern, word).is_some()).then(|| word.to_owned())
            }),
            "filter-out" => words(argument(1), &|word| {
                (!argument(0).split_whitespace().any(|pattern| stem(pattern, word).is_some())).then(|| word.to_owned())
            }),
            "patsubst" => words(argument(2), &|word| {
                Some(stem(&argument(0), word).map_or(word.to_owned(), |stem| argument(1).replacen('%', stem, 1)))
            }),
            "subst" if !argument(0).is_empty() => argument(2).replace(&argument(0), &argument(1)),
            "foreach" => words(argument(1), &|word| {
                let mut inner = Self { folder: self.folder.clone(), variables: self.variables.clone() };
                inner.variables.insert(argument(0), word.to_owned());
                Some(inner.expand(args.get(2)?, depth))
            }),
            "if" => argument(if argument(0).is_empty() { 2 } else { 1 }),
            _ => String::new(),
        }
    }
}

/// The lines of a text without comments, continued ones as one.
fn lines(text: &str) -> Vec<String> {
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let without_comment = |line: &str| match line.find('#') {
        Some(at) if !line[..at].ends_with('\\') => line[..at].to_owned(),
        _ => line.to_owned(),
    };
    joined.lines().map(without_comment).collect()
}

/// The arguments of a function, which commas separate.
fn arguments(text: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts
}

/// Where the bracket closes.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close && depth == 0 {
            return Some(at);
        } else if c == close {
            depth -= 1;
        }
    }
    None
}

/// What `%` of a pattern stands for.
fn stem<'a>(pattern: &str, word: &'a str) -> Option<&'a str> {
    match pattern.split_once('%') {
        Some((before, after)) => word.strip_prefix(before)?.strip_suffix(after),
        None => (pattern == word).then_some(""),
    }
}

/// A path without `.` and `..`, where that can be told from its text.
pub(super) fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, name: &str, expected: &str) {
        let text_of = |path: &Path| match path.to_str() {
            Some("p/a/Makefile") => Some(text.to_owned()),
            Some("p/common") => Some("ROOT ?= $(dir $(filter %/common,$(MAKEFILE_LIST)))\nD += -DX=1\n".to_owned()),
            _ => None,
        };
        assert_eq!(Makefile::read(Path::new("p/a/Makefile"), &text_of).value(name), expected);
    }

    #[test]
    fn variables() {
        check("A = $(B) c\nB := b # text\n", "A", "b c");
        check("A = 1\nA ?= 2\nA += 3 \\\n 4\n", "A", "1 3   4");
        check("D = -DY\ninclude ../common\n", "D", "-DY -DX=1");
        check("include ../common\n", "ROOT", "p/");
        check("A = $(A)\n", "A", "");
        check("S = $(abspath ../x)\n", "S", "p/x");
        check("A = $(patsubst %.c,%.o,a.c b.h)\n", "A", "a.o b.h");
        check("A = $(foreach x,1 2,<$(x)>)\n", "A", "<1> <2>");
        check("A = $(shell dirname a/b/)\n", "A", "a");
        check("A = $(shell rm -rf x)b\n", "A", "b");
    }

    #[test]
    fn conditionals() {
        check("X = 1\nifdef X\nA = yes\nelse\nA = no\nendif\n", "A", "yes");
        check("ifeq ($(X),1)\nA = 1\nelse ifeq ($(X),)\nA = 2\nelse\nA = 3\nendif\n", "A", "2");
        check("ifneq ($(strip $(X)),)\nA = 1\nendif\n", "A", "");
    }
}

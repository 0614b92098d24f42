//! `compile_commands.json`: which files a build compiles, and with which flags.

use crate::failure::Failure;
use crate::flags::{Word, read_word, split_words};
use crate::input;
use base::{Diagnostic, SourceMap, Span};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A file that a build compiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Where it lies, as seen from the current folder.
    pub file: PathBuf,
    /// Flags that say what it means, one word each.
    pub flags: Vec<String>,
    /// What is made of it.
    pub output: Option<String>,
    /// Where the database names it.
    pub at: Span,
}

/// An entry of the file.
#[derive(Deserialize)]
struct Command {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    arguments: Option<Vec<String>>,
    #[serde(default)]
    output: Option<String>,
}

/// Reads the C files of a `compile_commands.json`, in its order.
///
/// # Errors
/// If it can't be read, is none, or has a flag that can't be followed.
pub fn read(path: &Path) -> Result<Vec<Entry>, Failure> {
    let (named, text) = input::read_text(path)?;
    let fail = |at: u32, message: String, help: String| {
        let source = SourceMap::new(named.name.as_str().into(), text.clone(), Vec::new());
        Failure::in_source(vec![Diagnostic::error("E0072", Span::new(at, at), message).help(help)], source)
    };
    let commands: Vec<Command> = serde_json::from_str(&text).map_err(|error| {
        let lines: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let at = (lines + error.column().saturating_sub(1)).min(text.len());
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        let help = "expected a list of objects with `directory`, `file`, and `command` or `arguments`";
        fail(at as u32, format!("no compilation database: {message}"), help.to_owned())
    })?;
    let base = path.parent().unwrap_or(Path::new(""));
    let mut entries = Vec::new();
    for command in commands {
        // Where the entry stands, as far as its text tells.
        let name = command.file.to_string_lossy();
        let at = text.find(&format!("\"{name}\"")).map_or(0, |quote| quote + 1) as u32;
        let folder = base.join(&command.directory);
        let words = match (command.arguments, &command.command) {
            (Some(words), _) => words,
            (None, Some(line)) => split_words(line),
            (None, None) => {
                let help = "an entry has `command` or `arguments`".to_owned();
                return Err(fail(at, format!("{name} has no command"), help));
            }
        };
        if is_c(&command.file, &words) {
            let (flags, made) = flags_of(&words, &folder)
                .map_err(|(word, help)| fail(at, format!("{name} is compiled with `{word}`"), help.to_owned()))?;
            let output = command.output.or(made);
            entries.push(Entry {
                file: input::seen_from_here(&folder.join(&command.file)),
                flags,
                output,
                at: Span::new(at, at + name.len() as u32),
            });
        }
    }
    Ok(entries)
}

/// Whether a command compiles C.
fn is_c(file: &Path, words: &[String]) -> bool {
    let language = words.iter().position(|word| word == "-x").and_then(|at| words.get(at + 1));
    match language.map(String::as_str) {
        Some("c") => true,
        Some("none") | None => file.extension().is_some_and(|e| e == "c" || e == "i"),
        Some(_) => false,
    }
}

/// A word of a command that can't be followed, and what to do.
type Refused = (String, &'static str);

/// The flags of a command that say what a program means, and the file that it makes.
fn flags_of(words: &[String], folder: &Path) -> Result<(Vec<String>, Option<String>), Refused> {
    let (mut flags, mut output) = (Vec::new(), None);
    let mut rest = words.iter().skip(1).peekable();
    while let Some(word) = rest.next() {
        if word == "-o" {
            output = rest.next().cloned();
            continue;
        }
        match read_word(word, Some(folder), || rest.next().cloned()) {
            Word::Flag(flag) => flags.push(flag),
            Word::Unmodelled(why) => return Err((word.clone(), why)),
            Word::Other if word.starts_with('@') => {
                return Err((word.clone(), "let the build write flags without a response file"));
            }
            Word::Incomplete(flag) => return Err((flag.to_owned(), "give its value")),
            Word::Idle | Word::Action | Word::Unknown | Word::Other => {}
        }
    }
    Ok((flags, output))
}

/// Sees that the files of entries are there.
///
/// # Errors
/// If one is missing, with the place in the database that names it.
pub fn present(entries: &[Entry], path: &Path) -> Result<(), Failure> {
    let Some(missing) = entries.iter().find(|entry| !entry.file.exists()) else { return Ok(()) };
    let (named, text) = input::read_text(path)?;
    let message = format!("{}: no such file", missing.file.display());
    let help = "let the build make it, or write the database anew";
    let source = SourceMap::new(named.name.as_str().into(), text, Vec::new());
    Err(Failure::in_source(vec![Diagnostic::error("E0001", missing.at, message).help(help)], source))
}

/// The entries whose output, or file where none is known, matches a regular expression; each file once.
///
/// # Errors
/// If the expression is none, nothing matches, or a file is compiled in two ways.
pub fn select(entries: Vec<Entry>, target: Option<&str>, path: &Path) -> Result<Vec<Entry>, Failure> {
    let fail = |message: String, help: String| Failure::new(Diagnostic::error("E0073", None, message).help(help));
    let wanted = target.map(regex::Regex::new).transpose().map_err(|error| {
        let text = error.to_string();
        let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        fail(format!("--target is no regular expression: {reason}"), "such as --target 'parser_test'".to_owned())
    })?;
    let matches = |entry: &Entry| {
        let texts = [entry.output.clone(), Some(entry.file.to_string_lossy().into_owned())];
        wanted.as_ref().is_none_or(|wanted| texts.iter().flatten().any(|text| wanted.is_match(text)))
    };
    let mut selected: Vec<Entry> = Vec::new();
    let all = entries.len();
    for entry in entries.into_iter().filter(matches) {
        match selected.iter().find(|other| other.file == entry.file) {
            Some(other) if other.flags != entry.flags => {
                let message = format!("{} is compiled twice, with different flags", entry.file.display());
                let outputs = [other, &entry].map(|e| e.output.clone().unwrap_or_default()).join(" and ");
                return Err(fail(message, format!("choose what is made with --target; it is made into {outputs}")));
            }
            Some(_) => {}
            None => selected.push(entry),
        }
    }
    if selected.is_empty() {
        let message = match target {
            Some(target) => format!("nothing in {} matches --target {target}", path.display()),
            None => format!("{} names no C files", path.display()),
        };
        return Err(fail(
            message,
            format!("it has {all} C files; --target is a regular expression for what is made of them"),
        ));
    }
    Ok(selected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(file: &str, flags: &[&str], output: &str) -> Entry {
        let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        Entry { file: file.into(), flags, output: Some(output.to_owned()), at: Span::new(0, 0) }
    }

    #[test]
    fn flags_of_commands() {
        let words = split_words("gcc -O2 -Iinc -DX=1 -Wall -std=gnu99 -o a.o -c a.c");
        let (flags, output) = flags_of(&words, Path::new("/b")).expect("flags");
        assert_eq!(flags, ["-I/b/inc", "-DX=1", "-std=gnu99"]);
        assert_eq!(output.as_deref(), Some("a.o"));
        assert!(flags_of(&split_words("gcc -fpack-struct a.c"), Path::new("/b")).is_err());
    }

    #[test]
    fn selection() {
        let entries =
            vec![entry("a.c", &[], "x/a.o"), entry("b.c", &["-DA"], "x/b.o"), entry("b.c", &["-DB"], "y/b.o")];
        let path = Path::new("db");
        assert_eq!(select(entries.clone(), Some("^x/"), path).expect("files").len(), 2);
        assert!(select(entries.clone(), None, path).is_err());
        assert!(select(entries.clone(), Some("z"), path).is_err());
        assert!(select(entries, Some("("), path).is_err());
    }
}

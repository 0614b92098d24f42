//! Reads files. Nothing else in Hone does, so that every way to fail has one message.
#![allow(clippy::disallowed_methods)] // This is where reading happens.

use crate::failure::Failure;
use base::Diagnostic;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Largest file that is read, in bytes.
pub const MAX_BYTES: u64 = 1 << 30;

/// What a file is, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// C source, preprocessed or not.
    C,
    /// SV-COMP task definition.
    Task,
}

/// The content of a file.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where it lies.
    pub path: PathBuf,
    /// The path as the user gave it.
    pub name: String,
    /// Content; not empty.
    pub bytes: Vec<u8>,
}

impl Input {
    /// The input, unless nothing is in it.
    fn filled(self, help: &str) -> Result<Self, Failure> {
        match self.bytes.iter().all(u8::is_ascii_whitespace) {
            true => Err(fail(format!("{} is empty", self.name), help)),
            false => Ok(self),
        }
    }

    /// What the file is, by its name.
    pub fn kind(&self) -> Kind {
        kind_of(&self.path)
    }
}

/// What the file with this name is.
pub fn kind_of(path: &Path) -> Kind {
    match path.extension().and_then(|e| e.to_str()) {
        Some("yml" | "yaml") => Kind::Task,
        _ => Kind::C,
    }
}

fn fail(message: String, help: &str) -> Failure {
    Failure::new(Diagnostic::error("E0001", None, message).help(help))
}

/// What to do about an empty file that is no program.
const SAYS_NOTHING: &str = "it says nothing: is it the right file, and was it written to its end?";

/// Reads a file of a program, or a task definition, that the user named.
///
/// # Errors
/// If it is missing, no regular file, unreadable, empty, or larger than [`MAX_BYTES`].
pub fn read(path: &Path) -> Result<Input, Failure> {
    let help = match kind_of(path) {
        Kind::C => "give a C program with a function `main`",
        Kind::Task => SAYS_NOTHING,
    };
    read_any(path)?.filled(help)
}

/// Reads a file that may be empty.
fn read_any(path: &Path) -> Result<Input, Failure> {
    let name = path.display().to_string();
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => fail(format!("{name}: no such file"), "check the path"),
        ErrorKind::PermissionDenied => fail(format!("{name}: permission denied"), "make the file readable"),
        _ => fail(format!("{name}: {error}"), "check the path"),
    };
    let meta = fs::metadata(path).map_err(unreadable)?;
    if meta.is_dir() {
        return Err(fail(format!("{name} is a directory"), "give the files in it, such as `hone check DIR/*.c`"));
    }
    let too_large =
        || fail(format!("{name} is larger than {} MiB", MAX_BYTES >> 20), "give the part of the program that matters");
    if meta.len() > MAX_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(meta.len() as usize + 1);
    let file = fs::File::open(path).map_err(unreadable)?;
    // A pipe or a device has no length of its own.
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large());
    }
    Ok(Input { path: path.to_owned(), name, bytes })
}

/// Reads a file that must be text, such as a property.
///
/// # Errors
/// As [`read`], and if it is not UTF-8.
pub fn read_text(path: &Path) -> Result<(Input, String), Failure> {
    let input = read_any(path)?.filled(SAYS_NOTHING)?;
    match std::str::from_utf8(&input.bytes) {
        Ok(text) => {
            let text = text.to_owned();
            Ok((input, text))
        }
        Err(_) => Err(Failure::new(
            Diagnostic::error("E0002", None, format!("{} is not a text file", input.name)).help("expected UTF-8 text"),
        )),
    }
}

/// The C files in a folder and those below, in the order of their paths; hidden folders are left out.
///
/// # Errors
/// If a folder can't be read.
pub fn c_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let (mut files, is_c) = (Vec::new(), |path: &Path| path.extension().is_some_and(|e| e == "c"));
    collect(folder, &is_c, &mut files)?;
    Ok(files)
}

/// The files of this name in a folder and those below, as [`c_files`].
///
/// # Errors
/// If a folder can't be read.
pub fn files_named(name: &str, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    collect(folder, &|path: &Path| path.file_name().is_some_and(|own| own == name), &mut files)?;
    Ok(files)
}

fn collect(folder: &Path, wanted: &dyn Fn(&Path) -> bool, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let fail = |error: std::io::Error| {
        let message = format!("{}: {error}", folder.display());
        Failure::new(Diagnostic::error("E0001", None, message).help("name a folder that can be read"))
    };
    let mut entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(fail)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type().map_err(fail)?);
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if kind.is_dir() && !is_hidden {
            collect(&path, wanted, files)?;
        } else if wanted(&path) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// A path as it is seen from the current folder, if it lies there; otherwise as it is.
pub fn seen_from_here(path: &Path) -> PathBuf {
    let absolute = fs::canonicalize(path);
    let here = std::env::current_dir().and_then(fs::canonicalize);
    match (absolute, here) {
        (Ok(absolute), Ok(here)) => absolute.strip_prefix(&here).map_or(absolute.clone(), Path::to_owned),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        let failure = read(Path::new(path)).expect_err("the file can't be used");
        assert!(failure.diagnostics[0].message.contains(expected), "{}", failure.diagnostics[0].message);
        assert!(failure.diagnostics[0].help.is_some());
    }

    #[test]
    fn unusable_files() {
        check("/nonexistent/x.c", "no such file");
        check("/", "is a directory");
        check("/dev/null", "is empty");
    }

    #[test]
    fn kinds() {
        assert_eq!(kind_of(Path::new("a/b.yml")), Kind::Task);
        assert_eq!(kind_of(Path::new("a/b.i")), Kind::C);
    }
}

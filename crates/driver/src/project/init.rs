//! The text of a `hone.toml` for what a project has already: a compilation database, or proofs of CBMC with their makefiles.

use super::makefile::{Makefile, tidy};
use crate::compile_commands::{self, Entry};
use crate::failure::Failure;
use crate::flags::{Word, read_word, split_words};
use crate::input;
use base::Diagnostic;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// What stands at the beginning.
const HEAD: &str =
    "# Harnesses of this project. `hone check` runs all, `hone check NAME` one of them, `hone list` shows them.

[defaults]
timeout = \"60s\"
";

/// The `hone.toml` for a compilation database or a folder of proofs.
///
/// # Errors
/// If there is nothing to make harnesses of.
pub fn text(from: &Path) -> Result<String, Failure> {
    if from.is_dir() {
        let database = from.join("compile_commands.json");
        let (proofs, others): (Vec<Proof>, Vec<Proof>) =
            proofs(from)?.into_iter().partition(|proof| proof.missing().is_none());
        match (proofs.is_empty(), others.first().and_then(Proof::missing)) {
            (true, _) if database.is_file() => of_database(&database),
            (true, Some(missing)) => Err(nothing(format!("{}: {missing} is not there", from.display()))),
            (true, None) => Err(nothing(format!("{}: no proofs, and no compile_commands.json", from.display()))),
            (false, _) => Ok(of_proofs(&proofs) + &left_out(&others)),
        }
    } else {
        of_database(from)
    }
}

fn nothing(message: String) -> Failure {
    let help = "give a compile_commands.json, or the folder of a project's CBMC proofs, in which each has a Makefile with HARNESS_ENTRY";
    Failure::new(Diagnostic::error("E0082", None, message).help(help))
}

/// A harness for each program that is built.
fn of_database(path: &Path) -> Result<String, Failure> {
    let mut programs: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for entry in compile_commands::read(path)? {
        programs.entry(target(&entry)).or_default().push(entry);
    }
    let mut out = HEAD.to_owned();
    let _ = writeln!(out, "compile-commands = {}", quoted(&path.to_string_lossy()));
    let mut others = Vec::new();
    for (name, entries) in &programs {
        let has_main =
            entries.iter().any(|entry| input::read(&entry.file).is_ok_and(|input| mentions_main(&input.bytes)));
        if !has_main {
            others.push(name.as_str());
            continue;
        }
        let _ = write!(out, "\n[[harness]]\nname = {}\n", quoted(if name.is_empty() { "main" } else { name }));
        if !name.is_empty() {
            let _ = writeln!(out, "target = {}", quoted(&format!("(^|/){}\\.dir/", regex::escape(name))));
        }
    }
    if others.len() == programs.len() {
        return Err(nothing(format!("{}: no program has a function `main`", path.display())));
    }
    if !others.is_empty() {
        let _ = write!(out, "\n# Without `main`, and so without a harness: {}\n", others.join(", "));
    }
    Ok(out)
}

/// The program that a file is a part of, if the name of what is made of it tells: `CMakeFiles/NAME.dir/...`.
fn target(entry: &Entry) -> String {
    let output = entry.output.as_deref().unwrap_or_default();
    output.split('/').find_map(|part| part.strip_suffix(".dir")).unwrap_or_default().to_owned()
}

fn mentions_main(text: &[u8]) -> bool {
    text.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').any(|word| word == b"main")
}

/// A proof of CBMC.
struct Proof {
    name: String,
    entry: String,
    files: Vec<String>,
    flags: Vec<String>,
    removed: Vec<String>,
    checked: Vec<String>,
    used: Vec<String>,
    bounds: String,
}

impl Proof {
    /// A file of it that is not there: what is made by its makefile, or what was moved away since.
    fn missing(&self) -> Option<&str> {
        self.files.iter().map(String::as_str).find(|file| !Path::new(file).exists())
    }
}

/// Names the proofs that have files which are not there.
fn left_out(proofs: &[Proof]) -> String {
    let mut out = String::new();
    for (proof, missing) in proofs.iter().filter_map(|proof| Some((proof, proof.missing()?))) {
        let _ = write!(out, "\n# Without a harness, because {missing} is not there: {}\n", proof.name);
    }
    out
}

/// The proofs in folders with a makefile, in the order of their names.
fn proofs(folder: &Path) -> Result<Vec<Proof>, Failure> {
    let text_of = |path: &Path| input::read_text(path).ok().map(|(_, text)| text);
    let mut proofs = Vec::new();
    for makefile in input::files_named("Makefile", folder)? {
        let path = std::path::absolute(&makefile).unwrap_or(makefile);
        let of = Makefile::read(&tidy(&path), &text_of);
        let entry = of.value("HARNESS_ENTRY");
        let sources = [of.value("PROOF_SOURCES"), of.value("PROJECT_SOURCES")].join(" ");
        let name = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let (Some(name), false, false) = (name, entry.is_empty(), sources.trim().is_empty()) else { continue };
        let here = |path: &str| shown(&tidy(Path::new(path)));
        let words = [of.value("INCLUDES"), of.value("DEFINES"), of.value("COMPILE_FLAGS")].join(" ");
        let functions = |variable: &str| of.value(variable).split_whitespace().map(str::to_owned).collect();
        proofs.push(Proof {
            name,
            entry,
            files: sources.split_whitespace().map(here).collect(),
            flags: flags(&words),
            removed: functions("REMOVE_FUNCTION_BODY"),
            checked: functions("CHECK_FUNCTION_CONTRACTS"),
            used: functions("USE_FUNCTION_CONTRACTS"),
            bounds: of.value("UNWINDSET"),
        });
    }
    Ok(proofs)
}

/// The flags among words that say what a program means, with paths as seen from here.
fn flags(words: &str) -> Vec<String> {
    let words = split_words(words);
    let mut rest = words.iter();
    let mut flags = Vec::new();
    while let Some(word) = rest.next() {
        if let Word::Flag(flag) = read_word(word, None, || rest.next().cloned()) {
            flags.push(match flag.strip_prefix("-I") {
                Some(folder) => format!("-I{}", shown(&tidy(Path::new(folder)))),
                None => match flag.strip_prefix("-include") {
                    Some(file) if Path::new(file).is_absolute() => format!("-include{}", shown(&tidy(Path::new(file)))),
                    _ => flag,
                },
            });
        }
    }
    flags
}

/// A path as seen from the current folder, also where nothing is there.
fn shown(path: &Path) -> String {
    seen_from(&std::env::current_dir().unwrap_or_default(), path).to_string_lossy().into_owned()
}

/// A path as seen from a folder, so that a project can be moved: proofs are often further down in it than what they are about. Both are absolute; what
/// has no more than the root in common with the folder stays so.
fn seen_from(folder: &Path, path: &Path) -> PathBuf {
    let shared = folder.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    if shared < 2 {
        return path.to_owned();
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    let seen: PathBuf = up.chain(path.components().skip(shared)).collect();
    if seen.as_os_str().is_empty() { PathBuf::from(".") } else { seen }
}

fn of_proofs(proofs: &[Proof]) -> String {
    let mut out = HEAD.to_owned();
    // To CBMC, variables without a value are inputs, and what a harness allocates need not be freed.
    out += "checks = [\"assertions\", \"memory\", \"free\", \"overflow\", \"division\", \"shift\"]\n";
    // Flags that all have in common, at the beginning.
    let shared: Vec<&String> = match proofs.split_first() {
        Some((first, rest)) => first.flags.iter().filter(|flag| rest.iter().all(|p| p.flags.contains(flag))).collect(),
        None => Vec::new(),
    };
    if !shared.is_empty() {
        let _ = writeln!(out, "flags = {}", list(&shared));
    }
    for proof in proofs {
        let _ = write!(out, "\n[[harness]]\nname = {}\nentry = {}\n", quoted(&proof.name), quoted(&proof.entry));
        let _ = writeln!(out, "files = {}", list(&proof.files.iter().collect::<Vec<_>>()));
        let own: Vec<&String> = proof.flags.iter().filter(|flag| !shared.contains(flag)).collect();
        if !own.is_empty() {
            let _ = writeln!(out, "flags = {}", list(&own));
        }
        let lists =
            [("remove-body", &proof.removed), ("check-contract", &proof.checked), ("use-contract", &proof.used)];
        for (key, functions) in lists.into_iter().filter(|(_, functions)| !functions.is_empty()) {
            let _ = writeln!(out, "{key} = {}", list(&functions.iter().collect::<Vec<_>>()));
        }
        if !proof.bounds.is_empty() {
            let bounds = proof.bounds.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = writeln!(out, "# Unwinding limits of the other tool, which are not needed: {bounds}");
        }
    }
    out
}

fn list(texts: &[&String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    let line = format!("[{}]", texts.join(", "));
    if line.len() <= 100 { line } else { format!("[\n    {},\n]", texts.join(",\n    ")) }
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    let is_plain = !text.contains('\'') && !text.chars().any(char::is_control);
    if is_plain && text.contains(['\\', '"']) {
        return format!("'{text}'");
    }
    let escaped = text.chars().fold(String::from("\""), |mut out, c| {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => drop(write!(out, "\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
        out
    });
    escaped + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings() {
        for text in ["plain", "-DX=\"a\"", "it's \"b\\c\"", "a\nb"] {
            let table: toml::Table = toml::from_str(&format!("x = {}", quoted(text))).expect("TOML");
            assert_eq!(table["x"].as_str(), Some(text));
        }
    }

    #[test]
    fn paths() {
        let seen =
            |path: &str| seen_from(Path::new("/home/a/p/proofs"), Path::new(path)).to_string_lossy().into_owned();
        assert_eq!(seen("/home/a/p/proofs/f/f.c"), "f/f.c");
        assert_eq!(seen("/home/a/p/src/f.c"), "../src/f.c");
        assert_eq!(seen("/home/a/p"), "..");
        assert_eq!(seen("/home/a/p/proofs"), ".");
        assert_eq!(seen("/usr/include"), "/usr/include");
    }

    #[test]
    fn targets() {
        let entry = |output: &str| Entry {
            file: "a.c".into(),
            flags: Vec::new(),
            output: Some(output.into()),
            at: base::Span::new(0, 0),
        };
        assert_eq!(target(&entry("CMakeFiles/parser_test.dir/a.c.o")), "parser_test");
        assert_eq!(target(&entry("a.o")), "");
    }
}

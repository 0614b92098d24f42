//! `hone.toml`: the harnesses of a project.
//!
//! Each harness is one run of `hone check`; [`Harness::arguments`] are those of that run, in the folder of the file. What a project does with its
//! harnesses (choose, run, compare) is the command line's.

pub mod init;
mod makefile;
mod patterns;

use crate::config;
use crate::environment::{EnumValues, Strings, Volatile, read_range, read_replacement};
use crate::failure::Failure;
use crate::flags::{Word, read_word};
use crate::input;
use crate::property::CheckKind;
use crate::suggest;
use crate::text_form::{Choice, TextForm};
use base::{ByteOrder, Diagnostic, SourceMap, Span};
use cfa::{Check, MachineModel};
use outcome::Property;
use patterns::expanded;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;

/// Name of the file.
pub const FILE: &str = "hone.toml";

/// A project.
#[derive(Clone, Debug)]
pub struct Project {
    /// The folder of its `hone.toml`.
    pub folder: PathBuf,
    /// In the order of the file; at least one.
    pub harnesses: Vec<Harness>,
}

/// A harness: a program with what is to be shown of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Harness {
    /// Its name; no other of the project has it.
    pub name: String,
    /// Function at which runs begin.
    pub entry: String,
    /// Files, as seen from the project's folder.
    pub files: Vec<String>,
    /// What is given to `hone check` beside them.
    pub options: Vec<String>,
    /// What it is to end with.
    pub expect: Expectation,
    /// Line of its name in `hone.toml`.
    pub line: usize,
}

/// What a harness is to end with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expectation {
    /// A proof.
    True,
    /// A violation, maybe of this property.
    False(Option<String>),
    /// No answer.
    Unknown,
}

impl Expectation {
    /// Whether a verdict is as expected; `violated` is the property that a `false` names.
    pub fn is_met(&self, verdict: &str, violated: Option<&str>) -> bool {
        match self {
            Expectation::True => verdict == "true",
            Expectation::False(None) => verdict == "false",
            Expectation::False(property) => verdict == "false" && property.as_deref() == violated,
            Expectation::Unknown => verdict == "unknown",
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "true" => Some(Expectation::True),
            "false" => Some(Expectation::False(None)),
            "unknown" => Some(Expectation::Unknown),
            _ => {
                let property = text.strip_prefix("false(")?.strip_suffix(')')?;
                let mut known = Check::ALL.into_iter().map(Property::Check).chain([Property::UnreachCall]);
                known.any(|known| known.name() == property).then(|| Expectation::False(Some(property.to_owned())))
            }
        }
    }
}

impl std::fmt::Display for Expectation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expectation::True => f.write_str("true"),
            Expectation::False(None) => f.write_str("false"),
            Expectation::False(Some(property)) => write!(f, "false({property})"),
            Expectation::Unknown => f.write_str("unknown"),
        }
    }
}

impl Harness {
    /// The arguments of its `hone check`.
    pub fn arguments(&self) -> Vec<String> {
        let entry = ["--entry".to_owned(), self.entry.clone()];
        self.options.iter().cloned().chain(entry).chain(self.files.iter().cloned()).collect()
    }
}

/// The file format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    defaults: Section,
    #[serde(default)]
    harness: Vec<Spanned<Section>>,
}

type Text = Spanned<String>;

/// A harness, or the defaults for all.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Section {
    name: Option<Text>,
    entry: Option<Text>,
    files: Vec<Text>,
    stubs: Vec<Text>,
    remove_body: Vec<Text>,
    check_contract: Vec<Text>,
    use_contract: Vec<Text>,
    sources: Vec<Text>,
    flags: Vec<Text>,
    compile_commands: Option<Text>,
    target: Option<Text>,
    cc: Option<Text>,
    checks: Option<Vec<Text>>,
    property: Option<Text>,
    data_model: Option<Text>,
    endianness: Option<Text>,
    config: Option<Text>,
    timeout: Option<Text>,
    memory: Option<Text>,
    volatile: Option<Text>,
    mmio: Vec<Text>,
    interrupts: Vec<Text>,
    max_interrupts: Option<u32>,
    havoc_arguments: Option<bool>,
    replace: Vec<Text>,
    enum_values: Option<Text>,
    max_elements: Option<u32>,
    max_depth: Option<u32>,
    strings: Option<Text>,
    shared_arguments: Option<bool>,
    options: Vec<Text>,
    expect: Option<Text>,
}

/// Finds the `hone.toml` of the current folder or one above it.
///
/// # Errors
/// If there is none.
pub fn find() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().unwrap_or_default();
    let found = here.ancestors().map(|folder| folder.join(FILE)).find(|path| path.is_file());
    found.map(|path| input::seen_from_here(&path)).ok_or_else(|| {
        let message = format!("no files are given, and there is no {FILE} in this folder or above");
        let help = "give the files of a C program, or let `hone init` write a hone.toml";
        Failure::new(Diagnostic::error("E0080", None, message).help(help))
    })
}

/// Reads a project.
///
/// # Errors
/// If the file can't be read or says what there is not; with its place.
pub fn read(path: &Path) -> Result<Project, Failure> {
    let (named, text) = input::read_text(path)?;
    let reader = Reader { folder: path.parent().unwrap_or(Path::new("")).to_owned(), text: &text };
    reader.project().map_err(|wrong| {
        let source = SourceMap::new(named.name.as_str().into(), text.clone(), Vec::new());
        let Wrong { at, message, help } = *wrong;
        Failure::in_source(vec![Diagnostic::error("E0081", at, message).help(help)], source)
    })
}

/// What is wrong with a file, and where.
struct Wrong {
    at: Span,
    message: String,
    help: String,
}

fn wrong<T>(at: std::ops::Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Result<T, Box<Wrong>> {
    let at = Span::new(at.start as u32, at.end as u32);
    Err(Box::new(Wrong { at, message: message.into(), help: help.into() }))
}

struct Reader<'a> {
    folder: PathBuf,
    text: &'a str,
}

impl Reader<'_> {
    fn project(self) -> Result<Project, Box<Wrong>> {
        let document: Document = toml::from_str(self.text).or_else(|error| {
            let message = error.message().lines().next().unwrap_or_default().to_owned();
            wrong(error.span().unwrap_or(0..0), message.clone(), hint(&message))
        })?;
        if let Some(name) = &document.defaults.name {
            return wrong(name.span(), "the defaults have no name", "write [[harness]] for a harness");
        }
        let mut harnesses: Vec<Harness> = Vec::new();
        for section in &document.harness {
            let harness = self.harness(section, &document.defaults)?;
            if harnesses.iter().any(|other| other.name == harness.name) {
                let at = section.get_ref().name.as_ref().map_or(section.span(), Text::span);
                return wrong(at, format!("two harnesses have the name `{}`", harness.name), "rename one");
            }
            harnesses.push(harness);
        }
        if harnesses.is_empty() {
            return wrong(0..0, "no harness", "begin one with [[harness]], its `name` and `files`");
        }
        Ok(Project { folder: self.folder, harnesses })
    }

    fn harness(&self, spanned: &Spanned<Section>, defaults: &Section) -> Result<Harness, Box<Wrong>> {
        let section = spanned.get_ref();
        let Some(name) = section.name.as_ref().filter(|name| !name.get_ref().is_empty()) else {
            return wrong(spanned.span(), "a harness has no name", "add a line such as `name = \"parser\"`");
        };
        let own = |of: fn(&Section) -> &Option<Text>| of(section).as_ref().or(of(defaults).as_ref());
        let all = |of: fn(&Section) -> &Vec<Text>| of(defaults).iter().chain(of(section));
        let mut options: Vec<String> = Vec::new();
        let mut option = |name: &str, value: &str| options.push(format!("--{name}={value}"));
        for flag in self.flags(all(|s| &s.flags))? {
            option("cflag", &flag);
        }
        for stub in all(|s| &s.stubs) {
            self.paths(stub)?.iter().for_each(|path| option("stub", path));
        }
        for function in all(|s| &s.remove_body) {
            option("remove-body", function.get_ref());
        }
        for function in all(|s| &s.check_contract) {
            option("check-contract", function.get_ref());
        }
        for function in all(|s| &s.use_contract) {
            option("use-contract", function.get_ref());
        }
        for folder in all(|s| &s.sources) {
            self.present(folder)?;
            option("sources", folder.get_ref());
        }
        for (name, file) in [("compile-commands", own(|s| &s.compile_commands)), ("property", own(|s| &s.property))] {
            if let Some(file) = file {
                self.present(file)?;
                option(name, file.get_ref());
            }
        }
        let given = [
            ("target", own(|s| &s.target)),
            ("cc", own(|s| &s.cc)),
            ("data-model", own(|s| &s.data_model)),
            ("endianness", own(|s| &s.endianness)),
            ("config", own(|s| &s.config)),
            ("timeout", own(|s| &s.timeout)),
            ("memory", own(|s| &s.memory)),
            ("volatile", own(|s| &s.volatile)),
            ("enum-values", own(|s| &s.enum_values)),
            ("strings", own(|s| &s.strings)),
        ];
        for (name, value) in given {
            let Some(value) = value else { continue };
            check_value(name, value)?;
            option(name, value.get_ref());
        }
        if let Some(checks) = section.checks.as_ref().or(defaults.checks.as_ref()).filter(|checks| !checks.is_empty()) {
            checks.iter().try_for_each(|check| check_value("checks", check))?;
            let names: Vec<&str> = checks.iter().map(|check| check.get_ref().as_str()).collect();
            option("checks", &names.join(","));
        }
        options.extend(surroundings(section, defaults)?);
        options.extend(all(|s| &s.options).map(|option| option.get_ref().clone()));
        let mut files = Vec::new();
        for file in all(|s| &s.files) {
            files.extend(self.paths(file)?.into_iter().filter(|path| !files.contains(path)).collect::<Vec<_>>());
        }
        let others = [&section.sources, &defaults.sources];
        let database = own(|s| &s.compile_commands).is_some();
        if files.is_empty() && others.iter().all(|list| list.is_empty()) && !database {
            return wrong(
                name.span(),
                format!("harness `{}` has no files", name.get_ref()),
                "add `files = [\"harness.c\"]`",
            );
        }
        Ok(Harness {
            name: name.get_ref().clone(),
            entry: own(|s| &s.entry).map_or("main", |entry| entry.get_ref()).to_owned(),
            files,
            options,
            expect: expectation(own(|s| &s.expect))?,
            line: self.text.bytes().take(name.span().start).filter(|byte| *byte == b'\n').count() + 1,
        })
    }

    /// Flags of a C compiler, each in one word.
    fn flags<'a>(&self, words: impl Iterator<Item = &'a Text>) -> Result<Vec<String>, Box<Wrong>> {
        let (mut words, mut flags) = (words.peekable(), Vec::new());
        while let Some(word) = words.next() {
            match read_word(word.get_ref(), None, || words.next().map(|next| next.get_ref().clone())) {
                Word::Flag(flag) => flags.push(flag),
                Word::Idle | Word::Action => {}
                Word::Unmodelled(help) => return wrong(word.span(), "this flag is not modelled", help),
                Word::Incomplete(_) => return wrong(word.span(), "this flag needs a value", "such as \"-Iinclude\""),
                Word::Unknown | Word::Other => {
                    return wrong(
                        word.span(),
                        "this is no flag of a C compiler",
                        "flags are those such as \"-Iinclude\", \"-DN=3\"",
                    );
                }
            }
        }
        Ok(flags)
    }

    /// The files that a name or pattern stands for; at least one.
    fn paths(&self, pattern: &Text) -> Result<Vec<String>, Box<Wrong>> {
        let paths = expanded(&self.folder, pattern.get_ref());
        if paths.is_empty() {
            let is_pattern = pattern.get_ref().contains(['*', '?', '[']);
            let message = if is_pattern { "no file matches this" } else { "no such file" };
            return wrong(pattern.span(), message, "paths are those seen from the folder of hone.toml");
        }
        Ok(paths)
    }

    fn present(&self, path: &Text) -> Result<(), Box<Wrong>> {
        if self.folder.join(path.get_ref()).exists() {
            return Ok(());
        }
        wrong(path.span(), "no such file or folder", "paths are those seen from the folder of hone.toml")
    }
}

/// Options that say what surrounds the program.
fn surroundings(section: &Section, defaults: &Section) -> Result<Vec<String>, Box<Wrong>> {
    let all = |of: fn(&Section) -> &Vec<Text>| of(defaults).iter().chain(of(section));
    let lists = [("mmio", all(|s| &s.mmio)), ("interrupt", all(|s| &s.interrupts)), ("replace", all(|s| &s.replace))];
    let mut options = Vec::new();
    for (name, values) in lists {
        for value in values {
            check_value(name, value)?;
            options.push(format!("--{name}={}", value.get_ref()));
        }
    }
    let number = |of: fn(&Section) -> Option<u32>| of(section).or(of(defaults));
    let numbers = [
        ("max-interrupts", number(|s| s.max_interrupts)),
        ("max-elements", number(|s| s.max_elements)),
        ("max-depth", number(|s| s.max_depth)),
    ];
    options.extend(numbers.into_iter().filter_map(|(name, value)| Some(format!("--{name}={}", value?))));
    let is_on = |of: fn(&Section) -> Option<bool>| of(section).or(of(defaults)) == Some(true);
    let flags =
        [("havoc-arguments", is_on(|s| s.havoc_arguments)), ("shared-arguments", is_on(|s| s.shared_arguments))];
    options.extend(flags.into_iter().filter(|(_, is_on)| *is_on).map(|(name, _)| format!("--{name}")));
    Ok(options)
}

/// Sees that an option has a value that it can have.
fn check_value(name: &str, value: &Text) -> Result<(), Box<Wrong>> {
    let text = value.get_ref();
    let (is_valid, known) = match name {
        "checks" => (CheckKind::read(text).is_ok(), names::<CheckKind>()),
        "data-model" => (MachineModel::read(text).is_ok(), names::<MachineModel>()),
        "endianness" => (ByteOrder::read(text).is_ok(), names::<ByteOrder>()),
        "config" => {
            let names: Vec<&str> = config::presets().into_iter().map(|(name, _)| name).collect();
            (names.contains(&text.as_str()), names)
        }
        "volatile" => (Volatile::read(text).is_ok(), names::<Volatile>()),
        "enum-values" => (EnumValues::read(text).is_ok(), names::<EnumValues>()),
        "strings" => (Strings::read(text).is_ok(), names::<Strings>()),
        "mmio" => (read_range(text).is_ok(), vec!["0x40000000..0x5fffffff"]),
        "replace" => (read_replacement(text).is_ok(), vec!["read_pin=read_pin_stub"]),
        "timeout" => (Duration::read(text).is_ok(), vec!["60s", "5min"]),
        _ => (true, Vec::new()),
    };
    if is_valid {
        return Ok(());
    }
    let help = match suggest::similar(text, known.iter().copied()) {
        Some(similar) => format!("did you mean \"{similar}\"?"),
        None => format!("such as {}", known.join(", ")),
    };
    wrong(value.span(), format!("`{text}` is no value of {name}"), help)
}

fn names<T: Choice>() -> Vec<&'static str> {
    T::values().into_iter().map(|(name, _)| name).collect()
}

fn expectation(text: Option<&Text>) -> Result<Expectation, Box<Wrong>> {
    let Some(text) = text else { return Ok(Expectation::True) };
    match Expectation::read(text.get_ref()) {
        Some(expectation) => Ok(expectation),
        None => wrong(
            text.span(),
            format!("`{}` is nothing that a check ends with", text.get_ref()),
            "\"true\", \"false\", \"false(valid-deref)\" or \"unknown\"",
        ),
    }
}

/// What may help with a message of the parser.
fn hint(message: &str) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match quoted.split_first() {
        Some((field, known)) if message.starts_with("unknown field") => {
            match suggest::similar(field, known.iter().copied()) {
                Some(similar) => format!("did you mean `{similar}`?"),
                None => format!("known are {}", known.join(", ")),
            }
        }
        _ => "a harness is [[harness]] with lines such as `name = \"parser\"` and `files = [\"parser.c\"]`".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(text: &str) -> Result<Project, Box<Wrong>> {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.c", "b.c"] {
            #[allow(clippy::disallowed_methods)] // Tests write files of their own.
            std::fs::write(folder.path().join(name), "int x;").expect("a file");
        }
        Reader { folder: folder.path().to_owned(), text }.project()
    }

    #[track_caller]
    fn check_error(text: &str, at: &str, message: &str) {
        let Err(wrong) = project(text) else { panic!("no error") };
        assert!(wrong.message.contains(message), "{}", wrong.message);
        assert_eq!(&text[wrong.at.lo as usize..wrong.at.hi as usize], at);
        assert!(!wrong.help.is_empty());
    }

    #[test]
    fn harnesses() {
        let text = "[defaults]\nflags = [\"-I\", \"inc\", \"-O2\"]\ntimeout = \"5s\"\n\n[[harness]]\nname = \"one\"\nfiles = [\"*.c\"]
            entry = \"f\"\nexpect = \"false(valid-deref)\"\nchecks = [\"memory\", \"free\"]\n";
        let project = project(text).unwrap_or_else(|wrong| panic!("{}", wrong.message));
        let words = project.harnesses[0].arguments().join(" ");
        assert_eq!(words, "--cflag=-Iinc --timeout=5s --checks=memory,free --entry f a.c b.c");
        let expect = &project.harnesses[0].expect;
        assert!(expect.is_met("false", Some("valid-deref")) && !expect.is_met("false", Some("unreach-call")));
    }

    #[test]
    fn surroundings_of_harnesses() {
        let text = "[defaults]\nvolatile = \"inputs\"\nmmio = [\"0x10..0x1f\"]\nmax-elements = 3\n\n[[harness]]\nname = \"one\"\nfiles = [\"a.c\"]
            interrupts = [\"tick\"]\nreplace = [\"f=g\"]\nmax-elements = 4\nhavoc-arguments = true\n";
        let project = project(text).unwrap_or_else(|wrong| panic!("{}", wrong.message));
        let words = project.harnesses[0].options.join(" ");
        let expected =
            "--volatile=inputs --mmio=0x10..0x1f --interrupt=tick --replace=f=g --max-elements=4 --havoc-arguments";
        assert_eq!(words, expected);
    }

    #[test]
    fn mistakes() {
        let harness = "[[harness]]\nname = \"a\"\nfiles = [\"a.c\"]\n";
        check_error("", "", "no harness");
        check_error("[[harness]]\nname = \"a\"\n", "\"a\"", "no files");
        check_error("[[harness]]\nname = \"a\"\nfiles = [\"c.c\"]\n", "\"c.c\"", "no such file");
        check_error(&format!("{harness}check = []\n"), "check", "unknown field");
        check_error(&format!("{harness}checks = [\"memry\"]\n"), "\"memry\"", "no value of checks");
        check_error(&format!("{harness}mmio = [\"4..2\"]\n"), "\"4..2\"", "no value of mmio");
        check_error(&format!("{harness}volatile = \"yes\"\n"), "\"yes\"", "no value of volatile");
        check_error(&format!("{harness}timeout = \"long\"\n"), "\"long\"", "no value of timeout");
        check_error(&format!("{harness}expect = \"maybe\"\n"), "\"maybe\"", "maybe");
        check_error(&format!("{harness}expect = \"false(valid-dereff)\"\n"), "\"false(valid-dereff)\"", "dereff");
        check_error(&format!("{harness}flags = [\"x\"]\n"), "\"x\"", "no flag");
        check_error(&format!("{harness}{harness}"), "\"a\"", "two harnesses");
        check_error(&format!("{harness}entry = \n"), "", "");
    }
}

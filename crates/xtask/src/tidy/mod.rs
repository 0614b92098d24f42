//! What the compiler does not check of the workspace: layers, circles, sizes, documentation, and tables that tell what the code says.
//!
//! The mechanism is that of rust-analyzer's `xtask/src/tidy.rs`: plain reading of sources, run as a test.
#![allow(clippy::disallowed_methods)]

pub mod circles;
pub mod layers;
pub mod sources;
pub mod tables;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Circles of files at most, in all crates together.
const CIRCLES_OF_FILES: usize = 5;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A circle of modules one of which is a folder.
    CircleOfFolders,
    /// A circle of files in which one says nothing about it in its first lines.
    CircleOfFiles,
    /// A crate with too many lines.
    LargeCrate,
    /// A file with too many lines, or many without a reason.
    LongFile,
    /// A function with too many lines.
    LongFunction,
    /// Something else, which the message tells in full.
    Other,
}

/// Something that is untidy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What kind of thing.
    pub kind: Kind,
    /// Where, or what.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::CircleOfFolders => "circle between folders: ",
            Kind::CircleOfFiles => "circle of files, not explained (`//! In a circle with …`): ",
            Kind::LargeCrate => "crate over 14,000 lines: ",
            Kind::LongFile => "file over 500 lines without a reason that names the number, or over 1,000: ",
            Kind::LongFunction => "function over 80 lines: ",
            Kind::Other => "",
        })?;
        f.write_str(&self.what)
    }
}

/// A file of a crate.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path below the root of the workspace.
    pub name: String,
    /// Its path below `src`, or its name.
    pub inner: String,
    /// What is in it.
    pub text: String,
}

impl Source {
    /// The text before the inline tests at its end.
    pub fn code(&self) -> &str {
        self.text.split_once("\nmod tests {\n").map_or(&self.text, |(code, _)| code)
    }

    /// Whether its module doc says why it is in a circle.
    fn explains_circle(&self) -> bool {
        self.text.lines().take_while(|line| line.starts_with("//!")).any(|line| line.contains("In a circle with"))
    }
}

/// What is untidy in the workspace at `root`.
pub fn check(root: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_default();
    let (bibliography, layers) = (read("docs/references.bib"), layers::layers(&read("docs/architecture.md")));
    let known = sources::bibliography_keys(&bibliography);
    let folders = sorted_entries(&root.join("crates"));
    let folders: Vec<&PathBuf> = folders.iter().filter(|folder| folder.join("Cargo.toml").is_file()).collect();
    let name = |folder: &Path| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let crates: Vec<String> = folders.iter().map(|folder| name(folder)).collect();
    layers::check_table(&layers, &crates, &mut findings);
    let mut circles_of_files = Vec::new();
    for folder in folders {
        layers::check_manifest(folder, &layers, &mut findings);
        let product = read_sources(root, &folder.join("src"));
        let tests = ["tests", "examples", "benches"].map(|part| read_sources(root, &folder.join(part)));
        product.iter().chain(tests.iter().flatten()).for_each(|source| sources::check(source, &known, &mut findings));
        layers::check_size(&name(folder), &product, &mut findings);
        let circles::Circles { folders, files } = circles::circles(&product);
        let told = |circle: &[String]| format!("{}: {}", name(folder), circle.join(", "));
        findings.extend(folders.iter().map(|circle| Finding { kind: Kind::CircleOfFolders, what: told(circle) }));
        circles_of_files.extend(files.iter().map(|circle| told(circle)));
        let is_explained = |circle: &&Vec<String>| {
            let in_circle = |source: &&Source| circle.iter().any(|module| is_module(source, module));
            product.iter().filter(in_circle).all(Source::explains_circle)
        };
        let unexplained = files.iter().filter(|circle| !is_explained(circle));
        findings.extend(unexplained.map(|circle| Finding { kind: Kind::CircleOfFiles, what: told(circle) }));
    }
    if circles_of_files.len() > CIRCLES_OF_FILES {
        let what = format!("circles of files: more than {CIRCLES_OF_FILES}");
        findings.push(Finding { kind: Kind::Other, what });
    }
    tables::check(root, &mut findings);
    findings
}

fn is_module(source: &Source, module: &str) -> bool {
    let stem = source.inner.strip_suffix(".rs").unwrap_or(&source.inner);
    stem.strip_suffix("/mod").unwrap_or(stem) == module
}

fn sorted_entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()).collect();
    entries.sort();
    entries
}

/// The Rust files below a folder.
fn read_sources(root: &Path, folder: &Path) -> Vec<Source> {
    let (mut sources, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(sorted_entries(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let below = |base: &Path| path.strip_prefix(base).unwrap_or(&path).display().to_string();
            let text = fs::read_to_string(&path).unwrap_or_default();
            sources.push(Source { name: below(root), inner: below(folder), text });
        }
    }
    sources
}

//! Layers, module docs, citations, file lengths and manifests.
//!
//! The mechanism is that of rust-analyzer's `xtask/src/tidy.rs`: plain reading of sources, run as a test.
#![allow(clippy::disallowed_methods)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Lines of a file above which the module doc must give a reason (a warning here).
const LONG: usize = 500;
/// Lines of a file at most.
const TOO_LONG: usize = 1000;

/// The layer of each crate. A crate may depend on crates of lower layers only; see docs/architecture.md.
const LAYERS: &[(&str, u32)] = &[
    ("base", 0),
    ("z3-link", 0),
    ("cfront", 1),
    ("cfa", 1),
    ("smt", 1),
    ("c2cfa", 2),
    ("ctext", 2),
    ("encode", 2),
    ("outcome", 2),
    ("smt-z3", 2),
    ("step", 2),
    ("interp", 3),
    ("analysis", 3),
    ("transform", 3),
    ("domains", 4),
    ("refine", 4),
    ("replay", 4),
    ("task", 4),
    ("witness", 4),
    ("report", 4),
    ("bmc", 5),
    ("proof", 6),
    ("cegar", 7),
    ("driver", 8),
    ("cli", 9),
    ("xtask", 10),
    ("fuzz", 10),
];

/// Edges that the layers allow but the architecture does not: from, to, reason.
const FORBIDDEN: &[(&str, &str, &str)] = &[
    ("bmc", "smt-z3", "algorithms never see a solver backend"),
    ("proof", "smt-z3", "algorithms never see a solver backend"),
    ("cegar", "smt-z3", "algorithms never see a solver backend"),
    ("transform", "cfront", "only c2cfa and driver see C syntax"),
    ("report", "interp", "reports render data"),
    ("interp", "cfront", "only c2cfa and driver see C syntax"),
    ("encode", "cfront", "only c2cfa and driver see C syntax"),
];

/// What is untidy.
#[derive(Debug, Default)]
pub struct Report {
    /// Must be repaired.
    pub errors: Vec<String>,
    /// Should be looked at.
    pub warnings: Vec<String>,
}

/// The root of this workspace.
pub fn workspace_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_owned()
}

/// Checks the workspace at `root`.
pub fn check(root: &Path) -> Report {
    let mut report = Report::default();
    let crates = root.join("crates");
    let bibliography = fs::read_to_string(root.join("docs/references.bib")).unwrap_or_default();
    let known = bibliography_keys(&bibliography);
    for folder in sorted_entries(&crates) {
        if folder.join("Cargo.toml").is_file() {
            check_manifest(&folder, &mut report);
            check_sources(&folder, root, &known, &mut report);
        }
    }
    report
}

fn sorted_entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()).collect();
    entries.sort();
    entries
}

fn check_manifest(folder: &Path, report: &mut Report) {
    let layers: BTreeMap<&str, u32> = LAYERS.iter().copied().collect();
    let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    let Ok(manifest) = toml::from_str::<toml::Table>(&text) else {
        report.errors.push(format!("{}: Cargo.toml is not TOML", folder.display()));
        return;
    };
    let package = manifest.get("package").and_then(|p| p.as_table());
    let name = package.and_then(|p| p.get("name")).and_then(|n| n.as_str()).unwrap_or_default();
    let Some(layer) = layers.get(name) else {
        report
            .errors
            .push(format!("crate {name}: give it a layer in crates/xtask/src/tidy.rs and docs/architecture.md"));
        return;
    };
    for key in ["description", "license", "publish"] {
        if package.is_none_or(|p| !p.contains_key(key)) {
            report.errors.push(format!("crate {name}: its manifest has no `{key}`"));
        }
    }
    let lints = manifest.get("lints").and_then(|l| l.get("workspace")).and_then(|w| w.as_bool());
    // These two link C++ and need lints of their own.
    if lints != Some(true) && !matches!(name, "z3-link" | "smt-z3") {
        report.errors.push(format!("crate {name}: its manifest has no `[lints] workspace = true`"));
    }
    for section in ["dependencies", "build-dependencies"] {
        let Some(dependencies) = manifest.get(section).and_then(|d| d.as_table()) else { continue };
        for dependency in dependencies.keys() {
            let Some(lower) = layers.get(dependency.as_str()) else { continue };
            if lower >= layer {
                let message = format!("crate {name} (layer {layer}) must not depend on {dependency} (layer {lower})");
                report.errors.push(message);
            }
            if let Some((_, _, why)) = FORBIDDEN.iter().find(|(from, to, _)| *from == name && to == dependency) {
                report.errors.push(format!("crate {name} must not depend on {dependency}: {why}"));
            }
        }
    }
}

fn check_sources(folder: &Path, root: &Path, known: &BTreeSet<&str>, report: &mut Report) {
    let mut stack = vec![folder.join("src"), folder.join("tests"), folder.join("examples"), folder.join("benches")];
    while let Some(path) = stack.pop() {
        if path.is_dir() {
            stack.extend(sorted_entries(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            let text = fs::read_to_string(&path).unwrap_or_default();
            check_source(&name, &text, report);
            for key in citations(&text).into_iter().filter(|key| !known.contains(key)) {
                report.errors.push(format!("{name}: [{key}] is not in docs/references.bib"));
            }
        }
    }
}

fn check_source(name: &str, text: &str, report: &mut Report) {
    if !text.starts_with("//!") {
        report.errors.push(format!("{name}: the first line must be a module doc (`//! …`)"));
    }
    // Inline tests at the end don't count.
    let lines = text.lines().take_while(|line| *line != "mod tests {").count();
    if lines > TOO_LONG {
        report.errors.push(format!("{name}: {lines} lines, more than {TOO_LONG}"));
    } else if lines > LONG {
        report.warnings.push(format!("{name}: {lines} lines; over {LONG} needs a reason in the module doc"));
    }
    // Assembled here so that this file does not find itself.
    for (word, instead) in [
        (["#[should", "_panic"].concat(), "test the returned error"),
        (["#[igno", "re]"].concat(), "repair the test, delete it, or give the reason"),
        (["to", "do!("].concat(), "return an error"),
        (["unimple", "mented!("].concat(), "return an error"),
    ] {
        if text.contains(&word) {
            report.errors.push(format!("{name}: `{word}`: {instead}"));
        }
    }
}

fn bibliography_keys(text: &str) -> BTreeSet<&str> {
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
    fn check(text: &str, errors: usize, warnings: usize) {
        let mut report = Report::default();
        check_source("a.rs", text, &mut report);
        assert_eq!((report.errors.len(), report.warnings.len()), (errors, warnings), "{report:?}");
    }

    #[test]
    fn sources() {
        check("//! Job.\n", 0, 0);
        check("use x;\n", 1, 0);
        check(&format!("//! Job.\n{}", "\n".repeat(600)), 0, 1);
        check(&format!("//! Job.\n{}", "\n".repeat(1100)), 1, 0);
        check(&format!("//! Job.\nmod tests {{\n{}", "\n".repeat(1100)), 0, 0);
    }

    #[test]
    fn keys() {
        let text =
            "//! A [biere99], [`crate::u64`], [u64].\n  // b [x] and [clarke04, yang11]; [a b99]\nlet a = [other12];\n";
        assert_eq!(citations(text), ["biere99", "clarke04", "yang11"]);
        let known = bibliography_keys("@article{biere99,\n  title = {x}\n}\n\n@misc{yang11,\n");
        assert_eq!(known.into_iter().collect::<Vec<_>>(), ["biere99", "yang11"]);
    }

    #[test]
    fn layers_are_unique() {
        let names: std::collections::BTreeSet<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), LAYERS.len());
    }
}

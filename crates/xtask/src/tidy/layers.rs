//! Crates: their layers, which the table of docs/architecture.md tells, their manifests, and their sizes.

use super::{Finding, Kind, Source};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Lines of a crate at most, without tests.
const LARGE: usize = 14_000;
/// The layer of crates that only developers run.
const DEVELOPMENT: u32 = u32::MAX;

/// Edges that the layers allow but the architecture does not: from, to, reason.
const FORBIDDEN: [(&str, &str, &str); 10] = [
    ("bmc", "smt-z3", "algorithms never see a solver backend"),
    ("proof", "smt-z3", "algorithms never see a solver backend"),
    ("cegar", "smt-z3", "algorithms never see a solver backend"),
    ("transform", "cfront", "only c2cfa and driver see C syntax"),
    ("transform", "syntax", "only c2cfa and driver see C syntax"),
    ("report", "interp", "reports render data"),
    ("interp", "cfront", "only c2cfa and driver see C syntax"),
    ("interp", "syntax", "only c2cfa and driver see C syntax"),
    ("encode", "cfront", "only c2cfa and driver see C syntax"),
    ("encode", "syntax", "only c2cfa and driver see C syntax"),
];

/// The layers of the crates, by the rows `| LAYER | `CRATE` | … |` of a document.
pub fn layers(document: &str) -> BTreeMap<String, u32> {
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let layer = match cells.next()? {
            "dev" => DEVELOPMENT,
            number => number.parse().ok()?,
        };
        Some((cells.next()?.trim_matches('`').to_owned(), layer))
    };
    document.lines().filter_map(row).collect()
}

/// Checks that the table names the crates that there are.
pub fn check_table(layers: &BTreeMap<String, u32>, crates: &[String], findings: &mut Vec<Finding>) {
    let mut say = |what: String| findings.push(Finding { kind: Kind::Other, what });
    for name in crates.iter().filter(|name| !layers.contains_key(*name)) {
        say(format!("crate {name}: give it a layer in docs/architecture.md"));
    }
    for name in layers.keys().filter(|name| !crates.contains(name)) {
        say(format!("docs/architecture.md: there is no crate {name}"));
    }
}

/// Checks the manifest of a crate.
#[allow(clippy::disallowed_methods)]
pub fn check_manifest(folder: &Path, layers: &BTreeMap<String, u32>, findings: &mut Vec<Finding>) {
    let mut say = |what: String| findings.push(Finding { kind: Kind::Other, what });
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    let Ok(manifest) = toml::from_str::<toml::Table>(&text) else {
        return say(format!("crate {name}: Cargo.toml is not TOML"));
    };
    let package = manifest.get("package").and_then(|p| p.as_table());
    if package.and_then(|p| p.get("name")).and_then(|n| n.as_str()) != Some(&name) {
        say(format!("crate {name}: it must have the name of its folder"));
    }
    for key in ["description", "license", "publish"] {
        if package.is_none_or(|p| !p.contains_key(key)) {
            say(format!("crate {name}: its manifest has no `{key}`"));
        }
    }
    let lints = manifest.get("lints").and_then(|l| l.get("workspace")).and_then(|w| w.as_bool());
    // These two link C++ and need lints of their own.
    if lints != Some(true) && !matches!(&*name, "z3-link" | "smt-z3") {
        say(format!("crate {name}: its manifest has no `[lints] workspace = true`"));
    }
    let Some(layer) = layers.get(&*name) else { return };
    for section in ["dependencies", "build-dependencies"] {
        let Some(dependencies) = manifest.get(section).and_then(|d| d.as_table()) else { continue };
        for dependency in dependencies.keys() {
            if layers.get(dependency).is_some_and(|lower| lower >= layer) {
                say(format!("crate {name} must not depend on {dependency}, which is not in a lower layer"));
            }
            if let Some((_, _, why)) = FORBIDDEN.iter().find(|(from, to, _)| *from == name && to == dependency) {
                say(format!("crate {name} must not depend on {dependency}: {why}"));
            }
        }
    }
}

/// Checks the size of a crate.
pub fn check_size(name: &str, sources: &[Source], findings: &mut Vec<Finding>) {
    if sources.iter().map(|source| source.code().lines().count()).sum::<usize>() > LARGE {
        findings.push(Finding { kind: Kind::LargeCrate, what: name.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_layers() {
        let layers =
            layers("| layer | crate | what |\n|---|---|---|\n| 0 | `base` | ids |\n| dev | `xtask` | tidy |\n| x |\n");
        assert_eq!(layers.into_iter().collect::<Vec<_>>(), [("base".to_owned(), 0), ("xtask".to_owned(), DEVELOPMENT)]);
    }

    #[test]
    fn tables_name_all_crates_and_no_other() {
        let mut findings = Vec::new();
        let layers = layers("| 0 | `base` | ids |\n| 1 | `gone` | - |\n");
        check_table(&layers, &["base".to_owned(), "new".to_owned()], &mut findings);
        let told: Vec<&str> = findings.iter().map(|finding| finding.what.as_str()).collect();
        assert_eq!(
            told,
            ["crate new: give it a layer in docs/architecture.md", "docs/architecture.md: there is no crate gone"]
        );
    }
}

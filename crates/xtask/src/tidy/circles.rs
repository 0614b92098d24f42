//! Circles in the use of modules within a crate.
//!
//! A module uses another one when a `use` in it leads there; what tests use does not count. Among the modules of one folder, each a
//! file or a folder with all that is in it, a circle that contains a folder is a circle between folders. Other circles are between files.

use super::Source;
use std::collections::{BTreeMap, BTreeSet};

/// A module by the names on the way to it, from the crate.
type Module = Vec<String>;
/// Which modules use which.
type Graph = BTreeMap<Module, BTreeSet<Module>>;

/// Circles in a crate.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Circles {
    /// Between folders.
    pub folders: Vec<Vec<String>>,
    /// Between files.
    pub files: Vec<Vec<String>>,
}

/// The circles among the sources of a crate.
pub fn circles(sources: &[Source]) -> Circles {
    let modules: BTreeMap<Module, &Source> = sources.iter().filter_map(|s| Some((module(&s.inner)?, s))).collect();
    let mut files = Graph::new();
    for (module, source) in &modules {
        let used = paths(source.code()).into_iter().filter_map(|path| resolve(module, &path, &modules));
        let beside = used.filter(|other| !other.starts_with(module) && !module.starts_with(other));
        files.insert(module.clone(), beside.collect());
    }
    let is_folder =
        |module: &Module| modules.keys().any(|other| other.len() > module.len() && other.starts_with(module));
    let mut siblings = Graph::new();
    for (module, used) in &files {
        for other in used {
            let common = module.iter().zip(other).take_while(|(a, b)| a == b).count();
            siblings.entry(module[..=common].to_vec()).or_default().insert(other[..=common].to_vec());
        }
    }
    let names = |circle: Vec<Module>| circle.iter().map(|module| module.join("/")).collect::<Vec<_>>();
    let folders = components(&siblings).into_iter().filter(|circle| circle.iter().any(is_folder)).map(names);
    Circles { folders: folders.collect(), files: components(&files).into_iter().map(names).collect() }
}

/// The module of a file below `src`; `None` for the crate itself.
fn module(inner: &str) -> Option<Module> {
    let stem = inner.strip_suffix(".rs")?;
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    (!matches!(stem, "lib" | "main")).then(|| stem.split('/').map(str::to_owned).collect())
}

/// The module that a path leads to from `module`, if it is one of the crate's.
fn resolve(module: &Module, path: &str, modules: &BTreeMap<Module, &Source>) -> Option<Module> {
    let mut names: Vec<&str> = path.split("::").map(str::trim).collect();
    let mut base = module.clone();
    match *names.first()? {
        "crate" => {
            base.clear();
            names.remove(0);
        }
        "super" | "self" => {
            while let Some(first @ ("super" | "self")) = names.first().copied() {
                if first == "super" {
                    base.pop();
                }
                names.remove(0);
            }
        }
        _ => return None,
    }
    base.extend(names.into_iter().map(str::to_owned));
    (1..=base.len())
        .rev()
        .map(|len| base[..len].to_vec())
        .find(|prefix| modules.contains_key(prefix) && prefix != module)
}

/// The paths that the `use` declarations of a text name.
fn paths(text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let line = line.trim_start();
        let declaration = line.strip_prefix("pub(crate) ").or(line.strip_prefix("pub ")).unwrap_or(line);
        let Some(first) = declaration.strip_prefix("use ") else { continue };
        let mut tree = first.to_owned();
        while !tree.contains(';') {
            let Some(next) = lines.next() else { break };
            tree += next.trim();
        }
        expand("", tree.trim_end_matches(';'), &mut paths);
    }
    paths
}

/// The paths of a tree such as `a::{b, c::{d, e}}`.
fn expand(prefix: &str, tree: &str, paths: &mut Vec<String>) {
    let tree = tree.trim();
    let Some((head, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or(tree);
        paths.push(format!("{prefix}{path}"));
        return;
    };
    let prefix = format!("{prefix}{head}");
    let inside = rest.strip_suffix('}').unwrap_or(rest);
    let (mut depth, mut begin) = (0, 0);
    for (at, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&prefix, &inside[begin..at], paths);
                begin = at + 1;
            }
            _ => {}
        }
    }
    if !inside[begin..].trim().is_empty() {
        expand(&prefix, &inside[begin..], paths);
    }
}

/// The strongly connected components with more than one module, each sorted.
fn components(graph: &Graph) -> Vec<Vec<Module>> {
    let reaches = |from: &Module| {
        let mut seen: BTreeSet<&Module> = BTreeSet::new();
        let mut open: Vec<&Module> = graph.get(from).into_iter().flatten().collect();
        while let Some(module) = open.pop() {
            if seen.insert(module) {
                open.extend(graph.get(module).into_iter().flatten());
            }
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = graph.keys().map(|module| (module, reaches(module))).collect();
    let mut found: Vec<Vec<Module>> = Vec::new();
    for (module, others) in &reached {
        let back = |other: &&&Module| reached.get(**other).is_some_and(|back| back.contains(module));
        let circle: Vec<Module> = others.iter().filter(back).map(|other| (*other).clone()).collect();
        if circle.len() > 1 && !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(files: &[(&str, &str)], folders: &[&[&str]], in_files: &[&[&str]]) {
        let source = |(inner, text): &(&str, &str)| Source {
            name: (*inner).to_owned(),
            inner: (*inner).to_owned(),
            text: (*text).to_owned(),
        };
        let sources: Vec<Source> = files.iter().map(source).collect();
        let found = circles(&sources);
        assert_eq!((found.folders, found.files), (owned(folders), owned(in_files)));
    }

    fn owned(circles: &[&[&str]]) -> Vec<Vec<String>> {
        circles.iter().map(|circle| circle.iter().map(|name| (*name).to_owned()).collect()).collect()
    }

    #[test]
    fn circles_are_found() {
        check(&[("lib.rs", "use crate::a::X;"), ("a.rs", "use crate::b::Y;"), ("b.rs", "use std::fmt;")], &[], &[]);
        check(&[("a.rs", "use crate::b::Y;"), ("b.rs", "use super::a::{\n    X, Z,\n};")], &[], &[&["a", "b"]]);
        let folders = [
            ("a/mod.rs", "use crate::b::{c::Y, d};"),
            ("a/x.rs", ""),
            ("b/c.rs", ""),
            ("b/d.rs", "use crate::a::x::X;"),
        ];
        check(&folders, &[&["a", "b"]], &[]);
        // Modules and what is in them belong together.
        check(&[("a/mod.rs", "use self::x::X;"), ("a/x.rs", "use super::Y;")], &[], &[]);
        let tests = "use crate::b::Y;\nmod tests {\n    use crate::c::Z;\n}";
        check(&[("a.rs", tests), ("b.rs", ""), ("c.rs", "use crate::a::X;")], &[], &[]);
    }
}

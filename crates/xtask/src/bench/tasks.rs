//! Sets of tasks: `.set` files, folders, task definitions (`.yml`), and C files that begin with `// expect: true`.

use crate::header::Header;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// What is right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Expected {
    /// No violation.
    True,
    /// A violation.
    False,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::True => "true",
            Expected::False => "false(unreach-call)",
        })
    }
}

/// A task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// What it is called in tables.
    pub name: String,
    /// The set it belongs to.
    pub set: String,
    /// The task definition or C file.
    pub path: PathBuf,
    /// What is right.
    pub expected: Expected,
    /// Options that it needs.
    pub options: Vec<String>,
}

/// Patterns of files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// The folder that they are relative to.
    pub root: PathBuf,
    /// Name of the set; `None`: each folder is one.
    pub set: Option<String>,
    /// Files, folders, and patterns with `*`.
    pub patterns: Vec<String>,
}

/// Each folder of these paths is a set.
pub fn by_folder(paths: &[PathBuf]) -> Vec<Selection> {
    let patterns = paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    vec![Selection { root: ".".into(), set: None, patterns }]
}

/// The tasks of the selections, in order, each once. Programs without an expected verdict are left out.
///
/// # Errors
/// If a pattern leads to nothing, or a file is no task.
pub fn collect(selections: &[Selection]) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    let mut seen = BTreeSet::new();
    for Selection { root, set, patterns } in selections {
        for pattern in patterns {
            let files = files(root, pattern)?;
            for path in files {
                if seen.insert(path.clone()) {
                    tasks.extend(task(&path, set.as_deref())?);
                }
            }
        }
    }
    Ok(tasks)
}

/// The files of a pattern, sorted.
fn files(root: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    expand(root, Path::new(pattern), &mut found);
    if found.is_empty() {
        return Err(format!("{}: no such file or folder", root.join(pattern).display()));
    }
    let mut files = Vec::new();
    for path in found {
        if path.is_dir() {
            below(&path, &mut files);
        } else if path.extension().is_some_and(|e| e == "set") {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let folder = path.parent().unwrap_or(Path::new("."));
            for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
                files.extend(self::files(folder, line)?);
            }
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

/// What fits a pattern: `*` stands for anything within the name of a file or folder.
fn expand(root: &Path, pattern: &Path, found: &mut Vec<PathBuf>) {
    let mut parts = pattern.components();
    let Some(first) = parts.next() else {
        found.push(root.to_owned());
        return;
    };
    let name = first.as_os_str().to_string_lossy();
    if !name.contains('*') {
        let next = root.join(first);
        if next.exists() {
            expand(&next, parts.as_path(), found);
        }
        return;
    }
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let mut fitting: Vec<PathBuf> =
        entries.filter(|e| fits(&name, &e.file_name().to_string_lossy())).map(|e| e.path()).collect();
    fitting.sort();
    fitting.iter().for_each(|path| expand(path, parts.as_path(), found));
}

fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, rest)) => {
            let Some(tail) = name.strip_prefix(head) else { return false };
            (0..=tail.len()).filter(|at| tail.is_char_boundary(*at)).any(|at| fits(rest, &tail[at..]))
        }
    }
}

/// Task definitions below a folder, or programs where there are none.
fn below(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    let with = |extension: &str| {
        let fits = |path: &&PathBuf| path.extension().is_some_and(|e| e == extension);
        entries.iter().filter(fits).cloned().collect::<Vec<_>>()
    };
    let definitions = with("yml");
    files.extend(if definitions.is_empty() { with("c") } else { definitions });
    entries.iter().filter(|path| path.is_dir()).for_each(|path| below(path, files));
}

#[derive(Deserialize)]
struct Definition {
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    property_file: String,
    expected_verdict: Option<bool>,
}

fn task(path: &Path, set: Option<&str>) -> Result<Option<Task>, String> {
    let fail = |error: &dyn fmt::Display| format!("{}: {error}", path.display());
    let bytes = fs::read(path).map_err(|error| fail(&error))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut options = Vec::new();
    let expected = if path.extension().is_some_and(|e| e == "yml") {
        let definition: Definition = serde_saphyr::from_str(&text).map_err(|error| fail(&error))?;
        let unreach = definition.properties.iter().find(|p| p.property_file.contains("unreach"));
        unreach.and_then(|property| property.expected_verdict).map(|e| if e { Expected::True } else { Expected::False })
    } else {
        let header = Header::of(&text);
        if header.get("property").is_some() {
            // Such a program is for a test of its own.
            return Ok(None);
        }
        options
            .extend(header.get("data-model").into_iter().flat_map(|model| ["--data-model", model].map(str::to_owned)));
        match header.get("expect") {
            Some("true") => Some(Expected::True),
            Some("false") => Some(Expected::False),
            _ => None,
        }
    };
    let Some(expected) = expected else { return Ok(None) };
    let name_of = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().map(name_of).unwrap_or_default();
    let set = set.map_or_else(|| folder.clone(), str::to_owned);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Some(Task { name: format!("{folder}/{stem}"), set, path: path.to_owned(), expected, options }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace_root;

    #[test]
    fn patterns() {
        for (pattern, name, expected) in [
            ("*", "a", true),
            ("*.yml", "a.yml", true),
            ("*.yml", "a.c", false),
            ("a*b*", "axxb", true),
            ("a*b", "axxbc", false),
            ("a", "ab", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn sets_folders_definitions_and_programs() {
        let folder = std::env::temp_dir().join(format!("hone-tasks-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).and_then(|()| fs::write(path, text)).expect("a file");
        };
        let definition = |verdict: &str| {
            format!(
                "format_version: '2.0'\ninput_files: a.i\nproperties:\n  - property_file: ../p/termination.prp\n  - property_file: ../p/unreach-call.prp\n{verdict}options:\n  language: C\n"
            )
        };
        write("x/a.yml", &definition("    expected_verdict: false\n"));
        write("x/b.yml", &definition(""));
        write("x/c.c", "// expect: true\n");
        write("y/d.c", "// expect: true\n// data-model: ILP32\nint main;\n");
        write("y/e.c", "// expect: unknown(loops)\n");
        write("all.set", "# a comment\nx/*.yml\n\ny/*.c\n");
        let tasks =
            collect(&[Selection { root: folder.clone(), set: None, patterns: vec!["all.set".into(), "y/d.c".into()] }]);
        let _ = fs::remove_dir_all(&folder);
        let told: Vec<(String, Expected, usize)> =
            tasks.expect("tasks").into_iter().map(|t| (t.name, t.expected, t.options.len())).collect();
        assert_eq!(told, [("x/a".to_owned(), Expected::False, 0), ("y/d".to_owned(), Expected::True, 2)]);
    }

    #[test]
    fn what_is_not_there_is_said() {
        let selection = Selection { root: workspace_root(), set: None, patterns: vec!["tests/none/*.c".to_owned()] };
        assert!(collect(&[selection]).is_err_and(|error| error.contains("tests/none")));
    }
}

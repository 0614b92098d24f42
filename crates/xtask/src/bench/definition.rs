//! Tables as data: `benches/tables/NAME.toml` says which configurations run on which sets, and what the rows and columns are.

use super::results::Record;
use super::tasks::Selection;
use crate::workspace_root;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// What a row is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rows {
    /// A set of tasks; a column is a measure of a configuration.
    Sets,
    /// The safe or the unsafe tasks of a set.
    Verdicts,
    /// A measure; a column is a configuration.
    Measures,
}

/// A configuration of Hone in a table.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// What several columns have in common, such as an analysis.
    #[serde(default)]
    pub group: String,
    /// Its name in the table.
    pub name: String,
    /// Options of `hone check`.
    pub options: Vec<String>,
    /// What is told of it, where that is not what is told of the others.
    #[serde(default)]
    pub measures: Vec<String>,
}

impl Configuration {
    /// `NAME`, or `NAME=PRESET OPTIONS`.
    pub fn parse(text: &str) -> Self {
        let (name, rest) = text.split_once('=').unwrap_or((text, text));
        let words = rest.split_whitespace().map(str::to_owned);
        let preset = (!rest.starts_with('-')).then(|| "--config".to_owned());
        Self {
            group: String::new(),
            name: name.to_owned(),
            options: preset.into_iter().chain(words).collect(),
            measures: Vec::new(),
        }
    }

    /// Its name among all configurations.
    pub fn label(&self) -> String {
        if self.name.starts_with(&self.group) { self.name.clone() } else { format!("{} {}", self.group, self.name) }
    }
}

/// A set of tasks in a table.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Set {
    /// Its name in the table.
    pub name: String,
    /// Folders or patterns below the folder with the tasks; without any, it always is the programs of this repository.
    #[serde(default)]
    pub tasks: Vec<String>,
    /// Programs of this repository that stand for it where there is no such folder.
    #[serde(default)]
    pub slice: Vec<String>,
}

/// A table.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Above the table.
    pub title: String,
    /// What a row is.
    pub rows: Rows,
    /// What is told of a configuration; see [`super::measure`].
    pub measures: Vec<String>,
    /// The configurations.
    #[serde(rename = "configuration")]
    pub configurations: Vec<Configuration>,
    /// The sets of tasks; without any, each folder is one.
    #[serde(rename = "set", default)]
    pub sets: Vec<Set>,
}

fn folder() -> PathBuf {
    workspace_root().join("benches/tables")
}

/// Names of the tables that are defined.
pub fn names() -> Vec<String> {
    let entries = fs::read_dir(folder()).into_iter().flatten().flatten();
    let toml = entries.filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".toml")?.to_owned()));
    let mut names: Vec<String> = toml.collect();
    names.sort();
    names
}

impl Definition {
    /// Reads the table with this name.
    ///
    /// # Errors
    /// If there is none, or its file is wrong.
    pub fn read(name: &str) -> Result<Self, String> {
        if !names().iter().any(|known| known == name) {
            return Err(format!("no table {name}; there are {}", names().join(", ")));
        }
        let path = folder().join(format!("{name}.toml"));
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let definition: Self = toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let measures = definition.configurations.iter().flat_map(|c| &c.measures).chain(&definition.measures);
        match measures.into_iter().find(|name| !super::measure::is_known(name)) {
            Some(name) => Err(format!("{}: unknown measure {name}", path.display())),
            None => Ok(definition),
        }
    }

    /// The table of configurations that no paper names: tasks solved and time, by folder.
    pub fn general(configurations: Vec<Configuration>) -> Self {
        Self {
            title: "Right answers, and CPU time for these".to_owned(),
            rows: Rows::Sets,
            measures: vec!["solved".to_owned(), "time".to_owned()],
            configurations,
            sets: Vec::new(),
        }
    }

    /// The configuration with this label, or one that is known by name only.
    pub fn configuration(&self, label: &str) -> Configuration {
        let known = self.configurations.iter().find(|configuration| configuration.label() == label);
        known.cloned().unwrap_or_else(|| Configuration {
            group: String::new(),
            name: label.to_owned(),
            options: Vec::new(),
            measures: Vec::new(),
        })
    }

    /// What a configuration is told by.
    pub fn measures_of<'a>(&'a self, configuration: &'a Configuration) -> &'a [String] {
        if configuration.measures.is_empty() { &self.measures } else { &configuration.measures }
    }

    /// The sets in programs of this repository.
    pub fn slices(&self) -> Vec<Selection> {
        self.sets.iter().map(slice).collect()
    }

    /// The sets below a folder of tasks; those that it lacks are left out.
    ///
    /// # Errors
    /// If it has none of them.
    pub fn below(&self, root: &Path) -> Result<Vec<Selection>, String> {
        let exists = |pattern: &&String| {
            let first = pattern.split(['/', '*']).next().unwrap_or_default();
            root.join(first).exists()
        };
        if !self.sets.iter().flat_map(|set| &set.tasks).any(|pattern| exists(&pattern)) {
            return Err(format!("{} has none of the table's sets", root.display()));
        }
        let all = self.sets.iter().map(|set| match set.tasks.is_empty() {
            true => slice(set),
            false => Selection {
                root: root.to_owned(),
                set: Some(set.name.clone()),
                patterns: set.tasks.iter().filter(exists).cloned().collect(),
            },
        });
        Ok(all.collect())
    }

    /// Puts records that were read into the table's sets; what belongs to none is left out.
    pub fn sort(&self, records: Vec<Record>) -> Vec<Record> {
        if self.sets.is_empty() {
            return records;
        }
        let placed = records.into_iter().filter_map(|mut record| {
            let is_in = |set: &&Set| set.tasks.iter().any(|folder| folder.split('/').next() == Some(&record.set));
            record.set = self.sets.iter().find(is_in)?.name.clone();
            Some(record)
        });
        placed.collect()
    }
}

fn slice(set: &Set) -> Selection {
    Selection { root: workspace_root(), set: Some(set.name.clone()), patterns: set.slice.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_a_table() {
        assert!(names().len() >= 4);
        for name in names() {
            let definition = Definition::read(&name).unwrap_or_else(|error| panic!("{error}"));
            let mut labels: Vec<String> = definition.configurations.iter().map(Configuration::label).collect();
            labels.sort();
            labels.dedup();
            assert_eq!(labels.len(), definition.configurations.len(), "{name}");
        }
    }
}

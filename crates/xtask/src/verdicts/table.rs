//! The table: one line a program and configuration, sorted, with tabs between the fields.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The first line.
const HEAD: &str = "program\tconfiguration\tverdict\tsteps\tqueries\tspeed";

/// What a line is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    /// Path of the program below the root of the workspace.
    pub program: String,
    /// Name of the configuration.
    pub configuration: String,
}

/// How long an answer took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speed {
    /// At most half of the limit.
    Fast,
    /// More: another machine, or a busy one, may not answer in time.
    Slow,
}

/// What a configuration made of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// In the words of Hone's last line; `rejected (CODE)` for a program that it does not read.
    pub verdict: String,
    /// Steps of the analysis; `None` where they depend on the time, or there was no analysis.
    pub steps: Option<u64>,
    /// Queries to the solver, likewise.
    pub queries: Option<u64>,
    /// How long it took.
    pub speed: Speed,
}

impl Row {
    /// Whether the verdict is `true` or `false`.
    pub fn is_answer(&self) -> bool {
        self.verdict == "true" || self.verdict.starts_with("false(")
    }

    /// Whether time ran out.
    pub fn is_timeout(&self) -> bool {
        self.verdict == "unknown (timeout)"
    }
}

/// Verdicts by program and configuration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// The rows.
    pub rows: BTreeMap<Key, Row>,
}

impl Table {
    /// Reads a table.
    ///
    /// # Errors
    /// If the file can't be read, or a line is malformed.
    #[allow(clippy::disallowed_methods)]
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Self::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes the table.
    ///
    /// # Errors
    /// If the file can't be written.
    #[allow(clippy::disallowed_methods)]
    pub fn write(&self, path: &Path) -> Result<(), String> {
        fs::write(path, self.text()).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// What a configuration made of a program.
    pub fn get(&self, program: &str, configuration: &str) -> Option<&Row> {
        self.rows.get(&Key { program: program.to_owned(), configuration: configuration.to_owned() })
    }

    fn parse(text: &str) -> Result<Self, String> {
        if text.lines().next() != Some(HEAD) {
            return Err("line 1: not the head of a table of verdicts".to_owned());
        }
        let rows =
            text.lines().enumerate().skip(1).map(|(at, line)| {
                row(line).ok_or_else(|| format!("line {}: not a row of a table of verdicts", at + 1))
            });
        Ok(Self { rows: rows.collect::<Result<_, _>>()? })
    }

    fn text(&self) -> String {
        let mut text = format!("{HEAD}\n");
        let count = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), |count| count.to_string());
        for (Key { program, configuration }, row) in &self.rows {
            let speed = if row.speed == Speed::Slow { "slow" } else { "-" };
            let (steps, queries) = (count(row.steps), count(row.queries));
            let _ = writeln!(text, "{program}\t{configuration}\t{}\t{steps}\t{queries}\t{speed}", row.verdict);
        }
        text
    }
}

fn row(line: &str) -> Option<(Key, Row)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[program, configuration, verdict, steps, queries, speed] = fields.as_slice() else { return None };
    let count = |field: &str| if field == "-" { Some(None) } else { field.parse().ok().map(Some) };
    let speed = match speed {
        "-" => Speed::Fast,
        "slow" => Speed::Slow,
        _ => return None,
    };
    let key = Key { program: program.to_owned(), configuration: configuration.to_owned() };
    Some((key, Row { verdict: verdict.to_owned(), steps: count(steps)?, queries: count(queries)?, speed }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_as_they_are_written() {
        let text = format!(
            "{HEAD}\na.c\tbmc\ttrue\t12\t3\t-\na.c\tvalue\tunknown (timeout)\t-\t-\t-\nb.c\tbmc\tfalse(unreach-call)\t1\t0\tslow\n"
        );
        let table = Table::parse(&text).expect("a table");
        assert_eq!(table.text(), text);
        assert!(table.get("b.c", "bmc").is_some_and(|row| row.is_answer() && row.speed == Speed::Slow));
        assert!(Table::parse(&format!("{HEAD}\na.c\tbmc\ttrue\n")).is_err_and(|error| error.contains("line 2")));
    }
}

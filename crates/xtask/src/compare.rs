//! Compares configurations: tables from the CSV files that a runner of task sets writes, one row a task.
//!
//! Columns `task`, `outcome` and `cpu_s` are read; a task is solved when its outcome begins with `correct`. Its set is its folder.
#![allow(clippy::disallowed_methods)]

use crate::options::Options;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

/// What a configuration made of the tasks, by set and name.
type Results = BTreeMap<(String, String), Row>;

/// One task.
#[derive(Clone, PartialEq, Debug)]
struct Row {
    outcome: Outcome,
    /// In seconds.
    cpu: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Solved,
    Open,
    Wrong,
}

/// Configurations in the order in which they were named.
type Configurations = Vec<(String, Results)>;

/// Reads the files and writes the tables; returns what is wrong.
pub fn run(options: &Options) -> Vec<String> {
    let mut configurations: Configurations = Vec::new();
    for path in &options.paths {
        let text = path.to_string_lossy();
        let Some((name, file)) = text.split_once('=') else { return vec![format!("{text}: not NAME=FILE")] };
        let parsed = fs::read_to_string(file).map_err(|error| error.to_string()).and_then(|text| rows(&text));
        let rows = match parsed {
            Ok(rows) => rows,
            Err(error) => return vec![format!("{file}: {error}")],
        };
        match configurations.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => known.extend(rows),
            None => configurations.push((name.to_owned(), rows)),
        }
    }
    if configurations.is_empty() {
        return vec!["nothing to compare".to_owned()];
    }
    let tables = format!("{}\n{}", by_set(&configurations), by_one_only(&configurations));
    let written = fs::create_dir_all(&options.out).and_then(|()| fs::write(options.out.join("compare.md"), tables));
    written.err().map(|error| format!("{}: {error}", options.out.display())).into_iter().collect()
}

/// Reads a file.
fn rows(text: &str) -> Result<Results, String> {
    let mut lines = text.lines();
    let header = fields(lines.next().unwrap_or_default());
    let column = |name: &str| header.iter().position(|h| h == name).ok_or_else(|| format!("no column `{name}`"));
    let (task, outcome, cpu) = (column("task")?, column("outcome")?, column("cpu_s")?);
    let mut rows = Results::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let fields = fields(line);
        let field = |at: usize| fields.get(at).map(String::as_str).ok_or_else(|| format!("short line: {line}"));
        let outcome = match field(outcome)? {
            text if text.starts_with("correct") => Outcome::Solved,
            text if text.starts_with("wrong") => Outcome::Wrong,
            _ => Outcome::Open,
        };
        let cpu = field(cpu)?.parse().map_err(|_| format!("no time: {line}"))?;
        let mut parts = field(task)?.rsplit('/');
        let name = parts.next().unwrap_or_default().trim_end_matches(".yml").to_owned();
        rows.insert((parts.next().unwrap_or_default().to_owned(), name), Row { outcome, cpu });
    }
    Ok(rows)
}

/// The fields of a line; quotes may enclose commas.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for c in line.trim_end_matches('\r').chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().into_iter().for_each(|field| field.push(c)),
        }
    }
    fields
}

/// For each set and configuration: tasks solved, and the CPU time for these.
fn by_set(configurations: &Configurations) -> String {
    let tasks: BTreeSet<&(String, String)> = configurations.iter().flat_map(|(_, results)| results.keys()).collect();
    let sets: BTreeSet<&str> = tasks.iter().map(|(set, _)| set.as_str()).collect();
    let mut text = String::from("| set | tasks |");
    for (name, _) in configurations {
        let _ = write!(text, " {name}: solved | time (s) |");
    }
    text.push_str("\n|---|---:|");
    text.push_str(&"---:|---:|".repeat(configurations.len()));
    text.push('\n');
    let row = |label: &str, in_row: &dyn Fn(&str) -> bool| {
        let count = tasks.iter().filter(|(set, _)| in_row(set)).count();
        let mut line = format!("| {label} | {count} |");
        for (_, results) in configurations {
            let rows: Vec<&Row> = results.iter().filter(|((set, _), _)| in_row(set)).map(|(_, row)| row).collect();
            let solved = rows.iter().filter(|row| row.outcome == Outcome::Solved);
            let wrong = rows.iter().filter(|row| row.outcome == Outcome::Wrong).count();
            let wrong = if wrong == 0 { String::new() } else { format!(" ({wrong} wrong)") };
            let time = solved.clone().fold(0.0, |sum, row| sum + row.cpu);
            let _ = write!(line, " {}{wrong} | {time:.1} |", solved.count());
        }
        line + "\n"
    };
    for set in &sets {
        text += &row(set, &|other| other == *set);
    }
    text + &row("**all**", &|_| true)
}

/// The tasks that one configuration alone solves.
fn by_one_only(configurations: &Configurations) -> String {
    let mut text = String::from("| configuration | solved by no other |\n|---|---|\n");
    for (i, (name, results)) in configurations.iter().enumerate() {
        let solved = |results: &Results, task: &(String, String)| {
            results.get(task).is_some_and(|row| row.outcome == Outcome::Solved)
        };
        let others = |task: &(String, String)| {
            configurations.iter().enumerate().any(|(j, (_, other))| j != i && solved(other, task))
        };
        let only: Vec<String> = results
            .keys()
            .filter(|task| solved(results, task) && !others(task))
            .map(|(set, task)| format!("{set}/{task}"))
            .collect();
        let list = if only.is_empty() { "none".to_owned() } else { format!("{}: {}", only.len(), only.join(", ")) };
        let _ = writeln!(text, "| {name} | {list} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solved_and_time_a_set_and_what_only_one_solves() {
        let one = "task,expected,verdict,outcome,cpu_s\nt/a/x.yml,true,true,correct,1.4\nt/a/y.yml,true,\"unknown (a, b)\",unknown,9\n";
        let two = "task,outcome,cpu_s\nt/a/x.yml,unknown,3\nt/b/z.yml,correct,2\nt/b/w.yml,wrong true,2\n";
        let read = |text| rows(text).expect("rows");
        let configurations = vec![("p".to_owned(), read(one)), ("v".to_owned(), read(two))];
        let table = by_set(&configurations);
        let lines: Vec<&str> = table.lines().skip(2).collect();
        let expected = [
            "| a | 2 | 1 | 1.4 | 0 | 0.0 |",
            "| b | 2 | 0 | 0.0 | 1 (1 wrong) | 2.0 |",
            "| **all** | 4 | 1 | 1.4 | 1 (1 wrong) | 2.0 |",
        ];
        assert_eq!(lines, expected);
        let only = by_one_only(&configurations);
        assert!(only.ends_with("| p | 1: a/x |\n| v | 1: b/z |\n"), "{only}");
    }

    #[test]
    fn what_is_no_table_is_said() {
        assert_eq!(rows("task,cpu_s\n").err().as_deref(), Some("no column `outcome`"));
        assert!(rows("task,outcome,cpu_s\nx\n").is_err());
        assert!(rows("task,outcome,cpu_s\na/x,correct,soon\n").is_err());
    }
}

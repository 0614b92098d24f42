//! Tables in Markdown, in the form that a definition says.

use super::Column;
use super::definition::{Definition, Rows};
use super::measure::{self, solved};
use super::results::Record;
use super::tasks::Expected;
use std::fmt::Write as _;

/// Which records a row is about.
struct Row {
    label: String,
    set: Option<String>,
    expected: Option<Expected>,
}

impl Row {
    fn has(&self, record: &Record) -> bool {
        self.set.as_ref().is_none_or(|set| record.set == *set) && self.expected.is_none_or(|e| record.expected == e)
    }
}

/// The table, and behind it, the tasks that one configuration alone solves.
pub fn markdown(definition: &Definition, columns: &[Column]) -> String {
    let table = match definition.rows {
        Rows::Measures => by_measure(definition, columns),
        Rows::Sets | Rows::Verdicts => by_set(definition, columns),
    };
    let mut text = format!("{}\n\n{table}", definition.title);
    if columns.len() > 1 {
        text.push('\n');
        text.push_str(&by_one_only(columns));
    }
    text
}

/// Sets in the order of the definition, or of their names.
fn sets(definition: &Definition, columns: &[Column]) -> Vec<String> {
    let mut found: Vec<String> = columns.iter().flat_map(|column| &column.records).map(|r| r.set.clone()).collect();
    found.sort();
    found.dedup();
    let place = |name: &String| definition.sets.iter().position(|set| set.name == *name);
    found.sort_by_key(place);
    found
}

fn rows(definition: &Definition, columns: &[Column]) -> Vec<Row> {
    let sets = sets(definition, columns);
    if definition.rows == Rows::Verdicts {
        let each = sets.iter().flat_map(|set| {
            [(Expected::True, "safe"), (Expected::False, "unsafe")].map(|(expected, word)| Row {
                label: format!("{set} {word}"),
                set: Some(set.clone()),
                expected: Some(expected),
            })
        });
        return each.filter(|row| columns.iter().flat_map(|c| &c.records).any(|record| row.has(record))).collect();
    }
    let each = sets.iter().map(|set| Row { label: set.clone(), set: Some(set.clone()), expected: None });
    let overall = (sets.len() != 1).then(|| Row { label: "**overall**".to_owned(), set: None, expected: None });
    each.chain(overall).collect()
}

/// The records of the configurations that a column is compared with.
fn others(columns: &[Column], at: usize) -> Vec<&Record> {
    let group = &columns[at].configuration.group;
    let same = columns.iter().enumerate().filter(|(i, column)| *i != at && column.configuration.group == *group);
    same.flat_map(|(_, column)| &column.records).collect()
}

fn by_set(definition: &Definition, columns: &[Column]) -> String {
    let mut text = String::from("| category | tasks |");
    for column in columns {
        for measure in definition.measures_of(&column.configuration) {
            let _ = write!(text, " {}: {} |", column.configuration.label(), measure::title(measure));
        }
    }
    text.push_str("\n|---|---:|");
    text.push_str(&"---:|".repeat(columns.iter().map(|c| definition.measures_of(&c.configuration).len()).sum()));
    text.push('\n');
    for row in rows(definition, columns) {
        let mut tasks: Vec<&str> = columns
            .iter()
            .flat_map(|column| &column.records)
            .filter(|record| row.has(record))
            .map(|record| record.task.as_str())
            .collect();
        tasks.sort_unstable();
        tasks.dedup();
        let _ = write!(text, "| {} | {} |", row.label, tasks.len());
        for (at, column) in columns.iter().enumerate() {
            let records: Vec<&Record> = column.records.iter().filter(|record| row.has(record)).collect();
            for measure in definition.measures_of(&column.configuration) {
                let _ = write!(text, " {} |", measure::value(measure, &records, &others(columns, at)));
            }
        }
        text.push('\n');
    }
    text
}

fn by_measure(definition: &Definition, columns: &[Column]) -> String {
    let mut text = String::from("| |");
    columns.iter().for_each(|column| _ = write!(text, " {} |", column.configuration.label()));
    let _ = writeln!(text, "\n|---|{}", "---:|".repeat(columns.len()));
    for measure in &definition.measures {
        let _ = write!(text, "| {} |", measure::title(measure));
        for (at, column) in columns.iter().enumerate() {
            let records: Vec<&Record> = column.records.iter().collect();
            let _ = write!(text, " {} |", measure::value(measure, &records, &others(columns, at)));
        }
        text.push('\n');
    }
    text
}

/// The tasks that one configuration alone solves.
fn by_one_only(columns: &[Column]) -> String {
    let mut text = String::from("| configuration | solved by no other |\n|---|---|\n");
    for (i, column) in columns.iter().enumerate() {
        let others = columns.iter().enumerate().filter(|(j, _)| *j != i).flat_map(|(_, column)| &column.records);
        let by_others: Vec<&str> = others.filter(|record| solved(record)).map(|record| record.task.as_str()).collect();
        let only: Vec<&str> = column
            .records
            .iter()
            .filter(|record| solved(record) && !by_others.contains(&record.task.as_str()))
            .map(|record| record.task.as_str())
            .collect();
        let list = if only.is_empty() { "none".to_owned() } else { format!("{}: {}", only.len(), only.join(", ")) };
        let _ = writeln!(text, "| {} | {list} |", column.configuration.label());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::definition::Configuration;
    use crate::bench::results::parse_csv;

    const HEAD: &str = "task,expected,verdict,outcome,cpu_s,wall_s\n";

    fn column(group: &str, name: &str, rows: &str) -> Column {
        let configuration = Configuration { group: group.to_owned(), ..Configuration::parse(name) };
        Column { configuration, records: parse_csv(&format!("{HEAD}{rows}")).expect("rows") }
    }

    fn columns() -> Vec<Column> {
        let one = "t/a/x.yml,true,true,correct,1.4,2\nt/a/y.yml,true,\"unknown (a, b)\",unknown,9,9\n";
        let two = "t/a/x.yml,true,unknown (timeout),unknown,3,3\nt/b/z.yml,false,false(unreach-call),correct,2,2\nt/b/w.yml,true,false(unreach-call),wrong false,2,2\n";
        vec![column("", "p", one), column("", "v", two)]
    }

    #[test]
    fn a_row_is_a_set() {
        let mut definition = Definition::general(Vec::new());
        definition.measures = ["points", "solved", "time"].map(str::to_owned).to_vec();
        let text = markdown(&definition, &columns());
        for row in [
            "| a | 2 | 2 | 1 | 1.40 | 0 | 0 | 0.00 |",
            "| b | 2 | 0 | 0 | 0.00 | -15 | 1 | 2.00 |",
            "| **overall** | 4 | 2 | 1 | 1.40 | -15 | 1 | 2.00 |",
            "| p | 1: a/x |\n| v | 1: b/z |\n",
        ] {
            assert!(text.contains(row), "{row}\n{text}");
        }
    }

    #[test]
    fn a_row_is_a_measure_or_a_verdict() {
        let mut definition = Definition::general(Vec::new());
        definition.rows = Rows::Measures;
        definition.measures =
            ["proofs", "bugs", "wrong-bugs", "alone", "stat cegar.refinements"].map(str::to_owned).to_vec();
        let text = markdown(&definition, &columns());
        for row in [
            "| found proofs | 1 | 0 |",
            "| found bugs | 0 | 1 |",
            "| wrong alarms | 0 | 1 |",
            "| solved by only one | 1 | 1 |",
            "average | – | – |",
        ] {
            assert!(text.contains(row), "{row}\n{text}");
        }
        // Configurations of other groups are not compared.
        let separate: Vec<Column> = columns()
            .into_iter()
            .map(|c| Column {
                configuration: Configuration { group: c.configuration.name.clone(), ..c.configuration },
                ..c
            })
            .collect();
        assert_eq!(others(&separate, 0).len(), 0);
        definition.rows = Rows::Verdicts;
        definition.measures = vec!["solved".to_owned()];
        let text = markdown(&definition, &columns());
        assert!(text.contains("| b safe | 1 | 0 | 0 |\n| b unsafe | 1 | 0 | 1 |"), "{text}");
    }
}

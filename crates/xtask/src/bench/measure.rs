//! What tables tell of a configuration on some tasks.

use super::results::{Category, Record, points};
use super::tasks::Expected;

/// Whether a measure has this name.
///
/// `stat NAME` is the average of a statistic of `hone check --stats` over the solved tasks, `total NAME` its sum over all tasks, and
/// `with NAME` the number of tasks where it is positive.
pub fn is_known(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "tasks",
        "points",
        "solved",
        "time",
        "all-time",
        "proofs",
        "bugs",
        "wrong",
        "wrong-proofs",
        "wrong-bugs",
        "alone",
        "open",
    ];
    NAMES.contains(&name) || name.split_once(' ').is_some_and(|(kind, _)| ["stat", "total", "with"].contains(&kind))
}

/// How a measure is told in the head of a table.
pub fn title(name: &str) -> String {
    match name {
        "time" => "CPU time (s)".to_owned(),
        "all-time" => "CPU time of all (s)".to_owned(),
        "proofs" => "found proofs".to_owned(),
        "bugs" => "found bugs".to_owned(),
        "wrong-proofs" => "wrong proofs".to_owned(),
        "wrong-bugs" => "wrong alarms".to_owned(),
        "alone" => "solved by only one".to_owned(),
        "open" => "not solved".to_owned(),
        "with accelerate.accelerators" => "accelerated".to_owned(),
        "total accelerate.time" => "acceleration (s)".to_owned(),
        "stat accelerate.growth_percent" => "growth by accelerators (%)".to_owned(),
        "stat automata.growth_percent" => "growth by automata (%)".to_owned(),
        "stat automata.states" => "states of automata".to_owned(),
        "stat cegar.refinements" => "refinements on average".to_owned(),
        other => other.to_owned(),
    }
}

/// Whether the answer is right.
pub fn solved(record: &Record) -> bool {
    record.category() == Category::Correct
}

/// The value of a measure over records; `others` are those that the same tasks have with configurations of the same group.
pub fn value(name: &str, records: &[&Record], others: &[&Record]) -> String {
    let count = |keep: &dyn Fn(&&&Record) -> bool| records.iter().filter(keep).count().to_string();
    let is = |category: Category, expected: Expected| {
        move |record: &&&Record| record.category() == category && record.expected == expected
    };
    let times = |keep: &dyn Fn(&&&Record) -> bool| seconds(records.iter().filter(keep).fold(0.0, |sum, r| sum + r.cpu));
    let by_others = |record: &Record| others.iter().any(|other| other.task == record.task && solved(other));
    match name {
        "tasks" => records.len().to_string(),
        "points" => records.iter().map(|record| points(record)).sum::<i64>().to_string(),
        "solved" => count(&|record| solved(record)),
        "open" => count(&|record| !solved(record)),
        "time" => times(&|record| solved(record)),
        "all-time" => times(&|_| true),
        "proofs" => count(&is(Category::Correct, Expected::True)),
        "bugs" => count(&is(Category::Correct, Expected::False)),
        "wrong" => count(&|record| record.category() == Category::Wrong),
        "wrong-proofs" => count(&is(Category::Wrong, Expected::False)),
        "wrong-bugs" => count(&is(Category::Wrong, Expected::True)),
        "alone" => count(&|record| solved(record) && !by_others(record)),
        _ => statistic(name, records).unwrap_or_else(|| "–".to_owned()),
    }
}

fn statistic(name: &str, records: &[&Record]) -> Option<String> {
    let (kind, statistic) = name.split_once(' ')?;
    let of = |record: &&Record| record.statistics.get(statistic).copied();
    let all: Vec<f64> = match kind {
        "stat" => records.iter().filter(|record| solved(record)).filter_map(of).collect(),
        _ => records.iter().filter_map(of).collect(),
    };
    let sum: f64 = all.iter().sum();
    match kind {
        "with" => Some(all.iter().filter(|n| **n > 0.0).count().to_string()),
        "total" if !all.is_empty() => Some(seconds(sum)),
        "stat" if !all.is_empty() => Some(format!("{:.1}", sum / all.len() as f64)),
        _ => None,
    }
}

/// Two digits where they tell something.
fn seconds(seconds: f64) -> String {
    if seconds < 100.0 { format!("{seconds:.2}") } else { format!("{seconds:.0}") }
}

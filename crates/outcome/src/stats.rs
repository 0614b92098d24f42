//! Statistics: what was measured and counted, as an ordered list that reports render without knowing its content.

use std::time::Duration;

/// A number with its unit.
#[derive(Clone, PartialEq, Debug)]
pub enum StatValue {
    /// How many.
    Count(u64),
    /// How long.
    Time(Duration),
    /// How many bytes.
    Bytes(u64),
    /// A word, such as the name of a solver.
    Text(String),
}

/// One round of an algorithm, such as one unwinding bound.
#[derive(Clone, PartialEq, Debug)]
pub struct Iteration {
    /// What it was, such as `unwind 4`.
    pub label: String,
    /// Its numbers, in the order of the table.
    pub values: Vec<(&'static str, StatValue)>,
}

/// Statistics of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Statistics {
    /// Names (dotted by component: `parse.time`, `bmc.queries`) and values, in the order of the report.
    pub values: Vec<(&'static str, StatValue)>,
    /// Rounds, in order.
    pub iterations: Vec<Iteration>,
}

impl Statistics {
    /// Appends a count.
    pub fn count(&mut self, name: &'static str, n: impl TryInto<u64>) {
        self.values.push((name, StatValue::Count(n.try_into().unwrap_or(u64::MAX))));
    }

    /// Appends a duration.
    pub fn time(&mut self, name: &'static str, time: Duration) {
        self.values.push((name, StatValue::Time(time)));
    }

    /// Appends a size.
    pub fn bytes(&mut self, name: &'static str, n: u64) {
        self.values.push((name, StatValue::Bytes(n)));
    }

    /// Appends a word.
    pub fn text(&mut self, name: &'static str, text: impl Into<String>) {
        self.values.push((name, StatValue::Text(text.into())));
    }

    /// Appends everything of `other`.
    pub fn append(&mut self, other: Statistics) {
        self.values.extend(other.values);
        self.iterations.extend(other.iterations);
    }
}

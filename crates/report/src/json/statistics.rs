//! Statistics in JSON: durations are in seconds, sizes in bytes.

use outcome::{StatValue, Statistics};
use serde::Serialize;

/// What was measured and counted.
#[derive(Serialize)]
pub(super) struct WireStatistics<'a> {
    values: serde_json::Map<String, serde_json::Value>,
    iterations: Vec<WireIteration<'a>>,
}

#[derive(Serialize)]
struct WireIteration<'a> {
    label: &'a str,
    values: serde_json::Map<String, serde_json::Value>,
}

/// The form of statistics.
pub(super) fn wire_statistics(stats: &Statistics) -> WireStatistics<'_> {
    let iterations =
        stats.iterations.iter().map(|i| WireIteration { label: &i.label, values: wire_values(&i.values) }).collect();
    WireStatistics { values: wire_values(&stats.values), iterations }
}

/// Durations are in seconds, sizes in bytes.
fn wire_values(values: &[(&'static str, StatValue)]) -> serde_json::Map<String, serde_json::Value> {
    let wire = |value: &StatValue| match value {
        StatValue::Count(n) | StatValue::Bytes(n) => serde_json::Value::from(*n),
        StatValue::Time(time) => serde_json::Value::from(time.as_secs_f64()),
        StatValue::Text(text) => serde_json::Value::from(text.as_str()),
    };
    values.iter().map(|(name, value)| ((*name).to_owned(), wire(value))).collect()
}

//! What changed between two tables.

use super::table::{Key, Row, Speed, Table};
use crate::header::Expected;

/// What became of one row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// The verdict contradicts what the program is expected to give.
    Wrong,
    /// `true` became `false` or the other way round.
    Contradicted,
    /// There was an answer, and there is none.
    Lost,
    /// There was an answer that took more than half of the limit, and there is none in time.
    TooSlow,
    /// There is an answer where there was none.
    Gained,
    /// The program or configuration is new.
    New,
    /// Another reason for no answer.
    Reason,
    /// The verdict is the same.
    Same,
}

impl Change {
    /// Whether it must not be.
    pub fn is_failure(self) -> bool {
        matches!(self, Change::Wrong | Change::Contradicted | Change::Lost)
    }

    /// Whether the new row takes the place of the old one.
    pub fn is_to_record(self) -> bool {
        matches!(self, Change::Wrong | Change::Gained | Change::New | Change::Reason)
    }
}

/// What became of a row.
pub fn change(before: Option<&Row>, after: &Row, expected: Option<&Expected>) -> Change {
    let contradicts = match expected {
        Some(Expected::True) => after.is_answer() && after.verdict != "true",
        Some(Expected::False | Expected::Unknown(_)) => after.verdict == "true",
        None => false,
    };
    match before {
        _ if contradicts => Change::Wrong,
        None => Change::New,
        Some(before) if before.verdict == after.verdict => Change::Same,
        Some(before) => match (before.is_answer(), after.is_answer()) {
            (true, true) => Change::Contradicted,
            (true, false) if before.speed == Speed::Slow && after.is_timeout() => Change::TooSlow,
            (true, false) => Change::Lost,
            (false, true) => Change::Gained,
            // Other machines and busy ones get as far as that.
            (false, false) if after.is_timeout() => Change::Same,
            (false, false) => Change::Reason,
        },
    }
}

/// What is said of a row that changed.
pub fn line(change: Change, key: &Key, before: Option<&Row>, after: &Row) -> String {
    let what = match change {
        Change::Wrong => "wrong",
        Change::Contradicted => "contradicts what was",
        Change::Lost => "lost",
        Change::TooSlow => "too slow here",
        Change::Gained => "gained",
        Change::New => "new",
        Change::Reason => "other reason",
        Change::Same => "same",
    };
    let was = before.map_or_else(String::new, |before| format!(", was {}", before.verdict));
    format!("{what}: {}: {}: {}{was}", key.program, key.configuration, after.verdict)
}

/// Sums of steps and queries over the rows that have them in both tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Rows whose numbers differ.
    pub changed: usize,
    /// Steps before.
    pub steps_before: u64,
    /// Steps after.
    pub steps_after: u64,
    /// Queries before.
    pub queries_before: u64,
    /// Queries after.
    pub queries_after: u64,
}

impl Effort {
    /// Of the rows of `after`.
    pub fn between(before: &Table, after: &Table) -> Self {
        let mut effort = Effort::default();
        for (key, new) in &after.rows {
            let Some(old) = before.rows.get(key) else { continue };
            if let (Some(a), Some(b), Some(c), Some(d)) = (old.steps, new.steps, old.queries, new.queries) {
                effort.changed += usize::from(a != b || c != d);
                effort.steps_before += a;
                effort.steps_after += b;
                effort.queries_before += c;
                effort.queries_after += d;
            }
        }
        effort
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(verdict: &str, speed: Speed) -> Row {
        Row { verdict: verdict.to_owned(), steps: Some(1), queries: Some(1), speed }
    }

    #[track_caller]
    fn check(before: &str, after: &str, expected: Change) {
        let fast = |verdict| row(verdict, Speed::Fast);
        assert_eq!(change(Some(&fast(before)), &fast(after), Some(&Expected::True)), expected);
    }

    #[test]
    fn changes() {
        check("true", "true", Change::Same);
        check("true", "unknown (timeout)", Change::Lost);
        check("true", "false(unreach-call)", Change::Wrong);
        check("false(unreach-call)", "true", Change::Contradicted);
        check("unknown (timeout)", "true", Change::Gained);
        check("unknown (timeout)", "unknown (too coarse)", Change::Reason);
        check("unknown (too coarse)", "unknown (timeout)", Change::Same);
        let timeout = row("unknown (timeout)", Speed::Fast);
        assert_eq!(change(Some(&row("true", Speed::Slow)), &timeout, None), Change::TooSlow);
        assert_eq!(change(None, &timeout, None), Change::New);
    }
}

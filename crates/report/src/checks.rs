//! What became of the checks, as text: how many there were, and a line for each where each was decided on its own.
//!
//! In a circle with `text`: the text of a report has a part on checks, and each check that is violated has an error path as the report has.

use crate::text::{Detail, line, short_place};
use outcome::checked::by_kind;
use outcome::{CheckResult, EveryCheck, Outcome, Property, Status, StepKind, StopReason, Tally, Verdict};

/// Lines of checks that a [`Detail::Screenful`] lists at most; those that hold are left out first.
const MAX_CHECKS: usize = 30;

/// How many checks there are of which kind, and what became of them: `3 assertions, 2 memory: 4 proved, 1 violated`.
pub(crate) fn summary(checks: &[CheckResult]) -> String {
    let of_kind = |(kind, tally): (Property, Tally)| match (tally.total(), kind) {
        (1, Property::UnreachCall) => "1 assertion".to_owned(),
        (number, kind) => format!("{number} {}", kind.kind()),
    };
    let kinds: Vec<String> = by_kind(checks).into_iter().map(of_kind).collect();
    let parts: Vec<(usize, &str)> = Tally::of(checks).parts().into_iter().filter(|(n, _)| *n > 0).collect();
    let became = match parts[..] {
        [(_, word)] => word.to_owned(),
        _ => parts.iter().map(|(n, word)| format!("{n} {word}")).collect::<Vec<_>>().join(", "),
    };
    format!("{}: {became}", kinds.join(", "))
}

/// What more there is to say of a check: how a run breaks it, or why it is not known.
pub(crate) fn detail(check: &CheckResult) -> Option<String> {
    match &check.status {
        Status::Violated(run) => match run.steps.last().map(|step| &step.kind) {
            Some(StepKind::Error { what }) => Some(what.clone()),
            _ => None,
        },
        Status::Unknown(reason) => Some(why(reason)),
        _ => None,
    }
}

fn why(reason: &StopReason) -> String {
    reason.to_string()
}

/// The lines of the checks.
pub(crate) fn render(out: &mut String, outcome: &Outcome, detail: Detail) {
    let checks = &outcome.checks;
    if checks.is_empty() {
        return;
    }
    line(out, format_args!("  checked: {}", summary(checks)));
    let open = |check: &&CheckResult| !check.status.holds();
    let all = detail == Detail::Full || checks.len() <= MAX_CHECKS;
    if outcome.every_check == EveryCheck::Yes {
        line(out, format_args!("checks:"));
        let shown = checks.iter().filter(|check| all || open(check));
        table(out, shown.map(|check| row(check, self::detail(check))), all, checks.len());
    } else if matches!(outcome.verdict, Verdict::Unknown(_)) && checks.iter().any(|check| check.status.holds()) {
        // Where a part of the checks is proved, the question is which are not.
        line(out, format_args!("not decided:"));
        table(out, checks.iter().filter(open).map(|check| row(check, None)), all, checks.iter().filter(open).count());
    }
}

/// A line for each row, for all of them or the first; `count` is how many there are.
fn table(out: &mut String, rows: impl Iterator<Item = [String; 4]>, all: bool, count: usize) {
    let rows: Vec<[String; 4]> = rows.take(if all { usize::MAX } else { MAX_CHECKS }).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (status, place, kind) = (width(0), width(1), width(2));
    for [one, two, three, four] in &rows {
        let text = format!("  {one:status$}  {two:place$}  {three:kind$}  {four}");
        line(out, format_args!("{}", text.trim_end()));
    }
    if rows.len() < count {
        line(out, format_args!("  ... {} more (-v shows all)", count - rows.len()));
    }
}

/// A check, with what more there is to say of it.
fn row(check: &CheckResult, more: Option<String>) -> [String; 4] {
    let place = check.place.as_ref().map_or_else(|| "-".to_owned(), short_place);
    let text = match (&*check.text, more) {
        ("", Some(detail)) => detail,
        (text, Some(detail)) if detail.contains(text) => detail,
        (text, Some(detail)) => format!("{text}: {detail}"),
        (text, None) => text.to_owned(),
    };
    [check.status.word().to_owned(), place, check.property.kind().to_owned(), text]
}

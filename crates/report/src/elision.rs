//! Elision: the lines of an error path that make a screenful: its beginning and end, open calls, and what the program was given.

use crate::trace::{Item, Row};
use outcome::StepKind;

/// Lines at the beginning and at the end that are always shown.
const HEAD: usize = 6;
const TAIL: usize = 12;

/// A line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// This item.
    Item(usize),
    /// So many steps that are left out.
    Gap(usize),
}

/// What is left out of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Omission {
    /// Nothing but the middle of loops.
    Nothing,
    /// Conditions at a distance from the end.
    Conditions,
    /// More than that.
    Steps,
}

/// The lines, at most `room` of them, unless there are more calls open.
pub fn select(items: &[Item], rows: &[Row<'_>], room: usize) -> (Vec<Line>, Omission) {
    let all = || (0..items.len()).map(Line::Item);
    if items.len() <= room {
        return (all().collect(), Omission::Nothing);
    }
    // Where the beginning is too long, conditions go first: what follows shows how they were decided.
    let end = items.len() - TAIL.min(items.len());
    for wanted in [is_loop_condition, is_condition] {
        let kept: Vec<usize> = (0..items.len()).filter(|at| *at >= end || !wanted(&items[*at], rows)).collect();
        if kept.len() <= room {
            return (kept.into_iter().map(Line::Item).collect(), Omission::Conditions);
        }
    }
    let worth: Vec<usize> = (0..items.len()).filter(|at| *at >= end || !is_condition(&items[*at], rows)).collect();
    let mut kept: Vec<usize> = worth.iter().copied().filter(|at| *at >= end).collect();
    kept.extend(open_calls(items, rows, end));
    kept.extend(worth.iter().take(HEAD));
    normalise(&mut kept);
    let (important, others): (Vec<usize>, Vec<usize>) =
        worth.iter().rev().copied().partition(|at| matters(&items[*at], rows));
    for at in important.into_iter().chain(others) {
        let mut more = kept.clone();
        more.push(at);
        normalise(&mut more);
        if with_gaps(&more, items, rows).len() <= room {
            kept = more;
        }
    }
    (with_gaps(&kept, items, rows), Omission::Steps)
}

fn normalise(kept: &mut Vec<usize>) {
    kept.sort_unstable();
    kept.dedup();
}

/// The items with gaps between them, where more is left out than conditions.
fn with_gaps(kept: &[usize], items: &[Item], rows: &[Row<'_>]) -> Vec<Line> {
    let mut lines = Vec::with_capacity(2 * kept.len());
    let mut next = 0;
    for at in kept {
        let hidden = &items[next..*at];
        if hidden.iter().any(|item| !is_condition(item, rows)) {
            lines.push(Line::Gap(hidden.iter().map(|item| item.rows().len()).sum()));
        }
        lines.push(Line::Item(*at));
        next = at + 1;
    }
    lines
}

/// The row that an item is, if it is one.
fn row<'a, 'r>(item: &Item, rows: &'a [Row<'r>]) -> Option<&'a Row<'r>> {
    match item {
        Item::Row(at) => rows.get(*at),
        Item::Fold { .. } => None,
    }
}

fn is_condition(item: &Item, rows: &[Row<'_>]) -> bool {
    row(item, rows).is_some_and(|row| matches!(row.step().kind, StepKind::Branch { .. } | StepKind::Choice { .. }))
}

fn is_loop_condition(item: &Item, rows: &[Row<'_>]) -> bool {
    is_condition(item, rows) && row(item, rows).is_some_and(|row| !row.arrivals.is_empty())
}

/// Whether an item tells what the program was given, or calls a function.
fn matters(item: &Item, rows: &[Row<'_>]) -> bool {
    match (item, row(item, rows)) {
        (Item::Fold { summary, .. }, _) => !summary.inputs.is_empty(),
        (_, Some(row)) => row.input.is_some() || matches!(row.step().kind, StepKind::Call { .. }),
        _ => false,
    }
}

/// The calls before `end` that have not returned there.
fn open_calls(items: &[Item], rows: &[Row<'_>], end: usize) -> Vec<usize> {
    let depth = |item: &Item| rows.get(item.rows().start).map_or(0, |row| row.step().depth);
    let Some(mut inner) = items.get(end).map(depth) else { return Vec::new() };
    let mut open = Vec::new();
    for at in (0..end).rev() {
        let is_call = row(&items[at], rows).is_some_and(|row| matches!(row.step().kind, StepKind::Call { .. }));
        if depth(&items[at]) < inner {
            inner = depth(&items[at]);
            if is_call {
                open.push(at);
            }
        }
    }
    open.truncate(HEAD);
    open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{specimen, trace};
    use outcome::{Counterexample, Evidence, Step};

    /// What is shown of a path in `room` lines, gaps in parentheses.
    fn shown(cex: &Counterexample, room: usize) -> (Vec<String>, Omission) {
        let steps: Vec<&Step> = cex.steps.iter().collect();
        let rows = trace::rows(&steps, cex);
        let items: Vec<Item> = (0..rows.len()).map(Item::Row).collect();
        let (lines, omission) = select(&items, &rows, room);
        let text = |line: &Line| match line {
            Line::Item(at) => rows[items[*at].rows().start].what.clone(),
            Line::Gap(steps) => format!("({steps})"),
        };
        (lines.iter().map(text).collect(), omission)
    }

    fn violation(n: u32) -> Counterexample {
        match specimen::violation(n).evidence {
            Evidence::Counterexample(cex) => *cex,
            _ => panic!("a violation"),
        }
    }

    #[test]
    fn conditions_go_first() {
        let (lines, omission) = shown(&violation(9), 20);
        assert_eq!(omission, Omission::Conditions);
        assert!(!lines.contains(&"(1)".to_owned()) && lines.contains(&"i = 1".to_owned()), "{lines:?}");
        assert_eq!(lines.iter().filter(|line| *line == "[i < n]").count(), 4, "near the end: {lines:?}");
    }

    #[test]
    fn inputs_and_open_calls_stay() {
        let mut cex = violation(200);
        // An input and a call in the middle, and a call around all that follows.
        let (input, call) = (cex.steps[0].clone(), cex.steps[cex.steps.len() - 2].clone());
        for step in &mut cex.steps[151..] {
            step.depth += 1;
        }
        cex.steps[150] = call.clone();
        cex.steps[100] = input;
        let (lines, omission) = shown(&cex, 30);
        assert_eq!(omission, Omission::Steps);
        assert!(lines.len() <= 30);
        assert_eq!(lines.iter().filter(|line| line.starts_with("check(")).count(), 2, "{lines:?}");
        assert_eq!(lines.iter().filter(|line| line.contains("(input 1)")).count(), 2, "{lines:?}");
    }
}

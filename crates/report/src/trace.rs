//! Error paths as people read them: a row for each line of interest, iterations of loops folded.

use base::Place;
use outcome::{Arrival, Counterexample, Input, InputSource, Operand, OperandKind, Step, StepKind, Visibility};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// Iterations between the first and the last one that are worth folding.
const MIN_FOLDED: u64 = 3;
/// Variables whose values a fold tells.
const MAX_VARIABLES: usize = 3;
/// Inputs whose values a fold tells.
const MAX_INPUTS: usize = 8;
/// Called functions that a fold names.
const MAX_CALLS: usize = 3;

/// Whether a step is one of the user's program.
pub fn is_of_user(step: &Step) -> bool {
    (step.visibility == Visibility::User || matches!(step.kind, StepKind::Error { .. })) && is_tellable(step)
}

/// Whether a step can be told: conditions on temporaries of lowering, such as checks that library functions make, have no name.
pub fn is_tellable(step: &Step) -> bool {
    !matches!(&step.kind, StepKind::Branch { condition, .. } if condition.contains("tmp$"))
}

/// A step, or two that users see as one: an input or a result, and its assignment.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// The steps; not empty.
    pub steps: Vec<&'a Step>,
    /// What happens.
    pub what: String,
    /// For conditions: the values of what they compare, as far as it has to be looked up.
    pub operands: String,
    /// The input that the program gets: its position, from zero, and its value.
    pub input: Option<(usize, String)>,
    /// Heads of loops that the run came to just before.
    pub arrivals: Vec<Arrival>,
}

impl Row<'_> {
    /// What happens, in one line.
    pub fn line(&self) -> String {
        if self.operands.is_empty() { self.what.clone() } else { format!("{} ({})", self.what, self.operands) }
    }

    /// The step that the row is about.
    pub fn step(&self) -> &Step {
        self.steps[0]
    }

    /// Where it happens.
    pub fn place(&self) -> Option<&Place> {
        self.step().place.as_ref()
    }

    /// What is assigned: target and value.
    pub fn assigned(&self) -> Option<(&str, &str)> {
        self.steps.iter().rev().find_map(|step| match &step.kind {
            StepKind::Assign { target, value } => Some((target.as_str(), value.as_str())),
            _ => None,
        })
    }
}

/// A part of a path; positions are those of rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// One row.
    Row(usize),
    /// Iterations of a loop that are much like the first and the last one, which stand before and after.
    Fold {
        /// Their rows.
        rows: Range<usize>,
        /// What they do.
        summary: Summary,
    },
}

impl Item {
    /// The rows that the item replaces.
    pub fn rows(&self) -> Range<usize> {
        match self {
            Item::Row(at) => *at..at + 1,
            Item::Fold { rows, .. } => rows.clone(),
        }
    }
}

/// What the iterations of a fold do.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// How many there are.
    pub iterations: u64,
    /// Variables that grow or fall by the same amount each time, with their first and their last value.
    pub variables: Vec<(String, String, String)>,
    /// Inputs that they get: positions, from zero, and values.
    pub inputs: Vec<(usize, String)>,
    /// Functions that they call, each once.
    pub calls: Vec<String>,
}

impl fmt::Display for Summary {
    /// Such as `998 iterations, i = 1 … 999, inputs 3 … 5 = 7, 0, 1, calls of f`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} iterations", self.iterations)?;
        for (name, from, to) in &self.variables {
            write!(f, ", {name} = {from} … {to}")?;
        }
        if let (Some((first, _)), Some((last, _))) = (self.inputs.first(), self.inputs.last()) {
            match first == last {
                true => write!(f, ", input {}", first + 1)?,
                false => write!(f, ", inputs {} … {}", first + 1, last + 1)?,
            }
            let values: Vec<&str> = self.inputs.iter().map(|(_, value)| value.as_str()).collect();
            if values.len() <= MAX_INPUTS {
                write!(f, " = {}", values.join(", "))?;
            }
        }
        match self.calls.as_slice() {
            [] => Ok(()),
            calls if calls.len() <= MAX_CALLS => write!(f, ", calls of {}", calls.join(", ")),
            calls => write!(f, ", calls of {} and {} more", calls[..MAX_CALLS].join(", "), calls.len() - MAX_CALLS),
        }
    }
}

/// A row for each of these steps; an input or a result that is assigned at once makes one row with the assignment.
pub fn rows<'a>(steps: &[&'a Step], cex: &Counterexample) -> Vec<Row<'a>> {
    let mut rows = Vec::with_capacity(steps.len());
    let mut at = 0;
    while let Some(step) = steps.get(at) {
        let operands = operands(step, |operand| operand.kind == OperandKind::Computed);
        let input = match step.kind {
            StepKind::Input(index) => cex.inputs.get(index).map(|given| (index, given.text.clone())),
            _ => None,
        };
        let what = what(step, cex);
        let mut row = Row { steps: vec![*step], what, operands, input, arrivals: step.arrivals.clone() };
        at += 1;
        if let Some(next) = steps.get(at)
            && let Some(text) = joined(step, next, cex)
        {
            row.what = text;
            row.steps.push(next);
            row.arrivals.extend(&next.arrivals);
            at += 1;
        }
        rows.push(row);
    }
    // The condition that decides the error is told in full.
    let is_branch = |row: &&mut Row<'_>| matches!(row.step().kind, StepKind::Branch { .. });
    if let Some(last) = rows.iter_mut().rev().find(is_branch) {
        last.operands = operands(last.step(), |_| true);
    }
    rows
}

/// The operands of a condition that are wanted, with their values.
fn operands(step: &Step, wanted: impl Fn(&Operand) -> bool) -> String {
    let StepKind::Branch { operands, .. } = &step.kind else { return String::new() };
    let text = |operand: &Operand| format!("{} = {}", operand.text, operand.value);
    operands.iter().filter(|operand| wanted(operand)).map(text).collect::<Vec<_>>().join(", ")
}

/// The text of two steps that are one to users.
fn joined(step: &Step, next: &Step, cex: &Counterexample) -> Option<String> {
    let StepKind::Assign { target, value } = &next.kind else { return None };
    let origin = match &step.kind {
        StepKind::Input(index) => {
            cex.inputs.get(*index).filter(|input| input.text == *value).map(|_| format!("input {}", index + 1))
        }
        StepKind::Return { function, value: Some(result) } if result == value => Some(format!("result of {function}")),
        _ => None,
    };
    origin.filter(|_| same_line(next, step)).map(|origin| format!("{target} = {value} ({origin})"))
}

/// What happens in a step.
pub fn what(step: &Step, cex: &Counterexample) -> String {
    match &step.kind {
        StepKind::Assign { target, value } => format!("{target} = {value}"),
        StepKind::Branch { condition, taken: true, .. } | StepKind::Choice { condition, taken: true } => {
            format!("[{condition}]")
        }
        StepKind::Branch { condition, taken: false, .. } | StepKind::Choice { condition, taken: false } => {
            format!("[!({condition})]")
        }
        StepKind::Call { function, arguments } => format!("{function}({})", arguments.join(", ")),
        StepKind::Return { function, value: Some(value) } => format!("{function} returns {value}"),
        StepKind::Return { function, value: None } => format!("{function} returns"),
        StepKind::Input(index) => {
            cex.inputs.get(*index).map_or_else(String::new, |given| format!("{} (input {})", input(given), index + 1))
        }
        StepKind::External { function, arguments } => format!("{function}({})", arguments.join(", ")),
        StepKind::Omitted(n) => format!("... {n} steps were not recorded"),
        StepKind::Undefined { what } => format!("undefined behaviour: {what}"),
        StepKind::Error { what } => format!("ERROR: {what}"),
    }
}

/// An input with its source.
pub fn input(input: &Input) -> String {
    match &input.source {
        InputSource::Call(function) => format!("{function}({}) = {}", input.arguments.join(", "), input.text),
        InputSource::Variable(name) => format!("{name} = {} (defined elsewhere)", input.text),
        InputSource::Uninitialised(name) => format!("{name} = {} (uninitialised)", input.text),
        InputSource::Allocation(function) => {
            format!("{function}() {}", if input.value.0 == 0 { "allocates" } else { "fails" })
        }
        InputSource::Memory => format!("uninitialised memory = {}", input.text),
        InputSource::Argument(_, name) => format!("{name} = {}", input.text),
        InputSource::Written { target, .. } => format!("{target} = {}", input.text),
        InputSource::Outside { address, .. } => format!("memory from outside at {address:#x} = {}", input.text),
        InputSource::Object { declared: what, .. } | InputSource::Environment(what) => {
            format!("{what} = {}", input.text)
        }
    }
}

/// Whether two steps are of one line of one function.
fn same_line(a: &Step, b: &Step) -> bool {
    let line = |step: &Step| step.place.as_ref().map(|place| place.line);
    line(a) == line(b) && a.function == b.function && a.depth == b.depth
}

/// Folds the iterations of loops, outer loops first, if there are more than `room` rows; the first and the last iteration of
/// each stay.
pub fn fold(rows: &[Row<'_>], room: usize) -> Vec<Item> {
    if rows.len() <= room {
        return (0..rows.len()).map(Item::Row).collect();
    }
    let mut items = Vec::new();
    Folder { rows, next: next_arrivals(rows) }.fold(0..rows.len(), Nesting::Outermost, &mut items);
    items
}

/// For each arrival of each row, the row of the next arrival at the same head in the same stay in the loop.
fn next_arrivals(rows: &[Row<'_>]) -> Vec<Vec<Option<usize>>> {
    let mut next = vec![Vec::new(); rows.len()];
    let mut seen: BTreeMap<(u32, cfa::LocId), (usize, u64)> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate().rev() {
        let depth = row.step().depth;
        // Rows of a frame that is entered after this one belong to another call. Omitted steps belong to no frame.
        if !matches!(row.step().kind, StepKind::Omitted(_)) {
            seen.retain(|(deeper, _), _| *deeper <= depth);
        }
        next[at] = row
            .arrivals
            .iter()
            .map(|Arrival { head, nth }| {
                let later = seen.insert((depth, *head), (at, *nth));
                later.filter(|(_, later)| later > nth).map(|(row, _)| row)
            })
            .collect();
    }
    next
}

/// Where a loop is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nesting {
    /// In no loop that is folded; its first and its last iteration are shown.
    Outermost,
    /// In an iteration that is shown.
    Inner,
}

struct Folder<'a> {
    rows: &'a [Row<'a>],
    next: Vec<Vec<Option<usize>>>,
}

impl Folder<'_> {
    fn fold(&self, range: Range<usize>, nesting: Nesting, items: &mut Vec<Item>) {
        let mut at = range.start;
        while at < range.end {
            let turns = (0..self.rows[at].arrivals.len()).map(|i| self.turns(at, i, range.end));
            let folded = turns.into_iter().find_map(|turns| self.folded(&turns, nesting));
            let Some((hidden, iterations, end)) = folded else {
                items.push(Item::Row(at));
                at += 1;
                continue;
            };
            self.fold(at..hidden.start, Nesting::Inner, items);
            let after = hidden.end..end;
            items.push(Item::Fold { summary: self.summary(&hidden, iterations), rows: hidden });
            self.fold(after, Nesting::Inner, items);
            at = end;
        }
    }

    /// What is hidden of a loop, how many iterations that are, and where its last complete iteration ends.
    fn folded(&self, turns: &[(usize, u64)], nesting: Nesting) -> Option<(Range<usize>, u64, usize)> {
        let (first, last, end) = match (nesting, turns) {
            (Nesting::Outermost, [_, first, .., last, end]) => (first, last, end),
            (Nesting::Inner, [first, .., end]) => (first, end, end),
            _ => return None,
        };
        let iterations = last.1 - first.1;
        (iterations >= MIN_FOLDED).then_some((first.0..last.0, iterations, end.0))
    }

    /// The rows where a loop's iterations begin, with the numbers of the arrivals there.
    fn turns(&self, at: usize, arrival: usize, end: usize) -> Vec<(usize, u64)> {
        let Arrival { head, nth } = self.rows[at].arrivals[arrival];
        let of = |row: usize| self.rows[row].arrivals.iter().position(|a| a.head == head);
        let mut turns = vec![(at, nth)];
        let mut row = at;
        while let Some(next) = of(row).and_then(|i| self.next[row][i]).filter(|next| *next < end) {
            turns.push((next, of(next).map_or(nth, |i| self.rows[next].arrivals[i].nth)));
            row = next;
        }
        turns
    }

    fn summary(&self, rows: &Range<usize>, iterations: u64) -> Summary {
        let mut summary = Summary { iterations, variables: self.variables(rows), ..Summary::default() };
        for row in &self.rows[rows.clone()] {
            summary.inputs.extend(row.input.clone());
            if let StepKind::Call { function, .. } = &row.step().kind
                && !summary.calls.iter().any(|name| **name == **function)
            {
                summary.calls.push(function.to_string());
            }
        }
        summary
    }

    /// Variables of the loop's function that grow or fall by the same amount each time.
    fn variables(&self, rows: &Range<usize>) -> Vec<(String, String, String)> {
        let first = self.rows[rows.start].step();
        let mut found: Vec<(&str, Vec<i128>, bool)> = Vec::new();
        for row in &self.rows[rows.clone()] {
            let (step, Some((target, value))) = (row.step(), row.assigned()) else { continue };
            if step.depth != first.depth || step.function != first.function {
                continue;
            }
            let number = value.parse::<i128>();
            let index = found.iter().position(|(name, ..)| *name == target).unwrap_or_else(|| {
                found.push((target, Vec::new(), true));
                found.len() - 1
            });
            match number {
                Ok(number) => found[index].1.push(number),
                Err(_) => found[index].2 = false,
            }
        }
        let step = |w: &[i128]| w[1].checked_sub(w[0]);
        let regular = |values: &[i128]| {
            let steps: Vec<Option<i128>> = values.windows(2).map(step).collect();
            steps
                .first()
                .is_some_and(|first| *first != Some(0) && steps.iter().all(|step| step.is_some() && step == first))
        };
        found.retain(|(_, values, numeric)| *numeric && regular(values));
        let text = |name: &str, values: &[i128]| {
            Some((name.to_owned(), values.first()?.to_string(), values.last()?.to_string()))
        };
        found.iter().take(MAX_VARIABLES).filter_map(|(name, values, _)| text(name, values)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;
    use outcome::Evidence;

    #[track_caller]
    fn check(iterations: u32, expected: &[&str]) {
        let outcome = specimen::violation(iterations);
        let Evidence::Counterexample(cex) = &outcome.evidence else { panic!("a violation") };
        let steps: Vec<&Step> = cex.steps.iter().collect();
        let rows = rows(&steps, cex);
        let text: Vec<String> = fold(&rows, 0)
            .iter()
            .map(|item| match item {
                Item::Row(at) => rows[*at].what.clone(),
                Item::Fold { summary, .. } => summary.to_string(),
            })
            .collect();
        assert_eq!(text, expected);
    }

    #[test]
    fn iterations_fold() {
        let n = |n: u32| format!("__VERIFIER_nondet_int() = {n} (input 1)");
        let end = ["[!(i < n)]", "check(c = 0)", "ERROR: reach_error() is called"];
        let whole = |first: &str, middle: &[&str]| -> Vec<String> {
            [first].iter().chain(middle).chain(&end).map(|s| (*s).to_owned()).collect()
        };
        let expected = whole(&n(2), &["[i < n]", "i = 1", "[i < n]", "i = 2"]);
        check(2, &expected.iter().map(String::as_str).collect::<Vec<_>>());
        let expected = whole(&n(1000), &["[i < n]", "i = 1", "998 iterations, i = 2 … 999", "[i < n]", "i = 1000"]);
        check(1000, &expected.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn few_iterations_stay() {
        check(
            4,
            &[
                "__VERIFIER_nondet_int() = 4 (input 1)",
                "[i < n]",
                "i = 1",
                "[i < n]",
                "i = 2",
                "[i < n]",
                "i = 3",
                "[i < n]",
                "i = 4",
                "[!(i < n)]",
                "check(c = 0)",
                "ERROR: reach_error() is called",
            ],
        );
    }
}

//! The report for people: what was found, the path to it in their variables and lines, what it rests on, the verdict.
//!
//! The last line is always `verdict: …`; scripts read it.
//!
//! In a circle with `checks`, which writes a part of the report with the lines of this one.

use crate::checks;
use crate::elision::{self, Line, Omission};
use crate::subject::Subject;
use crate::trace::{self, Item, Row};
use base::Place;
use outcome::{
    Assumption, Beyond, Contract, Counterexample, Evidence, Extent, Input, Invariant, Outcome, StatValue, Statistics,
    Status, Step, StepKind, StopReason, Verdict,
};
use std::fmt::Write;
use std::time::Duration;

/// How much of an error path is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// A screenful: loops folded, the beginning and the end, without steps inside the C library.
    Screenful,
    /// Every step.
    Full,
}

/// Whether statistics are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stats {
    /// No.
    Hide,
    /// As a table before the verdict.
    Show,
}

/// Lines of an error path in a [`Detail::Screenful`].
const LINES: usize = 27;
/// Inputs that a [`Detail::Screenful`] lists at most.
const MAX_INPUTS: usize = 8;
/// Assumptions that a [`Detail::Screenful`] lists at most.
const MAX_ASSUMPTIONS: usize = 5;
/// Invariants that a [`Detail::Screenful`] lists at most.
const MAX_INVARIANTS: usize = 8;
/// Characters of a step at most.
const MAX_STEP_CHARS: usize = 160;

/// Renders an outcome, ending with the verdict line.
pub fn render(subject: &Subject, outcome: &Outcome, detail: Detail, stats: Stats) -> String {
    let mut out = String::new();
    render_head(&mut out, subject, outcome, detail);
    checks::render(&mut out, outcome, detail);
    if let Some((cex, title)) = path(outcome) {
        render_path(&mut out, cex, detail, title);
    }
    if detail == Detail::Full {
        render_other_paths(&mut out, outcome);
    }
    render_assumptions(&mut out, &outcome.assumptions, detail);
    for note in &outcome.notes {
        line(&mut out, format_args!("note: {note}"));
    }
    if stats == Stats::Show {
        line(&mut out, format_args!("statistics:"));
        out.push_str(&statistics(&outcome.stats));
    }
    line(&mut out, format_args!("verdict: {}", outcome.verdict));
    out
}

/// Appends a line. Formatting into a string can't fail.
pub(crate) fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
    out.push('\n');
}

fn render_head(out: &mut String, subject: &Subject, outcome: &Outcome, detail: Detail) {
    let Subject { file, property, question, data_model, config, .. } = subject;
    match &outcome.verdict {
        Verdict::True => {
            match outcome.vacuity {
                None => line(out, format_args!("{file}: proved: {property}")),
                Some(vacuity) => {
                    line(out, format_args!("{file}: proved, but {}", vacuity.words()));
                    line(out, format_args!("  asked: {property}"));
                }
            }
            if let Some(why) = covered(&outcome.evidence) {
                line(out, format_args!("  every run was covered{why}"));
            }
            render_invariants(out, &outcome.invariants, detail);
            render_contracts(out, &outcome.contracts, detail);
        }
        Verdict::False(_) => line(out, format_args!("{file}: violated: {}", violation(outcome, property))),
        Verdict::Unknown(reason) => {
            line(out, format_args!("{file}: not decided: {question}"));
            line(out, format_args!("  stopped: {}", explain(reason)));
            line(out, format_args!("  try: {}", advise(reason)));
        }
    }
    let analysis = match (&outcome.verdict, outcome.analysis) {
        (Verdict::True | Verdict::False(_), Some(analysis)) => format!(", answered by {analysis}"),
        _ => String::new(),
    };
    line(out, format_args!("  data model {data_model}, configuration {config}{analysis}"));
}

/// What is violated and where: `an assertion fails at bug.c:14`.
pub(crate) fn violation(outcome: &Outcome, property: &str) -> String {
    let last = match &outcome.evidence {
        Evidence::Counterexample(cex) => cex.steps.last(),
        _ => None,
    };
    match last.map(|step| (&step.kind, &step.place)) {
        Some((StepKind::Error { what }, Some(place))) if !is_library(place) => {
            format!("{what} at {}", short_place(place))
        }
        Some((StepKind::Error { what }, _)) => what.clone(),
        _ => property.to_owned(),
    }
}

/// What stands after "every run was covered".
pub(crate) fn covered(evidence: &Evidence) -> Option<String> {
    let times = |n: u32, one: &str, many: &str| if n == 1 { one.to_owned() } else { format!("{n} {many}") };
    match evidence {
        Evidence::None | Evidence::Counterexample(_) => None,
        Evidence::UnwindingComplete { bound, beyond, .. } => {
            let why = match beyond {
                Beyond::Nothing => "no loop or recursion goes on after it was unwound",
                Beyond::Recurrence => "loops only come back to states that they had before, after they were unwound",
            };
            Some(format!(": {why} {}", times(*bound, "once", "times")))
        }
        Evidence::Induction { depth } => {
            Some(format!(": by induction over {} of loops", times(*depth, "one iteration", "iterations")))
        }
        Evidence::Abstraction { nodes, .. } => Some(format!(" by one of {nodes} abstract states")),
    }
}

fn render_invariants(out: &mut String, invariants: &[Invariant], detail: Detail) {
    // Those of the library's code are at lines that users do not have.
    let invariants: Vec<&Invariant> = invariants.iter().filter(|invariant| !is_library(&invariant.place)).collect();
    let shown = if detail == Detail::Full { invariants.len() } else { MAX_INVARIANTS };
    for Invariant { place, text, extent, .. } in invariants.iter().take(shown) {
        match (text, extent) {
            (Some(text), Extent::Whole) => {
                line(out, format_args!("  proved with the invariant `{text}` at line {}", place.line));
            }
            (Some(text), Extent::Part) => {
                line(out, format_args!("  proved with the invariant `{text}`, and more, at line {}", place.line));
            }
            (None, _) => {
                line(out, format_args!("  proved with an invariant that is no expression in C at line {}", place.line));
            }
        }
    }
    if invariants.len() > shown {
        line(out, format_args!("  and with {} more invariants (-v shows all)", invariants.len() - shown));
    }
}

fn render_contracts(out: &mut String, contracts: &[Contract], detail: Detail) {
    let shown = if detail == Detail::Full { contracts.len() } else { MAX_INVARIANTS };
    for contract in contracts.iter().take(shown) {
        let text = contract_text(contract);
        line(
            out,
            format_args!("  proved with the contract of {} at line {}: {text}", contract.function, contract.place.line),
        );
    }
    if contracts.len() > shown {
        line(out, format_args!("  and with {} more contracts (-v shows all)", contracts.len() - shown));
    }
}

fn contract_text(contract: &Contract) -> String {
    let side = |word: &str, text: &Option<String>| text.as_ref().map(|text| format!("{word} `{text}`"));
    let mut parts: Vec<String> =
        [side("requires", &contract.requires), side("ensures", &contract.ensures)].into_iter().flatten().collect();
    if contract.extent == Extent::Part {
        parts.push(if parts.is_empty() { "no expression in C" } else { "and more" }.to_owned());
    }
    parts.join(", ")
}

/// What stopped the run, with numbers.
pub(crate) fn explain(reason: &StopReason) -> String {
    match reason {
        StopReason::Timeout { limit: Some(limit) } => format!("the time limit of {} was reached", duration(*limit)),
        StopReason::Timeout { limit: None } => "the time limit was reached".to_owned(),
        StopReason::Memory { limit: Some(limit) } => format!("the memory limit of {} was reached", bytes(*limit)),
        StopReason::Memory { limit: None } => "the memory limit was reached".to_owned(),
        StopReason::Interrupted => "interrupted".to_owned(),
        StopReason::Unsupported { construct, detail, place } => {
            let at = place.as_ref().map_or(String::new(), |place| format!(" at {place}"));
            let what = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
            format!("{construct}{what}{at} is not modelled and may be reached")
        }
        StopReason::Undefined { what, place } => {
            let at = place.as_ref().map_or(String::new(), |place| format!(" at {place}"));
            format!("a run meets undefined behaviour ({what}{at}), and what a machine does then is not followed")
        }
        StopReason::BoundReached { unwind } => {
            format!("no violation with at most {unwind} unwindings, but runs go on after them")
        }
        StopReason::ReplayFailed { why } => format!("a counterexample was found, but replaying it failed: {why}"),
        StopReason::SolverUnknown { why } => format!("the solver gave up: {why}"),
        StopReason::StackDepth { limit } => format!("calls are nested more than {limit} deep"),
        StopReason::TooLarge { what } => format!("too large: {what}"),
        StopReason::ProofRejected { why } => format!("a proof was found, but checking it again failed: {why}"),
        StopReason::NoProgress => "refinement does not make progress".to_owned(),
        StopReason::TooCoarse { domain, place } => {
            let place = place.as_ref().map_or(String::new(), |place| format!(": no run takes the branch at {place}"));
            format!("the {domain} domain is too coarse for a path to the error{place}")
        }
        StopReason::NotApplicable { why } => why.clone(),
        StopReason::Internal { detail } => format!("internal error: {detail}"),
    }
}

/// What the user could try next.
pub(crate) fn advise(reason: &StopReason) -> &'static str {
    match reason {
        StopReason::Timeout { .. } => {
            "a longer --timeout, another --config, or --unwind N to look for shallow errors only"
        }
        StopReason::Memory { .. } => {
            "a larger --memory, another --config, or --unwind N to look for shallow errors only"
        }
        StopReason::Interrupted => "running it again; --timeout ends a run in good order",
        StopReason::Unsupported { .. } => "replacing the construct by code with the same effect",
        StopReason::Undefined { .. } => "mending the undefined behaviour, or an assumption that excludes it",
        StopReason::BoundReached { .. } => "a larger --unwind, or none",
        StopReason::ReplayFailed { .. } => "another --config; if none helps, reporting this with the program",
        StopReason::SolverUnknown { .. } => "a longer --timeout, or another --config",
        StopReason::StackDepth { .. } => "a loop instead of the deep recursion, or --unwind N",
        StopReason::TooLarge { .. } => {
            "another --config, smaller arrays, or checking a part of the program with --entry"
        }
        StopReason::ProofRejected { .. } => "another --config, or --timeout with more time for the check of the proof",
        StopReason::NoProgress | StopReason::TooCoarse { .. } => "another --config, such as predicate or bmc",
        StopReason::NotApplicable { .. } => "another --config; without one, several are tried",
        StopReason::Internal { .. } => "reporting this as a defect of Hone, with the program",
    }
}

/// The run that an outcome tells, and what it is.
pub(crate) fn path(outcome: &Outcome) -> Option<(&Counterexample, &'static str)> {
    match (&outcome.evidence, &outcome.run) {
        (Evidence::Counterexample(cex), _) => Some((cex, "error path")),
        (_, Some(run)) => Some((run, "path to the undefined behaviour")),
        _ => None,
    }
}

/// Renders a run that violates the property.
pub(crate) fn render_counterexample(out: &mut String, cex: &Counterexample, detail: Detail) {
    render_path(out, cex, detail, "error path");
}

/// The paths to all violated checks but the one that is the answer.
fn render_other_paths(out: &mut String, outcome: &Outcome) {
    for check in &outcome.checks {
        let Status::Violated(run) = &check.status else { continue };
        if path(outcome).is_some_and(|(told, _)| told == &**run) {
            continue;
        }
        let place = check.place.as_ref().map_or_else(String::new, |place| format!(" at {}", short_place(place)));
        render_path(out, run, Detail::Full, &format!("error path to {}{place}", check.property.kind()));
    }
}

fn render_path(out: &mut String, cex: &Counterexample, detail: Detail, title: &str) {
    let steps: Vec<&Step> = match detail {
        Detail::Full => cex.steps.iter().filter(|step| trace::is_tellable(step)).collect(),
        Detail::Screenful => cex.steps.iter().filter(|step| trace::is_of_user(step)).collect(),
    };
    let rows = trace::rows(&steps, cex);
    let items = match detail {
        Detail::Full => (0..rows.len()).map(Item::Row).collect(),
        Detail::Screenful => trace::fold(&rows, LINES),
    };
    let (shown, omission) = elision::select(&items, &rows, if detail == Detail::Full { usize::MAX } else { LINES });
    let lines: Vec<Result<[String; 3], usize>> = shown
        .iter()
        .map(|line| match line {
            Line::Item(at) => Ok(item(&items[*at], &rows)),
            Line::Gap(steps) => Err(*steps),
        })
        .collect();
    let width = |column: usize| lines.iter().flatten().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let (places, functions) = (width(0), width(1));
    match omission {
        Omission::Nothing => line(out, format_args!("{title}:")),
        Omission::Conditions => line(out, format_args!("{title}, without some conditions (-v shows all):")),
        Omission::Steps => line(out, format_args!("{title}, shortened (-v shows all):")),
    }
    for one in &lines {
        match one {
            Ok([place, function, what]) => {
                line(out, format_args!("  {place:places$}  {function:functions$}  {}", cut(what)));
            }
            Err(1) => line(out, format_args!("  ... 1 more step")),
            Err(steps) => line(out, format_args!("  ... {steps} more steps")),
        }
    }
    render_inputs(out, &cex.inputs, detail);
}

/// Where something happens, in which function, and what.
fn item(item: &Item, rows: &[Row<'_>]) -> [String; 3] {
    let row = &rows[item.rows().start];
    let step = row.step();
    let function = format!("{}{}", "  ".repeat(step.depth.min(12) as usize), step.function);
    let place = row.place().map_or_else(|| "-".to_owned(), short_place);
    match item {
        Item::Row(_) if matches!(step.kind, StepKind::Omitted(_)) => [String::new(), String::new(), row.what.clone()],
        Item::Row(_) => [place, function, row.line()],
        Item::Fold { summary, .. } => [place, function, format!("... {summary}")],
    }
}

/// Whether a place is in code that Hone adds for the C library, which users do not have.
fn is_library(place: &Place) -> bool {
    place.file.starts_with('<')
}

/// `file:line`, the file without its folders.
pub(crate) fn short_place(place: &Place) -> String {
    if is_library(place) {
        return "C library".to_owned();
    }
    let file = place.file.rsplit('/').next().unwrap_or(&place.file);
    format!("{file}:{}", place.line)
}

fn cut(text: &str) -> String {
    if text.chars().count() <= MAX_STEP_CHARS {
        return text.to_owned();
    }
    text.chars().take(MAX_STEP_CHARS).chain("...".chars()).collect()
}

fn render_inputs(out: &mut String, inputs: &[Input], detail: Detail) {
    if inputs.is_empty() {
        line(out, format_args!("inputs: none"));
        return;
    }
    line(out, format_args!("inputs, in the order of the calls:"));
    let limit = if detail == Detail::Full { usize::MAX } else { MAX_INPUTS };
    for (index, one) in inputs.iter().enumerate().take(limit) {
        let place = one.place.as_ref().filter(|place| !is_library(place));
        let place = place.map_or(String::new(), |place| format!("  {}", short_place(place)));
        line(out, format_args!("  {}. {}{place}", index + 1, cut(&trace::input(one))));
    }
    if inputs.len() > limit {
        line(out, format_args!("  ... {} more (-v shows all)", inputs.len() - limit));
    }
}

pub(crate) fn render_assumptions(out: &mut String, assumptions: &[Assumption], detail: Detail) {
    if assumptions.is_empty() {
        return;
    }
    line(out, format_args!("assumptions:"));
    let limit = if detail == Detail::Full { usize::MAX } else { MAX_ASSUMPTIONS };
    for assumption in assumptions.iter().take(limit) {
        let places = match assumption.places.as_slice() {
            [] => String::new(),
            [one] => format!(" ({})", short_place(one)),
            [first, rest @ ..] => format!(" ({} and {} more)", short_place(first), rest.len()),
        };
        line(out, format_args!("  - {}{places}", assumption.text));
    }
    if assumptions.len() > limit {
        line(out, format_args!("  ... {} more (-v shows all)", assumptions.len() - limit));
    }
}

/// Renders statistics, one line each, indented.
pub fn statistics(stats: &Statistics) -> String {
    let mut out = String::new();
    let width = stats.values.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in &stats.values {
        line(&mut out, format_args!("  {name:width$}  {}", stat(value)));
    }
    for iteration in &stats.iterations {
        let values: Vec<String> =
            iteration.values.iter().map(|(name, value)| format!("{name} {}", stat(value))).collect();
        line(&mut out, format_args!("  {}: {}", iteration.label, values.join(", ")));
    }
    out
}

pub(crate) fn stat(value: &StatValue) -> String {
    match value {
        StatValue::Count(n) => n.to_string(),
        StatValue::Time(time) => duration(*time),
        StatValue::Bytes(n) => bytes(*n),
        StatValue::Text(text) => text.clone(),
    }
}

/// A duration as people write it.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds >= 100.0 {
        format!("{seconds:.0} s")
    } else if seconds >= 1.0 {
        let text = format!("{seconds:.1}");
        format!("{} s", text.strip_suffix(".0").unwrap_or(&text))
    } else {
        format!("{:.1} ms", seconds * 1000.0)
    }
}

/// A size as people write it.
pub fn bytes(n: u64) -> String {
    const UNITS: [(&str, u32); 3] = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    for (unit, shift) in UNITS {
        if n >= 1 << shift {
            let text = format!("{:.1}", n as f64 / (1_u64 << shift) as f64);
            return format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text));
        }
    }
    format!("{n} bytes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;

    #[test]
    fn proof() {
        insta::assert_snapshot!(render(&specimen::subject(), &specimen::proof(), Detail::Screenful, Stats::Show));
    }

    #[test]
    fn violation() {
        insta::assert_snapshot!(render(&specimen::subject(), &specimen::violation(3), Detail::Screenful, Stats::Hide));
    }

    #[test]
    fn long_violation_is_a_screenful() {
        let text = render(&specimen::subject(), &specimen::violation(500), Detail::Screenful, Stats::Hide);
        insta::assert_snapshot!(text);
        let mut unfolded = specimen::violation(500);
        if let Evidence::Counterexample(cex) = &mut unfolded.evidence {
            cex.steps.iter_mut().for_each(|step| step.arrivals.clear());
        }
        let text = render(&specimen::subject(), &unfolded, Detail::Screenful, Stats::Hide);
        assert!(text.lines().count() <= 40);
        assert!(text.contains("error path, shortened (-v shows all):"));
        let full = render(&specimen::subject(), &specimen::violation(500), Detail::Full, Stats::Hide);
        assert!(full.lines().count() > 500);
    }

    #[track_caller]
    fn check_unknown(reason: StopReason, expected: &[&str]) {
        let text = render(&specimen::subject(), &Outcome::unknown(reason), Detail::Screenful, Stats::Hide);
        for part in expected {
            assert!(text.contains(part), "{part:?} is not in:\n{text}");
        }
        assert!(text.lines().last().is_some_and(|last| last.starts_with("verdict: unknown (")));
    }

    #[test]
    fn unknowns() {
        let limit = Some(Duration::from_secs(5));
        check_unknown(StopReason::Timeout { limit }, &["time limit of 5 s", "--timeout", "unknown (timeout)"]);
        check_unknown(StopReason::Memory { limit: Some(512 << 20) }, &["512 MiB", "--memory", "unknown (memory)"]);
        check_unknown(StopReason::BoundReached { unwind: 3 }, &["at most 3 unwindings", "--unwind"]);
    }

    #[test]
    fn numbers() {
        assert_eq!(duration(Duration::from_micros(1500)), "1.5 ms");
        assert_eq!(duration(Duration::from_secs(5)), "5 s");
        assert_eq!(bytes(1536 << 20), "1.5 GiB");
        assert_eq!(bytes(12), "12 bytes");
    }
}

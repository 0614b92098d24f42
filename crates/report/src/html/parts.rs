//! The parts of the page that are text: verdict, path, invariants, tables.

use super::Page;
use super::data::{Files, kind};
use super::source::{Notes, SourceFile, anchor, short};
use crate::subject::Subject;
use crate::text;
use crate::trace::{self, Item, Row};
use base::Place;
use base::markup::escape;
use outcome::{
    CheckResult, Contract, Counterexample, EveryCheck, Evidence, Extent, Invariant, Outcome, StatValue, StepKind,
    Verdict,
};
use std::fmt::Write;

/// Rows of a path whose loops are not folded.
const ROOM: usize = 60;
/// Lines of a path at most; scripts show the rest.
const MAX_ITEMS: usize = 2000;

/// The verdict, what was asked, and what the answer rests on.
pub fn banner(subject: &Subject, outcome: &Outcome) -> String {
    let (word, rests) = match &outcome.verdict {
        Verdict::True => ("Proved", rests_on(&outcome.evidence)),
        Verdict::False(_) => ("Violated", rests_on(&outcome.evidence)),
        Verdict::Unknown(reason) => {
            let (why, hint) = (escape(&text::explain(reason)), escape(text::advise(reason)));
            ("Not decided", format!("Stopped: {why}.</p>\n<p>Try {hint}."))
        }
    };
    let Subject { file, property, question, data_model, config, .. } = subject;
    let mut facts = vec![("file", file.as_str()), ("data model", data_model), ("configuration", config)];
    facts.extend(
        outcome.analysis.filter(|_| !matches!(outcome.verdict, Verdict::Unknown(_))).map(|name| ("answered by", name)),
    );
    let (about, asked) = match &outcome.verdict {
        Verdict::True => match outcome.vacuity {
            None => ("property", property.clone()),
            Some(vacuity) => ("warning", format!("Proved, but {}.", vacuity.words())),
        },
        Verdict::False(_) => ("violation", text::violation(outcome, property)),
        Verdict::Unknown(_) => ("question", question.clone()),
    };
    let time = outcome.stats.values.iter().rev().find_map(|(name, value)| match value {
        StatValue::Time(time) if *name == "time" => Some(text::duration(*time)),
        _ => None,
    });
    if let Some(time) = &time {
        facts.push(("time", time));
    }
    let facts: String =
        facts.iter().map(|(name, value)| format!("<div><dt>{name}</dt><dd>{}</dd></div>", escape(value))).collect();
    format!(
        "<header>\n<div class=\"verdict\"><h1>{word}</h1><code class=\"raw\">verdict: {}</code></div>\n\
         <div class=\"why\"><p class=\"property\"><small>{about}</small> <code>{}</code></p>\n<p>{rests}</p></div>\n<dl>{facts}</dl>\n</header>\n",
        escape(&outcome.verdict.to_string()),
        escape(&asked),
    )
}

/// What a decided answer rests on, in a sentence.
fn rests_on(evidence: &Evidence) -> String {
    match evidence {
        Evidence::None => String::new(),
        Evidence::Counterexample(cex) => {
            let inputs = match cex.inputs.len() {
                0 => "without inputs".to_owned(),
                1 => "with the input that is given below".to_owned(),
                n => format!("with the {n} inputs that are given below"),
            };
            format!("An execution of the program reaches the error, {inputs}. It was replayed step by step.")
        }
        _ => {
            let why = text::covered(evidence).unwrap_or_default();
            format!("Every run was covered{}.", escape(&why))
        }
    }
}

/// A row above a line of the source.
pub fn invariant_note(invariant: &Invariant) -> String {
    let body = match (&invariant.text, invariant.extent) {
        (Some(text), Extent::Whole) => format!("<code>{}</code>", escape(text)),
        (Some(text), Extent::Part) => format!("<code>{}</code> <small>and more</small>", escape(text)),
        (None, _) => "<small>an invariant that is no expression in C</small>".to_owned(),
    };
    format!("<div class=\"note invariant\"><b>invariant</b> {body}</div>\n")
}

/// The same for the contract of a function.
pub fn contract_note(contract: &Contract) -> String {
    let part =
        |word: &str, text: &Option<String>| text.as_ref().map(|text| format!("{word} <code>{}</code>", escape(text)));
    let mut parts: Vec<String> =
        [part("requires", &contract.requires), part("ensures", &contract.ensures)].into_iter().flatten().collect();
    if contract.extent == Extent::Part {
        parts.push("<small>and more</small>".to_owned());
    }
    format!("<div class=\"note invariant\"><b>contract</b> {}</div>\n", parts.join(", "))
}

/// A row below a line of the source.
pub fn remark(word: &str, what: &str) -> String {
    format!("<div class=\"note {word}\"><b>{word}</b> {}</div>\n", escape(what))
}

/// From the best to the worst that becomes of a check.
const RANKS: [&str; 5] = ["unreachable", "proved", "open", "unknown", "violated"];

/// Marks the line of a check.
pub fn mark(note: &mut Notes, check: &CheckResult) {
    let rank = |word: &str| RANKS.iter().position(|other| *other == word);
    let word = check.status.word();
    let detail = crate::checks::detail(check).map_or_else(String::new, |detail| format!(": {detail}"));
    let line = format!("{word}: {} {}{detail}", check.property.kind(), check.text);
    note.checks = Some(match note.checks.take() {
        Some((worst, all)) => (if rank(word) > rank(worst) { word } else { worst }, format!("{all}\n{line}")),
        None => (word, line),
    });
}

/// The checks as a table.
fn checks_table(outcome: &Outcome, files: &Files<'_>) -> String {
    let mut out = String::from("<table class=\"checks\">\n");
    for check in outcome.checks.iter().take(MAX_ITEMS) {
        let detail = crate::checks::detail(check).unwrap_or_default();
        let _ = writeln!(
            out,
            "<tr><th>{}</th><td>{}</td><td>{}</td><td><code>{}</code> {}</td></tr>",
            check.status.word(),
            link(check.place.as_ref(), files),
            check.property.kind(),
            escape(&check.text),
            escape(&detail),
        );
    }
    out + "</table>\n"
}

/// Names of the files, as links to them.
pub fn source_tabs(files: &[SourceFile]) -> String {
    let link = |(index, file): (usize, &SourceFile)| {
        let (name, path) = (short(&file.name), escape(&file.name));
        format!("<a href=\"#file{index}\" data-file=\"{index}\" title=\"{path}\">{name}</a>")
    };
    let links: String = files.iter().enumerate().map(link).collect();
    format!("<nav class=\"tabs\" aria-label=\"Files\">{links}</nav>\n")
}

/// A link to a place, if the page shows it; its line otherwise.
fn link(place: Option<&Place>, files: &Files<'_>) -> String {
    let Some(place) = place else { return String::new() };
    if place.file.starts_with('<') {
        return "C library".to_owned();
    }
    let text = format!("{}:{}", short(&place.file), place.line);
    match files.at(Some(place)) {
        Some((file, line)) => format!("<a href=\"#{}\">{text}</a>", anchor(file, line)),
        None => text,
    }
}

/// A link to the place of a step; its file is clear if there is one only.
fn step_link(place: Option<&Place>, files: &Files<'_>) -> String {
    match (place, files.at(place)) {
        (Some(place), Some((file, line))) if files.names.len() == 1 => {
            format!("<a href=\"#{}\">line {}</a>", anchor(file, line), place.line)
        }
        _ => link(place, files),
    }
}

/// The error path with its loops folded, and the inputs.
pub fn path(rows: &[Row<'_>], cex: &Counterexample, title: &str, files: &Files<'_>) -> String {
    let title = title[..1].to_uppercase() + &title[1..];
    let mut out = format!("<div class=\"view\" id=\"path\">\n<h2>{title}</h2>\n<ol class=\"path\">\n");
    let items = trace::fold(rows, ROOM);
    for item in items.iter().take(MAX_ITEMS) {
        out += &item_line(item, rows, files);
    }
    if let Some(rest) = items.get(MAX_ITEMS) {
        let (from, to) = (rest.rows().start, rows.len());
        let _ = writeln!(
            out,
            "<li class=\"fold\" data-from=\"{from}\" data-to=\"{to}\"><span>… {} more steps</span></li>",
            to - from
        );
        if let Some(last) = items.last() {
            out += &item_line(last, rows, files);
        }
    }
    out += "</ol>\n<h2>Inputs</h2>\n";
    out += &inputs(cex, files);
    out + "</div>\n"
}

fn item_line(item: &Item, rows: &[Row<'_>], files: &Files<'_>) -> String {
    let range = item.rows();
    let row = &rows[range.start];
    let depth = row.step().depth.min(12);
    let function = escape(&row.step().function);
    match item {
        Item::Fold { summary, .. } => {
            let text = escape(&summary.to_string());
            let (from, to) = (range.start, range.end);
            format!(
                "<li class=\"fold\" data-from=\"{from}\" data-to=\"{to}\" style=\"--depth:{depth}\"><span>… {text}</span></li>\n"
            )
        }
        Item::Row(at) => format!(
            "<li class=\"{}\" data-row=\"{at}\" style=\"--depth:{depth}\"><span class=\"at\">{}</span>\
             <span class=\"fn\">{function}</span><span class=\"what\">{}</span></li>\n",
            kind(&row.step().kind),
            step_link(row.place(), files),
            what(row),
        ),
    }
}

/// What a row says, with the way that a branch takes in words.
fn what(row: &Row<'_>) -> String {
    match &row.step().kind {
        StepKind::Branch { condition, taken, .. } | StepKind::Choice { condition, taken } => {
            let operands = if row.operands.is_empty() {
                String::new()
            } else {
                format!(" <small>{}</small>", escape(&row.operands))
            };
            format!("<code>{}</code> <em class=\"{taken}\">{taken}</em>{operands}", escape(condition))
        }
        _ => format!("<code>{}</code>", escape(&row.what)),
    }
}

fn inputs(cex: &Counterexample, files: &Files<'_>) -> String {
    if cex.inputs.is_empty() {
        return "<p>The program needs no inputs.</p>\n".to_owned();
    }
    let mut out = String::from("<ol class=\"inputs\">\n");
    for input in cex.inputs.iter().take(MAX_ITEMS) {
        let (text, at) = (escape(&trace::input(input)), link(input.place.as_ref(), files));
        let _ = writeln!(out, "<li><code>{text}</code> <small>{} {at}</small></li>", escape(&input.c_type));
    }
    if cex.inputs.len() > MAX_ITEMS {
        let _ = writeln!(out, "<li>… {} more, in result.json</li>", cex.inputs.len() - MAX_ITEMS);
    }
    out + "</ol>\n"
}

/// What a proof says, or that there is no evidence.
pub fn evidence(outcome: &Outcome, files: &Files<'_>) -> String {
    let title = if outcome.verdict == Verdict::True { "Proof" } else { "Evidence" };
    let mut out = format!("<div class=\"view\" id=\"proof\">\n<h2>{title}</h2>\n");
    if outcome.verdict != Verdict::True {
        out += "<p>There is neither a proof nor an error path.</p>\n";
    } else if outcome.invariants.is_empty() && outcome.contracts.is_empty() {
        out += "<p>The proof needs no invariants of loops.</p>\n";
    } else if !outcome.invariants.is_empty() {
        out +=
            "<p>Whenever a run is at the head of these loops, the expression is true.</p>\n<ul class=\"invariants\">\n";
        for invariant in &outcome.invariants {
            let at = link(Some(&invariant.place), files);
            let _ = writeln!(out, "<li><span class=\"at\">{at}</span>{}</li>", invariant_note(invariant).trim_end());
        }
        out += "</ul>\n";
    }
    if outcome.verdict == Verdict::True && !outcome.contracts.is_empty() {
        out += "<p>Whenever one of these functions is entered, what it requires is true, and what it ensures whenever it returns.</p>\n";
        out += "<ul class=\"invariants\">\n";
        for contract in &outcome.contracts {
            let at = link(Some(&contract.place), files);
            let _ = writeln!(out, "<li><span class=\"at\">{at}</span>{}</li>", contract_note(contract).trim_end());
        }
        out += "</ul>\n";
    }
    if !outcome.loops.is_empty() {
        out += "<p>Loops were abstracted; the file abstracted.c beside this one shows how.</p>\n";
    }
    out + "</div>\n"
}

/// Assumptions, notes, statistics and options.
pub fn details(page: &Page<'_>, files: &Files<'_>) -> String {
    let outcome = page.outcome;
    let mut out = String::from("<footer>\n");
    let mut section = |title: &str, count: usize, body: &str, open: &str| {
        let count = if count == 0 { String::new() } else { format!(" <small>{count}</small>") };
        let _ = writeln!(out, "<details{open}><summary>{title}{count}</summary>\n{body}</details>");
    };
    let mut list = String::new();
    for assumption in &outcome.assumptions {
        let places: Vec<String> = assumption.places.iter().take(20).map(|place| link(Some(place), files)).collect();
        let _ = writeln!(list, "<li>{} <small>{}</small></li>", escape(&assumption.text), places.join(", "));
    }
    for note in &outcome.notes {
        let _ = writeln!(list, "<li>{}</li>", escape(note));
    }
    if list.is_empty() {
        section(
            "Assumptions",
            0,
            "<p>None beyond the semantics of C, with signed arithmetic that wraps around.</p>\n",
            "",
        );
    } else {
        let count = outcome.assumptions.len() + outcome.notes.len();
        section("Assumptions and notes", count, &format!("<ul>\n{list}</ul>\n"), " open");
    }
    if !outcome.checks.is_empty() {
        let open = if outcome.every_check == EveryCheck::Yes { " open" } else { "" };
        let summary = crate::checks::summary(&outcome.checks);
        let body = format!("<p>{}</p>\n{}", escape(&summary), checks_table(outcome, files));
        section("Checks", outcome.checks.len(), &body, open);
    }
    let row =
        |(name, value): (&str, String)| format!("<tr><th>{}</th><td>{}</td></tr>\n", escape(name), escape(&value));
    let rows: String = outcome.stats.values.iter().map(|(name, value)| row((name, text::stat(value)))).collect();
    section("Statistics", 0, &format!("<table>\n{rows}</table>\n{}", rounds(outcome)), "");
    let rows: String = page.options.iter().map(|(name, value)| row((name, value.clone()))).collect();
    section("Options", 0, &format!("<table>\n{rows}</table>\n"), "");
    let version = env!("CARGO_PKG_VERSION");
    out + &format!("<p class=\"made\">Made by Hone {version}. This page loads nothing from anywhere.</p>\n</footer>\n")
}

/// The rounds of an algorithm as a table; a column for each number.
fn rounds(outcome: &Outcome) -> String {
    let rounds = &outcome.stats.iterations;
    if rounds.is_empty() {
        return String::new();
    }
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in rounds.iter().flat_map(|round| &round.values) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let head: String = names.iter().map(|name| format!("<th>{}</th>", escape(name))).collect();
    let mut out = format!("<table class=\"rounds\">\n<tr><th></th>{head}</tr>\n");
    for round in rounds {
        let value = |name: &&str| round.values.iter().find(|(n, _)| n == name).map(|(_, value)| text::stat(value));
        let cells: String =
            names.iter().map(|name| format!("<td>{}</td>", escape(&value(name).unwrap_or_default()))).collect();
        let _ = writeln!(out, "<tr><th>{}</th>{cells}</tr>", escape(&round.label));
    }
    out + "</table>\n"
}

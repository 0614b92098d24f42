//! The report as one file for a browser: source with the error path or the invariants, automata and graph as pictures.
//!
//! All text is here, so that it can be read without scripts. The scripts (`crates/report/web`) add stepping, pictures and
//! search; they are bundled into the crate, and nothing is loaded from anywhere.

mod data;
mod highlight;
mod parts;
mod source;

use crate::subject::Subject;
use crate::trace;
use ::cfa::Program;
use base::Place;
use base::markup::escape;
use data::{Data, Files};
use outcome::{Outcome, Step, StepKind};
use source::{Notes, SourceFile};
use std::collections::{BTreeMap, BTreeSet};

const SCRIPT: &str = include_str!("../../web/dist/report.js");
const STYLE: &str = include_str!("../../web/dist/report.css");
const LICENCES: &str = include_str!("../../web/dist/LICENCES.txt");

/// What a page is made of.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// What was checked.
    pub subject: &'a Subject,
    /// The answer.
    pub outcome: &'a Outcome,
    /// The automata, if there are any, and the text of the file that the user named.
    pub program: Option<(&'a Program, &'a [String])>,
    /// Names and values of options, as the user knows them.
    pub options: &'a [(String, String)],
}

/// The page.
pub fn render(page: &Page<'_>) -> String {
    let scripts = Scripts { style: STYLE, script: SCRIPT, licences: LICENCES };
    document(page, &scripts)
}

/// What is built from `crates/report/web`.
struct Scripts<'a> {
    style: &'a str,
    script: &'a str,
    licences: &'a str,
}

fn document(page: &Page<'_>, scripts: &Scripts<'_>) -> String {
    let outcome = page.outcome;
    let path = crate::text::path(outcome);
    let rows = path.map_or_else(Vec::new, |(cex, _)| {
        let steps: Vec<&Step> = cex.steps.iter().filter(|step| trace::is_of_user(step)).collect();
        trace::rows(&steps, cex)
    });
    let sources = page.program.map(|(program, raw)| sources(program, raw, outcome, &rows)).unwrap_or_default();
    let files = Files { names: sources.iter().map(|file| file.name.as_str()).collect() };
    let program = page.program.map(|(program, _)| program);
    let (functions, left_out) = program.map(|program| data::functions(program, &files)).unwrap_or_default();
    let data = data::script_text(&Data {
        verdict: data::verdict(&outcome.verdict),
        rows: data::rows(&rows, program, &files),
        functions,
        left_out,
        arg: outcome.graph.as_deref().map(|graph| data::arg(graph, &files)),
    });
    let notes = notes(outcome, &rows, &files);
    let verdict = data::verdict(&outcome.verdict);
    let title = escape(&format!("{}: {}", page.subject.file, outcome.verdict));
    let evidence = match path {
        Some((cex, title)) => parts::path(&rows, cex, title, &files),
        None => parts::evidence(outcome, &files),
    };
    let Scripts { style, script, licences } = scripts;
    // Nothing may be loaded, whatever the file of the user contains.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\" data-verdict=\"{verdict}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
    );
    out += &parts::banner(page.subject, outcome);
    out += "<main>\n<section id=\"source\" aria-label=\"Source\">\n";
    out += &parts::source_tabs(&sources);
    out += "<div class=\"files\" tabindex=\"0\">\n";
    for (index, file) in sources.iter().enumerate() {
        let nothing = BTreeMap::new();
        let html = source::render(file, index, notes.get(&index).unwrap_or(&nothing));
        out += &format!("<div class=\"file\" id=\"file{index}\" data-file=\"{index}\">\n{html}</div>\n");
    }
    if sources.is_empty() {
        out += "<p class=\"empty\">The source is not available.</p>\n";
    }
    out += "</div>\n</section>\n<section id=\"views\" aria-label=\"Evidence\">\n";
    out += &evidence;
    out += "</section>\n</main>\n";
    out += &parts::details(page, &files);
    out += "<noscript><p class=\"empty\">The pictures of the automata and of the abstract states need JavaScript.</p></noscript>\n";
    out += &format!("<script type=\"application/json\" id=\"data\">{data}</script>\n");
    out += &format!("<script>\n/*\n{licences}*/\n{script}</script>\n</body>\n</html>\n");
    out
}

/// The files that something in the report speaks of.
fn sources(program: &Program, raw: &[String], outcome: &Outcome, rows: &[trace::Row<'_>]) -> Vec<SourceFile> {
    let views = crate::cfa::views(program, None);
    let entries: Vec<Place> = views.iter().flat_map(|view| crate::cfa::place_of(program, view.entry)).collect();
    let wanted: BTreeSet<&str> = places(outcome)
        .into_iter()
        .chain(rows.iter().filter_map(trace::Row::place))
        .chain(&entries)
        .map(|place| &*place.file)
        .chain(program.source.files().iter().map(|file| &*file.name))
        .filter(|name| !name.starts_with('<'))
        .collect();
    source::files(&program.source, raw, &wanted)
}

/// Places that an outcome names, those of its path left out.
fn places(outcome: &Outcome) -> Vec<&Place> {
    let reason = match &outcome.verdict {
        outcome::Verdict::Unknown(reason) => reason.place(),
        _ => None,
    };
    let invariants = outcome.invariants.iter().map(|invariant| &invariant.place);
    let contracts = outcome.contracts.iter().map(|contract| &contract.place);
    let assumptions = outcome.assumptions.iter().flat_map(|assumption| &assumption.places);
    let checks = outcome.checks.iter().filter_map(|check| check.place.as_ref());
    invariants.chain(checks).chain(contracts).chain(assumptions).chain(reason).collect()
}

/// What stands at the lines of each file.
fn notes(outcome: &Outcome, rows: &[trace::Row<'_>], files: &Files<'_>) -> BTreeMap<usize, BTreeMap<u32, Notes>> {
    let mut notes: BTreeMap<usize, BTreeMap<u32, Notes>> = BTreeMap::new();
    let mut at = |place: Option<&Place>, change: &mut dyn FnMut(&mut Notes)| {
        if let Some((file, line)) = files.at(place) {
            change(notes.entry(file).or_default().entry(line).or_default());
        }
    };
    for invariant in &outcome.invariants {
        at(Some(&invariant.place), &mut |note| note.above += &parts::invariant_note(invariant));
    }
    for contract in &outcome.contracts {
        at(Some(&contract.place), &mut |note| note.above += &parts::contract_note(contract));
    }
    for assumption in &outcome.assumptions {
        for place in &assumption.places {
            at(Some(place), &mut |note| note.below += &parts::remark("assumed", &assumption.text));
        }
    }
    for check in &outcome.checks {
        at(check.place.as_ref(), &mut |note| parts::mark(note, check));
    }
    if let outcome::Verdict::Unknown(reason) = &outcome.verdict {
        at(reason.place(), &mut |note| note.below += &parts::remark("stopped", &crate::text::explain(reason)));
    }
    for row in rows {
        at(row.place(), &mut |note| note.on_path = true);
        if let StepKind::Error { what } = &row.step().kind {
            at(row.place(), &mut |note| note.below += &parts::remark("error", what));
        }
    }
    notes
}

#[cfg(test)]
mod tests;

//! Makes witnesses of outcomes, for the files that `--output` writes.

use crate::job::Job;
use crate::stack::on_large_stack;
use cfa::{MachineModel, Observer, Pattern, Program};
use cfront::machine_model::Machine;
use cfront::preprocess::{self, Source};
use outcome::{Evidence, Outcome, Verdict};
use std::time::{SystemTime, UNIX_EPOCH};
use witness::correctness::{self, Proved};
use witness::sites::Numbering;
use witness::{Content, Info, Sites, hash, violation};

/// A witness that was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// Where it comes from.
    pub info: Info,
    /// What it claims.
    pub content: Content,
}

/// The witness for an outcome; none for `unknown`, and none where the violation has no place in the user's file.
pub fn make(job: &Job, config: &str, program: &Program, outcome: &Outcome) -> Option<Made> {
    let content = on_large_stack(|| content(job, program, outcome))??;
    let observer = &job.property.observer;
    let specification = match (&content, &outcome.evidence) {
        (Content::Violation(_), Evidence::Counterexample(cex)) => {
            let edge = cex.steps.last()?.edge;
            specification(job, observer.transitions.iter().map(|t| &t.on).filter(|on| is_at(program, edge, on)).take(1))
        }
        _ => specification(job, observer.transitions.iter().map(|t| &t.on)),
    };
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let hash = hash::sha256(&job.input.bytes);
    let info = Info {
        producer: ("Hone".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        configuration: config.to_owned(),
        uuid: hash::uuid(&format!("{hash} {seconds} {config} {specification}")),
        creation_time: hash::iso_time(seconds),
        file: job.input.name.clone(),
        hash,
        specification,
        data_model: job.data_model(),
    };
    Some(Made { info, content })
}

fn content(job: &Job, program: &Program, outcome: &Outcome) -> Option<Content> {
    let mut source = source(job).ok()?;
    let numbering = numbering(job, &source);
    c2cfa::libc::append_to(&mut source);
    let mut unit = cfront::parse::parse(&source).ok()?;
    let sites = Sites::new(&mut unit, &source.map, numbering);
    match (&outcome.verdict, &outcome.evidence) {
        (Verdict::False(_), Evidence::Counterexample(cex)) => {
            violation::segments(&sites, program, &job.property.observer, cex).map(Content::Violation)
        }
        (Verdict::True, evidence) => {
            let proved = proved(program, evidence);
            Some(Content::Invariants(correctness::invariants(&sites, &source.map, &proved)))
        }
        _ => None,
    }
}

/// What the evidence says of places in the program.
fn proved(_: &Program, _: &Evidence) -> Vec<Proved> {
    Vec::new()
}

/// The text of a job's program, as the front end sees it.
pub(crate) fn source(job: &Job) -> Result<Source, Vec<base::Diagnostic>> {
    let options = preprocess::Options {
        machine: machine(job.machine),
        args: &job.preprocessor_args,
        path: Some(&job.input.path),
    };
    preprocess::preprocess(&job.input.bytes, &job.input.name, &options)
}

pub(crate) fn machine(model: MachineModel) -> Machine {
    match model {
        MachineModel::Ilp32 => Machine::Ilp32,
        MachineModel::Lp64 => Machine::Lp64,
    }
}

/// Whether the text is the file's, or what the C preprocessor made of it.
pub(crate) fn numbering(job: &Job, source: &Source) -> Numbering {
    let lines = |bytes: &[u8]| bytes.iter().filter(|b| **b == b'\n').count();
    let text = source.map.user_text().as_bytes();
    if text.len() == job.input.bytes.len() && lines(text) == lines(&job.input.bytes) {
        Numbering::File
    } else {
        Numbering::Markers
    }
}

fn is_at(program: &Program, edge: cfa::EdgeId, on: &Pattern) -> bool {
    let observer = Observer::never("", [on.clone()]);
    observer.step(program, Observer::INITIAL, edge) == observer.error
}

/// Patterns that are forbidden, as in a `.prp` file.
fn specification<'a>(job: &Job, patterns: impl Iterator<Item = &'a Pattern>) -> String {
    let entry = &job.property.entry;
    let lines: Vec<String> = patterns
        .map(|on| match on {
            Pattern::Call(name) => format!("CHECK( init({entry}()), LTL(G ! call({name}())) )"),
            Pattern::Label(name) => format!("CHECK( init({entry}()), LTL(G ! label({name})) )"),
        })
        .collect();
    lines.join("\n")
}

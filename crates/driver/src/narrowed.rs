//! A program without what is proved of it already: what is left to analyse is often a small part.

use crate::prepare::Prepared;
use crate::subject::Subject;
use cfa::{EdgeId, Program};
use outcome::{Outcome, PartialProof, Verdict, assumption};
use transform::slice::slice;

/// A program whose runs end where they would break what is proved.
pub(crate) struct Narrowed {
    prepared: Prepared,
    sliced: Program,
    proved: PartialProof,
}

impl Narrowed {
    /// What is left of a subject of which this is proved.
    pub(crate) fn new(subject: &Subject<'_>, proved: &PartialProof) -> Self {
        let edges: Vec<EdgeId> = proved.edges.iter().copied().collect();
        let prepared = subject.prepared.without(subject.observer, &edges);
        let sliced = slice(&prepared.program, &prepared.points_to, &prepared.regions, subject.observer).program;
        Self { prepared, sliced, proved: proved.clone() }
    }

    /// What is left, as a subject that is otherwise the same.
    pub(crate) fn of<'a>(&'a self, subject: &Subject<'a>) -> Subject<'a> {
        Subject { prepared: &self.prepared, sliced: &self.sliced, proved: Some(&self.proved), ..*subject }
    }
}

/// An outcome for what is left as one for the whole program.
pub(crate) fn with_proved(mut outcome: Outcome, proved: Option<&PartialProof>) -> Outcome {
    let Some(proved) = proved else { return outcome };
    outcome.stats.count("proved.edges", proved.edges.len());
    if outcome.verdict == Verdict::True {
        assumption::add(&mut outcome.assumptions, &proved.assumptions);
    } else {
        outcome.partial.get_or_insert_default().add(proved.clone());
    }
    outcome
}

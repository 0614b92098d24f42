//! From a finished exploration to an outcome: statistics, check of the proof, evidence and assumptions, the same for all analyses.

use crate::refinement_loop::Answer;
use analysis::AnalysisError;
use base::Budget;
use cfa::EdgeId;
use outcome::{ArgView, Assumption, Evidence, LoopAbstraction, Outcome, Progress, Statistics, StopReason, Verdict};
use proof::evidence::{MAX_FOR_INVARIANTS, confirm};
use proof::explain::contracts::contracts;
use proof::explain::invariants::invariants;
use proof::graph::ProofGraph;
use std::collections::BTreeSet;
use task::evidence::{Graph, Invariants, ProofCheck, Wanted};
use task::{Task, excluded};

/// What an analysis has explored.
pub trait Finished {
    /// Number of nodes.
    fn nodes(&self) -> usize;

    /// Counts what was computed.
    fn add_statistics(&self, stats: &mut Statistics);

    /// The graph as a proof checker reads it.
    ///
    /// # Errors
    /// When the budget ends, or the graph is not complete.
    fn proof(&mut self) -> Result<ProofGraph, AnalysisError>;

    /// The nodes of the proof that say something about loops, where they are cheaper than the whole graph.
    ///
    /// # Errors
    /// As [`Finished::proof`].
    fn at_loop_heads(&mut self) -> Option<Result<ProofGraph, AnalysisError>> {
        None
    }

    /// The graph for reports; `proof` is the whole graph, if it is known.
    fn view(&mut self, answer: &Answer, proof: Option<ProofGraph>) -> Option<ArgView>;

    /// The strategies for loops that a complete graph takes.
    ///
    /// # Errors
    /// When the budget ends.
    fn loops(&mut self) -> Result<Vec<LoopAbstraction>, AnalysisError>;

    /// The edges at which runs may meet undefined behaviour.
    fn undefined(&self) -> BTreeSet<EdgeId>;

    /// What refinement takes for granted.
    fn assumptions(&self) -> Vec<Assumption> {
        Vec::new()
    }
}

/// The outcome of an analysis that ended with `answer`.
pub fn conclude(
    task: &Task<'_, '_>,
    explored: &mut dyn Finished,
    (answer, mut stats): (Answer, Statistics),
    wanted: Wanted,
    (budget, progress): (&Budget, &dyn Progress),
) -> Outcome {
    explored.add_statistics(&mut stats);
    let nodes = explored.nodes();
    let answer = answer.unless(|| match wanted.proof {
        ProofCheck::Demand => confirm(task, || explored.proof(), budget, progress, &mut stats),
        ProofCheck::Skip => None,
    });
    let (mut told, mut whole) = ((Vec::new(), Vec::new()), None);
    if matches!(answer, Answer::Proved) && wanted.invariants == Invariants::List && nodes <= MAX_FOR_INVARIANTS {
        let tell = |graph: &ProofGraph| (invariants(task.program, task.wto, graph), contracts(task.program, graph));
        match explored.at_loop_heads() {
            Some(heads) => told = heads.map_or(told, |heads| tell(&heads)),
            None => whole = explored.proof().ok(),
        }
        told = whole.as_ref().map_or(told, tell);
    }
    let graph = match wanted.graph {
        Graph::Keep => explored.view(&answer, whole).map(Box::new),
        Graph::Omit => None,
    };
    let mut outcome = answer.outcome(Evidence::Abstraction { nodes: nodes as u64 }, stats);
    outcome.graph = graph;
    if outcome.verdict != Verdict::True {
        return outcome;
    }
    match explored.loops() {
        Ok(loops) => outcome.loops = loops,
        Err(error) => return Outcome { stats: outcome.stats, ..Outcome::unknown(error.reason(budget)) },
    }
    (outcome.invariants, outcome.contracts) = told;
    outcome.assumptions.extend(excluded::assumptions(task.program, explored.undefined()));
    outcome.assumptions.extend(explored.assumptions());
    outcome
}

/// A graph that is no proof.
pub(crate) fn incomplete(what: &str) -> AnalysisError {
    AnalysisError::Failed(StopReason::ProofRejected { why: what.into() })
}

//! What the value analysis has explored, for its outcome.

use super::export::{at_locations, export};
use super::refiner::ValueRefiner;
use super::view::view;
use crate::conclusion::Finished;
use crate::refinement_loop::Answer;
use crate::reselect;
use analysis::{AnalysisError, NodeId, Reachability};
use cfa::EdgeId;
use domains::composite::CompositeCpa;
use domains::value::precision::ValuePrecision;
use outcome::{ArgView, Assumption, LoopAbstraction, Statistics};
use proof::graph::ProofGraph;
use std::collections::BTreeSet;
use task::Task;

/// A graph of values, and what made it.
pub(super) struct ExploredValues<'e, 't, 'a, 'p> {
    pub(super) task: &'e Task<'a, 'p>,
    pub(super) cpa: &'e mut CompositeCpa<'p>,
    pub(super) exploration: &'e Reachability<CompositeCpa<'p>>,
    pub(super) precision: &'e ValuePrecision,
    pub(super) error_path: &'e [NodeId],
    pub(super) refiner: &'e ValueRefiner<'t, 'a, 'p>,
}

impl Finished for ExploredValues<'_, '_, '_, '_> {
    fn nodes(&self) -> usize {
        self.exploration.arg.len()
    }

    fn add_statistics(&self, stats: &mut Statistics) {
        let Self { cpa, refiner, exploration, precision, .. } = self;
        stats.count("value.steps", cpa.steps);
        cpa.strategies.add_statistics(stats);
        stats.count("value.assignments", cpa.store.len());
        stats.count("value.tracked", precision.len());
        stats.bytes("value.memory", (exploration.bytes() + cpa.store.bytes()) as u64);
        refiner.add_statistics(stats);
    }

    fn proof(&mut self) -> Result<ProofGraph, AnalysisError> {
        export(self.cpa, &self.exploration.arg)
    }

    fn at_loop_heads(&mut self) -> Option<Result<ProofGraph, AnalysisError>> {
        Some(Ok(at_locations(self.cpa, &self.exploration.arg, |state| *state, |loc| self.task.wto.is_head(loc))))
    }

    fn view(&mut self, answer: &Answer, _: Option<ProofGraph>) -> Option<ArgView> {
        Some(view(self.cpa, &self.exploration.arg, self.precision, self.error_path, answer))
    }

    fn loops(&mut self) -> Result<Vec<LoopAbstraction>, AnalysisError> {
        reselect::used(self.cpa, &self.exploration.arg, self.task.strategies)
    }

    fn undefined(&self) -> BTreeSet<EdgeId> {
        self.cpa.value.undefined.clone()
    }

    fn assumptions(&self) -> Vec<Assumption> {
        self.refiner.assumptions().to_vec()
    }
}

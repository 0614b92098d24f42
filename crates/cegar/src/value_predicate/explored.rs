//! What the product of values and predicates has explored, for its outcome.

use super::ValuePredicatePrecision;
use super::export::{export, points, uses_predicates};
use super::refiner::ValuePredicateRefiner;
use crate::conclusion::Finished;
use crate::predicate;
use crate::refinement_loop::Answer;
use crate::reselect;
use crate::value::export::at_locations;
use analysis::{AnalysisError, Arg, NodeId};
use base::Budget;
use cfa::EdgeId;
use domains::value_predicate::past::Past;
use domains::value_predicate::{ValuePredicateCpa, ValuePredicateState};
use outcome::{ArgView, LoopAbstraction, Statistics};
use proof::explain::view::{mark, view};
use proof::graph::{Next, ProofGraph};
use std::collections::BTreeSet;
use task::Task;

/// A graph of the product, and what made it.
pub(super) struct ExploredProduct<'e, 't, 'a, 'p, 'b> {
    pub(super) task: &'e Task<'a, 'p>,
    pub(super) cpa: &'e mut ValuePredicateCpa<'p, 'b>,
    pub(super) arg: &'e Arg<ValuePredicateState>,
    pub(super) precision: &'e ValuePredicatePrecision,
    pub(super) error_path: &'e [NodeId],
    pub(super) refiner: &'e ValuePredicateRefiner<'t, 'a, 'p>,
    pub(super) budget: &'e Budget,
}

impl Finished for ExploredProduct<'_, '_, '_, '_, '_> {
    fn nodes(&self) -> usize {
        self.arg.len()
    }

    fn add_statistics(&self, stats: &mut Statistics) {
        let values = &self.cpa.values;
        stats.count("value.steps", values.steps);
        stats.count("value.assignments", values.store.len());
        stats.count("value.tracked", self.precision.values.len());
        stats.count("value.left_to_predicates", values.adjustment.dropped());
        predicate::add_statistics(&self.cpa.predicates, stats);
        stats.count("predicate.asked_points", self.precision.asked());
        self.refiner.add_statistics(stats);
    }

    fn proof(&mut self) -> Result<ProofGraph, AnalysisError> {
        export(self.cpa, self.arg)
    }

    fn at_loop_heads(&mut self) -> Option<Result<ProofGraph, AnalysisError>> {
        let values = |state: &ValuePredicateState| state.values;
        let heads = || at_locations(&self.cpa.values, self.arg, values, |loc| self.task.wto.is_head(loc));
        (!uses_predicates(self.cpa, self.arg)).then(|| Ok(heads()))
    }

    fn view(&mut self, answer: &Answer, proof: Option<ProofGraph>) -> Option<ArgView> {
        let is_proof = matches!(answer, Answer::Proved);
        if !is_proof {
            self.budget.check().ok()?;
        }
        let graph = proof.map_or_else(|| self.proof(), Ok).ok()?;
        let points = points(self.cpa, self.arg);
        let mut shown = view(self.task.program, &graph, |from, to| match &graph.nodes[from].next {
            Next::Along(lists) => {
                lists.iter().find(|(_, next)| *next == to).map_or(Vec::new(), |(edges, _)| edges.clone())
            }
            Next::Reach(_) => path(self.cpa, self.arg, points[from], points[to]),
            Next::Covered(_) | Next::Call { .. } | Next::Enter(_) | Next::Leave | Next::Open | Next::Refuted => {
                Vec::new()
            }
        });
        if !is_proof {
            mark(&mut shown, &points, self.error_path);
        }
        Some(shown)
    }

    fn loops(&mut self) -> Result<Vec<LoopAbstraction>, AnalysisError> {
        reselect::used(self.cpa, self.arg, self.task.strategies)
    }

    fn undefined(&self) -> BTreeSet<EdgeId> {
        let mut undefined = self.cpa.predicates.undefined();
        undefined.extend(&self.cpa.values.value.undefined);
        undefined
    }
}

/// The edges of some path of a block from one node to another one.
fn path(cpa: &mut ValuePredicateCpa<'_, '_>, arg: &Arg<ValuePredicateState>, from: NodeId, to: NodeId) -> Vec<EdgeId> {
    let Past::Point { start, .. } = cpa.pasts.get(arg.state(from).past) else { return Vec::new() };
    let at = cpa.at(&arg.state(to).values);
    let Ok(block) = cpa.predicates.block(start, cpa.predicates.strategies.current()) else { return Vec::new() };
    block.find(at, None).map_or(Vec::new(), |end| block.any_path(end as u32))
}

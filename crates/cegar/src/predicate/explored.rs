//! What an analysis over blocks of predicates has explored, for its outcome.

use super::add_statistics;
use super::export::{Described, export_with, order};
use super::refiner::PredicateRefiner;
use crate::conclusion::Finished;
use crate::refinement_loop::Answer;
use analysis::{AnalysisError, Arg, NodeId, Status};
use base::Budget;
use cfa::EdgeId;
use domains::predicate::PredicateCpa;
use domains::strategy::Used;
use outcome::{ArgView, LoopAbstraction, Statistics};
use proof::explain::view::{mark, view};
use proof::graph::ProofGraph;
use std::collections::BTreeSet;
use task::Task;

/// Says where a state is, and what holds there.
pub type Describe<'d, 'p, 'b, S> = dyn Fn(&mut PredicateCpa<'p, 'b>, &S) -> Described + 'd;

/// A graph over blocks, or several that refer to each other.
pub trait BlockGraph<'p, 'b> {
    /// Number of nodes.
    fn nodes(&self) -> usize;

    /// The graph as a proof checker reads it.
    ///
    /// # Errors
    /// When the budget ends, or the graph is not complete.
    fn export(&self, cpa: &mut PredicateCpa<'p, 'b>) -> Result<ProofGraph, AnalysisError>;

    /// Edges from one node of the exported graph to another.
    fn path(&self, cpa: &mut PredicateCpa<'p, 'b>, from: usize, to: usize) -> Vec<EdgeId>;

    /// Marks the path to the error in the graph for reports.
    fn mark(&self, _: &mut ArgView) {}

    /// The nodes that have their successors.
    fn expanded(&self, _: &mut PredicateCpa<'p, 'b>) -> Vec<Described> {
        Vec::new()
    }
}

/// One graph of the whole program.
pub struct OneGraph<'g, 'd, 'p, 'b, S> {
    arg: &'g Arg<S>,
    order: Vec<NodeId>,
    describe: &'g Describe<'d, 'p, 'b, S>,
    error_path: &'g [NodeId],
}

impl<'g, 'd, 'p, 'b, S> OneGraph<'g, 'd, 'p, 'b, S> {
    /// The nodes of `arg`, with a path to the error if there is one.
    pub fn new(arg: &'g Arg<S>, describe: &'g Describe<'d, 'p, 'b, S>, error_path: &'g [NodeId]) -> Self {
        Self { arg, order: order(arg), describe, error_path }
    }
}

impl<'p, 'b, S> BlockGraph<'p, 'b> for OneGraph<'_, '_, 'p, 'b, S> {
    fn nodes(&self) -> usize {
        self.arg.len()
    }

    fn export(&self, cpa: &mut PredicateCpa<'p, 'b>) -> Result<ProofGraph, AnalysisError> {
        export_with(cpa, self.arg, self.describe)
    }

    fn path(&self, cpa: &mut PredicateCpa<'p, 'b>, from: usize, to: usize) -> Vec<EdgeId> {
        let (start, strategy, _) = (self.describe)(cpa, self.arg.state(self.order[from]));
        let Ok(block) = cpa.block(start, strategy) else { return Vec::new() };
        let end = cpa.end_of(&block, self.arg.node(self.order[to]).choice);
        end.map_or(Vec::new(), |end| block.any_path(end as u32))
    }

    fn mark(&self, shown: &mut ArgView) {
        mark(shown, &self.order, self.error_path);
    }

    fn expanded(&self, cpa: &mut PredicateCpa<'p, 'b>) -> Vec<Described> {
        let expanded = self.arg.ids().filter(|id| self.arg.status(*id) == Status::Expanded);
        expanded.map(|id| (self.describe)(cpa, self.arg.state(id))).collect()
    }
}

/// A graph, and what made it.
pub struct ExploredBlocks<'e, 't, 'a, 'p, 'b> {
    /// What was analysed.
    pub task: &'e Task<'a, 'p>,
    /// The domain.
    pub cpa: &'e mut PredicateCpa<'p, 'b>,
    /// The graph.
    pub graph: &'e dyn BlockGraph<'p, 'b>,
    /// Who refined it.
    pub refiner: &'e PredicateRefiner<'t, 'a, 'p>,
    /// Limits of the run.
    pub budget: &'e Budget,
}

impl Finished for ExploredBlocks<'_, '_, '_, '_, '_> {
    fn nodes(&self) -> usize {
        self.graph.nodes()
    }

    fn add_statistics(&self, stats: &mut Statistics) {
        add_statistics(self.cpa, stats);
        self.refiner.add_statistics(stats);
    }

    fn proof(&mut self) -> Result<ProofGraph, AnalysisError> {
        self.graph.export(self.cpa)
    }

    fn view(&mut self, answer: &Answer, proof: Option<ProofGraph>) -> Option<ArgView> {
        let is_proof = matches!(answer, Answer::Proved);
        if !is_proof {
            self.budget.check().ok()?;
        }
        let graph = proof.map_or_else(|| self.proof(), Ok).ok()?;
        let mut shown = view(self.task.program, &graph, |from, to| self.graph.path(self.cpa, from, to));
        if !is_proof {
            self.graph.mark(&mut shown);
        }
        Some(shown)
    }

    fn loops(&mut self) -> Result<Vec<LoopAbstraction>, AnalysisError> {
        let mut used = Used::new(self.task.strategies);
        if !self.task.strategies.choices.is_empty() {
            for (start, strategy, _) in self.graph.expanded(self.cpa) {
                self.cpa.block(start, strategy)?.chosen.iter().for_each(|(_, edge)| used.take(*edge));
            }
        }
        Ok(used.finish())
    }

    fn undefined(&self) -> BTreeSet<EdgeId> {
        self.cpa.undefined()
    }
}

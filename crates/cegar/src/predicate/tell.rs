//! Turns a graph over blocks that proves the property into evidence: it is checked, shown, and written as loop invariants and contracts.

use super::export::{Described, export_with, order};
use analysis::{AnalysisError, Arg, NodeId};
use base::Budget;
use cfa::EdgeId;
use domains::predicate::PredicateCpa;
use outcome::{ArgView, Contract, Invariant, Progress, Statistics, StopReason};
use proof::evidence::{MAX_FOR_INVARIANTS, confirm};
use proof::explain::contracts::contracts;
use proof::explain::invariants::invariants;
use proof::explain::view::{mark, view};
use proof::graph::ProofGraph;
use task::Task;
use task::evidence::{Graph, Invariants, ProofCheck};

/// What is wanted of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Whether the graph is part of the outcome.
    pub graph: Graph,
    /// Whether the proof is checked again.
    pub proof: ProofCheck,
    /// Whether loop invariants are part of the outcome.
    pub invariants: Invariants,
}

/// What became of it.
#[derive(Default)]
pub struct Told {
    /// Why it is no proof, if it was checked.
    pub rejected: Option<StopReason>,
    /// The graph for reports.
    pub graph: Option<Box<ArgView>>,
    /// The loop invariants.
    pub invariants: Vec<Invariant>,
    /// What it says about calls of recursive functions.
    pub contracts: Vec<Contract>,
}

/// Says where a state is, and what holds there.
pub type Describe<'d, 'p, 'b, S> = dyn Fn(&mut PredicateCpa<'p, 'b>, &S) -> Described + 'd;

/// A proof that is a graph over blocks.
pub trait Proof<'p, 'b> {
    /// Number of nodes.
    fn nodes(&self) -> usize;
    /// The graph.
    ///
    /// # Errors
    /// When the budget ends, or the graph is not complete.
    fn export(&self, cpa: &mut PredicateCpa<'p, 'b>) -> Result<ProofGraph, AnalysisError>;
    /// Edges from one node of the exported graph to another.
    fn path(&self, cpa: &mut PredicateCpa<'p, 'b>, from: usize, to: usize) -> Vec<EdgeId>;
}

/// One graph of the whole program.
struct OneGraph<'g, 'd, 'p, 'b, S> {
    arg: &'g Arg<S>,
    order: Vec<NodeId>,
    describe: &'g Describe<'d, 'p, 'b, S>,
}

impl<'p, 'b, S> Proof<'p, 'b> for OneGraph<'_, '_, 'p, 'b, S> {
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
}

/// Checks and tells a proof; `describe` says where a node is and what holds there.
pub fn tell<'p, 'b, S>(
    task: &Task<'_, 'p>,
    cpa: &mut PredicateCpa<'p, 'b>,
    arg: &Arg<S>,
    wanted: Wanted,
    describe: &Describe<'_, 'p, 'b, S>,
    limits: (&Budget, &dyn Progress),
    stats: &mut Statistics,
) -> Told {
    tell_proof(task, cpa, &OneGraph { arg, order: order(arg), describe }, wanted, limits, stats)
}

/// The same for any proof.
pub fn tell_proof<'p, 'b>(
    task: &Task<'_, 'p>,
    cpa: &mut PredicateCpa<'p, 'b>,
    proof: &dyn Proof<'p, 'b>,
    wanted: Wanted,
    (budget, progress): (&Budget, &dyn Progress),
    stats: &mut Statistics,
) -> Told {
    let mut told = Told::default();
    let lists = wanted.invariants == Invariants::List && proof.nodes() <= MAX_FOR_INVARIANTS;
    if wanted.proof == ProofCheck::Demand {
        told.rejected = confirm(task, || proof.export(cpa), budget, progress, stats);
    }
    if told.rejected.is_some() || !lists && wanted.graph == Graph::Omit {
        return told;
    }
    let Ok(graph) = proof.export(cpa) else { return told };
    if lists {
        told.invariants = invariants(task.program, task.wto, &graph);
        told.contracts = contracts(task.program, &graph);
    }
    if wanted.graph == Graph::Keep {
        told.graph = Some(Box::new(view(task.program, &graph, |from, to| proof.path(cpa, from, to))));
    }
    told
}

/// The graph for reports, where it is no proof; none if the budget has ended.
pub fn explored<'p, 'b, S>(
    task: &Task<'_, 'p>,
    cpa: &mut PredicateCpa<'p, 'b>,
    arg: &Arg<S>,
    describe: &Describe<'_, 'p, 'b, S>,
    error_path: &[NodeId],
    budget: &Budget,
) -> Option<Box<ArgView>> {
    budget.check().ok()?;
    let proof = OneGraph { arg, order: order(arg), describe };
    let graph = proof.export(cpa).ok()?;
    let mut shown = view(task.program, &graph, |from, to| proof.path(cpa, from, to));
    mark(&mut shown, &proof.order, error_path);
    Some(Box::new(shown))
}

//! Explicit-value analysis with block abstractions: configuration `bam-value`.

use super::export::{self, Describe};
use super::kept::{Kept, keep};
use super::view::{Numbers, view};
use super::{BamConfig, BamRefinement, Holes, Popping};
use crate::refinement_loop::Answer;
use crate::value::export::{describe, object_ref};
use crate::value::refiner::ValueRefiner;
use crate::value::view::node as plain_node;
use crate::value::{Tracking, ValueConfig};
use analysis::Arg;
use base::Budget;
use cfa::blocks::{BlockChoice, BlockId, BlockKind, Partition};
use cfa::callgraph::CallGraph;
use cfa::points_to::PointsTo;
use domains::composite::{Composite, CompositeCpa};
use domains::strategy::Strategies;
use domains::value::ValueDomain;
use domains::value::precision::ValuePrecision;
use outcome::{Evidence, Outcome, Progress, StopReason, Verdict};
use proof::evidence::{MAX_FOR_INVARIANTS, confirm};
use proof::explain;
use proof::graph::{ObjectRef, ProofNode};
use step::Locations;
use task::evidence::{Graph, Invariants, ProofCheck};
use task::{Task, excluded};

/// What becomes a block, and how block abstractions are refined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BamSettings {
    /// What becomes a block.
    pub blocks: BlockChoice,
    /// How block abstractions are refined.
    pub refinement: BamRefinement,
    /// Whether calls of recursive blocks are popped.
    pub popping: Popping,
}

/// Abstraction of the stacks of recursive functions [somorjai23], see [`super::stacks`].
pub const STACKS: BamSettings =
    BamSettings { blocks: BlockChoice::Recursive, refinement: BamRefinement::InPlace, popping: Popping::On };

/// Runs the analysis; `points_to` is of the task's program, and `kept` is what other runs have left.
pub fn run(
    task: &Task<'_, '_>,
    points_to: &PointsTo,
    config: &ValueConfig,
    settings: BamSettings,
    kept: Option<&Kept>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let program = task.program;
    let calls = CallGraph::new(program, Some(points_to));
    let locations = Locations::new(program, task.wto, &calls, config.blocks);
    let partition = Partition::new(program, task.wto, &calls, points_to, settings.blocks);
    let blocks = partition.blocks.len();
    let domain = ValueDomain::new(program, points_to);
    let strategies = Strategies::new(task.strategies.clone());
    let mut cpa = CompositeCpa::new(domain, locations, task.observer, strategies, budget).with_blocks(partition);
    let mut precision = match config.tracking {
        Tracking::Refined => ValuePrecision::empty(config.scope),
        Tracking::Everything => ValuePrecision::full(),
    };
    if let Some(Kept { store, settings, run }) = kept {
        cpa = cpa.with_store(store.clone(), *settings, task.observer);
        cpa.recall_precision(&mut precision, *run);
    }
    let mut refiner = ValueRefiner::new(task, budget).with(config.prefixes, config.search).without_graph();
    let holes = match (config.proof, config.graph) {
        (ProofCheck::Skip, Graph::Omit) => Holes::Allowed,
        _ => Holes::Filled,
    };
    let (refinement, popping) = (settings.refinement, settings.popping);
    let bam = BamConfig { cegar: config.cegar, refinement, holes, popping };
    let mut explored = super::run(&mut cpa, &mut refiner, precision, bam, budget, progress);
    let iterations = std::mem::take(&mut explored.stats.iterations);
    explored.stats.count("bam.blocks", blocks);
    explored.stats.count("value.steps", cpa.steps);
    explored.stats.count("value.assignments", cpa.store.len());
    explored.stats.count("value.tracked", explored.precision.len());
    explored.stats.bytes("value.memory", cpa.store.bytes() as u64);
    refiner.add_statistics(&mut explored.stats);
    explored.stats.iterations = iterations;
    let abstractions = &explored.abstractions;
    let nodes = abstractions.nodes() as u64;
    if let (ProofCheck::Demand, Answer::Proved) = (config.proof, &explored.answer) {
        let export = || export::export(&mut cpa, abstractions, budget);
        if let Some(reason) = confirm(task, export, budget, progress, &mut explored.stats) {
            explored.answer = Answer::Unknown(reason);
        }
    }
    let is_rejected = matches!(explored.answer, Answer::Unknown(StopReason::ProofRejected { .. }));
    if let (Some(kept), false) = (kept, is_rejected)
        && cpa.has_news(&explored.precision)
    {
        cpa.keep_precision(&explored.precision, kept.run);
        keep(&mut cpa, &explored.abstractions, &explored.precision, budget);
    }
    let abstractions = &explored.abstractions;
    let mut invariants = Vec::new();
    if let (Invariants::List, Answer::Proved) = (config.invariants, &explored.answer)
        && let Ok(Some(graph)) =
            export::at_locations(&mut cpa, abstractions, |loc| task.wto.is_head(loc), MAX_FOR_INVARIANTS, budget)
    {
        invariants = explain::invariants::invariants(program, task.wto, &graph);
    }
    let precision = &explored.precision;
    let graph = match config.graph {
        Graph::Omit => None,
        Graph::Keep => {
            let mut node = |cpa: &mut CompositeCpa<'_>, arg: &Arg<Composite>, id, numbers: &Numbers| {
                plain_node(cpa, arg, precision, id, numbers)
            };
            Some(Box::new(view(program, &mut cpa, &explored.abstractions, &mut node)))
        }
    };
    let mut outcome = explored.answer.outcome(Evidence::Abstraction { nodes }, explored.stats);
    outcome.graph = graph;
    outcome.invariants = invariants;
    if outcome.verdict == Verdict::True {
        outcome.assumptions.extend(excluded::assumption(program, cpa.value.undefined.iter().copied()));
    }
    outcome
}

impl Describe for CompositeCpa<'_> {
    fn describe(&self, state: &Composite) -> ProofNode {
        describe(self, state)
    }

    fn kind_of(&self, block: BlockId) -> BlockKind {
        self.partition().blocks[block].kind
    }

    fn names(&mut self, before: &Composite) -> Vec<(ObjectRef, ObjectRef)> {
        let names = self.names_in_block(before).into_iter();
        names.map(|(inside, outside)| (object_ref(self, inside), object_ref(self, outside))).collect()
    }
}

//! Explicit-value analysis with block abstractions: configuration `bam-value`.

use super::abstractions::Abstractions;
use super::export::{self, Describe};
use super::kept::{Kept, keep};
use super::view::{Numbers, view};
use super::{BamConfig, BamRefinement, Holes, Popping};
use crate::conclusion::{Finished, conclude};
use crate::refinement_loop::Answer;
use crate::value::export::{describe, object_ref};
use crate::value::refiner::ValueRefiner;
use crate::value::view::node as plain_node;
use crate::value::{Tracking, ValueConfig};
use analysis::{AnalysisError, Arg, Recalling, Reducer};
use base::{Budget, Effort};
use cfa::EdgeId;
use cfa::blocks::{BlockChoice, BlockId, BlockKind, Partition};
use cfa::callgraph::CallGraph;
use cfa::points_to::PointsTo;
use domains::composite::{Composite, CompositeCpa};
use domains::strategy::Strategies;
use domains::value::ValueDomain;
use domains::value::precision::ValuePrecision;
use outcome::{ArgView, LoopAbstraction, Outcome, Progress, Statistics, StopReason, Verdict};
use proof::evidence::MAX_FOR_INVARIANTS;
use proof::graph::{ObjectRef, ProofGraph, ProofNode};
use std::collections::BTreeSet;
use step::Locations;
use task::Task;

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

/// What a run may take besides twice what it took those before it whose precision it begins with.
const RECALLED: Effort = Effort::thousands(100);

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
    let mut domain = ValueDomain::new(program, points_to);
    domain.knows_computed_sizes = false;
    let strategies = Strategies::new(task.strategies.clone());
    let mut cpa = CompositeCpa::new(domain, locations, task.observer, strategies, budget).with_blocks(partition);
    let first = match config.tracking {
        Tracking::Refined => ValuePrecision::empty(config.scope),
        Tracking::Everything => ValuePrecision::full(),
    };
    let (mut precision, mut recalled) = (first.clone(), None);
    if let Some(Kept { store, settings, run }) = kept {
        cpa = cpa.with_store(store.clone(), *settings, task.observer);
        recalled = cpa.recall_precision(&mut precision, *run);
    }
    let new_refiner = || ValueRefiner::new(task, budget).with(config.prefixes, config.search).without_graph();
    let holes = Holes::of_what_is(config.wanted);
    let (refinement, popping) = (settings.refinement, settings.popping);
    let bam = BamConfig { cegar: config.cegar, refinement, holes, popping };
    let (began, mut refiner) = (budget.spent(), new_refiner());
    let share = recalled.map_or_else(|| budget.clone(), |effort| budget.within(effort.doubled(1).plus(RECALLED)));
    let mut explored = super::run(&mut cpa, &mut refiner, precision, bam, &share, progress);
    // A part of what was learnt may track what grows for ever without what ends that.
    if recalled.is_some() && matches!(explored.answer, Answer::Unknown(_)) && budget.check().is_ok() {
        cpa.forget_recalled(Recalling::Ends);
        refiner = new_refiner();
        explored = super::run(&mut cpa, &mut refiner, first, bam, budget, progress);
    }
    let effort = budget.spent().without(began);
    explored.stats.count("bam.blocks", blocks);
    let (abstractions, precision) = (&explored.abstractions, &explored.precision);
    let mut seen = ExploredValues { task, cpa: &mut cpa, abstractions, precision, refiner: &refiner, budget };
    let outcome = conclude(task, &mut seen, (explored.answer, explored.stats), config.wanted, (budget, progress));
    let is_rejected = matches!(outcome.verdict, Verdict::Unknown(StopReason::ProofRejected { .. }));
    if let (Some(kept), false) = (kept, is_rejected)
        && cpa.has_news(precision)
    {
        cpa.keep_precision(precision, kept.run, effort);
        keep(&mut cpa, abstractions, precision, budget);
    }
    outcome
}

/// The graphs of blocks, and what made them.
struct ExploredValues<'e, 't, 'a, 'p> {
    task: &'e Task<'a, 'p>,
    cpa: &'e mut CompositeCpa<'p>,
    abstractions: &'e Abstractions<CompositeCpa<'p>>,
    precision: &'e ValuePrecision,
    refiner: &'e ValueRefiner<'t, 'a, 'p>,
    budget: &'e Budget,
}

impl Finished for ExploredValues<'_, '_, '_, '_> {
    fn nodes(&self) -> usize {
        self.abstractions.nodes()
    }

    fn add_statistics(&self, stats: &mut Statistics) {
        stats.count("value.steps", self.cpa.steps);
        stats.count("value.assignments", self.cpa.store.len());
        stats.count("value.tracked", self.precision.len());
        stats.bytes("value.memory", self.cpa.store.bytes() as u64);
        self.refiner.add_statistics(stats);
    }

    fn proof(&mut self) -> Result<ProofGraph, AnalysisError> {
        export::export(self.cpa, self.abstractions, self.budget)
    }

    fn at_loop_heads(&mut self) -> Option<Result<ProofGraph, AnalysisError>> {
        let is_head = |loc| self.task.wto.is_head(loc);
        Some(export::at_locations(self.cpa, self.abstractions, is_head, MAX_FOR_INVARIANTS, self.budget))
    }

    fn view(&mut self, _: &Answer, _: Option<ProofGraph>) -> Option<ArgView> {
        let mut node = |cpa: &mut CompositeCpa<'_>, arg: &Arg<Composite>, id, numbers: &Numbers| {
            plain_node(cpa, arg, self.precision, id, numbers)
        };
        Some(view(self.task.program, self.cpa, self.abstractions, &mut node))
    }

    fn loops(&mut self) -> Result<Vec<LoopAbstraction>, AnalysisError> {
        Ok(Vec::new())
    }

    fn undefined(&self) -> BTreeSet<EdgeId> {
        self.cpa.value.undefined.clone()
    }
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

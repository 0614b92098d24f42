//! Lazy abstraction with interpolants, "Impact" [mcmillan06], over large blocks [beyer09].
//!
//! No abstract successors are computed: labels begin with nothing and are strengthened by the interpolants of refuted error paths only.
//! Blocks, path formulas and engines are those of the predicate analysis ([`crate::predicate`]), and so is the form of its proofs.

pub mod search;
pub mod unwinding;

use crate::bmc::Task;
use crate::cegar::Answer;
use crate::predicate::refiner::PredicateRefiner;
use crate::predicate::tell::{Told, Wanted, tell};
use crate::predicate::{Abstraction, BlockEnds, Parts};
use analysis::Order;
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::procedures::Procedures;
use domains::predicate::PredicateCpa;
use domains::predicate::points::Points;
use domains::strategy::Strategies;
use encode::Encoder;
use encode::encoder::MayPointTo;
use outcome::{Evidence, Outcome, Progress, Property, StopReason, Verdict};
use refine::formula::chain::Chain;
use search::Search;
use unwinding::Vertex;

/// Configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImpactConfig {
    /// Where blocks end.
    pub blocks: BlockEnds,
    /// Order of exploration.
    pub order: Order,
    /// How many older vertices are tried to cover a vertex by force.
    pub forced_attempts: usize,
    /// What becomes of a proof.
    pub proof: Wanted,
}

impl Default for ImpactConfig {
    fn default() -> Self {
        Self { blocks: BlockEnds::default(), order: Order::Dfs, forced_attempts: 2, proof: Wanted::default() }
    }
}

/// Runs the algorithm.
pub fn run(
    task: &Task<'_, '_>,
    parts: Parts<'_>,
    config: &ImpactConfig,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let program = task.program;
    let may_point_to: MayPointTo<'_> = Box::new(task.may_point_to);
    let enc = match Encoder::new(program, may_point_to) {
        Ok(enc) => enc,
        Err(what) => return Outcome::unknown(StopReason::TooLarge { what: what.into() }),
    };
    let calls = CallGraph::new(program, Some(parts.points_to));
    let points = Points::new(program, task.wto, &calls, &Procedures::none(), config.blocks);
    let abstraction = Abstraction::default();
    let property = (task.observer, Strategies::default());
    let mut cpa = PredicateCpa::new(
        enc,
        parts.points_to,
        (points, Procedures::none()),
        property,
        parts.backend,
        abstraction,
        budget,
    );
    let mut refiner = PredicateRefiner::new(task, parts.backend, Chain::new(parts.engines), budget);
    let mut search = Search::new(&mut cpa, &mut refiner, config.order, config.forced_attempts, budget, progress);
    let mut answer = search.run();
    let (mut stats, tree) = (std::mem::take(&mut search.stats), std::mem::take(&mut search.tree));
    let iterations = std::mem::take(&mut stats.iterations);
    crate::predicate::add_statistics(&cpa, &mut stats);
    refiner.add_statistics(&mut stats);
    stats.iterations = iterations;
    let mut told = Told::default();
    if let Answer::Proved = &answer {
        let describe = |cpa: &mut PredicateCpa<'_, '_>, vertex: &Vertex| {
            (vertex.start, cpa.strategies.current(), vertex.facts.clone())
        };
        told = tell(task, &mut cpa, &tree.arg, config.proof, &describe, (budget, progress), &mut stats);
        if let Some(reason) = told.rejected.take() {
            answer = Answer::Unknown(reason);
        }
    }
    let mut outcome = match answer {
        Answer::Proved => {
            Outcome::new(Verdict::True, Evidence::Abstraction { nodes: tree.arg.len() as u64, graph: told.graph })
        }
        Answer::Refuted(counterexample) => {
            Outcome::new(Verdict::False(Property::UnreachCall), Evidence::Counterexample(counterexample))
        }
        Answer::Unknown(reason) => Outcome::unknown(reason),
    };
    outcome.stats = stats;
    outcome.invariants = told.invariants;
    crate::predicate::add_assumptions(&cpa, task.observer, &mut outcome);
    outcome
}

//! Lazy abstraction with interpolants, "Impact" [mcmillan06], over large blocks [beyer09].
//!
//! No abstract successors are computed: labels begin with nothing and are strengthened by the interpolants of refuted error paths only.
//! Blocks, path formulas and engines are those of the predicate analysis ([`crate::predicate`]), and so is the form of its proofs.

pub mod search;
pub mod unwinding;

use crate::predicate::refiner::PredicateRefiner;
use crate::predicate::tell::{self, Told, Wanted, tell};
use crate::predicate::{self, Abstraction, BlockEnds, Parts};
use crate::refinement_loop::Answer;
use analysis::{AnalysisError, Arg, Order, Status};
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::procedures::Procedures;
use domains::predicate::PredicateCpa;
use domains::strategy::Strategies;
use domains::strategy::Used;
use outcome::{Evidence, LoopAbstraction, Outcome, Progress, Verdict};
use refine::formula::chain::Chain;
use search::Search;
use task::Task;
use task::evidence::Graph;
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
    let calls = CallGraph::new(task.program, Some(parts.points_to));
    let settings = (config.blocks, Abstraction::default());
    let strategies = Strategies::new(task.strategies.clone());
    let mut cpa = match predicate::domain(task, &parts, &calls, settings, (strategies, Procedures::none()), budget) {
        Ok(cpa) => cpa,
        Err(reason) => return Outcome::unknown(reason),
    };
    let mut refiner = PredicateRefiner::new(task, parts.backend, Chain::new(parts.engines), budget);
    let mut search = Search::new(&mut cpa, &mut refiner, config.order, config.forced_attempts, budget, progress);
    let answer = search.run();
    let (mut stats, tree) = (std::mem::take(&mut search.stats), std::mem::take(&mut search.tree));
    let iterations = std::mem::take(&mut stats.iterations);
    predicate::add_statistics(&cpa, &mut stats);
    refiner.add_statistics(&mut stats);
    stats.iterations = iterations;
    let mut told = Told::default();
    let describe = |cpa: &mut PredicateCpa<'_, '_>, vertex: &Vertex| {
        (vertex.start, cpa.strategies.current(), vertex.facts.clone())
    };
    if let Answer::Proved = &answer {
        told = tell(task, &mut cpa, &tree.arg, config.proof, &describe, (budget, progress), &mut stats);
    } else if config.proof.graph == Graph::Keep {
        told.graph = tell::explored(task, &mut cpa, &tree.arg, &describe, &[], budget);
    }
    let answer = answer.unless(|| told.rejected.take());
    let evidence = Evidence::Abstraction { nodes: tree.arg.len() as u64 };
    let mut outcome = answer.outcome(evidence, stats);
    outcome.graph = told.graph;
    if outcome.verdict == Verdict::True {
        match used(&mut cpa, &tree.arg, task) {
            Ok(loops) => outcome.loops = loops,
            Err(error) => return Outcome { stats: outcome.stats, ..Outcome::unknown(error.reason(budget)) },
        }
    }
    outcome.invariants = told.invariants;
    predicate::add_assumptions(&cpa, &mut outcome);
    outcome
}

/// The strategies that a complete tree takes.
fn used(
    cpa: &mut PredicateCpa<'_, '_>,
    arg: &Arg<Vertex>,
    task: &Task<'_, '_>,
) -> Result<Vec<LoopAbstraction>, AnalysisError> {
    let mut used = Used::new(task.strategies);
    if !task.strategies.choices.is_empty() {
        let strategy = cpa.strategies.current();
        for id in arg.ids().filter(|id| arg.status(*id) == Status::Expanded) {
            cpa.block(arg.state(id).start, strategy)?.chosen.iter().for_each(|(_, edge)| used.take(*edge));
        }
    }
    Ok(used.finish())
}

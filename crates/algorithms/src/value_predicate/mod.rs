//! Explicit values, and predicates for what they can't tell [loewe13, Sect. III-F; beyer08].
//!
//! [`run`] assembles the product of domains, the refiner that prefers values, and the refinement loop. Its task has no strategies for
//! loops.

pub mod export;
pub mod refiner;

use crate::bmc::Task;
use crate::cegar::{self, Answer, CegarConfig};
use crate::evidence::{ProofCheck, confirm};
use crate::predicate::{self, Abstraction, Parts, PredicateScope};
use crate::vacuity::vacuous;
use crate::value::{Prefixes, Scope, Search, Tracking};
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::procedures::Procedures;
use domains::composite::CompositeCpa;
use domains::location::{Blocks, Locations};
use domains::predicate::PredicateCpa;
use domains::predicate::points::{BlockEnds, Points};
use domains::strategy::Strategies;
use domains::value::ValueDomain;
use domains::value::adjustment::Adjustment;
use domains::value::precision::ValuePrecision;
use domains::value_predicate::ValuePredicateCpa;
use domains::value_predicate::precision::ValuePredicatePrecision;
use encode::Encoder;
use encode::encoder::MayPointTo;
use outcome::{Evidence, Outcome, Progress, StopReason, Verdict};
use refine::formula::chain::Chain;
use refiner::ValuePredicateRefiner;

/// Configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ValuePredicateConfig {
    /// Which values are tracked.
    pub tracking: Tracking,
    /// Where a discovered variable is tracked.
    pub value_scope: Scope,
    /// Which contradiction of an error path is interpolated.
    pub prefixes: Prefixes,
    /// Whether violations are sought near paths that only the solver refutes.
    pub search: Search,
    /// A variable with more values than this on a path is left to predicates.
    pub values_per_variable: Option<u32>,
    /// How predicates are combined.
    pub abstraction: Abstraction,
    /// Where a discovered predicate is used.
    pub predicate_scope: PredicateScope,
    /// Order of exploration, and what a refinement cuts.
    pub cegar: CegarConfig,
    /// Whether a proof is checked again.
    pub proof: ProofCheck,
}

/// Runs the analysis.
pub fn run(
    task: &Task<'_, '_>,
    parts: Parts<'_>,
    config: &ValuePredicateConfig,
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
    let locations = Locations::new(program, task.wto, &calls, Blocks::Joins);
    let points = Points::new(program, task.wto, &calls, &Procedures::none(), BlockEnds::Loops);
    let strategies = Strategies::new(task.strategies.clone());
    let domain = ValueDomain::new(program, parts.points_to);
    let mut values = CompositeCpa::new(domain, locations, task.observer, strategies.clone(), budget);
    values.adjustment = Adjustment::new(config.values_per_variable);
    let property = (task.observer, strategies);
    let predicates = PredicateCpa::new(
        enc,
        parts.points_to,
        (points, Procedures::none()),
        property,
        parts.backend,
        config.abstraction,
        budget,
    );
    let mut cpa = ValuePredicateCpa::new(values, predicates);
    let mut refiner = ValuePredicateRefiner::new(
        task,
        config.prefixes,
        config.search,
        parts.backend,
        Chain::new(parts.engines),
        budget,
    );
    let tracked = match config.tracking {
        Tracking::Refined => ValuePrecision::empty(config.value_scope),
        Tracking::Everything => ValuePrecision::full(),
    };
    let precision = ValuePredicatePrecision::new(tracked, config.predicate_scope);
    let mut explored = cegar::run(&mut cpa, &mut refiner, precision, config.cegar, budget, progress);
    let stats = &mut explored.stats;
    let iterations = std::mem::take(&mut stats.iterations);
    stats.count("value.steps", cpa.values.steps);
    stats.count("value.assignments", cpa.values.store.len());
    stats.count("value.tracked", explored.precision.values.len());
    stats.count("value.left_to_predicates", cpa.values.adjustment.dropped());
    predicate::add_statistics(&cpa.predicates, stats);
    stats.count("predicate.asked_points", explored.precision.asked());
    refiner.add_statistics(stats);
    stats.iterations = iterations;
    let nodes = explored.exploration.arg.len() as u64;
    if let (ProofCheck::Demand, Answer::Proved) = (config.proof, &explored.answer) {
        let arg = &explored.exploration.arg;
        let export = || export::export(&mut cpa, arg);
        if let Some(reason) = confirm(task, export, budget, progress, &mut explored.stats) {
            explored.answer = Answer::Unknown(reason);
        }
    }
    if let Answer::Proved = &explored.answer {
        let undefined = cpa.values.value.undefined.clone();
        match vacuous(&mut cpa, &explored.exploration.arg, (program, task.observer), &undefined) {
            Ok(None) => {}
            Ok(Some(reason)) => explored.answer = Answer::Unknown(reason),
            Err(error) => explored.answer = Answer::Unknown(error.reason(budget)),
        }
    }
    let mut outcome = explored.answer.outcome(Evidence::Abstraction { nodes, graph: None }, explored.stats);
    if outcome.verdict == Verdict::True {
        let mut undefined = cpa.predicates.undefined();
        undefined.extend(&cpa.values.value.undefined);
        outcome.assumptions.extend(cegar::undefined_behaviour(program, &undefined));
    }
    outcome
}

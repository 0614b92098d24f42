//! Explicit values, and predicates for what they can't tell [loewe13, Sect. III-F; beyer08].
//!
//! [`run`] assembles the product of domains, the refiner that prefers values, and the refinement loop.

mod explored;
pub mod export;
mod diverging;
pub mod refiner;

use crate::conclusion::conclude;
use crate::predicate::{self, Abstraction, BlockEnds, Parts, PredicateScope};
use crate::refinement_loop::{self, CegarConfig};
use crate::value::{Prefixes, Scope, Tracking};
use base::Budget;
use bmc::residual::Search;
use cfa::callgraph::CallGraph;
use cfa::procedures::Procedures;
use domains::composite::CompositeCpa;
use domains::strategy::Strategies;
use domains::value::ValueDomain;
use domains::value::adjustment::Adjustment;
use domains::value::precision::ValuePrecision;
use domains::value_predicate::ValuePredicateCpa;
use domains::value_predicate::precision::ValuePredicatePrecision;
use explored::ExploredProduct;
use outcome::{Outcome, Progress};
use refine::formula::chain::Chain;
use refiner::ValuePredicateRefiner;
use step::{Blocks, Locations};
use task::Task;
use task::evidence::Wanted;

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
    /// What becomes of a proof.
    pub wanted: Wanted,
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
    let calls = CallGraph::new(program, Some(parts.points_to));
    let strategies = Strategies::new(task.strategies.clone());
    let settings = (BlockEnds::Loops, config.abstraction);
    let predicates =
        match predicate::domain(task, &parts, &calls, settings, (strategies.clone(), Procedures::none()), budget) {
            Ok(predicates) => predicates,
            Err(reason) => return Outcome::unknown(reason),
        };
    let locations = Locations::new(program, task.wto, &calls, Blocks::Joins);
    let domain = ValueDomain::new(program, parts.points_to);
    let mut values = CompositeCpa::new(domain, locations, task.observer, strategies, budget);
    values.adjustment = Adjustment::new(config.values_per_variable);
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
    let explored = refinement_loop::run(&mut cpa, &mut refiner, precision, config.cegar, budget, progress);
    let refinement_loop::Explored { answer, error_path, exploration, precision, stats } = explored;
    let mut explored = ExploredProduct {
        task,
        cpa: &mut cpa,
        arg: &exploration.arg,
        precision: &precision,
        error_path: &error_path,
        refiner: &refiner,
        budget,
    };
    conclude(task, &mut explored, (answer, stats), config.wanted, (budget, progress))
}

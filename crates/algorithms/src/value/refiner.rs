//! Decides error paths of the value analysis and refines its precision.
//!
//! A path is followed with everything tracked. If it contradicts itself, the precision is refined ([`super::refinement`]). If not,
//! it is checked bit by bit, and if that refutes it, a violation is sought near it.

use super::hunt::{Effort, Hunter, Near};
use super::refinement::{Patience, ValueRefinement};
use super::{Prefixes, Search};
use crate::bmc::Task;
use crate::cegar::{ErrorPath, Refinement, Refiner};
use crate::path_check::{self, PathCheck};
use crate::{reselect, unmodelled};
use analysis::{AnalysisError, Arg, Target};
use base::Budget;
use domains::composite::{Composite, CompositeCpa};
use domains::value::precision::ValuePrecision;
use outcome::{Counterexample, Statistics, StopReason};
use std::time::{Duration, Instant};

/// See the module.
pub struct ValueRefiner<'t, 'a, 'p> {
    task: &'t Task<'a, 'p>,
    budget: &'t Budget,
    checks: u64,
    check_time: Duration,
    hunter: Hunter<'t, 'a, 'p>,
    refinement: ValueRefinement,
}

impl<'t, 'a, 'p> ValueRefiner<'t, 'a, 'p> {
    /// A refiner for one run.
    pub fn new(task: &'t Task<'a, 'p>, budget: &'t Budget) -> Self {
        Self {
            task,
            budget,
            checks: 0,
            check_time: Duration::ZERO,
            hunter: Hunter::new(task, Search::default(), Effort::Full, budget),
            refinement: ValueRefinement::new(Prefixes::default()),
        }
    }

    /// The same with other settings.
    pub fn with(self, prefixes: Prefixes, search: Search) -> Self {
        let hunter = Hunter::new(self.task, search, Effort::Full, self.budget);
        Self { hunter, refinement: ValueRefinement::new(prefixes), ..self }
    }

    /// The same for block abstractions, which have not one graph.
    pub fn without_graph(self) -> Self {
        let refinement = self.refinement.patient(Patience::BLOCKS);
        Self { hunter: self.hunter.near(Near::Paths), refinement, ..self }
    }

    /// Appends what was counted.
    pub fn add_statistics(&self, stats: &mut Statistics) {
        self.refinement.add_statistics(stats);
        stats.count("value.path_checks", self.checks);
        stats.time("value.check_time", self.check_time);
        stats.count("value.hunts", self.hunter.hunts);
    }

    /// The path is feasible for values: is it in the program?
    fn check(
        &mut self,
        cpa: &mut CompositeCpa<'_>,
        arg: &Arg<Composite>,
        path: &ErrorPath,
    ) -> Result<Refinement, AnalysisError> {
        let program = self.task.program;
        if let Some(refinement) = reselect::refine(&mut cpa.strategies, &path.nodes, &path.edges, &path.positions) {
            return Ok(refinement);
        }
        if let Target::Unmodelled(edge) = path.target {
            return Ok(Refinement::Open(unmodelled::operation(program, edge)));
        }
        let began = Instant::now();
        let checked = path_check::check(self.task, &path.edges, self.budget);
        self.checks += 1;
        self.check_time += began.elapsed();
        Ok(match checked? {
            PathCheck::Feasible(counterexample) => Refinement::Feasible(counterexample),
            PathCheck::Unknown(reason) => {
                reselect::refine_exact(&mut cpa.strategies, &path.nodes, &path.edges, &path.positions)
                    .unwrap_or(Refinement::Open(reason))
            }
            PathCheck::Infeasible { edge } => {
                if let Some(counterexample) = self.hunter.look_near(cpa, arg, &path.edges)? {
                    return Ok(Refinement::Feasible(counterexample));
                }
                let edge = path.edges.get(edge);
                let place = edge.and_then(|e| program.source.place(program.edges[*e].span.lo));
                Refinement::Open(StopReason::TooCoarse { domain: "value", place })
            }
        })
    }
}

impl Refiner<CompositeCpa<'_>> for ValueRefiner<'_, '_, '_> {
    fn refine(
        &mut self,
        cpa: &mut CompositeCpa<'_>,
        arg: &Arg<Composite>,
        precision: &mut ValuePrecision,
        path: &ErrorPath,
    ) -> Result<Refinement, AnalysisError> {
        let trace = self.refinement.follow(cpa, &path.edges);
        if trace.contradictions.is_empty() {
            let refinement = self.check(cpa, arg, path)?;
            if let Refinement::Reselected { .. } = refinement {
                // What refuted runs through a strategy need not help without it, and may keep apart what should meet.
                precision.forget();
            }
            return Ok(refinement);
        }
        self.budget.check()?;
        let refined = self.refinement.refine(cpa, |node| *arg.state(node), precision, path, &trace);
        Ok(refined.unwrap_or(Refinement::NoProgress))
    }

    fn last_look(
        &mut self,
        cpa: &mut CompositeCpa<'_>,
        arg: &Arg<Composite>,
    ) -> Result<Option<Box<Counterexample>>, AnalysisError> {
        self.hunter.last_look(cpa, arg)
    }
}

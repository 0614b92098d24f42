//! Decides error paths of the value analysis and refines its precision.
//!
//! A path is followed with everything tracked. If it contradicts itself, the precision is refined ([`super::refinement`]). If not,
//! it is checked bit by bit, and if that refutes it, a violation is sought near it.

use super::refinement::ValueRefinement;
use super::{Prefixes, Search, hunt};
use crate::bmc::Task;
use crate::cegar::{ErrorPath, Refinement, Refiner};
use crate::path_check::{self, PathCheck};
use analysis::{AnalysisError, Arg, Target};
use base::Budget;
use cfa::{EdgeId, Op, Program};
use domains::composite::{Composite, CompositeCpa};
use domains::value::precision::ValuePrecision;
use outcome::{Counterexample, Statistics, StopReason};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// See the module.
pub struct ValueRefiner<'t, 'a, 'p> {
    task: &'t Task<'a, 'p>,
    budget: &'t Budget,
    search: Search,
    checks: u64,
    check_time: Duration,
    /// Paths that are infeasible for reasons that values do not show.
    open_paths: u32,
    /// Edges of the program near them that was searched last.
    hunted: FxHashSet<EdgeId>,
    hunts: u64,
    refinement: ValueRefinement,
}

/// Least time for a search near infeasible paths.
const HUNT_TIME: Duration = Duration::from_secs(1);
/// Part of the time that is left that one search may take.
const HUNT_SHARE: u32 = 4;

impl<'t, 'a, 'p> ValueRefiner<'t, 'a, 'p> {
    /// A refiner for one run.
    pub fn new(task: &'t Task<'a, 'p>, prefixes: Prefixes, search: Search, budget: &'t Budget) -> Self {
        Self {
            task,
            budget,
            search,
            checks: 0,
            check_time: Duration::ZERO,
            open_paths: 0,
            hunted: FxHashSet::default(),
            hunts: 0,
            refinement: ValueRefinement::new(prefixes),
        }
    }

    /// Appends what was counted.
    pub fn add_statistics(&self, stats: &mut Statistics) {
        self.refinement.add_statistics(stats);
        stats.count("value.path_checks", self.checks);
        stats.time("value.check_time", self.check_time);
        stats.count("value.hunts", self.hunts);
    }

    /// The path is feasible for values: is it in the program?
    fn check(
        &mut self,
        cpa: &mut CompositeCpa<'_>,
        arg: &Arg<Composite>,
        path: &ErrorPath,
    ) -> Result<Refinement, AnalysisError> {
        let program = self.task.program;
        if let Target::Unmodelled(edge) = path.target {
            return Ok(Refinement::Open(unmodelled(program, edge)));
        }
        let began = Instant::now();
        let checked = path_check::check(self.task, &path.edges, self.budget);
        self.checks += 1;
        self.check_time += began.elapsed();
        Ok(match checked? {
            PathCheck::Feasible(counterexample) => Refinement::Feasible(counterexample),
            PathCheck::Unknown(reason) => Refinement::Open(reason),
            PathCheck::Infeasible { edge } => {
                if let Some(counterexample) = self.hunt(cpa, arg, path)? {
                    return Ok(Refinement::Feasible(counterexample));
                }
                let edge = path.edges.get(edge);
                let place = edge.and_then(|e| program.source.place(program.edges[*e].span.lo));
                Refinement::Open(StopReason::TooCoarse { domain: "value", place })
            }
        })
    }

    /// Looks for a violation near the infeasible paths so far; less and less often.
    fn hunt(
        &mut self,
        cpa: &mut CompositeCpa<'_>,
        arg: &Arg<Composite>,
        path: &ErrorPath,
    ) -> Result<Option<Box<Counterexample>>, AnalysisError> {
        self.open_paths += 1;
        if !self.open_paths.is_power_of_two() {
            return Ok(None);
        }
        let edges = match self.open_paths {
            1 => path.edges.iter().copied().collect(),
            _ => hunt::edges_to_targets(cpa, arg)?,
        };
        self.hunt_in(edges)
    }

    fn hunt_in(&mut self, edges: FxHashSet<EdgeId>) -> Result<Option<Box<Counterexample>>, AnalysisError> {
        self.budget.check()?;
        if edges == self.hunted || self.search == Search::None {
            return Ok(None);
        }
        self.hunts += 1;
        let share = self.budget.remaining().map_or(Duration::MAX, |left| left / HUNT_SHARE);
        let found = hunt::hunt(self.task, &edges, &self.budget.within(share.clamp(HUNT_TIME, 8 * HUNT_TIME)));
        self.hunted = edges;
        Ok(found)
    }
}

/// Why nothing is known of what happens after an edge that the values do not model.
pub(crate) fn unmodelled(program: &Program, edge: EdgeId) -> StopReason {
    let place = program.source.place(program.edges[edge].span.lo);
    match &program.edges[edge].op {
        Op::Unsupported(id) => {
            let unsupported = &program.unsupported[*id];
            StopReason::Unsupported {
                construct: unsupported.construct.clone(),
                detail: unsupported.detail.clone(),
                place: program.source.place(unsupported.span.lo).or(place),
            }
        }
        Op::CallPtr { .. } => {
            let construct = "call through an unresolved pointer".into();
            StopReason::Unsupported { construct, detail: String::new(), place }
        }
        Op::Undefined(what) => StopReason::Undefined { what: cfa::display::undefined(*what).to_owned(), place },
        _ => StopReason::Undefined { what: "access out of bounds".into(), place },
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
            return self.check(cpa, arg, path);
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
        // What is not modelled on all paths is no violation near one.
        if self.open_paths == 0 {
            return Ok(None);
        }
        let edges = hunt::edges_to_targets(cpa, arg)?;
        self.hunt_in(edges)
    }
}

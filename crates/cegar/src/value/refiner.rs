//! Decides error paths of the value analysis and refines its precision.
//!
//! A path is followed with everything tracked. If it contradicts itself, the precision is refined ([`super::refinement`]). If not,
//! it is checked bit by bit, and if that refutes it, a violation is sought near it.

use super::Prefixes;
use super::path_program::{Near, Pace, PathPrograms};
use super::refinement::{Patience, ValueRefinement};
use crate::refinement_loop::{ErrorPath, Refinement, Refiner};
use crate::reselect;
use analysis::{AnalysisError, Arg, Status, Target, edges_to_targets};
use base::{Budget, Effort};
use bmc::residual::{ResidualProgram, Search};
use cfa::{EdgeId, Op};
use domains::composite::{Composite, CompositeCpa};
use domains::value::precision::ValuePrecision;
use outcome::{Assumption, Counterexample, Statistics, StopReason};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};
use task::Task;
use task::path_check::{self, PathCheck};
use task::unmodelled;

/// Most paths through strategies that wait for the end of exploration because only the solver refutes them.
const MAX_DEFERRED: u32 = 16;
/// Longer ones do not: their formulas are hard, and only guide the choice of strategies.
const MAX_DEFERRED_EDGES: usize = 2000;
/// Effort for paths that do not wait because runs may take them: where there are such, strategies are taken back without asking.
const MAX_VAIN: Effort = Effort::thousands(60);
/// Effort for the first look at what the graph leaves open; each other one has twice as much.
const REST_EFFORT: Effort = Effort::thousands(1_000);
/// The same where loops are left in it.
const REST_EFFORT_OF_LOOPS: Effort = Effort::thousands(100);
/// Most such looks.
const MAX_LOOKS: u32 = 5;

/// See the module.
pub struct ValueRefiner<'t, 'a, 'p> {
    task: &'t Task<'a, 'p>,
    budget: &'t Budget,
    checks: u64,
    check_time: Duration,
    path_programs: PathPrograms<'t, 'a, 'p>,
    refinement: ValueRefinement,
    search: Search,
    /// Paths that wait, see [`MAX_DEFERRED`].
    deferred: u32,
    /// Effort for paths that do not wait.
    vain: Effort,
    /// Whether they have to be decided now.
    insists: bool,
    /// What the graph left open when it was looked at last.
    rest: FxHashSet<EdgeId>,
    /// So often that was done.
    looks: u32,
    /// What the proof assumes that no run takes what is left open.
    assumptions: Vec<Assumption>,
}

impl<'t, 'a, 'p> ValueRefiner<'t, 'a, 'p> {
    /// A refiner for one run.
    pub fn new(task: &'t Task<'a, 'p>, budget: &'t Budget) -> Self {
        Self {
            task,
            budget,
            checks: 0,
            check_time: Duration::ZERO,
            path_programs: PathPrograms::new(task, Search::default(), Pace::Full, budget),
            refinement: ValueRefinement::new(Prefixes::default()),
            search: Search::default(),
            deferred: 0,
            vain: Effort::ZERO,
            insists: false,
            rest: FxHashSet::default(),
            looks: 0,
            assumptions: Vec::new(),
        }
    }

    /// The same with other settings.
    pub fn with(self, prefixes: Prefixes, search: Search) -> Self {
        let path_programs = PathPrograms::new(self.task, search, Pace::Full, self.budget);
        Self { path_programs, refinement: ValueRefinement::new(prefixes), search, ..self }
    }

    /// The same for block abstractions, which have not one graph.
    pub fn without_graph(self) -> Self {
        let refinement = self.refinement.patient(Patience::BLOCKS);
        Self { path_programs: self.path_programs.near(Near::Paths), refinement, ..self }
    }

    /// Appends what was counted.
    pub fn add_statistics(&self, stats: &mut Statistics) {
        self.refinement.add_statistics(stats);
        stats.count("value.path_checks", self.checks);
        stats.time("value.check_time", self.check_time);
        stats.count("value.path_programs", self.path_programs.searched);
        if self.looks > 0 {
            stats.count("value.looks_at_rest", u64::from(self.looks));
        }
    }

    /// What a proof assumes besides what values say.
    pub fn assumptions(&self) -> &[Assumption] {
        &self.assumptions
    }

    /// Whether the path enters an over-approximating strategy, values don't refute it, but the solver does: then another
    /// strategy may not be necessary.
    fn waits(&mut self, cpa: &CompositeCpa<'_>, path: &ErrorPath) -> Result<bool, AnalysisError> {
        let is_abstract = cpa.strategies.pivot(&path.edges).is_some();
        let is_suitable = matches!(path.target, Target::Violation) && path.edges.len() <= MAX_DEFERRED_EDGES;
        if !is_abstract || !is_suitable || self.insists || self.search == Search::None || self.deferred >= MAX_DEFERRED
        {
            return Ok(false);
        }
        self.checks += 1;
        let began = self.budget.spent();
        let waits = path_check::is_infeasible(self.task, &path.edges, self.budget)?;
        if waits {
            self.deferred += 1;
        } else {
            self.vain = self.vain.plus(self.budget.spent().without(began));
            self.insists = self.vain > MAX_VAIN;
        }
        Ok(waits)
    }

    /// The path is feasible for values: is it in the program?
    fn check(
        &mut self,
        cpa: &mut CompositeCpa<'_>,
        arg: &Arg<Composite>,
        path: &ErrorPath,
    ) -> Result<Refinement, AnalysisError> {
        let program = self.task.program;
        if self.waits(cpa, path)? {
            return Ok(Refinement::Deferred);
        }
        if let Some(refinement) = reselect::refine(&mut cpa.strategies, &path.nodes, &path.edges, &path.positions) {
            return Ok(refinement);
        }
        if let Target::Unmodelled(edge) = path.target {
            // No operation of such an edge is followed, so that only the way to it can say that no run gets there.
            let way = path.edges.strip_suffix(&[edge]).unwrap_or(&path.edges);
            let is_end = matches!(program.edges[edge].op, Op::Undefined(_));
            let is_spurious = is_end && path_check::is_infeasible(self.task, way, self.budget)?;
            return Ok(Refinement::Open(match is_spurious {
                true => {
                    StopReason::TooCoarse { domain: "value", place: program.source.place(program.edges[edge].span.lo) }
                }
                false => unmodelled::operation(program, edge),
            }));
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
                if let Some(counterexample) = self.path_programs.look_near(cpa, arg, &path.edges)? {
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

    fn insist(&mut self) {
        self.insists = true;
    }

    fn refutes_rest(&mut self, cpa: &mut CompositeCpa<'_>, arg: &Arg<Composite>) -> Result<bool, AnalysisError> {
        let may_help = self.search != Search::None && !self.task.strategies.choices.is_empty();
        // Runs go on behind other targets, such as what is not modelled.
        let error = self.task.observer.error;
        let is_open = |id| match arg.status(id) {
            Status::Waiting => true,
            Status::Target => arg.state(id).observer != error,
            _ => false,
        };
        if !may_help || self.looks >= MAX_LOOKS || arg.ids().any(is_open) {
            return Ok(false);
        }
        let rest = edges_to_targets(cpa, arg)?;
        if self.looks > 0 && rest == self.rest {
            return Ok(false);
        }
        let residual = ResidualProgram::new(self.task, &rest);
        self.rest = rest;
        let Some(residual) = residual else { return Ok(false) };
        let first = if residual.has_loops() { REST_EFFORT_OF_LOOPS } else { REST_EFFORT };
        let refuted = residual.refute(self.task, &self.budget.within(first.doubled(self.looks)));
        self.looks += 1;
        self.budget.check()?;
        let Some(outcome) = refuted else {
            self.budget.give_up("given_up.looks_at_rest");
            return Ok(false);
        };
        self.assumptions = outcome.assumptions;
        Ok(true)
    }

    fn last_look(
        &mut self,
        cpa: &mut CompositeCpa<'_>,
        arg: &Arg<Composite>,
    ) -> Result<Option<Box<Counterexample>>, AnalysisError> {
        self.path_programs.last_look(cpa, arg)
    }
}

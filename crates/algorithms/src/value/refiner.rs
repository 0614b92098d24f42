//! Decides error paths of the value analysis and refines its precision.
//!
//! A path is followed with everything tracked. If it contradicts itself, the best of its infeasible sliced prefixes is chosen, and
//! what its interpolants mention joins the precision. If not, it is checked bit by bit, and if that refutes it, a violation is
//! sought near it.

use super::{Prefixes, Search, hunt, interpolants};
use crate::bmc::Task;
use crate::cegar::{ErrorPath, Refinement, Refiner};
use crate::path_check::{self, PathCheck};
use crate::reselect;
use analysis::{AnalysisError, Arg, Target};
use base::Budget;
use cfa::{EdgeId, Op};
use domains::composite::{Composite, CompositeCpa};
use domains::value::cells::{CellId, Key, KeyId};
use domains::value::precision::ValuePrecision;
use domains::value::trace::{Contradiction, PathTrace};
use outcome::{Counterexample, StatValue, Statistics, StopReason};
use refine::pivot::find_pivot;
use refine::prefix::{Score, select};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// See the module.
pub struct ValueRefiner<'t, 'a, 'p> {
    task: &'t Task<'a, 'p>,
    budget: &'t Budget,
    prefixes: Prefixes,
    search: Search,
    checks: u64,
    check_time: Duration,
    /// Sliced prefixes seen.
    prefixes_seen: u64,
    /// Edges of the longest path.
    longest: usize,
    /// Paths that are infeasible for reasons that values do not show.
    open_paths: u32,
    /// Edges of the program near them that was searched last.
    hunted: FxHashSet<EdgeId>,
    hunts: u64,
    /// Steps of the exploration before the last refinement.
    steps: u64,
}

/// So many steps between two refinements make exploration dear.
const COSTLY: u64 = 20_000;
/// Most new variables of a prefix that is taken besides the chosen one.
const FEW: u32 = 2;

/// Least time for a search near infeasible paths.
const HUNT_TIME: Duration = Duration::from_secs(1);
/// Part of the time that is left that one search may take.
const HUNT_SHARE: u32 = 4;

impl<'t, 'a, 'p> ValueRefiner<'t, 'a, 'p> {
    /// A refiner for one run.
    pub fn new(task: &'t Task<'a, 'p>, budget: &'t Budget) -> Self {
        Self {
            task,
            budget,
            prefixes: Prefixes::default(),
            search: Search::default(),
            checks: 0,
            check_time: Duration::ZERO,
            prefixes_seen: 0,
            longest: 0,
            open_paths: 0,
            hunted: FxHashSet::default(),
            hunts: 0,
            steps: 0,
        }
    }

    /// The same with other settings.
    pub fn with(self, prefixes: Prefixes, search: Search) -> Self {
        Self { prefixes, search, ..self }
    }

    /// Appends what was counted.
    pub fn add_statistics(&self, stats: &mut Statistics) {
        stats.count("value.prefixes", self.prefixes_seen);
        stats.count("value.longest_path", self.longest);
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
        if let Some(refinement) = reselect::refine(&mut cpa.strategies, &path.nodes, &path.edges, &path.positions) {
            return Ok(refinement);
        }
        if let Target::Unmodelled(edge) = path.target {
            return Ok(Refinement::Open(self.unmodelled(edge)));
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

    fn unmodelled(&self, edge: EdgeId) -> StopReason {
        let program = self.task.program;
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
}

/// A sliced prefix with what it needs at each boundary.
struct Prefix<'c> {
    contradiction: &'c Contradiction,
    needs: Vec<Vec<CellId>>,
}

impl Refiner<CompositeCpa<'_>> for ValueRefiner<'_, '_, '_> {
    fn refine(
        &mut self,
        cpa: &mut CompositeCpa<'_>,
        arg: &Arg<Composite>,
        precision: &mut ValuePrecision,
        path: &ErrorPath,
    ) -> Result<Refinement, AnalysisError> {
        self.longest = self.longest.max(path.edges.len());
        let trace = PathTrace::follow(&mut cpa.value, &cpa.locations, &path.edges);
        if trace.contradictions.is_empty() {
            let refinement = self.check(cpa, arg, path)?;
            if let Refinement::Reselected { .. } = refinement {
                // What refuted runs through a strategy need not help without it, and may keep apart what should meet.
                precision.forget();
            }
            return Ok(refinement);
        }
        self.budget.check()?;
        self.prefixes_seen += trace.contradictions.len() as u64;
        if precision.is_full() {
            return Ok(Refinement::NoProgress);
        }
        let mut prefixes: Vec<Prefix<'_>> = trace
            .contradictions
            .iter()
            .map(|contradiction| Prefix { contradiction, needs: trace.needs(&cpa.value, contradiction) })
            .collect();
        let scores: Vec<Score> = prefixes.iter().map(|prefix| score(cpa, &trace, precision, &prefix.needs)).collect();
        let chosen = match self.prefixes {
            Prefixes::Best => select(&scores),
            Prefixes::First => Some(0),
        };
        let Some(chosen) = chosen else { return Ok(Refinement::NoProgress) };
        let steps = cpa.steps - std::mem::replace(&mut self.steps, cpa.steps);
        let mut also = 0;
        if steps > COSTLY && self.prefixes == Prefixes::Best {
            // Exploration is dear: more is learned from each path.
            let few = if steps > 10 * COSTLY { u32::MAX } else { FEW };
            for (i, prefix) in prefixes.iter().enumerate() {
                if i == chosen || scores[i].counters > 0 || scores[i].new_variables > few {
                    continue;
                }
                for (boundary, needs) in trace.boundaries.iter().zip(&prefix.needs) {
                    for cell in needs {
                        let key = cpa.value.cells.cells[*cell].key;
                        also += u64::from(precision.track(&mut cpa.value.cells, boundary.loc, key));
                    }
                }
            }
        }
        let mut prefix = prefixes.swap_remove(chosen);
        interpolants::minimise(cpa, &trace, &path.edges, prefix.contradiction, &mut prefix.needs);
        let mut added = 0;
        for (boundary, needs) in trace.boundaries.iter().zip(&prefix.needs) {
            for cell in needs {
                let key = cpa.value.cells.cells[*cell].key;
                added += u64::from(precision.track(&mut cpa.value.cells, boundary.loc, key));
            }
        }
        let pivot = find_pivot(&path.nodes, |i, node| {
            let state = arg.state(node);
            let at = trace
                .boundaries
                .iter()
                .position(|b| b.edges as usize == path.positions[i] && b.loc == state.loc && b.stack == state.stack);
            let Some(needs) = at.and_then(|at| prefix.needs.get(at)) else { return false };
            let known: FxHashSet<KeyId> =
                cpa.store.entries(state.value).map(|(cell, _)| cpa.value.cells.cells[cell].key).collect();
            needs.iter().any(|cell| !known.contains(&cpa.value.cells.cells[*cell].key))
        });
        // If no state lacks anything, names of objects differ between path and states: begin again.
        let Some(pivot) = pivot.or(path.nodes.get(1).copied()) else { return Ok(Refinement::NoProgress) };
        let values = vec![
            ("path", StatValue::Count(path.edges.len() as u64)),
            ("prefixes", StatValue::Count(scores.len() as u64)),
            ("new", StatValue::Count(added)),
            ("also", StatValue::Count(also)),
            ("tracked", StatValue::Count(precision.len() as u64)),
        ];
        Ok(Refinement::Spurious { pivot, stale: added == 0, values })
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

/// How bad it would be to track what a prefix needs.
fn score(cpa: &CompositeCpa<'_>, trace: &PathTrace, precision: &ValuePrecision, needs: &[Vec<CellId>]) -> Score {
    let mut keys: FxHashSet<KeyId> = FxHashSet::default();
    let mut score = Score::default();
    for (boundary, cells) in trace.boundaries.iter().zip(needs) {
        let tracked = precision.at(boundary.loc);
        score.width += u32::from(!cells.is_empty());
        for cell in cells {
            let info = &cpa.value.cells.cells[*cell];
            if !tracked.cell(info) && keys.insert(info.key) {
                score.new_variables += 1;
                if let Key::Register(var) = cpa.value.cells.key_of(info.key)
                    && cpa.value.is_counter(var)
                {
                    score.counters += 1;
                }
            }
        }
    }
    score
}

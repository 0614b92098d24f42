//! Looks for a violation in the neighbourhood of error paths that are infeasible, although the values do not show it.
//!
//! The edges of such a path make a *path program*, loops included, which is much smaller than the program. Bounded model
//! checking of it finds what needs another number of iterations or another combination of the same branches [loewe13,
//! Sect. III-F, "Precise Counterexample Check"]. When there are more such paths, all edges join it that the graph still
//! needs to get to an error.

use analysis::{AnalysisError, Arg, Cpa, edges_to_targets};
use base::{Budget, Effort};
use bmc::residual::{self, Search};
use bmc::unrolling::Unwind;
use cfa::EdgeId;
use outcome::{Counterexample, Evidence, StopReason, Verdict};
use rustc_hash::FxHashSet;
use task::Task;

/// Least effort for a search near infeasible paths.
const LEAST_EFFORT: Effort = Effort::thousands(600);
/// Most effort.
const MOST_EFFORT: Effort = Effort::thousands(8_000);
/// Part of the effort that is left that one search may take.
const SHARE: u32 = 4;
/// Effort for the first search where something else may refute the paths; each other one has twice as much.
const FIRST_EFFORT: Effort = Effort::thousands(400);

/// Largest bound of the first search; each later one goes four times as far. Infeasible paths are often not even near a violation, and
/// loops on them never end.
const FIRST_UNWIND: u32 = 8;

/// How much searches may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// They are all that can be done about such paths; later ones take more.
    Full,
    /// Only a little at first, because something else can be done, too.
    Growing,
}

/// What is near infeasible paths when there are several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Near {
    /// All edges that the graph still needs to get to an error.
    #[default]
    Graph,
    /// The edges of these paths; for explorations without one graph.
    Paths,
}

/// Searches now and then while the infeasible paths become more.
pub struct PathPrograms<'t, 'a, 'p> {
    task: &'t Task<'a, 'p>,
    search: Search,
    pace: Pace,
    near: Near,
    budget: &'t Budget,
    /// Edges of the infeasible paths so far.
    on_paths: FxHashSet<EdgeId>,
    /// Paths that are infeasible for reasons that values do not show.
    pub open_paths: u32,
    /// Edges of the program near them that was searched last.
    last: FxHashSet<EdgeId>,
    /// What that search was allowed to take.
    spent: Effort,
    /// The bounds that it tried.
    unwind: Unwind,
    /// Searches so far.
    pub searched: u64,
    /// Whether the last one was not finished.
    pub is_endless: bool,
    /// Whether it would have gone on beyond its last bound.
    is_cut: bool,
}

impl<'t, 'a, 'p> PathPrograms<'t, 'a, 'p> {
    /// For one run.
    pub fn new(task: &'t Task<'a, 'p>, search: Search, pace: Pace, budget: &'t Budget) -> Self {
        let (near, on_paths, last) = (Near::default(), FxHashSet::default(), FxHashSet::default());
        let (spent, unwind, open_paths, searched) = (Effort::ZERO, Unwind::Doubling, 0, 0);
        let (is_endless, is_cut) = (false, false);
        Self {
            task,
            search,
            pace,
            near,
            budget,
            on_paths,
            open_paths,
            last,
            spent,
            unwind,
            searched,
            is_endless,
            is_cut,
        }
    }

    /// The same, with another idea of what is near.
    pub fn near(self, near: Near) -> Self {
        Self { near, ..self }
    }

    /// Looks for a violation near the infeasible paths so far; less and less often.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn look_near<C: Cpa>(
        &mut self,
        cpa: &mut C,
        arg: &Arg<C::State>,
        path: &[EdgeId],
    ) -> Result<Option<Box<Counterexample>>, AnalysisError> {
        self.open_paths += 1;
        if self.near == Near::Paths {
            self.on_paths.extend(path);
        }
        if self.search == Search::None || !self.open_paths.is_power_of_two() {
            return Ok(None);
        }
        let edges = match self.open_paths {
            1 => path.iter().copied().collect(),
            _ => self.around(cpa, arg)?,
        };
        let limits = match self.pace {
            Pace::Full => {
                let deepest = FIRST_UNWIND.saturating_mul(1 << (2 * self.searched.min(10)));
                (LEAST_EFFORT.doubled(self.doublings()).min(self.share()), Unwind::DoublingTo(deepest))
            }
            Pace::Growing => (self.growing(), Unwind::Doubling),
        };
        self.search_in(edges, limits)
    }

    /// What one search may take at most.
    fn share(&self) -> Effort {
        let share = self.budget.remaining().map_or(Effort::MAX, |left| left / SHARE);
        share.clamp(LEAST_EFFORT, MOST_EFFORT)
    }

    /// What the next search may take where something else can be done, too.
    fn growing(&self) -> Effort {
        FIRST_EFFORT.doubled(self.doublings()).min(MOST_EFFORT)
    }

    /// How often the first limit was doubled by now.
    fn doublings(&self) -> u32 {
        self.searched.min(10) as u32
    }

    /// Looks for a violation on all ways to an error that the graph has; only if there were infeasible paths.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn last_look<C: Cpa>(
        &mut self,
        cpa: &mut C,
        arg: &Arg<C::State>,
    ) -> Result<Option<Box<Counterexample>>, AnalysisError> {
        // What is not modelled on all paths is no violation near one.
        if self.search == Search::None || self.open_paths == 0 {
            return Ok(None);
        }
        let edges = if self.task.strategies.choices.is_empty() {
            self.around(cpa, arg)?
        } else {
            // What is left of the graph when strategies were taken back need not have all ways through their loops.
            self.task.program.edges.ids().collect()
        };
        let effort = match self.pace {
            Pace::Full => self.share(),
            Pace::Growing => self.growing(),
        };
        self.search_in(edges, (effort, Unwind::Doubling))
    }

    fn around<C: Cpa>(&self, cpa: &mut C, arg: &Arg<C::State>) -> Result<FxHashSet<EdgeId>, AnalysisError> {
        match self.near {
            Near::Graph => edges_to_targets(cpa, arg),
            Near::Paths => Ok(self.on_paths.clone()),
        }
    }

    fn search_in(
        &mut self,
        edges: FxHashSet<EdgeId>,
        (effort, unwind): (Effort, Unwind),
    ) -> Result<Option<Box<Counterexample>>, AnalysisError> {
        self.budget.check()?;
        let has_more = self.pace == Pace::Full && self.is_endless && effort > self.spent;
        let goes_deeper = self.is_cut && unwind != self.unwind;
        if edges == self.last && !has_more && !goes_deeper {
            return Ok(None);
        }
        self.searched += 1;
        let outcome = residual::search(self.task, &edges, unwind, &self.budget.within(effort));
        self.last = edges;
        (self.spent, self.unwind) = (effort, unwind);
        self.is_endless = matches!(outcome.verdict, Verdict::Unknown(StopReason::Timeout { .. }));
        if self.is_endless {
            self.budget.give_up("given_up.path_programs");
        }
        self.is_cut = matches!(outcome.verdict, Verdict::Unknown(StopReason::BoundReached { .. }));
        Ok(match (outcome.verdict, outcome.evidence) {
            (Verdict::False(_), Evidence::Counterexample(found)) => Some(found),
            _ => None,
        })
    }
}

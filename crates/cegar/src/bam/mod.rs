//! Block-abstraction memoisation with refinement [beyer18bam]: a refinement loop over block abstractions instead of one graph.
//!
//! ```text
//! loop
//!   explore with the precision                -- `Abstractions::explore`
//!   blocks cost more than they spare: dissolve them, and begin again        -- [`reuse`]
//!   no target: true
//!   target:    inline the block abstractions on the path to it          -- `path::inline`
//!                a hole:                       compute it again           (in place only)
//!                otherwise, the refiner of the wrapped analysis looks at the path
//!                  feasible in the program:    false
//!                  refuted:                    refine the precision, cut, go on   -- `refinement::cut`
//!                  neither:                    remember why, look for another path
//! ```
//! [`abstractions`] has the argument why an exploration that ends without targets is a proof. A path that comes back although it was refuted is
//! given one restart, which forgets all block abstractions; then the run ends (`no progress`).

pub mod abstraction;
pub mod abstractions;
mod cache;
pub mod export;
pub mod kept;
pub mod path;
pub mod predicate;
pub mod recursion;
pub mod refinement;
mod reuse;
pub mod stacks;
mod used;
pub mod value;
pub mod view;

pub use refinement::BamRefinement;
pub use stacks::Popping;

use crate::refinement_loop::{Answer, CegarConfig, OpenPaths, Refinement, Refinements, Refiner};
use abstraction::AbstractionId;
use abstractions::Abstractions;
use analysis::{AnalysisError, Arg, NodeId, Recalling, Reducer, Target};
use base::Budget;
use outcome::{Event, Progress, StatValue, Statistics, StopReason};
use path::{Inlined, Inlining, first_pop, inline};
use refine::prune::PruneStrategy;
use refinement::{Cut, cut};
use std::time::{Duration, Instant};
use task::evidence::{Graph, ProofCheck, Wanted};

/// Settings that do not depend on the domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BamConfig {
    /// Order of exploration, and what is explored again after a refinement.
    pub cegar: CegarConfig,
    /// How block abstractions are refined.
    pub refinement: BamRefinement,
    /// Whether a proof must have no holes.
    pub holes: Holes,
    /// Whether calls of recursive blocks are popped.
    pub popping: Popping,
}

/// Whether a proof may refer to block abstractions that have become others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Holes {
    /// It may: they were complete when they were used.
    #[default]
    Allowed,
    /// They are computed again in the end.
    Filled,
}

impl Holes {
    /// Whoever looks at the graphs wants them whole.
    fn of_what_is(wanted: Wanted) -> Self {
        match (wanted.proof, wanted.graph) {
            (ProofCheck::Skip, Graph::Omit) => Holes::Allowed,
            _ => Holes::Filled,
        }
    }
}

/// The result of a run.
pub struct Explored<C: Reducer> {
    /// How it ended.
    pub answer: Answer,
    /// All block abstractions.
    pub abstractions: Abstractions<C>,
    /// The last precision.
    pub precision: C::Precision,
    /// What was counted.
    pub stats: Statistics,
}

/// Runs the loop.
pub fn run<C: Reducer, R: Refiner<C>>(
    cpa: &mut C,
    refiner: &mut R,
    precision: C::Precision,
    config: BamConfig,
    budget: &Budget,
    progress: &dyn Progress,
) -> Explored<C> {
    let mut this = Run {
        cpa,
        refiner,
        config,
        budget,
        progress,
        abstractions: Abstractions::new(config.cegar.order, config.popping),
        precision,
        open: OpenPaths::default(),
        refinements: Refinements::default(),
        times: [Duration::ZERO; 2],
        stats: Statistics::default(),
    };
    let answer = match this.run() {
        Ok(answer) => answer,
        Err(error) => Answer::Unknown(error.reason(budget)),
    };
    let Run { abstractions, precision, mut stats, mut refinements, times, .. } = this;
    stats.count("cegar.refinements", refinements.count);
    abstractions.add_statistics(&mut stats);
    stats.time("cegar.explore", times[0]);
    stats.time("cegar.refine", times[1]);
    refinements.add_iterations(&mut stats);
    Explored { answer, abstractions, precision, stats }
}

struct Run<'a, C: Reducer, R> {
    cpa: &'a mut C,
    refiner: &'a mut R,
    config: BamConfig,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    abstractions: Abstractions<C>,
    precision: C::Precision,
    open: OpenPaths,
    refinements: Refinements,
    /// Of exploration and refinement.
    times: [Duration; 2],
    stats: Statistics,
}

impl<C: Reducer, R: Refiner<C>> Run<'_, C, R> {
    fn run(&mut self) -> Result<Answer, AnalysisError> {
        loop {
            self.progress.event(Event::Phase("explore"));
            let began = Instant::now();
            let found = self.abstractions.explore(self.cpa, &self.precision, self.budget);
            self.times[0] += began.elapsed();
            if self.abstractions.dissolve_useless(self.cpa) {
                // The graph has nodes elsewhere, where less may be tracked.
                self.refinements.forget_paths();
                continue;
            }
            let Some((node, target)) = found? else {
                if self.fill_hole() {
                    continue;
                }
                return match self.open.take_reason() {
                    Some(reason) => self.give_up(reason),
                    None => Ok(Answer::Proved),
                };
            };
            self.progress.event(Event::Phase("refine"));
            let began = Instant::now();
            let decided = self.decide(node, target);
            self.times[1] += began.elapsed();
            if let Some(answer) = decided? {
                return Ok(answer);
            }
        }
    }

    /// Makes a hole of a complete exploration explored again, if there must be none; whether there was one.
    fn fill_hole(&mut self) -> bool {
        if self.config.holes == Holes::Allowed {
            return false;
        }
        let Some(around) = self.abstractions.hole() else { return false };
        self.reopen(&around);
        true
    }

    /// What follows the first of the entrances, the innermost one, is computed again.
    fn reopen(&mut self, around: &[(AbstractionId, NodeId)]) {
        let Some(((id, node), outer)) = around.split_first() else { return };
        self.refinements.count += 1;
        self.abstractions.counts.holes += 1;
        let at = Cut::Below(*id, *node);
        cut(self.cpa, &mut self.abstractions, &self.precision, self.config.refinement, &at, outer);
    }

    /// Looks at one target; an answer ends the run.
    fn decide(&mut self, node: NodeId, target: Target) -> Result<Option<Answer>, AnalysisError> {
        let began = Instant::now();
        let inlined = match inline(self.cpa, &self.abstractions, node, target)? {
            Inlining::Path(inlined) => inlined,
            Inlining::Hole(around) => {
                self.reopen(&around);
                return Ok(None);
            }
        };
        match self.refiner.refine(self.cpa, &inlined.arg, &mut self.precision, &inlined.path)? {
            Refinement::Feasible(counterexample) => Ok(Some(Answer::Refuted(counterexample))),
            Refinement::Open(reason) => match self.open.add(reason) {
                Some(reason) => self.give_up(reason).map(Some),
                None => Ok(None),
            },
            // Calls are followed that were blocks, so nothing of what was explored fits any more.
            Refinement::Followed { .. } => {
                self.refinements.forget_paths();
                self.abstractions.restart();
                Ok(None)
            }
            Refinement::Deferred | Refinement::Reselected { .. } => {
                let detail = "block abstractions were asked for what they can't do".into();
                Ok(Some(Answer::Unknown(StopReason::Internal { detail })))
            }
            Refinement::NoProgress if self.follow_pop(&inlined) => Ok(None),
            Refinement::NoProgress => Ok(self.no_progress()),
            // States that are older than the precision are no reason to begin again: what follows the cut is new, if anything is.
            // All that refutes the path is tracked, so a pop made it possible.
            Refinement::Spurious { stale: true, .. } if self.follow_pop(&inlined) => Ok(None),
            Refinement::Spurious { pivot, others, stale: _, by, mut values } => {
                // Nodes are numbered in the order of the path, so everything behind the first one is explored again.
                let pivot = others.into_iter().fold(pivot, std::cmp::Ord::min);
                self.refinements.count += 1;
                self.abstractions.precision_changed();
                self.cpa.forget_recalled(Recalling::GoesOn);
                let path = inlined.path.fingerprint;
                let Some(strategy) = self.refinements.strategy(path, by, self.config.cegar.prune) else {
                    return Ok(self.no_progress());
                };
                let count = self.abstractions.len();
                values.push(("abstractions", StatValue::Count(count as u64)));
                self.refinements.list(values, began, self.progress, &format!("{count} block abstractions"));
                match strategy {
                    PruneStrategy::Restart => {
                        self.cpa.forget_recalled(Recalling::Ends);
                        self.abstractions.restart();
                    }
                    PruneStrategy::Lazy => self.cut_at(&inlined, pivot),
                }
                Ok(None)
            }
        }
    }

    /// The answer where refinement teaches nothing new, unless states of an earlier run may be why: they can be coarser than the
    /// precision.
    fn no_progress(&mut self) -> Option<Answer> {
        if self.cpa.forget_recalled(Recalling::Ends) {
            self.refinements.forget_paths();
            self.abstractions.restart();
            return None;
        }
        Some(Answer::Unknown(StopReason::NoProgress))
    }

    /// The answer where paths were left open.
    fn give_up(&mut self, reason: StopReason) -> Result<Answer, AnalysisError> {
        let found = self.refiner.last_look(self.cpa, &Arg::default())?;
        Ok(found.map_or(Answer::Unknown(reason), Answer::Refuted))
    }

    /// Puts the first popped call of the path into the stack precision, with those within it; whether there is one that was not there.
    fn follow_pop(&mut self, inlined: &Inlined<C::State>) -> bool {
        if self.config.popping == Popping::Off {
            return false;
        }
        let Some((entrance, stacks)) = first_pop(self.cpa, &self.abstractions, inlined) else { return false };
        if !self.abstractions.stack_precision.extend(stacks) {
            return false;
        }
        self.refinements.forget_paths();
        self.reopen_recursion(inlined, Some(entrance));
        true
    }

    /// What follows the outermost recursive block is explored again, of this entrance and those around it.
    fn reopen_recursion(&mut self, inlined: &Inlined<C::State>, innermost: Option<usize>) {
        // Abstractions that depend on themselves would refer to what they were.
        self.abstractions.forget_recursive(self.cpa);
        let chain = || std::iter::successors(innermost, |at| inlined.entrances[*at].outer);
        let outermost = chain().filter(|at| self.cpa.is_recursive(inlined.entrances[*at].block)).last();
        let Some(outermost) = outermost else { return self.abstractions.restart() };
        let around = inlined.around(Some(outermost));
        let Some(((id, node), outer)) = around.split_first() else { return self.abstractions.restart() };
        let at = Cut::Below(*id, *node);
        cut(self.cpa, &mut self.abstractions, &self.precision, self.config.refinement, &at, outer);
    }

    /// Cuts a path at a node of it.
    fn cut_at(&mut self, inlined: &Inlined<C::State>, pivot: NodeId) {
        let origin = inlined.origins[base::Id::index(pivot)];
        let mut around = inlined.around(origin.entrance);
        if inlined.blocks_around(origin).any(|block| self.cpa.is_recursive(block)) {
            return match self.config.popping {
                Popping::On => self.reopen_recursion(inlined, origin.entrance),
                // Abstractions that depend on themselves would refer to what they were.
                Popping::Off => self.abstractions.restart(),
            };
        }
        let is_root = self.abstractions.arg(origin.abstraction).is_some_and(|arg| arg.parent(origin.node).is_none());
        let at = match is_root {
            false => Cut::At(origin.abstraction, origin.node),
            true if around.is_empty() => return self.abstractions.restart(),
            // The entry state is too coarse, so the block has to be entered again.
            true => {
                let (id, node) = around.remove(0);
                Cut::Below(id, node)
            }
        };
        cut(self.cpa, &mut self.abstractions, &self.precision, self.config.refinement, &at, &around);
    }
}

//! The inductive step: arbitrary states at cut points, and the question whether runs from there go bad.

use crate::kinduction::effects::{Effects, Unbounded};
use crate::kinduction::explore::{AtCut, Explorer, Safe};
use crate::kinduction::facts::{Fact, Invariants};
use base::{Budget, Effort, Stop};
use cfa::EdgeId;
use cfa::points_to::PointsTo;
use encode::Encoder;
use encode::encoder::MayPointTo;
use smt::query::{Answer, ask};
use smt::{SmtError, Solver, TermId};
use std::collections::BTreeSet;
use task::Task;

/// Part of what is left of the effort that one question whether runs are lost may take.
const LOST_SHARE: u32 = 5;

/// Why there is no step.
#[derive(Debug)]
pub enum Unproved {
    /// The run has to end.
    Stopped(Stop),
    /// The program has no arbitrary states.
    Unbounded(Unbounded),
    /// Anything else, in a few words.
    Failed(String),
}

impl From<Stop> for Unproved {
    fn from(stop: Stop) -> Self {
        Unproved::Stopped(stop)
    }
}

impl From<SmtError> for Unproved {
    fn from(error: SmtError) -> Self {
        Unproved::Failed(error.to_string())
    }
}

/// Arbitrary states at all cut points, and a solver's answers about them.
pub struct Prover<'a, 'p> {
    task: &'a Task<'a, 'p>,
    /// Symbolic execution.
    pub explorer: Explorer<'a, 'p>,
    /// What every run satisfies at each cut point.
    pub starts: Vec<AtCut>,
    /// Limits of the run.
    pub budget: &'a Budget,
    /// Questions asked.
    pub queries: u64,
    /// Edges on which runs from arbitrary states trap.
    pub traps: BTreeSet<EdgeId>,
}

/// What is known of a depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// No run from a cut point goes bad in exactly so many steps.
    Inductive,
    /// Some may.
    Open,
}

impl<'a, 'p> Prover<'a, 'p> {
    /// Finds the arbitrary states.
    ///
    /// # Errors
    /// If there are none, or the budget ends.
    pub fn new(task: &'a Task<'a, 'p>, points_to: &PointsTo, budget: &'a Budget) -> Result<Self, Unproved> {
        // An observer that moves within a loop would be in states at its head that the first arrival does not show.
        if task.observer.transitions.iter().any(|t| t.to != task.observer.error && t.to != t.from) {
            return Err(Unproved::Failed("a property that remembers what happened".to_owned()));
        }
        if !task.strategies.choices.is_empty() {
            return Err(Unproved::Failed("loops are abstracted already".to_owned()));
        }
        let effects = Effects::new(task.program, task.wto, points_to).map_err(Unproved::Unbounded)?;
        let may_point_to = task.may_point_to;
        let may_point_to: MayPointTo<'_> = Box::new(may_point_to);
        let enc = Encoder::new(task.program, may_point_to).map_err(|what| Unproved::Failed(what.to_owned()))?;
        let mut explorer = Explorer::new(enc, task.wto, task.observer, budget);
        let starts = explorer.arbitrary(&effects)?;
        let mut this = Self { task, explorer, starts, budget, queries: 0, traps: BTreeSet::new() };
        this.follows_all()?;
        Ok(this)
    }

    /// Arbitrary states and steps between them are those of all runs, also where blocks are large: the base case has room for more.
    ///
    /// # Errors
    /// If there may be others, or the budget ends.
    pub fn follows_all(&mut self) -> Result<(), Unproved> {
        let enc = &mut self.explorer.enc;
        if !enc.objects.addresses_agree() {
            return Err(Unproved::Failed("blocks whose greatest size changes".to_owned()));
        }
        let lost: Vec<TermId> = self.explorer.lost.drain(..).map(|guard| enc.guards.formula(guard)).collect();
        let lost = enc.terms.or_all(&lost);
        let limit = self.budget.remaining().map(|rest| rest.percent(LOST_SHARE));
        match ask(self.task.solver, &mut enc.terms, lost, limit, self.budget)? {
            Answer::Never => Ok(()),
            Answer::Model(_) | Answer::Unknown(_) => Err(Unproved::Failed("blocks that may be very large".to_owned())),
        }
    }

    /// A solver for many small questions.
    pub fn incremental(&self) -> Box<dyn Solver> {
        let mut solver = (self.task.incremental)();
        solver.set_budget(self.budget);
        solver
    }

    /// A fact in the arbitrary state of a cut point.
    pub fn before(&mut self, start: usize, fact: &Fact) -> TermId {
        fact.term(&mut self.explorer, &mut self.starts[start].state)
    }

    /// Whether runs from some arbitrary state with the invariants go bad in exactly the step `depth`, counted from 1. Cut points from
    /// which none does are added to `safe`.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn step(
        &mut self,
        invariants: &Invariants,
        depth: u32,
        safe: &mut Safe,
        limit: Effort,
    ) -> Result<Depth, Unproved> {
        let mut all = Depth::Inductive;
        for i in 0..self.starts.len() {
            let cut = self.starts[i].cut;
            if safe.contains(&(cut, depth)) {
                continue;
            }
            let facts: &[Fact] = invariants.get(&cut).map_or(&[], |facts| facts);
            let facts: Vec<TermId> = facts.iter().map(|fact| self.before(i, fact)).collect();
            let start = self.starts[i].clone();
            let found = self.explorer.steps(&start, depth, safe)?;
            self.traps.extend(&found.traps);
            let enc = &mut self.explorer.enc;
            let bad = found.bad.get(depth as usize - 1).map_or(&[][..], |guards| guards);
            let bad: Vec<TermId> = bad.iter().map(|guard| enc.guards.formula(*guard)).collect();
            let bad = enc.terms.or_all(&bad);
            let facts = enc.terms.and_all(&facts);
            let goal = enc.terms.and(bad, facts);
            if enc.terms.as_bool_const(goal).is_none() {
                self.queries += 1;
            }
            match ask(self.task.solver, &mut enc.terms, goal, Some(limit), self.budget)? {
                Answer::Never => {
                    safe.insert((cut, depth));
                }
                Answer::Model(_) | Answer::Unknown(_) => all = Depth::Open,
            }
        }
        Ok(all)
    }
}

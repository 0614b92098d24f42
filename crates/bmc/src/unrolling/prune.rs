//! Asks the solver whether a guard can hold at all, where following it for nothing would be costly.
//!
//! Guards that contradict themselves only by arithmetic are not noticed by simplification. In a loop they cost little, because
//! paths merge; in a recursive function with several calls the tree of calls doubles with each level, and most of it
//! is infeasible.

use base::{Budget, Effort};
use encode::{Encoder, GuardId};
use smt::{Model, SatResult, Solver};
use std::collections::VecDeque;

/// Models that are remembered: one that satisfies a guard mostly satisfies deeper ones as well.
const MODELS: usize = 4;
/// A question longer than this is not worth its answer.
const LIMIT: Effort = Effort::thousands(300);

/// An incremental solver for guards of one exploration.
pub struct Pruner<'a> {
    make: &'a dyn Fn() -> Box<dyn Solver>,
    budget: &'a Budget,
    solver: Option<Box<dyn Solver>>,
    models: VecDeque<Model>,
    /// Questions asked.
    pub asked: u64,
    /// Questions in a row without an answer; after a few, no more are asked.
    unanswered: u32,
}

impl<'a> Pruner<'a> {
    /// A pruner that makes its solver when it is first needed.
    pub fn new(make: &'a dyn Fn() -> Box<dyn Solver>, budget: &'a Budget) -> Self {
        Self { make, budget, solver: None, models: VecDeque::new(), asked: 0, unanswered: 0 }
    }

    /// Whether the guard certainly never holds.
    pub fn never(&mut self, enc: &Encoder<'_>, guard: GuardId) -> bool {
        const PATIENCE: u32 = 5;
        if self.unanswered >= PATIENCE {
            return false;
        }
        let formula = enc.guards.formula(guard);
        if self.models.iter().any(|model| model.satisfies(&enc.terms, formula)) {
            return false;
        }
        self.asked += 1;
        let solver = self.solver.get_or_insert_with(|| {
            let mut solver = (self.make)();
            solver.set_budget(self.budget);
            solver.set_query_limit(Some(LIMIT));
            solver
        });
        match solver.check(&enc.terms, &[formula]) {
            Ok(SatResult::Unsat) => {
                self.unanswered = 0;
                true
            }
            Ok(SatResult::Sat) => {
                self.unanswered = 0;
                if let Ok(model) = solver.model(&enc.terms) {
                    self.models.truncate(MODELS - 1);
                    self.models.push_front(model);
                }
                false
            }
            Ok(SatResult::Unknown(_)) | Err(_) => {
                self.unanswered += 1;
                if self.unanswered == PATIENCE {
                    self.budget.give_up("given_up.pruning");
                }
                false
            }
        }
    }
}

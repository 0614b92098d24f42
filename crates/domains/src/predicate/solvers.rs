//! Solvers that are kept for abstractions: one for each large guard that was asked about lately, and one for small problems.

use super::abstraction::failed;
use analysis::AnalysisError;
use base::Budget;
use rustc_hash::FxHashMap;
use smt::{Backend, Solver, TermId, Terms};
use std::collections::hash_map::Entry;

/// Solvers that are kept; older ones are made again when they are needed.
const MAX_SOLVERS: usize = 48;
/// Problems after which the solver for small ones is replaced, so that it does not drag along what it learned of all of them.
const MAX_USES: u32 = 2_000;

struct Kept {
    solver: Box<dyn Solver>,
    used: u64,
}

/// See the module.
pub struct Solvers<'b> {
    backend: &'b dyn Backend,
    /// Whether the program computes with floats, whose queries are never easy.
    floats: bool,
    budget: Budget,
    kept: FxHashMap<TermId, Kept>,
    small: Option<Box<dyn Solver>>,
    uses: u32,
    clock: u64,
}

impl<'b> Solvers<'b> {
    /// No solvers yet.
    pub fn new(backend: &'b dyn Backend, floats: bool, budget: &Budget) -> Self {
        let budget = budget.clone();
        Self { backend, floats, budget, kept: FxHashMap::default(), small: None, uses: 0, clock: 0 }
    }

    /// The solver that has asserted a guard, and nothing else.
    ///
    /// # Errors
    /// When the solver fails.
    pub fn with_guard(&mut self, terms: &Terms, guard: TermId) -> Result<&mut dyn Solver, AnalysisError> {
        self.clock += 1;
        let used = self.clock;
        if !self.kept.contains_key(&guard)
            && self.kept.len() >= MAX_SOLVERS
            && let Some(oldest) = self.kept.iter().min_by_key(|(_, kept)| kept.used).map(|(guard, _)| *guard)
        {
            self.kept.remove(&oldest);
        }
        let kept = match self.kept.entry(guard) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let mut solver = make(self.backend, self.floats, &self.budget);
                solver.assert(terms, guard).map_err(failed)?;
                entry.insert(Kept { solver, used })
            }
        };
        kept.used = used;
        Ok(&mut *kept.solver)
    }

    /// A solver for one hard query, which takes time to simplify it.
    pub fn one_shot(&self) -> Box<dyn Solver> {
        let mut solver = self.backend.one_shot();
        solver.set_budget(&self.budget);
        solver
    }

    /// A solver that has asserted nothing; what is asserted in it must be popped.
    pub fn small(&mut self) -> &mut dyn Solver {
        self.uses += 1;
        if self.uses > MAX_USES {
            (self.small, self.uses) = (None, 0);
        }
        &mut **self.small.get_or_insert_with(|| make(self.backend, self.floats, &self.budget))
    }
}

fn make(backend: &dyn Backend, floats: bool, budget: &Budget) -> Box<dyn Solver> {
    let mut solver = if floats { backend.incremental() } else { backend.quick() };
    solver.set_budget(budget);
    solver
}

//! Explicit values against what programs compute.

use super::ValueDomain;
use super::assignment::{AssignmentId, Store, Work};
use super::cells::Place;
use super::number::Known;
use crate::testing::laws::{Domain, lattice_laws};
use crate::testing::programs::{Case, Run};
use cfa::EdgeId;
use step::StackId;

/// The domain without calls.
struct OfValues<'c> {
    domain: ValueDomain<'c>,
    store: Store,
    stack: StackId,
}

impl<'c> Domain<'c> for OfValues<'c> {
    type State = AssignmentId;

    fn new(case: &'c Case) -> Self {
        let domain = ValueDomain::new(&case.program, &case.points_to);
        Self { stack: domain.stacks.root(), domain, store: Store::default() }
    }

    fn top(&mut self) -> AssignmentId {
        self.store.intern(&Work::default())
    }

    fn post(&mut self, state: &AssignmentId, edge: EdgeId) -> Option<AssignmentId> {
        let mut work = Work::default();
        self.store.load(*state, &mut work);
        self.domain.take(&mut work, self.stack, edge).ok()?;
        Some(self.store.intern(&work))
    }

    fn satisfies(&self, run: &Run, state: &AssignmentId) -> Result<(), String> {
        for (cell, val) in self.store.entries(*state) {
            let Place::Register(_, var) = self.domain.cells.cells[cell].place else { continue };
            if self.domain.values.get(val) != Known::Num(run[&var].0) {
                return Err(format!("{:?} = {:?}, not {:?}", var, run[&var], self.domain.values.get(val)));
            }
        }
        Ok(())
    }

    fn leq(&self, lower: &AssignmentId, upper: &AssignmentId) -> bool {
        self.store.leq(*lower, *upper)
    }
}

lattice_laws!(values, OfValues);

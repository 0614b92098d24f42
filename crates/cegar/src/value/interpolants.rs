//! Inductive interpolants of a sliced prefix, minimised by Alg. 3 and 4 of [loewe13].
//!
//! The cells that a contradiction rests on are an inductive sequence of interpolants already. Where the path contradicts
//! itself without one of them as well, that one is dropped. The number of postconditions is bounded; when they are used up,
//! the sequence stays as it was.

use cfa::{EdgeId, LocId, Op};
use domains::composite::CompositeCpa;
use domains::value::ValueDomain;
use domains::value::assignment::{Assignment, Work};
use domains::value::cells::CellId;
use domains::value::trace::{Contradiction, PathTrace};
use refine::interpolation::{PathSemantics, Steps, inductive_interpolants};
use rustc_hash::FxHashSet;
use step::StackId;

/// Most postconditions that minimising one sequence may take.
const STEPS: u64 = 60_000;

/// Drops cells from `needs`, the cells that the contradiction rests on at each boundary before it.
pub fn minimise(
    cpa: &mut CompositeCpa<'_>,
    trace: &PathTrace,
    path: &[EdgeId],
    contradiction: &Contradiction,
    needs: &mut [Vec<CellId>],
) {
    // With one cell at most there is nothing to choose.
    if needs.iter().all(|cells| cells.len() < 2) {
        return;
    }
    // Step 0 sets the initial values.
    let action = |step: u32| step as usize - 1;
    let earlier = trace.contradictions.iter().filter(|other| other.step < contradiction.step);
    let sliced: FxHashSet<usize> = earlier.map(|other| action(other.step)).collect();
    let mut actions = actions(&mut cpa.value, &path[..contradiction.edge as usize + 1]);
    actions.truncate(contradiction.step as usize);
    let positions: Vec<usize> = trace.boundaries.iter().take(needs.len()).map(|b| action(b.step)).collect();
    let candidates = needs.to_vec();
    let mut semantics = Sliced { domain: &mut cpa.value, actions, sliced, positions: positions.clone(), candidates };
    let mut initial = Work::default();
    semantics.domain.initialise(&mut initial);
    let Some(found) = inductive_interpolants(&mut semantics, initial, &positions, &mut Steps(STEPS)) else { return };
    for (needs, work) in needs.iter_mut().zip(&found) {
        *needs = cells(work);
    }
    // Beyond an earlier contradiction nothing is needed.
    for needs in needs.iter_mut().skip(found.len()) {
        needs.clear();
    }
}

fn cells(work: &Work) -> Vec<CellId> {
    let mut entries = Vec::new();
    work.entries(&mut entries);
    entries.into_iter().map(|(cell, _)| cell).collect()
}

/// A step of a path, with the stack before it.
#[derive(Clone, Copy)]
enum Action {
    Edge(EdgeId, StackId),
    Return(StackId),
}

/// The steps of a path.
fn actions(domain: &mut ValueDomain<'_>, path: &[EdgeId]) -> Vec<Action> {
    let program = domain.program;
    let mut stack = domain.stacks.root();
    let mut actions = Vec::with_capacity(path.len() + path.len() / 4);
    for edge in path {
        actions.push(Action::Edge(*edge, stack));
        let mut loc = program.edges[*edge].dst;
        if let Op::Call { func, .. } = &program.edges[*edge].op
            && let Some(body) = program.functions[*func].body
        {
            stack = domain.push(stack, *edge, *func);
            loc = body.entry;
        }
        while let Some((below, next)) = returns(domain, stack, loc) {
            actions.push(Action::Return(stack));
            (stack, loc) = (below, next);
        }
    }
    actions
}

fn returns(domain: &ValueDomain<'_>, stack: StackId, loc: LocId) -> Option<(StackId, LocId)> {
    let program = domain.program;
    let at_exit = program.functions[program.locs[loc].func].body.is_some_and(|body| body.exit == loc);
    let (below, call) = domain.stacks.frame(stack).caller.filter(|_| at_exit)?;
    Some((below, program.edges[call].dst))
}

/// A path without the assumptions that were sliced away.
struct Sliced<'d, 'p> {
    domain: &'d mut ValueDomain<'p>,
    actions: Vec<Action>,
    sliced: FxHashSet<usize>,
    /// Positions with candidates, ascending.
    positions: Vec<usize>,
    candidates: Vec<Vec<CellId>>,
}

impl PathSemantics for Sliced<'_, '_> {
    type Assignment = Work;
    type Variable = CellId;

    fn len(&self) -> usize {
        self.actions.len()
    }

    fn post(&mut self, work: &mut Work, i: usize) -> bool {
        match self.actions[i] {
            Action::Edge(..) if self.sliced.contains(&i) => true,
            Action::Edge(edge, stack) => self.domain.take(work, stack, edge).is_ok(),
            Action::Return(stack) => {
                self.domain.leave(work, stack);
                true
            }
        }
    }

    fn variables(&self, work: &Work) -> Vec<CellId> {
        cells(work)
    }

    fn remove(&self, work: &mut Work, cell: CellId) {
        work.forget(cell);
    }

    fn candidates(&self, i: usize) -> Option<&[CellId]> {
        let at = self.positions.binary_search(&i).ok()?;
        Some(&self.candidates[at])
    }
}

//! Inductive interpolants of a sliced prefix, minimised by Alg. 3 and 4 of [loewe13].
//!
//! The cells that a contradiction rests on are an inductive sequence of interpolants already. Where the path contradicts
//! itself without one of them as well, that one is dropped. The number of postconditions is bounded; when they are used up,
//! the sequence stays as it was.

use cfa::{EdgeId, LocId, Op};
use domains::callstack::StackId;
use domains::composite::CompositeCpa;
use domains::value::ValueDomain;
use domains::value::assignment::{Assignment, Work};
use domains::value::cells::CellId;
use domains::value::trace::{Contradiction, PathTrace};
use refine::interpolation::{PathSemantics, Steps, inductive_interpolants};
use rustc_hash::FxHashSet;

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
    let sliced: FxHashSet<usize> = trace
        .contradictions
        .iter()
        .map(|other| other.edge as usize)
        .filter(|edge| *edge < contradiction.edge as usize)
        .collect();
    let end = contradiction.edge as usize + 1;
    // Of several boundaries behind one edge (returns), the last one: what is before a return is left as it is.
    let mut positions: Vec<usize> = Vec::new();
    let mut owners: Vec<usize> = Vec::new();
    for (i, boundary) in trace.boundaries.iter().enumerate().take(needs.len()) {
        let next = trace.boundaries.get(i + 1).map(|b| b.edges);
        if next != Some(boundary.edges) {
            positions.push(boundary.edges as usize);
            owners.push(i);
        }
    }
    let stacks = stacks(&mut cpa.value, &path[..end]);
    let candidates = owners.iter().map(|i| needs[*i].clone()).collect();
    let path = &path[..end];
    let mut semantics =
        Sliced { domain: &mut cpa.value, path, sliced, stacks, positions: positions.clone(), candidates };
    let mut initial = Work::default();
    semantics.domain.initialise(&mut initial);
    let Some(found) = inductive_interpolants(&mut semantics, initial, &positions, &mut Steps(STEPS)) else { return };
    for (owner, work) in owners.iter().zip(&found) {
        needs[*owner] = cells(work);
    }
}

fn cells(work: &Work) -> Vec<CellId> {
    let mut entries = Vec::new();
    work.entries(&mut entries);
    entries.into_iter().map(|(cell, _)| cell).collect()
}

/// The stack before each edge of a path.
fn stacks(domain: &mut ValueDomain<'_>, path: &[EdgeId]) -> Vec<StackId> {
    let program = domain.program;
    let mut stack = domain.stacks.root();
    let mut stacks = Vec::with_capacity(path.len());
    for edge in path {
        stacks.push(stack);
        let mut loc = program.edges[*edge].dst;
        if let Op::Call { func, .. } = &program.edges[*edge].op
            && let Some(body) = program.functions[*func].body
        {
            stack = domain.push(stack, *edge, *func);
            loc = body.entry;
        }
        while let Some((below, next)) = returns(domain, stack, loc) {
            (stack, loc) = (below, next);
        }
    }
    stacks
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
    path: &'d [EdgeId],
    sliced: FxHashSet<usize>,
    stacks: Vec<StackId>,
    /// Positions with candidates, ascending.
    positions: Vec<usize>,
    candidates: Vec<Vec<CellId>>,
}

impl PathSemantics for Sliced<'_, '_> {
    type Assignment = Work;
    type Variable = CellId;

    fn len(&self) -> usize {
        self.path.len()
    }

    fn post(&mut self, work: &mut Work, i: usize) -> bool {
        let program = self.domain.program;
        let edge = self.path[i];
        let mut loc = program.edges[edge].dst;
        let mut stack = self.stacks[i];
        if !self.sliced.contains(&i) {
            match self.domain.step(work, stack, edge) {
                Ok(next) => {
                    if let Op::Call { func, .. } = &program.edges[edge].op
                        && let Some(body) = program.functions[*func].body
                    {
                        loc = body.entry;
                    }
                    stack = next;
                }
                Err(_) => return false,
            }
        }
        loop {
            let at_exit = program.functions[program.locs[loc].func].body.is_some_and(|body| body.exit == loc);
            match at_exit.then(|| self.domain.leave(work, stack)).flatten() {
                Some((below, next)) => (stack, loc) = (below, next),
                None => return true,
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

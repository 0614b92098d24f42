//! Residual programs: what an abstract reachability graph leaves open, as a program of its own.
//!
//! An abstract reachability graph may be complete but for violations that its domain can't refute. A run to such a target takes only edges on the
//! graph's ways to targets, and ends there. These edges make a program; if bounded model checking covers all of its runs and none of them violates
//! the property, no run of the whole program gets to a target. Where strategies replace loops [beyer22], that program often has no loops.

use crate::unrolling::{self, BmcConfig, Unwind};
use base::Budget;
use cfa::loops::Wto;
use cfa::{EdgeId, Program};
use outcome::{Outcome, Silent, Verdict};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use task::Task;
use transform::strategies::Strategy;

/// Whether violations are sought where an analysis leaves targets that its domain can't exclude.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Search {
    /// With bounded model checking of what is left.
    #[default]
    Bounded,
    /// They are not.
    None,
}

/// The program of what a graph leaves open; strategies among its edges stand for their loops.
pub struct ResidualProgram(Program);

impl ResidualProgram {
    /// The program that consists of these edges; none where nodes choose different strategies of a loop, because branches that are no alternatives
    /// can't be told apart by a formula.
    pub fn new(task: &Task<'_, '_>, edges: &FxHashSet<EdgeId>) -> Option<Self> {
        let program = restrict(task.program, edges);
        let is_chosen = |at| program.locs[at].out.len() <= 1;
        task.strategies.choices.iter().all(|choice| is_chosen(choice.at)).then_some(Self(program))
    }

    /// Whether anything is left to unwind.
    pub fn has_loops(&self) -> bool {
        let wto = Wto::new(&self.0);
        self.0.locs.ids().any(|loc| wto.is_head(loc))
    }

    /// The outcome of bounded model checking, if it shows that no run violates the property.
    pub fn refute(&self, task: &Task<'_, '_>, budget: &Budget) -> Option<Outcome> {
        let outcome = unwind(task, &self.0, Unwind::Doubling, budget);
        (outcome.verdict == Verdict::True).then_some(outcome)
    }
}

/// Searches the program that consists of some of the edges; a counterexample was replayed on the whole program.
pub fn search(task: &Task<'_, '_>, edges: &FxHashSet<EdgeId>, bound: Unwind, budget: &Budget) -> Outcome {
    let exact = |edge: &EdgeId| task.strategies.chosen_by(*edge).is_none_or(|(_, s)| s == Strategy::Base);
    let edges: FxHashSet<EdgeId> = edges.iter().copied().filter(exact).collect();
    unwind(task, &restrict(task.program, &edges), bound, budget)
}

/// Bounded model checking of a part of the task's program without choices of strategies.
pub fn unwind(task: &Task<'_, '_>, program: &Program, unwind: Unwind, budget: &Budget) -> Outcome {
    let wto = Wto::new(program);
    let task = Task { strategies: &Arc::default(), ..task.of_part(program, &wto) };
    unrolling::run(&task, &BmcConfig { unwind, origins: None }, budget, &Silent)
}

/// The program with these edges only.
pub fn restrict(program: &Program, edges: &FxHashSet<EdgeId>) -> Program {
    let mut program = program.clone();
    for loc in program.locs.iter_mut() {
        loc.out.retain(|edge| edges.contains(edge));
        loc.inc.retain(|edge| edges.contains(edge));
    }
    program
}

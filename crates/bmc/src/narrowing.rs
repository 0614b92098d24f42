//! States of a numerical domain that cover all runs: for proofs, and as a source of invariants.
//!
//! The exploration joins and widens until the states cover all runs. Then *narrowing*: each state is computed anew as the join of what its
//! predecessors lead to. Since the states describe all runs, so do these, and bounds that widening lost come back. The targets are those
//! that the last round leads to.

use analysis::{AnalysisError, Cpa, Order, Reachability, Status, Target};
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::observer::ObserverState;
use cfa::points_to::PointsTo;
use cfa::{EdgeId, LocId, VarId};
use domains::numerical::cpa::NumericalKey;
use domains::numerical::{Numerical, NumericalCpa, Place, Reached};
use outcome::Statistics;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use step::StackId;
use step::{Blocks, Locations};
use task::Task;

/// Rounds of narrowing.
const ROUNDS: u32 = 3;

/// Where a state belongs: the calls that led there, the location, and the observer's state.
pub type Where = (Vec<EdgeId>, LocId, ObserverState);

/// States that cover all runs.
pub struct States<S> {
    /// By place.
    pub states: BTreeMap<Where, Rc<S>>,
    /// Violations, and edges that are not modelled, which may be reached.
    pub targets: Vec<Target>,
    /// The edges by which violations may be reached; `None` for one right behind a return.
    pub violations: BTreeSet<Option<EdgeId>>,
    /// Edges at which runs end because what they do there is undefined.
    pub undefined: BTreeSet<EdgeId>,
    /// The calls of the stacks that cells mention.
    pub stacks: BTreeMap<StackId, Vec<EdgeId>>,
    /// What was counted.
    pub stats: Statistics,
}

impl<S> Default for States<S> {
    fn default() -> Self {
        Self {
            states: BTreeMap::new(),
            targets: Vec::new(),
            violations: BTreeSet::new(),
            undefined: BTreeSet::new(),
            stacks: BTreeMap::new(),
            stats: Statistics::default(),
        }
    }
}

/// An analysis that has not begun.
pub fn begin<'p, S: Numerical>(task: &Task<'_, 'p>, points_to: &'p PointsTo, budget: &Budget) -> NumericalCpa<'p, S> {
    let calls = CallGraph::new(task.program, Some(points_to));
    let locations = Locations::new(task.program, task.wto, &calls, Blocks::Joins);
    let plan = S::plan(task.program, task.wto);
    NumericalCpa::new(task.program, points_to, (plan, locations, calls), task.observer, budget)
}

/// Analyses the program.
///
/// # Errors
/// When the budget ends, or calls are nested too deeply.
pub fn analyse<S: Numerical>(
    task: &Task<'_, '_>,
    points_to: &PointsTo,
    budget: &Budget,
) -> Result<States<S>, AnalysisError> {
    let mut cpa = begin(task, points_to, budget);
    let mut reachability = Reachability::new(Order::ReversePostorder);
    while reachability.explore(&mut cpa, &(), budget)?.is_some() {}
    let mut states: BTreeMap<_, Reached<S>> = BTreeMap::new();
    let arg = &reachability.arg;
    for id in arg.ids().filter(|id| arg.status(*id) == Status::Expanded) {
        add(&mut states, &cpa, arg.state(id).clone());
    }
    let mut targets = Vec::new();
    for _ in 0..ROUNDS {
        targets.clear();
        cpa.violations.clear();
        cpa.undefined.clear();
        let mut next = BTreeMap::new();
        let initial = cpa.initial(&());
        add(&mut next, &cpa, initial);
        let mut out = Vec::new();
        for state in states.values() {
            cpa.transfer(state, &(), &mut out)?;
            for successor in out.drain(..) {
                match successor.target {
                    Some(target) => targets.push(target),
                    None => add(&mut next, &cpa, successor.state),
                }
            }
        }
        states = next;
    }
    let (violations, undefined) = (std::mem::take(&mut cpa.violations), std::mem::take(&mut cpa.undefined));
    let mut found = States { targets, violations, undefined, ..States::default() };
    found.stats.count("numerical.steps", cpa.steps);
    found.stats.count("numerical.states", states.len() as u64);
    for ((loc, stack, observer), Reached { state, .. }) in states {
        let calls = cpa.stacks.calls(stack);
        let mut below = stack;
        while let Some((caller, _)) = cpa.stacks.frame(below).caller {
            found.stacks.entry(below).or_insert_with(|| cpa.stacks.calls(below));
            below = caller;
        }
        found.stacks.entry(below).or_default();
        found.states.insert((calls, loc, observer), state);
    }
    Ok(found)
}

fn add<S: Numerical>(states: &mut BTreeMap<NumericalKey, Reached<S>>, cpa: &NumericalCpa<'_, S>, state: Reached<S>) {
    let key = cpa.key(&state);
    match states.get_mut(&key) {
        Some(old) => old.state = Rc::new(old.state.join(&state.state)),
        None => drop(states.insert(key, state)),
    }
}

impl<S: Numerical> States<S> {
    /// Congruences of registers at a place, of globals and of the frame on top: in the states there, whatever the observer's.
    pub fn congruences(&self, task: &Task<'_, '_>, calls: &[EdgeId], loc: LocId) -> Vec<(VarId, u64, u64)> {
        let mut found = Vec::new();
        for (_, state) in self.states.iter().filter(|((c, l, _), _)| *l == loc && c == calls) {
            for (cell, num) in state.numbers().filter(|(_, num)| num.modulus > 1) {
                let Place::Register(stack, var) = cell.place else { continue };
                let own = task.program.vars[var].is_global()
                    || self.stacks.get(&stack).is_some_and(|stack| stack.as_slice() == calls);
                if own {
                    found.push((var, num.modulus, num.rest));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

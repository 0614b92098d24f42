//! The interval analysis: alone as a verifier, and as a source of invariants.
//!
//! The exploration joins and widens until the states cover all runs. Then *narrowing*: each state is computed anew as the join of what its
//! predecessors lead to. Since the states describe all runs, so do these, and bounds that widening lost come back. The property
//! holds if the last round leads to no violation and to nothing that is not modelled.

use crate::kinduction::check::{Checked, check_intervals};
use crate::kinduction::explore::{Cut, Explorer};
use crate::kinduction::facts::{Fact, Part, Reg, Signs};
use crate::kinduction::tell::{Case, tell};
use analysis::{AnalysisError, Cpa, Order, Reachability, Status, Target};
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::observer::ObserverState;
use cfa::points_to::PointsTo;
use cfa::{EdgeId, LocId, VarId};
use domains::interval::{Cell, Env, IntervalCpa, IntervalState, Num, Place};
use outcome::progress::Event;
use outcome::{Evidence, Invariant, Outcome, Progress, Statistics, StopReason, Verdict};
use std::collections::BTreeMap;
use std::rc::Rc;
use step::StackId;
use step::{Blocks, Locations};
use task::Task;
use task::evidence::ProofCheck;

/// Rounds of narrowing.
const ROUNDS: u32 = 3;

/// Where a state belongs: the calls that led there, the location, and the observer's state.
pub type Where = (Vec<EdgeId>, LocId, ObserverState);

/// States that cover all runs.
#[derive(Default)]
pub struct Intervals {
    /// By place.
    pub states: BTreeMap<Where, Rc<Env>>,
    /// Violations, and edges that are not modelled, which may be reached.
    pub targets: Vec<Target>,
    stacks: BTreeMap<StackId, Vec<EdgeId>>,
    /// What was counted.
    pub stats: Statistics,
}

/// Analyses the program.
///
/// # Errors
/// When the budget ends, or calls are nested too deeply.
pub fn analyse(task: &Task<'_, '_>, points_to: &PointsTo, budget: &Budget) -> Result<Intervals, AnalysisError> {
    let calls = CallGraph::new(task.program, Some(points_to));
    let locations = Locations::new(task.program, task.wto, &calls, Blocks::Joins);
    let mut cpa = IntervalCpa::new(task.program, points_to, (locations, calls), task.observer, budget);
    let mut reachability = Reachability::new(Order::ReversePostorder);
    while reachability.explore(&mut cpa, &(), budget)?.is_some() {}
    let mut states: BTreeMap<_, IntervalState> = BTreeMap::new();
    let arg = &reachability.arg;
    for id in arg.ids().filter(|id| arg.status(*id) == Status::Expanded) {
        add(&mut states, &cpa, arg.state(id).clone());
    }
    let mut targets = Vec::new();
    for _ in 0..ROUNDS {
        targets.clear();
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
    let mut found = Intervals { targets, ..Intervals::default() };
    found.stats.count("interval.steps", cpa.steps);
    found.stats.count("interval.states", states.len() as u64);
    for ((loc, stack, observer), state) in states {
        let calls = cpa.stacks.calls(stack);
        let mut below = stack;
        while let Some((caller, _)) = cpa.stacks.frame(below).caller {
            found.stacks.entry(below).or_insert_with(|| cpa.stacks.calls(below));
            below = caller;
        }
        found.stacks.entry(below).or_default();
        found.states.insert((calls, loc, observer), state.env);
    }
    Ok(found)
}

type Key = (LocId, StackId, ObserverState);

fn add(states: &mut BTreeMap<Key, IntervalState>, cpa: &IntervalCpa<'_>, state: IntervalState) {
    let key = cpa.key(&state);
    match states.get_mut(&key) {
        Some(old) => old.env = Rc::new(old.env.join(&state.env)),
        None => drop(states.insert(key, state)),
    }
}

/// Verifies with the analysis alone.
pub fn run(
    task: &Task<'_, '_>,
    points_to: &PointsTo,
    proof: ProofCheck,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    progress.event(Event::Phase("intervals"));
    let found = match analyse(task, points_to, budget) {
        Ok(found) => found,
        Err(error) => return Outcome::unknown(error.reason(budget)),
    };
    let mut outcome = match found.targets.first() {
        None => {
            let checked = match proof {
                ProofCheck::Skip => Ok(Checked::Proof),
                ProofCheck::Demand => check_intervals(task, points_to, &found, budget),
            };
            let nodes = found.states.len() as u64;
            match checked {
                Ok(Checked::Proof) => {
                    let evidence = Evidence::Abstraction { nodes };
                    Outcome { invariants: found.tell(task), ..Outcome::new(Verdict::True, evidence) }
                }
                Ok(Checked::Rejected(why)) => Outcome::unknown(StopReason::ProofRejected { why }),
                Err(stop) => Outcome::unknown(StopReason::from_stop(stop, budget)),
            }
        }
        Some(_) => {
            let unmodelled = found.targets.iter().find_map(|target| match target {
                Target::Unmodelled(edge) => Some(*edge),
                Target::Violation => None,
            });
            let place = unmodelled.and_then(|edge| task.program.source.place(task.program.edges[edge].span.lo));
            Outcome::unknown(StopReason::TooCoarse { domain: "interval", place })
        }
    };
    outcome.stats.append(found.stats);
    outcome
}

impl Intervals {
    /// What holds at heads of loops, in the user's words.
    fn tell(&self, task: &Task<'_, '_>) -> Vec<Invariant> {
        let mut cases: BTreeMap<LocId, Vec<Case>> = BTreeMap::new();
        for ((calls, loc, _), env) in self.states.iter().filter(|((_, loc, _), _)| task.wto.is_head(*loc)) {
            let reg = |cell: Cell| match cell.place {
                Place::Register(stack, var) => {
                    let own = task.program.vars[var].is_global() || self.stacks.get(&stack) == Some(calls);
                    own.then_some(Reg::register(stack, var))
                }
                Place::Memory(..) => None,
            };
            let (facts, more) = facts_of(env, reg);
            cases.entry(*loc).or_default().push(Case { facts, more });
        }
        tell(task.program, cases)
    }

    /// Congruences of registers at a place, of globals and of the frame on top: in the states there, whatever the observer's.
    pub fn congruences(&self, task: &Task<'_, '_>, calls: &[EdgeId], loc: LocId) -> Vec<(VarId, u64, u64)> {
        let mut found = Vec::new();
        for ((_, _, _), env) in self.states.iter().filter(|((c, l, _), _)| *l == loc && c == calls) {
            for (cell, num) in env.cells().filter(|(_, num)| num.modulus > 1) {
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

    /// The facts of a cut point as candidates for invariants.
    pub fn facts(&self, explorer: &Explorer<'_, '_>, cut: Cut) -> Vec<Fact> {
        let at = (explorer.stacks.calls(cut.stack), cut.head, cut.observer);
        let Some(env) = self.states.get(&at) else { return Vec::new() };
        let frames = frames(explorer, cut.stack);
        let reg = |cell: Cell| {
            let (stack, var, part) = match cell.place {
                Place::Register(stack, var) => (stack, var, None),
                Place::Memory(stack, var, offset) => (stack, var, Some(Part { offset, ty: cell.ty })),
            };
            let calls = self.stacks.get(&stack)?;
            let stack = frames.iter().find(|(c, _)| c == calls)?.1;
            Some(Reg { stack, var, part })
        };
        facts_of(env, reg).0
    }
}

/// The facts of a state about what `reg` has a name for, and whether it says more.
fn facts_of(env: &Env, reg: impl Fn(Cell) -> Option<Reg>) -> (Vec<Fact>, bool) {
    let (mut facts, mut more) = (Vec::new(), false);
    for (cell, num) in env.cells() {
        match reg(cell) {
            Some(reg) => of_number(reg, num, Num::top(cell.ty), &mut facts),
            None => more = true,
        }
    }
    for ((x, y), bound) in env.differences() {
        match (reg(x), reg(y)) {
            (Some(x), Some(y)) => facts.push(Fact::Octagon { x, y, signs: Signs::Difference, bound }),
            _ => more = true,
        }
    }
    (facts, more)
}

/// The stacks below a stack, with their calls.
fn frames(explorer: &Explorer<'_, '_>, stack: StackId) -> Vec<(Vec<EdgeId>, StackId)> {
    let below = std::iter::successors(Some(stack), |s| explorer.stacks.frame(*s).caller.map(|(below, _)| below));
    below.map(|s| (explorer.stacks.calls(s), s)).collect()
}

fn of_number(reg: Reg, num: Num, top: Num, facts: &mut Vec<Fact>) {
    if num.lo > top.lo {
        facts.push(Fact::AtLeast(reg, num.lo));
    }
    if num.hi < top.hi {
        facts.push(Fact::AtMost(reg, num.hi));
    }
    if num.modulus > 1 {
        facts.push(Fact::Congruent { reg, modulus: num.modulus, rest: num.rest });
    }
}

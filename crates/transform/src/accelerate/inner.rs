//! Inner loops on looping paths, which [kroening15] leaves open.
//!
//! Loops are looked at from the inside out. Where an inner loop has an accelerator, a path of the loop around it may pass it: it takes the
//! accelerator once, with so many iterations that the inner loop is left where the path goes on, or not at all. The number of iterations is a
//! term over the values at the outer head ([`super::trips`]), so the path is one like any other, with closed forms of its own.
//!
//! Write `B(y, n)` for the bound of the inner accelerator, `F(y, n)` for its closed form, `C` for the condition that stays on the inner path
//! and `t(y)` for the number, all over the values `y` at the inner head. The effect of the pass is `F(y, t(y))`, and its conditions are
//! `B(y, t(y))` and those of the way out. So whatever `t` is, the path reaches only what the program does. The solver confirms
//! two more things ([`settle`]):
//!
//! * which of the conditions follow from those before them, foremost the condition of one iteration: they need no bound of their own;
//! * that the number is the only one: `B(y, n) ∧ ¬C(F(y, n)) ⇒ n = t(y)`. Then the path has all runs that take the inner accelerator once
//!   and go on like that, so that an outer accelerator that covers the path covers them.

use crate::accelerate::oracle::{Env, Oracle};
use crate::accelerate::path::{LoopPath, Pass};
use crate::exprs::{Exprs, Literal, Map};
use base::Stop;
use cfa::loops::Wto;
use cfa::{BinOp, EdgeId, ExprId, ExprKind, ExprPool, LocId, Op, Program, VarId};
use rustc_hash::FxHashMap;
use smt::TermId;
use std::collections::BTreeMap;

/// An edge of a path before it is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The edge.
    pub edge: EdgeId,
    /// The accelerator of the inner loop at its source that is taken before, by its place among those of the loop.
    pub accelerator: Option<usize>,
}

/// An accelerator of an inner loop, as far as a path around the loop needs it.
pub struct Passable {
    /// Place among the accelerators of the loop.
    pub place: usize,
    /// The accelerated path.
    pub path: LoopPath,
    /// Number of iterations.
    pub count: VarId,
    /// Condition on the values at the inner head and the count.
    pub bound: ExprId,
    /// New values.
    pub updates: BTreeMap<VarId, ExprId>,
    /// For each decision of the path, after how many iterations it is another one, where that is known.
    pub trips: Vec<Option<ExprId>>,
}

/// Loops that have accelerators, by their heads.
pub type InnerLoops = BTreeMap<LocId, Vec<Passable>>;

/// The heads of loops from the inside out: first those without inner loops, then those around them, and so on.
pub fn inside_out(program: &Program, wto: &Wto) -> Vec<LocId> {
    let mut height: FxHashMap<LocId, usize> = FxHashMap::default();
    let mut all = Vec::new();
    for func in program.functions.ids() {
        let heads: Vec<LocId> = wto.order(func).iter().copied().filter(|loc| wto.is_head(*loc)).collect();
        // Behind a head come those of the loops within it.
        for head in heads.iter().rev() {
            let inner = wto.component(program, *head).iter().filter_map(|loc| height.get(loc));
            height.insert(*head, inner.max().map_or(0, |below| below + 1));
        }
        all.extend(heads);
    }
    all.sort_by_key(|head| height[head]);
    all
}

/// The `n`-th way to go on from a location on a path from `head`.
pub fn step(inner: &InnerLoops, program: &Program, head: LocId, loc: LocId, n: usize) -> Option<Step> {
    let out = &program.locs[loc].out;
    if let Some(edge) = out.get(n) {
        return Some(Step { edge: *edge, accelerator: None });
    }
    let passable = inner.get(&loc).filter(|_| loc != head)?;
    let accelerator = passable.get((n - out.len()).checked_div(out.len())?)?;
    Some(Step { edge: out[n % out.len()], accelerator: Some(accelerator.place) })
}

/// Executes the inner loop before the step at place `at`, if it has one; `None` if that has no description.
pub fn pass(
    inner: &InnerLoops,
    program: &mut Program,
    path: &mut LoopPath,
    now: &mut Map,
    steps: &[Step],
    at: usize,
) -> Option<()> {
    let Step { edge, accelerator: Some(place) } = steps[at] else { return Some(()) };
    let passable = inner.get(&program.edges[edge].src)?.iter().find(|passable| passable.place == place)?;
    let decision = way_out(program, &passable.path, &steps[at..])?;
    let (stays, number) = (passable.path.decisions[decision].literal, passable.trips[decision]?);
    let exprs = passable.updates.values().chain([&passable.bound]);
    if exprs.into_iter().any(|e| path.reads_written(&program.exprs, *e)) {
        return None;
    }
    let parts = conjuncts(&program.exprs, passable.bound);
    let e = Exprs::of(program);
    let number = e.substitute(number, now);
    let mut with_number = now.clone();
    with_number.insert(passable.count, number);
    let after = |values: &Map| {
        let mut after = values.clone();
        after.extend(passable.updates.iter().map(|(var, value)| (*var, e.substitute(*value, values))));
        after
    };
    path.passes.push(Pass {
        at,
        accelerator: place,
        before: path.guards.len(),
        count: passable.count,
        trips: number,
        bound: e.substitute(passable.bound, now),
        stays: e.substitute_in(stays, &after(now)),
        is_unique: false,
    });
    path.guards.extend(passable.path.guards.iter().map(|guard| e.substitute_in(*guard, now)));
    let hold = |part| Literal { cond: e.substitute(part, &with_number), truth: true };
    path.guards.extend(parts.into_iter().map(hold));
    *now = after(&with_number);
    now.remove(&passable.count);
    Some(())
}

/// The decision at which the steps leave a looping path that begins where they do, by the other side of its condition.
fn way_out(program: &Program, path: &LoopPath, rest: &[Step]) -> Option<usize> {
    let common = path.edges.iter().zip(rest).take_while(|(edge, step)| **edge == step.edge).count();
    // Both have to have the same inner loops before.
    let passed: FxHashMap<usize, usize> = path.passes.iter().map(|pass| (pass.at, pass.accelerator)).collect();
    let same = |(at, step): (usize, &Step)| at == 0 || step.accelerator == passed.get(&at).copied();
    rest.iter().enumerate().take(common + 1).all(same).then_some(())?;
    let [stay, leave] = [path.edges.get(common)?, &rest.get(common)?.edge].map(|edge| &program.edges[*edge].op);
    let (Op::Assume { cond, truth }, Op::Assume { cond: other, truth: other_truth }) = (stay, leave) else {
        return None;
    };
    if cond != other || truth == other_truth {
        return None;
    }
    path.decisions.iter().position(|decision| decision.at == common)
}

/// The parts of a conjunction.
fn conjuncts(pool: &ExprPool, root: ExprId) -> Vec<ExprId> {
    let (mut parts, mut stack) = (Vec::new(), vec![root]);
    while let Some(expr) = stack.pop() {
        match pool.kind(expr) {
            ExprKind::Binary(BinOp::And, a, b) => stack.extend([b, a]),
            _ => parts.push(expr),
        }
    }
    parts
}

/// Leaves out conditions that follow from those before them, and finds out which numbers of inner iterations are the only ones. Returns
/// whether the path can be taken.
///
/// # Errors
/// When the run has to end.
pub fn settle(oracle: &mut Oracle<'_>, path: &mut LoopPath) -> Result<bool, Stop> {
    let mut env = Env::default();
    let mut assumed = oracle.enc.terms.tru();
    let mut kept = Vec::new();
    for at in 0..=path.guards.len() {
        for pass in path.passes.iter_mut().filter(|pass| pass.before == at) {
            pass.is_unique = is_unique(oracle, pass, assumed, &mut env)?;
        }
        let Some(guard) = path.guards.get(at).copied() else { break };
        let claim = oracle.literal(guard, &mut env);
        if !oracle.holds(assumed, claim)? {
            assumed = oracle.enc.terms.and(assumed, claim);
            kept.push(guard);
        }
    }
    path.guards = kept;
    let never = oracle.enc.terms.fals();
    Ok(!oracle.holds(assumed, never)?)
}

/// Whether only one number of inner iterations leads along the path.
fn is_unique(oracle: &mut Oracle<'_>, pass: &Pass, assumed: TermId, env: &mut Env) -> Result<bool, Stop> {
    let bound = oracle.term(pass.bound, env);
    let leaves = oracle.literal(Literal { truth: !pass.stays.truth, ..pass.stays }, env);
    let count = oracle.register(pass.count, env);
    let number = oracle.term(pass.trips, env);
    let terms = &mut oracle.enc.terms;
    let claim = terms.eq(count, number);
    let left = terms.and(bound, leaves);
    let assumed = terms.and(assumed, left);
    oracle.holds(assumed, claim)
}

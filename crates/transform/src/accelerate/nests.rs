//! Looping paths through inner loops, which [kroening15] leaves open.
//!
//! Loops are looked at from the inside out. Where an inner loop has an accelerator, a path of the loop around it may pass it: it takes the
//! accelerator once, with so many iterations that the inner loop is left where the path goes on, or not at all. The number of iterations is a
//! term over the values at the outer head ([`super::trips`]), so the path is one like any other, with closed forms of its own.
//!
//! Write `B(y, n)` for the bound of the inner accelerator, `F(y, n)` for its closed form, `C` for the condition that stays on the inner path
//! and `t(y)` for the number, all over the values `y` at the inner head. The effect of the pass is `F(y, t(y))`, and its conditions are
//! `B(y, t(y))` and those of the way out. So whatever `t` is, the path reaches only what the program does. The solver confirms
//! two more things ([`Checker::settle`]):
//!
//! * which of the conditions follow from those before them, foremost the condition of one iteration: they need no bound of their own;
//! * that the number is the only one: `B(y, n) ∧ ¬C(F(y, n)) ⇒ n = t(y)`. Then the path has all runs that take the inner accelerator once
//!   and go on like that, so that an outer accelerator that covers the path covers them.

use crate::accelerate::check::{Checker, Env, Facts};
use crate::accelerate::closed::Accelerator;
use crate::accelerate::exprs::{Map, loads, substitute};
use crate::accelerate::paths::{LoopPath, PathStep};
use crate::accelerate::trips::trips;
use base::Stop;
use cfa::loops::Wto;
use cfa::{BinOp, ExprId, ExprKind, ExprPool, LocId, Op, Program, VarId};
use rustc_hash::FxHashMap;
use smt::TermId;
use std::collections::BTreeMap;

/// An inner loop on a path, iterated by one of its accelerators until it is left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pass {
    /// Place on the path of the edge behind.
    pub at: usize,
    /// Head of the inner loop.
    pub head: LocId,
    /// Place of the accelerator among those of the inner loop.
    pub accelerator: usize,
    /// How many conditions of the path come before.
    before: usize,
    /// Counts the inner iterations.
    count: VarId,
    /// How many there are.
    trips: ExprId,
    /// What holds for any number of inner iterations.
    bound: ExprId,
    /// The condition that stays in the inner loop, after any number of iterations, and its truth value.
    stays: (ExprId, bool),
    /// Whether no other number of iterations leads along the path.
    pub is_unique: bool,
}

/// Inner loops that have accelerators.
#[derive(Default)]
pub struct Inner<'a> {
    loops: BTreeMap<LocId, &'a [(Accelerator, Facts)]>,
}

impl<'a> Inner<'a> {
    /// The accelerators of loops, by their heads.
    pub fn new(loops: impl Iterator<Item = (LocId, &'a [(Accelerator, Facts)])>) -> Self {
        Self { loops: loops.collect() }
    }

    /// Whether the loop with this head can be passed.
    pub fn has(&self, head: LocId) -> bool {
        self.loops.contains_key(&head)
    }

    /// Whether one of these can be passed.
    pub fn has_some_in(&self, heads: &[LocId]) -> bool {
        heads.iter().any(|head| self.has(*head))
    }

    /// The `n`-th way to go on from a location on a path from `head`.
    pub fn step(&self, program: &Program, head: LocId, loc: LocId, n: usize) -> Option<PathStep> {
        let out = &program.locs[loc].out;
        if let Some(edge) = out.get(n) {
            return Some(PathStep { edge: *edge, accelerator: None });
        }
        let accelerators = self.loops.get(&loc).filter(|_| loc != head)?;
        let mut passable = (0..accelerators.len()).filter(|at| is_passable(&accelerators[*at].0));
        let accelerator = passable.nth((n - out.len()).checked_div(out.len())?)?;
        Some(PathStep { edge: out[n % out.len()], accelerator: Some(accelerator) })
    }

    /// Executes an inner loop before the first of the steps that are left, which is at place `at`; `None` if it has no description.
    pub fn pass(
        &self,
        program: &mut Program,
        path: &mut LoopPath,
        now: &mut Map,
        (rest, at, accelerator): (&[PathStep], usize, usize),
    ) -> Option<()> {
        let head = program.edges[rest.first()?.edge].src;
        let (inner, _) = self.loops.get(&head)?.get(accelerator)?;
        let stays = &inner.path.decisions[way_out(program, &inner.path, rest)?];
        let number = trips(program, inner, stays.cond, stays.truth)?;
        let exprs = inner.updates.values().chain([&inner.bound]);
        if !path.writes.is_empty() && exprs.into_iter().any(|e| loads(&program.exprs, *e)) {
            return None;
        }
        let pool = &mut program.exprs;
        let number = substitute(pool, number, now);
        let mut with_number = now.clone();
        with_number.insert(inner.count, number);
        let before = path.guards.len();
        let after = |pool: &mut ExprPool, values: &Map| {
            let mut after = values.clone();
            after.extend(inner.updates.iter().map(|(var, value)| (*var, substitute(pool, *value, values))));
            after
        };
        let at_any = after(pool, now);
        let pass = Pass {
            at,
            head,
            accelerator,
            before,
            count: inner.count,
            trips: number,
            bound: substitute(pool, inner.bound, now),
            stays: (substitute(pool, stays.cond, &at_any), stays.truth),
            is_unique: false,
        };
        path.passes.push(pass);
        for (cond, truth) in &inner.path.guards {
            path.guards.push((substitute(pool, *cond, now), *truth));
        }
        for part in conjuncts(pool, inner.bound) {
            path.guards.push((substitute(pool, part, &with_number), true));
        }
        *now = after(pool, &with_number);
        now.remove(&inner.count);
        Some(())
    }
}

/// Whether an accelerator does not depend on what the environment chooses and leaves memory as it is.
fn is_passable(inner: &Accelerator) -> bool {
    inner.path.inputs.is_empty() && inner.repeat.is_none() && inner.path.assumed.is_none()
}

/// The decision at which the steps leave a looping path that begins where they do, by the other side of its condition.
fn way_out(program: &Program, path: &LoopPath, rest: &[PathStep]) -> Option<usize> {
    let common = path.edges.iter().zip(rest).take_while(|(edge, step)| **edge == step.edge).count();
    // Both have to have the same inner loops before.
    let passed = path.passes.iter().map(|pass| (pass.at, Some(pass.accelerator)));
    let passed: FxHashMap<usize, Option<usize>> = passed.collect();
    let same = |(at, step): (usize, &PathStep)| at == 0 || step.accelerator == passed.get(&at).copied().flatten();
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

/// The heads of loops from the inside out: those of one level have all their inner loops on levels before.
pub fn levels(program: &Program, wto: &Wto) -> Vec<Vec<LocId>> {
    let mut levels: Vec<Vec<LocId>> = Vec::new();
    for func in program.functions.ids() {
        let mut height: FxHashMap<LocId, usize> = FxHashMap::default();
        let heads = || wto.order(func).iter().copied().filter(|loc| wto.is_head(*loc));
        // Behind a head come those of the loops within it.
        for head in heads().collect::<Vec<_>>().into_iter().rev() {
            let inner = wto.component(program, head).iter().filter_map(|loc| height.get(loc));
            height.insert(head, inner.max().map_or(0, |below| below + 1));
        }
        for head in heads() {
            let at = height[&head];
            levels.resize_with(levels.len().max(at + 1), Vec::new);
            levels[at].push(head);
        }
    }
    levels
}

impl Checker<'_> {
    /// Leaves out conditions that follow from those before them, and tells which numbers of inner iterations are the only ones. Returns
    /// whether the path can be taken.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn settle(&mut self, path: &mut LoopPath) -> Result<bool, Stop> {
        let mut env = Env::default();
        let mut assumed = self.enc.terms.tru();
        let mut kept = Vec::new();
        for at in 0..=path.guards.len() {
            for pass in path.passes.iter_mut().filter(|pass| pass.before == at) {
                pass.is_unique = self.is_unique(pass, assumed, &mut env)?;
            }
            let Some((cond, truth)) = path.guards.get(at).copied() else { break };
            let claim = self.condition(cond, truth, &mut env);
            if !self.holds(assumed, claim)? {
                assumed = self.enc.terms.and(assumed, claim);
                kept.push((cond, truth));
            }
        }
        path.guards = kept;
        let never = self.enc.terms.fals();
        Ok(!self.holds(assumed, never)?)
    }

    /// Whether only one number of inner iterations leads along the path.
    fn is_unique(&mut self, pass: &Pass, assumed: TermId, env: &mut Env) -> Result<bool, Stop> {
        let bound = self.condition(pass.bound, true, env);
        let (stays, truth) = pass.stays;
        let leaves = self.condition(stays, !truth, env);
        let count = self.register(pass.count, env);
        let number = self.term(pass.trips, env);
        let terms = &mut self.enc.terms;
        let claim = terms.eq(count, number);
        let left = terms.and(bound, leaves);
        let assumed = terms.and(assumed, left);
        self.holds(assumed, claim)
    }
}

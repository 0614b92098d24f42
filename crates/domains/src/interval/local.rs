//! Conditions that hold at edges whoever calls their function: intervals of the registers of one function at a time.

use super::env::Env;
use super::post::assign;
use crate::numerical::cpa::thresholds;
use crate::numerical::{Place, Scope};
use cfa::loops::Wto;
use cfa::{EdgeId, ExprId, ExprKind, FuncId, LocId, Op, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use step::Callstacks;

/// Joins at a head before bounds are widened.
const DELAY: u32 = 2;

/// Those of the edges at which their condition holds on all runs, as far as intervals tell.
pub fn holding(program: &Program, conditions: &BTreeMap<EdgeId, ExprId>) -> BTreeSet<EdgeId> {
    let mut by_function: BTreeMap<FuncId, Vec<EdgeId>> = BTreeMap::new();
    for edge in conditions.keys() {
        by_function.entry(program.locs[program.edges[*edge].src].func).or_default().push(*edge);
    }
    let (wto, thresholds) = (Wto::new(program), thresholds(program));
    let root = Callstacks::new(program).root();
    let scope = Scope { program, stack: root, root };
    let mut holding = BTreeSet::new();
    for (func, edges) in by_function {
        let wanted = edges.iter().map(|edge| conditions[edge]);
        let local = Local { scope, wto: &wto, thresholds: &thresholds, tracked: tracked(program, &wto, func, wanted) };
        let states = local.analyse(func);
        holding.extend(edges.into_iter().filter(|edge| {
            let state = states.get(&program.edges[*edge].src);
            state.is_none_or(|env| scope.eval(env, conditions[edge]).as_single() == Some(1))
        }));
    }
    holding
}

/// The registers that the conditions depend on: what is assigned to them, and what they are compared with.
fn tracked(program: &Program, wto: &Wto, func: FuncId, conditions: impl Iterator<Item = ExprId>) -> FxHashSet<VarId> {
    let mut groups: Vec<Vec<VarId>> = Vec::new();
    for edge in wto.order(func).iter().flat_map(|loc| &program.locs[*loc].out) {
        match &program.edges[*edge].op {
            Op::Assign { dst, src } => {
                let mut group = registers(program, *src);
                group.push(*dst);
                groups.push(group);
            }
            Op::Assume { cond, .. } => groups.push(registers(program, *cond)),
            _ => {}
        }
    }
    let mut tracked: FxHashSet<VarId> = conditions.flat_map(|cond| registers(program, cond)).collect();
    loop {
        let before = tracked.len();
        groups.retain(|group| {
            let is_related = group.iter().any(|var| tracked.contains(var));
            if is_related {
                tracked.extend(group);
            }
            !is_related
        });
        if tracked.len() == before {
            return tracked;
        }
    }
}

fn registers(program: &Program, expr: ExprId) -> Vec<VarId> {
    let mut found = Vec::new();
    program.exprs.walk(expr, |_, e| {
        if let ExprKind::Var(var) = e.kind {
            found.push(var);
        }
    });
    found
}

/// The analysis of one function.
struct Local<'p> {
    scope: Scope<'p>,
    wto: &'p Wto,
    thresholds: &'p [i128],
    tracked: FxHashSet<VarId>,
}

impl Local<'_> {
    /// What holds at the locations that runs get to.
    fn analyse(&self, func: FuncId) -> FxHashMap<LocId, Env> {
        let program = self.scope.program;
        let order = self.wto.order(func);
        let position: FxHashMap<LocId, usize> = order.iter().enumerate().map(|(i, loc)| (*loc, i)).collect();
        let mut states: FxHashMap<LocId, Env> = FxHashMap::default();
        let mut joins: FxHashMap<LocId, u32> = FxHashMap::default();
        let Some(body) = program.functions[func].body else { return states };
        states.insert(body.entry, Env::default());
        let mut work: BTreeSet<usize> = position.get(&body.entry).copied().into_iter().collect();
        while let Some(loc) = work.pop_first().map(|i| order[i]) {
            for edge in &program.locs[loc].out {
                let Some(env) = self.after(&states[&loc], &program.edges[*edge].op) else { continue };
                let dst = program.edges[*edge].dst;
                let new = match states.get(&dst) {
                    None => env,
                    Some(old) if env.leq(old) => continue,
                    Some(old) if self.wto.is_head(dst) => {
                        let joins = joins.entry(dst).or_insert(0);
                        *joins += 1;
                        let joined = old.join(&env);
                        if *joins > DELAY { old.widen(&joined, self.thresholds) } else { joined }
                    }
                    Some(old) => old.join(&env),
                };
                states.insert(dst, new);
                work.extend(position.get(&dst));
            }
        }
        states
    }

    /// The state after an operation; `None` if no run goes on.
    fn after(&self, env: &Env, op: &Op) -> Option<Env> {
        if op.ends_path() {
            return None;
        }
        let (scope, mut env) = (self.scope, env.clone());
        match op {
            Op::Assign { dst, src } if self.tracked.contains(dst) => {
                assign(scope, &mut env, scope.register(*dst), *src);
            }
            Op::Assume { cond, truth } => {
                scope.assume(&mut env, *cond, *truth).ok()?;
                // Memory is not followed.
                env.retain(|cell| matches!(cell.place, Place::Register(_, var) if self.tracked.contains(&var)));
            }
            op => {
                if matches!(op, Op::Call { .. } | Op::CallPtr { .. }) {
                    let is_global = |var: VarId| scope.program.vars[var].is_global();
                    env.retain(|cell| matches!(cell.place, Place::Register(_, var) if !is_global(var)));
                }
                if let Some(cell) = op.assigned().and_then(|dst| scope.register(dst)) {
                    env.forget(cell);
                }
            }
        }
        Some(env)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::BinOp;
    use cfa::build::Builder;
    use cfa::{Scalar, Value};

    /// `for (i = 0; i < limit; i++) {}` with the condition `i < 10` on the edge in the loop.
    #[track_caller]
    fn check(limit: i64, expected: usize) {
        let mut b = Builder::new();
        let (start, i) = (b.program.start, b.reg(None, "i", Scalar::INT));
        let (vi, zero, one, limit) = (b.var(i), b.int(0), b.int(1), b.int(limit));
        let (head, inside, end) = (b.program.add_loc(start), b.program.add_loc(start), b.exit(start));
        let binary = |b: &mut Builder, op, x, y, ty| b.program.exprs.add(ExprKind::Binary(op, x, y), ty);
        let goes_on = binary(&mut b, BinOp::Lt, vi, limit, Scalar::Bool);
        let next = binary(&mut b, BinOp::Add, vi, one, Scalar::INT);
        let nine = b.program.exprs.add(ExprKind::Const(Value(9)), Scalar::INT);
        let fits = binary(&mut b, BinOp::Le, vi, nine, Scalar::Bool);
        let entry = b.entry(start);
        b.edge(entry, head, Op::Assign { dst: i, src: zero });
        b.edge(head, inside, Op::Assume { cond: goes_on, truth: true });
        b.edge(head, end, Op::Assume { cond: goes_on, truth: false });
        let step = b.edge(inside, head, Op::Assign { dst: i, src: next });
        assert_eq!(holding(&b.program, &BTreeMap::from([(step, fits)])).len(), expected);
    }

    #[test]
    fn counted_loops_stay_below_their_limit() {
        check(10, 1);
        check(11, 0);
    }
}

//! Step 4: the solver checks accelerators, bit-precisely, before they are used.
//!
//! Write `f` for the effect of the path, `G` for its condition, `F(x, n)` for the closed form and `B(x, n)` for the bound; inputs are `e` in
//! the early iterations and `l` in the last one.
//!
//! * **Soundness**, by induction over `n`: `B(x,1) ⇒ G(x,l) ∧ f(x,l) = F(x,1)`, and `B(x,n+1;e,l) ⇒ B(x,n;e,e) ∧ G(F(x,n;e,e),l) ∧
//!   f(F(x,n;e,e),l) = F(x,n+1;e,l)`. So an accelerator reaches only what `n` iterations of its path reach.
//! * **Covering**: `G(x,l) ∧ φ(x) ⇒ B(x,1)`: where φ holds, one iteration is what the accelerator does with `n = 1`.
//! * **Idempotence**: `B(x,n) ∧ B(F(x,n),m) ⇒ B(x,n+m) ∧ F(x,n+m) = F(F(x,n),m)`: two accelerations are one.
//!
//! Where the solver does not decide `B(x,n) ∧ B(F(x,n),m) ⇒ B(x,n+m)` in time, it holds by construction if `B` is a conjunction: each conjunct says
//! that something holds in all of the iterations, and `F(F(x,n),m) = F(x,n+m)`. A range `n·|c| ≤ room(x)` without wrap-around makes
//! `room(F(x,n)) = room(x) - n·|c|`, so that ranges add up, and `n ≤ meet(x)` makes `meet(F(x,n)) = meet(x) - n`.
//!
//! Sums of linear sequences are identities of the ring, proved on paper: `T(n+1) = T(n) + n` for `T(n) = n(n-1)/2`, and `f^(n+m) = f^m ∘ f^n`; their
//! products are what solvers are bad at.

use crate::accelerate::accelerator::Accelerator;
use crate::accelerate::closed::Form;
use crate::accelerate::oracle::{Env, Oracle};
use base::Stop;
use cfa::{ExprId, VarId};
use smt::TermId;

/// What holds for an accelerator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// It does what one iteration does, wherever the path can be taken.
    pub covers: bool,
    /// It does so where its range condition holds for one iteration.
    pub covers_in_range: bool,
    /// Two accelerations are one.
    pub is_idempotent: bool,
}

impl Facts {
    /// Whether iterations of the path and repeated accelerations are redundant.
    pub fn is_exact(self) -> bool {
        self.covers && self.is_idempotent
    }
}

/// What holds for an accelerator; `None` if it is not certain that it reaches only what its path reaches.
///
/// # Errors
/// When the run has to end.
pub fn facts(oracle: &mut Oracle<'_>, acc: &Accelerator) -> Result<Option<Facts>, Stop> {
    if !is_sound(oracle, acc)? {
        return Ok(None);
    }
    let is_whole = acc.closed.path.has_unique_passes();
    let covers = is_whole && acc.closed.path.assumed.is_none() && covers(oracle, acc, None)?;
    let covers_in_range = covers || is_whole && self::covers(oracle, acc, Some(acc.range))?;
    Ok(Some(Facts { covers, covers_in_range, is_idempotent: is_idempotent(oracle, acc)? }))
}

fn is_sound(oracle: &mut Oracle<'_>, acc: &Accelerator) -> Result<bool, Stop> {
    let mut x = Env::default();
    let one = count(oracle, acc, 1);
    // One iteration.
    name_registers(oracle, acc, &mut x);
    let mut first = x.clone();
    first.insert(acc.closed.count, one);
    let bound = oracle.term(acc.bound, &mut first);
    let guard = guard(oracle, acc, &mut x);
    let (now, then) = (iterate(oracle, acc, &mut x), closed(oracle, acc, &mut first));
    let same = equal(oracle, acc, &now, &then);
    let claim = oracle.enc.terms.and(guard, same);
    if !oracle.holds(bound, claim)? {
        return Ok(false);
    }
    // One iteration more.
    let n = oracle.fresh(acc.closed.count);
    let more = oracle.enc.terms.bv_add(n, one);
    let mut long = x.clone();
    long.insert(acc.closed.count, more);
    let long_bound = oracle.term(acc.bound, &mut long);
    let positive = oracle.enc.terms.ule(one, n);
    let assumed = oracle.enc.terms.and(long_bound, positive);
    let mut short = x.clone();
    short.insert(acc.closed.count, n);
    for (input, early) in acc.closed.path.inputs.iter().zip(&acc.closed.early) {
        short.insert(input.var, x[early]);
    }
    let short_bound = oracle.term(acc.bound, &mut short);
    let between = closed(oracle, acc, &mut short);
    let mut middle = x.clone();
    middle.extend(between);
    let guard = self::guard(oracle, acc, &mut middle);
    let (now, then) = (iterate(oracle, acc, &mut middle), closed(oracle, acc, &mut long));
    let same = equal(oracle, acc, &now, &then);
    for claim in [short_bound, guard, same] {
        if !oracle.holds(assumed, claim)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn covers(oracle: &mut Oracle<'_>, acc: &Accelerator, range: Option<ExprId>) -> Result<bool, Stop> {
    let mut x = Env::default();
    name_registers(oracle, acc, &mut x);
    let one = count(oracle, acc, 1);
    x.insert(acc.closed.count, one);
    let mut assumed = guard(oracle, acc, &mut x);
    if let Some(range) = range {
        let range = oracle.term(range, &mut x);
        assumed = oracle.enc.terms.and(assumed, range);
    }
    let bound = oracle.term(acc.bound, &mut x);
    oracle.holds(assumed, bound)
}

fn is_idempotent(oracle: &mut Oracle<'_>, acc: &Accelerator) -> Result<bool, Stop> {
    let mut x = Env::default();
    name_registers(oracle, acc, &mut x);
    let [n, m] = [(); 2].map(|()| oracle.fresh(acc.closed.count));
    x.insert(acc.closed.count, n);
    let before = oracle.term(acc.bound, &mut x);
    let after_first = closed(oracle, acc, &mut x);
    let mut middle = x.clone();
    middle.extend(after_first);
    middle.insert(acc.closed.count, m);
    // The second acceleration has inputs of its own.
    for var in chosen(acc) {
        middle.insert(var, oracle.fresh(var));
    }
    let after = oracle.term(acc.bound, &mut middle);
    let result = closed(oracle, acc, &mut middle);
    let assumed = oracle.enc.terms.and(before, after);
    // The count of both, or a smaller one with the same effect: forms are periodic.
    let bits = acc.closed.counter.bits(0);
    let limit = count(oracle, acc, acc.closed.limit());
    let t = &mut oracle.enc.terms;
    let sum = t.bv_add(n, m);
    let fits = t.ule(sum, limit);
    let period = t.bv(bits, 1 << (bits / 2 + 1));
    let low = t.bv(bits, (1 << (bits / 2 + 1)) - 1);
    let low = t.bv_and(sum, low);
    let small = t.bv_add(low, period);
    let otherwise = t.ite(fits, sum, small);
    let both = if oracle.holds(assumed, fits)? { sum } else { otherwise };
    let mut once = x.clone();
    once.insert(acc.closed.count, both);
    for (input, early) in acc.closed.path.inputs.iter().zip(&acc.closed.early) {
        once.insert(*early, x[&input.var]);
        once.insert(input.var, middle[&input.var]);
    }
    let bound = oracle.term(acc.bound, &mut once);
    let value = closed(oracle, acc, &mut once);
    let same = equal(oracle, acc, &value, &result);
    let composes = oracle.decide(assumed, bound)?.unwrap_or(acc.is_conjunctive);
    Ok(composes && oracle.holds(assumed, same)?)
}

/// So many iterations.
pub fn count(oracle: &mut Oracle<'_>, acc: &Accelerator, value: u128) -> TermId {
    oracle.enc.terms.bv(acc.closed.counter.bits(0), value)
}

/// What the environment chooses for an acceleration, beside the count: inputs of the last iteration, and of the others.
pub fn chosen(acc: &Accelerator) -> impl Iterator<Item = VarId> {
    acc.closed.path.inputs.iter().map(|input| input.var).chain(acc.closed.early.iter().copied())
}

/// Names all registers that the accelerator mentions but its count, so that several environments agree on them.
pub fn name_registers(oracle: &mut Oracle<'_>, acc: &Accelerator, env: &mut Env) {
    let path = &acc.closed.path;
    for var in chosen(acc).chain(path.updates.keys().copied()) {
        oracle.register(var, env);
    }
    let count = oracle.fresh(acc.closed.count);
    env.insert(acc.closed.count, count);
    let exprs = path.guards.iter().map(|guard| &guard.cond).chain(path.updates.values());
    for expr in exprs.chain(acc.updates.values()).chain([&acc.bound]) {
        oracle.term(*expr, env);
    }
    env.remove(&acc.closed.count);
}

/// The condition of one iteration, as far as it is not told iteration by iteration.
pub fn guard(oracle: &mut Oracle<'_>, acc: &Accelerator, env: &mut Env) -> TermId {
    let (path, pool) = (&acc.closed.path, &oracle.enc.program.exprs);
    let mut all = oracle.enc.terms.tru();
    for guard in &path.guards {
        if !acc.iterated.contains(&guard.cond) && !path.is_moving_load(pool, guard.cond) {
            let value = oracle.literal(*guard, env);
            all = oracle.enc.terms.and(all, value);
        }
    }
    all
}

/// The registers after one iteration.
pub fn iterate(oracle: &mut Oracle<'_>, acc: &Accelerator, env: &mut Env) -> Env {
    acc.updates.keys().map(|var| (*var, oracle.term(acc.closed.path.updates[var], env))).collect()
}

/// The registers after all iterations; those that are dead have any value.
pub fn closed(oracle: &mut Oracle<'_>, acc: &Accelerator, env: &mut Env) -> Env {
    let changed = acc.closed.path.updates.keys();
    let value = |var: &VarId| match acc.updates.get(var) {
        Some(value) => (*var, oracle.term(*value, env)),
        None => (*var, oracle.fresh(*var)),
    };
    changed.map(value).collect()
}

/// Whether registers agree, except for sums.
fn equal(oracle: &mut Oracle<'_>, acc: &Accelerator, a: &Env, b: &Env) -> TermId {
    let mut all = oracle.enc.terms.tru();
    for var in acc.updates.keys().filter(|var| !matches!(acc.closed.forms.get(var), Some(Form::Sum { .. }))) {
        let same = oracle.enc.terms.eq(a[var], b[var]);
        all = oracle.enc.terms.and(all, same);
    }
    all
}

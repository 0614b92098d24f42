//! Checks accelerators with the solver, bit-precisely, before they are used.
//!
//! Write `f` for the effect of the path, `G` for its condition, `F(x, n)` for the closed form and `B(x, n)` for the bound; inputs are `e` in
//! the early iterations and `l` in the last one.
//!
//! * **Soundness**, by induction over `n`: `B(x,1) ⇒ G(x,l) ∧ f(x,l) = F(x,1)`, and `B(x,n+1;e,l) ⇒ B(x,n;e,e) ∧ G(F(x,n;e,e),l) ∧
//!   f(F(x,n;e,e),l) = F(x,n+1;e,l)`. So an accelerator reaches only what `n` iterations of its path reach.
//! * **Covering**: `G(x,l) ∧ φ(x) ⇒ B(x,1)`: where φ holds, one iteration is what the accelerator does with `n = 1`.
//! * **Idempotence**: `B(x,n) ∧ B(F(x,n),m) ⇒ B(x,n+m) ∧ F(x,n+m) = F(F(x,n),m)`: two accelerations are one.
//!
//! * **Absorption**: `G'(x,l') ⇒ B(x,1) ∧ f'(x,l') = F(x,1)` for suitable inputs: the other path is superfluous.
//! * **Commutation**: between other accelerations of the loop, two accelerations may change places.
//!
//! Where the solver does not decide `B(x,n) ∧ B(F(x,n),m) ⇒ B(x,n+m)` in time, it holds by construction if `B` is a conjunction: each conjunct says
//! that something holds in all of the iterations, and `F(F(x,n),m) = F(x,n+m)`. A range `n·|c| ≤ room(x)` without wrap-around makes
//! `room(F(x,n)) = room(x) - n·|c|`, so that ranges add up, and `n ≤ meet(x)` makes `meet(F(x,n)) = meet(x) - n`.
//!
//! Sums of linear sequences are identities of the ring, proved on paper: `T(n+1) = T(n) + n` for `T(n) = n(n-1)/2`, and `f^(n+m) = f^m ∘ f^n`; their
//! products are what solvers are bad at.

use crate::accelerate::bounds::is_moving_load;
use crate::accelerate::closed::{Accelerator, Form};
use crate::accelerate::linear::mask;
use base::{Budget, Stop};
use cfa::eval::{Leaf, Node as ExprNode};
use cfa::{ExprId, Program, Scalar, VarId};
use encode::Encoder;
use rustc_hash::FxHashMap;
use smt::query::{Answer, ask};
use smt::{BinOp, Node, Solver, Sort, TermId, UnOp as UnaryOp, Value};
use std::collections::BTreeSet;
use std::time::Duration;

/// Longest time for one question.
const LIMIT: Duration = Duration::from_millis(1500);

/// Values of registers.
pub(super) type Env = FxHashMap<VarId, TermId>;

/// Answers questions about expressions of a program.
pub struct Checker<'a> {
    pub(super) enc: Encoder<'a>,
    make: &'a dyn Fn() -> Box<dyn Solver>,
    budget: &'a Budget,
    /// Memory by type of access.
    memory: FxHashMap<Scalar, TermId>,
    addresses: FxHashMap<VarId, TermId>,
    /// Questions asked.
    pub asked: u64,
}

/// What holds for an accelerator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// It reaches only what its path reaches.
    pub is_sound: bool,
    /// It does what one iteration does, wherever the path can be taken.
    pub covers: bool,
    /// It does so where its range condition holds for one iteration.
    pub covers_in_range: bool,
    /// Two accelerations are one.
    pub is_idempotent: bool,
}

impl<'a> Checker<'a> {
    /// A checker for the expressions of a program.
    pub fn new(program: &'a Program, make: &'a dyn Fn() -> Box<dyn Solver>, budget: &'a Budget) -> Option<Self> {
        let enc = Encoder::new(program, Box::new(|_, _| true)).ok()?;
        Some(Self { enc, make, budget, memory: FxHashMap::default(), addresses: FxHashMap::default(), asked: 0 })
    }

    /// What holds for an accelerator.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn facts(&mut self, acc: &Accelerator) -> Result<Facts, Stop> {
        let mut facts = Facts { is_sound: self.is_sound(acc)?, ..Facts::default() };
        if facts.is_sound {
            // Inner iterations of another number are not on the path.
            let is_whole = acc.path.passes.iter().all(|pass| pass.is_unique);
            facts.covers = is_whole && acc.path.assumed.is_none() && self.covers(acc, None)?;
            facts.covers_in_range = facts.covers || is_whole && self.covers(acc, Some(acc.range))?;
            facts.is_idempotent = self.is_idempotent(acc)?;
        }
        Ok(facts)
    }

    /// Whether the formula holds for all values.
    pub(super) fn holds(&mut self, assumed: TermId, claimed: TermId) -> Result<bool, Stop> {
        Ok(self.decide(assumed, claimed)? == Some(true))
    }

    /// Whether the formula holds for all values; `None` if the solver does not know.
    fn decide(&mut self, assumed: TermId, claimed: TermId) -> Result<Option<bool>, Stop> {
        let fails = self.enc.terms.not(claimed);
        let query = self.enc.terms.and(assumed, fails);
        self.asked += 1;
        Ok(match ask(self.make, &self.enc.terms, query, Some(LIMIT), self.budget)? {
            Answer::Never => Some(true),
            Answer::Model(_) => Some(false),
            Answer::Unknown(_) => None,
        })
    }

    fn is_sound(&mut self, acc: &Accelerator) -> Result<bool, Stop> {
        let mut x = Env::default();
        let one = self.count(acc, 1);
        // One iteration.
        let mut first = x.clone();
        self.share(acc, &mut x);
        first.extend(x.iter().map(|(k, v)| (*k, *v)));
        first.insert(acc.count, one);
        let bound = self.term(acc.bound, &mut first);
        let guard = self.guard(acc, &mut x);
        let (now, then) = (self.step(acc, &mut x), self.closed(acc, &mut first));
        let same = self.equal(acc, &now, &then);
        let claim = self.enc.terms.and(guard, same);
        if !self.holds(bound, claim)? {
            return Ok(false);
        }
        // One iteration more.
        let bits = self.enc.program.vars[acc.count].register().map_or(64, |ty| ty.bits(64));
        let n = self.enc.terms.fresh_var("n", Sort::BitVec(bits));
        let more = self.enc.terms.bv_add(n, one);
        let mut long = x.clone();
        long.insert(acc.count, more);
        let long_bound = self.term(acc.bound, &mut long);
        let positive = self.enc.terms.ule(one, n);
        let assumed = self.enc.terms.and(long_bound, positive);
        let mut short = x.clone();
        short.insert(acc.count, n);
        for (input, early) in acc.path.inputs.iter().zip(&acc.early) {
            let value = x[early];
            short.insert(input.var, value);
        }
        let short_bound = self.term(acc.bound, &mut short);
        let between = self.closed(acc, &mut short);
        let mut middle = x.clone();
        middle.extend(between);
        let guard = self.guard(acc, &mut middle);
        let (now, then) = (self.step(acc, &mut middle), self.closed(acc, &mut long));
        let same = self.equal(acc, &now, &then);
        let claims = [short_bound, guard, same];
        for claim in claims {
            if !self.holds(assumed, claim)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn covers(&mut self, acc: &Accelerator, range: Option<ExprId>) -> Result<bool, Stop> {
        let mut x = Env::default();
        self.share(acc, &mut x);
        let one = self.count(acc, 1);
        x.insert(acc.count, one);
        let mut assumed = self.guard(acc, &mut x);
        if let Some(range) = range {
            let range = self.term(range, &mut x);
            assumed = self.enc.terms.and(assumed, range);
        }
        let bound = self.term(acc.bound, &mut x);
        self.holds(assumed, bound)
    }

    fn is_idempotent(&mut self, acc: &Accelerator) -> Result<bool, Stop> {
        let mut x = Env::default();
        self.share(acc, &mut x);
        let bits = self.enc.program.vars[acc.count].register().map_or(64, |ty| ty.bits(64));
        let [n, m] = ["n", "m"].map(|name| self.enc.terms.fresh_var(name, Sort::BitVec(bits)));
        x.insert(acc.count, n);
        let before = self.term(acc.bound, &mut x);
        let after_first = self.closed(acc, &mut x);
        let mut middle = x.clone();
        middle.extend(after_first);
        middle.insert(acc.count, m);
        // The second acceleration has inputs of its own.
        for var in acc.path.inputs.iter().map(|input| input.var).chain(acc.early.iter().copied()) {
            let value = self.fresh(var);
            middle.insert(var, value);
        }
        let after = self.term(acc.bound, &mut middle);
        let result = self.closed(acc, &mut middle);
        let assumed = self.enc.terms.and(before, after);
        // The count of both, or a smaller one with the same effect: forms are periodic.
        let t = &mut self.enc.terms;
        let sum = t.bv_add(n, m);
        let limit = t.bv(bits, acc.limit);
        let fits = t.ule(sum, limit);
        let period = t.bv(bits, 1 << (bits / 2 + 1));
        let low = t.bv(bits, (1 << (bits / 2 + 1)) - 1);
        let low = t.bv_and(sum, low);
        let small = t.bv_add(low, period);
        let otherwise = t.ite(fits, sum, small);
        let both = if self.holds(assumed, fits)? { sum } else { otherwise };
        let mut once = x.clone();
        once.insert(acc.count, both);
        for (input, early) in acc.path.inputs.iter().zip(&acc.early) {
            let (last_of_first, last) = (x[&input.var], middle[&input.var]);
            once.insert(*early, last_of_first);
            once.insert(input.var, last);
        }
        let bound = self.term(acc.bound, &mut once);
        let value = self.closed(acc, &mut once);
        let same = self.equal(acc, &value, &result);
        let composes = match self.decide(assumed, bound)? {
            None => acc.is_conjunctive,
            Some(answer) => answer,
        };
        Ok(composes && self.holds(assumed, same)?)
    }

    /// Whether one iteration of the other's path is what the accelerator does with one iteration and suitable inputs.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn absorbs(&mut self, acc: &Accelerator, other: &Accelerator) -> Result<bool, Stop> {
        let registers = |acc: &Accelerator| acc.updates.keys().copied().collect::<Vec<_>>();
        // What the other's description assumes does not hold on all of its path.
        let is_whole = other.path.passes.iter().all(|pass| pass.is_unique);
        let is_partial = acc.path.assumed.is_some() || other.path.assumed.is_some() || !is_whole;
        if is_partial || registers(acc) != registers(other) || acc.repeat.is_some() || other.repeat.is_some() {
            return Ok(false);
        }
        let mut x = Env::default();
        self.share(acc, &mut x);
        self.share(other, &mut x);
        let one = self.count(acc, 1);
        x.insert(acc.count, one);
        let guard = self.guard(other, &mut x);
        let effect = self.step(other, &mut x);
        // Inputs with which the accelerator can be taken at all.
        let possible = self.term(acc.bound, &mut x);
        self.asked += 1;
        let Answer::Model(model) = ask(self.make, &self.enc.terms, possible, Some(LIMIT), self.budget)? else {
            return Ok(false);
        };
        for var in acc.path.inputs.iter().map(|input| input.var).chain(acc.early.iter().copied()) {
            let value = model.value(&self.enc.terms, x[&var]);
            let chosen = match (value, self.enc.program.vars[var].register()) {
                (Value::Bv { width, value }, _) => self.enc.terms.bv(width, value),
                (Value::Bool(value), _) => self.enc.terms.bool_const(value),
                _ => return Ok(false),
            };
            x.insert(var, chosen);
        }
        let bound = self.term(acc.bound, &mut x);
        let closed = self.closed(acc, &mut x);
        let mut claim = bound;
        for var in acc.updates.keys() {
            let same = self.enc.terms.eq(closed[var], effect[var]);
            claim = self.enc.terms.and(claim, same);
        }
        self.holds(guard, claim)
    }

    /// Whether `b` and then `a`, after `first` and before `last`, is nothing but `a` and then `b`, with the last inputs exchanged accordingly.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn commute(
        &mut self,
        first: &Accelerator,
        b: &Accelerator,
        a: &Accelerator,
        last: &Accelerator,
    ) -> Result<bool, Stop> {
        let edges = |acc: &Accelerator| acc.path.inputs.iter().map(|input| input.edge).collect::<Vec<_>>();
        let all = [first, b, a, last];
        if all.iter().any(|acc| edges(acc) != edges(a) || acc.repeat.is_some()) {
            return Ok(false);
        }
        let mut start = Env::default();
        for acc in all {
            self.share(acc, &mut start);
        }
        // Counts and inputs of the three, each with its own.
        let mut chosen: Vec<(TermId, Vec<TermId>, Vec<TermId>)> = Vec::new();
        for acc in all {
            let early = acc.early.iter().map(|var| self.fresh(*var)).collect();
            let last = acc.path.inputs.iter().map(|input| self.fresh(input.var)).collect();
            chosen.push((self.fresh(acc.count), early, last));
        }
        let (assumed, there) = self.run(&start, &[(first, 0, 0), (b, 1, 1), (a, 2, 2), (last, 3, 3)], &chosen);
        let (claimed, also) = self.run(&start, &[(first, 0, 1), (a, 2, 0), (b, 1, 2), (last, 3, 3)], &chosen);
        let mut same = claimed;
        let registers: BTreeSet<VarId> = all.iter().flat_map(|acc| acc.path.updates.keys().copied()).collect();
        let live = |var: &VarId| all.iter().all(|acc| !acc.path.changes(*var) || acc.updates.contains_key(var));
        for var in registers.iter().filter(|var| live(var)) {
            let equal = self.enc.terms.eq(there[var], also[var]);
            same = self.enc.terms.and(same, equal);
        }
        self.holds(assumed, same)
    }

    /// Accelerations in a row: each with the counts and early inputs of one choice and the last inputs of another.
    fn run(
        &mut self,
        start: &Env,
        order: &[(&Accelerator, usize, usize)],
        chosen: &[(TermId, Vec<TermId>, Vec<TermId>)],
    ) -> (TermId, Env) {
        let mut state = start.clone();
        let mut all = self.enc.terms.tru();
        for (acc, own, last) in order {
            state.insert(acc.count, chosen[*own].0);
            state.extend(acc.early.iter().copied().zip(chosen[*own].1.iter().copied()));
            state.extend(acc.path.inputs.iter().map(|input| input.var).zip(chosen[*last].2.iter().copied()));
            let bound = self.term(acc.bound, &mut state);
            all = self.enc.terms.and(all, bound);
            let after = self.closed(acc, &mut state);
            state.extend(after);
        }
        (all, state)
    }

    fn count(&mut self, acc: &Accelerator, value: u128) -> TermId {
        let bits = self.enc.program.vars[acc.count].register().map_or(64, |ty| ty.bits(64));
        self.enc.terms.bv(bits, value)
    }

    /// Names all registers that the accelerator mentions, so that several environments agree on them.
    fn share(&mut self, acc: &Accelerator, env: &mut Env) {
        let inputs = acc.path.inputs.iter().map(|input| input.var).chain(acc.early.iter().copied());
        for var in inputs.chain(acc.path.updates.keys().copied()) {
            let value = self.fresh(var);
            env.entry(var).or_insert(value);
        }
        let _ = self.term(acc.bound, &mut env.clone());
        let exprs = acc.path.guards.iter().map(|(e, _)| *e).chain(acc.path.updates.values().copied());
        let exprs: Vec<ExprId> = exprs.chain(acc.updates.values().copied()).chain([acc.bound]).collect();
        let count = self.fresh(acc.count);
        let mut all = env.clone();
        all.insert(acc.count, count);
        for expr in exprs {
            self.term(expr, &mut all);
        }
        all.remove(&acc.count);
        *env = all;
    }

    fn fresh(&mut self, var: VarId) -> TermId {
        let ty = self.enc.program.vars[var].register().unwrap_or(Scalar::Ptr);
        let sort = self.enc.sort(ty);
        self.enc.terms.fresh_var(&self.enc.program.vars[var].name, sort)
    }

    /// The value of a register; one without a value gets one.
    pub(super) fn register(&mut self, var: VarId, env: &mut Env) -> TermId {
        if let Some(value) = env.get(&var) {
            return *value;
        }
        let value = self.fresh(var);
        env.insert(var, value);
        value
    }

    /// The condition of one iteration, as far as it is not told iteration by iteration.
    fn guard(&mut self, acc: &Accelerator, env: &mut Env) -> TermId {
        let mut all = self.enc.terms.tru();
        for (cond, truth) in &acc.path.guards {
            if acc.iterated.contains(cond) || is_moving_load(self.enc.program, &acc.path, *cond) {
                continue;
            }
            let value = self.condition(*cond, *truth, env);
            all = self.enc.terms.and(all, value);
        }
        all
    }

    /// A condition that has a truth value.
    pub(super) fn condition(&mut self, cond: ExprId, truth: bool, env: &mut Env) -> TermId {
        let value = self.term(cond, env);
        if truth { value } else { self.enc.terms.not(value) }
    }

    /// The registers after one iteration.
    fn step(&mut self, acc: &Accelerator, env: &mut Env) -> Env {
        acc.updates.keys().map(|var| (*var, self.term(acc.path.updates[var], env))).collect()
    }

    /// The registers after all iterations; those that are dead have any value.
    fn closed(&mut self, acc: &Accelerator, env: &mut Env) -> Env {
        let mut after: Env = acc.path.updates.keys().map(|var| (*var, self.fresh(*var))).collect();
        for (var, value) in &acc.updates {
            let value = self.term(*value, env);
            after.insert(*var, value);
        }
        after
    }

    /// Whether registers agree, except for sums.
    fn equal(&mut self, acc: &Accelerator, a: &Env, b: &Env) -> TermId {
        let mut all = self.enc.terms.tru();
        for var in acc.updates.keys().filter(|var| !matches!(acc.forms.get(var), Some(Form::Sum { .. }))) {
            let same = self.enc.terms.eq(a[var], b[var]);
            all = self.enc.terms.and(all, same);
        }
        all
    }

    /// The term of an expression; registers without a value get one.
    pub fn term(&mut self, root: ExprId, env: &mut Env) -> TermId {
        let mut known: FxHashMap<ExprId, TermId> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        let pool = &self.enc.program.exprs;
        while let Some((id, ready)) = stack.pop() {
            if known.contains_key(&id) {
                continue;
            }
            if !ready {
                stack.push((id, true));
                stack.extend(pool.operands(id).map(|operand| (operand, false)));
                continue;
            }
            let cfa::Expr { kind, ty } = pool.get(id);
            let width = self.enc.program.pointer_bits();
            let term = match kind.node() {
                Err(Leaf::Const(value)) => self.enc.constant(ty, value),
                Err(Leaf::Var(var)) => self.register(var, env),
                Err(Leaf::AddrOf(var)) => {
                    let terms = &mut self.enc.terms;
                    *self.addresses.entry(var).or_insert_with(|| terms.fresh_var("address", Sort::BitVec(width)))
                }
                Err(Leaf::FuncAddr(func)) => self.enc.function(func),
                Err(Leaf::Load(a)) => self.load(known[&a], ty),
                Ok(ExprNode::Binary(cfa::BinOp::Mul, a, b)) if ty.is_int() => {
                    match self.enc.terms.as_bv_const(known[&b]) {
                        Some(factor) => self.times(known[&a], factor),
                        None => self.product(known[&a], known[&b]),
                    }
                }
                Ok(node) => {
                    let node = node.map(|operand| (pool.ty(operand), known[&operand]));
                    self.enc.compute(node, ty)
                }
            };
            known.insert(id, term);
        }
        known[&root]
    }

    /// A multiple, told by multiples of what the term is made of: sums and cut numbers share them, so that the solver need not find out that
    /// they agree.
    fn times(&mut self, a: TermId, factor: u128) -> TermId {
        let width = self.enc.terms.width(a);
        if factor > mask(width) >> 1 {
            let positive = self.times(a, factor.wrapping_neg() & mask(width));
            return self.enc.terms.bv_neg(positive);
        }
        match self.enc.terms.node(a) {
            Node::Bin(BinOp::BvAdd, x, y) => {
                let (x, y) = (self.times(x, factor), self.times(y, factor));
                self.enc.terms.bv_add(x, y)
            }
            Node::Un(UnaryOp::Extract { hi, lo: 0 }, x) => {
                let whole = self.times(x, factor);
                self.enc.terms.extract(u32::from(hi), 0, whole)
            }
            _ => {
                let factor = self.enc.terms.bv(width, factor);
                self.enc.terms.bv_mul(a, factor)
            }
        }
    }

    /// A product of sums as a sum of products, which others share.
    fn product(&mut self, a: TermId, b: TermId) -> TermId {
        for (sum, other) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.summands(sum) {
                let (x, y) = (self.product(x, other), self.product(y, other));
                return self.enc.terms.bv_add(x, y);
            }
        }
        self.enc.terms.bv_mul(a, b)
    }

    /// What a sum, cut or not, is made of.
    fn summands(&mut self, sum: TermId) -> Option<(TermId, TermId)> {
        match self.enc.terms.node(sum) {
            Node::Bin(BinOp::BvAdd, x, y) => Some((x, y)),
            Node::Un(UnaryOp::Extract { hi, lo: 0 }, whole) => {
                let Node::Bin(BinOp::BvAdd, x, y) = self.enc.terms.node(whole) else { return None };
                let mut cut = |part| self.enc.terms.extract(u32::from(hi), 0, part);
                Some((cut(x), cut(y)))
            }
            _ => None,
        }
    }

    /// A read of memory that does not change meanwhile.
    fn load(&mut self, address: TermId, ty: Scalar) -> TermId {
        let width = self.enc.program.pointer_bits();
        let bits = ty.bits(width);
        let terms = &mut self.enc.terms;
        let memory =
            *self.memory.entry(ty).or_insert_with(|| terms.fresh_var("memory", Sort::bv_array(width, bits.max(8))));
        let value = self.enc.terms.select(memory, address);
        match ty {
            Scalar::Float(_) => self.enc.from_bits(value, ty),
            Scalar::Bool => self.enc.terms.extract(0, 0, value),
            _ => value,
        }
    }
}

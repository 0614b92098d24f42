//! Sequences for tests and measurements: small programs' paths, written by hand and at random.

pub mod random;

use super::{Statement, Step, Trace};
use smt::{FloatSort, Sort, TermId, Terms};
use std::collections::BTreeMap;

/// Builds the trace of a path, statement by statement, with variables in SSA form.
pub struct Path<'a> {
    /// The arena.
    pub terms: &'a mut Terms,
    current: BTreeMap<&'static str, TermId>,
    versions: u32,
    step: Step,
    trace: Trace,
}

impl<'a> Path<'a> {
    /// A path without statements.
    pub fn new(terms: &'a mut Terms) -> Self {
        Self { terms, current: BTreeMap::new(), versions: 0, step: Step::default(), trace: Trace::default() }
    }

    /// A new version of a variable, with any value.
    pub fn havoc(&mut self, name: &'static str, sort: Sort) -> TermId {
        self.versions += 1;
        let var = self.terms.var(&format!("{name}@{}", self.versions), sort);
        self.current.insert(name, var);
        self.step.statements.push(Statement::Havoc(var));
        var
    }

    /// The variable's newest version; a new one of 32 bits if there is none.
    pub fn get(&mut self, name: &'static str) -> TermId {
        match self.current.get(name) {
            Some(&var) => var,
            None => self.havoc(name, Sort::BitVec(32)),
        }
    }

    /// Assigns a term.
    pub fn assign(&mut self, name: &'static str, value: TermId) {
        let sort = self.terms.sort(value);
        let var = self.havoc(name, sort);
        self.step.statements.pop();
        self.step.statements.push(Statement::Assign { var, term: value });
        let equal = self.terms.eq(var, value);
        self.step.conjuncts.push(equal);
    }

    /// Assigns a constant of 32 bits.
    pub fn set(&mut self, name: &'static str, value: i128) {
        let value = self.terms.bv_signed(32, value);
        self.assign(name, value);
    }

    /// Adds a constant.
    pub fn add(&mut self, name: &'static str, value: i128) {
        let old = self.get(name);
        let width = self.terms.width(old);
        let value = self.terms.bv_signed(width, value);
        let sum = self.terms.bv_add(old, value);
        self.assign(name, sum);
    }

    /// Assumes a formula.
    pub fn assume(&mut self, formula: TermId) {
        self.step.statements.push(Statement::Assume(formula));
        self.step.conjuncts.push(formula);
    }

    /// Assumes that a variable is a constant, or is not.
    pub fn assume_eq(&mut self, name: &'static str, value: i128, equal: Equal) {
        let var = self.get(name);
        let width = self.terms.width(var);
        let value = self.terms.bv_signed(width, value);
        let formula = match equal {
            Equal::Yes => self.terms.eq(var, value),
            Equal::No => self.terms.ne(var, value),
        };
        self.assume(formula);
    }

    /// Assumes that a variable is less than a constant, signed, or is not.
    pub fn assume_less(&mut self, name: &'static str, value: i128, less: Equal) {
        let var = self.get(name);
        let width = self.terms.width(var);
        let value = self.terms.bv_signed(width, value);
        let formula = match less {
            Equal::Yes => self.terms.slt(var, value),
            Equal::No => self.terms.sge(var, value),
        };
        self.assume(formula);
    }

    /// Ends a step.
    pub fn cut(&mut self) {
        self.trace.steps.push(std::mem::take(&mut self.step));
        self.trace.interface.push(self.current.values().copied().collect());
    }

    /// The trace.
    pub fn finish(mut self) -> Trace {
        self.trace.steps.push(self.step);
        self.trace
    }
}

/// Whether something holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equal {
    /// It holds.
    Yes,
    /// Its negation holds.
    No,
}

/// A path by hand: its name, and what it does.
pub type Sample = (&'static str, fn(&mut Path<'_>));

/// Paths of small programs; all are infeasible.
pub const SAMPLES: [Sample; 15] = [
    ("even", even),
    ("lock", lock),
    ("counter", counter),
    ("equal counters", equal_counters),
    ("state machine", state_machine),
    ("sum", sum),
    ("array", array),
    ("array swap", array_swap),
    ("float", float),
    ("flags", flags),
    ("merged paths", merged_paths),
    ("bytes", bytes),
    ("relation", relation),
    ("irrelevant work", irrelevant_work),
    ("up and down", up_and_down),
];

/// Long paths; all are infeasible.
pub const LONG: [Sample; 4] =
    [("long loop", long_loop), ("long locks", long_locks), ("long memory", long_memory), ("long merges", long_merges)];

/// A loop with two counters, a hundred times.
fn long_loop(p: &mut Path<'_>) {
    p.set("x", 0);
    p.set("y", 0);
    p.cut();
    for _ in 0..100 {
        p.assume_less("x", 1000, Equal::Yes);
        p.add("x", 1);
        p.add("y", 1);
        p.cut();
    }
    let (x, y) = (p.get("x"), p.get("y"));
    let differ = p.terms.ne(x, y);
    p.assume(differ);
}

/// Eight locks, taken and released in a loop as conditions say.
fn long_locks(p: &mut Path<'_>) {
    const LOCKS: [&str; 8] = ["l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8"];
    const CONDITIONS: [&str; 8] = ["c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"];
    for _ in 0..6 {
        for lock in LOCKS {
            p.set(lock, 0);
        }
        p.cut();
        for (lock, condition) in LOCKS.into_iter().zip(CONDITIONS) {
            p.assume_eq(condition, 0, Equal::No);
            p.set(lock, 1);
            p.cut();
        }
    }
    for (lock, condition) in LOCKS.into_iter().zip(CONDITIONS).take(7) {
        p.assume_eq(condition, 0, Equal::No);
        p.assume_eq(lock, 1, Equal::Yes);
        p.set(lock, 0);
        p.cut();
    }
    p.assume_eq("c8", 0, Equal::No);
    p.assume_eq("l8", 1, Equal::No);
}

/// Fifty writes to one array at different places; the first one is read.
fn long_memory(p: &mut Path<'_>) {
    let m = p.havoc("m", Sort::bv_array(32, 32));
    let seven = p.terms.bv(32, 7);
    let zero = p.terms.bv(32, 0);
    let written = p.terms.store(m, zero, seven);
    p.assign("m", written);
    p.cut();
    p.set("i", 0);
    for _ in 0..50 {
        p.add("i", 1);
        let (m, i) = (p.get("m"), p.get("i"));
        let written = p.terms.store(m, i, i);
        p.assign("m", written);
        p.cut();
    }
    let m = p.get("m");
    let read = p.terms.select(m, zero);
    let differs = p.terms.ne(read, seven);
    p.assume(differs);
}

/// A flag is set on one of two ways, thirty times, and the counter of the sets stays small.
fn long_merges(p: &mut Path<'_>) {
    p.set("flag", 0);
    p.set("n", 0);
    p.cut();
    for _ in 0..30 {
        let c = p.havoc("c", Sort::Bool);
        let (flag, n, one) = (p.get("flag"), p.get("n"), p.terms.bv(32, 1));
        let next = p.terms.ite(c, one, flag);
        let clear = p.terms.ne(flag, one);
        let counts = p.terms.and(c, clear);
        let more = p.terms.bv_add(n, one);
        let sum = p.terms.ite(counts, more, n);
        p.assign("flag", next);
        p.assign("n", sum);
        p.cut();
    }
    p.assume_less("n", 2, Equal::No);
}

/// x = 0; three times x += 2; x == 7.
fn even(p: &mut Path<'_>) {
    p.set("x", 0);
    p.cut();
    for _ in 0..3 {
        p.add("x", 2);
        p.cut();
    }
    p.assume_eq("x", 7, Equal::Yes);
}

/// lock = 1 after a test of a, unlocked after the same test, then found locked.
fn lock(p: &mut Path<'_>) {
    p.set("lock", 0);
    p.cut();
    p.assume_eq("a", 0, Equal::No);
    p.set("lock", 1);
    p.cut();
    p.set("other", 5);
    p.cut();
    p.assume_eq("a", 0, Equal::Yes);
    p.cut();
    p.assume_eq("lock", 1, Equal::Yes);
}

/// i from 0 up to n, which is positive; afterwards i < n.
fn counter(p: &mut Path<'_>) {
    p.set("i", 0);
    let (i, n) = (p.get("i"), p.get("n"));
    let positive = p.terms.slt(i, n);
    p.assume(positive);
    p.cut();
    for _ in 0..2 {
        p.add("i", 1);
        p.cut();
    }
    let (i, n) = (p.get("i"), p.get("n"));
    let left = p.terms.sge(i, n);
    p.assume(left);
    p.cut();
    let less = p.terms.slt(i, n);
    p.assume(less);
}

/// x and y grow together and differ in the end.
fn equal_counters(p: &mut Path<'_>) {
    p.set("x", 0);
    p.set("y", 0);
    p.cut();
    for _ in 0..3 {
        p.add("x", 1);
        p.add("y", 1);
        p.cut();
    }
    let (x, y) = (p.get("x"), p.get("y"));
    let differ = p.terms.ne(x, y);
    p.assume(differ);
}

/// Three states in a row, then a fourth that does not follow.
fn state_machine(p: &mut Path<'_>) {
    p.set("s", 8464);
    p.set("blast", 0);
    p.cut();
    p.assume_eq("s", 8464, Equal::Yes);
    p.assume_eq("blast", 0, Equal::Yes);
    p.set("blast", 1);
    p.set("s", 8480);
    p.cut();
    p.assume_eq("s", 8480, Equal::Yes);
    p.set("s", 8496);
    p.cut();
    p.assume_eq("s", 8496, Equal::Yes);
    p.assume_eq("blast", 1, Equal::Yes);
    p.set("blast", 2);
    p.set("s", 8512);
    p.cut();
    p.assume_eq("s", 8512, Equal::Yes);
    p.assume_less("blast", 2, Equal::Yes);
}

/// s = 1 + 2 + 3; s != 6.
fn sum(p: &mut Path<'_>) {
    p.set("s", 0);
    p.set("i", 1);
    p.cut();
    for _ in 0..3 {
        let (s, i) = (p.get("s"), p.get("i"));
        let sum = p.terms.bv_add(s, i);
        p.assign("s", sum);
        p.add("i", 1);
        p.cut();
    }
    p.assume_eq("s", 6, Equal::No);
}

/// Writes to different elements, then reads the first.
fn array(p: &mut Path<'_>) {
    let m = p.havoc("m", Sort::bv_array(32, 8));
    let i = p.get("i");
    let (seven, nine, one) = (p.terms.bv(8, 7), p.terms.bv(8, 9), p.terms.bv(32, 1));
    let written = p.terms.store(m, i, seven);
    p.assign("m", written);
    p.cut();
    let (m, next) = (p.get("m"), p.terms.bv_add(i, one));
    let written = p.terms.store(m, next, nine);
    p.assign("m", written);
    p.cut();
    let m = p.get("m");
    let read = p.terms.select(m, i);
    let other = p.terms.ne(read, seven);
    p.assume(other);
}

/// Swaps two elements by a temporary, at unknown places.
fn array_swap(p: &mut Path<'_>) {
    let m = p.havoc("m", Sort::bv_array(32, 32));
    let (i, j) = (p.get("i"), p.get("j"));
    let first = p.terms.select(m, i);
    p.assign("old", first);
    p.assign("t", first);
    p.cut();
    let second = p.terms.select(m, j);
    let written = p.terms.store(m, i, second);
    p.assign("m", written);
    p.cut();
    let (m, t) = (p.get("m"), p.get("t"));
    let written = p.terms.store(m, j, t);
    p.assign("m", written);
    p.cut();
    let (m, old) = (p.get("m"), p.get("old"));
    let read = p.terms.select(m, j);
    let differ = p.terms.ne(read, old);
    p.assume(differ);
}

/// 0 <= x <= 1; y = x + 1; y > 3.
fn float(p: &mut Path<'_>) {
    let sort = FloatSort::F32;
    let x = p.havoc("x", Sort::Float(sort));
    let constant = |p: &mut Path<'_>, value: f32| p.terms.fp_const(u128::from(value.to_bits()), sort);
    let (zero, one, three) = (constant(p, 0.0), constant(p, 1.0), constant(p, 3.0));
    let (low, high) = (p.terms.fp_le(zero, x), p.terms.fp_le(x, one));
    p.assume(low);
    p.assume(high);
    p.cut();
    let sum = p.terms.fp_add(x, one);
    p.assign("y", sum);
    p.cut();
    let y = p.get("y");
    let above = p.terms.fp_lt(three, y);
    p.assume(above);
}

/// Bits of a word.
fn flags(p: &mut Path<'_>) {
    let word = p.get("word");
    let (four, mask) = (p.terms.bv(32, 4), p.terms.bv(32, 0xf0));
    let with = p.terms.bv_or(word, four);
    p.assign("word", with);
    p.cut();
    let word = p.get("word");
    let with = p.terms.bv_or(word, mask);
    p.assign("word", with);
    p.cut();
    let word = p.get("word");
    let bit = p.terms.bv_and(word, four);
    let zero = p.terms.bv(32, 0);
    let unset = p.terms.eq(bit, zero);
    p.assume(unset);
}

/// if (c) x = 1 else x = 2; the same for y; then x + y > 4.
fn merged_paths(p: &mut Path<'_>) {
    let (one, two) = (p.terms.bv(32, 1), p.terms.bv(32, 2));
    for (name, condition) in [("x", "c"), ("y", "d")] {
        let c = p.havoc(condition, Sort::Bool);
        let value = p.terms.ite(c, one, two);
        p.assign(name, value);
        p.cut();
    }
    let (x, y, four) = (p.get("x"), p.get("y"), p.terms.bv(32, 4));
    let sum = p.terms.bv_add(x, y);
    let above = p.terms.ugt(sum, four);
    p.assume(above);
}

/// A char is extended and compared.
fn bytes(p: &mut Path<'_>) {
    let c = p.havoc("c", Sort::BitVec(8));
    let limit = p.terms.bv(8, 100);
    let below = p.terms.ult(c, limit);
    p.assume(below);
    p.cut();
    let wide = p.terms.zero_ext(24, c);
    p.assign("n", wide);
    p.cut();
    p.add("n", 10);
    p.cut();
    p.assume_less("n", 110, Equal::No);
}

/// a < b, b < c, no overflow; c <= a.
fn relation(p: &mut Path<'_>) {
    let (a, b) = (p.get("a"), p.get("b"));
    let less = p.terms.slt(a, b);
    p.assume(less);
    p.cut();
    let c = p.get("c");
    let less = p.terms.slt(b, c);
    p.assume(less);
    p.cut();
    p.set("b", 0);
    p.cut();
    let below = p.terms.sle(c, a);
    p.assume(below);
}

/// Much happens; only one variable matters.
fn irrelevant_work(p: &mut Path<'_>) {
    p.set("ok", 1);
    p.cut();
    for _ in 0..6 {
        let (u, v) = (p.get("u"), p.get("v"));
        let product = p.terms.bv_mul(u, v);
        p.assign("u", product);
        p.assume_less("u", 1000, Equal::Yes);
        p.add("v", 3);
        p.cut();
    }
    p.assume_eq("ok", 0, Equal::Yes);
}

/// x = n, y = 0; x goes down to 0 while y goes up; y != n.
fn up_and_down(p: &mut Path<'_>) {
    let n = p.get("n");
    p.assign("x", n);
    p.set("y", 0);
    p.cut();
    for _ in 0..3 {
        p.assume_eq("x", 0, Equal::No);
        p.add("x", -1);
        p.add("y", 1);
        p.cut();
    }
    p.assume_eq("x", 0, Equal::Yes);
    let (y, n) = (p.get("y"), p.get("n"));
    let differ = p.terms.ne(y, n);
    p.assume(differ);
}

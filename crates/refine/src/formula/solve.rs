//! Destructive equality resolution: eliminates variables that equalities define. Newton-style refinement needs little more.
//!
//! `exists v. v = t and F` is `F[t/v]`. Equalities are solved through invertible operators first: `v + s = t` gives
//! `v = t - s`, a write `store(v, i, x) = t` gives `v = store(t, i, any)` where `t` has `x` at `i`, and so on. Everything
//! here is exact. Definitions that don't depend on each other in a circle are used at once, round by round.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::value::mask;
use smt::{BinOp, Node, Sort, Substitution, TermId, Terms, UnOp, vars_of};

/// Most rounds of solving and substituting.
const MAX_ROUNDS: usize = 64;

/// How deep equalities are solved.
const MAX_DEPTH: usize = 12;

/// A conjunction with its top-level structure taken apart: no `true`, no conjunction, nothing twice. `false` alone if it is
/// among them.
pub fn split_conjuncts(terms: &Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut list = Vec::new();
    let mut stack: Vec<TermId> = formulas.iter().rev().copied().collect();
    while let Some(t) = stack.pop() {
        if terms.is_true(t) || !seen.insert(t) {
            continue;
        }
        match terms.node(t) {
            Node::Bool(false) => return vec![t],
            Node::Bin(BinOp::And, a, b) => {
                stack.push(b);
                stack.push(a);
            }
            _ => list.push(t),
        }
    }
    list
}

/// A value for a variable, and what else must hold for the equality that it comes from.
#[derive(Clone, Debug)]
struct Definition {
    var: TermId,
    value: TermId,
    side: Vec<TermId>,
}

/// Eliminates variables for which `eliminate` holds as far as equalities allow; the result is equivalent to the quantified
/// conjunction over the variables that are gone. New variables of [`Solver::solve`] count as such, too.
pub struct Solver<'a> {
    eliminate: &'a dyn Fn(TermId) -> bool,
    /// Variables that were made here; all of them are to be eliminated.
    fresh: FxHashSet<TermId>,
    /// Variables for elements before a write, with the array and the index.
    elements: Vec<(TermId, TermId, TermId)>,
}

impl<'a> Solver<'a> {
    /// Eliminates what the predicate says.
    pub fn new(eliminate: &'a dyn Fn(TermId) -> bool) -> Self {
        Self { eliminate, fresh: FxHashSet::default(), elements: Vec::new() }
    }

    /// Whether a variable is to be eliminated.
    pub fn eliminates(&self, var: TermId) -> bool {
        self.fresh.contains(&var) || (self.eliminate)(var)
    }

    /// The variables that were made for elements of arrays before a write, each with the array and the index, in the order in
    /// which they were made.
    pub fn elements(&self) -> &[(TermId, TermId, TermId)] {
        &self.elements
    }

    /// The conjunction after all eliminations by equalities.
    pub fn solve(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> Vec<TermId> {
        let mut list = split_conjuncts(terms, conjuncts);
        for _ in 0..MAX_ROUNDS {
            let Some((map, rest)) = self.round(terms, &list) else { break };
            let mut new = rest;
            // The values may mention each other; there is no circle, so this ends after as many steps as there are values.
            for _ in 0..=map.len() {
                let mut substitution = Substitution::new(map.iter().copied());
                let next: Vec<TermId> = new.iter().map(|&t| substitution.apply(terms, t)).collect();
                if next == new {
                    break;
                }
                new = next;
            }
            list = split_conjuncts(terms, &new);
        }
        list
    }

    /// The definitions of one round, and the conjuncts that are left.
    #[allow(clippy::type_complexity)]
    fn round(&mut self, terms: &mut Terms, list: &[TermId]) -> Option<(Vec<(TermId, TermId)>, Vec<TermId>)> {
        let mut uses: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
        let mut map = Vec::new();
        let mut rest = Vec::new();
        for &conjunct in list {
            let mut candidates = Vec::new();
            self.definitions(terms, conjunct, &mut candidates);
            let chosen = candidates.into_iter().find_map(|definition| {
                if uses.contains_key(&definition.var) {
                    return None;
                }
                let inside = vars_of(terms, &[definition.value]);
                (!reaches(&uses, &inside, definition.var)).then_some((definition, inside))
            });
            match chosen {
                Some((definition, inside)) => {
                    uses.insert(definition.var, inside);
                    map.push((definition.var, definition.value));
                    rest.extend(definition.side);
                }
                None => rest.push(conjunct),
            }
        }
        (!map.is_empty()).then_some((map, rest))
    }

    fn definitions(&mut self, terms: &mut Terms, conjunct: TermId, found: &mut Vec<Definition>) {
        match terms.node(conjunct) {
            Node::Var { .. } if self.eliminates(conjunct) => {
                found.push(Definition { var: conjunct, value: terms.tru(), side: Vec::new() });
            }
            Node::Un(UnOp::Not, inner) if terms.is_var(inner) && self.eliminates(inner) => {
                found.push(Definition { var: inner, value: terms.fals(), side: Vec::new() });
            }
            Node::Un(UnOp::Not, inner) => {
                // Of Bools: a != b is a = not b.
                if let Node::Bin(BinOp::Eq, a, b) = terms.node(inner)
                    && terms.sort(a) == Sort::Bool
                {
                    let not_b = terms.not(b);
                    self.equality(terms, a, not_b, found);
                }
            }
            Node::Bin(BinOp::Eq, a, b) => self.equality(terms, a, b, found),
            _ => {}
        }
    }

    fn equality(&mut self, terms: &mut Terms, a: TermId, b: TermId, found: &mut Vec<Definition>) {
        for (side, value) in [(a, b), (b, a)] {
            // Without a variable to eliminate there is nothing to do, and no term should be built.
            if vars_of(terms, &[side]).into_iter().any(|var| self.eliminates(var)) {
                self.invert(terms, side, value, Vec::new(), 0, found);
            }
        }
    }

    /// Definitions from `t = value`, where `side` must hold, too.
    fn invert(
        &mut self,
        terms: &mut Terms,
        t: TermId,
        value: TermId,
        side: Vec<TermId>,
        depth: usize,
        found: &mut Vec<Definition>,
    ) {
        if depth > MAX_DEPTH {
            return;
        }
        let depth = depth + 1;
        match terms.node(t) {
            Node::Var { .. } if self.eliminates(t) && !vars_of(terms, &[value]).contains(&t) => {
                found.push(Definition { var: t, value, side });
            }
            Node::Un(op, x) => self.invert_unary(terms, (op, x), value, side, depth, found),
            Node::Bin(BinOp::BvAdd, x, y) => {
                for (x, y) in [(x, y), (y, x)] {
                    let value = terms.bv_sub(value, y);
                    self.invert(terms, x, value, side.clone(), depth, found);
                }
            }
            Node::Bin(BinOp::BvSub, x, y) => {
                let (left, right) = (terms.bv_add(value, y), terms.bv_sub(x, value));
                self.invert(terms, x, left, side.clone(), depth, found);
                self.invert(terms, y, right, side, depth, found);
            }
            Node::Bin(BinOp::BvXor, x, y) => {
                for (x, y) in [(x, y), (y, x)] {
                    let value = terms.bv_xor(value, y);
                    self.invert(terms, x, value, side.clone(), depth, found);
                }
            }
            Node::Bin(BinOp::BvMul, x, y) => {
                let width = terms.width(t);
                if let Some(odd) = terms.as_bv_const(y).filter(|c| c & 1 == 1) {
                    let factor = terms.bv(width, inverse(odd) & mask(width));
                    let value = terms.bv_mul(value, factor);
                    self.invert(terms, x, value, side, depth, found);
                }
            }
            Node::Bin(BinOp::Concat, x, y) => {
                let low = terms.width(y);
                let (high_part, low_part) =
                    (terms.extract(terms.width(t) - 1, low, value), terms.extract(low - 1, 0, value));
                let (high_eq, low_eq) = (terms.eq(x, high_part), terms.eq(y, low_part));
                let with = |side: &[TermId], other| side.iter().copied().chain([other]).collect::<Vec<_>>();
                self.invert(terms, x, high_part, with(&side, low_eq), depth, found);
                self.invert(terms, y, low_part, with(&side, high_eq), depth, found);
            }
            Node::Bin(BinOp::Eq, x, y) if terms.sort(x) == Sort::Bool => {
                for (x, y) in [(x, y), (y, x)] {
                    let value = terms.iff(value, y);
                    self.invert(terms, x, value, side.clone(), depth, found);
                }
            }
            Node::Bin(BinOp::IntAdd, x, y) => {
                for (x, y) in [(x, y), (y, x)] {
                    let negated = terms.int_neg(y);
                    let value = terms.int_add(value, negated);
                    self.invert(terms, x, value, side.clone(), depth, found);
                }
            }
            Node::Store(array, index, element) => {
                let read = terms.select(value, index);
                let same = terms.eq(read, element);
                let any = terms.fresh_var("old", terms.sort(element));
                self.fresh.insert(any);
                self.elements.push((any, array, index));
                let value = terms.store(value, index, any);
                let mut side = side;
                side.push(same);
                self.invert(terms, array, value, side, depth, found);
            }
            _ => {}
        }
    }

    /// The same for an operator with one operand.
    fn invert_unary(
        &mut self,
        terms: &mut Terms,
        (op, x): (UnOp, TermId),
        value: TermId,
        mut side: Vec<TermId>,
        depth: usize,
        found: &mut Vec<Definition>,
    ) {
        let value = match op {
            UnOp::Not => terms.not(value),
            UnOp::BvNot => terms.bv_not(value),
            UnOp::BvNeg => terms.bv_neg(value),
            UnOp::ZeroExt(_) | UnOp::SignExt(_) => {
                let width = terms.width(x);
                let low = terms.extract(width - 1, 0, value);
                let again = terms.un(op, low);
                let fits = terms.eq(again, value);
                side.push(fits);
                low
            }
            UnOp::FpNeg => terms.fp_neg(value),
            UnOp::IntNeg => terms.int_neg(value),
            _ => return,
        };
        self.invert(terms, x, value, side, depth, found);
    }
}

/// Whether `var` is among `from` or what they are defined by.
fn reaches(uses: &FxHashMap<TermId, Vec<TermId>>, from: &[TermId], var: TermId) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = from.to_vec();
    while let Some(t) = stack.pop() {
        if t == var {
            return true;
        }
        if seen.insert(t)
            && let Some(next) = uses.get(&t)
        {
            stack.extend_from_slice(next);
        }
    }
    false
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration.
fn inverse(odd: u128) -> u128 {
    // Right in the lowest three bits; each step doubles that.
    (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse))))
}

//! Bools as and-inverter graphs.
//!
//! The rules that matter are those for guards of paths: a guard is a conjunction of the branches taken, and where paths
//! join, `(g and c) or (g and not c)` must become `g` again. [`Terms::and`] works on the conjuncts of its arguments; two
//! negated conjunctions (a disjunction) are factored by what they share.

use super::literal::{Facts, Known};
use crate::term::{BinOp, Node, TermId, Terms, UnOp};

/// Most nodes that are taken apart when two conjunctions are compared.
const MAX_SPLITS: usize = 32;

impl Terms {
    /// Negation.
    #[track_caller]
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.node(a) {
            Node::Bool(b) => self.bool_const(!b),
            Node::Un(UnOp::Not, inner) => inner,
            _ => self.raw_un(UnOp::Not, a),
        }
    }

    /// Conjunction.
    #[track_caller]
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b || self.is_true(b) || self.is_false(a) {
            return a;
        }
        if self.is_true(a) || self.is_false(b) {
            return b;
        }
        if self.complementary(a, b) {
            return self.fals();
        }
        match self.nested(|terms| terms.and_conjuncts(a, b)) {
            Some(result) => result,
            None => self.raw_commutative(BinOp::And, a, b),
        }
    }

    /// Disjunction.
    #[track_caller]
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        self.not(neither)
    }

    /// Conjunction of all; `true` for none.
    #[track_caller]
    pub fn and_all(&mut self, terms: &[TermId]) -> TermId {
        terms.iter().fold(self.tru(), |acc, &t| self.and(acc, t))
    }

    /// Disjunction of all; `false` for none.
    #[track_caller]
    pub fn or_all(&mut self, terms: &[TermId]) -> TermId {
        terms.iter().fold(self.fals(), |acc, &t| self.or(acc, t))
    }

    /// `a` implies `b`.
    #[track_caller]
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_b = self.not(b);
        let counterexample = self.and(a, not_b);
        self.not(counterexample)
    }

    /// Exclusive or of Bools.
    #[track_caller]
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// Equivalence of Bools.
    #[track_caller]
    pub fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        self.eq(a, b)
    }

    fn and_conjuncts(&mut self, a: TermId, b: TermId) -> TermId {
        if let (Some(p), Some(q)) = (self.negated(a), self.negated(b))
            && let Some(union) = self.factored_or(p, q)
        {
            return self.not(union);
        }
        let (of_a, of_b) = (self.conjuncts(a), self.conjuncts(b));
        let new_b = match self.reduce(&of_b, &of_a) {
            Reduced::False => return self.fals(),
            Reduced::Same => None,
            Reduced::To(list) if list.is_empty() => return a,
            Reduced::To(list) => Some(list),
        };
        let new_a = match self.reduce(&of_a, new_b.as_deref().unwrap_or(&of_b)) {
            Reduced::False => return self.fals(),
            Reduced::Same => None,
            Reduced::To(list) => Some(list),
        };
        if new_a.is_none() && new_b.is_none() {
            return self.raw_commutative(BinOp::And, a, b);
        }
        // An argument that stays is used whole, to share its structure.
        let left = new_a.map_or(a, |list| self.and_all(&list));
        new_b.unwrap_or_else(|| vec![b]).into_iter().fold(left, |acc, t| self.and(acc, t))
    }

    /// Conjuncts without those that `facts` imply; negated conjunctions lose the parts that `facts` imply.
    fn reduce(&mut self, conjuncts: &[TermId], facts: &[TermId]) -> Reduced {
        let facts = self.facts(facts);
        let mut changed = false;
        let mut list = Vec::new();
        for (i, &q) in conjuncts.iter().enumerate() {
            let new = match self.known(&facts, q) {
                Known::True => self.tru(),
                Known::False => return Reduced::False,
                Known::Open => self.reduce_negation(q, &facts),
            };
            if self.is_false(new) {
                return Reduced::False;
            }
            if new != q && !changed {
                changed = true;
                list.extend_from_slice(&conjuncts[..i]);
            }
            if changed && !self.is_true(new) {
                list.push(new);
            }
        }
        if changed { Reduced::To(list) } else { Reduced::Same }
    }

    /// `q`, simplified under `facts` if it is a negated conjunction.
    fn reduce_negation(&mut self, q: TermId, facts: &Facts) -> TermId {
        let Some(inner) = self.negated(q) else { return q };
        if !matches!(self.node(inner), Node::Bin(BinOp::And, ..)) {
            return q;
        }
        let parts = self.conjuncts(inner);
        let mut rest = Vec::new();
        for (i, &part) in parts.iter().enumerate() {
            match self.known(facts, part) {
                Known::True if rest.is_empty() => {
                    // The first one that goes; what came before stays.
                    rest.extend(parts[..i].iter().map(|&t| (t, true)));
                    rest.push((part, false));
                }
                Known::True => rest.push((part, false)),
                Known::False => return self.tru(),
                Known::Open if !rest.is_empty() => rest.push((part, true)),
                Known::Open => {}
            }
        }
        if rest.is_empty() {
            return q;
        }
        let rest: Vec<_> = rest.into_iter().filter(|(_, stays)| *stays).map(|(t, _)| t).collect();
        let inner = self.and_all(&rest);
        self.not(inner)
    }

    /// `p or q` by what the conjunctions `p` and `q` share; `None` if that is nothing.
    fn factored_or(&mut self, p: TermId, q: TermId) -> Option<TermId> {
        if !matches!(self.node(p.max(q)), Node::Bin(BinOp::And, ..)) {
            // The younger one is no conjunction, so it cannot contain the other; the other cannot contain a younger term.
            return None;
        }
        let [only_p, only_q, common] = self.split_common(p, q);
        if common.is_empty() {
            return None;
        }
        if only_p.is_empty() {
            return Some(p);
        }
        if only_q.is_empty() {
            return Some(q);
        }
        let (rest_p, rest_q) = (self.and_all(&only_p), self.and_all(&only_q));
        let rest = self.or(rest_p, rest_q);
        let common = self.and_all(&common);
        Some(self.and(common, rest))
    }

    /// Conjuncts of `p` only, of `q` only, and of both, by increasing id. Shared conjunctions are not taken apart: the
    /// youngest term is split first, and children are older than their parents.
    fn split_common(&self, p: TermId, q: TermId) -> [Vec<TermId>; 3] {
        let mut found = [Vec::new(), Vec::new(), Vec::new()];
        let mut open = vec![(p, 1usize), (q, 2)];
        let mut splits = 0;
        while let Some(&(t, _)) = open.iter().max() {
            let mut sides = 0;
            open.retain(|&(u, side)| {
                if u == t {
                    sides |= side;
                }
                u != t
            });
            match self.node(t) {
                Node::Bin(BinOp::And, a, b) if sides != 3 && splits < MAX_SPLITS => {
                    splits += 1;
                    open.push((a, sides));
                    open.push((b, sides));
                }
                _ => found[sides - 1].push(t),
            }
        }
        for list in &mut found {
            list.reverse();
        }
        found
    }
}

/// Result of [`Terms::reduce`].
enum Reduced {
    /// The conjunction is false under the facts.
    False,
    /// Nothing was found.
    Same,
    /// The conjuncts that are left.
    To(Vec<TermId>),
}

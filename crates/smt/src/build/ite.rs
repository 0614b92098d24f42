//! If-then-else.

use super::literal::Known;
use crate::sort::Sort;
use crate::term::{Node, TermId, Terms};

impl Terms {
    /// If-then-else on any sort.
    #[track_caller]
    pub fn ite(&mut self, cond: TermId, then: TermId, els: TermId) -> TermId {
        if then == els || self.is_true(cond) {
            return then;
        }
        if self.is_false(cond) {
            return els;
        }
        if let Some(inner) = self.negated(cond) {
            return self.ite(inner, els, then);
        }
        let not_cond = self.not(cond);
        let then = self.under(cond, then);
        let els = self.under(not_cond, els);
        if then == els {
            return then;
        }
        if self.sort(then) == Sort::Bool
            && let Some(result) = self.bool_ite(cond, not_cond, then, els)
        {
            return result;
        }
        if let Some(result) = self.nested(|terms| terms.merged_ite(cond, not_cond, then, els)) {
            return result;
        }
        self.raw_ite(cond, then, els)
    }

    /// A Bool as a bit-vector 0 or 1 of that width.
    #[track_caller]
    pub fn bool_to_bv(&mut self, width: u32, a: TermId) -> TermId {
        let (one, zero) = (self.bv(width, 1), self.bv(width, 0));
        self.ite(a, one, zero)
    }

    /// `t` where `cond` holds: outer if-then-elses that `cond` decides are gone.
    fn under(&self, cond: TermId, mut t: TermId) -> TermId {
        let Node::Ite(..) = self.node(t) else { return t };
        let facts = self.facts(&self.conjuncts(cond));
        while let Node::Ite(c, a, b) = self.node(t) {
            t = match self.known(&facts, c) {
                Known::True => a,
                Known::False => b,
                Known::Open => return t,
            };
        }
        t
    }

    fn bool_ite(&mut self, cond: TermId, not_cond: TermId, then: TermId, els: TermId) -> Option<TermId> {
        Some(if self.is_true(then) || then == cond {
            self.or(cond, els)
        } else if self.is_false(then) || then == not_cond {
            self.and(not_cond, els)
        } else if self.is_true(els) || els == not_cond {
            self.or(not_cond, then)
        } else if self.is_false(els) || els == cond {
            self.and(cond, then)
        } else if self.complementary(then, els) {
            self.eq(cond, then)
        } else {
            return None;
        })
    }

    /// Rules that merge with an if-then-else or store in a branch.
    fn merged_ite(&mut self, cond: TermId, not_cond: TermId, then: TermId, els: TermId) -> TermId {
        if let Node::Ite(d, a, b) = self.node(then) {
            if b == els {
                let both = self.and(cond, d);
                return self.ite(both, a, els);
            }
            if a == els {
                let not_d = self.not(d);
                let both = self.and(cond, not_d);
                return self.ite(both, b, els);
            }
        }
        if let Node::Ite(d, a, b) = self.node(els) {
            if a == then {
                let any = self.or(cond, d);
                return self.ite(any, then, b);
            }
            if b == then {
                let both = self.and(not_cond, d);
                return self.ite(both, a, then);
            }
        }
        match (self.node(then), self.node(els)) {
            (Node::Store(a, i, v), Node::Store(b, j, w)) if a == b && i == j => {
                let value = self.ite(cond, v, w);
                self.store(a, i, value)
            }
            // A guarded write: one element depends on the guard instead of the whole array.
            (Node::Store(a, i, v), _) if a == els => {
                let old = self.select(a, i);
                let value = self.ite(cond, v, old);
                self.store(a, i, value)
            }
            (_, Node::Store(b, j, w)) if b == then => {
                let old = self.select(b, j);
                let value = self.ite(cond, old, w);
                self.store(b, j, value)
            }
            _ => self.raw_ite(cond, then, els),
        }
    }
}

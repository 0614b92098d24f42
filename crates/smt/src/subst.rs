//! Replaces subterms, and collects variables: iteratively and once for each shared subterm.

use crate::term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Replaces terms (usually variables) by others of the same sorts, all at once; results are simplified.
///
/// What was done is remembered, so one substitution serves many terms of one arena.
#[derive(Clone, Default, Debug)]
pub struct Substitution {
    done: FxHashMap<TermId, TermId>,
}

impl Substitution {
    /// Replaces each key by its value.
    pub fn new(map: impl IntoIterator<Item = (TermId, TermId)>) -> Self {
        Self { done: map.into_iter().collect() }
    }

    /// Replaces one more term, which those that were replaced so far do not have.
    pub fn insert(&mut self, t: TermId, by: TermId) {
        self.done.insert(t, by);
    }

    /// The term after the replacement.
    pub fn apply(&mut self, terms: &mut Terms, t: TermId) -> TermId {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.done.contains_key(&top) {
                stack.pop();
                continue;
            }
            let children = terms.children(top);
            let before = stack.len();
            stack.extend(children.iter().filter(|child| !self.done.contains_key(child)));
            if stack.len() > before {
                continue;
            }
            let mut new = [top; 3];
            for (new, child) in new.iter_mut().zip(children.iter()) {
                *new = self.done[child];
            }
            let new = &new[..children.len()];
            let result = if new == &*children { top } else { terms.with_children(top, new) };
            self.done.insert(top, result);
            stack.pop();
        }
        self.done[&t]
    }
}

/// Builds a term again with the simplifying constructors: for terms that were built as they are.
pub fn simplify(terms: &mut Terms, t: TermId) -> TermId {
    let order = subterms(terms, &[t]);
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    for &t in &order {
        let children: Vec<TermId> = terms.children(t).iter().map(|child| done[child]).collect();
        let new = terms.with_children(t, &children);
        done.insert(t, new);
    }
    done[&t]
}

/// All subterms of some terms, themselves included, by increasing id: children come before their parents.
pub fn subterms(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut stack = roots.to_vec();
    let mut found = Vec::new();
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            found.push(t);
            stack.extend_from_slice(&terms.children(t));
        }
    }
    found.sort_unstable();
    found
}

/// The variables in some terms, in the order of their creation.
pub fn vars_of(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut vars = subterms(terms, roots);
    vars.retain(|&t| terms.is_var(t));
    vars
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Choices, RandomTerms, Theory};
    use crate::{Assignment, Evaluator, Sort, eval::eval};

    #[test]
    fn replaces_all_at_once_in_deep_terms() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::BitVec(32)), terms.var("y", Sort::BitVec(32)));
        let mut t = x;
        for _ in 0..100_000 {
            t = terms.bv_mul(t, y);
        }
        let t = terms.bv_add(t, x);
        assert_eq!(vars_of(&terms, &[t]), [x, y]);
        let swapped = Substitution::new([(x, y), (y, x)]).apply(&mut terms, t);
        let back = Substitution::new([(x, y), (y, x)]).apply(&mut terms, swapped);
        assert_ne!(swapped, t);
        assert_eq!(back, t);
        let (one, three) = (terms.bv(32, 1), terms.bv(32, 3));
        let known = Substitution::new([(x, three), (y, one)]).apply(&mut terms, t);
        assert_eq!(terms.as_bv_const(known), Some(6));
    }

    /// `eval(t[x := v]) = eval(t)` where x is assigned v, and the same for building again.
    #[test]
    fn agrees_with_assignments() {
        for (seed, theory) in (0..900).zip([Theory::Narrow, Theory::BitVectors, Theory::Arrays].into_iter().cycle()) {
            let mut choices = Choices::from_seed(seed);
            let mut random = RandomTerms::new(theory, &mut choices);
            for _ in 0..40 {
                random.grow(&mut choices);
            }
            let assignment = random.assignment(&mut choices);
            let pairs: Vec<_> = random.pairs().collect();
            let half: Vec<_> = random.vars.iter().copied().filter(|_| choices.below(2) == 0).collect();
            let map: Vec<_> = half.iter().map(|&var| (var, random.terms.value_term(&assignment[&var]))).collect();
            let mut substitution = Substitution::new(map);
            let new: Vec<_> = pairs.iter().map(|pair| substitution.apply(&mut random.terms, pair.raw)).collect();
            let again: Vec<_> = pairs.iter().map(|pair| simplify(&mut random.terms, pair.raw)).collect();
            let rest: Assignment =
                assignment.iter().filter(|(var, _)| !half.contains(var)).map(|(&v, x)| (v, x.clone())).collect();
            let mut evaluator = Evaluator::new(&random.terms, &assignment);
            for ((pair, new), again) in pairs.iter().zip(new).zip(again) {
                let expected = evaluator.eval(pair.raw);
                assert_eq!(eval(&random.terms, &rest, new), expected, "seed {seed}");
                assert_eq!(evaluator.eval(again), expected, "seed {seed}");
            }
        }
    }
}

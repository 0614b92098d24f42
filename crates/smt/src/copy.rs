//! Copies terms from one arena to another, iteratively and once for each shared subterm.

use crate::subst::vars_of;
use crate::term::{Node, TermId, Terms};
use rustc_hash::FxHashMap;

/// What was copied from one arena to another so far, with one meaning of variables.
#[derive(Clone, Default, Debug)]
pub struct Copies {
    done: FxHashMap<TermId, TermId>,
}

impl Copies {
    /// The variables of a term that mean nothing yet, in the order of their creation.
    pub fn new_vars(&self, from: &Terms, t: TermId) -> Vec<TermId> {
        if self.done.contains_key(&t) {
            return Vec::new();
        }
        let mut vars = vars_of(from, &[t]);
        vars.retain(|var| !self.done.contains_key(var));
        vars
    }

    /// Sets what a variable becomes: a term of the same sort.
    pub fn set(&mut self, var: TermId, new: TermId) {
        self.done.insert(var, new);
    }

    /// The copy, built with the simplifying constructors; `None` if a variable means nothing.
    pub fn copy(&mut self, from: &Terms, to: &mut Terms, t: TermId) -> Option<TermId> {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.done.contains_key(&top) {
                stack.pop();
                continue;
            }
            let children = from.children(top);
            let before = stack.len();
            stack.extend(children.iter().filter(|child| !self.done.contains_key(child)));
            if stack.len() > before {
                continue;
            }
            let child = |i: usize| self.done[&children[i]];
            let new = match from.node(top) {
                Node::Var { .. } => return None,
                Node::Bool(value) => to.bool_const(value),
                Node::Bv { width, value } => to.bv(width, value),
                Node::Float { sort, bits } => to.fp_const(bits, sort),
                Node::Int(value) => to.int(value),
                Node::Un(op, _) => to.un(op, child(0)),
                Node::Bin(op, ..) => to.bin(op, child(0), child(1)),
                Node::Ite(..) => to.ite(child(0), child(1), child(2)),
                Node::Store(..) => to.store(child(0), child(1), child(2)),
                Node::ConstArray(index, _) => to.const_array(index, child(0)),
            };
            self.done.insert(top, new);
            stack.pop();
        }
        Some(self.done[&t])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Choices, RandomTerms, Theory};
    use crate::{Assignment, Evaluator};

    #[test]
    fn copies_have_the_same_values() {
        for (seed, theory) in (0..300).zip([Theory::Narrow, Theory::BitVectors, Theory::Arrays].into_iter().cycle()) {
            let mut choices = Choices::from_seed(seed);
            let mut random = RandomTerms::new(theory, &mut choices);
            for _ in 0..40 {
                random.grow(&mut choices);
            }
            let values = random.assignment(&mut choices);
            let (mut terms, mut copies) = (Terms::new(), Copies::default());
            let mut renamed = Assignment::default();
            let pairs: Vec<_> = random.pairs().map(|pair| pair.raw).collect();
            for t in pairs {
                assert!(
                    copies.new_vars(&random.terms, t).is_empty()
                        || copies.clone().copy(&random.terms, &mut terms, t).is_none()
                );
                for var in copies.new_vars(&random.terms, t) {
                    let new = terms.fresh_var("v", random.terms.sort(var));
                    copies.set(var, new);
                    renamed.extend(values.get(&var).map(|value| (new, value.clone())));
                }
                let copy = copies.copy(&random.terms, &mut terms, t).expect("all variables are known");
                let (old, new) =
                    (Evaluator::new(&random.terms, &values).eval(t), Evaluator::new(&terms, &renamed).eval(copy));
                assert_eq!(old, new, "seed {seed}");
            }
        }
    }
}

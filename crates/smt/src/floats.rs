//! Formulas without floating-point arithmetic: what follows whatever it gives.
//!
//! Solvers that look at single bits build a circuit for each operation, also where what is asked only mentions the result: where an access is
//! seldom depends on a square root that was stored before.

use crate::solver::Model;
use crate::subst::{Substitution, subterms};
use crate::term::{BinOp, Node, TermId, Terms, UnOp};
use rustc_hash::FxHashSet;

/// Terms with some value for each result of arithmetic.
pub struct WithoutArithmetic {
    /// What the given terms become, in their order.
    pub terms: Vec<TermId>,
    /// Arithmetic, and the variables for its results; operands come first.
    results: Vec<(TermId, TermId)>,
    /// Operands without arithmetic.
    inputs: Vec<TermId>,
}

impl WithoutArithmetic {
    /// The terms that `roots` become; `None` if they have no arithmetic.
    pub fn new(terms: &mut Terms, roots: &[TermId]) -> Option<Self> {
        let all = subterms(terms, roots);
        let mut computed: FxHashSet<TermId> = FxHashSet::default();
        let mut inputs = Vec::new();
        let mut results = Vec::new();
        for term in all {
            let is_arithmetic = is_arithmetic(terms, term);
            let children = terms.children(term);
            if is_arithmetic {
                let sort = terms.sort(term);
                results.push((term, terms.fresh_var("result", sort)));
                inputs.extend(children.iter().filter(|child| !computed.contains(child) && !terms.is_const(**child)));
            }
            if is_arithmetic || children.iter().any(|child| computed.contains(child)) {
                computed.insert(term);
            }
        }
        if results.is_empty() {
            return None;
        }
        let mut names = Substitution::new(results.iter().copied());
        let named = roots.iter().map(|root| names.apply(terms, *root)).collect();
        Some(Self { terms: named, results, inputs })
    }

    /// What makes the results those of the inputs that a model has.
    pub fn with_inputs_of(&self, terms: &mut Terms, model: &Model) -> TermId {
        let (inputs, results) = (self.inputs.iter().map(|input| (*input, *input)), self.results.iter().copied());
        let mut eval = model.evaluator(terms);
        let values: Vec<_> = inputs.chain(results).map(|(term, name)| (name, eval.eval(term))).collect();
        let equal = values.into_iter().map(|(name, value)| {
            let value = terms.value_term(&value);
            terms.eq(name, value)
        });
        let equal: Vec<TermId> = equal.collect();
        terms.and_all(&equal)
    }
}

/// Whether a term computes with floating-point numbers, or makes integers of them or them of integers.
fn is_arithmetic(terms: &Terms, term: TermId) -> bool {
    match terms.node(term) {
        Node::Un(op, _) => matches!(
            op,
            UnOp::FpSqrt
                | UnOp::FpRoundToIntegral(_)
                | UnOp::FpToFp(_)
                | UnOp::FpFromSbv(_)
                | UnOp::FpFromUbv(_)
                | UnOp::FpToSbv(_)
                | UnOp::FpToUbv(_)
        ),
        Node::Bin(op, ..) => {
            matches!(op, BinOp::FpAdd | BinOp::FpSub | BinOp::FpMul | BinOp::FpDiv | BinOp::FpRem)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, Evaluator, FloatSort, Sort, Value};

    #[test]
    fn what_holds_with_arithmetic_holds_without() {
        let mut terms = Terms::new();
        let (a, b) = (terms.var("a", Sort::BitVec(4)), terms.var("b", Sort::BitVec(4)));
        let (x, y) = (terms.fp_from_sbv(FloatSort::F32, a), terms.fp_from_sbv(FloatSort::F32, b));
        let sum = terms.fp_add(x, y);
        let root = terms.fp_lt(x, sum);
        let known = terms.len();
        let formula = WithoutArithmetic::new(&mut terms, &[root]).expect("arithmetic").terms[0];
        let names: Vec<TermId> = (known..terms.len()).map(TermId::from_index).filter(|t| terms.is_var(*t)).collect();
        assert_eq!(names.len(), 3);
        for values in 0..1u128 << 8 {
            let mut assignment = Assignment::default();
            for (i, var) in [a, b].into_iter().enumerate() {
                assignment.insert(var, Value::Bv { width: 4, value: values >> (4 * i) & 15 });
            }
            let holds = Evaluator::new(&terms, &assignment).eval(root);
            // Results in the order of the terms that gave them.
            for (name, term) in names.iter().zip([x, y, sum]) {
                let value = Evaluator::new(&terms, &assignment).eval(term);
                assignment.insert(*name, value);
            }
            assert_eq!(Evaluator::new(&terms, &assignment).eval(formula), holds);
        }
    }

    #[test]
    fn inputs_give_results() {
        let mut terms = Terms::new();
        let a = terms.var("a", Sort::BitVec(4));
        let x = terms.fp_from_sbv(FloatSort::F32, a);
        let sum = terms.fp_add(x, x);
        let root = terms.fp_lt(x, sum);
        let weaker = WithoutArithmetic::new(&mut terms, &[root]).expect("arithmetic");
        let mut assignment = Assignment::default();
        assignment.insert(a, Value::Bv { width: 4, value: 3 });
        let fixed = weaker.with_inputs_of(&mut terms, &Model::new(assignment.clone()));
        let both = terms.and(weaker.terms[0], fixed);
        for (term, name) in weaker.results {
            let value = Evaluator::new(&terms, &assignment).eval(term);
            assignment.insert(name, value);
        }
        assert_eq!(Evaluator::new(&terms, &assignment).eval(both), Value::Bool(true));
        assignment.insert(a, Value::Bv { width: 4, value: 2 });
        assert_eq!(Evaluator::new(&terms, &assignment).eval(both), Value::Bool(false));
    }

    #[test]
    fn comparisons_stay() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::Float(FloatSort::F32)), terms.var("y", Sort::Float(FloatSort::F32)));
        let less = terms.fp_lt(x, y);
        assert!(WithoutArithmetic::new(&mut terms, &[less]).is_none());
    }
}

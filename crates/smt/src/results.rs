//! Formulas with any results of arithmetic that solvers find hard: of floating-point numbers, and quotients and remainders by variable numbers.
//!
//! Solvers that look at single bits build a circuit for each operation, also where what is asked only mentions the result: where an access is
//! seldom depends on a square root that was stored before, or on more of a remainder than that it is less than the divisor.

use crate::solver::Model;
use crate::subst::{Substitution, subterms};
use crate::term::{BinOp, Node, TermId, Terms, UnOp};
use rustc_hash::FxHashSet;

/// Terms with some value for each result of arithmetic.
pub struct AnyResults {
    /// What the given terms become, in their order; the first one, a formula, also tells the facts about the results.
    pub terms: Vec<TermId>,
    /// Arithmetic, and the variables for its results; operands come first.
    results: Vec<(TermId, TermId)>,
    /// Operands without arithmetic.
    inputs: Vec<TermId>,
}

impl AnyResults {
    /// The terms that `roots` become, of which the first is a formula; `None` if they have no such arithmetic.
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
        let mut named: Vec<TermId> = roots.iter().map(|root| names.apply(terms, *root)).collect();
        let facts: Vec<TermId> =
            results.iter().filter_map(|(term, name)| fact(terms, &mut names, *term, *name)).collect();
        if let Some(first) = named.first_mut() {
            let facts = terms.and_all(&facts);
            *first = terms.and(*first, facts);
        }
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

/// What holds for a quotient or a remainder, whatever it is.
fn fact(terms: &mut Terms, names: &mut Substitution, term: TermId, name: TermId) -> Option<TermId> {
    let Node::Bin(op @ (BinOp::BvUdiv | BinOp::BvUrem | BinOp::BvSdiv | BinOp::BvSrem), a, b) = terms.node(term) else {
        return None;
    };
    let (a, b) = (names.apply(terms, a), names.apply(terms, b));
    let width = terms.width(term);
    let zero = terms.bv(width, 0);
    let is_divided = match op {
        BinOp::BvUdiv | BinOp::BvUrem => terms.ne(b, zero),
        // Of numbers that are not negative, those without signs are the same.
        _ => {
            let (positive, natural) = (terms.slt(zero, b), terms.sle(zero, a));
            terms.and(positive, natural)
        }
    };
    let is_less = terms.ult(a, b);
    let at_most = terms.ule(name, a);
    let (below, small) = match op {
        BinOp::BvUdiv | BinOp::BvSdiv => (at_most, terms.eq(name, zero)),
        _ => {
            let below = terms.ult(name, b);
            (terms.and(at_most, below), terms.eq(name, a))
        }
    };
    let small = terms.implies(is_less, small);
    let both = terms.and(below, small);
    Some(terms.implies(is_divided, both))
}

/// Whether a term computes with floating-point numbers, makes integers of them or them of integers, or divides by a variable integer.
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
        Node::Bin(BinOp::BvUdiv | BinOp::BvUrem | BinOp::BvSdiv | BinOp::BvSrem, _, b) => !terms.is_const(b),
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
        let formula = AnyResults::new(&mut terms, &[root]).expect("arithmetic").terms[0];
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
    fn facts_hold_for_quotients_and_remainders() {
        let mut terms = Terms::new();
        let (a, b) = (terms.var("a", Sort::BitVec(4)), terms.var("b", Sort::BitVec(4)));
        let divided = [terms.bv_udiv(a, b), terms.bv_urem(a, b), terms.bv_sdiv(a, b), terms.bv_srem(a, b)];
        let (tru, eight) = (terms.tru(), terms.bv(4, 8));
        let weaker = AnyResults::new(&mut terms, &[&[tru], &divided[..]].concat()).expect("arithmetic");
        for values in 0..1u128 << 8 {
            let mut assignment = Assignment::default();
            for (i, var) in [a, b].into_iter().enumerate() {
                assignment.insert(var, Value::Bv { width: 4, value: values >> (4 * i) & 15 });
            }
            for (term, name) in &weaker.results {
                let value = Evaluator::new(&terms, &assignment).eval(*term);
                assignment.insert(*name, value);
            }
            assert_eq!(Evaluator::new(&terms, &assignment).eval(weaker.terms[0]), Value::Bool(true));
        }
        // Division by constants stays.
        let half = terms.bv_urem(a, eight);
        assert!(AnyResults::new(&mut terms, &[tru, half]).is_none());
    }

    #[test]
    fn inputs_give_results() {
        let mut terms = Terms::new();
        let a = terms.var("a", Sort::BitVec(4));
        let x = terms.fp_from_sbv(FloatSort::F32, a);
        let sum = terms.fp_add(x, x);
        let root = terms.fp_lt(x, sum);
        let weaker = AnyResults::new(&mut terms, &[root]).expect("arithmetic");
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
        assert!(AnyResults::new(&mut terms, &[less]).is_none());
    }
}

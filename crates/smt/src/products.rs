//! Formulas without products: what follows from little more than that products of equal factors are equal.
//!
//! Solvers that look at single bits see no more in two products than two circuits. Here each product of variable numbers becomes a
//! variable, with facts that hold for products. A formula that can't hold then can't hold with products either.

use crate::subst::{Substitution, subterms};
use crate::term::{BinOp, Node, TermId, Terms};

/// Most products that are compared: the facts are as many as their pairs.
const MAX_PRODUCTS: usize = 16;

/// A formula that holds wherever `root` does, with some value for each product; `None` if `root` has no products, or too many.
pub fn without_products(terms: &mut Terms, root: TermId) -> Option<TermId> {
    let products: Vec<TermId> = subterms(terms, &[root]).into_iter().filter(|t| factors(terms, *t).is_some()).collect();
    if products.is_empty() || products.len() > MAX_PRODUCTS {
        return None;
    }
    let named: Vec<(TermId, TermId)> = products
        .into_iter()
        .map(|product| {
            let sort = terms.sort(product);
            (product, terms.fresh_var("product", sort))
        })
        .collect();
    let mut names = Substitution::new(named.iter().copied());
    let mut all = vec![names.apply(terms, root)];
    let mut known: Vec<(TermId, [TermId; 2])> = Vec::new();
    for (product, name) in named {
        let (a, b) = factors(terms, product)?;
        let pair = [names.apply(terms, a), names.apply(terms, b)];
        all.extend(small(terms, name, pair));
        for (other, [c, d]) in known.iter().copied() {
            if terms.sort(other) != terms.sort(name) {
                continue;
            }
            let same = terms.eq(name, other);
            for (c, d) in [(c, d), (d, c)] {
                let (first, second) = (terms.eq(pair[0], c), terms.eq(pair[1], d));
                let both = terms.and(first, second);
                all.push(terms.implies(both, same));
            }
        }
        known.push((name, pair));
    }
    Some(terms.and_all(&all))
}

/// The factors of a product of which none is constant.
fn factors(terms: &Terms, term: TermId) -> Option<(TermId, TermId)> {
    let Node::Bin(BinOp::BvMul, a, b) = terms.node(term) else { return None };
    (!terms.is_const(a) && !terms.is_const(b)).then_some((a, b))
}

/// What holds where a factor is 0 or 1.
fn small(terms: &mut Terms, product: TermId, pair: [TermId; 2]) -> Vec<TermId> {
    let width = terms.width(product);
    let (zero, one) = (terms.bv(width, 0), terms.bv(width, 1));
    let mut facts = Vec::new();
    for (factor, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
        for (value, result) in [(zero, zero), (one, other)] {
            let (given, same) = (terms.eq(factor, value), terms.eq(product, result));
            facts.push(terms.implies(given, same));
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, Evaluator, Sort, Value};

    #[test]
    fn what_holds_with_products_holds_without() {
        let mut terms = Terms::new();
        let vars = ["a", "b", "c"].map(|name| terms.var(name, Sort::BitVec(3)));
        let [a, b, c] = vars;
        let (p, q) = (terms.bv_mul(a, b), terms.bv_mul(b, c));
        let r = terms.bv_mul(p, c);
        let sum = terms.bv_add(p, q);
        let root = terms.ult(sum, r);
        let known = terms.len();
        let formula = without_products(&mut terms, root).expect("products");
        // The new variables, in the order of the products.
        let names: Vec<TermId> = (known..terms.len()).map(TermId::from_index).filter(|t| terms.is_var(*t)).collect();
        assert_eq!(names.len(), 3);
        for values in 0..1u128 << 9 {
            let mut assignment = Assignment::default();
            let value = |value| Value::Bv { width: 3, value };
            for (i, var) in vars.into_iter().enumerate() {
                assignment.insert(var, value(values >> (3 * i) & 7));
            }
            let holds = Evaluator::new(&terms, &assignment).eval(root);
            let mut products = [p, q, r];
            products.sort_unstable();
            for (name, product) in names.iter().zip(products) {
                let value = Evaluator::new(&terms, &assignment).eval(product);
                assignment.insert(*name, value);
            }
            assert_eq!(Evaluator::new(&terms, &assignment).eval(formula), holds);
        }
    }

    #[test]
    fn constant_factors_stay() {
        let mut terms = Terms::new();
        let (a, b) = (terms.var("a", Sort::BitVec(32)), terms.var("b", Sort::BitVec(32)));
        let seven = terms.bv(32, 7);
        let (p, q) = (terms.bv_mul(a, seven), terms.bv_mul(b, seven));
        let both = terms.eq(p, q);
        assert_eq!(without_products(&mut terms, both), None);
    }
}

//! Formulas without products: what follows from little more than that products of equal factors are equal.
//!
//! Solvers that look at single bits see no more in two products than two circuits. Here each product of variable numbers becomes a
//! variable, with facts that hold for products. A formula that can't hold then can't hold with products either.

use crate::subst::{Substitution, subterms};
use crate::term::{BinOp, Node, TermId, Terms, UnOp};
use std::collections::BTreeMap;

/// Most products that are compared: the facts are as many as their pairs.
const MAX_PRODUCTS: usize = 24;
/// Most factors of a product: the facts are as many as their orders.
const MAX_FACTORS: usize = 3;

/// A formula that holds wherever `root` does, with some value for each product; `None` if `root` has no products, or too many.
pub fn without_products(terms: &mut Terms, root: TermId) -> Option<TermId> {
    let mut products: BTreeMap<Vec<TermId>, TermId> = BTreeMap::new();
    let mut replaced = Vec::new();
    for term in subterms(terms, &[root]) {
        let Node::Bin(BinOp::BvMul, a, b) = terms.node(term) else { continue };
        if terms.is_const(a) || terms.is_const(b) {
            continue;
        }
        let width = terms.width(term);
        let Monomial { coefficient, factors } = Monomial::of(terms, term);
        let sort = terms.sort(term);
        let name = *products.entry(factors).or_insert_with(|| terms.fresh_var("product", sort));
        let coefficient = terms.bv(width, coefficient);
        replaced.push((term, terms.bv_mul(name, coefficient)));
    }
    if products.is_empty() || products.len() > MAX_PRODUCTS {
        return None;
    }
    let mut names = Substitution::new(replaced);
    let mut all = vec![names.apply(terms, root)];
    let mut known: Vec<(TermId, Vec<TermId>)> = Vec::new();
    for (factors, name) in products {
        let factors: Vec<TermId> = factors.into_iter().map(|factor| names.apply(terms, factor)).collect();
        all.extend(small(terms, name, &factors));
        for (other, others) in &known {
            if terms.sort(*other) == terms.sort(name) && others.len() == factors.len() && factors.len() <= MAX_FACTORS {
                let equal = equal_in_some_order(terms, &factors, others);
                let same = terms.eq(name, *other);
                all.push(terms.implies(equal, same));
            }
        }
        known.push((name, factors));
    }
    Some(terms.and_all(&all))
}

/// A constant times other factors, in the order of their creation.
struct Monomial {
    coefficient: u128,
    factors: Vec<TermId>,
}

impl Monomial {
    fn of(terms: &Terms, term: TermId) -> Self {
        let mut found = Self { coefficient: 1, factors: Vec::new() };
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            match terms.node(term) {
                Node::Bin(BinOp::BvMul, a, b) => stack.extend([a, b]),
                Node::Un(UnOp::BvNeg, a) => {
                    found.coefficient = found.coefficient.wrapping_neg();
                    stack.push(a);
                }
                Node::Bin(BinOp::BvShl, a, b) if terms.as_bv_const(b).is_some_and(|by| by < 128) => {
                    found.coefficient <<= terms.as_bv_const(b).unwrap_or_default();
                    stack.push(a);
                }
                _ => match terms.as_bv_const(term) {
                    Some(constant) => found.coefficient = found.coefficient.wrapping_mul(constant),
                    None => found.factors.push(term),
                },
            }
        }
        found.factors.sort_unstable();
        found
    }
}

/// The factors are equal, in some order.
fn equal_in_some_order(terms: &mut Terms, a: &[TermId], b: &[TermId]) -> TermId {
    let Some((first, rest)) = a.split_first() else { return terms.tru() };
    let mut orders = Vec::new();
    for (at, other) in b.iter().enumerate() {
        let others = [&b[..at], &b[at + 1..]].concat();
        let (same, rest) = (terms.eq(*first, *other), equal_in_some_order(terms, rest, &others));
        orders.push(terms.and(same, rest));
    }
    terms.or_all(&orders)
}

/// What holds where a factor is 0, or 1 in a product of two.
fn small(terms: &mut Terms, product: TermId, factors: &[TermId]) -> Vec<TermId> {
    let width = terms.width(product);
    let (zero, one) = (terms.bv(width, 0), terms.bv(width, 1));
    let mut facts = Vec::new();
    for (at, factor) in factors.iter().enumerate() {
        let (none, nothing) = (terms.eq(*factor, zero), terms.eq(product, zero));
        facts.push(terms.implies(none, nothing));
        if let [a, b] = factors {
            let (single, same) = (terms.eq(*factor, one), terms.eq(product, [*b, *a][at]));
            facts.push(terms.implies(single, same));
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
        let six = terms.bv(3, 6);
        let b_six = terms.bv_mul(b, six);
        let (p, q) = (terms.bv_mul(a, b), terms.bv_mul(b_six, c));
        let r = terms.bv_mul(p, c);
        let sum = terms.bv_add(p, q);
        let root = terms.ult(sum, r);
        let known = terms.len();
        let formula = without_products(&mut terms, root).expect("products");
        // The new variables are a·b, b·c and a·b·c.
        let names: Vec<TermId> = (known..terms.len()).map(TermId::from_index).filter(|t| terms.is_var(*t)).collect();
        assert_eq!(names.len(), 3);
        let b_c = terms.bv_mul(b, c);
        let products = [p, b_c, r];
        for values in 0..1u128 << 9 {
            let mut assignment = Assignment::default();
            let value = |value| Value::Bv { width: 3, value };
            for (i, var) in vars.into_iter().enumerate() {
                assignment.insert(var, value(values >> (3 * i) & 7));
            }
            let holds = Evaluator::new(&terms, &assignment).eval(root);
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

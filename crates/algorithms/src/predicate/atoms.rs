//! The atoms of a formula: what is left when Boolean structure is taken away.

use rustc_hash::FxHashSet;
use smt::{BinOp, Node, Sort, TermId, Terms, UnOp};

/// The atoms, from left to right, each once and without constants.
pub fn atoms(terms: &Terms, formula: TermId) -> Vec<TermId> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let mut stack = vec![formula];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) || terms.is_const(t) {
            continue;
        }
        let is_bool = |t: TermId| terms.sort(t) == Sort::Bool;
        match terms.node(t) {
            Node::Un(UnOp::Not, a) => stack.push(a),
            Node::Bin(BinOp::And | BinOp::Or, a, b) => stack.extend([b, a]),
            Node::Bin(BinOp::Eq, a, b) if is_bool(a) => stack.extend([b, a]),
            Node::Ite(c, a, b) => stack.extend([b, a, c]),
            _ => found.push(t),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boolean_structure_is_taken_away() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::BitVec(8)), terms.var("y", Sort::BitVec(8)));
        let (a, b) = (terms.ult(x, y), terms.eq(x, y));
        let c = terms.var("c", Sort::Bool);
        let not_b = terms.not(b);
        let either = terms.or(a, not_b);
        let formula = terms.ite(c, either, b);
        let mut got = atoms(&terms, formula);
        got.sort_unstable();
        let mut expected = vec![a, b, c];
        expected.sort_unstable();
        assert_eq!(got, expected);
        let tru = terms.tru();
        assert!(atoms(&terms, tru).is_empty());
    }
}

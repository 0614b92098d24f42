//! Variables of paths: canonical ones, and their copies for the steps of a path.

use domains::predicate::PredicateCpa;
use rustc_hash::FxHashSet;
use smt::{BinOp, Node, TermId, Terms};

/// Whether a variable stands for what a place holds where a block begins.
pub(super) fn is_canonical(cpa: &PredicateCpa<'_, '_>, var: TermId) -> bool {
    cpa.enc.canon.as_ref().is_some_and(|canon| canon.place(var).is_some())
}

/// The copy of a variable for a step.
pub(super) fn copy(terms: &mut Terms, var: TermId, step: usize) -> TermId {
    let name = terms.var_name(var).unwrap_or_default();
    let sort = terms.sort(var);
    terms.var(&format!("{name}@{step}"), sort)
}

/// The conjuncts of a formula, from left to right, each once.
pub(crate) fn conjuncts_of(terms: &Terms, formula: TermId) -> Vec<TermId> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let mut stack = vec![formula];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        match terms.node(t) {
            Node::Bin(BinOp::And, a, b) => stack.extend([b, a]),
            _ if terms.is_true(t) => {}
            _ => found.push(t),
        }
    }
    found
}

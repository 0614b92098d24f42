//! Splits formulas into the atoms that become predicates, in one form each and bounded in size.
//!
//! The simplifying constructors of [`Terms`] already give one form to `x < y` and `y > x`, `<=` and `<`, constants on the
//! left, and the order of equalities. Here negations go, if-then-elses inside of terms are pulled out, and offsets are moved to
//! the right.

use rustc_hash::FxHashSet;
use smt::{BinOp, Node, Sort, Substitution, TermId, Terms, UnOp, subst::subterms};

/// Bounds of what is split.
#[derive(Clone, Copy, Debug)]
pub struct AtomLimits {
    /// Most different subterms of an atom; larger ones are left out.
    pub size: usize,
    /// Most atoms of one formula.
    pub count: usize,
    /// Most if-then-elses that are pulled out of one atom.
    pub choices: usize,
}

impl Default for AtomLimits {
    fn default() -> Self {
        Self { size: 60, count: 60, choices: 4 }
    }
}

/// The atoms of a formula, by their first occurrence from the left: no negations, no Boolean operators, no constants.
pub fn atoms_of(terms: &mut Terms, formula: TermId, limits: AtomLimits) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![(formula, limits.choices)];
    while let Some((t, choices)) = stack.pop() {
        if found.len() >= limits.count {
            break;
        }
        if !seen.insert(t) {
            continue;
        }
        match terms.node(t) {
            Node::Bool(_) => {}
            Node::Un(UnOp::Not, a) => stack.push((a, choices)),
            Node::Bin(BinOp::And | BinOp::Or, a, b) => stack.extend([(b, choices), (a, choices)]),
            Node::Bin(BinOp::Eq, a, b) if terms.sort(a) == Sort::Bool => stack.extend([(b, choices), (a, choices)]),
            Node::Ite(c, a, b) => stack.extend([(b, choices), (a, choices), (c, choices)]),
            _ => match choice_in(terms, t) {
                Some((choice, c, a, b)) if choices > 0 => {
                    for branch in [b, a] {
                        let replaced = Substitution::new([(choice, branch)]).apply(terms, t);
                        stack.push((replaced, choices - 1));
                    }
                    stack.push((c, choices));
                }
                _ => {
                    let atom = normal(terms, t);
                    // The constructors may turn the normal form back; then the atom is as good as it is.
                    let circular = seen.contains(&atom) && !found.contains(&atom);
                    if atom != t && !circular {
                        stack.push((atom, choices));
                    } else if terms.size(atom) <= limits.size {
                        found.push(atom);
                    }
                }
            },
        }
    }
    found
}

/// The atoms of several formulas, each once.
pub fn atoms_of_all(terms: &mut Terms, formulas: &[TermId], limits: AtomLimits) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for &formula in formulas {
        for atom in atoms_of(terms, formula, limits) {
            if seen.insert(atom) {
                found.push(atom);
            }
        }
    }
    found
}

/// The innermost if-then-else of a scalar sort inside of an atom, with its parts.
fn choice_in(terms: &Terms, atom: TermId) -> Option<(TermId, TermId, TermId, TermId)> {
    subterms(terms, &[atom]).into_iter().find_map(|t| match terms.node(t) {
        Node::Ite(c, a, b) if !matches!(terms.sort(t), Sort::Array { .. }) => Some((t, c, a, b)),
        _ => None,
    })
}

/// One form for atoms that differ in where an offset stands: `x + c = y + d` becomes `x = y + (d - c)`, or `y = x + (c - d)`
/// if that is the smaller number.
fn normal(terms: &mut Terms, atom: TermId) -> TermId {
    let Node::Bin(BinOp::Eq, a, b) = terms.node(atom) else { return atom };
    let Sort::BitVec(width) = terms.sort(a) else { return atom };
    let ((x, c), (y, d)) = (terms.split_offset(a), terms.split_offset(b));
    if terms.is_const(x) || terms.is_const(y) {
        return atom;
    }
    let (x, y, difference) = {
        let right = smt::value::mask(width) & d.wrapping_sub(c);
        let left = smt::value::mask(width) & c.wrapping_sub(d);
        // The same choice whichever side stands first.
        if (right, x) <= (left, y) { (x, y, right) } else { (y, x, left) }
    };
    let moved = terms.bv_add_const(y, difference);
    terms.eq(x, moved)
}

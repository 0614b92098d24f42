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

#[cfg(test)]
mod tests {
    use super::*;
    use smt::smtlib::term_to_string;

    fn vars(terms: &mut Terms) -> [TermId; 3] {
        ["x", "y", "z"].map(|name| terms.var(name, Sort::BitVec(8)))
    }

    #[track_caller]
    fn check(build: impl Fn(&mut Terms, [TermId; 3]) -> TermId, expected: &[&str]) {
        let mut terms = Terms::new();
        let vars = vars(&mut terms);
        let formula = build(&mut terms, vars);
        let atoms = atoms_of(&mut terms, formula, AtomLimits::default());
        let texts: Vec<String> = atoms.iter().map(|&t| term_to_string(&terms, t)).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn one_form_for_one_predicate() {
        check(|t, [x, y, _]| t.slt(x, y), &["(bvslt |x| |y|)"]);
        check(|t, [x, y, _]| t.sgt(y, x), &["(bvslt |x| |y|)"]);
        check(|t, [x, y, _]| t.sge(x, y), &["(bvslt |x| |y|)"]);
        check(
            |t, [x, _, _]| {
                let five = t.bv(8, 5);
                t.sle(x, five)
            },
            &["(bvslt |x| #x06)"],
        );
        for flip in [false, true] {
            let build = |t: &mut Terms, [x, y, _]: [TermId; 3]| {
                let (a, b) = if flip { (y, x) } else { (x, y) };
                let (one, three) = (t.bv(8, 1), t.bv(8, 3));
                let (a, b) = (t.bv_add(a, if flip { three } else { one }), t.bv_add(b, if flip { one } else { three }));
                t.eq(a, b)
            };
            check(build, &["(= |x| (bvadd |y| #x02))"]);
        }
    }

    #[test]
    fn structure_and_choices_are_taken_apart() {
        check(
            |t, [x, y, z]| {
                let (a, b) = (t.eq(x, y), t.ult(y, z));
                let (both, either) = (t.and(a, b), t.iff(a, b));
                t.or(both, either)
            },
            &["(= |x| |y|)", "(bvult |y| |z|)"],
        );
        check(
            |t, [x, y, z]| {
                let c = t.eq(x, y);
                let choice = t.ite(c, y, z);
                t.ult(choice, x)
            },
            &["(= |x| |y|)", "(bvult |y| |x|)", "(bvult |z| |x|)"],
        );
    }

    #[test]
    fn large_atoms_are_left_out() {
        let mut terms = Terms::new();
        let [x, y, _] = vars(&mut terms);
        let mut product = x;
        for _ in 0..100 {
            product = terms.bv_mul(product, y);
            product = terms.bv_xor(product, x);
        }
        let large = terms.ult(product, y);
        let small = terms.eq(x, y);
        let both = terms.and(large, small);
        assert_eq!(atoms_of(&mut terms, both, AtomLimits::default()), [small]);
        assert_eq!(atoms_of_all(&mut terms, &[small, both, small], AtomLimits::default()), [small]);
    }
}

//! Consequences of conjunctions that are worth more as predicates than the conjunctions themselves.
//!
//! They are weaker, so they may not contradict the rest of a trace any more; an engine tries them first and falls back.

use rustc_hash::FxHashSet;
use smt::value::mask;
use smt::{BinOp, Node, Sort, TermId, Terms, UnOp, vars_of};

/// Most variables that are related to each other.
const MAX_PINNED: usize = 6;

/// Most bounds of one variable that are combined.
const MAX_BOUNDS: usize = 6;

/// Relations in place of values: `x = 3 and y = 5` becomes `x = y - 2`; the other literals stay. `None` if nothing changes.
pub fn relations(terms: &mut Terms, literals: &[TermId]) -> Option<Vec<TermId>> {
    let mut pinned: Vec<(TermId, u128)> = Vec::new();
    let mut result = Vec::new();
    for &literal in literals {
        match terms.node(literal) {
            Node::Bin(BinOp::Eq, t, c) if matches!(terms.sort(t), Sort::BitVec(_)) => match terms.as_bv_const(c) {
                Some(value) if pinned.len() < MAX_PINNED => pinned.push((t, value)),
                _ => result.push(literal),
            },
            _ => result.push(literal),
        }
    }
    if pinned.len() < 2 {
        return None;
    }
    for (i, &(x, c)) in pinned.iter().enumerate() {
        for &(y, d) in &pinned[i + 1..] {
            if terms.sort(x) == terms.sort(y) {
                let distance = d.wrapping_sub(c) & mask(terms.width(x));
                let moved = terms.bv_add_const(x, distance);
                result.push(terms.eq(y, moved));
            }
        }
    }
    Some(result)
}

/// A bound of a variable: the other side, and whether equality is excluded.
#[derive(Clone, Copy)]
struct Bound {
    op: BinOp,
    other: TermId,
    strict: bool,
}

/// The literals over variables of `keep`, and what follows from pairs of bounds of the other variables: `l < v` and `v <= u`
/// give `l < u`.
pub fn resolvents(terms: &mut Terms, literals: &[TermId], keep: &FxHashSet<TermId>) -> Vec<TermId> {
    let mut result = Vec::new();
    let mut lower: Vec<(TermId, Bound)> = Vec::new();
    let mut upper: Vec<(TermId, Bound)> = Vec::new();
    for &literal in literals {
        if vars_of(terms, &[literal]).iter().all(|var| keep.contains(var)) {
            result.push(literal);
            continue;
        }
        let (atom, positive) = match terms.node(literal) {
            Node::Un(UnOp::Not, inner) => (inner, false),
            _ => (literal, true),
        };
        let Node::Bin(op @ (BinOp::BvUlt | BinOp::BvSlt | BinOp::IntLt), a, b) = terms.node(atom) else { continue };
        // not (a < b) is b <= a.
        let (small, large) = if positive { (a, b) } else { (b, a) };
        let hidden = |t: TermId| terms.is_var(t) && !keep.contains(&t);
        if hidden(large) {
            lower.push((large, Bound { op, other: small, strict: positive }));
        }
        if hidden(small) {
            upper.push((small, Bound { op, other: large, strict: positive }));
        }
    }
    lower.truncate(MAX_BOUNDS * MAX_BOUNDS);
    for &(var, low) in &lower {
        for &(_, high) in upper.iter().filter(|(other, high)| *other == var && high.op == low.op).take(MAX_BOUNDS) {
            let visible = vars_of(terms, &[low.other, high.other]).iter().all(|var| keep.contains(var));
            if !visible {
                continue;
            }
            let (strict, swapped) = match low.op {
                BinOp::BvUlt => (terms.ult(low.other, high.other), terms.ult(high.other, low.other)),
                BinOp::BvSlt => (terms.slt(low.other, high.other), terms.slt(high.other, low.other)),
                _ => (terms.int_lt(low.other, high.other), terms.int_lt(high.other, low.other)),
            };
            let between = if low.strict || high.strict { strict } else { terms.not(swapped) };
            result.push(between);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::smtlib::term_to_string;

    #[test]
    fn values_become_relations_and_bounds_are_combined() {
        let mut terms = Terms::new();
        let [x, y, v] = ["x", "y", "v"].map(|name| terms.var(name, Sort::BitVec(8)));
        let (three, five) = (terms.bv(8, 3), terms.bv(8, 5));
        let (pin_x, pin_y) = (terms.eq(x, three), terms.eq(y, five));
        let found = relations(&mut terms, &[pin_x, pin_y]).unwrap_or_default();
        let texts: Vec<String> = found.iter().map(|&t| term_to_string(&terms, t)).collect();
        assert_eq!(texts, ["(= |x| (bvadd |y| #xfe))"]);
        assert_eq!(relations(&mut terms, &[pin_x]), None);
        let (low, high, kept) = (terms.slt(x, v), terms.sle(v, y), terms.ult(x, five));
        let keep: FxHashSet<TermId> = [x, y].into_iter().collect();
        let found = resolvents(&mut terms, &[low, high, kept], &keep);
        let expected = [kept, terms.slt(x, y)];
        assert_eq!(found, expected);
    }
}

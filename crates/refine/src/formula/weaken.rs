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

/// `plus - minus = constant`, modulo a power of two.
#[derive(Clone, Copy)]
struct Fact {
    plus: TermId,
    minus: Option<TermId>,
    constant: u128,
}

impl Fact {
    /// What an equality of bit-vectors says.
    fn of(terms: &Terms, literal: TermId) -> Option<Self> {
        let Node::Bin(BinOp::Eq, a, b) = terms.node(literal) else { return None };
        let Sort::BitVec(width) = terms.sort(a) else { return None };
        let ((x, c), (y, d)) = (terms.split_offset(a), terms.split_offset(b));
        let constant = |value: u128| value & mask(width);
        match terms.as_bv_const(b) {
            Some(value) => Some(Self { plus: x, minus: None, constant: constant(value.wrapping_sub(c)) }),
            None => Some(Self { plus: x, minus: Some(y), constant: constant(d.wrapping_sub(c)) }),
        }
    }
}

/// Relations in place of values: of `x = 3 and y = 5`, the difference and the sum of both, `x = y - 2` and `x + y = 8`; of
/// `x = n - 1 and y = 1` in the same way `x + y = n`. The other literals stay. Relations without a constant are the last ones,
/// because what is tried to be left out first is what comes first. Values of variables that are not `related` stay as they are.
/// `None` if nothing changes.
pub fn relations(terms: &mut Terms, literals: &[TermId], related: &FxHashSet<TermId>) -> Option<Vec<TermId>> {
    let mut facts: Vec<Fact> = Vec::new();
    let mut result = Vec::new();
    for &literal in literals {
        let worthwhile =
            |fact: &Fact| fact.minus.is_some() || vars_of(terms, &[fact.plus]).iter().all(|v| related.contains(v));
        match Fact::of(terms, literal).filter(worthwhile) {
            Some(fact) if facts.len() < MAX_PINNED => facts.push(fact),
            _ => result.push(literal),
        }
    }
    if facts.len() < 2 {
        return None;
    }
    let mut plain = Vec::new();
    for (i, x) in facts.iter().enumerate() {
        for y in &facts[i + 1..] {
            if terms.sort(x.plus) != terms.sort(y.plus) {
                continue;
            }
            let width = terms.width(x.plus);
            let difference = x.constant.wrapping_sub(y.constant) & mask(width);
            let sum = x.constant.wrapping_add(y.constant) & mask(width);
            // x.plus + y.minus = y.plus + x.minus + difference, and x.plus + y.plus = x.minus + y.minus + sum.
            let sides = [
                ([Some(x.plus), y.minus], [Some(y.plus), x.minus], difference),
                ([Some(x.plus), Some(y.plus)], [x.minus, y.minus], sum),
            ];
            for (left, right, constant) in sides {
                let zero = terms.bv(width, 0);
                let add = |terms: &mut Terms, parts: [Option<TermId>; 2]| {
                    parts.into_iter().flatten().fold(zero, |sum, t| terms.bv_add(sum, t))
                };
                let (left, right) = (add(terms, left), add(terms, right));
                let right = terms.bv_add_const(right, constant);
                let relation = terms.eq(left, right);
                if constant == 0 { plain.push(relation) } else { result.push(relation) }
            }
        }
    }
    result.extend(plain);
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
        let all: FxHashSet<TermId> = [x, y, v].into_iter().collect();
        let (pin_x, pin_y) = (terms.eq(x, three), terms.eq(y, five));
        let found = relations(&mut terms, &[pin_x, pin_y], &all).unwrap_or_default();
        let texts: Vec<String> = found.iter().map(|&t| term_to_string(&terms, t)).collect();
        assert_eq!(texts, ["(= |x| (bvadd |y| #xfe))", "(= (bvadd |x| |y|) #x08)"]);
        // x = v - 1 and y = 1: x + y = v.
        let (less, one) = (terms.bv_add_const(v, 255), terms.bv(8, 1));
        let (behind, ahead) = (terms.eq(x, less), terms.eq(y, one));
        let found = relations(&mut terms, &[behind, ahead], &all).unwrap_or_default();
        let texts: Vec<String> = found.iter().map(|&t| term_to_string(&terms, t)).collect();
        assert_eq!(texts.last().map(String::as_str), Some("(= |v| (bvadd |x| |y|))"));
        assert_eq!(relations(&mut terms, &[pin_x], &all), None);
        assert_eq!(relations(&mut terms, &[pin_x, pin_y], &[x].into_iter().collect()), None);
        let (low, high, kept) = (terms.slt(x, v), terms.sle(v, y), terms.ult(x, five));
        let keep: FxHashSet<TermId> = [x, y].into_iter().collect();
        let found = resolvents(&mut terms, &[low, high, kept], &keep);
        let expected = [kept, terms.slt(x, y)];
        assert_eq!(found, expected);
    }
}

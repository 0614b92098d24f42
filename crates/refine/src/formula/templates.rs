//! Guesses predicates from ones that diverge: without the constant, as bounds, modulo, and between variables.
//!
//! The results are candidates only. A predicate abstraction may track any predicate; whether it helps shows when the
//! abstraction is computed again.

use super::atoms::{AtomLimits, atoms_of};
use super::divergence::Growth;
use num_integer::gcd;
use rustc_hash::FxHashSet;
use smt::value::{mask, to_signed};
use smt::{BinOp, Node, Sort, TermId, Terms, vars_of};

/// Bounds of what is guessed.
#[derive(Clone, Copy, Debug)]
pub struct TemplateLimits {
    /// Most candidates.
    pub count: usize,
    /// Most variables that are related to each other.
    pub vars: usize,
    /// Largest divisor.
    pub modulus: u128,
}

impl Default for TemplateLimits {
    fn default() -> Self {
        Self { count: 24, vars: 4, modulus: 64 }
    }
}

/// Candidates for what the atoms of a shape have in common. `related` are variables that the atom's may be compared with,
/// the most interesting first; the atom's own need not be among them.
pub fn candidates(
    terms: &mut Terms,
    atom: TermId,
    growth: &Growth,
    related: &[TermId],
    limits: TemplateLimits,
) -> Vec<TermId> {
    let mut guesses = Vec::new();
    if let Some((left, right)) = sides(terms, atom) {
        if terms.is_const(right) {
            let values: Vec<u128> = growth.constants.iter().filter_map(|list| list.last().copied()).collect();
            modulo(terms, left, &values, limits, &mut guesses);
            bounds(terms, left, &values, &mut guesses);
        } else {
            // x + c against y: the offset goes.
            let ((x, _), (y, _)) = (terms.split_offset(left), terms.split_offset(right));
            compare(terms, x, y, &mut guesses);
        }
    }
    let own: Vec<TermId> = vars_of(terms, &[atom]);
    let mut vars: Vec<TermId> = own.clone();
    vars.extend(related.iter().copied().filter(|var| !own.contains(var)));
    vars.retain(|&var| matches!(terms.sort(var), Sort::BitVec(_)));
    vars.truncate(limits.vars.max(own.len().min(limits.vars)));
    for (i, &x) in vars.iter().enumerate() {
        for &y in &vars[i + 1..] {
            if terms.sort(x) == terms.sort(y) && (own.contains(&x) || own.contains(&y)) {
                compare(terms, x, y, &mut guesses);
                // -x - y <= 0 and its kin: sums against zero.
                let (sum, zero) = (terms.bv_add(x, y), terms.bv(terms.width(x), 0));
                guesses.push(terms.eq(sum, zero));
                guesses.push(terms.slt(sum, zero));
            }
        }
    }
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for guess in guesses {
        for atom in atoms_of(terms, guess, AtomLimits::default()) {
            if found.len() < limits.count && seen.insert(atom) {
                found.push(atom);
            }
        }
    }
    found
}

/// Both sides of a comparison of bit-vectors.
fn sides(terms: &Terms, atom: TermId) -> Option<(TermId, TermId)> {
    match terms.node(atom) {
        Node::Bin(BinOp::Eq | BinOp::BvUlt | BinOp::BvSlt, a, b) if matches!(terms.sort(a), Sort::BitVec(_)) => {
            Some((a, b))
        }
        _ => None,
    }
}

/// Equality and both orders, signed and unsigned.
fn compare(terms: &mut Terms, x: TermId, y: TermId, guesses: &mut Vec<TermId>) {
    if x == y || terms.is_const(x) || terms.is_const(y) {
        return;
    }
    guesses.push(terms.eq(x, y));
    guesses.push(terms.slt(x, y));
    guesses.push(terms.slt(y, x));
    guesses.push(terms.ult(x, y));
    guesses.push(terms.ult(y, x));
}

/// What the values of a term leave as remainder by the greatest step between them.
fn modulo(terms: &mut Terms, t: TermId, values: &[u128], limits: TemplateLimits, guesses: &mut Vec<TermId>) {
    let width = terms.width(t);
    let Some((&first, rest)) = values.split_first() else { return };
    let step = rest.iter().fold(0, |step, &value| {
        let distance = to_signed(width, value.wrapping_sub(first) & mask(width)).unsigned_abs();
        gcd(step, distance)
    });
    if step < 2 {
        return;
    }
    // The part that is a power of two holds whatever overflows.
    let bits = step.trailing_zeros().min(width - 1).min(7);
    for bits in (1..=bits).rev() {
        let (low, expected) = (terms.extract(bits - 1, 0, t), terms.bv(bits, first));
        guesses.push(terms.eq(low, expected));
    }
    if !step.is_power_of_two() && step <= limits.modulus && step <= mask(width) {
        let (divisor, rest) = (terms.bv(width, step), terms.bv(width, first % step));
        let remainder = terms.bv_urem(t, divisor);
        guesses.push(terms.eq(remainder, rest));
    }
}

/// Bounds by zero, by where the values began, and by the extremes.
fn bounds(terms: &mut Terms, t: TermId, values: &[u128], guesses: &mut Vec<TermId>) {
    let width = terms.width(t);
    let zero = terms.bv(width, 0);
    guesses.push(terms.slt(t, zero));
    guesses.push(terms.eq(t, zero));
    let signed = |value: &u128| to_signed(width, *value);
    let first = values.first();
    let (least, greatest) = (values.iter().min_by_key(|v| signed(v)), values.iter().max_by_key(|v| signed(v)));
    for &value in first.into_iter().chain(least).chain(greatest) {
        let value = terms.bv(width, value);
        guesses.push(terms.slt(t, value));
        guesses.push(terms.slt(value, t));
        guesses.push(terms.ult(t, value));
        guesses.push(terms.ult(value, t));
    }
}

#[cfg(test)]
mod tests {
    use super::super::divergence::Divergence;
    use super::*;
    use smt::smtlib::term_to_string;

    /// What is guessed after atoms that `build` makes of these numbers.
    fn guessed(numbers: &[i128], build: impl Fn(&mut Terms, TermId, TermId, TermId) -> TermId) -> Vec<String> {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::BitVec(32)), terms.var("y", Sort::BitVec(32)));
        let mut divergence = Divergence::new(numbers.len());
        let mut last = None;
        for &number in numbers {
            let constant = terms.bv_signed(32, number);
            let atom = build(&mut terms, x, y, constant);
            last = divergence.observe(&terms, 0, atom).map(|growth| (atom, growth));
        }
        let Some((atom, growth)) = last else { panic!("no divergence") };
        let found = candidates(&mut terms, atom, &growth, &[x, y], TemplateLimits::default());
        found.into_iter().map(|t| term_to_string(&terms, t)).collect()
    }

    #[track_caller]
    fn check(found: &[String], expected: &[&str]) {
        for expected in expected {
            assert!(found.iter().any(|f| f == expected), "{expected} in {found:#?}");
        }
        assert!(found.len() <= TemplateLimits::default().count);
    }

    #[test]
    fn steps_become_remainders_and_bounds() {
        let even = guessed(&[0, 2, 4, 6], |terms, x, _, c| terms.eq(x, c));
        check(&even, &["(= ((_ extract 0 0) |x|) #b1)", "(bvslt |x| #x00000000)", "(= |x| |y|)"]);
        let triple = guessed(&[1, 4, 7], |terms, x, _, c| terms.eq(x, c));
        check(&triple, &["(= (bvurem |x| #x00000003) #x00000001)", "(bvslt |x| #x00000001)"]);
    }

    #[test]
    fn offsets_between_variables_go() {
        let offsets = guessed(&[1, 2, 3], |terms, x, y, c| {
            let sum = terms.bv_add(x, c);
            terms.slt(sum, y)
        });
        check(&offsets, &["(= |x| |y|)", "(bvslt |x| |y|)", "(bvult |y| |x|)"]);
    }
}

//! Candidates that relate counters: sums of registers that no iteration changes [karr76].
//!
//! Where iterations add constants to registers, each linear combination in which these constants cancel out keeps its value. What that is
//! shows when the loop is entered: a constant, or a combination of registers that the loop leaves alone.

use crate::kinduction::explore::{AtCut, Cut, Explorer};
use crate::kinduction::facts::{Fact, Reg};
use cfa::{Program, Scalar};
use encode::State;
use num_integer::{gcd, lcm};
use smt::value::to_signed;
use smt::{BinOp, Node, TermId, Terms, UnOp};
use std::collections::BTreeMap;

/// Most registers that are combined.
const MAX_COUNTERS: usize = 10;
/// Most ways through an iteration that are told apart.
const MAX_CASES: usize = 16;
/// Greatest constant that an iteration adds.
const MAX_STEP: i128 = 1 << 20;
/// Most registers that a value from an earlier loop is guessed to be equal to.
const MAX_GUESSES: usize = 4;
/// Most candidates of a cut point.
const MAX_CANDIDATES: usize = 60;

/// The position of a register with what each way through an iteration adds to it.
type Counter = (usize, Vec<i128>);

/// Candidates at a cut point, from the arrivals there, each with the cut point where its step began.
pub fn candidates(
    explorer: &mut Explorer<'_, '_>,
    start: &AtCut,
    registers: &[Reg],
    arrivals: &[(Option<Cut>, &AtCut)],
) -> Vec<Fact> {
    let (back, entries): (Vec<_>, Vec<_>) = arrivals.iter().partition(|(from, _)| *from == Some(start.cut));
    let mut facts = Vec::new();
    for width in [32, 64] {
        let suits = |reg: &&Reg| bits(explorer.enc.program, **reg) == Some(width);
        let registers: Vec<Reg> = registers.iter().filter(suits).copied().collect();
        let before = values(explorer, &start.state, &registers);
        let (ends, begins) = (cases(explorer, &registers, &back), cases(explorer, &registers, &entries));
        let terms = &explorer.enc.terms;
        let mut counters = Vec::new();
        let mut kept = Vec::new();
        for i in 0..registers.len() {
            match steps(terms, &before, &ends, i) {
                Some(steps) if steps.iter().all(|step| *step == 0) => kept.push(i),
                Some(steps) if counters.len() < MAX_COUNTERS => counters.push((i, steps)),
                _ => {}
            }
        }
        for sum in constant_sums(&counters) {
            for begin in &begins {
                facts.extend(relations(terms, &registers, begin, &kept, &sum));
            }
        }
    }
    facts.sort();
    facts.dedup();
    facts.truncate(MAX_CANDIDATES);
    facts
}

/// Width of a register's numbers.
fn bits(program: &Program, reg: Reg) -> Option<u32> {
    match program.vars[reg.var].register() {
        Some(Scalar::Int { bits, .. }) => Some(u32::from(bits)),
        Some(Scalar::Ptr) => Some(program.pointer_bits()),
        _ => None,
    }
}

pub(super) fn values(explorer: &mut Explorer<'_, '_>, state: &State, registers: &[Reg]) -> Vec<TermId> {
    let mut state = state.clone();
    let value = |reg: &Reg| {
        let frame = explorer.frame(reg.stack);
        explorer.enc.register(&mut state, frame, reg.var)
    };
    registers.iter().map(value).collect()
}

/// The values of registers at arrivals, in each case of the conditions that they depend on.
pub(super) fn cases(
    explorer: &mut Explorer<'_, '_>,
    registers: &[Reg],
    arrivals: &[&(Option<Cut>, &AtCut)],
) -> Vec<Vec<TermId>> {
    let states: Vec<_> = arrivals.iter().map(|(_, at)| values(explorer, &at.state, registers)).collect();
    states.into_iter().flat_map(|values| split(&mut explorer.enc.terms, values)).collect()
}

/// The values in each case of the conditions that they depend on; what has too many cases stays as it is.
fn split(terms: &mut Terms, values: Vec<TermId>) -> Vec<Vec<TermId>> {
    let mut open = vec![(values, Vec::new())];
    let mut done = Vec::new();
    while let Some((mut values, known)) = open.pop() {
        let mut asked = None;
        for value in &mut values {
            *value = in_case(terms, *value, &known, &mut asked);
        }
        match asked {
            Some(condition) if open.len() + done.len() < MAX_CASES => {
                for is_true in [true, false] {
                    let mut known = known.clone();
                    assume(terms, condition, is_true, &mut known);
                    open.push((values.clone(), known));
                }
            }
            _ => done.push(values),
        }
    }
    done
}

/// A sum of values that depend on conditions, in a case of these; the first condition that the case does not decide is asked for.
fn in_case(terms: &mut Terms, value: TermId, known: &[(TermId, bool)], asked: &mut Option<TermId>) -> TermId {
    match terms.node(value) {
        Node::Ite(condition, then, els) => match truth(terms, condition, known) {
            Some(true) => in_case(terms, then, known, asked),
            Some(false) => in_case(terms, els, known, asked),
            None => {
                asked.get_or_insert(condition);
                value
            }
        },
        Node::Bin(op @ (BinOp::BvAdd | BinOp::BvSub), a, b) => {
            let operands = [a, b].map(|operand| in_case(terms, operand, known, asked));
            match operands {
                unchanged if unchanged == [a, b] => value,
                [a, b] if op == BinOp::BvAdd => terms.bv_add(a, b),
                [a, b] => terms.bv_sub(a, b),
            }
        }
        _ => value,
    }
}

/// Whether a condition holds where the truth of some is known.
fn truth(terms: &Terms, condition: TermId, known: &[(TermId, bool)]) -> Option<bool> {
    if let Some((_, truth)) = known.iter().find(|(term, _)| *term == condition) {
        return Some(*truth);
    }
    let of = |term| truth(terms, term, known);
    match terms.node(condition) {
        Node::Bool(truth) => Some(truth),
        Node::Un(UnOp::Not, a) => of(a).map(|truth| !truth),
        Node::Bin(op @ (BinOp::And | BinOp::Or), a, b) => {
            // One of these decides, or else both together.
            let decides = op == BinOp::Or;
            match (of(a), of(b)) {
                (Some(truth), _) | (_, Some(truth)) if truth == decides => Some(decides),
                (Some(_), Some(_)) => Some(!decides),
                _ => None,
            }
        }
        // A term is one number only.
        Node::Bin(BinOp::Eq, a, b) => {
            let compared = |a, b| terms.as_bv_const(b).map(|number| (a, number));
            let (term, number) = compared(a, b).or(compared(b, a))?;
            let is_other = |known: &(TermId, bool)| match (terms.node(known.0), known.1) {
                (Node::Bin(BinOp::Eq, a, b), true) => {
                    compared(a, b).or(compared(b, a)).is_some_and(|(other, n)| other == term && n != number)
                }
                _ => false,
            };
            known.iter().any(is_other).then_some(false)
        }
        _ => None,
    }
}

/// Notes the truth of a condition, and of those that it consists of.
fn assume(terms: &Terms, condition: TermId, is_true: bool, known: &mut Vec<(TermId, bool)>) {
    known.push((condition, is_true));
    match terms.node(condition) {
        Node::Un(UnOp::Not, a) => assume(terms, a, !is_true, known),
        Node::Bin(op @ (BinOp::And | BinOp::Or), a, b) if is_true == (op == BinOp::And) => {
            assume(terms, a, is_true, known);
            assume(terms, b, is_true, known);
        }
        _ => {}
    }
}

/// What each of the ends adds to a register, if these are constants.
pub(super) fn steps(terms: &Terms, before: &[TermId], ends: &[Vec<TermId>], register: usize) -> Option<Vec<i128>> {
    ends.iter().map(|end| added(terms, before[register], end[register])).collect()
}

/// What is added to a value, if it is a constant.
fn added(terms: &Terms, before: TermId, after: TermId) -> Option<i128> {
    let ((base, from), (same, to)) = (terms.split_offset(before), terms.split_offset(after));
    let width = terms.width(before);
    let step = to_signed(width, to.wrapping_sub(from) & smt::value::mask(width));
    (base == same && step.abs() <= MAX_STEP).then_some(step)
}

/// Combinations of counters that no step changes: positions of registers with coefficients. All that combine two or three, of which some are
/// easier to enter than others, and what spans the others.
fn constant_sums(counters: &[Counter]) -> Vec<Vec<(usize, i128)>> {
    let mut sums = Vec::new();
    let rows = counters.first().map_or(0, |(_, steps)| steps.len());
    let mut add = |chosen: &[&Counter], coefficients: &[i128]| {
        let divisor = coefficients.iter().fold(0, |divisor, c| gcd(divisor, c.abs()));
        let total = |row: usize| chosen.iter().zip(coefficients).map(|((_, steps), a)| steps[row] * a).sum::<i128>();
        if divisor != 0 && coefficients.iter().all(|c| *c != 0) && (0..rows).all(|row| total(row) == 0) {
            sums.push(chosen.iter().zip(coefficients).map(|((i, _), a)| (*i, a / divisor)).collect());
        }
    };
    for (i, x) in counters.iter().enumerate() {
        for (j, y) in counters.iter().enumerate().skip(i + 1) {
            let moved = (0..rows).find(|row| x.1[*row] != 0 || y.1[*row] != 0);
            if let Some(row) = moved {
                add(&[x, y], &[y.1[row], -x.1[row]]);
            }
            for z in &counters[j + 1..] {
                let at = |row: usize| [x.1[row], y.1[row], z.1[row]];
                let products = (1..rows).map(|row| cross(at(0), at(row)));
                if let Some(product) = products.into_iter().find(|product| *product != [0; 3]) {
                    add(&[x, y, z], &product);
                }
            }
        }
    }
    sums.extend(null_space(counters).into_iter().filter(|sum| sum.len() > 3));
    sums
}

/// Combinations of which each one that no step changes is made; none where numbers become too large.
fn null_space(counters: &[Counter]) -> Vec<Vec<(usize, i128)>> {
    let steps = counters.first().map_or(0, |(_, steps)| steps.len());
    let mut rows: Vec<Vec<i128>> =
        (0..steps).map(|step| counters.iter().map(|(_, steps)| steps[step]).collect()).collect();
    // Gauss's and Jordan's elimination without fractions: pivots are the first that is not 0 in their rows, and alone in their columns.
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..counters.len() {
        let done = pivots.len();
        let Some(chosen) = (done..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        rows.swap(done, chosen);
        let pivot = rows[done].clone();
        for row in rows.iter_mut().enumerate().filter(|(i, row)| *i != done && row[column] != 0).map(|(_, row)| row) {
            let (by, times) = (row[column], pivot[column]);
            row.iter_mut().zip(&pivot).for_each(|(value, of_pivot)| *value = *value * times - of_pivot * by);
            let divisor = row.iter().fold(0, |divisor, value| gcd(divisor, value.abs()));
            if divisor > MAX_STEP * MAX_STEP {
                return Vec::new();
            }
            row.iter_mut().for_each(|value| *value /= divisor.max(1));
            if row.iter().any(|value| value.abs() > MAX_STEP) {
                return Vec::new();
            }
        }
        pivots.push(column);
    }
    let free = (0..counters.len()).filter(|column| !pivots.contains(column));
    let sum = |column: usize| {
        let multiple = pivots.iter().zip(&rows).filter(|(_, row)| row[column] != 0);
        let scale = multiple.clone().try_fold(1, |scale, (pivot, row)| {
            Some(lcm(scale, row[*pivot].abs())).filter(|scale| *scale <= MAX_STEP)
        })?;
        let mut sum = vec![(counters[column].0, scale)];
        sum.extend(multiple.map(|(pivot, row)| (counters[*pivot].0, -scale / row[*pivot] * row[column])));
        sum.sort_unstable();
        sum.iter().all(|(_, coefficient)| coefficient.abs() <= MAX_STEP).then_some(sum)
    };
    free.filter_map(sum).collect()
}

/// A vector at right angles to both.
fn cross([a, b, c]: [i128; 3], [d, e, f]: [i128; 3]) -> [i128; 3] {
    [b * f - c * e, c * d - a * f, a * e - b * d]
}

/// What the sum is when the loop is entered, as facts; `kept` are positions of registers that the loop leaves alone. Where it
/// depends on what an earlier loop left behind, it may be equal to one of these.
fn relations(terms: &Terms, registers: &[Reg], begin: &[TermId], kept: &[usize], sum: &[(usize, i128)]) -> Vec<Fact> {
    let mut coefficients: BTreeMap<Reg, i128> = BTreeMap::new();
    let mut bases: BTreeMap<TermId, i128> = BTreeMap::new();
    let mut constant = 0;
    for (i, coefficient) in sum {
        *coefficients.entry(registers[*i]).or_default() += coefficient;
        let width = terms.width(begin[*i]);
        let (base, offset) = match terms.as_bv_const(begin[*i]) {
            Some(value) => (None, value),
            None => {
                let (base, offset) = terms.split_offset(begin[*i]);
                (Some(base), offset)
            }
        };
        let offset = to_signed(width, offset);
        if offset.abs() > 1 << 62 {
            return Vec::new();
        }
        constant -= coefficient * offset;
        if let Some(base) = base {
            *bases.entry(base).or_default() -= coefficient;
        }
    }
    let mut unknown = None;
    for (base, coefficient) in bases.into_iter().filter(|(_, coefficient)| *coefficient != 0) {
        match kept.iter().find(|i| begin[**i] == base) {
            Some(holder) => *coefficients.entry(registers[*holder]).or_default() += coefficient,
            None if unknown.is_none() => unknown = Some(coefficient),
            None => return Vec::new(),
        }
    }
    let width = sum.first().map_or(1, |(i, _)| terms.width(begin[*i]));
    let Some(unknown) = unknown else { return fact(coefficients, constant, width).into_iter().collect() };
    let guess = |holder: &usize| {
        let mut coefficients = coefficients.clone();
        *coefficients.entry(registers[*holder]).or_default() += unknown;
        fact(coefficients, constant, width)
    };
    kept.iter().take(MAX_GUESSES).filter_map(guess).collect()
}

/// Equations from which all of these follow, modulo two to the power of their width: redundant ones make questions hard for solvers.
///
/// A register whose coefficient is 1 or -1 can be replaced exactly; so an equation follows from others if replacing such registers leaves nothing.
pub fn basis(program: &Program, facts: Vec<Fact>) -> Vec<Fact> {
    independent(facts, |reg| bits(program, reg))
}

fn independent(mut facts: Vec<Fact>, bits: impl Fn(Reg) -> Option<u32>) -> Vec<Fact> {
    let cost = |fact: &Fact| match fact {
        Fact::Linear { sum, .. } => {
            let sizes = || sum.iter().map(|(_, coefficient)| coefficient.abs());
            (sizes().all(|size| size != 1), sizes().max())
        }
        _ => (false, None),
    };
    facts.sort_by_key(cost);
    let mut pivots: Vec<(Reg, Sum)> = Vec::new();
    facts.retain(|fact| {
        let Fact::Linear { sum, constant } = fact else { return true };
        let Some(bits) = sum.first().and_then(|(reg, _)| bits(*reg)) else { return true };
        let modulus = 1i128 << bits;
        let mut rest = Sum { registers: sum.iter().copied().collect(), constant: *constant };
        rest.scale(1, modulus);
        for (pivot, row) in &pivots {
            rest.replace(*pivot, row, modulus);
        }
        if rest.registers.is_empty() && rest.constant == 0 {
            return false;
        }
        if let Some((pivot, sign)) = rest.unit(modulus) {
            rest.scale(sign, modulus);
            pivots.push((pivot, rest));
        }
        true
    });
    facts
}

/// A sum of registers modulo a power of two, with the least coefficients and constant that are not negative.
struct Sum {
    registers: BTreeMap<Reg, i128>,
    constant: i128,
}

impl Sum {
    /// Takes a register away by a sum that is 0 and in which its coefficient is 1.
    fn replace(&mut self, pivot: Reg, row: &Sum, modulus: i128) {
        let times = self.registers.get(&pivot).copied().unwrap_or(0);
        for (reg, coefficient) in &row.registers {
            *self.registers.entry(*reg).or_default() -= product(times, *coefficient, modulus);
        }
        self.constant -= product(times, row.constant, modulus);
        self.scale(1, modulus);
    }

    /// A register whose coefficient is 1 or -1, and that.
    fn unit(&self, modulus: i128) -> Option<(Reg, i128)> {
        let is_unit = |(_, coefficient): &(&Reg, &i128)| **coefficient == 1 || **coefficient == modulus - 1;
        self.registers.iter().find(is_unit).map(|(reg, coefficient)| (*reg, *coefficient))
    }

    fn scale(&mut self, factor: i128, modulus: i128) {
        for value in self.registers.values_mut().chain([&mut self.constant]) {
            *value = product(*value, factor, modulus);
        }
        self.registers.retain(|_, coefficient| *coefficient != 0);
    }
}

/// The product of two numbers modulo a power of two of at most 64 bits.
fn product(a: i128, b: i128, modulus: i128) -> i128 {
    let (a, b) = (a.rem_euclid(modulus) as u128, b.rem_euclid(modulus) as u128);
    (a.wrapping_mul(b) & (modulus - 1) as u128) as i128
}

/// A sum that is 0 modulo two to the power of a width, if anything is left of it.
fn fact(coefficients: BTreeMap<Reg, i128>, constant: i128, width: u32) -> Option<Fact> {
    let least = |value: i128| to_signed(width, value as u128 & smt::value::mask(width));
    let reduced = coefficients.into_iter().map(|(reg, coefficient)| (reg, least(coefficient)));
    let mut sum: Vec<_> = reduced.filter(|(_, coefficient)| *coefficient != 0).collect();
    let sign = sum.first()?.1.signum();
    sum.iter_mut().for_each(|(_, coefficient)| *coefficient *= sign);
    Some(Fact::Linear { sum, constant: least(constant) * sign })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use cfa::VarId;
    use smt::Sort;
    use step::StackId;

    fn counters(steps: &[&[i128]]) -> Vec<Counter> {
        steps.iter().enumerate().map(|(i, steps)| (i, steps.to_vec())).collect()
    }

    #[test]
    fn sums_that_no_step_changes() {
        assert_eq!(constant_sums(&counters(&[&[-1], &[1]])), [[(0, 1), (1, 1)]]);
        assert_eq!(constant_sums(&counters(&[&[4], &[6]])), [[(0, 3), (1, -2)]]);
        assert!(constant_sums(&counters(&[&[1, 0], &[1, 1]])).is_empty());
        // Two branches, each with a counter of its own, and one for both.
        assert_eq!(constant_sums(&counters(&[&[1, 0], &[0, 1], &[1, 1]])), [[(0, -1), (1, -1), (2, 1)]]);
        // The same with three and four, and another number for each branch.
        let three = counters(&[&[1, 0, 0], &[0, 1, 0], &[0, 0, 1], &[1, 1, 1]]);
        assert_eq!(constant_sums(&three), [[(0, -1), (1, -1), (2, -1), (3, 1)]]);
        let four = counters(&[&[2, 0, 0, 0], &[0, 3, 0, 0], &[0, 0, 1, 0], &[0, 0, 0, 1], &[1, 1, 5, 1]]);
        assert_eq!(constant_sums(&four), [[(0, -3), (1, -2), (2, -30), (3, -6), (4, 6)]]);
    }

    #[test]
    fn redundant_equations() {
        let reg = |i: usize| Reg::register(StackId::from_index(0), VarId::from_index(i));
        let linear = |sum: &[(usize, i128)], constant| Fact::Linear {
            sum: sum.iter().map(|(i, c)| (reg(*i), *c)).collect(),
            constant,
        };
        let check = |facts: &[Fact], expected: &[Fact]| assert_eq!(independent(facts.to_vec(), |_| Some(32)), expected);
        // a = 3i and b = 5i + 7 say how a and b are related.
        let (a, b) = (linear(&[(0, 1), (2, -3)], 0), linear(&[(1, 1), (2, -5)], -7));
        check(&[linear(&[(0, 5), (1, -3)], 21), b.clone(), a.clone()], &[a.clone(), b.clone()]);
        let other = linear(&[(0, 5), (1, -3)], 22);
        check(&[other.clone(), b.clone(), a.clone()], &[a, b, other]);
        // 2x = 2y does not say that x = y, but the reverse.
        let (twice, once) = (linear(&[(0, 2), (1, -2)], 0), linear(&[(0, 1), (1, -1)], 0));
        check(&[twice.clone(), once.clone()], &[once]);
        check(std::slice::from_ref(&twice), std::slice::from_ref(&twice));
    }

    #[test]
    fn numbers_of_equations_are_least() {
        let reg = |i: usize| Reg::register(StackId::from_index(0), VarId::from_index(i));
        let sum = |x, y| BTreeMap::from([(reg(0), x), (reg(1), y)]);
        let linear = |x, y, constant| Some(Fact::Linear { sum: vec![(reg(0), x), (reg(1), y)], constant });
        assert_eq!(fact(sum(3, -1), 6_442_450_944, 32), linear(3, -1, -(1 << 31)));
        assert_eq!(fact(sum((1 << 32) - 3, 1 + (1 << 32)), 1 << 32, 32), linear(3, -1, 0));
        assert_eq!(fact(sum(1 << 31, 1 - (1 << 64)), -3 << 62, 64), linear(1 << 31, 1, 1 << 62));
        assert_eq!(fact(sum(1 << 32, 0), 5, 32), None);
    }

    #[test]
    fn steps_through_conditions() {
        let mut terms = Terms::new();
        let (c, x) = (terms.var("c", Sort::Bool), terms.var("x", Sort::BitVec(32)));
        let one = terms.bv(32, 1);
        let (more, less) = (terms.bv_add(x, one), terms.bv_sub(x, one));
        let either = terms.ite(c, more, less);
        let cases = split(&mut terms, vec![either, x]);
        let steps: Vec<Option<i128>> = cases.iter().map(|values| added(&terms, x, values[0])).collect();
        assert_eq!(steps, [Some(-1), Some(1)]);
        assert_eq!(added(&terms, x, c), None);
        // What is added depends on a condition.
        let three = terms.bv(32, 3);
        let by = terms.ite(c, three, one);
        let sum = terms.bv_add(x, by);
        let cases = split(&mut terms, vec![sum]);
        let steps: Vec<Option<i128>> = cases.iter().map(|values| added(&terms, x, values[0])).collect();
        assert_eq!(steps, [Some(1), Some(3)]);
        // Three ways, each of which counts one of three.
        let kind = terms.var("kind", Sort::BitVec(32));
        let [is_0, is_1] = [0, 1].map(|n| {
            let n = terms.bv(32, n);
            terms.eq(kind, n)
        });
        let either = terms.or(is_0, is_1);
        let counted = [terms.ite(is_0, more, x), terms.ite(is_1, more, x), terms.ite(either, x, more)];
        let cases = split(&mut terms, counted.to_vec());
        assert_eq!(cases, [[x, x, more], [x, more, x], [more, x, x]]);
    }
}

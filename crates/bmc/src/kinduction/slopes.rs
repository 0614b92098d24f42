//! Candidates that bound a counter by a multiple of another one: where one way through an iteration adds more than another, no equation holds,
//! but what an iteration writes for each item that it reads has a limit. Inequalities of two variables with coefficients [simon02].

use crate::kinduction::explore::{AtCut, Cut, Explorer};
use crate::kinduction::facts::{Fact, Reg};
use crate::kinduction::linear::{cases, steps, values};
use domains::numerical::Relation;
use smt::value::to_signed;
use smt::{TermId, Terms};

/// Most counters that are compared with one another.
const MAX_COUNTERS: usize = 8;
/// Greatest factor.
const MAX_FACTOR: i128 = 1 << 10;
/// Most candidates of a cut point.
const MAX_CANDIDATES: usize = 40;

/// Candidates at a cut point, from the arrivals there, each with the cut point where its step began.
pub fn candidates(
    explorer: &mut Explorer<'_, '_>,
    start: &AtCut,
    registers: &[Reg],
    arrivals: &[(Option<Cut>, &AtCut)],
) -> Vec<Fact> {
    let before = values(explorer, &start.state, registers);
    let (back, entries): (Vec<_>, Vec<_>) = arrivals.iter().partition(|(from, _)| *from == Some(start.cut));
    let (ends, begins) = (cases(explorer, registers, &back), cases(explorer, registers, &entries));
    let terms = &explorer.enc.terms;
    let moving = |i: usize| -> Option<(usize, Vec<i128>)> {
        let steps = steps(terms, &before, &ends, i)?;
        steps.iter().any(|step| *step != 0).then_some((i, steps))
    };
    let counters: Vec<_> = (0..registers.len()).filter_map(moving).take(MAX_COUNTERS).collect();
    let mut facts = Vec::new();
    for (i, x) in &counters {
        for (j, y) in counters.iter().filter(|(j, _)| j != i) {
            let Some([least, greatest]) = slopes(x, y) else { continue };
            let pair = [registers[*i], registers[*j]];
            for begin in &begins {
                let (Some(first), Some(second)) = (number(terms, begin[*i]), number(terms, begin[*j])) else {
                    continue;
                };
                facts.extend(least.and_then(|slope| fact(pair, [-1, slope], slope * second - first)));
                facts.extend(greatest.and_then(|slope| fact(pair, [1, -slope], first - slope * second)));
            }
        }
    }
    facts.sort();
    facts.dedup();
    facts.truncate(MAX_CANDIDATES);
    facts
}

fn number(terms: &Terms, value: TermId) -> Option<i128> {
    terms.as_bv_const(value).map(|bits| to_signed(terms.width(value), bits))
}

/// Factors of the steps of `y` that give at most and at least those of `x`, if the steps of `y` have one sign. Nothing where one factor gives all:
/// there is an equation then.
fn slopes(x: &[i128], y: &[i128]) -> Option<[Option<i128>; 2]> {
    let sign = y.iter().find(|step| **step != 0)?.signum();
    if y.iter().any(|step| step * sign < 0) || x.iter().zip(y).all(|(dx, dy)| dx * y[0] == dy * x[0]) {
        return None;
    }
    let rest = |is_limit: fn(&i128) -> bool| x.iter().zip(y).filter(|(_, dy)| **dy == 0).all(|(dx, _)| is_limit(dx));
    let moved = || x.iter().zip(y).filter(|(_, dy)| **dy != 0);
    let floor = moved().map(|(dx, dy)| (dx * sign).div_euclid(dy * sign)).min();
    let ceiling = moved().map(|(dx, dy)| -(-dx * sign).div_euclid(dy * sign)).max();
    let (least, greatest) = if sign > 0 { (floor, ceiling) } else { (ceiling, floor) };
    Some([least.filter(|_| rest(|dx| *dx >= 0)), greatest.filter(|_| rest(|dx| *dx <= 0))])
}

/// The fact that a sum of registers with these coefficients is at most the bound.
fn fact([x, y]: [Reg; 2], [a, b]: [i128; 2], bound: i128) -> Option<Fact> {
    match (a, b) {
        (1, -1) => Some(Fact::Octagon(Relation::difference(x, y, bound))),
        (-1, 1) => Some(Fact::Octagon(Relation::difference(y, x, bound))),
        // A bound of one register is not for here.
        (_, 0) => None,
        _ => (b.abs() <= MAX_FACTOR).then_some(Fact::Weighted { sum: [(x, a), (y, b)], bound }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_of_steps() {
        let check = |x: &[i128], y: &[i128], expected| assert_eq!(slopes(x, y), expected, "{x:?} {y:?}");
        check(&[1, 2], &[1, 1], Some([Some(1), Some(2)]));
        check(&[1, 6, 2], &[1, 1, 1], Some([Some(1), Some(6)]));
        // Half a step for each: rounded away from what holds.
        check(&[1, 3], &[2, 2], Some([Some(0), Some(2)]));
        check(&[-3, 1], &[2, 2], Some([Some(-2), Some(1)]));
        // `y` counts down.
        check(&[1, 2], &[-1, -1], Some([Some(-1), Some(-2)]));
        // One counts on its own.
        check(&[1, 0], &[0, 1], Some([Some(0), None]));
        check(&[0, 1], &[1, 1], Some([Some(0), Some(1)]));
        // An equation, and both directions.
        check(&[2, 4], &[1, 2], None);
        check(&[1, 1], &[1, -1], None);
    }
}

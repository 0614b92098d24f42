//! What need not be told of an invariant: facts that others imply by themselves, which the search kept because they were inductive, too.

use crate::kinduction::facts::{Fact, Reg};
use cfa::{Program, Scalar};
use domains::numerical::{Relation, Signs};
use std::collections::{BTreeMap, BTreeSet};

/// The facts that are worth telling.
pub fn told(program: &Program, facts: Vec<Fact>) -> Vec<Fact> {
    without_implied(facts, |reg| reg.ty(program))
}

fn without_implied(mut facts: Vec<Fact>, ty: impl Fn(Reg) -> Option<Scalar>) -> Vec<Fact> {
    let equal_registers = |fact: &Fact| match fact {
        Fact::Linear { sum, constant: 0 } => match sum.as_slice() {
            [(x, 1), (y, -1)] if ty(*x) == ty(*y) => Some((*x, *y)),
            _ => None,
        },
        _ => None,
    };
    let equal: BTreeSet<(Reg, Reg)> = facts.iter().filter_map(equal_registers).collect();
    let bounds = bounds(&facts);
    let of = |reg: &Reg| bounds.get(reg).copied().unwrap_or_default();
    facts.retain(|fact| match fact {
        Fact::AtLeast(reg, n) => of(reg).least == Some(*n) && of(reg).listed.is_none_or(|(least, _)| least < *n),
        Fact::AtMost(reg, n) => {
            of(reg).greatest == Some(*n) && of(reg).listed.is_none_or(|(_, greatest)| greatest > *n)
        }
        Fact::Not(reg, n) => of(reg).may_be(*n),
        // Equal registers have no distance, and bounds of both limit it.
        Fact::Octagon(Relation { x, y, signs, bound }) => {
            let is_same = equal.contains(&(*x, *y)) || equal.contains(&(*y, *x));
            let greatest = match signs {
                Signs::Difference => of(x).greatest.zip(of(y).least).map(|(x, y)| x.saturating_sub(y)),
                Signs::Sum => of(x).greatest.zip(of(y).greatest).map(|(x, y)| x.saturating_add(y)),
                Signs::Negated => of(x).least.zip(of(y).least).map(|(x, y)| x.saturating_add(y).saturating_neg()),
            };
            !(is_same && *signs == Signs::Difference && *bound >= 0)
                && greatest.is_none_or(|greatest| greatest > *bound)
        }
        _ => true,
    });
    facts
}

/// What facts about one register alone say of it.
#[derive(Clone, Copy, Default)]
struct Bounds {
    least: Option<i128>,
    greatest: Option<i128>,
    /// The least and the greatest of the only values that it has.
    listed: Option<(i128, i128)>,
}

impl Bounds {
    fn may_be(self, n: i128) -> bool {
        self.listed.is_none()
            && self.least.is_none_or(|least| least <= n)
            && self.greatest.is_none_or(|greatest| greatest >= n)
    }
}

fn bounds(facts: &[Fact]) -> BTreeMap<Reg, Bounds> {
    let mut all: BTreeMap<Reg, Bounds> = BTreeMap::new();
    for fact in facts {
        match fact {
            Fact::AtLeast(reg, n) => {
                let bounds = all.entry(*reg).or_default();
                bounds.least = bounds.least.max(Some(*n));
            }
            Fact::AtMost(reg, n) => {
                let bounds = all.entry(*reg).or_default();
                bounds.greatest = Some(bounds.greatest.map_or(*n, |greatest| greatest.min(*n)));
            }
            Fact::OneOf(reg, values) => {
                all.entry(*reg).or_default().listed = values.iter().min().copied().zip(values.iter().max().copied());
            }
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use cfa::VarId;
    use step::StackId;

    fn reg(i: usize) -> Reg {
        Reg::register(StackId::from_index(0), VarId::from_index(i))
    }

    fn check(facts: &[Fact], expected: &[Fact]) {
        assert_eq!(without_implied(facts.to_vec(), |_| Some(Scalar::INT)), expected);
    }

    #[test]
    fn bounds_of_what_is_equal() {
        let difference = |x, y, bound| Fact::Octagon(Relation::difference(reg(x), reg(y), bound));
        let equal = Fact::Linear { sum: vec![(reg(0), 1), (reg(1), -1)], constant: 0 };
        let facts = vec![difference(0, 1, 0), difference(1, 0, 3), difference(0, 2, 0), difference(0, 1, -1), equal];
        check(&facts, &facts[2..]);
        // Equal bits are other numbers where one of the types has a sign.
        let ty = |of: Reg| Some(Scalar::Int { bits: 32, signed: of == reg(0) });
        assert_eq!(without_implied(facts.clone(), ty), facts);
    }

    #[test]
    fn weaker_bounds() {
        let [x, y] = [0, 1].map(reg);
        let strong =
            [Fact::AtLeast(x, 0), Fact::AtMost(x, 9), Fact::Not(x, 9), Fact::AtMost(y, 5), Fact::AtLeast(y, 1)];
        let weak = [Fact::AtLeast(x, -7), Fact::AtMost(x, 10), Fact::Not(x, -1), Fact::Not(x, 10)];
        check(&[&weak[..], &strong[..]].concat(), &strong);
        let sums = |shift: i128| {
            let sum = |signs, bound| Fact::Octagon(Relation { x, y, signs, bound: bound - shift });
            [sum(Signs::Difference, 8), sum(Signs::Sum, 14), sum(Signs::Negated, -1)]
        };
        check(&[&strong[..], &sums(0)[..]].concat(), &strong);
        let tight = [&strong[..], &sums(1)[..]].concat();
        check(&tight, &tight);
        let listed = [Fact::OneOf(x, vec![1, 2, 4]), Fact::AtMost(x, 3), Fact::AtLeast(x, 1), Fact::Not(x, 3)];
        check(&listed, &listed[..2]);
    }
}

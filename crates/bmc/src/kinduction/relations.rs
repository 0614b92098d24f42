//! Invariants for a proof that has none that suffice: equations of counters, and the bounds that hold because of them.
//!
//! The search for a proof by induction knows bounds first, because they are cheap, and equations that hold beside them. What remains is
//! what bounds owe to equations: `y <= 1000` holds in a loop that counts `y` up while `x > 0` counts down because `x + y == 1000`. Here a proof
//! exists already, so there is neither base nor step: equations come first, and bounds are tried relative to them. Whoever asks has to see
//! whether the result suffices.

use crate::kinduction::candidates::{self, Sources};
use crate::kinduction::facts::Invariants;
use crate::kinduction::facts::{Fact, Reg};
use crate::kinduction::houdini;
use crate::kinduction::linear;
use crate::kinduction::proof::{Prover, Unproved};
use crate::kinduction::tell::{self, Case};
use base::{Budget, Effort};
use cfa::LocId;
use cfa::points_to::PointsTo;
use domains::numerical::{Relation, Signs};
use outcome::Invariant;
use std::collections::BTreeMap;
use task::Task;

/// Effort for the equations.
const EQUATIONS: Effort = Effort::thousands(500);
/// Effort for bounds of one kind.
const BOUNDS: Effort = Effort::thousands(800);

/// Invariants of loops, none where no equation holds: then [`super::run`] knows as much.
pub fn find(task: &Task<'_, '_>, points_to: &PointsTo, budget: &Budget) -> Vec<Invariant> {
    search(task, points_to, budget).unwrap_or_default()
}

fn search(task: &Task<'_, '_>, points_to: &PointsTo, budget: &Budget) -> Result<Vec<Invariant>, Unproved> {
    let mut prover = Prover::new(task, points_to, budget)?;
    let sources = Sources::new(task.program, points_to);
    let steps = houdini::steps(&mut prover)?;
    let Prover { explorer, starts, .. } = &mut prover;
    let equations = candidates::of_counters(explorer, starts, &steps, &sources, linear::candidates);
    if equations.is_empty() {
        return Ok(Vec::new());
    }
    let bounds = candidates::candidates(explorer, starts, Invariants::new(), &sources);
    let mut found = houdini::inductive(&mut prover, &equations, &Invariants::new(), &steps, EQUATIONS)?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let program = task.program;
    found.values_mut().for_each(|facts| *facts = linear::basis(program, std::mem::take(facts)));
    // Differences are harder for the solver than bounds of one register, and what is known must not be lost.
    for suits in [is_bound, is_difference] {
        let mut candidates = bounds.clone();
        candidates.values_mut().for_each(|facts| facts.retain(suits));
        let Ok(more) = houdini::inductive(&mut prover, &candidates, &found, &steps, BOUNDS) else { break };
        for (cut, facts) in more {
            found.entry(cut).or_default().extend(facts);
        }
    }
    let mut cases: BTreeMap<LocId, Vec<Case>> = BTreeMap::new();
    for start in &prover.starts {
        let facts = found.remove(&start.cut).map(tightest).unwrap_or_default();
        cases.entry(start.cut.head).or_default().push(Case { facts, more: false });
    }
    Ok(tell::tell(program, cases))
}

/// Whether the fact bounds a register.
fn is_bound(fact: &Fact) -> bool {
    matches!(fact, Fact::AtLeast(..) | Fact::AtMost(..))
}

/// Whether the fact bounds a sum or difference of two registers.
fn is_difference(fact: &Fact) -> bool {
    matches!(fact, Fact::Octagon(_))
}

/// The facts without those that a single other one implies.
fn tightest(facts: Vec<Fact>) -> Vec<Fact> {
    let mut least: BTreeMap<Reg, i128> = BTreeMap::new();
    let mut greatest: BTreeMap<Reg, i128> = BTreeMap::new();
    let mut sums: BTreeMap<(Reg, Reg, Signs), i128> = BTreeMap::new();
    for fact in &facts {
        match fact {
            Fact::AtLeast(reg, bound) => {
                least.entry(*reg).and_modify(|known| *known = (*known).max(*bound)).or_insert(*bound);
            }
            Fact::AtMost(reg, bound) => {
                greatest.entry(*reg).and_modify(|known| *known = (*known).min(*bound)).or_insert(*bound);
            }
            Fact::Octagon(Relation { x, y, signs, bound }) => {
                let known = sums.entry((*x, *y, *signs)).or_insert(*bound);
                *known = (*known).min(*bound);
            }
            _ => {}
        }
    }
    let is_tight = |fact: &Fact| match fact {
        Fact::AtLeast(reg, bound) => least.get(reg) == Some(bound),
        Fact::AtMost(reg, bound) => greatest.get(reg) == Some(bound),
        Fact::Octagon(Relation { x, y, signs, bound }) => sums.get(&(*x, *y, *signs)) == Some(bound),
        _ => true,
    };
    facts.into_iter().filter(is_tight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use cfa::VarId;

    #[test]
    fn only_the_tightest_bounds_remain() {
        let stack = Id::from_index(0);
        let [x, y] = [0, 1].map(|number| Reg::register(stack, VarId::from_index(number)));
        let between = |bound| Fact::Octagon(Relation::difference(x, y, bound));
        let equation = Fact::Linear { sum: vec![(x, 1), (y, 4)], constant: -8 };
        let facts = vec![
            equation.clone(),
            Fact::AtMost(x, 8),
            Fact::AtMost(x, 7),
            Fact::AtLeast(x, 0),
            Fact::AtLeast(x, 1),
            Fact::AtMost(y, 9),
            between(0),
            between(-1),
        ];
        assert_eq!(
            tightest(facts),
            [equation, Fact::AtMost(x, 7), Fact::AtLeast(x, 1), Fact::AtMost(y, 9), between(-1)]
        );
    }
}

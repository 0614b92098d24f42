//! Strategies for loops in bounded model checking [beyer22]: what a model's run enters, and what is refused because of it.
//!
//! The precision is one for the whole program here: there is no graph of abstract states.

use super::unroll::Unrolled;
use domains::strategy::Strategies;
use encode::Encoder;
use smt::Model;
use transform::strategies::{ChoiceId, Strategy};

/// Beyond this bound, all strategies on a run are refused at once, because each further round is expensive.
const FEW: u32 = 4;

/// The strategies that the model's run enters, the first one first.
pub fn entered(
    enc: &Encoder<'_>,
    found: &Unrolled,
    model: &Model,
    strategies: &Strategies,
) -> Vec<(ChoiceId, Strategy)> {
    let mut eval = model.evaluator(&enc.terms);
    let taken = found.chosen.iter().filter(|(guard, _)| eval.satisfies(enc.guards.formula(*guard)));
    let chosen = taken.filter_map(|(_, edge)| strategies.map().chosen_by(*edge));
    chosen.filter(|(_, strategy)| *strategy != Strategy::Base).collect()
}

/// What is refused so that the run is none any more: the first over-approximating strategy that it enters.
pub fn pivot(entered: &[(ChoiceId, Strategy)], unwind: u32) -> Vec<(ChoiceId, Strategy)> {
    let abstract_ones = entered.iter().filter(|(_, strategy)| strategy.over_approximates());
    if unwind <= FEW {
        return abstract_ones.take(1).copied().collect();
    }
    let less = |choice: ChoiceId| {
        Strategy::ABSTRACT_FIRST.into_iter().filter(|s| s.over_approximates()).map(move |s| (choice, s))
    };
    abstract_ones.flat_map(|(choice, _)| less(*choice)).collect()
}

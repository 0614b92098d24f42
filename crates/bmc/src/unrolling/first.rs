//! The first bounds of bounded model checking, on which little is spent.

use super::{BaseCase, Depth, Round, bounds};
use base::{Effort, Stop};
use domains::strategy::Strategies;
use outcome::{Outcome, Verdict};

/// Bounds that are tried without strategies at first: what has an answer there needs none.
const PLAIN_BOUNDS: [u32; 3] = [1, 2, 4];
/// Edges after which they are left to the search with strategies.
pub(super) const PLAIN_STEPS: u64 = 20_000;

/// Effort for all bounds before one that covers all runs.
const BEFORE_LAST: Effort = Effort::thousands(1_000);

/// What the first bounds show.
pub(super) enum First {
    /// The answer.
    Decided(Box<Outcome>),
    /// None; the bound to go on with.
    Open(u32),
}

impl BaseCase<'_, '_, '_> {
    /// Where a small bound is seen to cover all runs, little is spent on those before it: what they leave open is asked there again.
    pub(super) fn rounds_before_the_last(&mut self) -> Result<First, Stop> {
        let Some(last) = bounds::covering(self.task, &self.strategies, self.budget)? else { return Ok(First::Open(1)) };
        let (budget, little) = (self.budget, self.budget.within(BEFORE_LAST));
        let mut unwind = 1;
        while unwind < last {
            let mut before = BaseCase::new(self.task, &little, self.progress, self.settings);
            let round = before.round(unwind);
            self.stats.append(std::mem::take(&mut before.stats));
            self.queries.count += before.queries.count;
            self.queries.time += before.queries.time;
            match round {
                Err(_) => {
                    budget.check()?;
                    break;
                }
                Ok(Round::Done(outcome)) if !matches!(outcome.verdict, Verdict::Unknown(_)) => {
                    self.unwind = unwind;
                    return Ok(First::Decided(outcome));
                }
                Ok(_) => unwind *= 2,
            }
        }
        Ok(First::Open(last))
    }

    /// Tries small bounds without strategies.
    pub(super) fn plain_rounds(&mut self) -> Result<First, Stop> {
        let plain = Strategies::base(self.task.strategies.clone());
        let strategies = std::mem::replace(&mut self.strategies, plain);
        let mut result = Ok(First::Open(1));
        for bound in PLAIN_BOUNDS {
            let round = self.round_to(bound, Depth::Shallow);
            result = match round {
                Err(stop) => Err(stop),
                Ok(Round::Done(outcome)) if !matches!(outcome.verdict, Verdict::Unknown(_)) => {
                    Ok(First::Decided(outcome))
                }
                Ok(_) => Ok(First::Open(bound)),
            };
            if !matches!(result, Ok(First::Open(_))) || self.steps > PLAIN_STEPS {
                break;
            }
        }
        self.strategies = strategies;
        result
    }
}

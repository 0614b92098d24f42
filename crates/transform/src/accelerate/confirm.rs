//! Step 4, for a loop: the accelerators that the solver confirms.

use crate::accelerate::accelerator::Accelerator;
use crate::accelerate::check::{Facts, facts};
use crate::accelerate::oracle::Oracle;
use crate::accelerate::path::LoopPath;
use crate::accelerate::redundant::{absorbs, all_commute};
use crate::accelerate::report::{GivenUp, Mode, Report};
use base::Stop;
use cfa::LocId;

/// Most accelerators of a loop that are asked whether they commute: the questions are as many as the fourth power.
const MAX_COMMUTING: usize = 3;

/// An accelerator that reaches only what its path reaches.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// The accelerator.
    pub accelerator: Accelerator,
    /// What else holds for it.
    pub facts: Facts,
}

/// A loop with accelerators.
#[derive(Clone, Debug)]
pub struct AcceleratedLoop {
    /// Its head.
    pub head: LocId,
    /// Its accelerators, at least one.
    pub accelerators: Vec<Confirmed>,
    /// Paths that the accelerators make superfluous, beside their own.
    pub absorbed: Vec<LoopPath>,
    /// Whether accelerations between others may change places.
    pub commute: bool,
}

/// The accelerators of a loop that the solver confirms; `None` if there are none.
///
/// # Errors
/// When the run has to end.
pub fn confirm(
    oracle: &mut Oracle<'_>,
    head: LocId,
    candidates: Vec<Accelerator>,
    mode: Mode,
    report: &mut Report,
) -> Result<Option<AcceleratedLoop>, Stop> {
    let mut found = AcceleratedLoop { head, accelerators: Vec::new(), absorbed: Vec::new(), commute: false };
    for accelerator in candidates {
        let path = &accelerator.closed.path;
        let is_special = |other: &Confirmed| {
            path.assumed.is_some() && other.accelerator.closed.path.is_along(path) && other.facts.covers
        };
        if found.accelerators.iter().any(is_special) {
            continue;
        }
        let mut is_absorbed = false;
        for other in found.accelerators.iter().filter(|other| mode == Mode::Restrict && other.facts.is_exact()) {
            is_absorbed |= absorbs(oracle, &other.accelerator, &accelerator)?;
        }
        if is_absorbed {
            found.absorbed.push(accelerator.closed.path);
            continue;
        }
        match facts(oracle, &accelerator)? {
            Some(facts) => found.accelerators.push(Confirmed { accelerator, facts }),
            None => report.give_up(GivenUp::Unconfirmed, 1),
        }
    }
    let all: Vec<&Accelerator> = found.accelerators.iter().map(|one| &one.accelerator).collect();
    let is_exact = found.accelerators.iter().all(|one| one.facts.is_exact());
    if mode == Mode::Restrict && is_exact && all.len() >= 2 {
        match all.len() <= MAX_COMMUTING {
            true => found.commute = all_commute(oracle, &all)?,
            false => report.give_up(GivenUp::Commuting, 1),
        }
    }
    Ok((!found.accelerators.is_empty()).then_some(found))
}

//! Binary interpolation, cut by cut, forwards or backwards (`bw-bin`).
//!
//! Forwards: `I_i` is what is left of `I_{i-1} and A_i` after
//! 1. projecting to the variables of the cut ([`super::project`]),
//! 2. leaving out the literals of the result that the contradiction with the rest of the trace does not need, or replacing
//!    them by weaker ones.
//!
//! Before that, the conjuncts outside an unsatisfiable core of the whole trace are left out.
//!
//! So `I_{i-1} and A_i` imply `I_i` by construction, and `I_i` contradicts the rest. Backwards is the same on the reversed
//! trace, with the results negated. Interpolants from models without proofs: [chockler12].

use super::arithmetic::arithmetic;
use super::project::{Contradicting, Tools, by_equalities, project};
use super::solve::split_conjuncts;
use super::{Direction, EngineContext, EngineError, SequenceEngine, Trace, horn, shared};
use rustc_hash::FxHashSet;
use smt::{TermId, Terms, vars_of};

/// Binary interpolation.
#[derive(Clone, Copy, Debug)]
pub struct Binary {
    direction: Direction,
}

/// Most conjunctions of a projection.
const MAX_CUBES: usize = 24;
/// Members of a core that are tried to be left out one by one.
const ATTEMPTS: usize = 24;

impl Binary {
    /// Binary interpolation in a direction.
    pub fn new(direction: Direction) -> Self {
        Self { direction }
    }
}

impl SequenceEngine for Binary {
    fn name(&self) -> &'static str {
        match self.direction {
            Direction::Forward => "fw-bin",
            Direction::Backward => "bw-bin",
        }
    }

    fn solve(&mut self, terms: &mut Terms, trace: &Trace, ctx: &EngineContext<'_>) -> Result<Vec<TermId>, EngineError> {
        match self.direction {
            Direction::Forward => forward(terms, trace, ctx),
            Direction::Backward => {
                let mut itps = forward(terms, &trace.reversed(), ctx)?;
                itps.reverse();
                Ok(itps.into_iter().map(|itp| terms.not(itp)).collect())
            }
        }
    }
}

fn forward(terms: &mut Terms, trace: &Trace, ctx: &EngineContext<'_>) -> Result<Vec<TermId>, EngineError> {
    let deadline = ctx.deadline();
    let related = &arithmetic(terms, trace);
    // Once for the whole trace, so that the queries of the cuts are small.
    let trace = &horn::reduce(terms, trace, ctx)?;
    let mut scratch = ctx.solver_for(terms, trace);
    let keep: Vec<FxHashSet<TermId>> = shared(terms, trace);
    let rests = rests(terms, trace, &keep);
    let mut rest = ctx.solver_for(terms, trace);
    let mut itp: Vec<TermId> = Vec::new();
    let mut itps = Vec::with_capacity(trace.cuts());
    // Steps without a part in the contradiction change nothing, and after the last other one everything is false.
    let last = trace.steps.iter().rposition(|step| !step.conjuncts.is_empty()).unwrap_or(0);
    for (cut, keep) in keep.iter().enumerate().take(last) {
        ctx.check(deadline)?;
        let step = &trace.steps[cut].conjuncts;
        if !step.is_empty() || itp.iter().any(|&t| vars_of(terms, &[t]).iter().any(|var| !keep.contains(var))) {
            let mut side = itp;
            side.extend_from_slice(step);
            rest.push()?;
            for &t in &rests[cut] {
                rest.assert(terms, t)?;
            }
            let mut by = Contradicting { solver: &mut *rest, attempts: ATTEMPTS, related };
            let mut tools = Tools { ctx, deadline, scratch: &mut *scratch };
            let projected = project(terms, &side, keep, MAX_CUBES, &mut tools, &mut by);
            rest.pop()?;
            itp = match projected {
                Ok(itp) => itp,
                Err(EngineError::Limit(_)) => {
                    ctx.check(deadline)?;
                    let tools = Tools { ctx, deadline, scratch: &mut *scratch };
                    from_rest(terms, &side, &rests[cut], keep, related, tools)?
                }
                Err(EngineError::TooWeak(_)) => return Err(EngineError::TooWeak(cut)),
                Err(error) => return Err(error),
            };
        }
        itps.push(terms.and_all(&itp));
    }
    itps.resize(trace.cuts(), terms.fals());
    Ok(itps)
}

/// The interpolant from the other side: the negation of what the rest says about the variables of the cut, weakened as long as
/// it contradicts this side. For sides with too many models, such as those of floats.
fn from_rest(
    terms: &mut Terms,
    side: &[TermId],
    rest: &[TermId],
    keep: &FxHashSet<TermId>,
    related: &FxHashSet<TermId>,
    mut tools: Tools<'_, '_>,
) -> Result<Vec<TermId>, EngineError> {
    let mut solver = tools.ctx.solver();
    for &t in side {
        solver.assert(terms, t)?;
    }
    let mut by = Contradicting { solver: &mut *solver, attempts: ATTEMPTS, related };
    let excluded = project(terms, rest, keep, MAX_CUBES, &mut tools, &mut by)?;
    let excluded = terms.and_all(&excluded);
    let itp = terms.not(excluded);
    Ok(split_conjuncts(terms, &[itp]))
}

/// For each cut, the steps after it without the variables that equalities define: equivalent as far as the variables of the
/// cut are concerned, and much smaller for the long chains of assignments that paths are.
fn rests(terms: &mut Terms, trace: &Trace, keep: &[FxHashSet<TermId>]) -> Vec<Vec<TermId>> {
    let mut rests = vec![Vec::new(); keep.len()];
    let mut rest: Vec<TermId> = Vec::new();
    for (cut, keep) in keep.iter().enumerate().rev() {
        rest.extend_from_slice(&trace.steps[cut + 1].conjuncts);
        rest = by_equalities(terms, &rest, keep).0;
        rests[cut] = rest.clone();
    }
    rests
}

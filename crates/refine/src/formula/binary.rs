//! Binary interpolation, cut by cut, forwards or backwards (`bw-bin`).
//!
//! Forwards: `I_i` is what is left of `I_{i-1} and A_i` after
//! 1. leaving out the conjuncts that the contradiction with the rest of the trace does not need,
//! 2. projecting to the variables of the cut ([`super::project`]),
//! 3. leaving out literals of the result again.
//!
//! So `I_{i-1} and A_i` imply `I_i` by construction, and `I_i` contradicts the rest. Backwards is the same on the reversed
//! trace, with the results negated. Interpolants from models without proofs: [chockler12].

use super::project::{Contradicting, ProjectionLimits, Tools, project, small_core};
use super::solve::split_conjuncts;
use super::{Direction, EngineContext, EngineError, SequenceEngine, Trace, horn, is_unsat, shared};
use rustc_hash::FxHashSet;
use smt::{TermId, Terms};

/// Binary interpolation.
#[derive(Clone, Copy, Debug)]
pub struct Binary {
    direction: Direction,
    limits: ProjectionLimits,
}

/// Members of a core that are tried to be left out one by one.
const ATTEMPTS: usize = 24;

impl Binary {
    /// Binary interpolation in a direction.
    pub fn new(direction: Direction) -> Self {
        Self { direction, limits: ProjectionLimits::default() }
    }

    /// The same with other limits.
    pub fn with_limits(mut self, limits: ProjectionLimits) -> Self {
        self.limits = limits;
        self
    }
}

impl SequenceEngine for Binary {
    fn name(&self) -> &'static str {
        match self.direction {
            Direction::Forward => "fw-bin",
            Direction::Backward => "bw-bin",
        }
    }

    fn interpolate(
        &mut self,
        terms: &mut Terms,
        trace: &Trace,
        ctx: &EngineContext<'_>,
    ) -> Result<Vec<TermId>, EngineError> {
        if !trace.is_well_formed() {
            return Err(EngineError::Unsupported("a trace without interfaces"));
        }
        match self.direction {
            Direction::Forward => forward(terms, trace, ctx, self.limits),
            Direction::Backward => {
                let mut itps = forward(terms, &trace.reversed(), ctx, self.limits)?;
                itps.reverse();
                Ok(itps.into_iter().map(|itp| terms.not(itp)).collect())
            }
        }
    }
}

fn forward(
    terms: &mut Terms,
    trace: &Trace,
    ctx: &EngineContext<'_>,
    limits: ProjectionLimits,
) -> Result<Vec<TermId>, EngineError> {
    let deadline = ctx.deadline();
    // Once for the whole trace, so that the queries of the cuts are small.
    let trace = &horn::reduce(terms, trace, ctx)?;
    let mut alone = ctx.solver();
    let keep: Vec<FxHashSet<TermId>> = shared(terms, trace);
    // The rest of the trace, last step first, so that it gets shorter by closing scopes.
    let mut rest = ctx.solver();
    for step in trace.steps.iter().skip(1).rev() {
        rest.push()?;
        for &t in &step.conjuncts {
            rest.assert(terms, t)?;
        }
    }
    let mut itp: Vec<TermId> = Vec::new();
    let mut itps = Vec::with_capacity(trace.cuts());
    for (cut, keep) in keep.iter().enumerate() {
        ctx.check(deadline)?;
        let mut side = itp.clone();
        side.extend_from_slice(&trace.steps[cut].conjuncts);
        let side = split_conjuncts(terms, &side);
        let core = small_core(&mut *rest, terms, &side, ATTEMPTS)?;
        let core = core.ok_or(if cut == 0 { EngineError::Feasible } else { EngineError::TooWeak(cut) })?;
        // A contradiction on this side alone makes the rest of the sequence false.
        if is_unsat(&mut *alone, terms, &core)? {
            itps.resize(trace.cuts(), terms.fals());
            return Ok(itps);
        }
        let mut tools = Tools { ctx, deadline, scratch: &mut *alone };
        let mut by = Contradicting { solver: &mut *rest, attempts: ATTEMPTS };
        itp = project(terms, &core, keep, limits, &mut tools, &mut by)?;
        itps.push(terms.and_all(&itp));
        rest.pop()?;
    }
    Ok(itps)
}

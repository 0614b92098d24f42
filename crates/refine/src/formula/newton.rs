//! Newton-style refinement: an unsatisfiable core of the trace's conjuncts or statements, then strongest postconditions or
//! weakest existential preconditions of what is left, without the variables that are not live [dietsch17].
//!
//! Traces are in SSA form, so the strongest postcondition is the conjunction so far, with the variables that are left behind
//! eliminated: assignments outside the core are thereby havocs. The precondition is the same from the end. Live are the
//! variables that the *reduced* trace mentions on both sides; a variable that a statement defines and reads again is another
//! one in SSA form, so that "kill before gen" holds by itself.

use super::project::{Exact, Tools, by_equalities, project, small_core};
use super::solve::split_conjuncts;
use super::{Direction, EngineContext, EngineError, SequenceEngine, Statement, Trace, shared};
use rustc_hash::FxHashSet;
use smt::{TermId, Terms, vars_of};

/// Whether only the contradiction's own conjuncts are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Core {
    /// All conjuncts of the trace.
    Off,
    /// Those of an unsatisfiable core.
    Conjuncts,
    /// The statements of a core, where they are known.
    Statements,
}

/// Which variables a predicate may have beside what the interface allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Live {
    /// All of the interface.
    Off,
    /// Those that occur on both sides of the cut in the reduced trace.
    On,
}

/// Options of [`Newton`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewtonOptions {
    /// Forward: strongest postconditions; backward: weakest existential preconditions.
    pub direction: Direction,
    /// The reduction of the trace.
    pub core: Core,
    /// Elimination of dead variables.
    pub live: Live,
}

/// Newton-style refinement.
#[derive(Clone, Copy, Debug)]
pub struct Newton {
    options: NewtonOptions,
}

/// Most conjunctions of a predicate.
const MAX_CUBES: usize = 8;

/// Members of the core that are tried to be left out one by one.
const ATTEMPTS: usize = 40;

impl Newton {
    /// Newton-style refinement with these options.
    pub fn new(options: NewtonOptions) -> Self {
        Self { options }
    }

    /// The trace with the conjuncts of a core only.
    fn reduce(&self, terms: &mut Terms, trace: &Trace, ctx: &EngineContext<'_>) -> Result<Trace, EngineError> {
        let units: Vec<Vec<TermId>> = trace
            .steps
            .iter()
            .map(|step| {
                let formulas = match self.options.core {
                    Core::Statements if !step.statements.is_empty() => {
                        step.statements.iter().filter_map(|s| s.formula(terms)).collect()
                    }
                    _ => step.conjuncts.clone(),
                };
                match self.options.core {
                    Core::Statements => formulas,
                    Core::Off | Core::Conjuncts => split_conjuncts(terms, &formulas),
                }
            })
            .collect();
        let core = match self.options.core {
            Core::Off => None,
            Core::Conjuncts | Core::Statements => {
                let all: Vec<TermId> = units.iter().flatten().copied().collect();
                let mut solver = ctx.solver_for(terms, trace);
                let core = small_core(&mut *solver, terms, &all, ATTEMPTS)?.ok_or(EngineError::Feasible)?;
                Some(core.into_iter().collect::<FxHashSet<TermId>>())
            }
        };
        let steps = units.into_iter().map(|mut unit| {
            unit.retain(|t| core.as_ref().is_none_or(|core| core.contains(t)));
            super::Step::of(unit)
        });
        Ok(Trace { steps: steps.collect(), interface: trace.interface.clone() })
    }
}

impl Statement {
    /// The statement as a formula; `None` if it restricts nothing.
    pub fn formula(&self, terms: &mut Terms) -> Option<TermId> {
        match *self {
            Statement::Assign { var, term } => Some(terms.eq(var, term)),
            Statement::Assume(formula) => Some(formula),
            Statement::Havoc(_) => None,
        }
    }
}

impl SequenceEngine for Newton {
    fn name(&self) -> &'static str {
        match (self.options.direction, self.options.core, self.options.live) {
            (Direction::Forward, Core::Off, Live::Off) => "newton-sp",
            (Direction::Forward, Core::Off, Live::On) => "newton-sp-lv",
            (Direction::Forward, Core::Statements, Live::Off) => "newton-st-sp",
            (Direction::Forward, Core::Statements, Live::On) => "newton-st-sp-lv",
            (Direction::Backward, Core::Statements, Live::Off) => "newton-st-wp",
            (Direction::Backward, Core::Statements, Live::On) => "newton-st-wp-lv",
            (Direction::Forward, _, Live::Off) => "newton-it-sp",
            (Direction::Forward, _, Live::On) => "newton-it-sp-lv",
            (Direction::Backward, Core::Off, Live::Off) => "newton-wp",
            (Direction::Backward, Core::Off, Live::On) => "newton-wp-lv",
            (Direction::Backward, _, Live::Off) => "newton-it-wp",
            (Direction::Backward, _, Live::On) => "newton-it-wp-lv",
        }
    }

    fn solve(&mut self, terms: &mut Terms, trace: &Trace, ctx: &EngineContext<'_>) -> Result<Vec<TermId>, EngineError> {
        let reduced = self.reduce(terms, trace, ctx)?;
        match self.options.direction {
            Direction::Forward => posts(terms, &reduced, self.options.live, ctx),
            Direction::Backward => {
                let mut itps = posts(terms, &reduced.reversed(), self.options.live, ctx)?;
                itps.reverse();
                Ok(itps.into_iter().map(|itp| terms.not(itp)).collect())
            }
        }
    }
}

/// Strongest postconditions, projected.
fn posts(terms: &mut Terms, trace: &Trace, live: Live, ctx: &EngineContext<'_>) -> Result<Vec<TermId>, EngineError> {
    let deadline = ctx.deadline();
    let keep = match live {
        Live::On => shared(terms, trace),
        Live::Off => trace.interface.iter().map(|vars| vars.iter().copied().collect()).collect(),
    };
    let mut scratch = ctx.solver_for(terms, trace);
    let mut state: Vec<TermId> = Vec::new();
    let mut itps = Vec::with_capacity(trace.cuts());
    for (cut, keep) in keep.iter().enumerate() {
        ctx.check(deadline)?;
        state.extend_from_slice(&trace.steps[cut].conjuncts);
        let mut tools = Tools { ctx, deadline, scratch: &mut *scratch };
        let projected = project(terms, &state, keep, MAX_CUBES, &mut tools, &mut Exact);
        state = match projected {
            Ok(projected) => projected,
            Err(error) if error.ends_run() => return Err(error),
            // What can't be projected is left out; the check tells whether it was needed.
            Err(_) => {
                let (mut solved, _) = by_equalities(terms, &state, keep);
                solved.retain(|&t| vars_of(terms, &[t]).iter().all(|var| keep.contains(var)));
                solved
            }
        };
        if state.iter().any(|&t| terms.is_false(t)) {
            itps.resize(trace.cuts(), terms.fals());
            return Ok(itps);
        }
        itps.push(terms.and_all(&state));
    }
    Ok(itps)
}

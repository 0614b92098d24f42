//! Precise check of one path: its formula is encoded bit by bit and solved; a model becomes a run that is replayed.
//!
//! Source: [loewe13], Sect. III-F, "Precise Counterexample Check".

use crate::{Task, script};
use base::{Budget, Effort, Stop};
use cfa::{EdgeId, Op};
use encode::{Dead, Encoder, FrameSlots, GuardId, State};
use outcome::{Counterexample, StopReason};
use smt::query::{Answer, ask};
use smt::{SatResult, TermId};

/// What the check of a path found.
pub enum PathCheck {
    /// A replayed run takes it.
    Feasible(Box<Counterexample>),
    /// No run takes it; so many edges are taken at most.
    Infeasible {
        /// Index of an edge that no run takes after those before it.
        edge: usize,
    },
    /// Not decided.
    Unknown(StopReason),
}

/// Most effort for one query that only serves the message.
const DETAIL_LIMIT: Effort = Effort::thousands(1_000);

/// Most effort for a query that only guides a search.
const QUICK_LIMIT: Effort = Effort::thousands(300);

/// Checks a path from the start of the program.
///
/// # Errors
/// When the run has to end.
pub fn check(task: &Task<'_, '_>, path: &[EdgeId], budget: &Budget) -> Result<PathCheck, Stop> {
    let mut enc = match task.encoder() {
        Ok(enc) => enc,
        Err(reason) => return Ok(PathCheck::Unknown(reason)),
    };
    let mut walk = Walk::new(&mut enc);
    let mut guards = Vec::with_capacity(path.len());
    for (i, edge) in path.iter().enumerate() {
        budget.check()?;
        match walk.take(&mut enc, *edge) {
            Ok(()) => guards.push(walk.state.guard),
            Err(Dead) => return locate(task, &mut enc, &guards, i + 1, budget),
        }
    }
    let guard = enc.guards.formula(walk.state.guard);
    match ask(task.solver, &mut enc.terms, guard, None, budget)? {
        Answer::Model(model) => {
            let script = script::script(&enc, &model, None);
            Ok(match (task.replay)(script) {
                Ok(counterexample) => PathCheck::Feasible(Box::new(counterexample)),
                Err(reason) => PathCheck::Unknown(reason),
            })
        }
        Answer::Never => locate(task, &mut enc, &guards, path.len(), budget),
        Answer::Unknown(why) => Ok(PathCheck::Unknown(StopReason::SolverUnknown { why })),
    }
}

/// Whether the solver shows that no run takes a path; strategies on it stand for their loops.
///
/// # Errors
/// When the run has to end.
pub fn is_infeasible(task: &Task<'_, '_>, path: &[EdgeId], budget: &Budget) -> Result<bool, Stop> {
    let Ok(mut enc) = task.encoder() else { return Ok(false) };
    let mut walk = Walk::new(&mut enc);
    for edge in path {
        budget.check()?;
        if let Err(Dead) = walk.take(&mut enc, *edge) {
            return Ok(true);
        }
    }
    let guard = enc.guards.formula(walk.state.guard);
    if enc.terms.is_false(guard) {
        return Ok(true);
    }
    let mut solver = (task.incremental)();
    solver.set_budget(budget);
    solver.set_query_limit(Some(QUICK_LIMIT));
    let answer = solver.assert(&enc.terms, guard).and_then(|()| solver.check(&enc.terms, &[]));
    budget.check()?;
    Ok(matches!(answer, Ok(SatResult::Unsat)))
}

/// The first edge that no run takes, as far as an unsatisfiable core shows it; `impossible` edges can't all be taken.
fn locate(
    task: &Task<'_, '_>,
    enc: &mut Encoder<'_>,
    guards: &[GuardId],
    impossible: usize,
    budget: &Budget,
) -> Result<PathCheck, Stop> {
    let last = Ok(PathCheck::Infeasible { edge: impossible.saturating_sub(1) });
    if guards.len() < impossible {
        return last;
    }
    // What each edge adds, and after which edge it holds.
    let mut literals: Vec<(TermId, usize)> = Vec::new();
    let mut before = enc.guards.root();
    for (i, guard) in guards.iter().enumerate().take(impossible) {
        if *guard != before {
            literals.push((enc.guards.since(&mut enc.terms, before, *guard), i));
            before = *guard;
        }
    }
    let assumptions: Vec<TermId> = literals.iter().map(|(literal, _)| *literal).collect();
    budget.check()?;
    let mut solver = (task.incremental)();
    solver.set_budget(budget);
    solver.set_query_limit(Some(DETAIL_LIMIT));
    let Ok(SatResult::Unsat) = solver.check(&enc.terms, &assumptions) else { return last };
    let Ok(core) = solver.unsat_core(&enc.terms) else { return last };
    match literals.iter().rfind(|(literal, _)| core.contains(literal)) {
        Some((_, edge)) => Ok(PathCheck::Infeasible { edge: *edge }),
        None => last,
    }
}

/// Symbolic execution of one path, calls and returns included.
pub struct Walk {
    /// The state at the end of what was walked.
    pub state: State,
    frames: Vec<(FrameSlots, Option<EdgeId>)>,
    next_slot: u32,
}

impl Walk {
    /// At the start of the program.
    pub fn new(enc: &mut Encoder<'_>) -> Self {
        let first = enc.slots.globals.next_multiple_of(16);
        let next_slot = first + enc.slots.frame_size(enc.program.start);
        Self { state: enc.initial_state(), frames: vec![(FrameSlots(first), None)], next_slot }
    }

    /// The registers of the current frame.
    pub fn frame(&self) -> FrameSlots {
        self.frames.last().map_or(FrameSlots(0), |(slots, _)| *slots)
    }

    /// Takes an edge, and returns when it leads to the end of a function.
    ///
    /// # Errors
    /// When no run takes it.
    pub fn take(&mut self, enc: &mut Encoder<'_>, edge: EdgeId) -> Result<(), Dead> {
        let program = enc.program;
        let slots = self.frame();
        let mut loc = program.edges[edge].dst;
        match &program.edges[edge].op {
            Op::Call { func, .. } => {
                let callee = FrameSlots(self.next_slot);
                self.next_slot += enc.slots.frame_size(*func);
                enc.enter(&mut self.state, edge, slots, callee)?;
                self.frames.push((callee, Some(edge)));
                if let Some(body) = program.functions[*func].body {
                    loc = body.entry;
                }
            }
            _ => enc.execute(&mut self.state, slots, edge)?,
        }
        self.leave_functions(enc, loc);
        Ok(())
    }

    fn leave_functions(&mut self, enc: &mut Encoder<'_>, mut loc: cfa::LocId) {
        let program = enc.program;
        loop {
            let func = program.locs[loc].func;
            let at_exit = program.functions[func].body.is_some_and(|body| body.exit == loc);
            let Some((slots, Some(call))) = self.frames.last().copied().filter(|_| at_exit) else { return };
            self.frames.pop();
            let caller = self.frame();
            enc.leave(&mut self.state, call, slots, caller);
            loc = program.edges[call].dst;
        }
    }
}

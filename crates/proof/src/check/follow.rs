//! Follows runs along the program, by the kernel: all runs from a node to the next points of the graph, joined where they meet.

use super::machine::{Bad, Machine};
use super::state::{Here, Point, Runs};
use base::{Id, Stop};
use cfa::{EdgeId, ExprId, FuncId, LocId, Op};
use smt::TermId;
use step::{Condition, Domain, End, InOrder, Moved, Outcome, in_order};

/// What runs do between a node and the next points.
pub struct Followed {
    /// Runs by where they arrive.
    pub arrivals: Vec<(Point, Runs)>,
    /// What none of them may do.
    pub bad: Vec<Bad>,
}

/// Most places that runs from one node come to.
const MAX_VISITED: u64 = 1_000_000;

/// Why runs could not be followed.
pub enum Lost {
    /// They go on for ever, or for too long, without meeting a point.
    NoPoint,
    /// The budget ended.
    Stopped(Stop),
}

impl Machine<'_, '_> {
    /// Follows runs.
    ///
    /// # Errors
    /// If they meet no point, or the budget ends.
    pub fn follow(&mut self, at: Here, runs: Runs) -> Result<Followed, Lost> {
        self.bad.clear();
        self.arrived.clear();
        self.visited = 0;
        let kernel = self.kernel.clone();
        in_order(&kernel, self, (at, runs))?;
        let mut arrivals = Vec::with_capacity(self.arrived.len());
        for (point, runs) in std::mem::take(&mut self.arrived) {
            arrivals.extend(self.join_all(runs).map(|runs| (point, runs)));
        }
        Ok(Followed { arrivals, bad: std::mem::take(&mut self.bad) })
    }
}

impl From<Stop> for Lost {
    fn from(stop: Stop) -> Self {
        Lost::Stopped(stop)
    }
}

impl Domain for Machine<'_, '_> {
    type Stack = ();
    type State = Runs;
    type Condition = TermId;

    fn chosen(&self, loc: LocId) -> Option<EdgeId> {
        self.graph.strategies.chosen(self.task, self.strategies, loc)
    }

    fn copy(&mut self, runs: &Runs) -> Runs {
        runs.clone()
    }

    fn condition(
        &mut self,
        runs: &mut Runs,
        _: Here,
        edge: EdgeId,
        condition: ExprId,
    ) -> Result<Condition<TermId>, End> {
        self.enc.edge = edge;
        let value = self.eval(runs, condition)?;
        let decided = self.enc.terms.as_bool_const(value).filter(|_| self.unwinding.is_none());
        Ok(decided.map_or(Condition::Open(value), Condition::Decided))
    }

    fn assume(&mut self, runs: &mut Runs, _: Here, _: EdgeId, condition: &TermId, truth: bool) -> Result<(), End> {
        let condition = if truth { *condition } else { self.enc.terms.not(*condition) };
        Machine::assume(self, runs, condition)
    }

    fn post(&mut self, runs: &mut Runs, _: Here, edge: EdgeId) -> Result<(), End> {
        self.execute(runs, edge)
    }

    fn enter(&mut self, runs: &mut Runs, _: Here, edge: EdgeId, func: FuncId) -> Result<(), End> {
        Machine::enter(self, runs, edge, func)
    }

    fn leave(&mut self, runs: &mut Runs, _: Here) -> Option<((), EdgeId)> {
        Machine::leave(self, runs).map(|call| ((), call))
    }

    fn ended(&mut self, _: Here, edge: EdgeId, _: End) {
        if let (Some(unwinding), Op::Assume { .. }) = (&mut self.unwinding, &self.program.edges[edge].op) {
            unwinding.blocked.push(edge);
        }
    }
}

impl InOrder for Machine<'_, '_> {
    /// For each frame, the position of its call, with its edge, and the loops that are unwound in it; and the position of the location.
    type Key = Vec<u32>;
    type Error = Lost;

    fn key(&self, at: Here, runs: &Runs) -> Vec<u32> {
        let wto = self.task.wto;
        let mut key = Vec::with_capacity(2 * runs.frames.len());
        for frame in &runs.frames {
            key.extend(
                frame.call.iter().flat_map(|call| [wto.pos(self.program.edges[*call].src), call.index() as u32]),
            );
            frame.counts.add_to(&mut key, wto);
        }
        key.push(wto.pos(at.loc));
        key
    }

    fn join(&mut self, runs: Vec<Runs>) -> Option<Runs> {
        self.join_all(runs)
    }

    fn visit(&mut self, at: Here, mut runs: Runs) -> Result<Option<Runs>, Lost> {
        self.budget.check()?;
        self.visited += 1;
        self.begin_iteration(at, &mut runs);
        if self.visited > MAX_VISITED { Err(Lost::NoPoint) } else { Ok(Some(runs)) }
    }

    fn arrived(&mut self, moved: Vec<Moved<Self>>) -> Vec<(Here, Runs)> {
        let mut open = Vec::new();
        let blocked =
            self.unwinding.as_mut().map(|unwinding| std::mem::take(&mut unwinding.blocked)).unwrap_or_default();
        for Moved { via, at, outcome, mut state, .. } in moved {
            let what = match outcome {
                Outcome::Violated => "the property is violated",
                Outcome::Unmodelled(_) => "something that is not modelled is reached",
                Outcome::Arrived if self.graph.points.contains(&at.loc) => {
                    self.arrived.entry(state.point(at)).or_default().push(state);
                    continue;
                }
                Outcome::Arrived => {
                    if self.unwind((via, at), &blocked, &mut state) {
                        open.push((at, state));
                    }
                    continue;
                }
            };
            let tru = self.enc.terms.tru();
            self.forbid(state.guard, tru, what);
        }
        open
    }

    fn is_straight(&self, from: Here, to: Here) -> bool {
        let program = self.program;
        program.locs[from.loc].func == program.locs[to.loc].func
            && program.locs[to.loc].inc.len() == 1
            && (self.unwinding.is_none() || !self.task.wto.is_head(to.loc))
    }
}

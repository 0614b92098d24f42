//! Follows all runs from a node to the next points of the graph, merging those that meet.

use super::machine::{Bad, Machine};
use super::state::{Point, Runs};
use crate::check::observe;
use crate::graph::ProofGraph;
use base::{Budget, Stop};
use cfa::Op;
use std::collections::BTreeMap;
use task::Task;

/// What runs do between a node and the next points.
pub struct Followed {
    /// Runs by where they arrive.
    pub arrivals: Vec<Runs>,
    /// What none of them may do.
    pub bad: Vec<Bad>,
}

/// Most edges that are followed from one node.
const MAX_STEPS: u64 = 1_000_000;

/// Why runs could not be followed.
pub enum Lost {
    /// They go on for ever, or for too long, without meeting a point.
    NoPoint,
    /// The budget ended.
    Stopped(Stop),
}

impl From<Stop> for Lost {
    fn from(stop: Stop) -> Self {
        Lost::Stopped(stop)
    }
}

/// See the module.
pub struct Follow<'m, 't, 'a, 'p> {
    machine: &'m mut Machine<'p>,
    task: &'t Task<'a, 'p>,
    graph: &'t ProofGraph,
    /// Which strategies the node takes.
    strategies: Option<usize>,
    /// By an order in which runs meet before anybody goes on.
    waiting: BTreeMap<(Vec<u32>, Point), Vec<Runs>>,
    arrived: BTreeMap<Point, Vec<Runs>>,
}

impl<'m, 't, 'a, 'p> Follow<'m, 't, 'a, 'p> {
    /// Follows runs.
    ///
    /// # Errors
    /// If they meet no point, or the budget ends.
    pub fn run(
        machine: &'m mut Machine<'p>,
        task: &'t Task<'a, 'p>,
        (graph, strategies): (&'t ProofGraph, Option<usize>),
        runs: Runs,
        budget: &Budget,
    ) -> Result<Followed, Lost> {
        machine.bad.clear();
        let (waiting, arrived) = (BTreeMap::new(), BTreeMap::new());
        let mut this = Self { machine, task, graph, strategies, waiting, arrived };
        let mut steps = 0;
        this.go_on(runs, &mut steps);
        while let Some((_, runs)) = this.waiting.pop_first() {
            budget.check()?;
            if steps > MAX_STEPS {
                return Err(Lost::NoPoint);
            }
            if let Some(runs) = this.machine.join_all(runs) {
                this.go_on(runs, &mut steps);
            }
        }
        let mut arrivals = Vec::with_capacity(this.arrived.len());
        for (_, runs) in std::mem::take(&mut this.arrived) {
            arrivals.extend(this.machine.join_all(runs));
        }
        Ok(Followed { arrivals, bad: std::mem::take(&mut this.machine.bad) })
    }

    /// One step along each edge, and further along straight lines.
    fn go_on(&mut self, mut runs: Runs, steps: &mut u64) {
        let program = self.task.program;
        loop {
            let exit = program.functions[program.locs[runs.loc].func].body.map(|body| body.exit);
            if exit == Some(runs.loc) {
                if self.machine.leave(&mut runs) {
                    runs.observer = observe::labels(self.task, runs.observer, runs.loc);
                    self.settle(runs);
                }
                return;
            }
            let out = self.graph.strategies.edges(self.task, self.strategies, runs.loc);
            let mut straight = None;
            for edge in out {
                *steps += 1;
                let mut here = runs.clone();
                if self.machine.execute(&mut here, *edge).is_err() {
                    continue;
                }
                (here.loc, here.observer) = observe::behind(self.task, here.observer, *edge);
                let simple = out.len() == 1 && program.locs[here.loc].inc.len() == 1;
                let stays = !matches!(program.edges[*edge].op, Op::Call { .. });
                let ends = here.observer == self.task.observer.error || self.graph.points.contains(&here.loc);
                if simple && stays && !ends && *steps < MAX_STEPS {
                    straight = Some(here);
                } else {
                    self.settle(here);
                }
            }
            match straight {
                Some(next) => runs = next,
                None => return,
            }
        }
    }

    /// Runs are somewhere: at a point, at an error, or on their way.
    fn settle(&mut self, runs: Runs) {
        if runs.observer == self.task.observer.error {
            let tru = self.machine.enc.terms.tru();
            self.machine.forbid(runs.guard, tru, "the property is violated");
            return;
        }
        let point = runs.point();
        if self.graph.points.contains(&point.loc) {
            self.arrived.entry(point).or_default().push(runs);
            return;
        }
        let program = self.task.program;
        let mut key = Vec::new();
        for call in &point.calls {
            key.extend([self.task.wto.pos(program.edges[*call].src), base::Id::index(*call) as u32]);
        }
        key.push(self.task.wto.pos(point.loc));
        self.waiting.entry((key, point)).or_default().push(runs);
    }
}

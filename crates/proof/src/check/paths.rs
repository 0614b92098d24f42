//! Checks graphs of values: runs from a node follow the edges that it names, path by path, so that what is known stays known.
//!
//! A path that a node names no edges of must be impossible, or all runs on it end soon.

use super::machine::Machine;
use super::state::{Here, Runs};
use super::{Checker, Failure, rejected};
use crate::graph::{Entering, Fact, Next, ProofNode};
use bmc::residual::ResidualProgram;
use cfa::blocks::BlockKind;
use cfa::{EdgeId, LocId, Program};
use smt::TermId;
use smt::query::Answer;
use step::{At, Moved, Outcome, Via};

/// Most edges of runs that lead to no node, because they end before.
const MAX_ENDING: u32 = 4000;

/// Edges that runs may still follow, and the node behind them.
type List<'g> = (&'g [EdgeId], usize);

/// Runs on their way.
struct Way<'g> {
    at: Here,
    runs: Runs,
    lists: Vec<List<'g>>,
    /// Whether they have left the node: only then they arrive at another one.
    moved: bool,
}

impl<'t> Checker<'t, '_> {
    /// Checks all nodes.
    pub(super) fn paths(&mut self) -> Result<(), Failure> {
        let graph = self.graph;
        for (index, node) in graph.nodes.iter().enumerate() {
            self.budget.check()?;
            self.renew();
            self.node = index;
            self.machine.strategies = graph.strategies.of(index);
            self.node(node)?;
        }
        let Some(edges) = graph.edges_to_refuted() else { return Ok(()) };
        let is_refuted = graph.blocks.is_empty()
            && ResidualProgram::new(self.task, &edges).and_then(|rest| rest.refute(self.task, self.budget)).is_some();
        self.budget.check()?;
        self.node = graph.nodes.iter().position(|node| matches!(node.next, Next::Refuted)).unwrap_or(0);
        if is_refuted { Ok(()) } else { rejected("runs may get to a node that is said to be out of reach") }
    }

    fn node(&mut self, node: &'t ProofNode) -> Result<(), Failure> {
        if self.node == 0 {
            self.is_start(node)?;
            let mut runs = self.runs_of(node)?;
            self.implied(&mut runs, &node.facts)?;
        }
        // Only runs that violate the property get there: none does, if no run of the edges on the way violates it.
        if matches!(node.next, Next::Refuted) && self.node != 0 && node.observer == self.task.observer.error {
            return Ok(());
        }
        if node.bottom.is_some() {
            return rejected("only graphs with formulas abstract stacks");
        }
        if node.observer == self.task.observer.error {
            return rejected("the property is violated here");
        }
        if !matches!(node.next, Next::Leave | Next::Covered(_)) && self.is_left(node.loc, node.calls.len() + 1) {
            return rejected("runs go on behind a loop");
        }
        match &node.next {
            Next::Open | Next::Refuted | Next::Reach(_) | Next::Call { .. } => rejected("the node was not expanded"),
            Next::Covered(upper) => {
                let upper = self.covering(node, *upper)?;
                // Equal facts are the rule, so no solver is needed.
                match upper.facts.iter().all(|fact| node.facts.contains(fact)) {
                    true => Ok(()),
                    false => rejected("the facts of the covering node are not implied"),
                }
            }
            Next::Along(lists) => {
                let runs = self.runs_of(node)?;
                let lists = lists.iter().map(|(edges, node)| (&edges[..], *node)).collect();
                self.along(Way { at: here(node), runs, lists, moved: false })
            }
            Next::Enter(entering) => self.enter_with(node, entering),
            Next::Leave => self.exits(node),
        }
    }

    fn enter_with(&mut self, node: &ProofNode, entering: &Entering) -> Result<(), Failure> {
        let runs = self.runs_of(node)?;
        self.enters(node, runs, entering)
    }

    /// The block that the current node is about.
    pub(super) fn block(&self) -> Option<usize> {
        self.graph.block_of(self.node)
    }

    /// The runs that a node is about; those of the root begin at the start of the program.
    fn runs_of(&mut self, node: &ProofNode) -> Result<Runs, Failure> {
        let program = self.task.program;
        let func = match self.block().map(|block| self.graph.blocks[block].kind) {
            None => program.start,
            Some(BlockKind::Function(func)) => func,
            Some(BlockKind::Loop(head)) => program.locs[head].func,
        };
        let mut runs = self.machine.begin(func, &node.calls);
        runs.initial = self.node == 0;
        if !runs.initial {
            self.assume_facts(&mut runs, &node.facts)?;
        }
        Ok(runs)
    }

    /// Follows runs along the program; they must stay on their lists.
    fn along(&mut self, way: Way<'t>) -> Result<(), Failure> {
        let program = self.task.program;
        let kernel = self.machine.kernel.clone();
        let mut ways = vec![way];
        let mut steps = Vec::new();
        while let Some(mut way) = ways.pop() {
            self.budget.check()?;
            if way.moved && self.stops(&mut way)? {
                continue;
            }
            if is_last(program, way.at.loc, &way.runs) {
                if self.block().is_some() {
                    self.no_run(&way.runs, "a block is left without an exit")?;
                }
                continue;
            }
            let Way { at, runs, lists, .. } = way;
            kernel.step(&mut self.machine, at, runs, &mut steps);
            for step in steps.drain(..) {
                let lists = match step.via {
                    Via::Return(_) => lists.clone(),
                    Via::Edge(edge) => behind(&lists, edge),
                };
                // These runs are looked at all together.
                if lists.iter().any(|(edges, node)| edges.is_empty() && self.is_refuted(*node)) {
                    continue;
                }
                match (step.outcome, step.via) {
                    (Outcome::Unmodelled(_), _) => {
                        self.no_run(&step.state, "something that is not modelled is reached")?;
                    }
                    (Outcome::Violated, _) => self.no_run(&step.state, "the property is violated")?,
                    (Outcome::Arrived, Via::Edge(edge)) if lists.is_empty() => {
                        if !self.all_end(step.at, &step.state)? {
                            let op = cfa::display::op(program, &program.edges[edge].op);
                            self.no_run(&step.state, &format!("`{op}` is not in the graph"))?;
                        }
                    }
                    (Outcome::Arrived, _) => ways.push(Way { at: step.at, runs: step.state, lists, moved: true }),
                }
            }
        }
        Ok(())
    }

    fn is_refuted(&self, node: usize) -> bool {
        matches!(self.graph.nodes.get(node), Some(ProofNode { next: Next::Refuted, .. }))
    }

    /// Whether runs have come to a node, or have left their loop.
    fn stops(&mut self, way: &mut Way<'_>) -> Result<bool, Failure> {
        let fits = |(edges, node): &&List<'_>| edges.is_empty() && self.fits(way.at, &way.runs, *node);
        if let Some((_, node)) = way.lists.iter().find(fits) {
            let graph = self.graph;
            self.implied(&mut way.runs, &graph.nodes[*node].facts)?;
            return Ok(true);
        }
        let is_left = self.is_left(way.at.loc, way.runs.frames.len());
        if is_left {
            self.no_run(&way.runs, "a loop is left without an exit")?;
        }
        Ok(is_left)
    }

    /// Whether all runs end soon without a violation, wherever they go on.
    fn all_end(&mut self, at: Here, runs: &Runs) -> Result<bool, Failure> {
        let kernel = self.machine.kernel.clone();
        let mut open = vec![(at, runs.clone())];
        let mut steps = Vec::new();
        let mut count = 0;
        while let Some((at, runs)) = open.pop() {
            self.budget.check()?;
            if is_last(self.task.program, at.loc, &runs) {
                if self.block().is_some() {
                    return Ok(false);
                }
                continue;
            }
            kernel.step(&mut self.machine, at, runs, &mut steps);
            for Moved { at, outcome, state, .. } in steps.drain(..) {
                count += 1;
                if count >= MAX_ENDING {
                    return Ok(false);
                }
                if outcome == Outcome::Arrived {
                    open.push((at, state));
                } else if !self.is_impossible(&state)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether runs stand where the node does.
    pub(super) fn fits(&self, at: Here, runs: &Runs, node: usize) -> bool {
        if node == 0 || self.graph.block_of(node) != self.block() {
            return false;
        }
        let Some(node) = self.graph.nodes.get(node) else { return false };
        let calls = runs.frames.iter().filter_map(|frame| frame.call);
        at == here(node) && calls.eq(node.calls.iter().copied())
    }

    /// All runs satisfy the facts, under some choice of objects for the names in them.
    pub(super) fn implied(&mut self, runs: &mut Runs, facts: &[Fact]) -> Result<(), Failure> {
        let names = self.bind_names(runs, facts);
        let holds = self.facts_hold(runs, facts, Some(&names))?;
        self.all(runs, holds)
    }

    /// A formula is true for all runs.
    pub(super) fn all(&mut self, runs: &Runs, holds: TermId) -> Result<(), Failure> {
        let Machine { enc, .. } = &mut self.machine;
        let (guard, fails) = (enc.guards.formula(runs.guard), enc.terms.not(holds));
        let formula = enc.terms.and(guard, fails);
        self.impossible(formula, &[(formula, "the facts of a successor are not implied".into())], &mut None)
    }

    /// No run is left.
    pub(super) fn no_run(&mut self, runs: &Runs, why: &str) -> Result<(), Failure> {
        let formula = self.machine.enc.guards.formula(runs.guard);
        self.impossible(formula, &[(formula, why.to_owned())], &mut None)
    }

    /// Whether there are certainly no such runs.
    fn is_impossible(&mut self, runs: &Runs) -> Result<bool, Failure> {
        let formula = self.machine.enc.guards.formula(runs.guard);
        Ok(matches!(self.answer(formula, &mut None)?, (Answer::Never, _)))
    }
}

/// What is left of lists behind an edge.
fn behind<'g>(lists: &[List<'g>], edge: EdgeId) -> Vec<List<'g>> {
    let rest = |(edges, node): &List<'g>| match edges.split_first() {
        Some((first, rest)) if *first == edge => Some((rest, *node)),
        _ => None,
    };
    lists.iter().filter_map(rest).collect()
}

/// Where a node stands.
pub(super) fn here(node: &ProofNode) -> Here {
    At { loc: node.loc, stack: (), observer: node.observer }
}

/// Whether runs are at the end of their bottom frame, where they return to nobody.
fn is_last(program: &Program, loc: LocId, runs: &Runs) -> bool {
    let exit = program.functions[program.locs[loc].func].body.map(|body| body.exit);
    exit == Some(loc) && runs.frames.len() == 1
}

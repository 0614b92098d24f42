//! Grows the unwinding until it is complete or a run violates the property [mcmillan06, Fig. 3 and Sect. 4].
//!
//! ```text
//! while a vertex waits
//!   choose one                                        -- depth first
//!   close it: an older vertex whose facts follow for it covers it
//!   or cover it by force: facts of an older one that the path from their last common vertex implies become its facts
//!   or expand it: for each end of its block
//!     a target:  the path's formula holds: false; or it is refuted, and the interpolants strengthen the labels on the path,
//!                which are closed, the first one first; the end of the path and the label before it are tried alone first
//!     otherwise: a new vertex, which waits
//! ```
//! Blocks merge paths, so an edge of the tree is a formula of the block's guard; ends that a label excludes get no vertex.

use super::unwinding::Unwinding;
use crate::predicate::path::{Ends, PathFormula};
use crate::predicate::refiner::PredicateRefiner;
use crate::predicate::refiner::learned::Checked;
use crate::predicate::variables::conjuncts_of;
use crate::refinement_loop::{Answer, OpenPaths, Refinement, Refinements};
use analysis::waitlist::Waitlist;
use analysis::{AnalysisError, Cpa, NodeId, Order, Status, Target};
use base::Budget;
use domains::predicate::block::{At, Block, Start};
use domains::predicate::predicates::PredicatePrecision;
use domains::predicate::{PredicateCpa, PredicateState};
use outcome::{Event, Progress, StatValue, Statistics, StopReason};
use refine::formula::atoms::{AtomLimits, atoms_of};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;
use std::rc::Rc;
use std::time::Instant;

/// Most blocks of a path along which a vertex is covered by force.
const MAX_FORCED: usize = 24;

/// Why a step can't be finished.
enum Fault {
    /// The run ends.
    Ended(AnalysisError),
    /// Blocks were encoded again, or take other strategies, and fit no more to the vertices.
    Stale,
}

impl<E: Into<AnalysisError>> From<E> for Fault {
    fn from(error: E) -> Self {
        Fault::Ended(error.into())
    }
}

/// Identifies a question about a fact: block and end, label before, label of the vertex, the fact.
type Question = (Start, u32, TermId, TermId, TermId);

/// See the module.
pub struct Search<'r, 't, 'a, 'p, 'b> {
    /// The blocks.
    pub cpa: &'r mut PredicateCpa<'p, 'b>,
    /// Decides error paths.
    pub refiner: &'r mut PredicateRefiner<'t, 'a, 'p>,
    /// The tree.
    pub tree: Unwinding,
    waitlist: Waitlist,
    /// Older vertices that are tried for each vertex that is to be covered by force.
    forced_attempts: usize,
    budget: &'r Budget,
    progress: &'r dyn Progress,
    open: OpenPaths,
    /// Ends that were left open.
    open_ends: FxHashSet<(u64, u32)>,
    /// Guesses for a place; vertices get those that hold.
    hints: FxHashMap<Start, Vec<TermId>>,
    known: FxHashMap<Question, bool>,
    restarts: u64,
    refinements: Refinements,
    /// Refinements of a part of a path.
    local: u64,
    forced: u64,
    /// Statistics.
    pub stats: Statistics,
}

impl<'r, 't, 'a, 'p, 'b> Search<'r, 't, 'a, 'p, 'b> {
    /// A search that has not begun.
    pub fn new(
        cpa: &'r mut PredicateCpa<'p, 'b>,
        refiner: &'r mut PredicateRefiner<'t, 'a, 'p>,
        order: Order,
        forced_attempts: usize,
        budget: &'r Budget,
        progress: &'r dyn Progress,
    ) -> Self {
        Self {
            cpa,
            refiner,
            tree: Unwinding::default(),
            waitlist: Waitlist::new(order),
            forced_attempts,
            budget,
            progress,
            open: OpenPaths::default(),
            open_ends: FxHashSet::default(),
            hints: FxHashMap::default(),
            known: FxHashMap::default(),
            restarts: 0,
            refinements: Refinements::default(),
            local: 0,
            forced: 0,
            stats: Statistics::default(),
        }
    }

    /// Runs until there is an answer.
    pub fn run(&mut self) -> Answer {
        self.progress.event(Event::Phase("unwind"));
        let answer = loop {
            match self.unwind() {
                Ok(answer) => break answer,
                Err(Fault::Ended(error)) => break Answer::Unknown(error.reason(self.budget)),
                Err(Fault::Stale) => {
                    self.restarts += 1;
                    self.tree.restart();
                    self.waitlist.clear();
                    self.open = OpenPaths::default();
                    self.open_ends.clear();
                    self.known.clear();
                }
            }
        };
        self.stats.count("impact.refinements", self.refinements.count);
        self.stats.count("impact.local", self.local);
        self.stats.count("impact.vertices", self.tree.arg.len());
        self.stats.count("impact.covered", self.tree.covered);
        self.stats.count("impact.forced", self.forced);
        self.stats.count("impact.uncovered", self.tree.uncovered);
        self.stats.count("impact.restarts", self.restarts);
        self.refinements.add_iterations(&mut self.stats);
        answer
    }

    fn unwind(&mut self) -> Result<Answer, Fault> {
        let initial = self.cpa.initial(&PredicatePrecision::default());
        self.tree.add(initial.start(), None, 0);
        self.wake();
        while let Some(node) = self.waitlist.pop() {
            self.budget.check()?;
            if self.tree.arg.status(node) != Status::Waiting {
                continue;
            }
            if !self.close(node)?
                && !self.force(node)?
                && let Some(answer) = self.expand(node)?
            {
                return Ok(answer);
            }
            self.wake();
        }
        if let Some(reason) = self.open.take_reason() {
            return Ok(Answer::Unknown(reason));
        }
        match self.tree.is_complete() {
            true => Ok(Answer::Proved),
            false => Ok(Answer::Unknown(StopReason::Internal { detail: "the unwinding is not complete".into() })),
        }
    }

    fn wake(&mut self) {
        for node in self.tree.take_woken() {
            if self.tree.arg.status(node) == Status::Waiting {
                let rank = self.cpa.rank(&self.state(self.tree.arg.state(node).start));
                self.waitlist.push(node, rank);
            }
        }
    }

    fn state(&self, start: Start) -> PredicateState {
        let (at, abstraction) = (start.at, self.cpa.bdds.tru());
        let strategy = self.cpa.strategies.current();
        let At { loc, stack, observer } = at;
        PredicateState { loc, stack, observer, shape: start.shape, abstraction, strategy }
    }

    /// The block before a vertex and its end there.
    fn block_before(&mut self, parent: NodeId, node: NodeId) -> Result<(Rc<Block>, usize), Fault> {
        let block = self.cpa.block(self.tree.arg.state(parent).start, self.cpa.strategies.current())?;
        let end = self.cpa.end_of(&block, self.tree.arg.node(node).choice).ok_or(Fault::Stale)?;
        match Some(block.ends[end].shape) == self.tree.arg.state(node).start.shape {
            true => Ok((block, end)),
            false => Err(Fault::Stale),
        }
    }

    /// Which of some facts hold at a vertex, as far as its label and that of its parent tell; none if no run reaches it.
    fn implied(&mut self, parent: NodeId, node: NodeId, facts: &[TermId]) -> Result<Option<Vec<bool>>, Fault> {
        let (block, end) = self.block_before(parent, node)?;
        let terms = &mut self.cpa.enc.terms;
        let (before, label) = (self.tree.label(terms, parent), self.tree.label(terms, node));
        let choice = self.tree.arg.node(node).choice;
        let question = |fact: TermId| (block.start, choice, before, label, fact);
        let open: Vec<TermId> =
            facts.iter().copied().filter(|fact| !self.known.contains_key(&question(*fact))).collect();
        if !open.is_empty() {
            let label = self.tree.facts(node).to_vec();
            let Some(holds) = self.cpa.implied(&block, end, before, &label, &open)? else { return Ok(None) };
            self.known.extend(open.iter().map(|fact| question(*fact)).zip(holds));
        }
        Ok(Some(facts.iter().map(|fact| self.known.get(&question(*fact)) == Some(&true)).collect()))
    }

    /// Tries to cover a vertex by an older one whose facts follow from one block; whether it need not be expanded.
    fn close(&mut self, node: NodeId) -> Result<bool, Fault> {
        let Some(parent) = self.tree.arg.parent(node) else { return Ok(false) };
        let older = self.tree.older(&self.cpa.enc.terms, node);
        let has_all = |tree: &Unwinding, upper: &NodeId, more: &FxHashSet<TermId>| {
            tree.facts(*upper).iter().all(|fact| tree.facts(node).contains(fact) || more.contains(fact))
        };
        let mut more = FxHashSet::default();
        if let Some(upper) = older.iter().find(|upper| has_all(&self.tree, upper, &more)) {
            self.tree.cover(node, *upper);
            return Ok(true);
        }
        let waits = self.tree.arg.status(node) == Status::Waiting;
        let hints = self.hints.get(&self.tree.arg.state(node).start).filter(|_| waits).cloned().unwrap_or_default();
        let mut facts: Vec<TermId> = Vec::new();
        let mut seen: FxHashSet<TermId> = self.tree.facts(node).iter().copied().collect();
        for upper in &older {
            facts.extend(self.tree.facts(*upper).iter().copied().filter(|fact| seen.insert(*fact)));
        }
        facts.extend(hints.iter().copied().filter(|fact| seen.insert(*fact)));
        if facts.is_empty() {
            return Ok(false);
        }
        let Some(holds) = self.implied(parent, node, &facts)? else {
            self.tree.kill(&self.cpa.enc.terms, node);
            return Ok(true);
        };
        more.extend(facts.iter().zip(&holds).filter(|(_, holds)| **holds).map(|(fact, _)| *fact));
        let held: Vec<TermId> = hints.into_iter().filter(|hint| more.contains(hint)).collect();
        self.tree.strengthen(node, &held);
        let Some(upper) = older.into_iter().find(|upper| has_all(&self.tree, upper, &more)) else { return Ok(false) };
        let facts = self.tree.facts(upper).to_vec();
        self.tree.strengthen(node, &facts);
        self.tree.cover(node, upper);
        Ok(true)
    }

    /// Tries to cover a vertex by force: whether the facts of an older one follow from the path to it.
    fn force(&mut self, node: NodeId) -> Result<bool, Fault> {
        if self.tree.arg.parent(node).is_none() || self.forced_attempts == 0 {
            return Ok(false);
        }
        let mut older = self.tree.older(&self.cpa.enc.terms, node);
        older.retain(|upper| self.tree.arg.status(*upper) == Status::Expanded && !self.tree.facts(*upper).is_empty());
        let ancestors: FxHashSet<NodeId> = self.tree.arg.path_to(node).into_iter().collect();
        // Ancestors first, because that closes loops; then the youngest ones.
        older.sort_by_key(|upper| (ancestors.contains(upper), self.tree.arg.state(*upper).born));
        for upper in older.into_iter().rev().take(self.forced_attempts) {
            let path = self.tree.path_from_common(node, upper);
            if (3..=MAX_FORCED).contains(&path.len()) && self.force_by(&path, node, upper)? {
                self.forced += 1;
                return Ok(true);
            }
            if self.tree.arg.status(node) != Status::Waiting {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn force_by(&mut self, path: &[NodeId], node: NodeId, upper: NodeId) -> Result<bool, Fault> {
        let terms = &mut self.cpa.enc.terms;
        let before = self.tree.label(terms, path[0]);
        let label = self.tree.label(terms, upper);
        let ends = Ends { before: Some(before), after: Some(terms.not(label)) };
        let formula = self.formula(path, None, ends)?;
        let Checked::Infeasible = self.refiner.check(self.cpa, &formula.conjuncts())? else { return Ok(false) };
        let Ok(refutation) = self.refiner.refute(&mut self.cpa.enc.terms, &formula, |_, _| true)? else {
            return Ok(false);
        };
        self.learn(path, &formula, &refutation.itps)?;
        let live = |id: NodeId| matches!(self.tree.arg.status(id), Status::Waiting | Status::Expanded);
        if self.tree.arg.status(node) != Status::Waiting || !live(upper) {
            return Ok(false);
        }
        let facts = self.tree.facts(upper).to_vec();
        self.tree.strengthen(node, &facts);
        self.tree.cover(node, upper);
        Ok(true)
    }

    /// The formula of a path of vertices, and of one more block at its end.
    fn formula(&mut self, path: &[NodeId], last: Option<u32>, ends: Ends) -> Result<PathFormula, Fault> {
        let starts: Vec<Start> = path.iter().map(|node| self.tree.arg.state(*node).start).collect();
        let choices: Vec<u32> = path.iter().skip(1).map(|node| self.tree.arg.node(*node).choice).chain(last).collect();
        PathFormula::between(self.cpa, &starts, &choices, ends)?.ok_or(Fault::Stale)
    }

    /// Adds interpolants to the labels of a path, from its second vertex on, and closes what has become stronger.
    fn learn(&mut self, path: &[NodeId], formula: &PathFormula, itps: &[TermId]) -> Result<(), Fault> {
        let mut changed = Vec::new();
        for (cut, (node, itp)) in path.iter().skip(1).zip(itps).enumerate() {
            let itp = formula.canonical(&mut self.cpa.enc.terms, cut, *itp);
            if self.cpa.enc.terms.is_false(itp) {
                self.tree.kill(&self.cpa.enc.terms, *node);
                break;
            }
            let facts: Vec<TermId> = conjuncts_of(&self.cpa.enc.terms, itp)
                .into_iter()
                .filter(|fact| !self.tree.facts(*node).contains(fact))
                .collect();
            if facts.is_empty() {
                continue;
            }
            self.tree.strengthen(*node, &facts);
            changed.push(*node);
            let start = self.tree.arg.state(*node).start;
            for atom in atoms_of(&mut self.cpa.enc.terms, itp, AtomLimits::default()) {
                let known = self.tree.facts(*node).to_vec();
                let guesses = self.refiner.guesses(&mut self.cpa.enc.terms, start.at.loc, atom, &known);
                self.hints.entry(start).or_default().extend(guesses);
            }
        }
        for node in changed {
            if matches!(self.tree.arg.status(node), Status::Waiting | Status::Expanded) && self.close(node)? {
                break;
            }
        }
        Ok(())
    }

    /// Adds the vertices that follow; an answer ends the search.
    fn expand(&mut self, node: NodeId) -> Result<Option<Answer>, Fault> {
        let start = self.tree.arg.state(node).start;
        let block = self.cpa.block(start, self.cpa.strategies.current())?;
        for (index, end) in block.ends.iter().enumerate() {
            let Some(target) = end.target else { continue };
            let choice = self.cpa.choice(end);
            if !self.reaches(node, &block, index)? {
                continue;
            }
            if let Some(answer) = self.target(node, choice, target)? {
                return Ok(Some(answer));
            }
            if self.tree.arg.status(node) != Status::Waiting {
                return Ok(None);
            }
        }
        let mut next = Vec::new();
        for (index, end) in block.ends.iter().enumerate() {
            if end.target.is_none() && self.reaches(node, &block, index)? {
                let start = Start { at: end.at, shape: Some(end.shape) };
                let rank = self.cpa.rank(&self.state(start));
                next.push((rank.depth, std::cmp::Reverse(rank.position), start, self.cpa.choice(end)));
            }
        }
        // The last one comes first: inner loops before outer ones.
        next.sort_by_key(|(depth, position, ..)| (*depth, *position));
        for (.., start, choice) in next {
            self.tree.add(start, Some(node), choice);
        }
        self.tree.arg.set_status(node, Status::Expanded);
        Ok(None)
    }

    fn reaches(&mut self, node: NodeId, block: &Block, end: usize) -> Result<bool, Fault> {
        let before = self.tree.label(&mut self.cpa.enc.terms, node);
        Ok(self.cpa.implied(block, end, before, &[], &[])?.is_some())
    }

    /// Looks at the path to a target behind a vertex; an answer ends the search.
    fn target(&mut self, node: NodeId, choice: u32, target: Target) -> Result<Option<Answer>, Fault> {
        let key = (self.tree.arg.state(node).born, choice);
        if self.open_ends.contains(&key) {
            return Ok(None);
        }
        let began = Instant::now();
        let path = self.tree.arg.path_to(node);
        if self.refute_suffix(&path, choice)? {
            self.note_refinement(path.len(), began);
            return Ok(None);
        }
        let formula = self.formula(&path, Some(choice), Ends::default())?;
        let open = match self.refiner.check(self.cpa, &formula.conjuncts())? {
            Checked::Feasible(model) => match self.refiner.replay(self.cpa, &formula, &model, &path, target)? {
                Refinement::Feasible(counterexample) => return Ok(Some(Answer::Refuted(counterexample))),
                Refinement::Open(reason) => reason,
                // All vertices take the same strategies.
                Refinement::Reselected { .. } => return Err(Fault::Stale),
                Refinement::Spurious { .. }
                | Refinement::Followed { .. }
                | Refinement::Deferred
                | Refinement::NoProgress => StopReason::NoProgress,
            },
            Checked::Unknown(reason) => reason,
            Checked::Infeasible => match self.refiner.refute(&mut self.cpa.enc.terms, &formula, |_, _| true)? {
                Ok(refutation) => {
                    self.learn(&path, &formula, &refutation.itps)?;
                    self.note_refinement(path.len(), began);
                    return Ok(None);
                }
                Err(reason) => reason,
            },
        };
        self.open_ends.insert(key);
        Ok(self.open.add(open).map(Answer::Unknown))
    }

    /// Refutes an error path by a part of it at its end and the label where that part begins, if a short one is enough.
    fn refute_suffix(&mut self, path: &[NodeId], choice: u32) -> Result<bool, Fault> {
        let mut len = 1;
        while 2 * len < path.len() {
            let suffix = &path[path.len() - len - 1..];
            let before = self.tree.label(&mut self.cpa.enc.terms, suffix[0]);
            let formula = self.formula(suffix, Some(choice), Ends { before: Some(before), after: None })?;
            if let Checked::Infeasible = self.refiner.check(self.cpa, &formula.conjuncts())? {
                let refuted = self.refiner.refute(&mut self.cpa.enc.terms, &formula, |_, _| true)?;
                if let Ok(refutation) = &refuted {
                    self.learn(suffix, &formula, &refutation.itps)?;
                    self.local += 1;
                }
                return Ok(refuted.is_ok());
            }
            len *= 2;
        }
        Ok(false)
    }

    fn note_refinement(&mut self, path: usize, began: Instant) {
        self.refinements.count += 1;
        let vertices = self.tree.arg.len();
        let values = vec![
            ("path", StatValue::Count(path as u64)),
            ("vertices", StatValue::Count(vertices as u64)),
            ("covered", StatValue::Count(self.tree.covered)),
        ];
        self.refinements.list(values, began, self.progress, &format!("{vertices} vertices"));
    }
}

//! The reachability algorithm of configurable program analysis with precisions [beyer08; loewe13, Alg. 1].
//!
//! ```text
//! while waitlist is not empty
//!   choose (e, π) from waitlist and remove it           -- `explore`
//!   for each e' with e ~> (e', π)                        -- `Cpa::transfer`, which also adjusts to the precision
//!     for each (e'', π'') in reached                     -- `merge_into`, only if the analysis merges
//!       e_new := merge(e', e'', π')
//!       if e_new ≠ e'' replace e'' by e_new in reached and waitlist
//!     if not stop(e', reached)                           -- `find_cover`
//!       add e' to waitlist and reached
//! ```
//! The first target state interrupts the loop; calling `explore` again goes on with it. Precisions are not kept with the states:
//! there is one for the program, and it says for each location what is tracked there.
//!
//! # Calls whose stack is abstracted
//!
//! [somorjai23] pops a procedure from the stack where one of its instances was explored from a state that covers this one ([`Cpa::calls`]).
//! Here the instances of a procedure are explored on a stack of their own, so that `⊑_A`, coverage up to the rest of the
//! stack, is plain coverage there; and instead of leaving open what the procedure does, a call has one successor for each exit of the
//! procedure that is reached ([`Cpa::transfer_over`]). An exit that is new makes all calls of its procedure wait again.
//!
//! A complete graph is closed: each call has an entry among its successors or a node that covers it, and for each exit of the procedure that
//! is not covered a successor, unless none is possible. By induction on the number of steps, each run is in the graph: a run
//! that enters a call begins in the entry; the run of the body up to its return is shorter, so it ends in some
//! exit, or in one that covers it; and the call has a successor for that one. Exits of all instances count, which is more than
//! each call needs.

use crate::arg::{Arg, NodeId, Status};
use crate::cpa::{AnalysisError, Cpa, Merged, Successor, Target};
use crate::reached::Reached;
use crate::waitlist::{Order, Waitlist};
use base::{Budget, Effort};
use cfa::FuncId;
use outcome::StopReason;
use std::collections::BTreeMap;

/// What became of the successors of a node.
enum Added {
    /// They are in the graph.
    All,
    /// This one ends the search; others may be missing.
    Target(NodeId, Target),
    /// A state at or above the node became larger and is explored again.
    Obsolete,
}

/// Calls of a procedure whose stack is abstracted, and its exits.
#[derive(Clone, Default)]
struct Instances {
    calls: Vec<NodeId>,
    exits: Vec<NodeId>,
}

/// An exploration: graph, reached set and waitlist.
pub struct Reachability<C: Cpa> {
    /// The graph.
    pub arg: Arg<C::State>,
    reached: Reached,
    waitlist: Waitlist,
    /// By procedure: what is known of its calls.
    procedures: BTreeMap<FuncId, Instances>,
    /// Procedures with new exits.
    grown: Vec<FuncId>,
    /// Abstract successors computed so far.
    pub successors: u64,
    /// Most of these; `None` for any number.
    pub most_successors: Option<u64>,
    out: Vec<Successor<C::State>>,
    keys: Vec<C::Key>,
}

/// Of which successors a transfer relation is asked.
#[derive(Debug)]
pub struct From<'s, S> {
    /// The node.
    pub node: NodeId,
    /// Set if the node is a call whose stack is abstracted, and these are the successors behind it: where the procedure ends.
    pub exit: Option<&'s S>,
}

/// Appends the successors of a node, which has this state.
pub type Transfer<'t, C> = &'t mut (
            dyn FnMut(
    &mut C,
    From<'_, <C as Cpa>::State>,
    &<C as Cpa>::State,
    &mut Vec<Successor<<C as Cpa>::State>>,
) -> Result<(), AnalysisError>
                + 't
        );

impl<C: Cpa> Clone for Reachability<C> {
    fn clone(&self) -> Self {
        Self {
            arg: self.arg.clone(),
            reached: self.reached.clone(),
            waitlist: self.waitlist.clone(),
            procedures: self.procedures.clone(),
            grown: self.grown.clone(),
            successors: 0,
            most_successors: None,
            out: Vec::new(),
            keys: Vec::new(),
        }
    }
}

impl<C: Cpa> Reachability<C> {
    /// An exploration that has not begun.
    pub fn new(order: Order) -> Self {
        Self {
            arg: Arg::default(),
            reached: Reached::default(),
            waitlist: Waitlist::new(order),
            procedures: BTreeMap::new(),
            grown: Vec::new(),
            successors: 0,
            most_successors: None,
            out: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// Explores until a target is reached or nothing is left to explore.
    ///
    /// # Errors
    /// When the budget ends or the domain can't go on.
    pub fn explore(
        &mut self,
        cpa: &mut C,
        precision: &C::Precision,
        budget: &Budget,
    ) -> Result<Option<(NodeId, Target)>, AnalysisError> {
        self.begin_once(cpa, precision);
        self.explore_with(cpa, budget, &mut |cpa, from, state, out| match from.exit {
            None => cpa.transfer(state, precision, out),
            Some(exit) => cpa.transfer_over(state, exit, precision, out),
        })
    }

    /// Makes the initial state the root of the graph, if it is empty.
    pub fn begin_once(&mut self, cpa: &mut C, precision: &C::Precision) {
        if self.arg.is_empty() {
            let initial = cpa.initial(precision);
            self.begin(cpa, initial);
        }
    }

    /// Makes a state the root of the graph, which is empty.
    pub fn begin(&mut self, cpa: &mut C, state: C::State) {
        let root = self.arg.add(state, None, 0);
        self.file(cpa, root);
        self.wait(cpa, root);
    }

    /// As [`Reachability::explore`], with another transfer relation; there is a root already.
    ///
    /// # Errors
    /// When the budget ends or the transfer can't go on.
    pub fn explore_with(
        &mut self,
        cpa: &mut C,
        budget: &Budget,
        transfer: Transfer<'_, C>,
    ) -> Result<Option<(NodeId, Target)>, AnalysisError> {
        while let Some(node) = self.waitlist.pop() {
            if self.arg.status(node) != Status::Waiting {
                continue;
            }
            if let Err(stop) = budget.check() {
                self.wait(cpa, node);
                return Err(stop.into());
            }
            if self.most_successors.is_some_and(|most| self.successors > most) {
                self.wait(cpa, node);
                return Err(AnalysisError::Failed(StopReason::TooLarge {
                    what: "the graph of abstract states".into(),
                }));
            }
            // A node that was uncovered, or whose cover came after it, may be covered now.
            if self.arg.children(node).next().is_none()
                && let Some(cover) = self.find_cover(cpa, node)?
            {
                self.reached.remove(cpa, &self.arg, node);
                self.arg.cover(node, cover);
                continue;
            }
            let before = self.successors;
            let found = self.expand(cpa, transfer, node);
            budget.spend(Effort::units(self.successors - before));
            self.resume_calls(cpa);
            if let Some(target) = found? {
                return Ok(Some(target));
            }
        }
        Ok(None)
    }

    /// Adds the successors of a node that are not there yet. A target among them is returned; then the node goes on waiting,
    /// as there may be more.
    fn expand(
        &mut self,
        cpa: &mut C,
        transfer: Transfer<'_, C>,
        node: NodeId,
    ) -> Result<Option<(NodeId, Target)>, AnalysisError> {
        let mut out = std::mem::take(&mut self.out);
        out.clear();
        let state = self.arg.state(node).clone();
        let result = transfer(cpa, From { node, exit: None }, &state, &mut out);
        if let Err(error) = result {
            self.wait(cpa, node);
            return Err(error);
        }
        let mut added = self.add_successors(cpa, node, None, &mut out)?;
        if let Some(func) = cpa.calls(&state) {
            let instances = self.procedures.entry(func).or_default();
            if !instances.calls.contains(&node) {
                instances.calls.push(node);
            }
            for exit in instances.exits.clone() {
                let is_reached = matches!(self.arg.status(exit), Status::Waiting | Status::Expanded);
                if !is_reached || !matches!(added, Added::All) {
                    continue;
                }
                out.clear();
                let exit_state = self.arg.state(exit).clone();
                let from = From { node, exit: Some(&exit_state) };
                if let Err(error) = transfer(cpa, from, &state, &mut out) {
                    self.wait(cpa, node);
                    return Err(error);
                }
                added = self.add_successors(cpa, node, Some(exit), &mut out)?;
            }
        }
        self.out = out;
        Ok(match added {
            Added::All => {
                self.arg.set_status(node, Status::Expanded);
                None
            }
            Added::Target(child, target) => {
                self.wait(cpa, node);
                Some((child, target))
            }
            Added::Obsolete => None,
        })
    }

    /// Adds those successors that are not there yet, and that rest on an exit if they lie behind a call.
    fn add_successors(
        &mut self,
        cpa: &mut C,
        node: NodeId,
        exit: Option<NodeId>,
        out: &mut Vec<Successor<C::State>>,
    ) -> Result<Added, AnalysisError> {
        self.successors += out.len() as u64;
        let same_exit = |child: &NodeId| self.arg.rests_on(*child) == exit;
        let known: Vec<u32> =
            self.arg.children(node).filter(same_exit).map(|child| self.arg.node(child).choice).collect();
        let mut found = None;
        for successor in out.drain(..) {
            if known.contains(&successor.choice) {
                continue;
            }
            let Successor { state, choice, target } = successor;
            if target.is_some() && found.is_some() {
                // Left for the next time.
                continue;
            }
            let child = self.arg.add(state, Some(node), choice);
            if let Some(exit) = exit {
                self.arg.rest(child, exit);
            }
            if let Some(target) = target {
                self.arg.set_status(child, Status::Target);
                found = Some((child, target));
                continue;
            }
            if C::MERGES {
                self.merge_into(cpa, child);
                if self.arg.status(child) == Status::Removed {
                    return Ok(Added::Obsolete);
                }
            }
            match self.find_cover(cpa, child)? {
                Some(cover) => self.arg.cover(child, cover),
                None => {
                    self.file(cpa, child);
                    self.wait(cpa, child);
                }
            }
        }
        Ok(found.map_or(Added::All, |(child, target)| Added::Target(child, target)))
    }

    /// Calls of procedures with new exits have to be expanded again.
    fn resume_calls(&mut self, cpa: &C) {
        for func in std::mem::take(&mut self.grown) {
            let calls = self.procedures.get(&func).map(|instances| instances.calls.clone()).unwrap_or_default();
            for call in calls {
                if self.arg.status(call) == Status::Expanded {
                    self.wait(cpa, call);
                }
            }
        }
    }

    /// A reached node, other than this one, that covers it.
    fn find_cover(&mut self, cpa: &mut C, node: NodeId) -> Result<Option<NodeId>, AnalysisError> {
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        cpa.covering_keys(self.arg.state(node), &mut keys);
        let mut found = None;
        'search: for key in &keys {
            let mut candidates = self.reached.with_key(cpa, &self.arg, key).filter(|n| *n != node);
            // Keys decide nearly everything, so there is hardly ever more than one candidate.
            let first = candidates.next();
            let rest: Vec<NodeId> = candidates.collect();
            for upper in first.into_iter().chain(rest) {
                let (lower_state, upper_state) = (self.arg.state(node).clone(), self.arg.state(upper).clone());
                if cpa.leq(&lower_state, &upper_state)? {
                    found = Some(upper);
                    break 'search;
                }
            }
        }
        self.keys = keys;
        Ok(found)
    }

    /// Merges the state of a new node into the reached states with its key.
    fn merge_into(&mut self, cpa: &mut C, new: NodeId) {
        let key = cpa.key(self.arg.state(new));
        let old: Vec<NodeId> = self.reached.with_key(cpa, &self.arg, &key).collect();
        for old in old {
            // A merge may have removed what is below a node: others of the key, and the new one.
            if [old, new].iter().any(|node| self.arg.status(*node) == Status::Removed) {
                continue;
            }
            if let Merged::Into(state) = cpa.merge(self.arg.state(new), self.arg.state(old)) {
                self.reached.remove(cpa, &self.arg, old);
                self.arg.set_state(old, state);
                self.drop_children(cpa, old);
                self.file(cpa, old);
                self.requeue(cpa, old);
            }
        }
    }

    fn drop_children(&mut self, cpa: &mut C, node: NodeId) {
        let children: Vec<NodeId> = self.arg.children(node).collect();
        for child in children {
            self.remove_subtree(cpa, child);
        }
    }

    fn file(&mut self, cpa: &mut C, node: NodeId) {
        cpa.file(self.arg.state(node));
        if let Some(func) = cpa.returns(self.arg.state(node)) {
            let exits = &mut self.procedures.entry(func).or_default().exits;
            if !exits.contains(&node) {
                exits.push(node);
            }
            self.grown.push(func);
        }
        self.reached.insert(cpa, &self.arg, node);
    }

    fn wait(&mut self, cpa: &C, node: NodeId) {
        self.arg.set_status(node, Status::Waiting);
        self.waitlist.push(node, cpa.rank(self.arg.state(node)));
    }

    /// Puts a node of the graph back on the waitlist; successors that it has stay.
    pub fn requeue(&mut self, cpa: &C, node: NodeId) {
        if self.arg.status(node) != Status::Removed {
            self.wait(cpa, node);
        }
    }

    /// Gives a node another state with the same key, and explores everything below it again.
    pub fn replace_state(&mut self, cpa: &mut C, node: NodeId, state: C::State) {
        self.reached.remove(cpa, &self.arg, node);
        self.arg.set_state(node, state);
        self.drop_children(cpa, node);
        self.file(cpa, node);
        self.wait(cpa, node);
    }

    /// Removes a node and everything below it, and what rests on exits among that; what was covered by it waits again. Its
    /// parent is not put on the waitlist.
    pub fn remove_subtree(&mut self, cpa: &mut C, node: NodeId) {
        let mut obsolete = vec![node];
        let mut waiting = Vec::new();
        while let Some(node) = obsolete.pop() {
            if self.arg.status(node) == Status::Removed {
                continue;
            }
            let (mut removed, mut uncovered) = (Vec::new(), Vec::new());
            let filed = self.filed_below(node);
            for id in filed {
                self.reached.remove(cpa, &self.arg, id);
            }
            self.arg.remove_subtree(node, &mut removed, &mut uncovered);
            obsolete.extend(self.arg.unsupported(&removed));
            for instances in self.procedures.values_mut() {
                instances.calls.retain(|id| self.arg.status(*id) != Status::Removed);
                instances.exits.retain(|id| self.arg.status(*id) != Status::Removed);
            }
            waiting.extend(uncovered);
        }
        for id in waiting {
            if self.arg.status(id) == Status::Waiting {
                self.file(cpa, id);
                self.wait(cpa, id);
            }
        }
    }

    fn filed_below(&self, node: NodeId) -> Vec<NodeId> {
        let mut all = vec![node];
        let mut next = 0;
        while next < all.len() {
            all.extend(self.arg.children(all[next]));
            next += 1;
        }
        all.retain(|id| matches!(self.arg.status(*id), Status::Waiting | Status::Expanded));
        all
    }

    /// Forgets everything that was explored.
    pub fn restart(&mut self) {
        self.arg = Arg::default();
        self.reached.clear();
        self.waitlist.clear();
        self.procedures.clear();
        self.grown.clear();
    }

    /// Bytes that graph and reached set take.
    pub fn bytes(&self) -> usize {
        self.arg.bytes() + self.reached.bytes() + self.waitlist.len() * size_of::<(u64, u64, NodeId)>()
    }
}

//! Builds alternative bodies of loops out of copies of their automata.

use super::Choice;
use super::clone::Clones;
use super::facts::{Facts, Havocked, LoopFacts, Watched};
use base::Span;
use cfa::expr::ExprKind;
use cfa::op::{HavocSource, Op, Reach};
use cfa::program::{Edge, EdgeId, LocId, Program};
use cfa::value::Scalar;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a copied edge leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route {
    /// To the copy of its target.
    Inside,
    /// To this location.
    To(LocId),
    /// Nowhere: it is not copied.
    Cut,
}

/// What a copy does with what may violate the property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Violations {
    /// It is kept.
    Keep,
    /// It is assumed not to happen.
    Exclude,
}

/// An alternative body that is being built.
pub struct Body<'b> {
    /// The program with what was added.
    pub program: &'b mut Program,
    facts: &'b Facts<'b>,
    loop_: &'b LoopFacts<'b>,
    /// Locations of the loop.
    pub members: &'b [LocId],
    inside: FxHashSet<LocId>,
    choices: &'b mut Vec<Choice>,
    clones: &'b mut Clones,
    added: Vec<LocId>,
}

impl<'b> Body<'b> {
    /// An empty body.
    pub(super) fn new(
        program: &'b mut Program,
        facts: &'b Facts<'b>,
        loop_: &'b LoopFacts<'b>,
        members: &'b [LocId],
        choices: &'b mut Vec<Choice>,
        clones: &'b mut Clones,
    ) -> Self {
        let inside = members.iter().copied().collect();
        Self { program, facts, loop_, members, inside, choices, clones, added: Vec::new() }
    }

    /// A new location.
    pub fn loc(&mut self) -> LocId {
        let loc = self.program.add_loc(self.loop_.l.func);
        self.added.push(loc);
        loc
    }

    /// A new edge.
    pub fn edge(&mut self, src: LocId, dst: LocId, op: Op) -> EdgeId {
        self.program.add_edge(src, dst, op, self.loop_.span)
    }

    /// The locations from which a round only tests conditions ([`LoopFacts::tests`]).
    pub fn tests(&self) -> Vec<LocId> {
        let is_choice = |loc: LocId| self.choices.iter().any(|c| c.at == loc);
        self.loop_.tests(self.program, self.facts, &self.inside, is_choice)
    }

    /// Whether the edge may violate the property.
    pub fn may_violate(&self, edge: EdgeId) -> bool {
        self.facts.watched(self.program, edge) != Watched::No
    }

    /// Copies locations and the edges out of them; returns the copy of each. Edges that end a run do so in the copy; edges to
    /// the head are offered to `route` as all others, and `Inside` means the head's copy.
    ///
    /// Returns nothing if violations can't be excluded.
    pub fn copy(
        &mut self,
        locs: &[LocId],
        violations: Violations,
        mut route: impl FnMut(EdgeId, &Edge) -> Route,
    ) -> Option<FxHashMap<LocId, LocId>> {
        let mut copies = FxHashMap::default();
        for loc in locs {
            let copy = self.loc();
            self.program.locs[copy].labels = self.program.locs[*loc].labels.clone();
            copies.insert(*loc, copy);
        }
        let mut edges: FxHashMap<EdgeId, EdgeId> = FxHashMap::default();
        for loc in locs {
            for id in self.program.locs[*loc].out.clone() {
                let edge = self.program.edges[id].clone();
                let mut op = edge.op.clone();
                if violations == Violations::Exclude && self.facts.watched(self.program, id) != Watched::No {
                    match &mut op {
                        Op::Call { func, .. } if !self.facts.steps(self.program, id) => {
                            *func = self.clones.harmless(self.program, self.facts, *func)?;
                        }
                        _ => continue,
                    }
                }
                let dst = if edge.op.ends_path() {
                    edge.dst
                } else {
                    match route(id, &edge) {
                        Route::Inside => copies.get(&edge.dst).copied()?,
                        Route::To(loc) => loc,
                        // A run that comes to its end here may still violate the property on the way.
                        Route::Cut if self.facts.watched(self.program, id) != Watched::No => {
                            let end = self.loc();
                            self.program.locs[end].labels = self.program.locs[edge.dst].labels.clone();
                            end
                        }
                        Route::Cut => continue,
                    }
                };
                let new = self.program.add_edge(copies[loc], dst, op, edge.span);
                edges.insert(id, new);
            }
        }
        for i in 0..self.choices.len() {
            let choice = &self.choices[i];
            let (Some(at), Some(base)) = (copies.get(&choice.at), edges.get(&choice.base)) else { continue };
            let enter = choice.enter.iter().filter_map(|(s, edge)| Some((*s, *edges.get(edge)?))).collect();
            let copy = Choice { at: *at, head: choice.head, span: choice.span, base: *base, enter };
            self.choices.push(copy);
        }
        Some(copies)
    }

    /// Edges that give arbitrary values to what the loop may modify, from a new location to `end`.
    pub fn havoc(&mut self, end: LocId) -> LocId {
        let first = self.loc();
        let mut at = first;
        let parts = self.loop_.havocked.clone();
        for part in parts {
            let next = self.loc();
            let op = match part {
                Havocked::Register(dst) => Op::Havoc { dst, source: HavocSource::Uninitialised },
                Havocked::Memory(var, len) => {
                    let dst = self.program.exprs.add(ExprKind::AddrOf(var), Scalar::Ptr);
                    Op::MemHavoc { dst, len: Reach::Bytes(len), source: HavocSource::Uninitialised }
                }
            };
            self.edge(at, next, op);
            at = next;
        }
        self.edge(at, end, Op::Skip);
        first
    }

    /// Ends building: removes what leads neither out of the body nor to a violation. Returns what is left.
    pub(super) fn finish(self, entry: LocId) -> Vec<LocId> {
        let Body { program, facts, added, .. } = self;
        let new: FxHashSet<LocId> = added.iter().copied().collect();
        let mut useful: FxHashSet<LocId> = FxHashSet::default();
        let mut work = Vec::new();
        for loc in &added {
            let matters = |e: &EdgeId| {
                let edge = &program.edges[*e];
                (!edge.op.ends_path() && !new.contains(&edge.dst)) || facts.watched(program, *e) != Watched::No
            };
            if program.locs[*loc].out.iter().any(matters) && useful.insert(*loc) {
                work.push(*loc);
            }
        }
        while let Some(loc) = work.pop() {
            for edge in &program.locs[loc].inc {
                let src = program.edges[*edge].src;
                if new.contains(&src) && useful.insert(src) {
                    work.push(src);
                }
            }
        }
        useful.insert(entry);
        for loc in &added {
            if useful.contains(loc) {
                for id in program.locs[*loc].out.clone() {
                    let edge = &program.edges[id];
                    let leads_nowhere = new.contains(&edge.dst) && !useful.contains(&edge.dst);
                    if leads_nowhere && !edge.op.ends_path() && facts.watched(program, id) == Watched::No {
                        crate::edges::detach(program, id);
                    }
                }
            }
        }
        for loc in added.iter().filter(|loc| !useful.contains(loc)) {
            for id in program.locs[*loc].out.clone() {
                crate::edges::detach(program, id);
            }
        }
        added.into_iter().filter(|loc| useful.contains(loc)).collect()
    }

    /// The loop's span.
    pub fn span(&self) -> Span {
        self.loop_.span
    }
}

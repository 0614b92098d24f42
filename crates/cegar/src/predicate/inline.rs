//! Paths with calls whose stack is abstracted, and what their procedures do on them.
//!
//! A step of a path is a call if the node behind it rests on an exit. The exit's own path in the graph, from the entry of its
//! instance, tells one way in which the procedure may have run ([`Piece`]); [`Inlined`] is its formula.

use super::variables::is_canonical;
use analysis::{AnalysisError, Arg, NodeId};
use cfa::EdgeId;
use domains::predicate::block::{Block, ENTERED};
use domains::predicate::{PredicateCpa, PredicateState};
use rustc_hash::FxHashMap;
use smt::{Substitution, TermId, vars_of};
use std::rc::Rc;

/// Most steps of a path with all of its calls.
const MAX_STEPS: usize = 4000;

/// A part of a path, with the parts that its calls are.
pub struct Piece {
    /// Nodes.
    pub nodes: Vec<NodeId>,
    /// For each step, the run of the procedure if it is a call.
    pub calls: Vec<Option<Piece>>,
}

impl Piece {
    /// The path of some nodes; none if it has too many steps.
    pub fn new(cpa: &PredicateCpa<'_, '_>, arg: &Arg<PredicateState>, nodes: Vec<NodeId>) -> Option<Self> {
        Self::limited(cpa, arg, nodes, &mut 0)
    }

    fn limited(
        cpa: &PredicateCpa<'_, '_>,
        arg: &Arg<PredicateState>,
        nodes: Vec<NodeId>,
        steps: &mut usize,
    ) -> Option<Self> {
        *steps += nodes.len();
        if *steps > MAX_STEPS {
            return None;
        }
        let mut calls = Vec::with_capacity(nodes.len());
        for node in nodes.iter().skip(1) {
            calls.push(match arg.rests_on(*node) {
                Some(exit) => Some(Self::limited(cpa, arg, instance(cpa, arg, exit), steps)?),
                None => None,
            });
        }
        Some(Self { nodes, calls })
    }

    /// The states of the nodes.
    pub fn states(&self, arg: &Arg<PredicateState>) -> Vec<PredicateState> {
        self.nodes.iter().map(|node| *arg.state(*node)).collect()
    }

    /// The ends of the blocks.
    pub fn choices(&self, arg: &Arg<PredicateState>) -> Vec<u32> {
        self.nodes.iter().skip(1).map(|node| arg.node(*node).choice).collect()
    }
}

/// The nodes from the entry of a procedure's instance to its exit.
fn instance(cpa: &PredicateCpa<'_, '_>, arg: &Arg<PredicateState>, exit: NodeId) -> Vec<NodeId> {
    let path = arg.path_to(exit);
    let is_entry = |node: &NodeId| cpa.is_entered(arg.state(*node).start().at);
    let begin = path.iter().rposition(is_entry).unwrap_or(0);
    path[begin..].to_vec()
}

/// One block of a run.
#[derive(Clone)]
struct Stage {
    block: Rc<Block>,
    end: usize,
    /// What variables of the block are.
    values: FxHashMap<TermId, TermId>,
    inner: Option<Box<Inlined>>,
}

/// The run of a procedure as a formula over the variables of the call's block, and over variables of its own.
#[derive(Clone)]
pub struct Inlined {
    call: Rc<Block>,
    stages: Vec<Stage>,
    /// The formula.
    pub formula: TermId,
}

impl Inlined {
    /// The run of a piece as that of a call that begins in a state; none if the graph is older than its blocks.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn new(
        cpa: &mut PredicateCpa<'_, '_>,
        arg: &Arg<PredicateState>,
        from: &PredicateState,
        piece: &Piece,
    ) -> Result<Option<Self>, AnalysisError> {
        let call = cpa.block(from.start(), from.strategy)?;
        let formula = cpa.enc.terms.tru();
        let mut this = Self { call, stages: Vec::new(), formula };
        for (i, (state, choice)) in piece.states(arg).iter().zip(piece.choices(arg)).enumerate() {
            let block = cpa.block(state.start(), state.strategy)?;
            let Some(end) = cpa.end_of(&block, choice) else { return Ok(None) };
            let inner = match &piece.calls[i] {
                Some(piece) => match Self::new(cpa, arg, state, piece)? {
                    Some(inner) => Some(Box::new(inner)),
                    None => return Ok(None),
                },
                None => None,
            };
            let mut guard = block.ends[end].guard;
            if let Some(inner) = &inner {
                guard = cpa.enc.terms.and(guard, inner.formula);
            }
            this.stages.push(Stage { block, end, values: FxHashMap::default(), inner });
            let guard = this.term(cpa, i, guard);
            this.formula = cpa.enc.terms.and(this.formula, guard);
        }
        let at_exit = this.call.call.as_ref().map(|call| call.at_exit.clone()).unwrap_or_default();
        for (variable, value) in at_exit {
            let is = this.value(cpa, this.stages.len(), variable);
            let equal = cpa.enc.terms.eq(is, value);
            this.formula = cpa.enc.terms.and(this.formula, equal);
        }
        Ok(Some(this))
    }

    /// What a canonical variable holds where a stage begins; the number of stages stands for the exit.
    fn value(&mut self, cpa: &mut PredicateCpa<'_, '_>, stage: usize, var: TermId) -> TermId {
        if let Some(known) = self.stages.get(stage).and_then(|stage| stage.values.get(&var)) {
            return *known;
        }
        let value = if !is_canonical(cpa, var) {
            let sort = cpa.enc.terms.sort(var);
            cpa.enc.terms.fresh_var("inner", sort)
        } else if stage == 0 {
            let call = self.call.clone();
            cpa.output(&call, ENTERED, var)
        } else {
            let Stage { block, end, .. } = &self.stages[stage - 1];
            let (block, end) = (block.clone(), *end);
            let output = cpa.output(&block, end, var);
            self.term(cpa, stage - 1, output)
        };
        if let Some(stage) = self.stages.get_mut(stage) {
            stage.values.insert(var, value);
        }
        value
    }

    /// A term of a stage's block.
    fn term(&mut self, cpa: &mut PredicateCpa<'_, '_>, stage: usize, term: TermId) -> TermId {
        let vars = vars_of(&cpa.enc.terms, &[term]);
        let map: Vec<(TermId, TermId)> = vars.into_iter().map(|var| (var, self.value(cpa, stage, var))).collect();
        Substitution::new(map).apply(&mut cpa.enc.terms, term)
    }

    /// The edges of the run; `holds` tells which conditions over the variables of the formula hold.
    pub fn edges(
        mut self,
        cpa: &mut PredicateCpa<'_, '_>,
        holds: &mut dyn FnMut(&mut PredicateCpa<'_, '_>, TermId) -> bool,
    ) -> Option<Vec<EdgeId>> {
        let mut edges = Vec::new();
        for i in 0..self.stages.len() {
            let (block, end, inner) = {
                let stage = &self.stages[i];
                (stage.block.clone(), stage.end, stage.inner.clone())
            };
            if let Some(inner) = inner {
                edges.extend(inner.edges(cpa, &mut |cpa, guard| {
                    let guard = self.term(cpa, i, guard);
                    holds(cpa, guard)
                })?);
            }
            edges.extend(block.path(end as u32, |guard| {
                let guard = self.term(cpa, i, guard);
                holds(cpa, guard)
            })?);
        }
        Some(edges)
    }
}

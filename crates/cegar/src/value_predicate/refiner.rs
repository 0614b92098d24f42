//! Decides error paths of the product and refines its precision: of values where that is enough, otherwise of predicates.
//!
//! A path is followed with everything tracked. If it contradicts itself, the precision of values is refined. If it does not, or only
//! because of variables that were left to predicates, it is checked bit by bit, and its run is replayed. If there is none, the
//! path waits until other paths were seen. Then the blocks of the path make one formula, together with the values at their starts. If that holds, a model chooses other edges;
//! if not, an engine explains why.

use super::diverging;
use crate::predicate::path::PathFormula;
use crate::predicate::refiner::PredicateRefiner;
use crate::predicate::refiner::learned::{Checked, Learned};
use crate::refinement_loop::{ErrorPath, Refinement, Refiner};
use crate::reselect;
use crate::value::Prefixes;
use crate::value::path_program::{Pace, PathPrograms};
use crate::value::refinement::ValueRefinement;
use analysis::{AnalysisError, Arg, NodeId, Target};
use base::Budget;
use bmc::residual::Search;
use cfa::Op;
use domains::predicate::block::{At, Block, Start};
use domains::value_predicate::past::Past;
use domains::value_predicate::precision::ValuePredicatePrecision;
use domains::value_predicate::{ValuePredicateCpa, ValuePredicateState, end_of_block};
use outcome::{Counterexample, StatValue, Statistics};
use refine::formula::chain::Chain;
use smt::{Backend, TermId, Terms};
use std::ops::RangeInclusive;
use std::rc::Rc;
use task::Task;
use task::path_check::{self, PathCheck};
use task::unmodelled;

/// Abstract successors are expensive once predicates are used, and values alone find many violations: so many paths are deferred.
const PATIENCE: u32 = 8;

/// See the module.
pub struct ValuePredicateRefiner<'t, 'a, 'p> {
    task: &'t Task<'a, 'p>,
    values: ValueRefinement,
    predicates: PredicateRefiner<'t, 'a, 'p>,
    path_programs: PathPrograms<'t, 'a, 'p>,
    budget: &'t Budget,
    /// How many more paths that are feasible for values are only looked at, in the hope of a violation, before predicates are used.
    patience: u32,
    /// Refinements of either kind.
    by_values: u64,
    by_predicates: u64,
}

/// The blocks of an error path.
struct Blocks {
    /// Where each begins.
    starts: Vec<Start>,
    /// Numbers of their ends; one fewer if the last block has no end where the path goes.
    choices: Vec<u32>,
    /// Indices into the path's nodes of the states at the starts.
    nodes: Vec<usize>,
}

impl<'t, 'a, 'p> ValuePredicateRefiner<'t, 'a, 'p> {
    /// A refiner for one run, which asks the engines of the chain.
    pub fn new(
        task: &'t Task<'a, 'p>,
        prefixes: Prefixes,
        search: Search,
        backend: &'t dyn Backend,
        chain: Chain,
        budget: &'t Budget,
    ) -> Self {
        Self {
            task,
            values: ValueRefinement::new(prefixes),
            predicates: PredicateRefiner::new(task, backend, chain, budget),
            path_programs: PathPrograms::new(task, search, Pace::Growing, budget),
            budget,
            patience: PATIENCE,
            by_values: 0,
            by_predicates: 0,
        }
    }

    /// Appends what was counted.
    pub fn add_statistics(&self, stats: &mut Statistics) {
        stats.count("cegar.value_refinements", self.by_values);
        stats.count("cegar.predicate_refinements", self.by_predicates);
        stats.count("value.path_programs", self.path_programs.searched);
        self.values.add_statistics(stats);
        self.predicates.add_statistics(stats);
    }

    /// Decides a path that is feasible for values by its formula.
    fn refine_predicates(
        &mut self,
        cpa: &mut ValuePredicateCpa<'_, '_>,
        arg: &Arg<ValuePredicateState>,
        precision: &mut ValuePredicatePrecision,
        path: &ErrorPath,
    ) -> Result<Refinement, AnalysisError> {
        let states: Vec<ValuePredicateState> = path.nodes.iter().map(|node| *arg.state(*node)).collect();
        let from_block = path.nodes.last().and_then(|node| end_of_block(arg.node(*node).choice));
        let blocks = blocks_of(cpa, &states, path.target, from_block)?;
        let Blocks { starts, choices, nodes } = &blocks;
        if choices.len() < starts.len() {
            if let (Target::Unmodelled(edge), true) = (path.target, nodes.len() == count_points(cpa, &states))
                && !matches!(self.task.program.edges[edge].op, Op::Undefined(_) | Op::Unsupported(_))
            {
                // The encoding models what the values do not: nothing can be said of what happens then.
                return Ok(Refinement::Open(unmodelled::operation(self.task.program, edge)));
            }
            // No run of the last block gets there.
            let last = starts.len() - 1;
            return Ok(self.spurious(cpa, precision, path, &states, &blocks, (last..=last, Learned::nothing(last))));
        }
        // At the start everything has its initial value.
        let mut facts = vec![Vec::new()];
        for (i, node) in nodes.iter().enumerate().skip(1) {
            let block = cpa.predicates.block(starts[i - 1], cpa.predicates.strategies.current())?;
            if let Some(end) = cpa.predicates.end_of(&block, choices[i - 1]) {
                facts.push(cpa.facts_at_end(&block, end, states[*node].values.value));
            }
        }
        let Some(formula) = PathFormula::with_facts(&mut cpa.predicates, starts, choices, &facts)? else {
            let Some(pivot) = path.nodes.get(1).copied() else { return Ok(Refinement::NoProgress) };
            return Ok(Refinement::Spurious {
                pivot,
                others: Vec::new(),
                stale: true,
                by: PREDICATES,
                values: Vec::new(),
            });
        };
        match self.predicates.check(&cpa.predicates, &formula.conjuncts())? {
            Checked::Feasible(model) => {
                let nodes: Vec<NodeId> = nodes.iter().map(|i| path.nodes[*i]).collect();
                return self.predicates.replay(&mut cpa.predicates, &formula, &model, &nodes, path.target);
            }
            Checked::Unknown(reason) => return Ok(Refinement::Open(reason)),
            Checked::Infeasible => {}
        }
        let cuts: Vec<At> = starts.iter().skip(1).map(|start| start.at).collect();
        let is_new = |terms: &Terms, itps: &[TermId]| {
            decisive(terms, itps).any(|block| !precision.is_asked(starts[block].at.loc))
        };
        let part = &mut cpa.predicates;
        let explained = self.predicates.explain(part, &precision.predicates, &formula, (&cuts, 0), is_new)?;
        let refutation = match explained {
            Ok(refutation) => refutation,
            Err(reason) => return Ok(Refinement::Open(reason)),
        };
        let learned =
            self.predicates.learn(&mut cpa.predicates, &mut precision.predicates, &formula, &cuts, &refutation);
        let asked = decisive(&cpa.predicates.enc.terms, &refutation.1.itps);
        let mut refinement = self.spurious(cpa, precision, path, &states, &blocks, (asked, learned));
        let points = nodes.iter().map(|i| states[*i].values);
        let left = diverging::leave_to_predicates(&mut cpa.values, self.task, &path.edges, points);
        if let (Refinement::Spurious { stale, .. }, true) = (&mut refinement, left > 0) {
            // States with the values that have left keep rounds apart.
            *stale = true;
        }
        Ok(refinement)
    }

    /// Makes the blocks be asked that exclude the path, and says what has to be explored again.
    fn spurious(
        &mut self,
        cpa: &ValuePredicateCpa<'_, '_>,
        precision: &mut ValuePredicatePrecision,
        path: &ErrorPath,
        states: &[ValuePredicateState],
        blocks: &Blocks,
        (asked, learned): (RangeInclusive<usize>, Learned),
    ) -> Refinement {
        let restart = !precision.uses_predicates();
        let mut new = 0;
        let mut first: Option<usize> = None;
        let mut note = |i: usize| first = Some(first.map_or(i, |first| first.min(i)));
        for block in asked {
            new += u64::from(precision.ask(blocks.starts[block].at.loc));
            // What lies behind the point may be older than that.
            let behind = blocks.nodes[block] + 1;
            let knows = |past| matches!(past, Past::Within { origin: Some(_), .. } | Past::Point { .. });
            if states.get(behind).is_some_and(|state| !knows(cpa.pasts.get(state.past))) {
                note(behind);
            }
        }
        for (cut, _) in learned.lacks.iter().enumerate().filter(|(_, lacks)| **lacks) {
            note(blocks.nodes[cut + 1]);
        }
        let speaks = learned.speaks.iter().position(|speaks| *speaks).map(|cut| blocks.nodes[cut + 1]);
        let is_new = new > 0 || learned.added > 0;
        let Some(pivot) = first.or(speaks).and_then(|i| path.nodes.get(i)).or(path.nodes.get(1)) else {
            return Refinement::NoProgress;
        };
        self.by_predicates += 1;
        let values = vec![
            ("path", StatValue::Count(path.edges.len() as u64)),
            ("blocks", StatValue::Count(blocks.starts.len() as u64)),
            ("new", StatValue::Count(learned.added)),
            ("asked", StatValue::Count(precision.asked() as u64)),
            ("predicates", StatValue::Count(cpa.predicates.predicates.len() as u64)),
        ];
        // States that were explored without predicates know no blocks.
        Refinement::Spurious { pivot: *pivot, others: Vec::new(), stale: restart || !is_new, by: PREDICATES, values }
    }
}

/// See [`Refinement::Spurious::by`].
const PREDICATES: &str = "predicates";

/// The blocks that a refutation rests on: from the one before the first cut at which something is known to the one that nothing
/// leaves.
fn decisive(terms: &Terms, itps: &[TermId]) -> RangeInclusive<usize> {
    let first = itps.iter().position(|itp| !terms.is_true(*itp)).unwrap_or(itps.len());
    let last = itps.iter().position(|itp| terms.is_false(*itp)).unwrap_or(itps.len());
    first..=last
}

/// Number of states at which blocks of the path begin.
fn count_points(cpa: &ValuePredicateCpa<'_, '_>, states: &[ValuePredicateState]) -> usize {
    let inner = states.len().saturating_sub(1);
    states.iter().take(inner).enumerate().filter(|(i, state)| *i == 0 || cpa.is_point(state)).count()
}

/// The blocks along a path; they end early if one has no end where the path goes.
fn blocks_of(
    cpa: &mut ValuePredicateCpa<'_, '_>,
    states: &[ValuePredicateState],
    target: Target,
    from_block: Option<u32>,
) -> Result<Blocks, AnalysisError> {
    loop {
        let found = try_blocks_of(cpa, states, target, from_block)?;
        // Encoding a block may make others outdated; then they are not the same any more.
        let before = cpa.predicates.encoded;
        for start in &found.starts {
            cpa.predicates.block(*start, cpa.predicates.strategies.current())?;
        }
        if cpa.predicates.encoded == before {
            return Ok(found);
        }
    }
}

fn try_blocks_of(
    cpa: &mut ValuePredicateCpa<'_, '_>,
    states: &[ValuePredicateState],
    target: Target,
    from_block: Option<u32>,
) -> Result<Blocks, AnalysisError> {
    let mut found = Blocks { starts: Vec::new(), choices: Vec::new(), nodes: Vec::new() };
    let mut shape = None;
    let inner = states.len().saturating_sub(1);
    let points: Vec<usize> = (0..inner).filter(|i| *i == 0 || cpa.is_point(&states[*i])).collect();
    for (k, node) in points.iter().enumerate() {
        let start = Start { at: cpa.at(&states[*node].values), shape };
        found.starts.push(start);
        found.nodes.push(*node);
        let block: Rc<Block> = cpa.predicates.block(start, cpa.predicates.strategies.current())?;
        let end = match (points.get(k + 1), target, from_block) {
            (Some(next), ..) => {
                let at = cpa.at(&states[*next].values);
                block.find(at, None)
            }
            (None, _, Some(choice)) => cpa.predicates.end_of(&block, choice),
            (None, Target::Violation, None) => block.violation(),
            (None, Target::Unmodelled(edge), None) => {
                let at = states.last().map(|state| cpa.at(&state.values));
                at.and_then(|at| block.find(at, Some(edge)))
            }
        };
        let Some(end) = end else { break };
        shape = Some(block.ends[end].shape);
        found.choices.push(cpa.predicates.choice(&block.ends[end]));
    }
    Ok(found)
}

impl ValuePredicateRefiner<'_, '_, '_> {
    /// Decides a path by values, by its formula, and by its run.
    fn decide(
        &mut self,
        cpa: &mut ValuePredicateCpa<'_, '_>,
        arg: &Arg<ValuePredicateState>,
        precision: &mut ValuePredicatePrecision,
        path: &ErrorPath,
    ) -> Result<Refinement, AnalysisError> {
        // The edges of a target that a block has and the values have not are only some of its paths.
        let is_path = path.nodes.last().is_some_and(|node| end_of_block(arg.node(*node).choice).is_none());
        if is_path {
            let trace = self.values.follow(&mut cpa.values, &path.edges);
            if !trace.contradictions.is_empty() {
                self.budget.check()?;
                let state_of = |node| arg.state(node).values;
                let refined = self.values.refine(&mut cpa.values, state_of, &mut precision.values, path, &trace);
                if let Some(refined) = refined {
                    self.by_values += 1;
                    return Ok(refined);
                }
            }
        }
        // Runs through a strategy that over-approximates are none of the program.
        let is_run = is_path && cpa.predicates.strategies.pivot(&path.edges).is_none();
        if is_run && path.target == Target::Violation {
            match path_check::check(self.task, &path.edges, self.budget)? {
                PathCheck::Feasible(counterexample) => return Ok(Refinement::Feasible(counterexample)),
                PathCheck::Unknown(reason) if reason.is_of_replay() => return Ok(Refinement::Open(reason)),
                PathCheck::Infeasible { .. } => {
                    if let Some(counterexample) = self.path_programs.look_near(cpa, arg, &path.edges)? {
                        return Ok(Refinement::Feasible(counterexample));
                    }
                    if self.path_programs.is_endless {
                        // Loops without a bound lead to ever more such paths.
                        self.patience = 0;
                    }
                }
                PathCheck::Unknown(_) => {}
            }
        }
        if self.patience > 0 && !precision.uses_predicates() {
            self.patience -= 1;
            return Ok(Refinement::Deferred);
        }
        self.refine_predicates(cpa, arg, precision, path)
    }
}

impl Refiner<ValuePredicateCpa<'_, '_>> for ValuePredicateRefiner<'_, '_, '_> {
    fn refine(
        &mut self,
        cpa: &mut ValuePredicateCpa<'_, '_>,
        arg: &Arg<ValuePredicateState>,
        precision: &mut ValuePredicatePrecision,
        path: &ErrorPath,
    ) -> Result<Refinement, AnalysisError> {
        let refinement = self.decide(cpa, arg, precision, path)?;
        let strategies = &mut cpa.predicates.strategies;
        let reselected = match &refinement {
            Refinement::Reselected { .. } => true,
            // What can't be decided with a strategy may be decided without.
            Refinement::Open(_) | Refinement::NoProgress => {
                reselect::refine_exact(strategies, &path.nodes, &path.edges, &path.positions).is_some()
            }
            _ => false,
        };
        if !reselected {
            return Ok(refinement);
        }
        cpa.reselect();
        // What refuted runs through a strategy need not help without it, and may keep apart what should meet.
        precision.values.forget();
        Ok(Refinement::Reselected { pivot: None })
    }

    fn insist(&mut self) {
        self.patience = 0;
    }

    fn last_look(
        &mut self,
        cpa: &mut ValuePredicateCpa<'_, '_>,
        arg: &Arg<ValuePredicateState>,
    ) -> Result<Option<Box<Counterexample>>, AnalysisError> {
        self.path_programs.last_look(cpa, arg)
    }
}

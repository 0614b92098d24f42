//! Decides error paths of the predicate analysis and refines its precision.
//!
//! The blocks of the path make one formula. If it holds, a model chooses the edges, and the run is replayed; if not, an engine
//! explains why at each node, and the atoms of its explanation join the precision there.

pub(crate) mod learned;

use super::congruences::Congruences;
use super::path::PathFormula;
use super::{seed::seed, summary};
use crate::refinement_loop::{ErrorPath, Refinement, Refiner};
use crate::reselect;
use analysis::{AnalysisError, Arg, NodeId, Target};
use base::{Budget, Effort};
use cfa::LocId;
use domains::predicate::block::At;
use domains::predicate::predicates::PredicatePrecision;
use domains::predicate::{PredicateCpa, PredicateState};
use encode::EndingKind;
use learned::{Checked, Learned, accepted, visits};
use outcome::{StatValue, Statistics, StopReason};
use refine::formula::arithmetic::arithmetic;
use refine::formula::atoms::{AtomLimits, atoms_of};
use refine::formula::chain::{Chain, ChainError, Refutation};
use refine::formula::divergence::{Divergence, Shape, shape_of};
use refine::formula::templates::{TemplateLimits, candidates};
use refine::formula::{EngineContext, Trace};
use refine::pivot::find_pivot;
use rustc_hash::FxHashSet;
use smt::{Backend, Model, SatResult, TermId, Terms, UnknownReason, vars_of};
use std::time::{Duration, Instant};
use task::Task;
use task::path_check::{self, PathCheck};
use task::unmodelled;

/// Limit of each query of an engine.
const QUERY_LIMIT: Effort = Effort::thousands(2_000);
/// Limit of each engine's work on one path.
const ENGINE_LIMIT: Effort = Effort::thousands(5_000);
/// So many predicates of one shape at one location, with different constants, are a sign of divergence.
const DIVERGENCE: usize = 6;
/// Most predicates that are guessed for one shape.
const MAX_GUESSES: usize = 8;

/// See the module.
pub struct PredicateRefiner<'t, 'a, 'p> {
    task: &'t Task<'a, 'p>,
    backend: &'t dyn Backend,
    budget: &'t Budget,
    chain: Chain,
    checks: u64,
    check_time: Duration,
    engine_time: Duration,
    longest: usize,
    divergence: Divergence<LocId>,
    /// Shapes for which something was guessed already.
    guessed: FxHashSet<(LocId, Shape)>,
    guesses: u64,
    /// Variables that take part in arithmetic on some path; only these diverge.
    arithmetic: FxHashSet<TermId>,
    /// Paths with calls that were refuted without anything new.
    pub(super) stalled: FxHashSet<u64>,
    /// Stacks that joined the stack precision.
    pub(super) followed: u64,
    /// Whether predicates were guessed from the whole program.
    seeded: bool,
    congruences: Congruences,
    unwind: Option<u32>,
}

impl<'t, 'a, 'p> PredicateRefiner<'t, 'a, 'p> {
    /// A refiner for one run, which asks the engines of the chain.
    pub fn new(task: &'t Task<'a, 'p>, backend: &'t dyn Backend, chain: Chain, budget: &'t Budget) -> Self {
        let (checks, longest) = (0, 0);
        let (check_time, engine_time) = (Duration::ZERO, Duration::ZERO);
        let (divergence, guessed) = (Divergence::new(DIVERGENCE), FxHashSet::default());
        let guesses = 0;
        let arithmetic = FxHashSet::default();
        let (stalled, followed, seeded) = (FxHashSet::default(), 0, false);
        Self {
            task,
            backend,
            budget,
            chain,
            checks,
            check_time,
            engine_time,
            longest,
            divergence,
            guessed,
            guesses,
            arithmetic,
            stalled,
            followed,
            seeded,
            congruences: Congruences::default(),
            unwind: None,
        }
    }

    /// Gives up where an error path visits a location more often.
    pub fn up_to(self, unwind: Option<u32>) -> Self {
        Self { unwind, ..self }
    }

    /// Appends what was counted.
    pub fn add_statistics(&self, stats: &mut Statistics) {
        stats.count("predicate.longest_path", self.longest);
        stats.count("predicate.path_checks", self.checks);
        for (engine, counts) in self.chain.statistics() {
            stats.count(accepted(engine), counts.accepted);
        }
        stats.count("predicate.guesses", self.guesses);
        if self.followed > 0 {
            stats.count("predicate.followed_calls", self.followed);
        }
        stats.time("predicate.check_time", self.check_time);
        stats.time("predicate.engine_time", self.engine_time);
    }

    /// Adds guesses to the precision when predicates diverge.
    fn guess(&mut self, cpa: &mut PredicateCpa<'_, '_>, precision: &mut PredicatePrecision, loc: LocId, atom: TermId) {
        let func = cpa.enc.program.locs[loc].func;
        let known: Vec<TermId> = precision.at(func, loc).iter().map(|pred| cpa.predicates.formula(*pred)).collect();
        for guess in self.guesses(&mut cpa.enc.terms, loc, atom, &known) {
            if let Some(pred) = cpa.predicates.intern(&mut cpa.enc.terms, guess) {
                self.guesses += u64::from(precision.add(func, loc, pred));
            }
        }
    }

    /// What an atom and others of its shape at the location may have in common, if there are very many; `known` is used there already.
    pub(crate) fn guesses(&mut self, terms: &mut Terms, loc: LocId, atom: TermId, known: &[TermId]) -> Vec<TermId> {
        if !vars_of(terms, &[atom]).iter().any(|var| self.arithmetic.contains(var)) {
            return Vec::new();
        }
        let Some(growth) = self.divergence.observe(terms, loc, atom) else { return Vec::new() };
        let Some((shape, _)) = shape_of(terms, atom) else { return Vec::new() };
        if !self.guessed.insert((loc, shape)) {
            return Vec::new();
        }
        let related = vars_of(terms, known);
        candidates(terms, atom, &growth, &related, TemplateLimits { count: MAX_GUESSES, ..TemplateLimits::default() })
    }

    /// The first of the steps that contradict each other and what is known before them, the last ones of the path; none if that
    /// is not certain.
    pub(super) fn infeasible_suffix(
        &mut self,
        cpa: &PredicateCpa<'_, '_>,
        formula: &PathFormula,
    ) -> Result<Option<usize>, AnalysisError> {
        let began = Instant::now();
        self.checks += 1;
        let terms = &cpa.enc.terms;
        let mut solver = self.backend.incremental();
        solver.set_budget(self.budget);
        solver.set_query_limit(Some(QUERY_LIMIT));
        let mut found = None;
        let (mut asked, mut length) = (formula.trace.steps.len(), 1);
        for first in (0..formula.trace.steps.len()).rev() {
            if formula.step(first).any(|conjunct| solver.assert(terms, conjunct).is_err()) {
                break;
            }
            if first > 0 && asked - first < length {
                continue;
            }
            match solver.check(terms, &[]) {
                Ok(SatResult::Unsat) => {
                    found = Some(first);
                    break;
                }
                Ok(SatResult::Sat) => (asked, length) = (first, length + length / 2),
                Ok(SatResult::Unknown(UnknownReason::Stopped(stop))) => return Err(stop.into()),
                Ok(SatResult::Unknown(_)) | Err(_) => break,
            }
        }
        self.check_time += began.elapsed();
        Ok(found)
    }

    /// Whether a run takes the path.
    pub(crate) fn check(&mut self, cpa: &PredicateCpa<'_, '_>, conjuncts: &[TermId]) -> Result<Checked, AnalysisError> {
        let began = Instant::now();
        self.checks += 1;
        let terms = &cpa.enc.terms;
        let mut solver = self.backend.one_shot();
        solver.set_budget(self.budget);
        let mut result = Ok(());
        for conjunct in conjuncts {
            result = result.and_then(|()| solver.assert(terms, *conjunct));
        }
        let answer = match result.and_then(|()| solver.check(terms, &[])) {
            Ok(SatResult::Unsat) => Checked::Infeasible,
            Ok(SatResult::Sat) => match solver.model(terms) {
                Ok(model) => Checked::Feasible(model),
                Err(error) => Checked::Unknown(StopReason::SolverUnknown { why: error.to_string() }),
            },
            Ok(SatResult::Unknown(UnknownReason::Stopped(stop))) => return Err(stop.into()),
            Ok(SatResult::Unknown(reason)) => {
                Checked::Unknown(StopReason::SolverUnknown { why: format!("error path: {reason:?}") })
            }
            Err(error) => Checked::Unknown(StopReason::SolverUnknown { why: error.to_string() }),
        };
        self.check_time += began.elapsed();
        Ok(answer)
    }

    /// The formula of the path holds: chooses the edges and replays the run.
    pub(crate) fn replay(
        &mut self,
        cpa: &mut PredicateCpa<'_, '_>,
        formula: &PathFormula,
        model: &Model,
        nodes: &[NodeId],
        target: Target,
    ) -> Result<Refinement, AnalysisError> {
        let taken = formula.edges(cpa, model);
        if let Some((edges, positions)) = &taken
            && let Some(refinement) = reselect::refine(&mut cpa.strategies, nodes, edges, positions)
        {
            return Ok(refinement);
        }
        if let Target::Unmodelled(edge) = target {
            let kind =
                cpa.unmodelled.get(&edge).copied().unwrap_or(EndingKind::Undefined(cfa::Undefined::OutsideWrite));
            return Ok(Refinement::Open(unmodelled::reason(self.task.program, edge, kind)));
        }
        let too_coarse = |place| Refinement::Open(StopReason::TooCoarse { domain: "predicate", place });
        let Some((edges, positions)) = taken else { return Ok(too_coarse(None)) };
        Ok(match path_check::check(self.task, &edges, self.budget)? {
            PathCheck::Feasible(counterexample) => Refinement::Feasible(counterexample),
            PathCheck::Unknown(reason) => reselect::refine_exact(&mut cpa.strategies, nodes, &edges, &positions)
                .unwrap_or(Refinement::Open(reason)),
            PathCheck::Infeasible { edge } => {
                let program = self.task.program;
                let edge = edges.get(edge);
                too_coarse(edge.and_then(|e| program.source.place(program.edges[*e].span.lo)))
            }
        })
    }

    /// Explains why no run takes a path, with a predicate that is new at one of the locations of the cuts, or with what is new
    /// according to `is_new`; `first` is the first of some steps that can't be taken one after the other.
    ///
    /// # Errors
    /// When the run has to end.
    pub(crate) fn explain(
        &mut self,
        cpa: &mut PredicateCpa<'_, '_>,
        precision: &PredicatePrecision,
        formula: &PathFormula,
        (places, first): (&[At], usize),
        is_new: impl Fn(&Terms, &[TermId]) -> bool,
    ) -> Result<Result<(usize, Refutation), StopReason>, AnalysisError> {
        let (program, predicates) = (cpa.enc.program, &cpa.predicates);
        let progress = |terms: &mut Terms, first: usize, itps: &[TermId]| {
            let mut cuts = itps.iter().zip(&places[first..]).enumerate();
            is_new(terms, itps)
                || cuts.any(|(i, (itp, At { loc, .. }))| {
                    let itp = formula.canonical(terms, first + i, *itp);
                    let func = program.locs[*loc].func;
                    let is_known = |atom| predicates.find(atom).is_some_and(|p| precision.contains(func, *loc, p));
                    atoms_of(terms, itp, AtomLimits::default()).into_iter().any(|atom| !is_known(atom))
                })
        };
        self.refute_from(&mut cpa.enc.terms, formula, first, progress)
    }

    /// Adds the atoms of an explanation, which begins at a step, to the precision.
    pub(crate) fn learn(
        &mut self,
        cpa: &mut PredicateCpa<'_, '_>,
        precision: &mut PredicatePrecision,
        formula: &PathFormula,
        places: &[At],
        (first, refutation): &(usize, Refutation),
    ) -> Learned {
        let program = cpa.enc.program;
        let mut learned = Learned::nothing(places.len());
        for (cut, (itp, at)) in (*first..).zip(refutation.itps.iter().zip(&places[*first..])) {
            let itp = formula.canonical(&mut cpa.enc.terms, cut, *itp);
            let At { loc, .. } = at;
            let func = program.locs[*loc].func;
            learned.speaks[cut] = !cpa.enc.terms.is_true(itp);
            let mut atoms = atoms_of(&mut cpa.enc.terms, itp, AtomLimits::default());
            atoms.extend(self.congruences.of(self.task, cpa, *at, itp, self.budget));
            for atom in atoms {
                if let Some(pred) = cpa.predicates.intern(&mut cpa.enc.terms, atom)
                    && precision.add(func, *loc, pred)
                {
                    learned.added += 1;
                    learned.lacks[cut] = true;
                    self.guess(cpa, precision, *loc, atom);
                }
            }
        }
        learned
    }

    /// Explains why no run takes a path; a reason if no engine can.
    ///
    /// # Errors
    /// When the run has to end.
    pub(crate) fn refute(
        &mut self,
        terms: &mut Terms,
        formula: &PathFormula,
        mut progress: impl FnMut(&mut Terms, &[TermId]) -> bool,
    ) -> Result<Result<Refutation, StopReason>, AnalysisError> {
        let refuted = self.refute_from(terms, formula, 0, |terms, _, itps| progress(terms, itps))?;
        Ok(refuted.map(|(_, refutation)| refutation))
    }

    /// Guesses predicates from the whole program, once, if guesses over integers are wanted; their number, unless there are none.
    pub(super) fn seed(
        &mut self,
        cpa: &mut PredicateCpa<'_, '_>,
        precision: &mut PredicatePrecision,
    ) -> Result<Option<u64>, AnalysisError> {
        if std::mem::replace(&mut self.seeded, true) || !self.chain.statistics().any(|(name, _)| name == "linear") {
            return Ok(None);
        }
        let began = Instant::now();
        let (query_limit, engine_limit) = (QUERY_LIMIT, ENGINE_LIMIT);
        let ctx = EngineContext { backend: self.backend, budget: self.budget, query_limit, engine_limit };
        let guessed = summary::guess(cpa, precision, &ctx)?;
        let mut added = guessed.added;
        if !guessed.suffices {
            added += seed(cpa, precision, &ctx)?;
        }
        self.engine_time += began.elapsed();
        self.guesses += added;
        Ok((added > 0).then_some(added))
    }

    /// The interpolant of two formulas; a reason if no engine finds one.
    pub(super) fn interpolate(
        &mut self,
        terms: &mut Terms,
        trace: &Trace,
    ) -> Result<Result<TermId, StopReason>, AnalysisError> {
        let began = Instant::now();
        let (query_limit, engine_limit) = (QUERY_LIMIT, ENGINE_LIMIT);
        let ctx = EngineContext { backend: self.backend, budget: self.budget, query_limit, engine_limit };
        let result = self.chain.refute(terms, trace, &ctx, |_, _| true);
        self.engine_time += began.elapsed();
        match result {
            Ok(refutation) => Ok(Ok(refutation.itps[0])),
            Err(ChainError::Stopped(_)) => {
                self.budget.check()?;
                Err(base::Stop::Timeout.into())
            }
            Err(error) => Ok(Err(StopReason::SolverUnknown { why: error.to_string() })),
        }
    }

    /// The same, with the step at which the explanation begins, where `first` is the first of some steps that can't be taken one
    /// after the other from the abstract state before. Its interpolants come after that step, together with what the abstract
    /// states say.
    fn refute_from(
        &mut self,
        terms: &mut Terms,
        formula: &PathFormula,
        first: usize,
        mut progress: impl FnMut(&mut Terms, usize, &[TermId]) -> bool,
    ) -> Result<Result<(usize, Refutation), StopReason>, AnalysisError> {
        let began = Instant::now();
        let counters = arithmetic(terms, &formula.trace);
        self.arithmetic.extend(counters.into_iter().filter_map(|var| formula.original(var)));
        // Relative to what the abstract states say already; if that teaches nothing, from scratch; then with more time.
        let attempts =
            [(formula.suffix(first), first, 1), (formula.trace.clone(), 0, 1), (formula.suffix(first), first, 4)];
        let start = first;
        let mut reason = String::new();
        let mut answer = None;
        for (i, (trace, first, time)) in attempts.into_iter().enumerate() {
            if i == 1 && start == 0 && !formula.has_facts() {
                continue;
            }
            let ctx = EngineContext {
                backend: self.backend,
                budget: self.budget,
                query_limit: QUERY_LIMIT * time,
                engine_limit: ENGINE_LIMIT * time,
            };
            match self.chain.refute(terms, &trace, &ctx, |terms, itps| progress(terms, first, itps)) {
                Ok(refutation) => answer = Some((first, refutation)),
                Err(ChainError::Stopped(_)) => {
                    self.budget.check()?;
                    return Err(base::Stop::Timeout.into());
                }
                Err(ChainError::Feasible) => "the solver contradicts itself on an error path".clone_into(&mut reason),
                Err(error @ ChainError::Exhausted(_)) => reason = error.to_string(),
            }
            if answer.is_some() {
                break;
            }
        }
        self.engine_time += began.elapsed();
        Ok(answer.ok_or(StopReason::SolverUnknown { why: reason }))
    }
}

impl Refiner<PredicateCpa<'_, '_>> for PredicateRefiner<'_, '_, '_> {
    fn refine(
        &mut self,
        cpa: &mut PredicateCpa<'_, '_>,
        arg: &Arg<PredicateState>,
        precision: &mut PredicatePrecision,
        path: &ErrorPath,
    ) -> Result<Refinement, AnalysisError> {
        self.longest = self.longest.max(path.nodes.len());
        if path.nodes.iter().any(|node| arg.rests_on(*node).is_some()) {
            return self.refine_calls(cpa, arg, precision, path);
        }
        let states: Vec<PredicateState> = path.nodes.iter().map(|node| *arg.state(*node)).collect();
        if let Some(unwind) = self.unwind.filter(|unwind| visits(&states) > *unwind) {
            return Err(AnalysisError::Failed(StopReason::BoundReached { unwind }));
        }
        let choices: Vec<u32> = path.nodes.iter().skip(1).map(|node| arg.node(*node).choice).collect();
        let Some(formula) = PathFormula::new(cpa, &states, &choices)? else {
            let Some(pivot) = path.nodes.get(1).copied() else { return Ok(Refinement::NoProgress) };
            return Ok(Refinement::Spurious {
                pivot,
                others: Vec::new(),
                stale: true,
                by: "predicates",
                values: Vec::new(),
            });
        };
        // Most paths through strategies are feasible, and then no part of them need be asked about.
        let is_likely = formula.enters_strategies(&cpa.strategies);
        let known = if is_likely { None } else { self.infeasible_suffix(cpa, &formula)? };
        let first = match known {
            Some(first) => first,
            None => match self.check(cpa, &formula.conjuncts())? {
                Checked::Feasible(model) => return self.replay(cpa, &formula, &model, &path.nodes, path.target),
                Checked::Unknown(reason) => return Ok(Refinement::Open(reason)),
                Checked::Infeasible if is_likely => self.infeasible_suffix(cpa, &formula)?.unwrap_or(0),
                Checked::Infeasible => 0,
            },
        };
        let at = |state: &PredicateState| state.start().at;
        let places: Vec<At> = states.iter().skip(1).map(at).collect();
        let refuted = match self.explain(cpa, precision, &formula, (&places, first), |_, _| false)? {
            Ok(refuted) => refuted,
            Err(reason) => return Ok(Refinement::Open(reason)),
        };
        let Learned { added, lacks, speaks } = self.learn(cpa, precision, &formula, &places, &refuted);
        let at = |cuts: &[bool]| find_pivot(&path.nodes, |i, _| cuts.get(i - 1).is_some_and(|cut| *cut));
        let pivot = at(&lacks).or_else(|| at(&speaks));
        let Some(pivot) = pivot.or(path.nodes.get(1).copied()) else { return Ok(Refinement::NoProgress) };
        let values = vec![
            ("path", StatValue::Count(path.nodes.len() as u64 - 1)),
            ("new", StatValue::Count(added)),
            ("predicates", StatValue::Count(cpa.predicates.len() as u64)),
        ];
        Ok(Refinement::Spurious { pivot, others: Vec::new(), stale: added == 0, by: "predicates", values })
    }
}

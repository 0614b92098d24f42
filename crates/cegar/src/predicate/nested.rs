//! Refinement of paths with calls whose stack is abstracted: nested interpolants [heizmann10].
//!
//! A path is looked at frame by frame. First, each call is what its exit claims. If the path can't be taken even then, it is
//! explained as any other. Otherwise the procedures' runs are put in place of the claims. If the path can be taken now, it is
//! replayed. If not, each call gets a summary: an interpolant between the run of its procedure and the rest of the path, over what the procedure
//! gets and gives back. The path with the summaries is explained in terms of its own frame, and the run of each procedure is
//! explained, in terms of the procedure's variables, as one that can't end without the summary.
//!
//! Where nothing new is found this way, the abstraction of the stack is what makes the path possible, and the stacks of
//! its calls, and of those within them, join the stack precision [somorjai23, Sect. 4.2.2].

use super::inline::{Inlined, Piece};
use super::path::{Also, Ends, PathFormula};
use super::refiner::PredicateRefiner;
use super::refiner::learned::{Checked, Learned};
use super::variables::{conjuncts_of, copy, is_canonical};
use crate::refinement_loop::{ErrorPath, Refinement};
use analysis::{AnalysisError, Arg, NodeId, Status};
use domains::predicate::block::{At, Block};
use domains::predicate::predicates::PredicatePrecision;
use domains::predicate::{PredicateCpa, PredicateState};
use encode::canon::Place;
use outcome::{StatValue, StopReason};
use refine::formula::{Statement, Step, Trace};
use refine::pivot::find_pivot;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Model, Substitution, TermId, vars_of};

/// What was found out about a path.
#[derive(Default)]
struct Found {
    /// Number of new uses of predicates.
    added: u64,
    /// The first node of each part where something is lacking.
    pivots: Vec<NodeId>,
    /// Why some part has no explanation.
    reason: Option<StopReason>,
}

/// What becomes of one part.
enum Part {
    /// No run takes it.
    Explained,
    /// A run takes it.
    Feasible(Box<PathFormula>, Model),
    /// Not known.
    Open(StopReason),
    /// The graph is older than its blocks.
    Stale,
}

/// Whether an explanation has to bring something new.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Any,
    New,
}

/// A summary of a call.
struct Summary {
    /// Over the variables of the call's block.
    at_call: TermId,
    /// Over the variables of the procedure at its exit.
    at_exit: TermId,
}

impl PredicateRefiner<'_, '_, '_> {
    /// Decides a path with calls.
    pub(super) fn refine_calls(
        &mut self,
        cpa: &mut PredicateCpa<'_, '_>,
        arg: &Arg<PredicateState>,
        precision: &mut PredicatePrecision,
        path: &ErrorPath,
    ) -> Result<Refinement, AnalysisError> {
        let Some(piece) = Piece::new(cpa, arg, path.nodes.clone()) else {
            return Ok(Refinement::Open(StopReason::TooLarge { what: "an error path with all of its calls".into() }));
        };
        // Guesses are for relations between the depths of recursive calls.
        if cpa.generics.is_recursive()
            && let Some(added) = self.seed(cpa, precision)?
        {
            let Some(pivot) = path.nodes.get(1).copied() else { return Ok(Refinement::NoProgress) };
            let values = vec![("guessed", StatValue::Count(added))];
            return Ok(Refinement::Spurious { pivot, others: Vec::new(), stale: true, by: "integers", values });
        }
        // A path that comes back although nothing was new needs something else than before.
        let progress = if self.stalled.contains(&path.fingerprint) { Progress::New } else { Progress::Any };
        let mut found = Found::default();
        let part = self.part(cpa, arg, precision, (&piece, None, progress), &mut found)?;
        let stale = |pivot| Refinement::Spurious {
            pivot,
            others: Vec::new(),
            stale: true,
            by: "predicates",
            values: Vec::new(),
        };
        let Some(first) = path.nodes.get(1).copied() else { return Ok(Refinement::NoProgress) };
        match part {
            Part::Feasible(formula, model) => return self.replay(cpa, &formula, &model, &path.nodes, path.target),
            Part::Stale => return Ok(stale(first)),
            Part::Open(reason) => {
                found.reason.get_or_insert(reason);
            }
            Part::Explained => {}
        }
        if found.added == 0 {
            if found.reason.is_none() && self.stalled.insert(path.fingerprint) {
                return Ok(stale(first));
            }
            return Ok(self.follow_calls(cpa, arg, &piece, found.reason));
        }
        let mut pivots = found.pivots.into_iter();
        let pivot = pivots.next().unwrap_or(first);
        let values = vec![
            ("path", StatValue::Count(path.nodes.len() as u64 - 1)),
            ("new", StatValue::Count(found.added)),
            ("predicates", StatValue::Count(cpa.predicates.len() as u64)),
        ];
        Ok(Refinement::Spurious { pivot, others: pivots.collect(), stale: false, by: "predicates", values })
    }

    /// Puts the stacks of the calls into the stack precision.
    fn follow_calls(
        &mut self,
        cpa: &mut PredicateCpa<'_, '_>,
        arg: &Arg<PredicateState>,
        piece: &Piece,
        reason: Option<StopReason>,
    ) -> Refinement {
        let steps = piece.nodes.iter().zip(&piece.calls);
        let called = steps.filter(|(_, call)| call.is_some()).map(|(node, _)| arg.state(*node).stack);
        let stacks: FxHashSet<_> = called.collect();
        self.followed += stacks.len() as u64;
        if !cpa.follow_calls(stacks.iter().copied()) {
            return reason.map_or(Refinement::NoProgress, Refinement::Open);
        }
        let is_call = |node: &NodeId| {
            let state = arg.state(*node);
            let is_reached = matches!(arg.status(*node), Status::Expanded | Status::Waiting);
            is_reached && stacks.contains(&state.stack) && cpa.is_entry(state.start().at)
        };
        Refinement::Followed { calls: arg.ids().filter(is_call).collect() }
    }

    /// Explains one part of a path; `goal` is what no run of it may violate at its end.
    fn part(
        &mut self,
        cpa: &mut PredicateCpa<'_, '_>,
        arg: &Arg<PredicateState>,
        precision: &mut PredicatePrecision,
        (piece, goal, progress): (&Piece, Option<TermId>, Progress),
        found: &mut Found,
    ) -> Result<Part, AnalysisError> {
        let (states, choices) = (piece.states(arg), piece.choices(arg));
        let after = goal.map(|goal| cpa.enc.terms.not(goal));
        let ends = Ends { before: None, after };
        let mut claims = Vec::with_capacity(piece.calls.len());
        for (i, call) in piece.calls.iter().enumerate() {
            claims.push(match call.as_ref().and_then(|call| call.nodes.last()) {
                Some(exit) => {
                    let block = cpa.block(states[i].start(), states[i].strategy)?;
                    Also::Formula(cpa.effect(&block, &states[i], arg.state(*exit))?)
                }
                None => Also::Nothing,
            });
        }
        let Some(formula) = PathFormula::with_calls(cpa, &states, &choices, ends, &claims)? else {
            return Ok(Part::Stale);
        };
        if let Some(first) = self.infeasible_suffix(cpa, &formula)? {
            self.explain_part(cpa, precision, (piece, &states), (&formula, first, progress), found)?;
            return Ok(Part::Explained);
        }
        let mut also = Vec::with_capacity(piece.calls.len());
        for (i, call) in piece.calls.iter().enumerate() {
            also.push(match call {
                Some(call) => match Inlined::new(cpa, arg, &states[i], call)? {
                    Some(inlined) => Also::Run(inlined),
                    None => return Ok(Part::Stale),
                },
                None => Also::Nothing,
            });
        }
        let Some(formula) = PathFormula::with_calls(cpa, &states, &choices, ends, &also)? else {
            return Ok(Part::Stale);
        };
        match self.check(cpa, &formula.conjuncts())? {
            Checked::Feasible(model) => return Ok(Part::Feasible(Box::new(formula), model)),
            Checked::Unknown(reason) => return Ok(Part::Open(reason)),
            Checked::Infeasible => {}
        }
        let mut goals = Vec::new();
        for (i, call) in piece.calls.iter().enumerate() {
            let Some(call) = call else { continue };
            match self.summary(cpa, (&states, &choices), ends, &also, i)? {
                Ok(Some(summary)) => {
                    also[i] = Also::Formula(summary.at_call);
                    goals.push((call, summary.at_exit));
                }
                Ok(None) => return Ok(Part::Stale),
                Err(reason) => {
                    found.reason.get_or_insert(reason);
                }
            }
        }
        let Some(formula) = PathFormula::with_calls(cpa, &states, &choices, ends, &also)? else {
            return Ok(Part::Stale);
        };
        let first = self.infeasible_suffix(cpa, &formula)?.unwrap_or(0);
        self.explain_part(cpa, precision, (piece, &states), (&formula, first, progress), found)?;
        for (call, goal) in goals {
            match self.part(cpa, arg, precision, (call, Some(goal), progress), found)? {
                Part::Explained => {}
                Part::Stale => return Ok(Part::Stale),
                Part::Open(reason) => {
                    found.reason.get_or_insert(reason);
                }
                Part::Feasible(..) => {
                    let why = "the solver contradicts itself on a summary".to_owned();
                    found.reason.get_or_insert(StopReason::SolverUnknown { why });
                }
            }
        }
        Ok(Part::Explained)
    }

    /// Explains a part in terms of its own frame.
    fn explain_part(
        &mut self,
        cpa: &mut PredicateCpa<'_, '_>,
        precision: &mut PredicatePrecision,
        (piece, states): (&Piece, &[PredicateState]),
        (formula, first, progress): (&PathFormula, usize, Progress),
        found: &mut Found,
    ) -> Result<(), AnalysisError> {
        let places: Vec<At> = states.iter().skip(1).map(|state| state.start().at).collect();
        let refuted = match self.explain(cpa, precision, formula, (&places, first), |_, _| progress == Progress::Any)? {
            Ok(refuted) => refuted,
            Err(reason) => {
                found.reason.get_or_insert(reason);
                return Ok(());
            }
        };
        let Learned { added, lacks, .. } = self.learn(cpa, precision, formula, &places, &refuted);
        found.added += added;
        let lacking = |i: usize, _| lacks.get(i - 1).is_some_and(|cut| *cut);
        found.pivots.extend(find_pivot(&piece.nodes, lacking));
        Ok(())
    }

    /// An interpolant between the run of a call and the rest of the path; a reason if none is found.
    fn summary(
        &mut self,
        cpa: &mut PredicateCpa<'_, '_>,
        (states, choices): (&[PredicateState], &[u32]),
        ends: Ends,
        also: &[Also],
        step: usize,
    ) -> Result<Result<Option<Summary>, StopReason>, AnalysisError> {
        let Also::Run(inlined) = &also[step] else { return Ok(Ok(None)) };
        let mut others = also.to_vec();
        // The rest has to say what the call begins with.
        others[step] = Also::Mentions(vars_of(&cpa.enc.terms, &[inlined.formula]));
        let Some(rest) = PathFormula::with_calls(cpa, states, choices, ends, &others)? else { return Ok(Ok(None)) };
        let block = cpa.block(states[step].start(), states[step].strategy)?;
        let terms = &mut cpa.enc.terms;
        let run = rest.at_step(terms, step, inlined.formula);
        let run = conjuncts_of(terms, run);
        let rest: Vec<TermId> = (0..rest.trace.steps.len()).flat_map(|i| rest.step(i).collect::<Vec<_>>()).collect();
        let (of_run, of_rest) = (vars_of(terms, &run), vars_of(terms, &rest));
        let plain = vars_of(terms, &[inlined.formula]);
        let names = names(cpa, &block, step, &plain);
        let shared: Vec<TermId> =
            of_run.iter().copied().filter(|var| names.contains_key(var) && of_rest.contains(var)).collect();
        let statements = |vars: &[TermId], conjuncts: &[TermId]| {
            let havocs = vars.iter().map(|var| Statement::Havoc(*var));
            havocs.chain(conjuncts.iter().map(|conjunct| Statement::Assume(*conjunct))).collect::<Vec<_>>()
        };
        let new: Vec<TermId> = of_rest.into_iter().filter(|var| !of_run.contains(var)).collect();
        let steps = vec![
            Step { statements: statements(&of_run, &run), conjuncts: run },
            Step { statements: statements(&new, &rest), conjuncts: rest },
        ];
        let trace = Trace { steps, interface: vec![shared] };
        let itp = match self.interpolate(&mut cpa.enc.terms, &trace)? {
            Ok(itp) => itp,
            Err(reason) => return Ok(Err(reason)),
        };
        let terms = &mut cpa.enc.terms;
        let at_call = Substitution::new(names.iter().map(|(var, (at_call, _))| (*var, *at_call))).apply(terms, itp);
        let at_exit = Substitution::new(names.iter().map(|(var, (_, at_exit))| (*var, *at_exit))).apply(terms, itp);
        Ok(Ok(Some(Summary { at_call, at_exit })))
    }
}

/// For variables of a path at a call: the variable of the call's block, and the one at the exit of the procedure.
fn names(
    cpa: &mut PredicateCpa<'_, '_>,
    block: &Block,
    step: usize,
    vars: &[TermId],
) -> FxHashMap<TermId, (TermId, TermId)> {
    let mut names = FxHashMap::default();
    let Some(call) = &block.call else { return names };
    for (at_exit, value) in &call.at_exit {
        if cpa.enc.terms.is_var(*value) {
            let var = copy(&mut cpa.enc.terms, *value, step);
            names.entry(var).or_insert((*value, *at_exit));
        }
    }
    // What calls don't change has the same name in both frames, if it is no register of a frame.
    for var in vars {
        let place = cpa.enc.canon.as_ref().and_then(|canon| canon.place(*var));
        let is_shared = match place {
            Some(Place::Slot(slot)) => cpa.generics.owner(slot).is_none(),
            Some(Place::Cell { object, .. } | Place::Array(object)) => {
                cpa.enc.global_of(cpa.enc.objects.get(object).kind)
            }
            _ => false,
        };
        if is_shared && is_canonical(cpa, *var) {
            let copied = copy(&mut cpa.enc.terms, *var, step);
            names.entry(copied).or_insert((*var, *var));
        }
    }
    names
}

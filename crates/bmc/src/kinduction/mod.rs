//! k-induction [sheeran00, beyer15k] over the unrolling of bounded model checking, with auxiliary invariants.
//!
//! **Cut points and steps.** A run is divided where it arrives at the head of a loop, whichever loop: a *cut point* is a head
//! with the calls that led there and the observer's state, and a *step* is the part of a run from one arrival to the next ([`explore`]).
//! Loops in loops, one loop after another, and loops in called functions thus belong to one transition system, whose
//! control is the cut point; no loop is singled out, and none is skipped.
//!
//! **The principle.** Let *distance* be the number of steps that a run makes up to the end of the step in which it goes bad: violates the
//! property, or meets what is not modelled. Assume a depth `k` with
//! * *base*: no run from the start goes bad within `k` steps, and
//! * *step*: for no cut point is there a reachable state from which a run goes bad in exactly its `k`-th step.
//!
//! Then no run goes bad at all: one that does so in its `n`-th step has `n > k` because of the base, so it arrives at a cut point
//! `k` steps before its end (the start is `n` steps before it), in a reachable state, against the step. A run that goes bad
//! earlier ends there, so the `k`-th step is entered only by runs whose first `k - 1` steps were fine: the assumption of
//! k-induction is in the path. The same argument allows the step at depth `k` to leave out runs that arrive, after `i` steps, at a
//! cut point for which depth `k - i` is known to be safe.
//!
//! **Reachable states** are over-approximated by *arbitrary states*. The program is followed from its start; where it enters a loop,
//! everything that an iteration may modify gets an arbitrary value: registers by assignment, global registers and memory objects by
//! the mod/ref sets of all that is called, objects also where they may be freed ([`effects`]). Back edges are not followed. By induction over a run: when
//! it is at a head, the state in which it last entered that loop in that frame is described by the exploration, and since then it stayed in
//! the loop and what it called, so only what is forgotten has changed. Hence what no iteration changes keeps its value and its relations,
//! for outer loops and callers, too. The description needs that all loops are entered at their heads (checked), that frames
//! are finitely many (no recursion, checked), and that the objects that exist at a head are known: loops that allocate, also in functions
//! that they call, have no arbitrary state, the observer has no state but the initial one and the error, and variables declared in a loop have one instance of arbitrary content at its head. Where one of
//! that fails, there is no step, and only the base case can answer.
//!
//! **Base**: bounded model checking that takes each back edge up to `k` times ([`crate::unrolling`]) covers all runs of `k` steps and more, because each
//! iteration is a step. It also ends the search when it covers all runs.
//!
//! **Invariants** are conjunctions of facts at cut points ([`facts`]). Candidates come from octagons and intervals ([`domains::octagon`]), from the program's text
//! ([`candidates`], [`pointers`]), and from what iterations add to counters ([`linear`], [`slopes`]); [`houdini`] keeps those that are inductive for the same steps and the same arithmetic, to the bit, before the step
//! may use them. A proof rests on the depth and these facts only; [`check`] tests it again from scratch.

pub mod candidates;
pub mod check;
pub mod effects;
pub mod explore;
pub mod facts;
pub mod houdini;
pub mod implied;
pub mod known;
pub mod linear;
pub mod pointers;
pub mod proof;
pub mod relations;
pub mod slopes;
pub mod tell;
pub mod text;

use crate::narrowing::{self, States};
use crate::unrolling::{BaseCase, BaseSettings, Endings, Round};
use base::{Budget, Effort, Stop};
use candidates::Sources;
use cfa::LocId;
use cfa::points_to::PointsTo;
use domains::octagon::Octagons;
use explore::Safe;
use facts::Invariants;
use outcome::progress::Event;
use outcome::{Assumption, Evidence, Invariant, Iteration, Outcome, Progress, StatValue, StopReason, Verdict};
use proof::{Depth, Prover, Unproved};
use std::collections::BTreeMap;
use std::time::Instant;
use task::evidence::ProofCheck;
use task::{Task, excluded};
use tell::Case;

/// Configuration.
#[derive(Clone, Copy, Debug, Default)]
pub struct KInductionConfig {
    /// Whether proofs are checked again.
    pub proof: ProofCheck,
}

/// Greatest depth of the step.
const MAX_DEPTH: u32 = 20;
/// Share of the effort that is left which the steps after one base case may take, in percent.
const STEP_SHARE: u32 = 30;
/// Effort for the steps after one base case if there is no limit.
const STEP_EFFORT: Effort = Effort::thousands(60_000);
/// The question whether runs beyond the bound come back gets a smaller share of the effort than without induction.
const SETTINGS: BaseSettings<'static> = BaseSettings { effort_share: 8, endings: Endings::Check, origins: None };

/// Runs k-induction.
pub fn run(
    task: &Task<'_, '_>,
    points_to: &PointsTo,
    config: KInductionConfig,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let mut base = BaseCase::new(task, budget, progress, SETTINGS);
    let mut steps = Steps::Untried;
    let mut unwind: u32 = 1;
    let mut outcome = loop {
        let incomplete = match base.round(unwind) {
            Err(stop) => break Outcome::unknown(StopReason::from_stop(stop, budget)),
            Ok(Round::Done(outcome)) if config.proof == ProofCheck::Demand && outcome.verdict == Verdict::True => {
                match check::check_unwinding(task, unwind, budget) {
                    Ok(check::Checked::Proof) => break *outcome,
                    Ok(check::Checked::Rejected(why)) => break Outcome::unknown(StopReason::ProofRejected { why }),
                    Err(stop) => break Outcome::unknown(StopReason::from_stop(stop, budget)),
                }
            }
            Ok(Round::Done(outcome)) => break *outcome,
            Ok(Round::Refuse(choices)) => {
                base.refuse(choices);
                continue;
            }
            Ok(Round::Incomplete(reason)) => reason,
        };
        if !base.modelled {
            steps = Steps::Never("what is not modelled may be reached".to_owned());
        }
        progress.event(Event::Phase("induction"));
        let began = Instant::now();
        let queries = steps.queries();
        let result = steps.up_to(task, points_to, unwind + 1, budget, progress);
        base.stats.iterations.push(Iteration {
            label: format!("step up to {}", unwind + 1),
            values: vec![
                ("queries", StatValue::Count(steps.queries() - queries)),
                ("time", StatValue::Time(began.elapsed())),
            ],
        });
        match result {
            Err(stop) => break Outcome::unknown(StopReason::from_stop(stop, budget)),
            Ok(Some(proof)) => match confirm(task, points_to, config, &proof, budget) {
                Ok(outcome) => break outcome,
                Err(stop) => break Outcome::unknown(StopReason::from_stop(stop, budget)),
            },
            Ok(None) => {}
        }
        match (incomplete, unwind.checked_mul(2)) {
            (_, Some(next)) if unwind < 1 << 30 => unwind = next,
            (Some(reason), _) => break Outcome::unknown(reason),
            (None, _) => break Outcome::unknown(StopReason::BoundReached { unwind }),
        }
    };
    if let (Verdict::Unknown(_), Steps::Never(why)) = (&outcome.verdict, &steps) {
        outcome = outcome.note(format!("there is no inductive step: {why}"));
    }
    outcome.stats.count("kinduction.queries", steps.queries());
    base.finish(outcome)
}

/// A proof: no run from the arbitrary states with the invariants goes bad in exactly this step.
pub struct Proof {
    /// Steps.
    pub depth: u32,
    /// Facts at cut points.
    pub invariants: Invariants,
    /// The facts for users, and places where runs may trap.
    report: (Vec<Invariant>, Vec<Assumption>),
}

/// The inductive steps.
enum Steps<'a, 'p> {
    /// None was asked for.
    Untried,
    /// There is none; why.
    Never(String),
    /// Some depths are known.
    Begun(Box<Begun<'a, 'p>>),
}

/// The search for invariants, which goes on from round to round.
enum Search {
    /// What octagons and the program's text suggest; equations and slopes are next. They are harder for the solver, and what is known without them
    /// must not be lost.
    Candidates(houdini::Search, [Invariants; 2]),
    /// Equations; then bounds by slopes, which only a proof needs that the next steps do not give.
    Equations(houdini::Search, Invariants),
    /// Bounds by slopes.
    Slopes(houdini::Search),
    /// All are found.
    Done,
}

struct Begun<'a, 'p> {
    prover: Prover<'a, 'p>,
    invariants: Invariants,
    /// The search for more of them.
    search: Search,
    /// The first step and those between cut points.
    between: houdini::Steps,
    safe: Safe,
    /// Next depth.
    depth: u32,
}

impl<'a, 'p> Steps<'a, 'p> {
    fn queries(&self) -> u64 {
        match self {
            Steps::Begun(begun) => begun.prover.queries,
            Steps::Untried | Steps::Never(_) => 0,
        }
    }

    /// Tries all depths up to `depth` that were not tried before.
    fn up_to(
        &mut self,
        task: &'a Task<'a, 'p>,
        points_to: &PointsTo,
        depth: u32,
        budget: &'a Budget,
        progress: &dyn Progress,
    ) -> Result<Option<Proof>, Stop> {
        let result = self.try_up_to(task, points_to, depth, budget, progress);
        match result {
            Ok(proof) => Ok(proof),
            Err(Unproved::Stopped(stop)) => Err(stop),
            Err(Unproved::Unbounded(unbounded)) => {
                let place = task.program.source.place(unbounded.span.lo);
                let place = place.map_or(String::new(), |place| format!(" ({place})"));
                *self = Steps::Never(format!("{}{place}", unbounded.why));
                Ok(None)
            }
            Err(Unproved::Failed(why)) => {
                *self = Steps::Never(why);
                Ok(None)
            }
        }
    }

    fn try_up_to(
        &mut self,
        task: &'a Task<'a, 'p>,
        points_to: &PointsTo,
        depth: u32,
        budget: &'a Budget,
        progress: &dyn Progress,
    ) -> Result<Option<Proof>, Unproved> {
        let effort = budget.remaining().map_or(STEP_EFFORT, |rest| rest.percent(STEP_SHARE));
        let end = budget.spent().plus(effort);
        if let Steps::Untried = self {
            let mut prover = Prover::new(task, points_to, budget)?;
            let sources = Sources::new(task.program, points_to);
            progress.event(Event::Phase("bounds"));
            let limited = budget.within(effort / 4);
            // What octagons say is only a help.
            let octagons: States<Octagons> = narrowing::analyse(task, points_to, &limited).unwrap_or_default();
            if limited.left() == Some(Effort::ZERO) {
                budget.give_up("given_up.octagons");
            }
            budget.check()?;
            let between = houdini::steps(&mut prover)?;
            let Prover { explorer, starts, .. } = &mut prover;
            let known = known::at_cuts(&octagons, explorer, starts);
            let candidates = candidates::candidates(explorer, starts, known, &sources);
            let mut of_counters = |find| candidates::of_counters(explorer, starts, &between, &sources, find);
            let next = [of_counters(linear::candidates), of_counters(slopes::candidates)];
            let search = houdini::Search::new(&mut prover, &candidates, &Invariants::new(), &between);
            *self = Steps::Begun(Box::new(Begun {
                prover,
                invariants: Invariants::new(),
                search: Search::Candidates(search, next),
                between,
                safe: Safe::new(),
                depth: 1,
            }));
        }
        let Steps::Begun(begun) = self else { return Ok(None) };
        progress.event(Event::Phase("invariants"));
        begun.find_invariants(effort)?;
        while begun.depth <= depth.min(MAX_DEPTH) {
            let rest = end.without(budget.spent());
            if rest == Effort::ZERO {
                budget.give_up("given_up.steps");
                break;
            }
            progress.event(Event::Phase("step"));
            let depth = begun.depth;
            begun.depth += 1;
            if begun.prover.step(&begun.invariants, depth, &mut begun.safe, rest)? == Depth::Inductive {
                return Ok(Some(begun.proof(task, depth)));
            }
        }
        Ok(None)
    }
}

impl Begun<'_, '_> {
    /// Goes on with the search for invariants; depths are open again when there are new ones.
    fn find_invariants(&mut self, effort: Effort) -> Result<(), Unproved> {
        if let Search::Slopes(search) = &mut self.search {
            let Some(found) = search.go_on(&mut self.prover, effort / 4)? else {
                self.prover.budget.give_up("given_up.invariants");
                return Ok(());
            };
            self.add(found);
            self.search = Search::Done;
        }
        if let Search::Candidates(search, [equations, slopes]) = &mut self.search {
            let Some(found) = search.go_on(&mut self.prover, effort / 2)? else {
                self.prover.budget.give_up("given_up.invariants");
                return Ok(());
            };
            let (equations, slopes) = (std::mem::take(equations), std::mem::take(slopes));
            self.add(found);
            self.search = Search::Equations(self.beside_known(equations), slopes);
        }
        if let Search::Equations(search, slopes) = &mut self.search {
            let Some(found) = search.go_on(&mut self.prover, effort / 4)? else {
                self.prover.budget.give_up("given_up.invariants");
                return Ok(());
            };
            let slopes = std::mem::take(slopes);
            let program = self.prover.explorer.enc.program;
            self.add(found.into_iter().map(|(cut, facts)| (cut, linear::basis(program, facts))).collect());
            self.search = Search::Slopes(self.beside_known(slopes));
        }
        Ok(())
    }

    /// A search for candidates that are not known yet.
    fn beside_known(&mut self, mut candidates: Invariants) -> houdini::Search {
        for (cut, facts) in &mut candidates {
            let known = self.invariants.get(cut).map_or(&[][..], |known| known);
            facts.retain(|fact| !known.contains(fact));
        }
        houdini::Search::new(&mut self.prover, &candidates, &self.invariants, &self.between)
    }

    fn add(&mut self, found: Invariants) {
        if !found.is_empty() {
            self.depth = 1;
        }
        for (cut, facts) in found {
            self.invariants.entry(cut).or_default().extend(facts);
        }
    }

    fn proof(&self, task: &Task<'_, '_>, depth: u32) -> Proof {
        let program = task.program;
        let mut cases: BTreeMap<LocId, Vec<Case>> = BTreeMap::new();
        for start in &self.prover.starts {
            let facts = self.invariants.get(&start.cut).cloned().unwrap_or_default();
            cases.entry(start.cut.head).or_default().push(Case { facts, more: false });
        }
        let invariants = tell::tell(program, cases);
        let assumptions = excluded::assumptions(program, self.prover.traps.iter().copied());
        Proof { depth, invariants: self.invariants.clone(), report: (invariants, assumptions) }
    }
}

/// The outcome of a proof, if it need not be checked or was confirmed.
fn confirm(
    task: &Task<'_, '_>,
    points_to: &PointsTo,
    config: KInductionConfig,
    proof: &Proof,
    budget: &Budget,
) -> Result<Outcome, Stop> {
    if config.proof == ProofCheck::Demand
        && let check::Checked::Rejected(why) = check::check(task, points_to, proof, budget)?
    {
        return Ok(Outcome::unknown(StopReason::ProofRejected { why }));
    }
    let (invariants, assumptions) = proof.report.clone();
    let mut outcome = Outcome::new(Verdict::True, Evidence::Induction { depth: proof.depth });
    outcome.invariants = invariants;
    outcome.assumptions.extend(assumptions);
    Ok(outcome)
}

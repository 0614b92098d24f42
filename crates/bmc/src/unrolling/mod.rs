//! Bounded model checking [biere99, clarke04]: unroll, ask the solver for a run to the error, double the bound.
//!
//! [`unroll`] turns the program up to a bound into formulas; [`task::script`] turns a model into a run. A counterexample counts only
//! when the caller's replay confirms it; `true` only when no run reaches the error *and* none is cut by the bound *and* none
//! reaches a construct that is not modelled.

mod bounds;
mod first;
mod fork;
mod queries;

pub mod key;

pub mod unroll;

pub mod prune;

pub mod recurrence;

pub mod strategy;

use base::{Budget, Effort, Stop};
use cfa::EdgeId;
use cfa::live::Live;
use domains::strategy::Strategies;
use domains::strategy::Used;
use encode::{Encoder, GuardId, Logged};
use first::{First, PLAIN_STEPS};
use outcome::progress::Event;
use outcome::{Beyond, Evidence, Iteration, Outcome, Progress, StatValue, Statistics, StopReason, Verdict};
use prune::Pruner;
use queries::Queries;
use recurrence::SimpleRuns;
use smt::query::Answer;
use smt::{Model, TermId};
use std::rc::Rc;
use std::time::{Duration, Instant};
use task::{Task, excluded, script, unmodelled};
use transform::accelerate::origins::{Origin, Origins};
use transform::strategies::{ChoiceId, Strategy};
use unroll::{Bound, Unrolled, Unroller};

/// Which bounds are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwind {
    /// 1, 2, 4, … until there is an answer.
    Doubling,
    /// The same, but none above this one.
    DoublingTo(u32),
    /// Only this one.
    Fixed(u32),
}

/// Configuration.
#[derive(Clone, Debug)]
pub struct BmcConfig {
    /// Which bounds are tried.
    pub unwind: Unwind,
    /// Where the edges of the program come from, if it was transformed.
    pub origins: Option<Rc<Origins>>,
}

/// Most effort for the question whether undefined behaviour ends a path, which only serves a note.
const NOTE_LIMIT: Effort = Effort::thousands(500);

/// From this bound on, strategies on the way to a cut are refused: without them, the bound may be complete.
const STRATEGY_BOUND: u32 = 16;

/// Share of the effort that is left for a question about runs beyond a bound.
const EFFORT_SHARE: u32 = 3;

/// Runs bounded model checking.
pub fn run(task: &Task<'_, '_>, config: &BmcConfig, budget: &Budget, progress: &dyn Progress) -> Outcome {
    run_selecting(task, config, budget, progress).0
}

/// The same, and which edge was taken at each choice of a strategy in the round that gave the answer.
pub fn run_selecting(
    task: &Task<'_, '_>,
    config: &BmcConfig,
    budget: &Budget,
    progress: &dyn Progress,
) -> (Outcome, Vec<EdgeId>) {
    let mut unwind = match config.unwind {
        Unwind::Doubling | Unwind::DoublingTo(_) => 1,
        Unwind::Fixed(bound) => bound,
    };
    let origins = config.origins.as_deref();
    let settings = BaseSettings { effort_share: EFFORT_SHARE, endings: Endings::Ignore, origins };
    let mut base = BaseCase::new(task, budget, progress, settings);
    if config.unwind == Unwind::Doubling {
        let first = match task.strategies.choices.is_empty() {
            true => base.rounds_before_the_last(),
            false => base.plain_rounds(),
        };
        match first {
            Err(stop) => return (base.finish(Outcome::unknown(StopReason::from_stop(stop, budget))), Vec::new()),
            Ok(First::Decided(outcome)) => {
                let selected = std::mem::take(&mut base.selected);
                return (base.finish(*outcome), selected);
            }
            Ok(First::Open(bound)) => unwind = bound,
        }
    }
    let outcome = loop {
        match base.round(unwind) {
            Err(stop) => break Outcome::unknown(StopReason::from_stop(stop, budget)),
            Ok(Round::Done(outcome)) => break *outcome,
            Ok(Round::Refuse(choices)) => base.refuse(choices),
            Ok(Round::Incomplete(reason)) => match (config.unwind, bounds::next(task.program, unwind)) {
                (Unwind::Doubling, Some(next)) => unwind = next,
                (Unwind::DoublingTo(last), Some(next)) if next <= last => unwind = next,
                _ => break Outcome::unknown(reason.unwrap_or(StopReason::BoundReached { unwind })),
            },
        }
    };
    let selected = std::mem::take(&mut base.selected);
    (base.finish(outcome), selected)
}

/// How much one bound is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// As it is: only short unrollings, and nothing is asked about runs that go on.
    Shallow,
    /// Also whether runs that go on come back to a state.
    Full,
}

/// What one bound shows.
pub(crate) enum Round {
    /// Runs through these strategies are not runs of the program, or don't help: without them, once more.
    Refuse(Vec<(ChoiceId, Strategy)>),
    /// There is an answer, or none can come.
    Done(Box<Outcome>),
    /// Runs go on beyond the bound; why a deeper search may not help, if it may not.
    Incomplete(Option<StopReason>),
}

/// Whether runs within a bound are asked to meet only what is modelled although others go on beyond it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Endings {
    /// They are not: that matters only when the bound covers all runs.
    Ignore,
    /// They are.
    Check,
}

/// What a base case is for.
#[derive(Clone, Copy)]
pub(crate) struct BaseSettings<'a> {
    /// Divisor of the effort that is left, for questions about runs beyond a bound.
    pub effort_share: u32,
    /// What is asked of runs within a bound.
    pub endings: Endings,
    /// Where the edges of the program come from, if it was transformed.
    pub origins: Option<&'a Origins>,
}

/// One bound after another, as the caller likes.
pub(crate) struct BaseCase<'a, 'b, 'p> {
    task: &'a Task<'b, 'p>,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    queries: Queries<'a>,
    live: Live,
    unwind: u32,
    settings: BaseSettings<'a>,
    strategies: Strategies,
    /// What the last round took at each choice.
    selected: Vec<EdgeId>,
    refused: u64,
    /// Whether runs within all bounds that were tried meet only what is modelled; never if that was not asked.
    pub modelled: bool,
    /// Edges that the last round executed.
    steps: u64,
    /// What the rounds measured.
    pub stats: Statistics,
}

impl<'a, 'b, 'p> BaseCase<'a, 'b, 'p> {
    /// Nothing was tried yet.
    pub fn new(
        task: &'a Task<'b, 'p>,
        budget: &'a Budget,
        progress: &'a dyn Progress,
        settings: BaseSettings<'a>,
    ) -> Self {
        let effort_share = settings.effort_share;
        let has_products = settings.origins.is_some_and(|origins| origins.nests > 0);
        let queries =
            Queries { budget, solver: task.solver, effort_share, has_products, count: 0, time: Duration::ZERO };
        let live = encode::live(task.program);
        Self {
            task,
            budget,
            progress,
            queries,
            live,
            unwind: 0,
            settings,
            strategies: Strategies::new(task.strategies.clone()),
            selected: Vec::new(),
            refused: 0,
            modelled: settings.endings == Endings::Check,
            steps: 0,
            stats: Statistics::default(),
        }
    }

    /// Tries a bound.
    pub fn round(&mut self, unwind: u32) -> Result<Round, Stop> {
        self.round_to(unwind, Depth::Full)
    }

    fn round_to(&mut self, unwind: u32, depth: Depth) -> Result<Round, Stop> {
        self.unwind = unwind;
        self.selected = self.strategies.selected_edges().to_vec();
        self.progress.event(Event::Bound(unwind));
        let Self { task, budget, progress, queries, live, stats, modelled, strategies, steps, .. } = self;
        let modelled = Some(modelled).filter(|_| self.settings.endings == Endings::Check);
        let free_steps = match depth {
            Depth::Shallow => PLAIN_STEPS,
            Depth::Full => 400_000u64.saturating_mul(u64::from(unwind)),
        };
        let bound = (Bound { unwind, free_steps }, depth);
        let settings = (&*strategies, &*live, self.settings.origins);
        round(task, bound, settings, budget, *progress, (queries, modelled), (stats, steps))
    }

    /// Leaves out strategies from now on.
    pub fn refuse(&mut self, choices: Vec<(ChoiceId, Strategy)>) {
        for (choice, strategy) in choices {
            self.refused += 1;
            self.strategies.refuse(choice, strategy);
        }
    }

    /// Adds what was measured.
    pub fn finish(self, mut outcome: Outcome) -> Outcome {
        outcome.stats.count("bmc.bound", self.unwind);
        outcome.stats.count("bmc.queries", self.queries.count);
        outcome.stats.time("bmc.solver_time", self.queries.time);
        if self.refused > 0 {
            outcome.stats.count("bmc.strategies_refused", self.refused);
        }
        outcome.stats.append(self.stats);
        outcome
    }
}

/// What the replay of a run to the error comes to; the run entered these strategies for loops.
fn replayed(
    task: &Task<'_, '_>,
    (enc, model, origins): (&Encoder<'_>, &Model, Option<&Origins>),
    entered: Vec<(ChoiceId, Strategy)>,
) -> Round {
    let script = script::script(enc, model, origins);
    let outcome = match (task.replay)(script) {
        // The closed form of a loop may promise more than the replay can do.
        Err(_) if !entered.is_empty() => return Round::Refuse(entered),
        Ok(counterexample) => {
            let verdict = Verdict::False(counterexample.violated);
            Outcome::new(verdict, Evidence::Counterexample(Box::new(counterexample)))
        }
        Err(reason) => {
            let outcome = Outcome::unknown(reason.clone());
            outcome.note(format!("a run to the error was found, but its replay did not confirm it: {reason}"))
        }
    };
    Round::Done(outcome.into())
}

fn round(
    task: &Task<'_, '_>,
    (bound, depth): (Bound, Depth),
    (strategies, live, origins): (&Strategies, &Live, Option<&Origins>),
    budget: &Budget,
    progress: &dyn Progress,
    (queries, modelled): (&mut Queries<'_>, Option<&mut bool>),
    (stats, steps): (&mut Statistics, &mut u64),
) -> Result<Round, Stop> {
    let unwind = bound.unwind;
    let mut enc = match task.encoder() {
        Ok(enc) => enc,
        Err(reason) => return Ok(Round::Done(Outcome::unknown(reason).into())),
    };
    progress.event(Event::Phase("unwind"));
    let began = Instant::now();
    let pruner = Pruner::new(task.incremental, budget);
    let found = Unroller::new(&mut enc, task.wto, strategies, bound, pruner, budget).run(task.observer)?;
    *steps = found.steps;
    stats.iterations.push(Iteration {
        label: format!("unwind {unwind}"),
        values: vec![
            ("steps", StatValue::Count(found.steps)),
            ("joins", StatValue::Count(found.joins)),
            ("pruning queries", StatValue::Count(found.pruning_queries)),
            ("terms", StatValue::Count(enc.terms.len() as u64)),
            ("errors", StatValue::Count(found.errors.len() as u64)),
            ("cuts", StatValue::Count(found.cuts.len() as u64)),
            ("time", StatValue::Time(began.elapsed())),
        ],
    });
    progress.event(Event::Phase("solve"));
    let errors: Vec<GuardId> = found.errors.iter().map(|(guard, _)| *guard).collect();
    match queries.ask(&mut enc, &errors, None)? {
        Answer::Never => {}
        Answer::Unknown(why) => return Ok(Round::Done(Outcome::unknown(StopReason::SolverUnknown { why }).into())),
        Answer::Model(model) => {
            let model = short_run(&mut enc, (&errors, model), origins, queries)?;
            let entered = strategy::entered(&enc, &found, &model, strategies);
            let refused = strategy::pivot(&entered, unwind);
            if !refused.is_empty() {
                return Ok(Round::Refuse(refused));
            }
            progress.event(Event::Phase("replay"));
            return Ok(replayed(task, (&enc, &model, origins), entered));
        }
    }
    // A proof by induction needs no bound that covers all runs.
    let limit = modelled.is_some().then(|| queries.share());
    let beyond = queries.ask(&mut enc, &found.cuts, limit)?;
    if let (Some(modelled), false) = (modelled, matches!(beyond, Answer::Never)) {
        let others = enc.endings.iter().filter(|ending| !ending.kind.is_excluded());
        let others: Vec<GuardId> = others.map(|ending| ending.guard).collect();
        *modelled &= matches!(queries.ask(&mut enc, &others, None)?, Answer::Never);
    }
    match beyond {
        Answer::Never => finish(task, &mut enc, &found, strategies, (unwind, Beyond::Nothing), (queries, origins)),
        Answer::Model(model) => {
            if unwind >= STRATEGY_BOUND {
                let entered = strategy::entered(&enc, &found, &model, strategies);
                let refused = strategy::pivot(&entered, unwind);
                if !refused.is_empty() {
                    return Ok(Round::Refuse(refused));
                }
            }
            let may_recur = !task.program.has_contracts;
            if depth == Depth::Full && may_recur && only_recurring(&mut enc, (&found, model), live, queries, stats)? {
                return finish(task, &mut enc, &found, strategies, (unwind, Beyond::Recurrence), (queries, origins));
            }
            Ok(Round::Incomplete(None))
        }
        Answer::Unknown(why) => Ok(Round::Incomplete(Some(StopReason::SolverUnknown { why }))),
    }
}

/// Numbers of iterations that a run to the error is sought with before any will do: replaying takes its time.
const SHORT: [u128; 2] = [1 << 7, 1 << 17];

/// A run to the error with small objects and few iterations of accelerated paths, if there is one that is found soon.
fn short_run(
    enc: &mut Encoder<'_>,
    (errors, model): (&[GuardId], smt::Model),
    origins: Option<&Origins>,
    queries: &mut Queries<'_>,
) -> Result<smt::Model, Stop> {
    let formulas: Vec<TermId> = errors.iter().map(|guard| enc.guards.formula(*guard)).collect();
    let mut goal = enc.terms.or_all(&formulas);
    let mut model = model;
    if !enc.small.is_empty() {
        let small = enc.small.clone();
        let small = enc.terms.and_all(&small);
        let within = enc.terms.and(goal, small);
        if let Answer::Model(better) = queries.decide(enc, within, Some(Effort::thousands(2_000)))? {
            (goal, model) = (within, better);
        }
    }
    let Some(origins) = origins else { return Ok(model) };
    let counts = enc.log.iter().filter(|entry| origins.of(entry.edge) == Origin::Count);
    let counts: Vec<TermId> = counts
        .filter_map(|entry| match entry.what {
            Logged::Value { var, .. } => Some(var),
            _ => None,
        })
        .collect();
    if counts.is_empty() {
        return Ok(model);
    }
    for most in SHORT {
        let mut short = goal;
        for count in &counts {
            let limit = enc.terms.bv(enc.terms.width(*count), most);
            let few = enc.terms.ule(*count, limit);
            short = enc.terms.and(short, few);
        }
        if let Answer::Model(model) = queries.decide(enc, short, Some(Effort::thousands(2_000)))? {
            return Ok(model);
        }
    }
    Ok(model)
}

/// Whether each run beyond the bound comes back to a state, so that the bound is complete. `model` is one of these runs.
fn only_recurring(
    enc: &mut Encoder<'_>,
    (found, mut model): (&Unrolled, smt::Model),
    live: &Live,
    queries: &mut Queries<'_>,
    stats: &mut Statistics,
) -> Result<bool, Stop> {
    let end = queries.budget.spent().plus(queries.share());
    let cuts: Vec<TermId> = found.cuts.iter().map(|guard| enc.guards.formula(*guard)).collect();
    let mut goal = enc.terms.or_all(&cuts);
    let mut search = SimpleRuns::new(&found.visits, live);
    let mut rounds = 0u64;
    let answer = loop {
        let excluded = search.refine(enc, &model);
        if excluded.is_empty() {
            break false;
        }
        rounds += 1;
        let excluded = enc.terms.and_all(&excluded);
        goal = enc.terms.and(goal, excluded);
        let rest = end.without(queries.budget.spent());
        if rest == Effort::ZERO {
            queries.budget.give_up("given_up.recurrences");
            break false;
        }
        match queries.decide(enc, goal, Some(rest))? {
            Answer::Never => break true,
            Answer::Model(next) => model = next,
            Answer::Unknown(_) => break false,
        }
    };
    if let Some(iteration) = stats.iterations.last_mut().filter(|_| rounds > 0) {
        iteration.values.push(("recurring runs excluded", StatValue::Count(rounds)));
    }
    Ok(answer)
}

/// The bound covers all runs, and none reaches the error: the answer, unless something was not modelled.
fn finish(
    task: &Task<'_, '_>,
    enc: &mut Encoder<'_>,
    found: &Unrolled,
    strategies: &Strategies,
    (unwind, beyond): (u32, Beyond),
    (queries, origins): (&mut Queries<'_>, Option<&Origins>),
) -> Result<Round, Stop> {
    let program = task.program;
    let endings = enc.endings.clone();
    let (undefined, unmodelled): (Vec<encode::Ending>, Vec<encode::Ending>) =
        endings.into_iter().partition(|ending| ending.kind.is_excluded());
    let guards: Vec<GuardId> = unmodelled.iter().map(|ending| ending.guard).collect();
    match queries.ask(enc, &guards, None)? {
        Answer::Never => {}
        Answer::Unknown(why) => return Ok(Round::Done(Outcome::unknown(StopReason::SolverUnknown { why }).into())),
        Answer::Model(model) => {
            let refused = strategy::pivot(&strategy::entered(enc, found, &model, strategies), unwind);
            if !refused.is_empty() {
                return Ok(Round::Refuse(refused));
            }
            let mut eval = model.evaluator(&enc.terms);
            let reached = unmodelled
                .iter()
                .find(|ending| eval.satisfies(enc.guards.formula(ending.guard)))
                .or(unmodelled.first());
            let reason = reached.map(|ending| unmodelled::reason(program, ending.edge, ending.kind));
            let reason = reason.unwrap_or(StopReason::BoundReached { unwind });
            let run = match reason {
                StopReason::Undefined { .. } => (task.to_undefined)(script::script(enc, &model, origins)),
                _ => None,
            };
            let outcome = Outcome { run: run.map(Box::new), ..Outcome::unknown(reason) };
            return Ok(Round::Done(outcome.into()));
        }
    }
    let bound = unwind.max(found.deepest);
    let mut outcome = Outcome::new(Verdict::True, Evidence::UnwindingComplete { bound, unwind, beyond });
    let mut used = Used::new(strategies.map());
    found.chosen.iter().for_each(|(_, edge)| used.take(*edge));
    outcome.loops = used.finish();
    let guards: Vec<GuardId> = undefined.iter().map(|ending| ending.guard).collect();
    let met: Vec<EdgeId> = match queries.ask(enc, &guards, Some(NOTE_LIMIT))? {
        Answer::Never => Vec::new(),
        Answer::Model(model) => {
            let mut eval = model.evaluator(&enc.terms);
            let met = undefined.iter().filter(|ending| eval.satisfies(enc.guards.formula(ending.guard)));
            met.map(|ending| ending.edge).collect()
        }
        Answer::Unknown(_) => undefined.iter().map(|ending| ending.edge).take(1).collect(),
    };
    outcome.assumptions.extend(excluded::assumptions(program, met));
    Ok(Round::Done(outcome.into()))
}

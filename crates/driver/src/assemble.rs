//! From a configuration to the algorithm with its concrete types: one exhaustive `match`.

use crate::bam::{Bam, Wrapped};
use crate::config::{self, Acceleration, Algorithm, Bmc, Config, Unwind};
use crate::prepare::{Prepared, may_point_to};
use crate::sequence;
use crate::{assumed, trial};
use base::{Budget, Effort};
use bmc::{interval, kinduction, unrolling};
use cegar::bam::kept::Kept;
use cegar::refinement_loop::CegarConfig;
use cegar::{impact, predicate, vacuity, value, value_predicate};
use cfa::callgraph::CallGraph;
use cfa::loops::Wto;
use cfa::points_to::PointsTo;
use cfa::regions::Regions;
use cfa::{ExprId, Observer, Op, Program};
use encode::ObjectKind;
use outcome::{Event, Invariant, Outcome, Progress, Statistics, StopReason, Verdict};
use refine::formula::SequenceEngine;
use smt::Solver;
use smt_z3::{Mode, Z3Backend, Z3Solver};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use task::evidence::{Graph, Invariants, ProofCheck};
use transform::accelerate::accelerate;
use transform::accelerate::report::{self as acceleration, Accesses, GivenUp};
use transform::slice::slice;
use transform::split_choices::split_choices;
use transform::strategies::{self, Limits};
use transform::tail_calls::tail_calls;

/// Replays a run; `Err` says what happened instead of the error.
pub type Replay<'a> = &'a (dyn Fn(interp::Scripted) -> Result<outcome::Counterexample, String> + Sync);

/// Runs what `config` says.
pub fn run(
    prepared: &Prepared,
    observer: &Observer,
    config: &Config,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let replay = |script| replay::replay(&prepared.program, observer, script, budget);
    run_with(prepared, observer, config, budget, progress, &replay)
}

/// As [`run`], with a replay of the caller's.
pub fn run_with(
    prepared: &Prepared,
    observer: &Observer,
    config: &Config,
    budget: &Budget,
    progress: &dyn Progress,
    replay: Replay<'_>,
) -> Outcome {
    run_kept((prepared, observer), config, None, budget, progress, replay)
}

/// As [`run_with`], with what other runs have left.
pub fn run_kept(
    (prepared, observer): (&Prepared, &Observer),
    config: &Config,
    kept: Option<&Kept>,
    budget: &Budget,
    progress: &dyn Progress,
    replay: Replay<'_>,
) -> Outcome {
    let mut stats = Statistics::default();
    let began = Instant::now();
    let sliced = slice(&prepared.program, &prepared.points_to, &prepared.regions, observer);
    stats.count("slice.removed", sliced.removed);
    stats.time("slice.time", began.elapsed());
    let loops = LoopAbstraction::Off;
    let subject = Subject { prepared, sliced: &sliced.program, observer, progress, loops, glance: None, replay, kept };
    let mut outcome = subject.run_one(&config.algorithm, config, budget);
    stats.append(std::mem::take(&mut outcome.stats));
    outcome.stats = stats;
    settled(prepared, observer, outcome)
}

/// An outcome as it is told: with what it takes for granted, unless a run is known that breaks it.
fn settled(prepared: &Prepared, observer: &Observer, mut outcome: Outcome) -> Outcome {
    if outcome.verdict == Verdict::True
        && let Some(reason) = trial::refuting(&prepared.program, observer)
    {
        outcome = Outcome { stats: outcome.stats, ..Outcome::unknown(reason) };
    }
    outcome.assumptions.extend(assumed::external_functions(&prepared.program, observer));
    outcome.assumptions.extend(prepared.assumptions.iter().cloned());
    outcome
}

/// Equations of counters that loops keep, with bounds that hold because of them.
pub(crate) fn relations(prepared: &Prepared, observer: &Observer, budget: &Budget) -> Vec<Invariant> {
    let program = slice(&prepared.program, &prepared.points_to, &prepared.regions, observer).program;
    let points_to = &prepared.points_to;
    let may_point_to = |expr: ExprId, kind: ObjectKind| may_point_to(points_to, expr, kind);
    let task = task::Task {
        program: &program,
        wto: &Wto::new(&program),
        observer,
        strategies: &Arc::default(),
        solver: &|| Box::new(Z3Solver::new(Mode::OneShot)) as Box<dyn Solver>,
        incremental: &|| Box::new(Z3Solver::new(Mode::Incremental)) as Box<dyn Solver>,
        may_point_to: &may_point_to,
        replay: &|_| Err("nothing is replayed".to_owned()),
        to_undefined: &|_| None,
    };
    kinduction::relations::find(&task, points_to, budget)
}

/// Whether loops are abstracted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LoopAbstraction {
    Off,
    On,
}

/// How far predicates go before they abstract loops.
const PREDICATE_GLANCE: predicate::Glance = predicate::Glance { effort: Effort::thousands(2_000), unwind: 10 };

/// How far an analysis that abstracts loops first goes without.
#[derive(Clone, Copy)]
struct Glance {
    /// What that may take.
    effort: Effort,
    /// See [`CegarConfig::most_successors`].
    successors: Option<u64>,
}

impl Glance {
    /// Bounded model checking and predicates take their glance themselves, and others have no strategies.
    fn of(algorithm: &Algorithm) -> Option<Self> {
        let (thousands, successors) = match algorithm {
            Algorithm::Value(_) => (1_000, Some(20_000)),
            Algorithm::ValuePredicate(_) | Algorithm::Impact(_) => (500, None),
            _ => return None,
        };
        Some(Self { effort: Effort::thousands(thousands), successors })
    }
}

/// A program with strategies, analysed anew.
struct AugmentedProgram {
    program: Program,
    map: Arc<strategies::StrategyMap>,
    points_to: PointsTo,
    wto: Wto,
}

/// What is analysed.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    prepared: &'a Prepared,
    /// The slice of the program for the property.
    sliced: &'a Program,
    observer: &'a Observer,
    pub(crate) progress: &'a dyn Progress,
    loops: LoopAbstraction,
    /// Set where this is only a glance.
    glance: Option<Glance>,
    replay: Replay<'a>,
    kept: Option<&'a Kept>,
}

impl Subject<'_> {
    /// Whether a function may call itself.
    pub(crate) fn is_recursive(&self) -> bool {
        CallGraph::new(self.sliced, None).reaches_recursion(self.sliced.start)
    }

    /// Tells the answer before the run has ended.
    pub(crate) fn announce(&self, outcome: &Outcome) {
        let outcome = settled(self.prepared, self.observer, outcome.clone());
        self.progress.event(Event::Answered(Box::new(outcome)));
    }

    /// Runs one algorithm, or a sequence.
    pub(crate) fn run_one(&self, algorithm: &Algorithm, config: &Config, budget: &Budget) -> Outcome {
        match algorithm {
            Algorithm::Bmc(settings) => demand_check(config, self.run_bmc(settings, budget)),
            Algorithm::Interval => self.run_interval(config, budget),
            Algorithm::KInduction => self.run_kinduction(config, budget),
            Algorithm::Value(settings) => self.run_value(config, *settings, budget),
            // Block abstractions have no strategy precisions.
            Algorithm::Bam(bam) => Subject { loops: LoopAbstraction::Off, ..*self }.run_bam(config, bam, budget),
            Algorithm::Predicate(settings) => self.with_task(Form::Plain, budget, |task, points_to| {
                let with_proof = Self::predicate_config(config, settings);
                let glance = (!wants_strategies(config)).then_some(PREDICATE_GLANCE);
                let with_proof = predicate::PredicateConfig { glance, ..with_proof };
                predicate::run(task, parts(points_to, settings.engines()), &with_proof, budget, self.progress)
            }),
            Algorithm::Impact(settings) => self.with_task(Form::Plain, budget, |task, points_to| {
                let proof = predicate::tell::Wanted {
                    graph: graph(config),
                    proof: proof_check(config),
                    invariants: Invariants::List,
                };
                let with_proof = impact::ImpactConfig { proof, ..settings.config() };
                impact::run(task, parts(points_to, settings.engines()), &with_proof, budget, self.progress)
            }),
            Algorithm::ValuePredicate(settings) => self.run_value_predicate(config, settings, budget),
            Algorithm::Sequence(stages) => sequence::run(self, stages, config, budget),
            Algorithm::LoopAbstraction(inner) => self.run_with_strategies(inner, config, budget),
        }
    }

    /// Runs an algorithm with strategies for loops, after a glance without them: programs whose loops end soon need none, and have to
    /// refuse each.
    fn run_with_strategies(&self, inner: &Algorithm, config: &Config, budget: &Budget) -> Outcome {
        let on = Subject { loops: LoopAbstraction::On, ..*self };
        if !wants_strategies(config)
            && let Some(glance) = Glance::of(inner)
        {
            let began = Instant::now();
            if self.augment_with(self.sliced, &Wto::new(self.sliced)).is_some() {
                let first = Subject { glance: Some(glance), ..*self };
                let first = first.run_one(inner, config, &budget.within(glance.effort));
                if !matches!(first.verdict, Verdict::Unknown(_)) || budget.check().is_err() {
                    return first;
                }
            }
            let spent = began.elapsed();
            let mut outcome = on.run_one(inner, config, budget);
            outcome.stats.time("loops.without", spent);
            return outcome;
        }
        on.run_one(inner, config, budget)
    }

    fn run_value_predicate(&self, config: &Config, settings: &config::ValuePredicate, budget: &Budget) -> Outcome {
        let predicate = settings.predicate.config();
        let config = value_predicate::ValuePredicateConfig {
            tracking: tracking(settings.value.tracking),
            value_scope: scope(settings.value.scope),
            prefixes: prefixes(settings.value.prefixes),
            search: search(settings.value.search),
            wanted: predicate::tell::Wanted {
                graph: graph(config),
                proof: proof_check(config),
                invariants: Invariants::List,
            },
            values_per_variable: settings.values_per_variable,
            abstraction: predicate.abstraction,
            predicate_scope: predicate.scope,
            cegar: self.cegar(settings.value),
        };
        self.with_task(Form::Branches, budget, |task, points_to| {
            let run = |config: &value_predicate::ValuePredicateConfig, budget: &Budget| {
                let parts = parts(points_to, settings.predicate.engines());
                value_predicate::run(task, parts, config, budget, self.progress)
            };
            let Some(attempt) = settings.first_attempt.map(Effort::usual_in) else { return run(&config, budget) };
            let attempt = budget.remaining().map_or(attempt, |left| attempt.min(left / 8));
            let first = run(&config, &budget.within(attempt));
            if !matches!(first.verdict, Verdict::Unknown(_)) || budget.check().is_err() {
                return first;
            }
            let plain = value_predicate::ValuePredicateConfig {
                tracking: value::Tracking::Everything,
                values_per_variable: None,
                ..config
            };
            let second = run(&plain, &budget.within(attempt));
            match (&first.verdict, &second.verdict) {
                (_, Verdict::True | Verdict::False(_)) => second,
                (Verdict::Unknown(StopReason::Timeout { .. }), _) if budget.check().is_ok() => run(&config, budget),
                _ => first,
            }
        })
    }

    fn cegar(&self, settings: config::Value) -> CegarConfig {
        let cegar = config::cegar(settings.order.unwrap_or_else(|| suitable_order(self.sliced)), settings.prune);
        CegarConfig { most_successors: self.glance.and_then(|glance| glance.successors), ..cegar }
    }

    fn run_bmc(&self, settings: &Bmc, budget: &Budget) -> Outcome {
        let config = unrolling::BmcConfig {
            unwind: match settings.unwind {
                Unwind::Doubling => unrolling::Unwind::Doubling,
                Unwind::UpTo(bound) => unrolling::Unwind::Fixed(bound),
            },
            origins: None,
        };
        let mode = match settings.acceleration {
            Acceleration::Off => {
                let run =
                    |task: &task::Task<'_, '_>, _: &PointsTo| unrolling::run(task, &config, budget, self.progress);
                return self.with_task(Form::Loops, budget, run);
            }
            Acceleration::Paths => acceleration::Mode::Accelerate,
            Acceleration::TraceAutomata => acceleration::Mode::Restrict,
        };
        self.with_task(Form::Loops, budget, |task, _| {
            let fixed = acceleration::Config { mode, accesses: Accesses::Fixed };
            let moving = acceleration::Config { mode, accesses: Accesses::Moving };
            let (first, left_out) = self.run_accelerated(task, &config, fixed, budget);
            match first.verdict {
                // Short loops over arrays are best unrolled; others need their accelerators.
                Verdict::Unknown(_) if left_out > 0 && budget.check().is_ok() => {
                    self.run_accelerated(task, &config, moving, budget).0
                }
                _ => first,
            }
        })
    }

    /// Bounded model checking of the accelerated program, and how many paths have no accelerator because they access memory at
    /// places that move.
    fn run_accelerated(
        &self,
        task: &task::Task<'_, '_>,
        config: &unrolling::BmcConfig,
        how: acceleration::Config,
        budget: &Budget,
    ) -> (Outcome, usize) {
        let began = Instant::now();
        self.progress.event(Event::Phase("accelerate"));
        let done = match accelerate(task.program, task.observer, how, task.solver, budget) {
            Ok(done) => done,
            Err(stop) => return (Outcome::unknown(StopReason::from_stop(stop, budget)), 0),
        };
        let mut stats = done.report.statistics();
        stats.time("accelerate.time", began.elapsed());
        let unwind = match config.unwind {
            unrolling::Unwind::Fixed(bound) => unrolling::Unwind::Fixed(bound.max(done.report.row as u32)),
            other => other,
        };
        let config = unrolling::BmcConfig { unwind, origins: Some(Rc::new(done.origins)) };
        // Expressions are new, so pointers are analysed again.
        let mut outcome = with_program(task, &done.program, |task, points_to| {
            confirmed(task, points_to, budget, |task, _| unrolling::run(task, &config, budget, self.progress))
        });
        outcome.stats.append(stats);
        (outcome, done.report.given_up.get(&GivenUp::Moving).copied().unwrap_or(0))
    }

    fn run_interval(&self, config: &Config, budget: &Budget) -> Outcome {
        let proof = proof_check(config);
        self.with_task(Form::Plain, budget, |task, points_to| {
            interval::run(task, points_to, proof, budget, self.progress)
        })
    }

    fn run_kinduction(&self, config: &Config, budget: &Budget) -> Outcome {
        let settings = kinduction::KInductionConfig { proof: proof_check(config) };
        self.with_task(Form::Plain, budget, |task, points_to| {
            kinduction::run(task, points_to, settings, budget, self.progress)
        })
    }

    fn predicate_config(config: &Config, settings: &crate::predicate::Predicate) -> predicate::PredicateConfig {
        predicate::PredicateConfig {
            graph: graph(config),
            proof: proof_check(config),
            invariants: Invariants::List,
            ..settings.config()
        }
    }

    fn run_bam(&self, config: &Config, settings: &Bam, budget: &Budget) -> Outcome {
        let bam = settings.table.settings();
        match &settings.wrapped {
            Wrapped::Value(value) => {
                let config = self.value_config(config, *value);
                self.with_task(Form::Branches, budget, |task, points_to| {
                    cegar::bam::value::run(task, points_to, &config, bam, self.kept, budget, self.progress)
                })
            }
            Wrapped::Predicate(settings) => self.with_task(Form::Plain, budget, |task, points_to| {
                let with_proof = Self::predicate_config(config, settings);
                let parts = parts(points_to, settings.engines());
                cegar::bam::predicate::run(task, parts, &with_proof, bam.refinement, budget, self.progress)
            }),
        }
    }

    fn run_value(&self, config: &Config, settings: config::Value, budget: &Budget) -> Outcome {
        let config = self.value_config(config, settings);
        self.with_task(Form::Branches, budget, |task, points_to| {
            value::run(task, points_to, &config, budget, self.progress)
        })
    }

    fn value_config(&self, config: &Config, settings: config::Value) -> value::ValueConfig {
        value::ValueConfig {
            graph: graph(config),
            proof: proof_check(config),
            invariants: Invariants::List,
            tracking: tracking(settings.tracking),
            scope: scope(settings.scope),
            cegar: self.cegar(settings),
            prefixes: prefixes(settings.prefixes),
            search: search(settings.search),
            stacks: match settings.stack_abstraction {
                config::Switch::On => value::StackAbstraction::On,
                config::Switch::Off => value::StackAbstraction::Off,
            },
            ..value::ValueConfig::default()
        }
    }

    /// The program with strategies for its loops, if they are wanted and some apply.
    fn augment(&self, program: &Program, wto: &Wto) -> Option<AugmentedProgram> {
        if self.loops == LoopAbstraction::Off { None } else { self.augment_with(program, wto) }
    }

    fn augment_with(&self, program: &Program, wto: &Wto) -> Option<AugmentedProgram> {
        let points_to = &self.prepared.points_to;
        let regions = Regions::new(program, points_to);
        let source = strategies::Source { program, wto, points_to, regions: &regions, observer: self.observer };
        let strategies::Augmented { program, map } =
            strategies::augment(source, &strategies::all(), Limits::default())?;
        let (wto, points_to) = (Wto::new(&program), PointsTo::new(&program));
        Some(AugmentedProgram { program, map: Arc::new(map), points_to, wto })
    }

    /// Runs an algorithm on the slice, and on the whole program where the slice misleads it.
    fn with_task(
        &self,
        form: Form,
        budget: &Budget,
        run: impl Fn(&task::Task<'_, '_>, &PointsTo) -> Outcome,
    ) -> Outcome {
        let Subject { prepared, observer, .. } = *self;
        let run_on = |program: &Program| {
            let wto = Wto::new(program);
            let began = Instant::now();
            let augmented = self.augment(program, &wto);
            let spent = began.elapsed();
            let (program, map, points_to, wto) = match &augmented {
                Some(parts) => (&parts.program, parts.map.clone(), &parts.points_to, &parts.wto),
                None => (program, Arc::default(), &prepared.points_to, &wto),
            };
            let may_point_to = |expr: ExprId, kind: ObjectKind| may_point_to(points_to, expr, kind);
            let task = task::Task {
                program,
                wto,
                observer,
                strategies: &map,
                solver: &|| Box::new(Z3Solver::new(Mode::OneShot)) as Box<dyn Solver>,
                incremental: &|| Box::new(Z3Solver::new(Mode::Incremental)) as Box<dyn Solver>,
                may_point_to: &may_point_to,
                replay: self.replay,
                to_undefined: &|script| replay::to_undefined(&prepared.program, observer, script, budget),
            };
            let mut outcome =
                in_form(form, &task, points_to, |task, points_to| confirmed(task, points_to, budget, &run));
            if self.loops == LoopAbstraction::On {
                outcome.stats.count("loops.choices", map.choices.len());
                outcome.stats.count("loops.omitted", map.omitted);
                outcome.stats.time("loops.time", spent);
            }
            outcome
        };
        let outcome = run_on(self.sliced);
        if !matches!(outcome.verdict, Verdict::Unknown(StopReason::ReplayFailed { .. })) || budget.check().is_err() {
            return outcome;
        }
        // The slice has runs that the program has not, where it left out what ends them.
        self.progress.event(Event::Info("replay failed on the slice: trying the whole program".into()));
        run_on(&prepared.program)
    }
}

/// What algorithms want programs to be like.
#[derive(Clone, Copy)]
enum Form {
    Plain,
    /// Choices of values are branches, for algorithms that follow values.
    Branches,
    /// Calls that end functions are loops, for algorithms that unwind.
    Loops,
}

fn in_form(
    form: Form,
    task: &task::Task<'_, '_>,
    points_to: &PointsTo,
    run: impl FnOnce(&task::Task<'_, '_>, &PointsTo) -> Outcome,
) -> Outcome {
    match form {
        Form::Plain => run(task, points_to),
        Form::Branches => {
            let mut program = task.program.clone();
            split_choices(&mut program);
            let wto = Wto::new(&program);
            run(&task::Task { program: &program, wto: &wto, ..*task }, points_to)
        }
        Form::Loops => {
            let mut program = task.program.clone();
            match tail_calls(&mut program) {
                0 => run(task, points_to),
                _ => with_program(task, &program, run),
            }
        }
    }
}

/// The task for another program, whose expressions are new.
fn with_program(
    task: &task::Task<'_, '_>,
    program: &Program,
    run: impl FnOnce(&task::Task<'_, '_>, &PointsTo) -> Outcome,
) -> Outcome {
    let (wto, points_to) = (Wto::new(program), PointsTo::new(program));
    let may_point_to = |expr: ExprId, kind: ObjectKind| may_point_to(&points_to, expr, kind);
    run(&task::Task { program, wto: &wto, may_point_to: &may_point_to, ..*task }, &points_to)
}

/// Runs an algorithm; a proof with accesses of memory that no run gets past has to be one where runs go on behind them, too.
fn confirmed(
    task: &task::Task<'_, '_>,
    points_to: &PointsTo,
    budget: &Budget,
    run: impl Fn(&task::Task<'_, '_>, &PointsTo) -> Outcome,
) -> Outcome {
    let again = |program: &Program| with_program(task, program, &run);
    vacuity::confirm(task.program, run(task, points_to), budget, again)
}

fn tracking(tracking: config::Tracking) -> value::Tracking {
    match tracking {
        config::Tracking::Refined => value::Tracking::Refined,
        config::Tracking::Everything => value::Tracking::Everything,
    }
}

fn prefixes(prefixes: config::Prefixes) -> value::Prefixes {
    match prefixes {
        config::Prefixes::Best => value::Prefixes::Best,
        config::Prefixes::First => value::Prefixes::First,
    }
}

fn search(search: config::Search) -> value::Search {
    match search {
        config::Search::Bounded => value::Search::Bounded,
        config::Search::None => value::Search::None,
    }
}

fn scope(scope: config::Scope) -> value::Scope {
    match scope {
        config::Scope::Variable => value::Scope::Variable,
        config::Scope::Location => value::Scope::Location,
    }
}

/// What analyses of formulas work with.
fn parts(points_to: &PointsTo, engines: Vec<Box<dyn SequenceEngine>>) -> predicate::Parts<'_> {
    predicate::Parts { backend: &Z3Backend, points_to, engines }
}

/// Reverse postorder follows a loop until it is stable, and one that makes objects never is.
fn suitable_order(program: &Program) -> config::Order {
    let makes_objects = |op: &Op| matches!(op, Op::Alloc { .. } | Op::Realloc { .. });
    let edges = program.locs.iter().flat_map(|loc| &loc.out);
    if edges.into_iter().any(|edge| makes_objects(&program.edges[*edge].op)) {
        config::Order::Bfs
    } else {
        config::Order::Rpo
    }
}

/// Who wants to see a proof wants the strategies that it takes.
fn wants_strategies(config: &Config) -> bool {
    config.graph == config::Graph::Keep || config.check_proof == config::ProofCheck::Demand
}

fn graph(config: &Config) -> Graph {
    match config.graph {
        config::Graph::Omit => Graph::Omit,
        config::Graph::Keep => Graph::Keep,
    }
}

fn proof_check(config: &Config) -> ProofCheck {
    match config.check_proof {
        config::ProofCheck::Skip => ProofCheck::Skip,
        config::ProofCheck::Demand => ProofCheck::Demand,
    }
}

/// Proofs of analyses without a graph that can be checked don't count where a check is demanded.
fn demand_check(config: &Config, outcome: Outcome) -> Outcome {
    match (config.check_proof, &outcome.verdict) {
        (config::ProofCheck::Demand, Verdict::True) => {
            let why = "only proofs that are abstract reachability graphs can be checked again".to_owned();
            Outcome { stats: outcome.stats, ..Outcome::unknown(StopReason::ProofRejected { why }) }
        }
        _ => outcome,
    }
}

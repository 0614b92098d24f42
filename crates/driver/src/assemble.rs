//! From a configuration to the algorithm with its concrete types: one exhaustive `match`.

use crate::config::{self, Algorithm, Bmc, Config, Stage, Unwind};
use crate::prepare::Prepared;
use algorithms::{bmc, predicate, value};
use base::Budget;
use cfa::loops::Wto;
use cfa::pass::slice::slice;
use cfa::pass::split_choices::split_choices;
use cfa::{Observer, Op, Program};
use outcome::{Event, Outcome, Progress, Statistics, StopReason, Verdict};
use smt::Solver;
use smt_z3::{Mode, Z3Backend, Z3Solver};
use std::time::Instant;

/// Replays a run; `Err` says what happened instead of the error.
pub type Replay<'a> = &'a dyn Fn(interp::Scripted) -> Result<outcome::Counterexample, String>;

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
    let mut stats = Statistics::default();
    let began = Instant::now();
    let sliced = slice(&prepared.program, &prepared.points_to, &prepared.regions, observer);
    stats.count("slice.removed", sliced.removed);
    stats.time("slice.time", began.elapsed());
    let subject = Subject { prepared, sliced: &sliced.program, observer, progress, replay };
    let mut outcome = match &config.algorithm {
        Algorithm::Sequence(stages) => subject.run_stages(stages, config, budget),
        one => subject.run_one(one, config, budget),
    };
    stats.append(std::mem::take(&mut outcome.stats));
    outcome.stats = stats;
    outcome.assumptions.extend(prepared.assumptions.iter().cloned());
    outcome
}

/// What is analysed.
struct Subject<'a> {
    prepared: &'a Prepared,
    /// The slice of the program for the property.
    sliced: &'a Program,
    observer: &'a Observer,
    progress: &'a dyn Progress,
    replay: Replay<'a>,
}

impl Subject<'_> {
    /// Runs one stage after another until one answers; only the last one's statistics are kept.
    fn run_stages(&self, stages: &[Stage], config: &Config, budget: &Budget) -> Outcome {
        let mut stats = Statistics::default();
        let mut notes = Vec::new();
        let mut last = Outcome::unknown(StopReason::Internal { detail: "a sequence without stages".into() });
        for (i, stage) in stages.iter().enumerate() {
            let began = Instant::now();
            let left = budget.remaining().map(|left| left * stage.share.min(100) / 100);
            let time = left.into_iter().chain(stage.at_most).min();
            self.progress.event(Event::Info(format!("{} begins", stage.name)));
            last = match time.filter(|_| i + 1 < stages.len()) {
                Some(time) => self.run_one(&stage.algorithm, config, &budget.within(time)),
                None => self.run_one(&stage.algorithm, config, budget),
            };
            stats.time(stage.name, began.elapsed());
            let Verdict::Unknown(reason) = &last.verdict else { break };
            if budget.check().is_err() || i + 1 == stages.len() {
                break;
            }
            notes.push(format!("{} did not decide it: {reason}", stage.name));
            self.progress.event(Event::Info(format!("{}: {}", stage.name, last.verdict)));
        }
        last.stats.append(stats);
        if let Verdict::Unknown(_) = last.verdict {
            last = notes.into_iter().fold(last, Outcome::note);
        }
        last
    }

    fn run_one(&self, algorithm: &Algorithm, config: &Config, budget: &Budget) -> Outcome {
        match algorithm {
            Algorithm::Bmc(settings) => demand_check(config, self.run_bmc(settings, budget)),
            Algorithm::Value(settings) => self.run_value(config, *settings, budget),
            Algorithm::Predicate(settings) => demand_check(
                config,
                self.with_task(budget, |task| {
                    let parts = predicate::Parts {
                        backend: &Z3Backend,
                        points_to: &self.prepared.points_to,
                        engines: settings.engines(),
                    };
                    predicate::run(task, parts, &settings.config(), budget, self.progress)
                }),
            ),
            Algorithm::Sequence(stages) => self.run_stages(stages, config, budget),
        }
    }

    fn run_bmc(&self, settings: &Bmc, budget: &Budget) -> Outcome {
        let config = bmc::BmcConfig {
            unwind: match settings.unwind {
                Unwind::Doubling => bmc::Unwind::Doubling,
                Unwind::UpTo(bound) => bmc::Unwind::Fixed(bound),
            },
        };
        self.with_task(budget, |task| bmc::run(task, &config, budget, self.progress))
    }

    fn run_value(&self, config: &Config, settings: config::Value, budget: &Budget) -> Outcome {
        let config = value::ValueConfig {
            graph: match config.graph {
                config::Graph::Omit => value::Graph::Omit,
                config::Graph::Keep => value::Graph::Keep,
            },
            proof: match config.check_proof {
                config::ProofCheck::Skip => value::ProofCheck::Skip,
                config::ProofCheck::Demand => value::ProofCheck::Demand,
            },
            tracking: match settings.tracking {
                config::Tracking::Refined => value::Tracking::Refined,
                config::Tracking::Everything => value::Tracking::Everything,
            },
            scope: match settings.scope {
                config::Scope::Variable => value::Scope::Variable,
                config::Scope::Location => value::Scope::Location,
            },
            cegar: config::cegar(settings.order.unwrap_or_else(|| suitable_order(self.sliced)), settings.prune),
            ..value::ValueConfig::default()
        };
        self.with_task(budget, |task| {
            let mut program = task.program.clone();
            split_choices(&mut program);
            let wto = Wto::new(&program);
            let task = bmc::Task { program: &program, wto: &wto, ..*task };
            value::run(&task, &self.prepared.points_to, &config, budget, self.progress)
        })
    }

    /// Runs an algorithm on the slice, and on the whole program where the slice misleads it.
    fn with_task(&self, budget: &Budget, run: impl Fn(&bmc::Task<'_, '_>) -> Outcome) -> Outcome {
        let Subject { prepared, observer, .. } = *self;
        let run_on = |program: &Program| {
            let wto = Wto::new(program);
            run(&bmc::Task {
                program,
                wto: &wto,
                observer,
                solver: &|| Box::new(Z3Solver::new(Mode::OneShot)) as Box<dyn Solver>,
                incremental: &|| Box::new(Z3Solver::new(Mode::Incremental)) as Box<dyn Solver>,
                may_point_to: &|expr, kind| prepared.may_point_to(expr, kind),
                replay: self.replay,
            })
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

/// Proofs of analyses without a graph that can be checked don't count where a check is demanded.
fn demand_check(config: &Config, outcome: Outcome) -> Outcome {
    match (config.check_proof, &outcome.verdict) {
        (config::ProofCheck::Demand, Verdict::True) => {
            let why = "only proofs of the value analysis can be checked again".to_owned();
            Outcome { stats: outcome.stats, ..Outcome::unknown(StopReason::ProofRejected { why }) }
        }
        _ => outcome,
    }
}

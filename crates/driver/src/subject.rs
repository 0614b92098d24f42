//! From an analysis with its options to its run: transformations of the program in order, then one exhaustive `match`.

use crate::config::{Config, Part};
use crate::options::Analysis;
use crate::prepare::{Prepared, may_point_to};
use crate::settings;
use crate::text_form::{Switch, Transformation};
use crate::{assumed, trial};
use base::{Budget, Stop};
use bmc::{kinduction, numerical, unrolling};
use cegar::bam::kept::Kept;
use cegar::value::Order;
use cegar::{impact, predicate, stack_abstraction, value, value_predicate};
use cfa::callgraph::CallGraph;
use cfa::loops::Wto;
use cfa::points_to::PointsTo;
use cfa::regions::Regions;
use cfa::typing::misfit;
use cfa::{AllocKind, Edge, EdgeId, ExprId, ExprKind, FuncId, LocId, Observer, Op, Program, VarId};
use domains::interval::Env;
use domains::octagon::Octagons;
use encode::ObjectKind;
use outcome::{Beyond, Event, Evidence, Outcome, PartialProof, Progress, Statistics, StopReason, Verdict, assumption};
use proof::evidence::confirm_unwinding;
use smt::Solver;
use smt_z3::{Mode, Z3Backend, Z3Solver};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use task::Task;
use task::evidence::ProofCheck;
use transform::accelerate;
use transform::accelerate::report::{self as acceleration, Accesses, GivenUp};
use transform::slice::slice;
use transform::split_choices::split_choices;
use transform::strategies::{self, Limits, StrategyMap};
use transform::tail_calls::tail_calls;

/// Replays a run; `Err` says what happened instead of the error.
pub(crate) type Replay<'a> = &'a (dyn Fn(interp::Scripted) -> Result<outcome::Counterexample, StopReason> + Sync);

/// An outcome as it is told: with what it takes for granted, unless a run is known that breaks it.
pub(crate) fn settled(prepared: &Prepared, observer: &Observer, mut outcome: Outcome) -> Outcome {
    if (outcome.verdict == Verdict::True || outcome.partial.is_some())
        && let Some(reason) = trial::refuting(&prepared.program, observer)
    {
        outcome.partial = None;
        if outcome.verdict == Verdict::True {
            outcome = Outcome { stats: outcome.stats, ..Outcome::unknown(reason) };
        }
    }
    if let Some(partial) = &outcome.partial {
        assumption::add(&mut outcome.assumptions, &partial.assumptions);
    }
    outcome.assumptions.extend(assumed::external_functions(&prepared.program, observer));
    outcome.assumptions.extend(prepared.assumptions.iter().cloned());
    outcome
}

/// What is analysed, and how.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) prepared: &'a Prepared,
    /// The slice of the program for the property.
    pub(crate) sliced: &'a Program,
    pub(crate) observer: &'a Observer,
    pub(crate) config: &'a Config,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) replay: Replay<'a>,
    pub(crate) kept: Option<&'a Kept>,
    /// What is proved already, and left out of the program.
    pub(crate) proved: Option<&'a PartialProof>,
}

/// The program as an analysis sees it.
struct View<'a> {
    program: Cow<'a, Program>,
    /// Of the program, if its expressions are new.
    points_to: Option<PointsTo>,
    strategies: Arc<StrategyMap>,
    accelerated: Option<Accelerated>,
    stats: Statistics,
}

/// What acceleration has done.
struct Accelerated {
    origins: Rc<accelerate::origins::Origins>,
    /// Least bound of unwinding for which nothing redundant that was removed is missed.
    least_bound: u32,
    /// Number of paths with an accelerator.
    accelerators: usize,
    /// Number of paths without accelerator because they access memory at places that move.
    left_out: usize,
}

impl<'a> Subject<'a> {
    /// Whether a function may call itself.
    pub(crate) fn is_recursive(&self) -> bool {
        CallGraph::new(self.sliced, None).reaches_recursion(self.sliced.start)
    }

    /// Whether the property can be broken at several places, as far as nothing is proved.
    pub(crate) fn has_several_checks(&self) -> bool {
        let proved = self.proved.map_or(0, |proved| proved.edges.len());
        proved + self.observer.breaking(self.sliced).take(2).count() > 1
    }

    /// Whether objects on the heap are made in loops, or in functions that loops call.
    pub(crate) fn has_allocating_loops(&self) -> bool {
        let program = self.sliced;
        let (wto, calls) = (Wto::new(program), CallGraph::new(program, Some(&self.prepared.points_to)));
        let is_in_loop = |edge: &Edge| wto.innermost(edge.src).is_some();
        let in_loops = program.edges.iter_enumerated().filter(|(_, edge)| is_in_loop(edge));
        let mut waiting: Vec<FuncId> =
            in_loops.flat_map(|(id, _)| calls.callees_of_edge(program, id)).copied().collect();
        let mut repeated = BTreeSet::new();
        while let Some(func) = waiting.pop() {
            if repeated.insert(func) {
                waiting.extend(calls.callees(func));
            }
        }
        program.edges.iter().any(|edge| {
            matches!(edge.op, Op::Alloc { kind: AllocKind::Heap | AllocKind::HeapZeroed, .. })
                && (is_in_loop(edge) || repeated.contains(&program.locs[edge.src].func))
        })
    }

    /// Whether loops access memory at addresses that change with their iterations.
    pub(crate) fn has_moving_accesses(&self) -> bool {
        let (program, wto) = (self.sliced, Wto::new(self.sliced));
        let heads = |edge: &Edge| wto.heads(edge.src).iter().copied();
        let assigned = |edge: &Edge| {
            edge.op.assigned().into_iter().flat_map(|var| heads(edge).map(move |head| (head, var))).collect::<Vec<_>>()
        };
        let assigned: BTreeSet<(LocId, VarId)> = program.edges.iter().flat_map(assigned).collect();
        program.edges.iter().any(|edge| {
            let mut addresses = Vec::new();
            if let Op::Store { addr, .. } = edge.op {
                addresses.push(addr);
            }
            edge.op.for_each_expr(|root| {
                program.exprs.walk(root, |_, part| {
                    if let ExprKind::Load(addr) = part.kind {
                        addresses.push(addr);
                    }
                });
            });
            let mut moves = false;
            for addr in addresses {
                program.exprs.walk(addr, |_, part| {
                    if let ExprKind::Var(var) = part.kind {
                        moves |= heads(edge).any(|head| assigned.contains(&(head, var)));
                    }
                });
            }
            moves
        })
    }

    /// Tells the answer before the run has ended.
    pub(crate) fn announce(&self, outcome: &Outcome) {
        let outcome = settled(self.prepared, self.observer, outcome.clone());
        self.progress.event(Event::Answered(Box::new(outcome)));
    }

    /// Tells what is proved before there is an answer.
    pub(crate) fn announce_proved(&self, proved: &PartialProof) {
        let unknown = Outcome::unknown(StopReason::NoProgress);
        let outcome = settled(self.prepared, self.observer, Outcome { partial: Some(proved.clone()), ..unknown });
        if let Some(PartialProof { edges, .. }) = outcome.partial {
            let assumptions = outcome.assumptions;
            self.progress.event(Event::Proved(Box::new(PartialProof { edges, assumptions })));
        }
    }

    /// Runs an analysis. Where it abstracts loops, it first goes a little way without: programs whose loops end soon need no strategies,
    /// and have to refuse each.
    pub(crate) fn run(&self, part: &Part, budget: &Budget) -> Outcome {
        let Some(effort) = part.prepass(settings::wanted(self.config)) else { return self.run_on_slice(part, budget) };
        let began = Instant::now();
        let applies = || self.with_strategies(self.sliced).is_some();
        if part.options.transformations.contains(&Transformation::Strategies) && applies() {
            let mut plain = part.clone();
            plain.options.loop_abstraction = Switch::Off;
            plain.options.most_successors = part.options.prepass_successors;
            let first = self.run_on_slice(&plain, &budget.within(effort));
            if !matches!(first.verdict, Verdict::Unknown(_)) || budget.check().is_err() {
                return first;
            }
        }
        let spent = began.elapsed();
        let mut outcome = self.run_on_slice(part, budget);
        outcome.stats.time("loops.without", spent);
        outcome
    }

    /// Runs an analysis on the slice, and on the whole program where the slice misleads it: it has runs that the program has not, where
    /// it left out what ends them. A run of the analysed program through an access that leads nowhere is looked for in the program as it was
    /// written.
    fn run_on_slice(&self, part: &Part, budget: &Budget) -> Outcome {
        let mut outcome = self.run_transformed(part, budget);
        let misled = matches!(&outcome.verdict, Verdict::Unknown(reason) if reason.is_of_replay());
        let undefined = matches!(&outcome.verdict, Verdict::Unknown(StopReason::Undefined { .. }));
        let open = self.prepared.open.first().filter(|_| misled);
        if (undefined || open.is_some())
            && budget.check().is_ok()
            && let Some(written) = self.prepared.as_written()
        {
            let sliced = slice(&written.program, &written.points_to, &written.regions, self.observer).program;
            let again = Subject { prepared: &written, sliced: &sliced, ..*self }.run_on_slice(part, budget);
            if matches!(again.verdict, Verdict::False(_)) {
                return again;
            }
        }
        if let (Some(open), Verdict::Unknown(StopReason::ReplayFailed { .. })) = (open, &outcome.verdict) {
            let reason = task::unmodelled::construct(&self.prepared.program, open);
            return Outcome { stats: outcome.stats, ..Outcome::unknown(reason) };
        }
        if misled && part.options.transformations.contains(&Transformation::Slice) && budget.check().is_ok() {
            self.progress.event(Event::Info("replay failed on the slice: trying the whole program".into()));
            let mut whole = part.clone();
            whole.options.transformations.retain(|transformation| *transformation != Transformation::Slice);
            let again = self.run_transformed(&whole, budget);
            // That a run meets undefined behaviour tells more than any reason why the whole program is not decided.
            let told = matches!(outcome.verdict, Verdict::Unknown(StopReason::Undefined { .. }));
            if !told || !matches!(again.verdict, Verdict::Unknown(_)) {
                outcome = again;
            }
        }
        outcome
    }

    /// Checks a proof by unwinding, where a check is demanded.
    fn demand_check(
        &self,
        task: &Task<'_, '_>,
        (mut outcome, selected): (Outcome, Vec<EdgeId>),
        budget: &Budget,
    ) -> Outcome {
        let Evidence::UnwindingComplete { unwind, beyond, .. } = outcome.evidence else { return outcome };
        if settings::wanted(self.config).proof == ProofCheck::Skip {
            return outcome;
        }
        let rejected = match beyond {
            Beyond::Nothing => confirm_unwinding(task, (unwind, selected), budget, self.progress, &mut outcome.stats),
            Beyond::Recurrence => {
                let why = "that runs come back to a state can't be checked again".to_owned();
                Some(StopReason::ProofRejected { why })
            }
        };
        match rejected {
            Some(reason) => Outcome { stats: outcome.stats, ..Outcome::unknown(reason) },
            None => outcome,
        }
    }

    /// Transforms the program and runs an analysis. Short loops over arrays are best unrolled, so they are accelerated only where there
    /// is no answer otherwise.
    fn run_transformed(&self, part: &Part, budget: &Budget) -> Outcome {
        let run = |accesses| match self.transform(part, accesses, budget) {
            Ok(mut view) => {
                let is_idle = view.accelerated.as_ref().is_some_and(|accelerated| accelerated.accelerators == 0);
                let mut outcome = if is_idle && part.options.unaccelerated == Switch::Off {
                    let why = "no loop is accelerated".to_owned();
                    Outcome::unknown(StopReason::NotApplicable { why })
                } else if let Some(detail) = misfit(&view.program) {
                    Outcome::unknown(StopReason::Internal { detail })
                } else {
                    self.run_view(part, &view, budget)
                };
                outcome.stats.append(std::mem::take(&mut view.stats));
                (outcome, view.accelerated.map_or(0, |accelerated| accelerated.left_out))
            }
            Err(stop) => (Outcome::unknown(StopReason::from_stop(stop, budget)), 0),
        };
        match run(Accesses::Fixed) {
            (Outcome { verdict: Verdict::Unknown(_), .. }, 1..) if budget.check().is_ok() => run(Accesses::Moving).0,
            (first, _) => first,
        }
    }

    /// Applies the transformations of the program, in their order.
    fn transform(&self, part: &Part, accesses: Accesses, budget: &Budget) -> Result<View<'a>, Stop> {
        let mut view = View {
            program: Cow::Borrowed(&self.prepared.program),
            points_to: None,
            strategies: Arc::default(),
            accelerated: None,
            stats: Statistics::default(),
        };
        for transformation in &part.options.transformations {
            match transformation {
                Transformation::Slice => view.program = Cow::Borrowed(self.sliced),
                Transformation::Strategies if part.options.loop_abstraction == Switch::Off => {}
                Transformation::Strategies => self.add_strategies(&mut view),
                Transformation::SplitChoices => {
                    split_choices(view.program.to_mut());
                }
                Transformation::TailCalls => {
                    if tail_calls(view.program.to_mut()) > 0 {
                        view.points_to = Some(PointsTo::new(&view.program));
                    }
                }
                Transformation::Accelerate => {
                    self.accelerate(
                        &mut view,
                        acceleration::Config { mode: acceleration::Mode::Accelerate, accesses },
                        budget,
                    )?;
                }
                Transformation::Restrict => {
                    self.accelerate(
                        &mut view,
                        acceleration::Config { mode: acceleration::Mode::Restrict, accesses },
                        budget,
                    )?;
                }
            }
        }
        Ok(view)
    }

    fn add_strategies(&self, view: &mut View<'_>) {
        let began = Instant::now();
        if let Some(strategies::Augmented { program, map }) = self.with_strategies(&view.program) {
            view.points_to = Some(PointsTo::new(&program));
            view.program = Cow::Owned(program);
            view.strategies = Arc::new(map);
        }
        view.stats.count("loops.choices", view.strategies.choices.len());
        view.stats.count("loops.omitted", view.strategies.omitted);
        view.stats.time("loops.time", began.elapsed());
    }

    /// A program with strategies for its loops, if some apply.
    fn with_strategies(&self, program: &Program) -> Option<strategies::Augmented> {
        let points_to = &self.prepared.points_to;
        let (wto, regions) = (Wto::new(program), Regions::new(program, points_to));
        let source = strategies::Source { program, wto: &wto, points_to, regions: &regions, observer: self.observer };
        strategies::augment(source, &strategies::all(), Limits::default())
    }

    fn accelerate(&self, view: &mut View<'_>, how: acceleration::Config, budget: &Budget) -> Result<(), Stop> {
        let began = Instant::now();
        self.progress.event(Event::Phase("accelerate"));
        let done = accelerate::accelerate(&view.program, self.observer, how, &one_shot, budget)?;
        view.stats.append(done.report.statistics());
        view.stats.time("accelerate.time", began.elapsed());
        view.points_to = Some(PointsTo::new(&done.program));
        view.program = Cow::Owned(done.program);
        let left_out = done.report.given_up.get(&GivenUp::Moving).copied().unwrap_or(0);
        let least_bound = done.report.row as u32;
        let accelerators = done.report.accelerators;
        view.accelerated = Some(Accelerated { origins: Rc::new(done.origins), least_bound, accelerators, left_out });
        Ok(())
    }

    /// Runs an analysis on a view.
    fn run_view(&self, part: &Part, view: &View<'_>, budget: &Budget) -> Outcome {
        let (program, points_to) = (&*view.program, view.points_to.as_ref().unwrap_or(&*self.prepared.points_to));
        let may_point_to = |expr: ExprId, kind: ObjectKind| may_point_to(points_to, expr, kind);
        let task = Task {
            program,
            wto: &Wto::new(program),
            observer: self.observer,
            strategies: &view.strategies,
            solver: &one_shot,
            incremental: &|| Box::new(Z3Solver::new(Mode::Incremental)) as Box<dyn Solver>,
            may_point_to: &may_point_to,
            replay: self.replay,
            to_undefined: &|script| replay::to_undefined(self.prepared.written(), self.observer, script, budget),
        };
        let outcome = self.analyse(part, &task, points_to, view.accelerated.as_ref(), budget);
        // What is proved is said of edges, and they are those of the program only where it is seen as it is.
        let keeps_edges = matches!(view.program, Cow::Borrowed(_));
        Outcome { partial: outcome.partial.filter(|_| keeps_edges), ..outcome }
    }

    /// Runs an analysis on a task.
    fn analyse(
        &self,
        part: &Part,
        task: &Task<'_, '_>,
        points_to: &PointsTo,
        accelerated: Option<&Accelerated>,
        budget: &Budget,
    ) -> Outcome {
        let (progress, wanted) = (self.progress, settings::wanted(self.config));
        let numerical = (wanted.proof, part.options.search);
        let parts = || predicate::Parts { backend: &Z3Backend, points_to, engines: part.engines() };
        match part.analysis {
            Analysis::Bmc => {
                let mut config = part.bmc();
                if let (unrolling::Unwind::Fixed(bound), Some(accelerated)) = (&mut config.unwind, accelerated) {
                    *bound = accelerated.least_bound.max(*bound);
                }
                config.origins = accelerated.map(|accelerated| accelerated.origins.clone());
                self.demand_check(task, unrolling::run_selecting(task, &config, budget, progress), budget)
            }
            Analysis::KInduction => kinduction::run(task, points_to, part.kinduction(wanted), budget, progress),
            Analysis::Interval => numerical::run::<Env>(task, points_to, numerical, budget, progress),
            Analysis::Shape => shape::run::run(task, points_to, part.options.search, budget, progress),
            Analysis::Octagon => numerical::run::<Octagons>(task, points_to, numerical, budget, progress),
            Analysis::Value => {
                stack_abstraction::run(task, points_to, &part.value(wanted, self.order()), budget, progress)
            }
            Analysis::Predicate => predicate::run(task, parts(), &part.predicate(wanted), budget, progress),
            Analysis::ValuePredicate => {
                let run = |part: &Part, budget: &Budget| {
                    value_predicate::run(task, parts(), &part.value_predicate(wanted, self.order()), budget, progress)
                };
                with_first_attempt(part, run, budget)
            }
            Analysis::Impact => impact::run(task, parts(), &part.impact(wanted), budget, progress),
            Analysis::BamValue => {
                let config = part.value(wanted, self.order());
                cegar::bam::value::run(task, points_to, &config, part.bam(), self.kept, budget, progress)
            }
            Analysis::BamPredicate => {
                let config = part.predicate(wanted);
                cegar::bam::predicate::run(task, parts(), &config, part.bam().refinement, budget, progress)
            }
            Analysis::Testing => replay::testing::search(self.prepared.written(), self.observer, budget),
            Analysis::Equations => Outcome {
                invariants: kinduction::relations::find(task, points_to, budget),
                ..Outcome::unknown(StopReason::NoProgress)
            },
        }
    }

    /// Reverse postorder follows a loop until it is stable, and one that makes objects never is.
    fn order(&self) -> Order {
        let makes_objects = |op: &Op| matches!(op, Op::Alloc { .. } | Op::Realloc { .. });
        let mut edges = self.sliced.locs.iter().flat_map(|loc| &loc.out);
        if edges.any(|edge| makes_objects(&self.sliced.edges[*edge].op)) { Order::Bfs } else { Order::ReversePostorder }
    }
}

fn one_shot() -> Box<dyn Solver> {
    Box::new(Z3Solver::new(Mode::OneShot))
}

/// Runs values with predicates: for a while as the options say, for as long with all values, and then anew.
fn with_first_attempt(part: &Part, run: impl Fn(&Part, &Budget) -> Outcome, budget: &Budget) -> Outcome {
    let Some(effort) = part.options.first_attempt else { return run(part, budget) };
    let effort = budget.remaining().map_or(effort, |left| effort.min(left / 8));
    let first = run(part, &budget.within(effort));
    if !matches!(first.verdict, Verdict::Unknown(_)) || budget.check().is_err() {
        return first;
    }
    let mut plain = part.clone();
    plain.options.tracking = value::Tracking::Everything;
    plain.options.values_per_variable = None;
    let second = run(&plain, &budget.within(effort));
    match (&first.verdict, &second.verdict) {
        (_, Verdict::True | Verdict::False(_)) => second,
        (Verdict::Unknown(StopReason::Timeout { .. }), _) if budget.check().is_ok() => run(part, budget),
        _ => first,
    }
}

//! Validates witnesses: weaves them into their programs and lets bounded model checking decide the result.
//!
//! A violation witness is confirmed by a run of the *original* program that follows it to the violation. A correctness witness is
//! confirmed where its invariants hold and suffice: with loops cut at them ([`cfa::pass::cut_loops`]), no run reaches the
//! error or violates an invariant. Where one does, the witness is refuted by it, and a run of the program as it is goes
//! before one that only the cut program has.

use crate::assemble;
use crate::config::{self, Config};
use crate::failure::Failure;
use crate::frontend;
use crate::input;
use crate::job::{Job, SourceOptions};
use crate::limits::{GRACE, Interrupts, Limits, Watchdog};
use crate::prepare::{Prepared, prepare};
use crate::property::{self, Property};
use crate::stack::on_large_stack;
use crate::witness as made;
use ::witness::hash;
use ::witness::model::{Content, Invariant, InvariantKind, Segment, WaypointKind};
use ::witness::weave::{self, Mark, MarkedLoop, Mode, PROGRESS, VIOLATED, Weaver};
use ::witness::yaml::{self, Read};
use base::{Budget, Diagnostic, Name, Place, SourceMap, Span, Stop};
use cfa::pass::cut_loops::{ROUND, cut_loops};
use cfa::pass::guard_errors::{Guard, Labels, guard_errors};
use cfa::{ExprKind, MachineModel, Observer, Op, Pattern, Program};
use outcome::{
    Assumption, Counterexample, Evidence, Outcome, Progress, Statistics, StepKind, StopReason, Verdict, Visibility,
};
use std::path::Path;
use std::time::Duration;

/// What became of a witness.
#[derive(Clone, PartialEq, Debug)]
pub enum Validity {
    /// What it claims is so: the verdict of its program.
    Confirmed(Verdict),
    /// It is wrong, or does not suffice; one sentence.
    Refuted(String),
    /// Neither was shown.
    Unknown(StopReason),
}

/// A witness with the answer.
#[derive(Clone, Debug)]
pub struct Validated {
    /// The answer.
    pub validity: Validity,
    /// The run that confirms or refutes it.
    pub run: Option<Counterexample>,
    /// What the answer rests on.
    pub assumptions: Vec<Assumption>,
    /// Remarks, one sentence each.
    pub notes: Vec<String>,
    /// What was measured and counted.
    pub stats: Statistics,
}

impl Validated {
    fn new(validity: Validity) -> Self {
        Self { validity, run: None, assumptions: Vec::new(), notes: Vec::new(), stats: Statistics::default() }
    }
}

/// A witness and its program.
#[derive(Debug)]
pub struct Case {
    /// The program with its property.
    pub job: Job,
    read: Read,
    /// Name and text of the witness.
    file: (String, String),
}

/// The longest stage of a validation without a time limit.
const EFFORT: Duration = Duration::from_secs(100);

/// Most rounds of loops that invariants are proved over together.
const MOST_ROUNDS: u32 = 3;

/// Longest search that could only tell more of what is known already.
const SEARCH: Duration = Duration::from_secs(5);

impl Case {
    /// Reads a witness and the program at `path`, and checks that they belong together.
    ///
    /// # Errors
    /// If one can't be read, or they don't.
    pub fn read(
        path: &Path,
        witness: &Path,
        property: Option<&Path>,
        options: &SourceOptions,
    ) -> Result<Case, Failure> {
        let (input, text) = input::read_text(witness)?;
        let map = || SourceMap::new(input.name.as_str().into(), text.clone(), Vec::new());
        let fail = |diagnostic: Diagnostic| Failure::in_source(vec![diagnostic], map());
        let read = yaml::read(&text).map_err(|diagnostics| Failure::in_source(diagnostics, map()))?;
        let mut job = Job::read(path, property, options)?;
        check_hash(&job, &read).map_err(|diagnostic| fail(*diagnostic))?;
        check_files(&job, &read).map_err(|diagnostic| fail(*diagnostic))?;
        let model = if read.data_model.text == "ILP32" { MachineModel::Ilp32 } else { MachineModel::Lp64 };
        let is_task = input::kind_of(path) == input::Kind::Task;
        if job.machine != model && (options.machine.is_some() || is_task) {
            let message = format!("the witness is for data model {}", read.data_model.text);
            let help = format!("the program is checked with {}", job.data_model());
            return Err(fail(Diagnostic::error("E0066", read.data_model.span, message).help(help)));
        }
        job.machine = model;
        let claimed = property::parse(&read.specification.text).map_err(|_| {
            let help = "expected `CHECK( init(main()), LTL(G ! call(reach_error())) )` or the same with `label(ERROR)`";
            fail(Diagnostic::error("E0066", read.specification.span, "a property that Hone does not check").help(help))
        })?;
        if property.is_none() && !is_task {
            job.property = Property { entry: options.entry.as_deref().map_or(claimed.entry, Name::from), ..claimed };
        } else if !fits(&read.content, &claimed.observer, &job.property.observer) {
            let message = "the witness is for another property";
            let help = format!("the program is checked for `{}`", job.property.observer.property);
            return Err(fail(Diagnostic::error("E0066", read.specification.span, message).help(help)));
        }
        Ok(Case { job, read, file: (input.name, text) })
    }
}

impl Case {
    /// A witness that was made for the program of `job`; `None` if its text can't be read.
    pub(crate) fn of(job: &Job, text: String) -> Option<Case> {
        let read = yaml::read(&text).ok()?;
        Some(Case { job: job.clone(), read, file: ("witness".to_owned(), text) })
    }
}

/// Whether a correctness witness is confirmed within the budget.
pub(crate) fn suffices(case: &Case, budget: &Budget) -> bool {
    let Ok(bmc) = config::preset(Some("bmc")) else { return false };
    let validator = Validator { case, budget, progress: &outcome::Silent, bmc };
    match &case.read.content {
        Content::Violation(_) => false,
        Content::Invariants(invariants) => validator
            .invariants(invariants)
            .is_ok_and(|validated| validated.validity == Validity::Confirmed(Verdict::True)),
    }
}

/// Whether a witness for `claimed` tells something of `wanted`.
fn fits(content: &Content, claimed: &Observer, wanted: &Observer) -> bool {
    let covers = |a: &Observer, b: &Observer| b.transitions.iter().all(|t| a.transitions.iter().any(|u| u.on == t.on));
    match content {
        Content::Violation(_) => covers(wanted, claimed),
        Content::Invariants(_) => covers(claimed, wanted),
    }
}

fn check_hash(job: &Job, read: &Read) -> Result<(), Box<Diagnostic>> {
    let hash = hash::sha256(&job.input.bytes);
    if read.hashes.iter().any(|(_, text)| text.text.eq_ignore_ascii_case(&hash)) {
        return Ok(());
    }
    let span = read.hashes.first().map_or(Span::new(0, 0), |(_, text)| text.span);
    let message = "the witness is for another program";
    let help = format!("the SHA-256 of {} is {hash}", job.input.name);
    Err(Box::new(Diagnostic::error("E0065", span, message).label("not the hash of the program").help(help)))
}

fn check_files(job: &Job, read: &Read) -> Result<(), Box<Diagnostic>> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let own = name(&job.input.name);
    match read.files.iter().find(|file| name(&file.text) != own) {
        None => Ok(()),
        Some(file) => {
            let message = format!("a position in another file than {own}");
            let help = "positions must be in the program that the witness is for";
            Err(Box::new(Diagnostic::error("E0064", file.span, message).help(help)))
        }
    }
}

/// Validates a witness.
///
/// # Errors
/// If the program is none, or the witness does not fit it.
pub fn validate(
    case: &Case,
    limits: Limits,
    interrupts: &Interrupts,
    progress: &dyn Progress,
    last_words: Box<dyn Fn(Validated) + Send>,
) -> Result<Validated, Failure> {
    let budget = limits.budget();
    let overrun = {
        let budget = budget.clone();
        move |stop: Stop| last_words(Validated::new(Validity::Unknown(StopReason::from_stop(stop, &budget))))
    };
    let watchdog = Watchdog::start(budget.clone(), interrupts.clone(), GRACE, Box::new(overrun));
    let result = on_large_stack(|| {
        let validator = Validator { case, budget: &budget, progress, bmc: config::preset(Some("bmc"))? };
        match &case.read.content {
            Content::Violation(segments) => validator.violation(segments),
            Content::Invariants(invariants) => validator.invariants(invariants),
        }
    });
    let mut validated = result.unwrap_or_else(|| {
        let reason = StopReason::Internal { detail: "a part of Hone failed".to_owned() };
        Ok(Validated::new(Validity::Unknown(reason)))
    })?;
    validated.notes.extend(case.read.notes.iter().cloned());
    validated.notes.dedup();
    validated.stats.time("time", budget.elapsed());
    validated.stats.bytes("memory.peak", watchdog.peak_memory());
    Ok(validated)
}

struct Validator<'a> {
    case: &'a Case,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    bmc: Config,
}

/// A program with a witness in it.
struct Woven<T> {
    program: Program,
    /// Offset behind which the text is the witness's.
    offset: u32,
    result: T,
}

impl Validator<'_> {
    /// The program with what `weave` does to its tree.
    fn woven<T>(&self, weave: impl FnOnce(&mut Weaver) -> Result<T, Vec<Diagnostic>>) -> Result<Woven<T>, Failure> {
        let job = &self.case.job;
        let mut weaver = made::weaver(job, (&self.case.file.0, &self.case.file.1))?;
        let offset = weaver.offset();
        let result = weave(&mut weaver).map_err(|errors| Failure::in_source(errors, weaver.source.map.clone()))?;
        let unit = made::check_types(job, &mut weaver)
            .map_err(|errors| Failure::in_source(errors, weaver.source.map.clone()))?;
        let options = c2cfa::LowerOptions { machine: job.machine, entry: job.property.entry.clone() };
        let lowered =
            c2cfa::lower(unit, &options).map_err(|errors| Failure::in_source(errors, weaver.source.map.clone()))?;
        Ok(Woven { program: lowered.program, offset, result })
    }

    /// A share of the time that is left.
    fn stage(&self, percent: u32) -> Budget {
        self.budget.within(self.budget.remaining().map_or(EFFORT, |left| left * percent / 100))
    }

    /// Time for a search that could only tell more of what is known already.
    fn short(&self) -> Budget {
        self.budget.within(self.budget.remaining().map_or(SEARCH, |left| (left / 2).min(SEARCH)))
    }

    fn violation(&self, segments: &[Segment]) -> Result<Validated, Failure> {
        let original = prepare(frontend::load(&self.case.job, self.progress)?.program, &mut Statistics::default());
        let mut undecided = None;
        let mut stats = Statistics::default();
        let mut never_strictly = false;
        for mode in [Mode::Strict, Mode::Lenient] {
            let stage = match mode {
                Mode::Strict => self.stage(60),
                Mode::Lenient if never_strictly => self.short(),
                Mode::Lenient => self.stage(70),
            };
            let outcome = self.follow(segments, mode, None, &stage, Some(&original))?;
            stats = outcome.stats;
            match (outcome.verdict, outcome.evidence) {
                (Verdict::False(property), Evidence::Counterexample(cex)) => {
                    let confirmed = Validity::Confirmed(Verdict::False(property));
                    return Ok(Validated { run: Some(*cex), stats, ..Validated::new(confirmed) });
                }
                (Verdict::Unknown(reason), _) => undecided = Some(reason),
                _ if mode == Mode::Lenient => undecided = None,
                _ => never_strictly = true,
            }
            if self.budget.check().is_err() {
                break;
            }
        }
        if let Some(reason) = undecided.clone().filter(|_| !never_strictly) {
            return Ok(Validated { stats, ..Validated::new(Validity::Unknown(reason)) });
        }
        let mode = if never_strictly { Mode::Strict } else { Mode::Lenient };
        let mut notes = Vec::new();
        if undecided.is_some() {
            notes.push("runs that pass a waypoint later than where they meet it first were searched to a bound".into());
        }
        let why = match self.first_missed(segments, mode) {
            Some(at) => {
                let position = &segments[at].follow.at;
                let column = position.column.map_or(String::new(), |column| format!(":{column}"));
                let what = describe(&segments[at].follow.kind);
                format!(
                    "no run passes waypoint {} of {}, {what} at line {}{column}",
                    at + 1,
                    segments.len(),
                    position.line
                )
            }
            None => "no run follows it to the violation".to_owned(),
        };
        Ok(Validated { stats, notes, ..Validated::new(Validity::Refuted(why)) })
    }

    /// Searches a run that follows the segments; with `until`, one that passes so many of them, whatever comes then.
    fn follow(
        &self,
        segments: &[Segment],
        mode: Mode,
        until: Option<usize>,
        budget: &Budget,
        original: Option<&Prepared>,
    ) -> Result<Outcome, Failure> {
        let observer = &self.case.job.property.observer;
        let labels: Vec<&str> = observer
            .transitions
            .iter()
            .filter_map(|t| match &t.on {
                Pattern::Label(label) => Some(&**label),
                Pattern::Call(_) => None,
            })
            .collect();
        let n = segments.len();
        let Woven { mut program, result: label, .. } = self.woven(|weaver| {
            weaver.violation(&segments[..until.unwrap_or(n)], mode, until)?;
            Ok(weaver.target_label(segments, &labels))
        })?;
        let counter = program.vars.iter_enumerated().find(|(_, var)| &*var.name == PROGRESS).map(|(id, _)| id);
        let Some(counter) = counter else {
            // No function that can be called has a waypoint.
            return Ok(Outcome::new(Verdict::True, Evidence::None));
        };
        let searched = match until {
            Some(_) => Observer::never(observer.property.clone(), [Pattern::Call(VIOLATED.into())]),
            None => {
                let label = label.map(|(function, label)| (function, label, n as u32 - 1));
                guard_errors(
                    &mut program,
                    observer,
                    &Guard { counter, calls_at: n as u32, labels: Labels::Only(label) },
                );
                observer.clone()
            }
        };
        let prepared = prepare(program, &mut Statistics::default());
        let replay = |script| match original {
            None => replay::replay(&prepared.program, &searched, script, budget),
            Some(original) => {
                let (_, tape) = replay::record_tape(&prepared.program, &searched, script, budget)?;
                replay::replay_tape(&original.program, observer, tape, budget)
            }
        };
        Ok(assemble::run_with(&prepared, &searched, &self.bmc, budget, self.progress, &replay))
    }

    /// The first segment that no run passes behind the ones before it; `None` if that could not be found out.
    fn first_missed(&self, segments: &[Segment], mode: Mode) -> Option<usize> {
        let budget = self.short();
        let passes = |count: usize| {
            let outcome = self.follow(segments, mode, Some(count), &budget, None).ok()?;
            match outcome.verdict {
                Verdict::True => Some(false),
                Verdict::False(_) => Some(true),
                Verdict::Unknown(_) => None,
            }
        };
        // So many can be passed; so many can't.
        let (mut can, mut cannot) = (0, segments.len());
        while cannot - can > 1 {
            let middle = can.midpoint(cannot);
            if passes(middle)? { can = middle } else { cannot = middle }
        }
        // The target itself is passed by the violation only.
        Some(can)
    }

    fn invariants(&self, invariants: &[Invariant]) -> Result<Validated, Failure> {
        let Woven { program, offset, result: loops } = self.woven(|weaver| weaver.invariants(invariants))?;
        if let Some(span) = undefined_parts(&program, offset).first() {
            let place = program.source.place(span.lo);
            let reason = StopReason::Unsupported {
                construct: "invariant that may be undefined".into(),
                detail: String::new(),
                place,
            };
            return Ok(Validated::new(Validity::Unknown(reason)));
        }
        let property = &self.case.job.property.observer;
        let mut observer = property.clone();
        observer.transitions.push(cfa::observer::Transition {
            from: Observer::INITIAL,
            on: Pattern::Call(VIOLATED.into()),
            to: observer.error,
        });
        let marked = prepare(program, &mut Statistics::default());
        let has = |mark: Mark| loops.iter().any(|l| l.mark == mark);
        let annotated = has(Mark::Annotated) && has(Mark::Bare);
        let mut stages: Vec<(Cuts, u32)> = vec![(Cuts::All, if annotated { 30 } else { 50 })];
        if annotated {
            stages.push((Cuts::Annotated, 50));
        }
        if has(Mark::Place) && has(Mark::Bare) {
            stages.push((Cuts::Places, 50));
        }
        stages.push((Cuts::None, 100));
        let mut refuted: Option<Validated> = None;
        let mut undecided = None;
        for (cuts, percent) in stages {
            if self.budget.check().is_err() {
                break;
            }
            // Before the search without an end.
            if cuts == Cuts::None
                && let Some(confirmed) = self.together(&marked, &observer, &loops)
            {
                return Ok(confirmed);
            }
            let stage = if refuted.is_some() && cuts == Cuts::None { self.short() } else { self.stage(percent) };
            let checked = self.check_cut(&marked, &observer, &loops, cuts, 1, &stage);
            let Checked { program, outcome, notes } = checked;
            match (outcome.verdict, outcome.evidence) {
                (Verdict::True, _) => {
                    let confirmed = Validated::new(Validity::Confirmed(Verdict::True));
                    return Ok(Validated { assumptions: outcome.assumptions, stats: outcome.stats, ..confirmed });
                }
                (Verdict::False(_), Evidence::Counterexample(cex)) => {
                    let why = explain(&program, &cex, invariants, &loops, cuts);
                    let run = Some(from_last_cut(*cex, cuts, &loops, &self.case.job.input.name));
                    let found = Validated { run, notes, ..Validated::new(Validity::Refuted(why)) };
                    // A run of the program as it is says most; otherwise the cut that is nearest to it.
                    refuted = Some(Validated { stats: outcome.stats, ..found });
                }
                (Verdict::Unknown(reason), _) => {
                    undecided =
                        Some(Validated { notes, stats: outcome.stats, ..Validated::new(Validity::Unknown(reason)) });
                }
                _ => {}
            }
        }
        let stopped = || Validated::new(Validity::Unknown(StopReason::Timeout { limit: None }));
        Ok(refuted.or(undecided).unwrap_or_else(stopped))
    }

    /// Whether the invariants are inductive together with what some rounds of loops before show. Only a proof tells anything here.
    fn together(&self, marked: &Prepared, observer: &Observer, loops: &[MarkedLoop]) -> Option<Validated> {
        for rounds in 2..=MOST_ROUNDS {
            if self.budget.check().is_err() {
                break;
            }
            let Checked { outcome, .. } = self.check_cut(marked, observer, loops, Cuts::All, rounds, &self.stage(20));
            if outcome.verdict == Verdict::True {
                let confirmed = Validated::new(Validity::Confirmed(Verdict::True));
                let notes = vec![format!("the invariants are {rounds}-inductive together")];
                return Some(Validated { assumptions: outcome.assumptions, stats: outcome.stats, notes, ..confirmed });
            }
        }
        None
    }

    /// Checks the marked program with some of its loops cut, by induction over so many rounds; also tells which loops could
    /// not be.
    fn check_cut(
        &self,
        marked: &Prepared,
        observer: &Observer,
        loops: &[MarkedLoop],
        cuts: Cuts,
        rounds: u32,
        budget: &Budget,
    ) -> Checked {
        let mut program = marked.program.clone();
        let mut notes = Vec::new();
        if let Some(marker) = program.function_named(weave::CUT) {
            let mark = |number: u32| loops.get(number as usize).map(|l| l.mark);
            let wanted = |number: u32| match cuts {
                Cuts::All => mark(number).is_some_and(|mark| mark != Mark::Place),
                Cuts::Annotated => mark(number) == Some(Mark::Annotated),
                Cuts::Places => mark(number).is_some_and(|mark| mark != Mark::Bare),
                Cuts::None => false,
            };
            let (marks, early) = cut_loops(&mut program, &marked.points_to, marker, rounds, wanted);
            if let Some(counter) = early {
                guard_errors(&mut program, observer, &Guard { counter, calls_at: 0, labels: Labels::AsCalls });
            }
            for mark in marks {
                let l = loops.get(mark.number as usize).filter(|l| l.mark != Mark::Place);
                if let (Some(why), Some(l)) = (mark.kept.filter(|why| !why.is_empty()), l) {
                    let (line, column) = l.position;
                    notes.push(format!("the loop at line {line}:{column} is unwound: {why}"));
                }
            }
        }
        let prepared = prepare(program, &mut Statistics::default());
        let outcome = assemble::run(&prepared, observer, &self.bmc, budget, self.progress);
        Checked { program: prepared.program, outcome, notes }
    }
}

/// A program with cut loops, and the answer for it.
struct Checked {
    program: Program,
    outcome: Outcome,
    notes: Vec<String>,
}

/// Which loops are cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cuts {
    /// All that can be.
    All,
    /// Those with an invariant.
    Annotated,
    /// Those with an invariant at any place.
    Places,
    /// None: the program as it is, with assertions.
    None,
}

/// A waypoint in words.
fn describe(kind: &WaypointKind) -> String {
    match kind {
        WaypointKind::Assumption(c) => format!("assumption `{}`", c.text),
        WaypointKind::Branch(truth) => format!("branching `{truth}`"),
        WaypointKind::Case(value) => format!("branching `{value}`"),
        WaypointKind::Default => "branching `default`".to_owned(),
        WaypointKind::Enter => "function_enter".to_owned(),
        WaypointKind::Return(Some(c)) => format!("function_return `{}`", c.text),
        WaypointKind::Return(None) => "function_return".to_owned(),
        WaypointKind::Target => "target".to_owned(),
    }
}

/// Why the run refutes a correctness witness.
fn explain(
    program: &Program,
    cex: &Counterexample,
    invariants: &[Invariant],
    loops: &[MarkedLoop],
    cuts: Cuts,
) -> String {
    let last = cex.steps.last().map(|step| &program.edges[step.edge].op);
    let violated = match last {
        Some(Op::CallExtern { func, args, .. }) if &*program.functions[*func].name == VIOLATED => {
            let number = args.first().and_then(|arg| program.exprs.as_const(*arg));
            number.and_then(|number| invariants.get(number.0 as usize))
        }
        _ => None,
    };
    let Some(invariant) = violated else {
        return match cuts {
            Cuts::None => "the program violates the property".to_owned(),
            _ => "the invariants do not suffice: they allow a state from which the error is reached".to_owned(),
        };
    };
    let column = invariant.at.column.map_or(String::new(), |column| format!(":{column}"));
    let what = format!("invariant `{}` at line {}{column}", invariant.value.text, invariant.at.line);
    let position = |l: &MarkedLoop| {
        l.position.0 == invariant.at.line && invariant.at.column.is_none_or(|column| column == l.position.1)
    };
    let round = loops.iter().position(position).filter(|_| invariant.kind == InvariantKind::Loop).and_then(|number| {
        let counter = format!("{ROUND}{number}");
        cex.steps.iter().rev().find_map(|step| match &step.kind {
            StepKind::Assign { target, value } if *target == counter => Some(value.as_str()),
            _ => None,
        })
    });
    match (cuts, round) {
        (Cuts::None, _) => format!("{what} does not hold in a run of the program"),
        (_, Some("1")) => format!("{what} is not preserved by an iteration of its loop"),
        (_, Some(_)) => format!("{what} does not hold when its loop is reached"),
        (_, None) => format!("{what} does not follow from the invariants of loops"),
    }
}

/// The run behind the last place where a loop was cut, with the state in which that was.
fn from_last_cut(mut cex: Counterexample, cuts: Cuts, loops: &[MarkedLoop], file: &str) -> Counterexample {
    let cut = |kind: &StepKind| match kind {
        StepKind::Assign { target, value } if value == "1" => target.strip_prefix(ROUND)?.parse::<usize>().ok(),
        _ => None,
    };
    let mut place = None;
    if cuts != Cuts::None
        && let Some(at) = cex.steps.iter().rposition(|step| cut(&step.kind).is_some())
    {
        let cut_loop = cut(&cex.steps[at].kind).and_then(|number| loops.get(number));
        place = cut_loop.map(|l| Place { file: file.into(), line: l.position.0, column: l.position.1 });
        cex.steps.drain(..at);
    }
    let woven = |place: &Option<Place>| place.as_ref().is_some_and(|place| &*place.file == weave::FILE);
    for step in &mut cex.steps {
        // What was woven is not the user's, but the values with which a cut loop goes on are wanted.
        if woven(&step.place) && matches!(&step.kind, StepKind::Input(_) | StepKind::Error { .. }) {
            step.visibility = Visibility::User;
            step.place.clone_from(&place);
        }
        if let StepKind::Error { what } = &mut step.kind
            && what.starts_with(VIOLATED)
        {
            *what = "an invariant does not hold".to_owned();
        }
    }
    for input in &mut cex.inputs {
        if woven(&input.place) {
            input.place.clone_from(&place);
        }
    }
    cex
}

/// Where expressions of the witness may be undefined: then a run would end there, instead of showing that they are wrong.
pub(crate) fn undefined_parts(program: &Program, offset: u32) -> Vec<Span> {
    let edges = program.locs.iter().flat_map(|l| &l.out).map(|edge| &program.edges[*edge]);
    let of_witness = edges.filter(|edge| edge.span.lo >= offset && edge.span != Span::NONE);
    let undefined = of_witness.filter(|edge| {
        let mut through_pointer = false;
        edge.op.for_each_expr(|root| {
            program.exprs.walk(root, |_, e| {
                if let ExprKind::Load(addr) = e.kind {
                    through_pointer |= !is_in_variable(program, addr);
                }
            });
        });
        through_pointer || matches!(edge.op, Op::Undefined(_) | Op::Unsupported(_))
    });
    undefined.map(|edge| edge.span).collect()
}

/// Whether an address is made from that of a variable.
fn is_in_variable(program: &Program, addr: cfa::ExprId) -> bool {
    match program.exprs.kind(addr) {
        ExprKind::AddrOf(_) => true,
        ExprKind::PtrAdd(base, _) | ExprKind::Cast(base) => is_in_variable(program, base),
        _ => false,
    }
}

//! Validates witnesses: weaves them into their programs and lets bounded model checking decide the result.
//!
//! A violation witness is confirmed by a run of the *original* program that follows it to the violation. A correctness witness is
//! confirmed where its invariants hold and suffice: with loops cut at them ([`transform::cut_loops`]), no run reaches the
//! error or violates an invariant. Where one does, the witness is refuted by it, and a run of the program as it is goes
//! before one that only the cut program has. Contracts of recursive functions cut their calls ([`transform::cut_calls`]).

mod correctness;
mod violation;

pub(crate) use correctness::{reads_through_pointers, unmodelled_parts};

use crate::config::{self, Config};
use crate::failure::Failure;
use crate::input;
use crate::job::{Allocation, Job, SourceOptions};
use crate::limits::{GRACE, Interrupts, Limits, Watchdog};
use crate::property::{self, Property};
use crate::stack::on_large_stack;
use crate::text_form::TextForm;
use crate::weaving::{check_types, weaver};
use ::witness::hash;
use ::witness::model::{BIG_ENDIAN, Content};
use ::witness::weave::{Mode, Weaver};
use ::witness::yaml::{self, Read};
use base::{Budget, ByteOrder, Diagnostic, Effort, Name, SourceMap, Span, Stop};
use cfa::{MachineModel, Observer, Program};
use outcome::{Assumption, Counterexample, Progress, Statistics, StopReason, Verdict};
use std::path::{Path, PathBuf};

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
const EFFORT: Effort = Effort::thousands(100_000);

/// Longest search that could only tell more of what is known already.
const SEARCH: Effort = Effort::thousands(5_000);

impl Case {
    /// Reads a witness and the program at `path`, and checks that they belong together.
    ///
    /// # Errors
    /// If one can't be read, or they don't.
    pub fn read(
        files: &[PathBuf],
        witness: &Path,
        property: Option<&Path>,
        options: &SourceOptions,
    ) -> Result<Case, Failure> {
        let (input, text) = input::read_text(witness)?;
        let map = || SourceMap::new(input.name.as_str().into(), text.clone(), Vec::new());
        let fail = |diagnostic: Diagnostic| Failure::in_source(vec![diagnostic], map());
        let read = yaml::read(&text).map_err(|diagnostics| Failure::in_source(diagnostics, map()))?;
        let mut job = Job::read(files, property, options)?;
        check_hash(&job, &read).map_err(|diagnostic| fail(*diagnostic))?;
        check_files(&job, &read).map_err(|diagnostic| fail(*diagnostic))?;
        let is_task = files.iter().any(|file| input::kind_of(file) == input::Kind::Task);
        let told = &read.data_model.text;
        let (model, order) = match told.strip_suffix(BIG_ENDIAN) {
            Some(model) => (model, ByteOrder::Big),
            None => (told.as_str(), ByteOrder::Little),
        };
        let model = MachineModel::read(model).unwrap_or(job.machine);
        let differs = job.machine != model && (options.machine.is_some() || is_task)
            || job.byte_order != order && options.byte_order.is_some();
        if differs {
            let message = format!("the witness is for data model {}", read.data_model.text);
            let help = format!("the program is checked with {}", job.data_model());
            return Err(fail(Diagnostic::error("E0066", read.data_model.span, message).help(help)));
        }
        (job.machine, job.byte_order) = (model, order);
        let claimed = property::parse(&read.specification.text).map_err(|_| {
            let help = "expected `CHECK( init(main()), LTL(G ! call(reach_error())) )` or the same with `label(ERROR)`";
            fail(Diagnostic::error("E0066", read.specification.span, "a property that Hone does not check").help(help))
        })?;
        if property.is_none() && !is_task {
            job.property = Property { entry: options.entry.as_deref().map_or(claimed.entry, Name::from), ..claimed };
            // Other verifiers prove programs in which allocations never fail.
            if let (Content::Invariants(_), None) = (&read.content, options.allocation) {
                job.allocation = Allocation::NeverFails;
            }
        } else if !fits(&read.content, &claimed.observer, &job.property.observer) {
            let message = "the witness is for another property";
            let help = format!("the program is checked for `{}`", job.property.observer.property);
            return Err(fail(Diagnostic::error("E0066", read.specification.span, message).help(help)));
        }
        Ok(Case { job, read, file: (input.name, text) })
    }
}

impl Case {
    /// Whether it is a correctness witness without a claim about loops or calls.
    pub fn claims_nothing(&self) -> bool {
        matches!(&self.read.content, Content::Invariants(claims) if claims.invariants.is_empty() && claims.contracts.is_empty())
    }

    /// A witness that was made for the program of `job`; `None` if its text can't be read.
    pub fn of(job: &Job, text: String) -> Option<Case> {
        let read = yaml::read(&text).ok()?;
        Some(Case { job: job.clone(), read, file: ("witness".to_owned(), text) })
    }

    /// The program with the witness in it, before anything is searched.
    ///
    /// # Errors
    /// If the witness does not fit the program.
    pub fn woven(&self) -> Result<Program, Failure> {
        let budget = Budget::unlimited();
        let validator = Validator::new(self, &budget, &outcome::Silent)?;
        let woven = validator.woven(|weaver| match &self.read.content {
            Content::Violation(segments) => weaver.violation(segments, Mode::Strict, None),
            Content::Invariants(claims) => {
                weaver.invariants(&claims.invariants)?;
                weaver.contracts(&claims.contracts, claims.invariants.len()).map(drop)
            }
        })?;
        Ok(woven.program)
    }
}

/// Whether a correctness witness is confirmed within the budget.
pub(crate) fn suffices(case: &Case, budget: &Budget) -> bool {
    let Ok(validator) = Validator::new(case, budget, &outcome::Silent) else { return false };
    match &case.read.content {
        Content::Violation(_) => false,
        Content::Invariants(claims) => validator
            .correctness(claims)
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
    let hashes: Vec<String> = job.inputs.iter().map(|input| hash::sha256(&input.bytes)).collect();
    let is_named = |hash: &&String| read.hashes.iter().any(|(_, text)| text.text.eq_ignore_ascii_case(hash));
    let Some(at) = hashes.iter().position(|hash| !is_named(&hash)) else { return Ok(()) };
    let span = read.hashes.first().map_or(Span::new(0, 0), |(_, text)| text.span);
    let message = "the witness is for another program";
    let help = format!("the SHA-256 of {} is {}", job.inputs[at].name, hashes[at]);
    Err(Box::new(Diagnostic::error("E0065", span, message).label("not the hash of the program").help(help)))
}

fn check_files(job: &Job, read: &Read) -> Result<(), Box<Diagnostic>> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let own: Vec<String> = job.inputs.iter().map(|input| name(&input.name)).collect();
    match read.files.iter().find(|file| !own.contains(&name(&file.text))) {
        None => Ok(()),
        Some(file) => {
            let message = format!("a position in another file than {}", own.join(", "));
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
        let validator = Validator::new(case, &budget, progress)?;
        match &case.read.content {
            Content::Violation(segments) => validator.violation(segments),
            Content::Invariants(claims) => validator.correctness(claims),
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
    /// What looks for runs that pass waypoints.
    runs: Config,
    /// What checks claims.
    proofs: Config,
}

/// A program with a witness in it.
struct Woven<T> {
    program: Program,
    /// Offset behind which the text is the witness's.
    offset: u32,
    result: T,
}

impl<'a> Validator<'a> {
    fn new(case: &'a Case, budget: &'a Budget, progress: &'a dyn Progress) -> Result<Self, Failure> {
        Ok(Validator { case, budget, progress, runs: config::preset(Some("bmc"))?, proofs: config::validation()? })
    }

    /// The program with what `weave` does to its tree.
    fn woven<T>(&self, weave: impl FnOnce(&mut Weaver) -> Result<T, Vec<Diagnostic>>) -> Result<Woven<T>, Failure> {
        let job = &self.case.job;
        let mut weaver = weaver(job, (&self.case.file.0, &self.case.file.1))?;
        let offset = weaver.offset();
        let result = weave(&mut weaver).map_err(|errors| Failure::in_source(errors, weaver.source.map.clone()))?;
        let unit =
            check_types(job, &mut weaver).map_err(|errors| Failure::in_source(errors, weaver.source.map.clone()))?;
        let lowered = c2cfa::lower(unit, &job.lower_options())
            .map_err(|errors| Failure::in_source(errors, weaver.source.map.clone()))?;
        Ok(Woven { program: lowered.program, offset, result })
    }

    /// A share of the effort that is left.
    fn stage(&self, percent: u32) -> Budget {
        self.budget.within(self.budget.remaining().map_or(EFFORT, |left| left.percent(percent)))
    }

    /// Effort for a search that could only tell more of what is known already.
    fn short(&self) -> Budget {
        self.budget.within(self.budget.remaining().map_or(SEARCH, |left| (left / 2).min(SEARCH)))
    }
}

//! Invariants for proofs whose own do not suffice alone.
//!
//! Proofs by unwinding, accelerated paths and abstracted loops say little about loops, and not all that others say can be written in C. The
//! invariants of a witness should suffice alone, so they are validated as [`crate::validate`] does it. Where they do not suffice, other
//! analyses prove the program again, each for a moment, until the invariants of one do: the sequence `invariants.toml`.

use crate::config::{self, Config, Plan, Stage};
use crate::job::Job;
use crate::options::Analysis;
use crate::prepare::prepare;
use crate::sequence;
use crate::subject::Subject;
use crate::validate::{Case, suffices};
use crate::witness;
use ::witness::yaml::{self, Version};
use base::{Budget, Effort};
use cfa::Program;
use cfa::callgraph::CallGraph;
use cfa::loops::Wto;
use outcome::{Contract, Event, Evidence, Invariant, Outcome, Progress, Silent, Statistics, StopReason, Verdict};
use std::sync::Mutex;
use std::time::Instant;
use transform::slice::slice;

/// Effort of one validation.
const VALIDATION: Effort = Effort::thousands(2_000);
/// The same where there are no invariants, which seldom suffices.
const WITHOUT: Effort = Effort::thousands(400);

/// Whether the invariants of an outcome may be too few. Those of one analysis are left as it tells them, unless it does not speak of loops
/// and calls at all: who asks for an analysis wants its proof.
fn may_be_too_few(config: &Config, program: &Program, outcome: &Outcome) -> bool {
    if outcome.verdict != Verdict::True {
        return false;
    }
    let speaks_of_loops = match outcome.evidence {
        Evidence::UnwindingComplete { .. } | Evidence::None | Evidence::Counterexample(_) => false,
        Evidence::Induction { .. } | Evidence::Abstraction { .. } => outcome.loops.is_empty(),
    };
    let (wto, is_recursive) = (Wto::new(program), is_recursive(program));
    let speaks_of_calls = !is_recursive || !outcome.contracts.is_empty();
    if speaks_of_loops && speaks_of_calls && matches!(config.plan, Plan::Single(_)) {
        return false;
    }
    is_recursive || program.locs.iter_enumerated().any(|(loc, _)| wto.is_head(loc))
}

/// Whether a run may have a function that calls itself.
fn is_recursive(program: &Program) -> bool {
    CallGraph::new(program, None).reaches_recursion(program.start)
}

/// Completes the invariants of a proof, within the budget.
pub(crate) fn complete(
    job: &Job,
    config: &Config,
    program: &Program,
    outcome: &mut Outcome,
    budget: &Budget,
    progress: &dyn Progress,
) {
    if !may_be_too_few(config, program, outcome) {
        return;
    }
    let began = Instant::now();
    progress.event(Event::Phase("invariants"));
    let search = Search { job, config, program, budget, outcome, own: Proved::of(outcome) };
    if !search.suffice(&search.own) {
        match search.others() {
            Some(Found::Invariants(found, origin)) => {
                (outcome.invariants, outcome.contracts) = (found.invariants, found.contracts);
                outcome.notes.push(format!("the invariants are {origin}: they prove it alone"));
            }
            Some(Found::Contradiction(name)) => {
                let detail = format!("{} and {name} contradict each other", config.name);
                *outcome = Outcome::unknown(StopReason::Internal { detail });
            }
            None => outcome
                .notes
                .push("the invariants alone do not prove it: no analysis found better ones in a moment".into()),
        }
    }
    outcome.stats.time("invariants.time", began.elapsed());
}

/// What a proof tells of loops and calls.
#[derive(Clone)]
struct Proved {
    invariants: Vec<Invariant>,
    contracts: Vec<Contract>,
}

impl Proved {
    fn of(outcome: &Outcome) -> Self {
        Self { invariants: outcome.invariants.clone(), contracts: outcome.contracts.clone() }
    }

    fn is_empty(&self) -> bool {
        self.invariants.is_empty() && self.contracts.is_empty()
    }

    /// Both; whether the other one adds anything.
    fn add(&mut self, other: Proved) -> bool {
        let (invariants, contracts) = (self.invariants.len(), self.contracts.len());
        let is_new = |invariant: &Invariant| !self.invariants[..invariants].contains(invariant);
        let more: Vec<Invariant> = other.invariants.into_iter().filter(is_new).collect();
        self.invariants.extend(more);
        let is_new = |contract: &Contract| !self.contracts[..contracts].contains(contract);
        let more: Vec<Contract> = other.contracts.into_iter().filter(is_new).collect();
        self.contracts.extend(more);
        self.invariants.len() > invariants || self.contracts.len() > contracts
    }
}

/// What ends the search.
enum Found {
    /// Invariants that suffice, and whose the missing ones are.
    Invariants(Proved, String),
    /// This configuration found a violation.
    Contradiction(&'static str),
}

/// The search for the invariants of a proof.
struct Search<'a> {
    job: &'a Job,
    config: &'a Config,
    program: &'a Program,
    budget: &'a Budget,
    /// The proof.
    outcome: &'a Outcome,
    /// What it tells.
    own: Proved,
}

impl Search<'_> {
    /// Whether a witness with these invariants is confirmed.
    fn suffice(&self, proved: &Proved) -> bool {
        let mut claimed = Outcome::new(Verdict::True, Evidence::None);
        claimed.invariants.clone_from(&proved.invariants);
        claimed.contracts.clone_from(&proved.contracts);
        claimed.assumptions.clone_from(&self.outcome.assumptions);
        let made = witness::make(self.job, &self.config.name, self.program, &claimed, self.budget);
        let text = made.map(|made| yaml::render(&made.info, &made.content, Version::of(&made.content)));
        let effort = if proved.is_empty() { WITHOUT } else { VALIDATION };
        let case = text.and_then(|text| Case::of(self.job, text));
        case.is_some_and(|case| suffices(&case, &self.budget.within(effort)))
    }

    /// Lets other analyses prove the program.
    fn others(&self) -> Option<Found> {
        let config = config::invariants().ok()?;
        let Plan::Sequence(stages) = &config.plan else { return None };
        let prepared = &prepare(self.program.clone(), &mut Statistics::default());
        let observer = &self.job.property.observer;
        let sliced = &slice(&prepared.program, &prepared.points_to, &prepared.regions, observer).program;
        let replay = |script| replay::replay(prepared.written(), observer, script, self.budget);
        let (config, progress, replay) = (&config, &Silent, &replay);
        let subject = Subject { prepared, sliced, observer, config, progress, replay, kept: None, proved: None };
        let found = Mutex::default();
        let is_answer = |stage: &Stage, outcome: &Outcome| {
            let answer = self.judge(stage, outcome);
            let is_answer = answer.is_some();
            found.lock().ok().and_then(|mut found| std::mem::replace(&mut *found, answer));
            is_answer
        };
        sequence::run(&subject, stages, &is_answer, self.budget);
        found.into_inner().ok().flatten()
    }

    /// Whether the invariants of a stage suffice, alone or together with the own ones.
    fn judge(&self, stage: &Stage, outcome: &Outcome) -> Option<Found> {
        let proved = Proved::of(outcome);
        let is_proof = stage.part.analysis != Analysis::Equations;
        match outcome.verdict {
            Verdict::False(_) => return Some(Found::Contradiction(stage.name)),
            Verdict::Unknown(_) if is_proof => return None,
            _ if proved.is_empty() => return None,
            _ => {}
        }
        let origin = match is_proof {
            true => format!("those of configuration `{}`", stage.name),
            false => "equations of counters, with bounds".to_owned(),
        };
        // A proof by induction rests on its own ones.
        let rests_on_own = is_proof && matches!(self.outcome.evidence, Evidence::Induction { .. });
        if !rests_on_own && self.suffice(&proved) {
            return Some(Found::Invariants(proved, origin));
        }
        let mut both = self.own.clone();
        let is_more = both.add(proved) && !self.own.is_empty();
        (is_more && self.suffice(&both)).then_some(Found::Invariants(both, origin))
    }
}

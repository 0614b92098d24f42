//! Invariants for proofs whose own do not suffice alone.
//!
//! Proofs by unwinding, accelerated paths and abstracted loops say little about loops, and not all that others say can be written in C. The
//! invariants of a witness should suffice alone, so they are validated as [`crate::validate`] does it. Where they do not suffice, other
//! analyses prove the program again, each for a moment, until the invariants of one do.

use crate::assemble;
use crate::config::{self, Algorithm, Config};
use crate::job::Job;
use crate::prepare::{Prepared, prepare};
use crate::validate::{Case, suffices};
use crate::witness;
use ::witness::yaml::{self, Version};
use base::{Budget, Effort};
use cfa::Program;
use cfa::callgraph::CallGraph;
use cfa::loops::Wto;
use outcome::{Contract, Event, Evidence, Invariant, Outcome, Progress, Silent, Statistics, StopReason, Verdict};
use std::time::Instant;

/// An analysis that looks for invariants.
struct Helper {
    name: &'static str,
    /// What it may take where no other one found any at a glance.
    effort: Effort,
    /// Whether it says anything of recursive functions.
    recursion: bool,
}

/// They are tried in this order, each at a glance first.
const HELPERS: [Helper; 4] = [
    Helper { name: "k-induction", effort: Effort::thousands(6_000), recursion: false },
    Helper { name: "predicate", effort: Effort::thousands(2_500), recursion: true },
    Helper { name: "value-predicate", effort: Effort::thousands(1_500), recursion: true },
    Helper { name: "impact", effort: Effort::thousands(1_500), recursion: true },
];
/// What a glance may take.
const GLANCE: Effort = Effort::thousands(1_000);
/// What it may take to look for equations of counters.
const RELATIONS: Effort = Effort::thousands(2_500);
/// What one validation may take.
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
    if speaks_of_loops && speaks_of_calls && !matches!(config.algorithm, Algorithm::Sequence(_)) {
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
    let seek = Seek { job, config, program, budget };
    if !seek.suffice(outcome, &Proved::of(outcome)) {
        let own = Proved::of(outcome);
        match seek.others(outcome, &own) {
            Found::Invariants(found, name) => {
                (outcome.invariants, outcome.contracts) = (found.invariants, found.contracts);
                outcome.notes.push(format!("the invariants are those of configuration `{name}`: they prove it alone"));
            }
            Found::Relations(found) => {
                (outcome.invariants, outcome.contracts) = (found.invariants, found.contracts);
                outcome.notes.push("the invariants are equations of counters, with bounds: they prove it alone".into());
            }
            Found::Contradiction(name) => {
                let detail = format!("{} and {name} contradict each other", config.name);
                *outcome = Outcome::unknown(StopReason::Internal { detail });
            }
            Found::Nothing => {
                outcome
                    .notes
                    .push("the invariants alone do not prove it: no analysis found better ones in a moment".into());
            }
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

/// What the other analyses came to.
enum Found {
    /// Invariants that suffice, and the analysis that found the missing ones.
    Invariants(Proved, &'static str),
    /// Invariants that suffice with equations of counters.
    Relations(Proved),
    /// One found a violation.
    Contradiction(&'static str),
    /// None did.
    Nothing,
}

/// What one of them came to.
enum Answer {
    /// An answer.
    Found(Found),
    /// It was not finished.
    Unfinished,
    /// No invariants that suffice.
    Nothing,
}

struct Seek<'a> {
    job: &'a Job,
    config: &'a Config,
    program: &'a Program,
    budget: &'a Budget,
}

impl Seek<'_> {
    /// Whether a witness with these invariants is confirmed.
    fn suffice(&self, outcome: &Outcome, proved: &Proved) -> bool {
        let mut claimed = Outcome::new(Verdict::True, Evidence::None);
        claimed.invariants.clone_from(&proved.invariants);
        claimed.contracts.clone_from(&proved.contracts);
        claimed.assumptions.clone_from(&outcome.assumptions);
        let made = witness::make(self.job, &self.config.name, self.program, &claimed, self.budget);
        let text = made.map(|made| yaml::render(&made.info, &made.content, Version::of(&made.content)));
        let effort = if proved.is_empty() { WITHOUT } else { VALIDATION };
        let case = text.and_then(|text| Case::of(self.job, text));
        case.is_some_and(|case| suffices(&case, &self.budget.within(effort)))
    }

    /// Invariants of other analyses, or of one together with `own`.
    fn others(&self, outcome: &Outcome, own: &Proved) -> Found {
        let prepared = prepare(self.program.clone(), &mut Statistics::default());
        let invariants = assemble::relations(&prepared, &self.job.property.observer, &self.budget.within(RELATIONS));
        let related = Proved { invariants, contracts: Vec::new() };
        if !related.is_empty() {
            if self.suffice(outcome, &related) {
                return Found::Relations(related);
            }
            let mut both = own.clone();
            if !own.is_empty() && both.add(related) && self.suffice(outcome, &both) {
                return Found::Relations(both);
            }
        }
        let is_recursive = is_recursive(self.program);
        let mut helpers: Vec<&Helper> = HELPERS.iter().filter(|helper| helper.recursion || !is_recursive).collect();
        for glance in [Some(GLANCE), None] {
            let mut open = Vec::new();
            for helper in helpers {
                if self.budget.check().is_err() {
                    return Found::Nothing;
                }
                match self.ask(&prepared, helper.name, glance.unwrap_or(helper.effort), (outcome, own)) {
                    Answer::Found(found) => return found,
                    Answer::Unfinished => open.push(helper),
                    Answer::Nothing => {}
                }
            }
            helpers = open;
        }
        Found::Nothing
    }

    /// Lets an analysis prove the program, for a while.
    fn ask(
        &self,
        prepared: &Prepared,
        name: &'static str,
        effort: Effort,
        (outcome, own): (&Outcome, &Proved),
    ) -> Answer {
        let Ok(helper) = config::preset(Some(name)) else { return Answer::Nothing };
        let limited = self.budget.within(effort);
        let found = assemble::run(prepared, &self.job.property.observer, &helper, &limited, &Silent);
        let proved = Proved::of(&found);
        match found.verdict {
            Verdict::False(_) => return Answer::Found(Found::Contradiction(name)),
            Verdict::Unknown(StopReason::Timeout { .. }) => {
                self.budget.give_up("given_up.helpers");
                return Answer::Unfinished;
            }
            Verdict::Unknown(_) => return Answer::Nothing,
            Verdict::True if proved.is_empty() => return Answer::Nothing,
            Verdict::True => {}
        }
        // A proof by induction rests on its own ones.
        let rests_on_own = matches!(outcome.evidence, Evidence::Induction { .. });
        if !rests_on_own && self.suffice(outcome, &proved) {
            return Answer::Found(Found::Invariants(proved, name));
        }
        let mut both = own.clone();
        if both.add(proved) && !own.is_empty() && self.suffice(outcome, &both) {
            return Answer::Found(Found::Invariants(both, name));
        }
        Answer::Nothing
    }
}

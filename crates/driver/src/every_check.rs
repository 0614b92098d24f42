//! Decides each check on its own.
//!
//! A run ends at the first check that it breaks. So a check is violated if a run breaks it and none before, and proved if there is no such run;
//! which others are asked about at the same time does not matter. One analysis is asked about a group of checks, of which runs end at all
//! others. A proof decides all of the group; a violation decides one check, which leaves it; and where there is no answer, the halves of
//! the group are asked about, each with its share of what is left. What an analysis proves without an answer for the group leaves it.

use crate::checks::{Place, violated_by};
use crate::prepare::Prepared;
use crate::reached;
use base::{Budget, Effort};
use cfa::{EdgeId, Observer};
use outcome::{
    Assumption, CheckResult, EveryCheck, Evidence, Outcome, PartialProof, Statistics, Status, StopReason, Vacuity,
    Verdict, assumption,
};
use std::collections::VecDeque;

/// Effort for a group of checks where nobody has set a limit of time; the next time, it is more.
const FIRST: Effort = Effort::thousands(60_000);

/// What a group that can be halved may take of its part, in percent.
const FOR_ALL: u32 = 30;

/// Asks an analysis about a program, within a part of what is left (all of it if `None`), and is told what it proves before it answers.
pub(crate) type Ask<'a> = &'a dyn Fn(&Prepared, Option<Effort>, &Proved<'_>) -> Outcome;

/// Is told what an analysis proves before it answers.
pub(crate) type Proved<'a> = dyn Fn(&PartialProof) + Sync + 'a;

/// Is told what is known so far.
pub(crate) type Tell<'a> = dyn Fn(Outcome) + Sync + 'a;

/// Some checks that are asked about together.
struct Group {
    checks: Vec<usize>,
    /// How often one check alone was asked about in vain.
    attempts: u32,
}

/// What is known so far.
struct Rounds<'a> {
    prepared: &'a Prepared,
    observer: &'a Observer,
    places: &'a [Place],
    budget: &'a Budget,
    status: Vec<Option<Status>>,
    /// The last proof.
    proof: Option<Outcome>,
    /// How many answers were proofs.
    proofs: u32,
    /// How often an analysis was asked.
    asked: u32,
    /// The last outcome without an answer.
    unknown: Option<Outcome>,
    assumptions: Vec<Assumption>,
    /// The analyses that found violations, by check.
    analyses: Vec<Option<&'static str>>,
}

/// Decides each of the checks; `tell` is told what is known after each step.
pub(crate) fn decide(
    (prepared, observer): (&Prepared, &Observer),
    places: &[Place],
    ask: Ask<'_>,
    (budget, tell): (&Budget, &Tell<'_>),
) -> Outcome {
    let status = places.iter().map(|place| place.edges.is_empty().then_some(Status::Unreachable)).collect();
    let mut rounds = Rounds {
        prepared,
        observer,
        places,
        budget,
        status,
        proof: None,
        proofs: 0,
        asked: 0,
        unknown: None,
        assumptions: Vec::new(),
        analyses: vec![None; places.len()],
    };
    rounds.run(ask, tell);
    rounds.find_unreachable(tell);
    rounds.outcome(&[])
}

impl Rounds<'_> {
    fn run(&mut self, ask: Ask<'_>, tell: &Tell<'_>) {
        let open: Vec<usize> = (0..self.places.len()).filter(|check| self.status[*check].is_none()).collect();
        // Without checks, one round tells what the answer rests on.
        let mut groups = VecDeque::from([Group { checks: open, attempts: 0 }]);
        while let Some(group) = groups.pop_front() {
            if self.budget.check().is_err() {
                break;
            }
            let ends: Vec<EdgeId> = (0..self.places.len())
                .filter(|check| !group.checks.contains(check))
                .flat_map(|check| self.places[check].edges.iter().copied())
                .collect();
            let others = groups.iter().filter(|other| other.attempts <= group.attempts).count();
            let effort = self.share(&group, others);
            let proved = |partial: &PartialProof| {
                let mut outcome = self.outcome(&self.proved(&group, partial));
                assumption::add(&mut outcome.assumptions, &partial.assumptions);
                tell(outcome);
            };
            let outcome = match ends.as_slice() {
                [] => ask(self.prepared, effort, &proved),
                ends => ask(&self.prepared.ending_at(self.observer, ends), effort, &proved),
            };
            self.asked += 1;
            assumption::add(&mut self.assumptions, &outcome.assumptions);
            let asked = group.checks.len();
            let group = self.without_proved(group, &outcome);
            let is_rest = group.checks.len() < asked;
            self.learn(group, is_rest, outcome, &mut groups);
            tell(self.outcome(&[]));
        }
    }

    /// The checks of a group that are proved by what an analysis tells.
    fn proved(&self, group: &Group, partial: &PartialProof) -> Vec<usize> {
        group.checks.iter().copied().filter(|check| self.places[*check].is_in(partial)).collect()
    }

    /// What is left of a group when that is noted which the outcome proves, whatever it says about the others.
    fn without_proved(&mut self, mut group: Group, outcome: &Outcome) -> Group {
        let Some(partial) = &outcome.partial else { return group };
        let violated = match &outcome.evidence {
            Evidence::Counterexample(run) => violated_by(self.places, run),
            _ => None,
        };
        let mut proved = self.proved(&group, partial);
        proved.retain(|check| Some(*check) != violated);
        if !proved.is_empty() {
            group.checks.retain(|check| !proved.contains(check));
            self.proofs += 1;
            for check in proved {
                self.status[check] = Some(Status::Proved);
            }
        }
        group
    }

    /// What a group may take: of a limited time, one part for each group that was not asked about more often, of which those that can be halved
    /// leave most to their halves.
    fn share(&self, group: &Group, others: usize) -> Option<Effort> {
        let is_single = group.checks.len() <= 1;
        match self.budget.remaining() {
            Some(_) if is_single && others == 0 => None,
            Some(left) => Some(left.percent(if is_single { 100 } else { FOR_ALL }) / (others as u32 + 1)),
            None if self.places.len() <= 1 => None,
            None => Some(FIRST.doubled(group.attempts)),
        }
    }

    /// Notes what an analysis said about a group, or about more checks than those that are left of it, and what is to be asked because of it.
    fn learn(&mut self, mut group: Group, is_rest: bool, outcome: Outcome, groups: &mut VecDeque<Group>) {
        match (&outcome.verdict, &outcome.evidence) {
            (Verdict::True, _) => {
                for check in group.checks {
                    self.status[check] = Some(Status::Proved);
                }
                self.proofs += 1;
                self.proof = Some(outcome);
            }
            (Verdict::False(_), Evidence::Counterexample(run)) => match violated_by(self.places, run) {
                Some(check) if group.checks.contains(&check) => {
                    self.status[check] = Some(Status::Violated(run.clone()));
                    self.analyses[check] = outcome.analysis;
                    group.checks.retain(|other| *other != check);
                    if !group.checks.is_empty() {
                        groups.push_front(group);
                    }
                }
                _ => {
                    let detail = "a run breaks a check that nobody asked about".to_owned();
                    self.give_up(group, is_rest, Outcome::unknown(StopReason::Internal { detail }), groups);
                }
            },
            _ => self.give_up(group, is_rest, outcome, groups),
        }
    }

    /// There is no answer for a group.
    fn give_up(&mut self, mut group: Group, is_rest: bool, outcome: Outcome, groups: &mut VecDeque<Group>) {
        let Verdict::Unknown(reason) = &outcome.verdict else { return };
        let is_timeout = matches!(reason, StopReason::Timeout { .. });
        match group.checks[..] {
            // Where a limit of effort was the reason and nobody waits for anything else, more of it may help.
            [_] if is_timeout && self.budget.remaining().is_none() => {
                group.attempts += 1;
                groups.push_back(group);
            }
            [] => {}
            // It was asked about beside others only, with a part of what there is for it alone.
            [_] if is_rest && is_timeout => groups.push_front(group),
            // What the others don't need is for those that need more than their part.
            [_] if is_timeout && group.attempts == 0 && !groups.is_empty() => {
                group.attempts = 1;
                groups.push_back(group);
            }
            [check] => {
                let limit = self.budget.time_limit();
                let reason = if is_timeout { StopReason::Timeout { limit } } else { reason.clone() };
                self.status[check] = Some(Status::Unknown(reason));
            }
            _ => {
                let rest = group.checks.split_off(group.checks.len() / 2);
                groups.push_front(Group { checks: rest, attempts: 0 });
                groups.push_front(group);
            }
        }
        self.unknown = Some(outcome);
    }

    /// Tells proved checks that no run gets to from others.
    fn find_unreachable(&mut self, tell: &Tell<'_>) {
        let proved: Vec<usize> =
            (0..self.places.len()).filter(|check| self.status[*check] == Some(Status::Proved)).collect();
        if proved.is_empty() || self.budget.check().is_err() {
            return;
        }
        let edges: Vec<Vec<EdgeId>> = proved.iter().map(|check| self.places[*check].edges.clone()).collect();
        let unreached = reached::unreached(self.prepared, self.observer, &edges, self.budget);
        for (check, is_unreached) in proved.into_iter().zip(unreached) {
            if is_unreached {
                self.status[check] = Some(Status::Unreachable);
            }
        }
        tell(self.outcome(&[]));
    }

    /// Why checks are not decided that nobody could ask about any more.
    fn reason(&self) -> StopReason {
        match self.budget.check() {
            Err(stop) => StopReason::from_stop(stop, self.budget),
            Ok(()) => StopReason::Timeout { limit: self.budget.time_limit() },
        }
    }

    /// The answer: what became of each check, with the first violation in the order of the source as that of the whole. Some checks are proved
    /// besides what was noted.
    fn outcome(&self, proved: &[usize]) -> Outcome {
        let reason = self.reason();
        let status = |check: usize| match &self.status[check] {
            Some(status) => status.clone(),
            None if proved.contains(&check) => Status::Proved,
            None => Status::Unknown(reason.clone()),
        };
        let checks: Vec<CheckResult> =
            self.places.iter().enumerate().map(|(check, place)| place.with(status(check))).collect();
        let violated = checks.iter().enumerate().find_map(|(check, result)| match &result.status {
            Status::Violated(run) => Some((check, run)),
            _ => None,
        });
        let open = checks.iter().find_map(|check| match &check.status {
            Status::Unknown(reason) => Some(reason.clone()),
            _ => None,
        });
        let mut outcome = match (violated, open, &self.proof, &self.unknown) {
            (Some((check, run)), ..) => Outcome {
                analysis: self.analyses[check],
                ..Outcome::new(Verdict::False(run.violated), Evidence::Counterexample(run.clone()))
            },
            (None, Some(reason), ..) => {
                let run = self.unknown.as_ref().and_then(|outcome| outcome.run.clone());
                Outcome { run, ..Outcome::unknown(reason) }
            }
            (None, None, Some(proof), _) => self.whole_proof(proof),
            // There was no check to ask about, and no proof of that.
            (None, None, None, Some(unknown)) => unknown.clone(),
            (None, None, None, None) => Outcome::unknown(reason),
        };
        if outcome.verdict == Verdict::True {
            outcome.vacuity = vacuity(&checks);
        }
        outcome.assumptions.clone_from(&self.assumptions);
        outcome.stats.count("checks.rounds", self.asked);
        outcome.checks = checks;
        outcome.every_check = EveryCheck::Yes;
        outcome
    }

    /// The proof of all checks. Where it has parts, each one is about runs that break no check of another part before; so taken together,
    /// no run breaks any, but no single graph says it.
    fn whole_proof(&self, proof: &Outcome) -> Outcome {
        if self.proofs == 1 {
            return proof.clone();
        }
        let parts = format!("the proof has {} parts, each for some of the checks; the last one is told", self.proofs);
        Outcome { stats: Statistics::default(), ..proof.clone() }.note(parts)
    }
}

/// Why proofs of all checks say nothing.
fn vacuity(checks: &[CheckResult]) -> Option<Vacuity> {
    let is_unreached = |check: &&CheckResult| check.status == Status::Unreachable;
    let assertions: Vec<&CheckResult> =
        checks.iter().filter(|check| check.property == outcome::Property::UnreachCall).collect();
    if checks.is_empty() {
        Some(Vacuity::NothingChecked)
    } else if !assertions.is_empty() {
        assertions.iter().all(is_unreached).then_some(Vacuity::NoAssertion)
    } else {
        checks.iter().all(|check| is_unreached(&check)).then_some(Vacuity::NoRun)
    }
}

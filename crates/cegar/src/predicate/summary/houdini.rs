//! Houdini over contracts of procedures, to the bit: candidates that fail are dropped until the rest is
//! inductive [flanagan01].

use super::walk::{Called, Run};
use super::{Candidate, Procedure, Program};
use analysis::AnalysisError;
use domains::predicate::PredicateCpa;
use refine::formula::{Deadline, EngineContext};
use smt::{SatResult, Substitution, TermId, UnknownReason};
use std::rc::Rc;

/// Where candidates have to hold.
enum Goal<'r> {
    /// At the entry of a procedure, which this call enters.
    Call(usize, &'r Called),
    /// At the exit of a procedure, where a run ends.
    Exit(usize, &'r Run),
}

/// Drops candidates until the rest is inductive; all of them if there is not enough time.
///
/// # Errors
/// When the run has to end.
pub fn strengthen(
    cpa: &mut PredicateCpa<'_, '_>,
    program: &mut Program,
    ctx: &EngineContext<'_>,
    deadline: Deadline,
) -> Result<(), AnalysisError> {
    loop {
        let mut dropped = false;
        for number in 0..=program.procedures.len() {
            let owner = (number < program.procedures.len()).then_some(number);
            let runs = match owner {
                Some(number) => program.procedures[number].runs.clone(),
                None => match &program.main {
                    Some(main) => main.clone(),
                    None => continue,
                },
            };
            let mut seen: Vec<*const Called> = Vec::new();
            for run in runs.complete.iter().chain(&runs.bad).chain(runs.partial.iter().map(|(_, run)| run)) {
                for (i, call) in run.calls.iter().enumerate() {
                    if seen.contains(&Rc::as_ptr(call)) {
                        continue;
                    }
                    seen.push(Rc::as_ptr(call));
                    let Some(callee) = program.number(call.callee) else { continue };
                    let before = Run {
                        facts: run.facts[..call.known].to_vec(),
                        calls: run.calls[..i].to_vec(),
                        values: Vec::new(),
                    };
                    dropped |=
                        drop_violated(cpa, program, (owner, &before), &Goal::Call(callee, call), (ctx, deadline))?;
                }
            }
            if let Some(number) = owner {
                for run in &runs.complete {
                    dropped |= drop_violated(cpa, program, (owner, run), &Goal::Exit(number, run), (ctx, deadline))?;
                }
            }
        }
        if !dropped {
            return Ok(());
        }
    }
}

/// Whether no run of the program comes to a target.
///
/// # Errors
/// When the run has to end.
pub fn is_safe(
    cpa: &mut PredicateCpa<'_, '_>,
    program: &Program,
    ctx: &EngineContext<'_>,
) -> Result<bool, AnalysisError> {
    let Some(main) = &program.main else { return Ok(false) };
    let of_procedures =
        program.procedures.iter().enumerate().map(|(number, procedure)| (Some(number), &procedure.runs));
    for (owner, runs) in of_procedures.chain([(None, main)]) {
        for run in &runs.bad {
            let context = context(cpa, program, owner, run);
            if !matches!(ask(cpa, &context, ctx)?, Asked::Unsat) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// What holds on a run of a procedure.
pub fn context(cpa: &mut PredicateCpa<'_, '_>, program: &Program, owner: Option<usize>, run: &Run) -> Vec<TermId> {
    let mut context: Vec<TermId> =
        owner.map(|number| alive(&program.procedures[number].before).collect()).unwrap_or_default();
    context.extend(&run.facts);
    for call in &run.calls {
        let Some(callee) = program.number(call.callee) else { continue };
        for claim in alive(&program.procedures[callee].after).collect::<Vec<_>>() {
            context.push(call.at_exit(cpa, claim));
        }
    }
    context
}

/// Candidates that were not dropped.
pub fn alive(candidates: &[Candidate]) -> impl Iterator<Item = TermId> {
    candidates.iter().filter(|candidate| candidate.alive).map(|candidate| candidate.formula)
}

fn candidates_at<'p>(procedures: &'p mut [Procedure], goal: &Goal<'_>) -> &'p mut Vec<Candidate> {
    match goal {
        Goal::Call(callee, _) => &mut procedures[*callee].before,
        Goal::Exit(number, _) => &mut procedures[*number].after,
    }
}

fn drop_violated(
    cpa: &mut PredicateCpa<'_, '_>,
    program: &mut Program,
    (owner, run): (Option<usize>, &Run),
    goal: &Goal<'_>,
    (ctx, deadline): (&EngineContext<'_>, Deadline),
) -> Result<bool, AnalysisError> {
    let context = context(cpa, program, owner, run);
    let map: Vec<(TermId, TermId)> = match goal {
        Goal::Call(_, call) => call.args.clone(),
        Goal::Exit(_, run) => run.values.clone(),
    };
    let mut substitution = Substitution::new(map);
    let candidates = candidates_at(&mut program.procedures, goal);
    let mut goals: Vec<(usize, TermId)> = Vec::new();
    for (i, candidate) in candidates.iter().enumerate().filter(|(_, candidate)| candidate.alive) {
        goals.push((i, substitution.apply(&mut cpa.enc.terms, candidate.formula)));
    }
    let mut dropped = false;
    while !goals.is_empty() {
        if ctx.check(deadline).is_err() {
            ctx.budget.check()?;
            program.give_up();
            return Ok(true);
        }
        let all: Vec<TermId> = goals.iter().map(|(_, goal)| *goal).collect();
        let all = cpa.enc.terms.and_all(&all);
        let fails = cpa.enc.terms.not(all);
        let mut query = context.clone();
        query.push(fails);
        let lost: Vec<usize> = match ask(cpa, &query, ctx)? {
            Asked::Unsat => break,
            Asked::Sat(model) => {
                let fails = |goal: TermId| model.value(&cpa.enc.terms, goal).as_bool() != Some(true);
                goals.iter().filter(|(_, goal)| fails(*goal)).map(|(i, _)| *i).collect()
            }
            // One after the other, as the rest may be easy.
            Asked::Unknown if goals.len() > 1 => {
                let mut lost = Vec::new();
                for (i, goal) in &goals {
                    let fails = cpa.enc.terms.not(*goal);
                    query.pop();
                    query.push(fails);
                    if !matches!(ask(cpa, &query, ctx)?, Asked::Unsat) {
                        lost.push(*i);
                    }
                }
                goals.clear();
                lost
            }
            Asked::Unknown => goals.iter().map(|(i, _)| *i).collect(),
        };
        let candidates = candidates_at(&mut program.procedures, goal);
        // A model that satisfies all goals would be the solver's mistake.
        let lost = if lost.is_empty() { goals.iter().map(|(i, _)| *i).collect() } else { lost };
        dropped |= !lost.is_empty();
        lost.iter().for_each(|i| candidates[*i].alive = false);
        goals.retain(|(i, _)| !lost.contains(i));
    }
    Ok(dropped)
}

enum Asked {
    Sat(smt::Model),
    Unsat,
    Unknown,
}

fn ask(cpa: &PredicateCpa<'_, '_>, formulas: &[TermId], ctx: &EngineContext<'_>) -> Result<Asked, AnalysisError> {
    let terms = &cpa.enc.terms;
    let mut solver = ctx.backend.one_shot();
    solver.set_budget(ctx.budget);
    solver.set_query_limit(Some(ctx.query_limit));
    if formulas.iter().any(|formula| solver.assert(terms, *formula).is_err()) {
        return Ok(Asked::Unknown);
    }
    Ok(match solver.check(terms, &[]) {
        Ok(SatResult::Unsat) => Asked::Unsat,
        Ok(SatResult::Sat) => solver.model(terms).map_or(Asked::Unknown, Asked::Sat),
        Ok(SatResult::Unknown(UnknownReason::Stopped(stop))) => return Err(stop.into()),
        Ok(SatResult::Unknown(_)) | Err(_) => Asked::Unknown,
    })
}

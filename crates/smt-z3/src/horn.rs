//! Horn clauses by Spacer [komuravelli14], with the transformations off that would inline predicates.

use crate::ffi::alarm::Alarm;
use crate::ffi::engine::{Clauses, Fixedpoint, Relation};
use crate::ffi::{Answer, Context, SolverRef};
use crate::limits::{Limit, Limits};
use crate::read::Reader;
use crate::translate::{Arrays, Failure, Translation};
use base::{Budget, Effort};
use smt::horn::{HornResult, HornSolver, HornSystem};
use smt::{SmtError, TermId, Terms, vars_of};
use std::sync::Arc;
use z3_sys as z3;

/// Spacer; each system gets a context of its own.
#[derive(Default)]
pub struct Z3Horn {
    limits: Limits,
}

impl HornSolver for Z3Horn {
    fn solve(&mut self, terms: &mut Terms, system: &HornSystem) -> Result<HornResult, SmtError> {
        let limit = match self.limits.next() {
            Ok(limit) => limit,
            Err(reason) => return Ok(HornResult::Unknown(reason)),
        };
        let context = Context::new()?;
        let hooked = context.clone();
        let _hook = self.limits.budget.on_stop(Box::new(move || hooked.interrupt()));
        match self.run(&context, terms, system, limit) {
            Err(SmtError::Backend(words)) if crate::limits::is_exhaustion(&words) => {
                Ok(HornResult::Unknown(self.limits.reason(words)))
            }
            other => other,
        }
    }

    fn set_budget(&mut self, budget: &Budget) {
        self.limits.budget = budget.clone();
    }

    fn set_query_limit(&mut self, limit: Option<Effort>) {
        self.limits.query_limit = limit;
    }
}

impl Z3Horn {
    fn run(
        &self,
        context: &Arc<Context>,
        terms: &mut Terms,
        system: &HornSystem,
        limit: Limit,
    ) -> Result<HornResult, SmtError> {
        let mut translation = Translation::default();
        translation.restart(Arrays::Native);
        translation.budget = Some(self.limits.budget.clone());
        let is_linear = system.clauses.iter().all(|clause| clause.body.len() <= 1);
        let clauses = if is_linear { Clauses::Linear } else { Clauses::Nonlinear };
        let engine = Fixedpoint::new(context, limit.resources(), clauses)?;
        let relations = relations(context, &engine, &mut translation, (terms, system))?;
        let error = context.relation("error!", &[])?;
        engine.register(error)?;
        for (i, clause) in system.clauses.iter().enumerate() {
            let mut roots = vec![clause.constraint];
            roots.extend(clause.body.iter().chain(&clause.head).flat_map(|app| app.args.iter().copied()));
            let mut translate = |t| translation.translate(context, terms, t).map_err(plain);
            let bound = vars_of(terms, &roots).into_iter().map(&mut translate).collect::<Result<Vec<_>, _>>()?;
            let mut body = vec![translate(clause.constraint)?];
            let mut apply = |app: &smt::horn::HornApp| {
                let relation = *relations.get(app.predicate).ok_or(SmtError::NotAvailable("predicate"))?;
                let args = app.args.iter().map(|&t| translate(t)).collect::<Result<Vec<_>, _>>()?;
                context.apply(relation, &args)
            };
            for app in &clause.body {
                body.push(apply(app)?);
            }
            let head = match &clause.head {
                Some(app) => apply(app)?,
                None => context.apply(error, &[])?,
            };
            if translation.theories.floats {
                return Err(SmtError::Unsupported("floats in Horn clauses".into()));
            }
            let body = context.nary(z3::Z3_mk_and, &body)?;
            let rule = context.binary(z3::Z3_mk_implies, body, head)?;
            let rule = context.for_all(&bound, rule)?;
            engine.add_rule(rule, &format!("r!{i}"))?;
        }
        let reached = context.apply(error, &[])?;
        let alarm = limit.computing().and_then(|computing| Alarm::of_engine(context, computing));
        let answer = {
            let _running = context.begin_query();
            match self.limits.budget.check() {
                Ok(()) => engine.query(reached),
                Err(stop) => return Ok(HornResult::Unknown(smt::UnknownReason::Stopped(stop))),
            }
        };
        let failed = context.error();
        let is_interrupted = answer == Answer::Unknown && alarm.as_ref().is_some_and(Alarm::rang);
        drop(alarm);
        // The engine's own statistics lack the counter.
        let resources = || SolverRef::simple(context).map(|solver| solver.resources());
        self.limits.spend(if is_interrupted { limit.computed() } else { resources()? });
        if let Some(words) = failed {
            return Err(SmtError::Backend(words));
        }
        match answer {
            Answer::Sat => Ok(HornResult::Unsolvable),
            Answer::Unknown => Ok(HornResult::Unknown(self.limits.reason(engine.reason_unknown()))),
            Answer::Unsat => {
                let solve = |terms: &mut Terms, (relation, params): (&Relation, &[TermId])| {
                    let cover = engine.cover(*relation)?;
                    Reader::new(context, params).read(terms, cover)
                };
                let mut solution = Vec::with_capacity(relations.len());
                for (relation, predicate) in relations.iter().zip(&system.predicates) {
                    solution.push(solve(terms, (relation, &predicate.params))?);
                }
                Ok(HornResult::Solved(solution))
            }
        }
    }
}

/// The relations of the system's predicates, known to the engine.
fn relations(
    context: &Arc<Context>,
    engine: &Fixedpoint,
    translation: &mut Translation,
    (terms, system): (&Terms, &HornSystem),
) -> Result<Vec<Relation>, SmtError> {
    let mut relations = Vec::with_capacity(system.predicates.len());
    for (i, predicate) in system.predicates.iter().enumerate() {
        let mut sorts = Vec::with_capacity(predicate.params.len());
        for &param in &predicate.params {
            sorts.push(translation.sort(context, terms.sort(param))?);
        }
        let relation = context.relation(&format!("p!{i}"), &sorts)?;
        engine.register(relation)?;
        relations.push(relation);
    }
    Ok(relations)
}

fn plain(failure: Failure) -> SmtError {
    match failure {
        Failure::Error(error) => error,
        Failure::NeedsArrays => SmtError::Unsupported("arrays".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::horn::{HornApp, HornClause, HornPredicate};
    use smt::{Sort, Substitution};

    /// A loop: x = 0; while (*) x += 1 up to `limit`; then x <= `claim`.
    fn system(terms: &mut Terms, sort: Sort, limit: u128, claim: u128) -> HornSystem {
        let constant = |terms: &mut Terms, value: u128| match sort {
            Sort::BitVec(width) => terms.bv(width, value),
            _ => terms.int(value as i128),
        };
        let (param, x) = (terms.var("param", sort), terms.var("x", sort));
        let (zero, one) = (constant(terms, 0), constant(terms, 1));
        let (limit, claim) = (constant(terms, limit), constant(terms, claim));
        let less = |terms: &mut Terms, a, b| match sort {
            Sort::BitVec(_) => terms.ult(a, b),
            _ => terms.int_lt(a, b),
        };
        let next = match sort {
            Sort::BitVec(_) => terms.bv_add(x, one),
            _ => terms.int_add(x, one),
        };
        let (goes_on, wrong) = (less(terms, x, limit), less(terms, claim, x));
        let app = |t| HornApp { predicate: 0, args: vec![t] };
        HornSystem {
            predicates: vec![HornPredicate { params: vec![param] }],
            clauses: vec![
                HornClause { body: Vec::new(), constraint: terms.tru(), head: Some(app(zero)) },
                HornClause { body: vec![app(x)], constraint: goes_on, head: Some(app(next)) },
                HornClause { body: vec![app(x)], constraint: wrong, head: None },
            ],
        }
    }

    #[track_caller]
    fn check(sort: Sort, limit: u128, claim: u128, solvable: bool) {
        let mut terms = Terms::new();
        let system = system(&mut terms, sort, limit, claim);
        let mut horn = Z3Horn::default();
        horn.set_query_limit(Some(Effort::thousands(10_000)));
        let solution = match horn.solve(&mut terms, &system) {
            Ok(HornResult::Solved(solution)) if solvable => solution,
            Ok(HornResult::Unsolvable) if !solvable => return,
            other => panic!("{other:?}"),
        };
        for clause in &system.clauses {
            let mut solver = crate::Z3Solver::new(crate::Mode::OneShot);
            let applied = |terms: &mut Terms, app: &HornApp| {
                let params = system.predicates[app.predicate].params.iter().copied();
                Substitution::new(params.zip(app.args.iter().copied())).apply(terms, solution[app.predicate])
            };
            let mut query = vec![clause.constraint];
            for app in &clause.body {
                query.push(applied(&mut terms, app));
            }
            if let Some(head) = &clause.head {
                let head = applied(&mut terms, head);
                query.push(terms.not(head));
            }
            use smt::Solver;
            let query = terms.and_all(&query);
            solver.assert(&terms, query).unwrap_or_else(|error| panic!("{error}"));
            assert!(matches!(solver.check(&terms, &[]), Ok(smt::SatResult::Unsat)));
        }
    }

    #[test]
    fn solutions_satisfy_their_clauses() {
        for sort in [Sort::Int, Sort::BitVec(8)] {
            check(sort, 5, 5, true);
            check(sort, 5, 9, true);
            check(sort, 5, 4, false);
        }
    }

    #[test]
    fn floats_are_refused_and_stops_obeyed() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::Float(smt::FloatSort::F32));
        let is_nan = terms.fp_is_nan(x);
        let system = HornSystem {
            predicates: Vec::new(),
            clauses: vec![HornClause { body: Vec::new(), constraint: is_nan, head: None }],
        };
        assert!(matches!(Z3Horn::default().solve(&mut terms, &system), Err(SmtError::Unsupported(_))));
        let mut horn = Z3Horn::default();
        let budget = Budget::unlimited();
        budget.stop(base::Stop::Timeout);
        horn.set_budget(&budget);
        assert!(matches!(horn.solve(&mut terms, &system), Ok(HornResult::Unknown(_))));
    }
}

//! One question to a new solver.

use crate::exhaustive::Exhaustive;
use crate::results::AnyResults;
use crate::{Model, SatResult, SmtError, Solver, Sort, TermId, Terms, UnknownReason};
use base::{Budget, Effort, Stop};

/// Answer to a query.
pub enum Answer {
    /// Satisfiable.
    Model(Model),
    /// Unsatisfiable.
    Never,
    /// Not decided.
    Unknown(String),
}

/// Most effort for a question in which hard arithmetic gives anything.
const WEAKER_LIMIT: Effort = Effort::thousands(1_000);

/// Effort for a question whose answer can be found by trying all values.
const BEFORE_SEARCH: Effort = Effort::thousands(100);

/// Whether a formula can hold.
///
/// # Errors
/// When the run has to end.
pub fn ask(
    make: &dyn Fn() -> Box<dyn Solver>,
    terms: &mut Terms,
    formula: TermId,
    limit: Option<Effort>,
    budget: &Budget,
) -> Result<Answer, Stop> {
    if let Some(weaker) = AnyResults::new(terms, &[formula]) {
        let limit = limit.map_or(WEAKER_LIMIT, |limit| limit.min(WEAKER_LIMIT));
        let ask = |terms: &Terms, formula| ask_as_it_is(make, terms, formula, Some(limit), budget);
        match ask(terms, weaker.terms[0])? {
            Answer::Never => return Ok(Answer::Never),
            Answer::Model(model) if model.satisfies(terms, formula) => return Ok(Answer::Model(model)),
            Answer::Model(model) => {
                let fixed = weaker.with_inputs_of(terms, &model);
                let with_them = terms.and(weaker.terms[0], fixed);
                match ask(terms, with_them)? {
                    Answer::Model(model) if model.satisfies(terms, formula) => return Ok(Answer::Model(model)),
                    _ => {}
                }
            }
            Answer::Unknown(_) => {}
        }
    }
    let Some(search) = Exhaustive::new(terms, formula) else {
        return ask_as_it_is(make, terms, formula, limit, budget);
    };
    let soon = limit.map_or(BEFORE_SEARCH, |limit| limit.min(BEFORE_SEARCH));
    match ask_as_it_is(make, terms, formula, Some(soon), budget)? {
        Answer::Unknown(_) => Ok(search.model(budget)?.map_or(Answer::Never, Answer::Model)),
        answer => Ok(answer),
    }
}

fn ask_as_it_is(
    make: &dyn Fn() -> Box<dyn Solver>,
    terms: &Terms,
    formula: TermId,
    limit: Option<Effort>,
    budget: &Budget,
) -> Result<Answer, Stop> {
    match terms.as_bool_const(formula) {
        Some(false) => return Ok(Answer::Never),
        Some(true) => return Ok(Answer::Model(Model::default())),
        None => {}
    }
    budget.check()?;
    let mut solver = make();
    solver.set_budget(budget);
    solver.set_query_limit(limit);
    let result = solver.assert(terms, formula).and_then(|()| solver.check(terms, &[]));
    answer(&mut *solver, terms, formula, result)
}

/// The same with a solver that is kept: what it learns from one formula helps with similar ones.
///
/// # Errors
/// When the run has to end.
pub fn ask_under(solver: &mut dyn Solver, terms: &mut Terms, formula: TermId, budget: &Budget) -> Result<Answer, Stop> {
    budget.check()?;
    solver.set_budget(budget);
    let switch = terms.fresh_var("if", Sort::Bool);
    let clause = terms.implies(switch, formula);
    let result = solver.assert(terms, clause).and_then(|()| solver.check(terms, &[switch]));
    answer(solver, terms, formula, result)
}

fn answer(
    solver: &mut dyn Solver,
    terms: &Terms,
    formula: TermId,
    result: Result<SatResult, SmtError>,
) -> Result<Answer, Stop> {
    Ok(match result {
        Ok(SatResult::Unsat) => Answer::Never,
        Ok(SatResult::Sat) => match solver.model(terms) {
            // A model that does not satisfy the formula is worth nothing.
            Ok(model) if model.satisfies(terms, formula) => Answer::Model(model),
            Ok(_) => Answer::Unknown("the solver's model does not satisfy the formula".into()),
            Err(error) => Answer::Unknown(error.to_string()),
        },
        Ok(SatResult::Unknown(UnknownReason::Stopped(stop))) => return Err(stop),
        Ok(SatResult::Unknown(UnknownReason::QueryLimit)) => Answer::Unknown("limit of the query".into()),
        Ok(SatResult::Unknown(UnknownReason::Memory)) => return Err(Stop::Memory),
        Ok(SatResult::Unknown(UnknownReason::Incomplete(why))) => Answer::Unknown(why),
        Err(error) => Answer::Unknown(error.to_string()),
    })
}

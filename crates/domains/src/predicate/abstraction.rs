//! Boolean and Cartesian abstraction: the strongest combination of predicates that holds where a block ends.
//!
//! Boolean abstraction enumerates the models of the predicates ("all-SAT") with an incremental solver. Most predicates have one value
//! only, which a model refutes or a query confirms; the enumeration runs over the rest. Whatever the solver does not
//! decide makes the abstraction weaker, never stronger.

use super::bdd::{BddId, Bdds, Full};
use super::predicates::PredId;
use analysis::AnalysisError;
use base::{Budget, Stop};
use outcome::StopReason;
use smt::{Model, SatResult, Solver, TermId, Terms, UnknownReason};
use std::time::Duration;

/// How predicates are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Abstraction {
    /// The strongest Boolean combination.
    #[default]
    Boolean,
    /// The strongest conjunction of literals.
    Cartesian,
}

/// Most models of one enumeration; beyond, the abstraction is Cartesian.
const MAX_MODELS: usize = 400;
/// Longest time for one query.
const QUERY_LIMIT: Duration = Duration::from_secs(3);

/// A predicate and its value at the end of a block, as a formula over the variables at the block's start.
#[derive(Clone, Copy, Debug)]
pub struct Post {
    /// The predicate.
    pub pred: PredId,
    /// What it means at the start.
    pub formula: TermId,
    /// Its value, if the state at the start has it and the block does not change it.
    pub known: Option<bool>,
}

/// Counts for statistics.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    /// Abstractions computed.
    pub abstractions: u64,
    /// Queries.
    pub queries: u64,
    /// Models enumerated.
    pub models: u64,
    /// Enumerations that were given up.
    pub given_up: u64,
}

/// What an abstraction needs.
pub struct Query<'a> {
    /// Terms.
    pub terms: &'a mut Terms,
    /// A solver that has asserted the guard of the block's end.
    pub solver: &'a mut dyn Solver,
    /// Diagrams.
    pub bdds: &'a mut Bdds,
    /// Limits of the run.
    pub budget: &'a Budget,
    /// Statistics.
    pub counts: &'a mut Counts,
}

pub(super) enum Answer {
    Model(Model),
    Never,
    Unknown,
}

impl From<Full> for AnalysisError {
    fn from(_: Full) -> Self {
        AnalysisError::Failed(StopReason::TooLarge { what: "the abstraction's decision diagrams".into() })
    }
}

impl Query<'_> {
    pub(super) fn ask(&mut self, assumptions: &[TermId]) -> Result<Answer, AnalysisError> {
        self.budget.check()?;
        self.counts.queries += 1;
        self.solver.set_query_limit(Some(QUERY_LIMIT));
        match self.solver.check(self.terms, assumptions) {
            Ok(SatResult::Unsat) => Ok(Answer::Never),
            Ok(SatResult::Sat) => Ok(self.solver.model(self.terms).map_or(Answer::Unknown, Answer::Model)),
            Ok(SatResult::Unknown(UnknownReason::Stopped(stop))) => Err(stop.into()),
            Ok(SatResult::Unknown(UnknownReason::Memory)) => Err(Stop::Memory.into()),
            Ok(SatResult::Unknown(_)) | Err(_) => Ok(Answer::Unknown),
        }
    }

    /// The abstraction of the states that satisfy `before` and reach the end; none if there is no such state.
    ///
    /// # Errors
    /// When the run has to end or the diagrams are full.
    pub fn compute(
        &mut self,
        before: TermId,
        posts: &[Post],
        kind: Abstraction,
    ) -> Result<Option<BddId>, AnalysisError> {
        self.counts.abstractions += 1;
        let failed = |error: smt::SmtError| AnalysisError::Failed(StopReason::SolverUnknown { why: error.to_string() });
        self.solver.push().map_err(failed)?;
        let result = self.solver.assert(self.terms, before).map_err(failed).and_then(|()| self.search(posts, kind));
        self.solver.pop().map_err(failed)?;
        result
    }

    /// The same, once the state before is asserted.
    fn search(&mut self, posts: &[Post], kind: Abstraction) -> Result<Option<BddId>, AnalysisError> {
        let first = match self.ask(&[])? {
            Answer::Never => return Ok(None),
            Answer::Unknown => None,
            Answer::Model(model) => Some(model),
        };
        let mut literals = Vec::new();
        let mut open: Vec<Post> = Vec::new();
        for post in posts {
            let known = post.known.or(self.terms.as_bool_const(post.formula));
            match known {
                Some(value) => literals.push((post.pred, value)),
                None => open.push(*post),
            }
        }
        let Some(first) = first else { return Ok(Some(self.bdds.cube(literals)?)) };
        let mut rows = vec![self.row(&first, &open)];
        let mut free = vec![false; open.len()];
        for i in 0..open.len() {
            if free[i] {
                continue;
            }
            let value = rows[0][i];
            let formula = open[i].formula;
            let opposite = if value { self.terms.not(formula) } else { formula };
            match self.ask(&[opposite])? {
                Answer::Never => literals.push((open[i].pred, value)),
                Answer::Unknown => free[i] = true,
                Answer::Model(model) => {
                    let row = self.row(&model, &open);
                    for j in i..open.len() {
                        free[j] |= row[j] != rows[0][j];
                    }
                    free[i] = true;
                    rows.push(row);
                }
            }
        }
        let cube = self.bdds.cube(literals)?;
        if kind == Abstraction::Cartesian || free.iter().filter(|f| **f).count() < 2 {
            return Ok(Some(cube));
        }
        let chosen: Vec<usize> = (0..open.len()).filter(|i| free[*i]).collect();
        let rest = self.enumerate(&open, &chosen, &rows)?;
        Ok(Some(self.bdds.and(cube, rest)?))
    }

    fn row(&self, model: &Model, posts: &[Post]) -> Vec<bool> {
        let mut eval = smt::Evaluator::new(self.terms, model.assignment());
        posts.iter().map(|post| eval.eval(post.formula) == smt::Value::Bool(true)).collect()
    }

    /// The disjunction of all rows of the chosen predicates; `true` if it is given up.
    fn enumerate(&mut self, open: &[Post], chosen: &[usize], rows: &[Vec<bool>]) -> Result<BddId, AnalysisError> {
        let failed = |error: smt::SmtError| AnalysisError::Failed(StopReason::SolverUnknown { why: error.to_string() });
        let mut found = self.bdds.fals();
        let mut seen: Vec<Vec<bool>> = Vec::new();
        let mut next: Vec<Vec<bool>> = rows.to_vec();
        loop {
            for row in next.drain(..) {
                let row: Vec<bool> = chosen.iter().map(|i| row[*i]).collect();
                if seen.contains(&row) {
                    continue;
                }
                let cube = self.bdds.cube(chosen.iter().zip(&row).map(|(i, value)| (open[*i].pred, *value)))?;
                found = self.bdds.or(found, cube)?;
                let differs: Vec<TermId> = chosen
                    .iter()
                    .zip(&row)
                    .map(|(i, value)| if *value { self.terms.not(open[*i].formula) } else { open[*i].formula })
                    .collect();
                let clause = self.terms.or_all(&differs);
                self.solver.assert(self.terms, clause).map_err(failed)?;
                seen.push(row);
            }
            self.counts.models += 1;
            if seen.len() >= MAX_MODELS {
                self.counts.given_up += 1;
                return Ok(self.bdds.tru());
            }
            match self.ask(&[])? {
                Answer::Never => return Ok(found),
                Answer::Unknown => return Ok(self.bdds.tru()),
                Answer::Model(model) => {
                    let row = self.row(&model, open);
                    let known = seen.iter().any(|s| s.iter().zip(chosen).all(|(value, i)| row[*i] == *value));
                    if known {
                        // The model does not satisfy what was asserted: nothing is known of the rest.
                        return Ok(self.bdds.tru());
                    }
                    next.push(row);
                }
            }
        }
    }
}

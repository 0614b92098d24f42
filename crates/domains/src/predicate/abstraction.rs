//! Boolean and Cartesian abstraction by queries: the rows of truth values that formulas have together, and the strongest
//! combination of predicates that holds where a block ends.
//!
//! Boolean abstraction enumerates the models of the predicates ("all-SAT") with an incremental solver. Most predicates have one value
//! only, which a model refutes or a query confirms; the enumeration runs over the rest. Whatever the solver does not
//! decide makes the abstraction weaker, never stronger. [`super::image`] takes problems apart before they are enumerated.

use super::bdd::{BddId, Bdds, Full};
use super::predicates::PredId;
use analysis::AnalysisError;
use base::{Budget, Effort, Stop};
use outcome::StopReason;
use smt::{Model, SatResult, SmtError, Solver, TermId, Terms, UnknownReason};

/// How predicates are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Abstraction {
    /// The strongest Boolean combination.
    #[default]
    Boolean,
    /// The strongest conjunction of literals.
    Cartesian,
}

/// Most rows of one enumeration; beyond, the abstraction is weaker.
const MAX_ROWS: usize = 400;
/// Most effort for one query.
const QUERY_LIMIT: Effort = Effort::thousands(3_000);

/// A predicate and its value at the end of a block, as a formula over the variables at the block's start.
#[derive(Clone, Copy, Debug)]
pub struct Post {
    /// The predicate.
    pub pred: PredId,
    /// What it means at the start.
    pub formula: TermId,
}

/// Counts for statistics.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    /// Abstractions computed.
    pub abstractions: u64,
    /// Cases and independent parts that they were taken apart into.
    pub parts: u64,
    /// Queries.
    pub queries: u64,
    /// Models enumerated.
    pub models: u64,
    /// Enumerations that were given up.
    pub given_up: u64,
}

/// The truth values that some formulas have together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows {
    /// The values of formulas that have only one.
    pub fixed: Vec<Option<bool>>,
    /// All rows; none if the enumeration was given up, so that nothing is known beside the fixed values.
    pub rows: Option<Vec<Box<[bool]>>>,
}

/// What an enumeration needs.
pub struct Query<'a> {
    /// Terms.
    pub terms: &'a mut Terms,
    /// A solver that has asserted what is known.
    pub solver: &'a mut dyn Solver,
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

/// A solver that does not work ends the run.
pub(super) fn failed(error: SmtError) -> AnalysisError {
    AnalysisError::Failed(StopReason::SolverUnknown { why: error.to_string() })
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

    /// The rows of the formulas where the known facts hold; none if they never do. Of the formulas with the same number in
    /// `exclusive`, at most one is true at a time. Cartesian abstraction has fixed values only.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn rows(
        &mut self,
        known: &[TermId],
        formulas: &[TermId],
        exclusive: &[Option<u32>],
        kind: Abstraction,
    ) -> Result<Option<Rows>, AnalysisError> {
        self.solver.push().map_err(failed)?;
        let asserted = known.iter().try_for_each(|fact| self.solver.assert(self.terms, *fact)).map_err(failed);
        let result = asserted.and_then(|()| self.search(formulas, exclusive, kind));
        self.solver.pop().map_err(failed)?;
        result
    }

    fn search(
        &mut self,
        formulas: &[TermId],
        exclusive: &[Option<u32>],
        kind: Abstraction,
    ) -> Result<Option<Rows>, AnalysisError> {
        let mut fixed = vec![None; formulas.len()];
        let first = match self.ask(&[])? {
            Answer::Never => return Ok(None),
            Answer::Unknown => return Ok(Some(Rows { fixed, rows: None })),
            Answer::Model(model) => self.row(&model, formulas),
        };
        let mut rows = vec![first];
        let mut free = vec![false; formulas.len()];
        for i in 0..formulas.len() {
            if free[i] {
                continue;
            }
            let value = rows[0][i];
            let opposite = if value { self.terms.not(formulas[i]) } else { formulas[i] };
            match self.ask(&[opposite])? {
                Answer::Never => fixed[i] = Some(value),
                Answer::Unknown => free[i] = true,
                Answer::Model(model) => {
                    let row = self.row(&model, formulas);
                    for j in i..formulas.len() {
                        free[j] |= row[j] != rows[0][j];
                    }
                    free[i] = true;
                    rows.push(row);
                }
            }
        }
        let chosen: Vec<usize> = (0..formulas.len()).filter(|i| free[*i]).collect();
        let rows = match (kind, chosen.len()) {
            (_, 0) => Some(rows),
            (Abstraction::Cartesian, _) => None,
            (Abstraction::Boolean, 1) if rows.len() == 2 => Some(rows),
            (Abstraction::Boolean, _) => self.enumerate(formulas, exclusive, &chosen, rows)?,
        };
        Ok(Some(Rows { fixed, rows }))
    }

    fn row(&self, model: &Model, formulas: &[TermId]) -> Box<[bool]> {
        let mut eval = model.evaluator(self.terms);
        formulas.iter().map(|formula| eval.satisfies(*formula)).collect()
    }

    /// All rows, which differ in the chosen formulas only; `None` if the enumeration is given up.
    fn enumerate(
        &mut self,
        formulas: &[TermId],
        exclusive: &[Option<u32>],
        chosen: &[usize],
        rows: Vec<Box<[bool]>>,
    ) -> Result<Option<Vec<Box<[bool]>>>, AnalysisError> {
        let mut seen: Vec<Box<[bool]>> = Vec::new();
        let mut next = rows;
        loop {
            for row in next.drain(..) {
                if seen.iter().any(|s| chosen.iter().all(|i| s[*i] == row[*i])) {
                    continue;
                }
                // A true one decides the others that exclude it.
                let decided = |i: usize| {
                    exclusive[i].is_some() && chosen.iter().any(|j| *j != i && row[*j] && exclusive[*j] == exclusive[i])
                };
                let mut differs = Vec::with_capacity(chosen.len());
                for i in chosen.iter().copied().filter(|i| !decided(*i)) {
                    differs.push(if row[i] { self.terms.not(formulas[i]) } else { formulas[i] });
                }
                let clause = self.terms.or_all(&differs);
                self.solver.assert(self.terms, clause).map_err(failed)?;
                seen.push(row);
            }
            self.counts.models += 1;
            if seen.len() >= MAX_ROWS {
                self.counts.given_up += 1;
                return Ok(None);
            }
            match self.ask(&[])? {
                Answer::Never => return Ok(Some(seen)),
                Answer::Unknown => return Ok(None),
                Answer::Model(model) => {
                    let row = self.row(&model, formulas);
                    if seen.iter().any(|s| chosen.iter().all(|i| s[*i] == row[*i])) {
                        // The model does not satisfy what was asserted: nothing is known of the rest.
                        return Ok(None);
                    }
                    next.push(row);
                }
            }
        }
    }

    /// The abstraction of the states that satisfy `before` and reach the end, whose guard the solver has asserted, as one
    /// enumeration; none if there is no such state.
    ///
    /// # Errors
    /// When the run has to end or the diagrams are full.
    pub fn plain(
        &mut self,
        bdds: &mut Bdds,
        before: TermId,
        posts: &[Post],
        kind: Abstraction,
    ) -> Result<Option<BddId>, AnalysisError> {
        let formulas: Vec<TermId> = posts.iter().map(|post| post.formula).collect();
        let Some(Rows { fixed, rows }) = self.rows(&[before], &formulas, &vec![None; formulas.len()], kind)? else {
            return Ok(None);
        };
        let literals = posts.iter().zip(&fixed).filter_map(|(post, value)| Some((post.pred, (*value)?)));
        let cube = bdds.cube(literals)?;
        let Some(rows) = rows else { return Ok(Some(cube)) };
        let mut found = bdds.fals();
        for row in rows {
            let row = bdds.cube(posts.iter().zip(&*row).map(|(post, value)| (post.pred, *value)))?;
            found = bdds.or(found, row)?;
        }
        Ok(Some(bdds.and(cube, found)?))
    }
}

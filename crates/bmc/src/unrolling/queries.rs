//! Questions about an unrolling: each with what simplifies or refines it, and what it cost.

use base::{Budget, Effort, Stop};
use encode::{Encoder, GuardId};
use smt::query::{Answer, ask};
use smt::reads::WithoutArrays;
use smt::{Solver, TermId, products};
use std::time::{Duration, Instant};

/// Most effort for a question in which products, or what is read from arrays, are nothing but numbers.
const WEAKER_LIMIT: Effort = Effort::thousands(5_000);
/// Most times that the question without arrays is asked.
const MAX_WEAKER: u32 = 16;

/// Effort in which a question about several guards is answered at once, with what each term adds to it; otherwise they are asked in so many
/// parts.
const EASY: Effort = Effort::thousands(1_000);
const EASY_TERM: Effort = Effort::units(250);
const PARTS: usize = 16;

/// Effort for a question about runs beyond a bound when there is no limit.
const EFFORT: Effort = Effort::thousands(60_000);

/// Most times that a question is asked again because its answer violates what holds in an iteration of an accelerated loop.
const MAX_REFINED: u32 = 24;

pub(super) struct Queries<'a> {
    pub(super) budget: &'a Budget,
    pub(super) solver: &'a dyn Fn() -> Box<dyn Solver>,
    /// Divisor of the effort that is left, for questions about runs beyond a bound.
    pub(super) effort_share: u32,
    /// Whether numbers of iterations of accelerated loops are multiplied.
    pub(super) has_products: bool,
    pub(super) count: u64,
    pub(super) time: Duration,
}

impl Queries<'_> {
    /// Effort for a question about runs beyond a bound whose answer is not always needed.
    pub(super) fn share(&self) -> Effort {
        self.budget.remaining().map_or(EFFORT, |rest| rest / self.effort_share)
    }

    /// Whether one of the guards can hold.
    pub(super) fn ask(
        &mut self,
        enc: &mut Encoder<'_>,
        guards: &[GuardId],
        limit: Option<Effort>,
    ) -> Result<Answer, Stop> {
        let mut formulas: Vec<TermId> = guards.iter().map(|guard| enc.guards.formula(*guard)).collect();
        formulas.retain(|formula| enc.terms.as_bool_const(*formula) != Some(false));
        match limit {
            None => self.any(enc, &formulas),
            Some(_) => {
                let goal = enc.terms.or_all(&formulas);
                self.decide(enc, goal, limit)
            }
        }
    }

    /// Whether one of the formulas can hold: all at once, or, where that is hard, in parts, because what refutes one need not have to do with
    /// what refutes another.
    fn any(&mut self, enc: &mut Encoder<'_>, formulas: &[TermId]) -> Result<Answer, Stop> {
        let goal = enc.terms.or_all(formulas);
        let budget = self.budget;
        if formulas.len() < 2 {
            return self.decide_within(enc, goal, None, budget);
        }
        let easy = EASY.plus(EASY_TERM * u32::try_from(enc.terms.len()).unwrap_or(u32::MAX));
        let answer = self.decide_within(enc, goal, None, &budget.within(easy));
        match answer {
            Ok(Answer::Unknown(_)) => {}
            Err(Stop::Timeout) => budget.check()?,
            answer => return answer,
        }
        let mut open = None;
        for part in formulas.chunks(formulas.len().div_ceil(PARTS)) {
            match self.any(enc, part)? {
                Answer::Never => {}
                Answer::Unknown(why) => open = Some(Answer::Unknown(why)),
                Answer::Model(model) => return Ok(Answer::Model(model)),
            }
        }
        Ok(open.unwrap_or(Answer::Never))
    }

    /// Whether the formula can hold.
    pub(super) fn decide(
        &mut self,
        enc: &mut Encoder<'_>,
        goal: TermId,
        limit: Option<Effort>,
    ) -> Result<Answer, Stop> {
        self.decide_within(enc, goal, limit, self.budget)
    }

    fn decide_within(
        &mut self,
        enc: &mut Encoder<'_>,
        goal: TermId,
        limit: Option<Effort>,
        budget: &Budget,
    ) -> Result<Answer, Stop> {
        if enc.terms.as_bool_const(goal) == Some(false) {
            return Ok(Answer::Never);
        }
        let instances = enc.instances();
        let instances = enc.terms.and_all(&instances);
        let mut goal = enc.terms.and(goal, instances);
        if self.has_products
            && let Some(weaker) = products::without_products(&mut enc.terms, goal)
            && let Answer::Never = self.decide_as_it_is(enc, weaker, limit.or(Some(WEAKER_LIMIT)), budget)?
        {
            return Ok(Answer::Never);
        }
        if self.never_without_arrays(enc, goal, limit, budget)? {
            return Ok(Answer::Never);
        }
        for _ in 0..MAX_REFINED {
            let answer = self.decide_as_it_is(enc, goal, limit, budget)?;
            let violated = match &answer {
                Answer::Model(model) => enc.violated(model),
                _ => Vec::new(),
            };
            if violated.is_empty() {
                return Ok(answer);
            }
            let violated = enc.terms.and_all(&violated);
            goal = enc.terms.and(goal, violated);
        }
        Ok(Answer::Unknown("iterations of accelerated loops".into()))
    }

    /// Whether the goal can't hold whatever is read from arrays, but for what answers make it tell of that.
    fn never_without_arrays(
        &mut self,
        enc: &mut Encoder<'_>,
        goal: TermId,
        limit: Option<Effort>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let Some(mut weaker) = WithoutArrays::new(&mut enc.terms, goal) else { return Ok(false) };
        for _ in 0..MAX_WEAKER {
            match self.decide_as_it_is(enc, weaker.formula, limit.or(Some(WEAKER_LIMIT)), budget)? {
                Answer::Never => return Ok(true),
                Answer::Model(model) if weaker.refine(&mut enc.terms, &model) => {}
                Answer::Model(_) | Answer::Unknown(_) => return Ok(false),
            }
        }
        Ok(false)
    }

    fn decide_as_it_is(
        &mut self,
        enc: &mut Encoder<'_>,
        goal: TermId,
        limit: Option<Effort>,
        budget: &Budget,
    ) -> Result<Answer, Stop> {
        let is_constant = enc.terms.as_bool_const(goal).is_some();
        let began = Instant::now();
        let answer = ask(self.solver, &mut enc.terms, goal, limit, budget)?;
        if !is_constant {
            self.count += 1;
            self.time += began.elapsed();
        }
        Ok(answer)
    }
}

//! The solver: scopes, queries, limits.
//!
//! Assertions are kept as terms and reach Z3 at the next query, so that a solver that is never asked costs nothing: making a
//! context takes milliseconds. The logic is chosen by what the formulas use; when a new one no longer fits, a new solver
//! object gets all assertions again.

use crate::ffi::alarm::Alarm;
use crate::ffi::{Answer, Ast, Context, SolverRef, TacticStep, pool};
use crate::limits::{Limits, is_exhaustion};
use crate::model;
use crate::translate::{Arrays, Failure, Theories, Translation};
use base::budget::StopHook;
use base::{Budget, Effort};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Assignment, BinOp, Model, Node, SatResult, SmtError, Solver, TermId, Terms, UnOp, UnknownReason};
use std::sync::Arc;

/// How a solver is going to be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Each query stands alone: the formula is simplified as a whole before it is solved, and nothing is kept for the next.
    OneShot,
    /// Many queries with much in common: what was learned is kept.
    Incremental,
    /// Very many and easy queries: an answer costs little, but hard ones take longer.
    Quick,
}

/// What is done to a formula of bit-vectors. It is what Z3 does by itself, without a step that takes a hundred times as long for some unrollings of
/// loops, whose formulas are deep and share most of their parts.
const BITS: [TacticStep; 9] = [
    (c"simplify", &[]),
    (c"propagate-values", &[]),
    (c"solve-eqs", &[]),
    (c"elim-uncnstr", &[]),
    // Products of sums, so that equal ones are seen to be equal; then common factors.
    (c"simplify", &[("som", true)]),
    (c"simplify", &[("hoist_mul", true)]),
    (c"max-bv-sharing", &[]),
    (c"bit-blast", &[]),
    (c"sat", &[]),
];

/// Z3.
pub struct Z3Solver {
    mode: Mode,
    assertions: Vec<TermId>,
    /// For each open scope, the number of assertions before it.
    scopes: Vec<usize>,
    last: Last,
    limits: Limits,
    backend: Option<Backend>,
    /// Interrupts the context; removed before the context goes.
    hook: Option<StopHook>,
}

/// The last query, for models and cores.
enum Last {
    /// None, or it is outdated.
    None,
    /// Satisfiable by every assignment; Z3 was not asked.
    TriviallySat,
    Sat,
    /// Unsatisfiable with this core.
    Unsat(Vec<TermId>),
    /// Unsatisfiable with these assumptions; the core is not computed yet.
    UnsatUnder(Vec<TermId>),
}

/// How assumptions reach Z3.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Assume {
    /// As assertions, which Z3's preprocessing uses.
    Asserted,
    /// As literals, for cores and further queries.
    Literals,
}

/// What exists once Z3 has been asked.
struct Backend {
    context: Arc<Context>,
    /// Whether all of its queries had answers.
    is_sound: bool,
    translation: Translation,
    object: Option<Object>,
    /// Constants that stand for assumptions that are no literals.
    proxies: FxHashMap<TermId, Ast>,
}

/// Z3's solver object and what it knows.
struct Object {
    solver: SolverRef,
    /// The limit of its queries.
    limit: u32,
    theories: Theories,
    /// Number of assertions that it has.
    asserted: usize,
    /// Number of constraints of the translation that it has.
    constraints: usize,
    /// For each scope that it has, the number of constraints before it.
    scopes: Vec<usize>,
    /// Assumptions whose proxies are defined, with the number of scopes at that time.
    defined: Vec<(TermId, usize)>,
}

impl Z3Solver {
    /// A solver without assertions; nothing of Z3 is started yet.
    pub fn new(mode: Mode) -> Self {
        Self {
            mode,
            assertions: Vec::new(),
            scopes: Vec::new(),
            last: Last::None,
            limits: Limits::default(),
            backend: None,
            hook: None,
        }
    }

    /// Sets the limit of queries that are asked again where it is reached, so that nothing is given up.
    pub(crate) fn set_tentative_limit(&mut self, limit: Effort) {
        self.limits.query_limit = Some(limit);
        self.limits.is_tentative = true;
    }

    fn backend(&mut self) -> Result<&mut Backend, SmtError> {
        if self.backend.is_none() {
            self.backend = Some(Backend::new()?);
            self.watch();
        }
        match &mut self.backend {
            Some(backend) => Ok(backend),
            None => unreachable!("made above"),
        }
    }

    /// Lets the budget interrupt Z3.
    fn watch(&mut self) {
        if let Some(backend) = &mut self.backend {
            backend.translation.budget = Some(self.limits.budget.clone());
            let context = backend.context.clone();
            self.hook = Some(self.limits.budget.on_stop(Box::new(move || context.interrupt())));
        }
    }

    /// Asks Z3. The literals for the assumptions are returned, too, if there are some.
    fn ask(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        assume: Assume,
    ) -> Result<(SatResult, Vec<Ast>), SmtError> {
        let unknown = |reason| Ok((SatResult::Unknown(reason), Vec::new()));
        let limit = match self.limits.next() {
            Ok(limit) => limit,
            Err(reason) => return unknown(reason),
        };
        self.backend()?;
        let Some(backend) = &mut self.backend else { unreachable!("made above") };
        let literals = match backend.prepare(terms, self.mode, &self.assertions, &self.scopes, assumptions, assume) {
            Ok(literals) => literals,
            Err(error) => {
                // What was half done must not be used again.
                backend.abandon();
                return match error {
                    SmtError::Backend(words) if is_exhaustion(&words) => unknown(self.limits.reason(words)),
                    error => Err(error),
                };
            }
        };
        let Some(object) = &mut backend.object else { unreachable!("made by `prepare`") };
        if object.limit != limit.resources() {
            object.limit = limit.resources();
            object.solver.limit(object.limit)?;
        }
        let alarm = limit.computing().and_then(|computing| Alarm::of_solver(&object.solver, computing));
        let answer = {
            let _running = backend.context.begin_query();
            match self.limits.budget.check() {
                Ok(()) => object.solver.check(&literals),
                Err(stop) => return unknown(UnknownReason::Stopped(stop)),
            }
        };
        let failed = backend.context.error();
        let is_interrupted = answer == Answer::Unknown && alarm.as_ref().is_some_and(Alarm::rang);
        drop(alarm);
        let resources = object.solver.resources();
        self.limits.spend(if is_interrupted { limit.computed() } else { resources });
        if let Some(words) = failed {
            backend.abandon();
            return if is_exhaustion(&words) {
                unknown(self.limits.reason(words))
            } else {
                Err(SmtError::Backend(words))
            };
        }
        match answer {
            Answer::Sat => Ok((SatResult::Sat, literals)),
            Answer::Unsat => Ok((SatResult::Unsat, literals)),
            Answer::Unknown => {
                let words = object.solver.reason_unknown();
                // After an interrupt, better a new object than one in an odd state.
                backend.abandon();
                unknown(self.limits.reason(words))
            }
        }
    }

    /// The assumptions of Z3's last core.
    fn core(&self, assumptions: &[TermId], literals: &[Ast]) -> Result<Vec<TermId>, SmtError> {
        let Some(Backend { object: Some(object), .. }) = &self.backend else { return Ok(assumptions.to_vec()) };
        let core: FxHashSet<Ast> = object.solver.core()?.into_iter().collect();
        let used = assumptions.iter().zip(literals).filter(|(_, literal)| core.contains(literal));
        Ok(used.map(|(&t, _)| t).collect())
    }
}

impl Drop for Z3Solver {
    fn drop(&mut self) {
        // Nobody may interrupt the context when it is another's.
        self.hook = None;
        let Some(Backend { context, is_sound, object, .. }) = self.backend.take() else { return };
        drop(object);
        // A panic may have left it in any state.
        if is_sound && !std::thread::panicking() {
            pool::give_back(context);
        }
    }
}

impl Backend {
    fn new() -> Result<Self, SmtError> {
        Ok(Self {
            context: pool::take()?,
            is_sound: true,
            translation: Translation::default(),
            object: None,
            proxies: FxHashMap::default(),
        })
    }

    /// Drops the solver object after a query without an answer.
    fn abandon(&mut self) {
        self.object = None;
        self.is_sound = false;
    }

    /// Brings Z3 to the state of the assertions, and returns the literals for the assumptions.
    fn prepare(
        &mut self,
        terms: &Terms,
        mode: Mode,
        assertions: &[TermId],
        scopes: &[usize],
        assumptions: &[TermId],
        assume: Assume,
    ) -> Result<Vec<Ast>, SmtError> {
        let mut prepared = self.try_prepare(terms, mode, assertions, scopes, assumptions, assume);
        if let Err(Failure::NeedsArrays) = prepared {
            self.translation.restart(Arrays::Native);
            self.object = None;
            prepared = self.try_prepare(terms, mode, assertions, scopes, assumptions, assume);
        }
        prepared.map_err(|failure| match failure {
            Failure::Error(error) => error,
            Failure::NeedsArrays => SmtError::Unsupported("arrays".into()),
        })
    }

    fn try_prepare(
        &mut self,
        terms: &Terms,
        mode: Mode,
        assertions: &[TermId],
        scopes: &[usize],
        assumptions: &[TermId],
        assume: Assume,
    ) -> Result<Vec<Ast>, Failure> {
        let known = self.object.as_ref().map_or(0, |object| object.asserted);
        for &t in assertions.iter().skip(known).chain(assumptions) {
            self.translation.translate(&self.context, terms, t)?;
        }
        let theories = self.translation.theories;
        if mode == Mode::OneShot || self.object.as_ref().is_none_or(|object| object.theories != theories) {
            let solver = match mode {
                Mode::Quick => SolverRef::simple(&self.context)?,
                // Tactics know no assumptions, which cores are made of.
                Mode::OneShot if assume == Assume::Asserted && theories.are_bits() => {
                    SolverRef::pipeline(&self.context, &BITS)?
                }
                Mode::OneShot | Mode::Incremental => SolverRef::new(&self.context, theories.logic())?,
            };
            let (limit, asserted, constraints) = (0, 0, 0);
            let (scopes, defined) = (Vec::new(), Vec::new());
            self.object = Some(Object { solver, limit, theories, asserted, constraints, scopes, defined });
        }
        let Some(object) = &mut self.object else { unreachable!("made above") };
        // In the outermost scope that is possible, because they hold on.
        for &constraint in &self.translation.constraints[object.constraints..] {
            object.solver.assert(constraint)?;
        }
        object.constraints = self.translation.constraints.len();
        if mode != Mode::OneShot {
            while object.scopes.len() < scopes.len() {
                let end = scopes[object.scopes.len()];
                object.assert(&self.context, &mut self.translation, terms, &assertions[object.asserted..end])?;
                object.solver.push()?;
                object.scopes.push(object.constraints);
            }
        }
        object.assert(&self.context, &mut self.translation, terms, &assertions[object.asserted..])?;
        if assume == Assume::Asserted {
            object.assert(&self.context, &mut self.translation, terms, assumptions)?;
            return Ok(Vec::new());
        }
        let mut literals = Vec::with_capacity(assumptions.len());
        for &t in assumptions {
            let formula = self.translation.translate(&self.context, terms, t)?;
            if is_literal(terms, t) {
                literals.push(formula);
                continue;
            }
            let proxy = match self.proxies.get(&t) {
                Some(&proxy) => proxy,
                None => {
                    let sort = self.context.bool_sort()?;
                    let proxy = self.context.named(&format!("assume!{}", t.index()), sort)?;
                    self.proxies.insert(t, proxy);
                    proxy
                }
            };
            if !object.defined.iter().any(|(defined, _)| *defined == t) {
                let definition = self.context.binary(z3_sys::Z3_mk_implies, proxy, formula)?;
                object.solver.assert(definition)?;
                object.defined.push((t, object.scopes.len()));
            }
            literals.push(proxy);
        }
        Ok(literals)
    }
}

impl Object {
    fn assert(
        &mut self,
        context: &Context,
        translation: &mut Translation,
        terms: &Terms,
        assertions: &[TermId],
    ) -> Result<(), Failure> {
        for &assertion in assertions {
            // Conjuncts one by one and once each, which Z3's preprocessing likes best.
            let mut stack = vec![assertion];
            let mut seen = FxHashSet::default();
            while let Some(t) = stack.pop() {
                if !seen.insert(t) {
                    continue;
                }
                if let Node::Bin(BinOp::And, a, b) = terms.node(t) {
                    stack.push(b);
                    stack.push(a);
                } else {
                    let formula = translation.translate(context, terms, t)?;
                    self.solver.assert(formula)?;
                }
            }
            self.asserted += 1;
        }
        Ok(())
    }
}

/// Whether Z3 takes the formula as an assumption as it is.
fn is_literal(terms: &Terms, t: TermId) -> bool {
    match terms.node(t) {
        Node::Un(UnOp::Not, inner) => terms.is_var(inner),
        _ => terms.is_var(t),
    }
}

impl Solver for Z3Solver {
    fn assert(&mut self, _: &Terms, formula: TermId) -> Result<(), SmtError> {
        self.last = Last::None;
        self.assertions.push(formula);
        Ok(())
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<SatResult, SmtError> {
        self.last = Last::None;
        if self.assertions.iter().any(|&t| terms.is_false(t)) {
            self.last = Last::Unsat(Vec::new());
            return Ok(SatResult::Unsat);
        }
        if let Some(&t) = assumptions.iter().find(|&&t| terms.is_false(t)) {
            self.last = Last::Unsat(vec![t]);
            return Ok(SatResult::Unsat);
        }
        let assumptions: Vec<TermId> = assumptions.iter().copied().filter(|&t| !terms.is_true(t)).collect();
        if assumptions.is_empty() && self.assertions.iter().all(|&t| terms.is_true(t)) {
            self.last = Last::TriviallySat;
            return Ok(SatResult::Sat);
        }
        // A query of its own is preprocessed with its assumptions; most cores are never asked for.
        let assume = match self.mode {
            Mode::OneShot => Assume::Asserted,
            Mode::Incremental | Mode::Quick => Assume::Literals,
        };
        let (result, literals) = self.ask(terms, &assumptions, assume)?;
        self.last = match &result {
            SatResult::Sat => Last::Sat,
            SatResult::Unsat if assumptions.len() <= 1 => Last::Unsat(assumptions),
            SatResult::Unsat if assume == Assume::Asserted => Last::UnsatUnder(assumptions),
            SatResult::Unsat => Last::Unsat(self.core(&assumptions, &literals)?),
            SatResult::Unknown(_) => Last::None,
        };
        Ok(result)
    }

    fn push(&mut self) -> Result<(), SmtError> {
        self.last = Last::None;
        self.scopes.push(self.assertions.len());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SmtError> {
        self.last = Last::None;
        let start = self.scopes.pop().ok_or(SmtError::NotAvailable("open scope"))?;
        self.assertions.truncate(start);
        if let Some(backend) = &mut self.backend
            && let Some(object) = &mut backend.object
        {
            if object.scopes.len() > self.scopes.len() {
                object.solver.pop((object.scopes.len() - self.scopes.len()) as u32)?;
                object.constraints = object.scopes[self.scopes.len()];
                object.scopes.truncate(self.scopes.len());
                object.defined.retain(|(_, scopes)| *scopes <= self.scopes.len());
            }
            object.asserted = object.asserted.min(start);
        }
        Ok(())
    }

    fn model(&mut self, terms: &Terms) -> Result<Model, SmtError> {
        match (&self.last, &self.backend) {
            (Last::TriviallySat, _) => Ok(Model::new(Assignment::default())),
            (Last::Sat, Some(Backend { object: Some(object), translation, .. })) => {
                Ok(Model::new(model::assignment(&object.solver.model()?, terms, &translation.var_reads)?))
            }
            _ => Err(SmtError::NotAvailable("model")),
        }
    }

    fn unsat_core(&mut self, terms: &Terms) -> Result<Vec<TermId>, SmtError> {
        if let Last::UnsatUnder(assumptions) = &self.last {
            let assumptions = assumptions.clone();
            let core = match self.ask(terms, &assumptions, Assume::Literals)? {
                (SatResult::Unsat, literals) => self.core(&assumptions, &literals)?,
                (SatResult::Unknown(_), _) => assumptions,
                (SatResult::Sat, _) => return Err(SmtError::Backend("two answers to one query".into())),
            };
            self.last = Last::Unsat(core);
        }
        match &self.last {
            Last::Unsat(core) => Ok(core.clone()),
            _ => Err(SmtError::NotAvailable("unsat core")),
        }
    }

    fn set_budget(&mut self, budget: &Budget) {
        self.limits.budget = budget.clone();
        self.watch();
    }

    fn set_query_limit(&mut self, limit: Option<Effort>) {
        self.limits.query_limit = limit;
        self.limits.is_tentative = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_shot_keeps_the_contract() {
        smt::contract::run(&|| Box::new(Z3Solver::new(Mode::OneShot)));
    }

    #[test]
    fn incremental_keeps_the_contract() {
        smt::contract::run(&|| Box::new(Z3Solver::new(Mode::Incremental)));
    }

    #[test]
    fn quick_keeps_the_contract() {
        smt::contract::run(&|| Box::new(Z3Solver::new(Mode::Quick)));
    }

    /// Scripts that `smt::smtlib` prints mean what the terms mean.
    #[test]
    fn scripts_have_the_same_answers() {
        use smt::Sort;
        use smt::random::{Choices, RandomTerms, Theory};
        let theories = [Theory::Narrow, Theory::BitVectors, Theory::Arrays, Theory::CheapFloats];
        let mut answers = [0, 0];
        for (seed, theory) in (0..80).zip(theories.into_iter().cycle()) {
            let mut choices = Choices::from_seed(seed);
            let mut random = RandomTerms::new(theory, &mut choices);
            for _ in 0..40 {
                random.grow(&mut choices);
            }
            let (a, b) = (random.pick(Sort::Bool, &mut choices).raw, random.pick(Sort::Bool, &mut choices).raw);
            let mut solver = Z3Solver::new(Mode::OneShot);
            solver.set_query_limit(Some(Effort::thousands(2_000)));
            let terms = &random.terms;
            assert!(solver.assert(terms, a).is_ok() && solver.assert(terms, b).is_ok());
            let expected = match solver.check(terms, &[]) {
                Ok(SatResult::Sat) => "sat",
                Ok(SatResult::Unsat) => "unsat",
                Ok(SatResult::Unknown(_)) => continue,
                Err(error) => panic!("{error}"),
            };
            let script = format!("(set-option :timeout 5000)\n{}", smt::smtlib::script(terms, &[a, b]));
            let context = Context::new().unwrap_or_else(|error| panic!("{error}"));
            let answer = context.run_script(&script);
            if answer.trim() != "unknown" {
                assert_eq!(answer.trim(), expected, "{script}");
                answers[usize::from(expected == "sat")] += 1;
            }
        }
        assert!(answers.iter().all(|&count| count > 5), "both answers occur: {answers:?}");
    }

    /// Contexts go from solver to solver; what one asked or was not told must not show in the next.
    #[test]
    fn solvers_one_after_the_other_do_not_mix() {
        use smt::Sort;
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(64));
        let y = terms.var("y", Sort::BitVec(64));
        // Factors of a product of two large primes: not found in this time.
        let (product, n) = (terms.bv_mul(x, y), terms.bv(64, 0x7fff_ffe7 * 0x7fff_ffed));
        let (one, top) = (terms.bv(64, 1), terms.bv(64, 1 << 32));
        let bounds = [terms.ult(one, x), terms.ult(one, y), terms.ult(x, top), terms.ult(y, top), terms.eq(product, n)];
        let hard = terms.and_all(&bounds);
        for round in 0..12_u128 {
            for mode in [Mode::OneShot, Mode::Incremental, Mode::Quick] {
                if round % 4 == 3 {
                    let mut solver = Z3Solver::new(mode);
                    solver.set_query_limit(Some(Effort::thousands(20)));
                    assert!(solver.assert(&terms, hard).is_ok());
                    assert!(matches!(solver.check(&terms, &[]), Ok(SatResult::Unknown(UnknownReason::QueryLimit))));
                }
                let (low, high) = (terms.bv(64, round), terms.bv(64, round + 1));
                let equal = terms.eq(x, low);
                let other = terms.eq(x, high);
                let mut solver = Z3Solver::new(mode);
                assert!(solver.assert(&terms, equal).is_ok());
                assert!(matches!(solver.check(&terms, &[]), Ok(SatResult::Sat)), "round {round}");
                assert!(matches!(solver.check(&terms, &[other]), Ok(SatResult::Unsat)), "round {round}");
            }
        }
    }

    /// Formulas of long runs are deep, and threads have small stacks.
    #[test]
    fn deep_formulas_do_not_overflow_the_stack() {
        use smt::Sort;
        for mode in [Mode::OneShot, Mode::Incremental, Mode::Quick] {
            let mut terms = Terms::new();
            let sort = Sort::BitVec(32);
            let (mut x, y, m) = (terms.var("x", sort), terms.var("y", sort), terms.var("m", Sort::bv_array(32, 32)));
            let mut array = m;
            for i in 0..10_000 {
                let c = terms.fresh_var("c", Sort::Bool);
                let (sum, difference) = (terms.bv_add(x, y), terms.bv_xor(y, x));
                x = terms.ite(c, sum, difference);
                if i % 500 == 0 {
                    array = terms.store(array, x, y);
                }
            }
            let zero = terms.bv(32, 0);
            let at = terms.select(array, zero);
            let (first, second) = (terms.eq(x, y), terms.eq(at, zero));
            let formula = terms.and(first, second);
            let run = move || {
                let mut solver = Z3Solver::new(mode);
                solver.set_query_limit(Some(Effort::thousands(4_000)));
                solver.assert(&terms, formula).and_then(|()| solver.check(&terms, &[])).map(|result| (result, terms))
            };
            match std::thread::spawn(run).join() {
                Ok(Ok((SatResult::Sat | SatResult::Unknown(_), _))) => {}
                other => panic!("{:?}", other.map(|result| result.map(|(result, _)| result)).ok()),
            }
        }
    }
}
